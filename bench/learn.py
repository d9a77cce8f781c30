"""Learn a game's evaluation from self-play: python bench/learn.py palaces --seed 1 [--by flat:300:depth=3].

Without --by the games are those of the sense's policy, thousands a second; with it both players search with the present
evaluation, and what the search expected counts as much as how the game ended. The result goes to `outlook.npy` beside
the game's sense, if it predicts moments that it has not seen better than nothing does.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from clew.bots import lessons, net
from clew.bots.contestants import contestant
from clew.bots.desk import Desk
from clew.bots.sense import Sense, sense_of
from clew.bots.worlds import LEAN, REWARD, TRIES
from clew.core import kernels
from clew.core.game import Game, load
from clew.core.knowledge import look
from clew.core.options import read_options
from clew.core.rng import below, next32, stream

NOISE = 3.0  # of the policy while it plays the lessons: they are to wander further than playouts do
EVERY = 4  # one moment in so many is noted
WANDER = 0.1  # how often a search's second choice is made, and so on
CHECKED = 10  # one moment in so many is kept back to check what was learnt
BATCH, RATE, DECAY, SQUARED = 512, 3e-3, 0.9, 0.999


class Lessons:
    """Moments of games: features, and what the seat that looked at them may expect or got."""

    def __init__(self, shape: tuple[int, ...], count: int) -> None:
        parts, part, whole = shape[:3]
        self.parts = np.zeros((count, net.SIDES, parts, part))
        self.whole = np.zeros((count, whole))
        self.rewards = np.zeros(count)


def by_policy(game: Game, moments: int, seed: int) -> Lessons:
    """Games of the policy, in the kernels."""
    shape = game.sense.OUTLOOK
    sense = Sense(game, np.zeros(net.count(*shape)))
    made = kernels.specialise(lessons, game.name, game.folder, vars(sense.kernels))
    found, desk = Lessons(shape, moments), _desk(sense)
    weights = sense.weights.copy()
    weights[0] = NOISE
    rng = stream(seed, "lessons")
    arrays = (found.parts, found.whole, np.zeros(moments, np.int64), found.rewards)
    made["witness"](desk.states, rng, desk.out, weights, EVERY, desk.knobs, desk.scores, desk.places, *arrays)
    return found


def by_search(name: str, bot: str, games: int, seed: int) -> Lessons:
    """Games of a search against itself."""
    game = load(name)
    sense = sense_of(game)
    player = contestant(bot, sense, seed).bot
    found, desk = Lessons(game.sense.OUTLOOK, games * game.rules.LONGEST), _desk(sense)
    blank, rng, noted = game.blank(read_options(game.title, game.options, {}), desk.players), stream(seed, bot), 0
    for number in range(games):
        states, begin, seats = blank.copy(), noted, []
        game.kernels.deal(states[0], stream(seed * 1_000_003 + number, bot))
        game.kernels.start(states[0])
        turn = game.kernels.mover(states[0])
        while turn >= 0:
            seen, _ = player.consider(look(game, states, turn))
            if below(rng, EVERY) == 0:
                game.sense.features(states[0], turn, found.parts[noted], found.whole[noted])
                best = seen.tally[seen.order[0]]
                found.rewards[noted] = best[REWARD] / best[TRIES]
                seats.append(turn)
                noted += 1
            rank = 0
            while rank < len(seen.order) - 1 and next32(rng) < WANDER * 2**32:
                rank += 1
            game.kernels.apply(states[0], turn, seen.moves[seen.order[rank]])
            turn = game.kernels.mover(states[0])
        for i, seat in enumerate(seats, begin):
            got = sense.kernels.judge(states[0], seat, True, desk.knobs, sense.weights, desk.scores, desk.places)
            found.rewards[i] = (found.rewards[i] + got) / 2
    for what, numbers in vars(found).items():
        setattr(found, what, numbers[:noted])
    return found


def _desk(sense: Sense) -> Any:
    players = sense.game.players[0]
    desk = Desk(sense, players, 1, 1)
    desk.players = players
    desk.states[0] = sense.game.blank(read_options(sense.game.title, sense.game.options, {}), players)[0]
    desk.knobs[LEAN] = sense.settings.get("lean", 0.1)
    desk.knobs[1] = sense.comfort
    return desk


class Network:
    """What `clew.bots.net` evaluates, with its gradient; the arrays in the order of the file."""

    def __init__(self, shape: tuple[int, ...], rng: Any) -> None:
        self.parts, part, whole, self.first, second = shape
        width = net.SIDES * self.first + whole

        def drawn(*size: int) -> Any:
            return rng.standard_normal(size) / np.sqrt(size[0])

        self.arrays = [drawn(part, self.first), np.zeros(self.first), drawn(width, second), np.zeros(second)]
        self.arrays += [drawn(second), np.zeros(1)]

    def read(self, numbers: Any) -> None:
        """Go on from what was learnt before."""
        cuts = np.cumsum([array.size for array in self.arrays])[:-1]
        self.arrays = [new.reshape(old.shape) for new, old in zip(np.split(numbers, cuts), self.arrays)]

    def expect(self, parts: Any, whole: Any) -> tuple[Any, Any]:
        """The rewards to expect, and what the layers said."""
        a, b, c, d, e, f = self.arrays
        first = np.maximum(parts.reshape(-1, len(a)) @ a + b, 0)
        sums = first.reshape(len(parts), net.SIDES, self.parts, -1).sum(2).reshape(len(parts), -1)
        seen = np.concatenate([sums, whole], 1)
        second = np.maximum(seen @ c + d, 0)
        return 1 / (1 + np.exp(-(second @ e + f[0]))), (first, seen, second)

    def gradient(self, parts: Any, whole: Any, rewards: Any) -> list[Any]:
        """Of the cross entropy, for each array."""
        a, _, c, _, e, _ = self.arrays
        expected, (first, seen, second) = self.expect(parts, whole)
        error = (expected - rewards) / len(rewards)
        back = np.outer(error, e) * (second > 0)
        sums = (back @ c.T)[:, : net.SIDES * self.first].reshape(len(parts), net.SIDES, 1, -1)
        deep = np.repeat(sums, self.parts, 2).reshape(-1, self.first) * (first > 0)
        flat = parts.reshape(-1, len(a))
        return [flat.T @ deep, deep.sum(0), seen.T @ back, back.sum(0), second.T @ error, error.sum(keepdims=True)]


def fit(network: Network, found: Lessons, epochs: int, rng: Any) -> float:
    """Follow the gradient (Adam); the share of the variance explained in the moments kept back."""
    cut = len(found.rewards) - len(found.rewards) // CHECKED
    means = [np.zeros_like(array) for array in network.arrays]
    squares = [np.zeros_like(array) for array in network.arrays]
    steps, explained = 0, 0.0
    for epoch in range(epochs):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        for some in np.array_split(rng.permutation(cut), cut // BATCH):
            steps += 1
            gradient = network.gradient(found.parts[some], found.whole[some], found.rewards[some])
            for k, slope in enumerate(gradient):
                means[k] = DECAY * means[k] + (1 - DECAY) * slope
                squares[k] = SQUARED * squares[k] + (1 - SQUARED) * slope**2
                step = means[k] / (1 - DECAY**steps) / (np.sqrt(squares[k] / (1 - SQUARED**steps)) + 1e-8)
                network.arrays[k] = network.arrays[k] - rate * step
        expected, _ = network.expect(found.parts[cut:], found.whole[cut:])
        kept = found.rewards[cut:]
        explained = 1 - float(np.mean((expected - kept) ** 2) / np.var(kept))
        print(f"epoch {epoch + 1:2}: explains {explained:.4f} of the variance", flush=True)
    return explained


def main() -> None:
    """Play, learn, keep."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", help="a search that plays the games, as the arena names it; else the policy does")
    parser.add_argument("--games", type=int, default=2000, help="games of the search")
    parser.add_argument("--moments", type=int, default=600_000, help="moments of the policy's games")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="instead of the game's own file")
    args = parser.parse_args()
    game, rng, begun = load(args.game), np.random.default_rng(args.seed), time.monotonic()
    network = Network(game.sense.OUTLOOK, rng)
    if args.by is None:
        found = by_policy(game, args.moments, args.seed)
    else:
        sense = sense_of(game)
        sense.ready()
        network.read(sense.weights[sense.named :])
        shares = [args.games // args.processes] * args.processes
        with ProcessPoolExecutor(args.processes, multiprocessing.get_context("spawn")) as pool:
            jobs = [
                pool.submit(by_search, args.game, args.by, share, args.seed * 101 + k) for k, share in enumerate(shares)
            ]
            several = [job.result() for job in jobs]
        found = several[0]
        for what in vars(found):
            setattr(found, what, np.concatenate([getattr(one, what) for one in several]))
    print(f"{len(found.rewards):,} moments in {time.monotonic() - begun:.0f} s", flush=True)
    if fit(network, found, args.epochs, rng) <= 0:
        raise SystemExit("Nothing was learnt.")
    numbers = np.concatenate([array.ravel() for array in network.arrays]).astype(np.float32)
    np.save(args.out or game.folder / "outlook.npy", numbers)
    print(f"{time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
