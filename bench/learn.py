"""Train a game's value net by self-play: python bench/learn.py palaces --seed 1.

The games are those of the playout policy, thousands a second. The result goes to `value_net.npy` beside the game's
heuristics, if it predicts moments that it has not seen better than nothing does.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from clew.bots import self_play, value_net
from clew.bots.heuristics import Heuristics
from clew.bots.simulation import COMFORT, LEAN
from clew.bots.workspace import Workspace
from clew.core import kernels
from clew.core.game import Game, load
from clew.core.options import read_options
from clew.core.rng import stream

NOISE = 3.0  # of the policy in self-play, whose games are to wander further than playouts do
EVERY = 4  # one moment in so many is a sample
CHECKED = 10  # one moment in so many is kept back to check what was learnt
BATCH, RATE, DECAY, SQUARED = 512, 3e-3, 0.9, 0.999


class Samples:
    """Moments of games: features, and what the seat that looked at them may expect or got."""

    def __init__(self, shape: tuple[int, ...], count: int) -> None:
        parts, part, whole = shape[:3]
        self.parts = np.zeros((count, value_net.SIDES, parts, part))
        self.whole = np.zeros((count, whole))
        self.rewards = np.zeros(count)


def by_policy(game: Game, moments: int, seed: int) -> Samples:
    """Games of the policy, in the kernels."""
    shape = game.heuristics.VALUE_NET
    heuristics = Heuristics(game, np.zeros(value_net.count(*shape)))
    made = kernels.specialise(self_play, game.name, game.folder, vars(heuristics.kernels))
    found, workspace = Samples(shape, moments), _workspace(heuristics)
    weights = heuristics.weights.copy()
    weights[0] = NOISE
    rng = stream(seed, "lessons")  # the name of the stream in which the value nets there are were learnt
    arrays = (found.parts, found.whole, np.zeros(moments, np.int64), found.rewards)
    made["collect"](
        workspace.states,
        rng,
        workspace.out,
        weights,
        EVERY,
        workspace.knobs,
        workspace.scores,
        workspace.places,
        *arrays,
    )
    return found


def _workspace(heuristics: Heuristics) -> Workspace:
    players = heuristics.game.players[0]
    workspace = Workspace(heuristics, players, 1, 1)
    workspace.states[0] = heuristics.game.blank(
        read_options(heuristics.game.title, heuristics.game.options, {}), players
    )[0]
    workspace.knobs[LEAN] = heuristics.settings.get("lean", 0.1)
    workspace.knobs[COMFORT] = heuristics.comfort
    return workspace


class Network:
    """What `clew.bots.value_net` evaluates, with its gradient; the arrays in the order of the file."""

    def __init__(self, shape: tuple[int, ...], rng: Any) -> None:
        self.parts, part, whole, self.first, second = shape
        width = value_net.SIDES * self.first + whole

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
        sums = first.reshape(len(parts), value_net.SIDES, self.parts, -1).sum(2).reshape(len(parts), -1)
        seen = np.concatenate([sums, whole], 1)
        second = np.maximum(seen @ c + d, 0)
        return 1 / (1 + np.exp(-(second @ e + f[0]))), (first, seen, second)

    def gradient(self, parts: Any, whole: Any, rewards: Any) -> list[Any]:
        """Of the cross entropy, for each array."""
        a, _, c, _, e, _ = self.arrays
        expected, (first, seen, second) = self.expect(parts, whole)
        error = (expected - rewards) / len(rewards)
        back = np.outer(error, e) * (second > 0)
        sums = (back @ c.T)[:, : value_net.SIDES * self.first].reshape(len(parts), value_net.SIDES, 1, -1)
        deep = np.repeat(sums, self.parts, 2).reshape(-1, self.first) * (first > 0)
        flat = parts.reshape(-1, len(a))
        return [flat.T @ deep, deep.sum(0), seen.T @ back, back.sum(0), second.T @ error, error.sum(keepdims=True)]


def fit(network: Network, found: Samples, epochs: int, rng: Any) -> float:
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
    parser.add_argument("--moments", type=int, default=600_000, help="to learn from")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--out", type=Path, help="instead of the game's own file")
    args = parser.parse_args()
    game, rng, begun = load(args.game), np.random.default_rng(args.seed), time.monotonic()
    network, found = Network(game.heuristics.VALUE_NET, rng), by_policy(game, args.moments, args.seed)
    print(f"{len(found.rewards):,} moments in {time.monotonic() - begun:.0f} s", flush=True)
    if fit(network, found, args.epochs, rng) <= 0:
        raise SystemExit("Nothing was learnt.")
    numbers = np.concatenate([array.ravel() for array in network.arrays]).astype(np.float32)
    np.save(args.out or game.folder / "value_net.npy", numbers)
    print(f"{time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
