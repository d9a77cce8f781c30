"""Fit weights of a game's evaluation to how games end that the greedy player plays against itself.

    python bench/fit.py aathenuo few alone --games 400 --seed 1

For evaluations of a few weights that are written by hand; whole networks are learnt by bench/learn.py. The weights are
those under which the ends that came were likeliest. One game in four is kept back, to say what the fit is worth.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from clew.bots.heuristics import Heuristics, heuristics_for
from clew.core.errors import ClewError
from clew.core.game import load
from clew.core.options import read_options
from clew.core.rng import stream

KEPT = 4  # one game in so many is kept back
ROUNDS = 12
NUDGE = 1e-4
SURE = 1e-6  # no chance is nearer to 0 or 1


class Moments:
    """All positions of some games, what became of whoever was to move, and the game that each is of."""

    def __init__(self, heuristics: Heuristics, games: int, seed: int) -> None:
        self.heuristics, game, kernels = heuristics, heuristics.game, heuristics.kernels
        self.states: list[Any] = []
        self.seats: list[int] = []
        got: list[float] = []
        numbers: list[int] = []
        blank = game.blank(read_options(game.title, game.options, {}), 2)
        out, scores, places = game.moves(game.rules.MOVES), np.zeros(2, np.int64), np.zeros(2, np.int64)
        for number in range(games):
            states, rng, seats = blank.copy(), stream(seed, f"fit {number}"), []
            kernels.deal(states[0], rng)
            kernels.start(states[0])
            while (seat := kernels.mover(states[0])) >= 0:
                self.states.append(states.copy())
                seats.append(seat)
                at = kernels.greedy(states[0], seat, out, kernels.legal(states[0], seat, out), heuristics.weights, rng)
                kernels.apply(states[0], seat, out[at])
            kernels.result(states[0], scores, places)
            got += [0.5 + 0.5 * float(np.sign(places[1 - seat] - places[seat])) for seat in seats]
            self.seats += seats
            numbers += [number] * len(seats)
            print(f"\r{number + 1} of {games} games, {len(got)} moments", end="", flush=True)
        print()
        self.got, self.number = np.array(got), np.array(numbers)

    def expected(self, weights: Any) -> Any:
        """What the evaluation says of every moment."""
        worth = self.heuristics.kernels.worth
        found = [worth(states[0], seat, weights) for states, seat in zip(self.states, self.seats)]
        return np.clip(found, SURE, 1 - SURE)


def surprise(expected: Any, got: Any) -> float:
    """How little the ends were expected, in nats a moment; 0.693 for somebody who knows nothing."""
    return float(-np.mean(got * np.log(expected) + (1 - got) * np.log(1 - expected)))


def fitted(moments: Moments, which: list[int], used: Any) -> Any:
    """The likeliest weights, by Fisher's scoring, from the moments that are used."""
    weights = moments.heuristics.weights.copy()
    for _ in range(ROUNDS):
        expected = moments.expected(weights)
        slopes = []
        for k in which:
            nudged = weights.copy()
            nudged[k] += NUDGE
            slopes.append((moments.expected(nudged) - expected) / NUDGE)
        slope, p = np.array(slopes).T[used], expected[used]
        heavy = slope / (p * (1 - p))[:, None]
        step, *_ = np.linalg.lstsq(heavy.T @ slope, heavy.T @ (moments.got[used] - p))
        weights[which] += step
    return weights


def main() -> None:
    """Play, fit, and say what it is worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("weight", nargs="+", help="the names of the weights to fit")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        heuristics = heuristics_for(load(args.game))
    except ClewError as error:
        parser.error(str(error))
    names = list(getattr(heuristics.game.heuristics, "NAMES", ()))
    if unknown := [name for name in args.weight if name not in names]:
        parser.error(f"{heuristics.game.title} has no weight {unknown[0]!r}: {', '.join(names)}.")
    if "worth" not in heuristics.has:
        parser.error(f"{heuristics.game.title} has no evaluation of its own.")
    if args.games < KEPT:
        parser.error(f"--games is a number from {KEPT} on.")
    heuristics.ready()
    moments = Moments(heuristics, args.games, args.seed)
    which = [names.index(name) for name in args.weight]
    kept = moments.number % KEPT == 0

    def told(said: str, weights: Any) -> str:
        return f"{said:10}" + ", ".join(f"{names[k]} {weights[k]:.3g}" for k in which)

    for said, weights in (("as it is", heuristics.weights), ("fitted", fitted(moments, which, ~kept))):
        missed = surprise(moments.expected(weights)[kept], moments.got[kept])
        print(told(said, weights) + f"; surprise {missed:.4f} in the games kept back")
    print(told("from all", fitted(moments, which, kept | ~kept)))


if __name__ == "__main__":
    main()
