"""Tune the weights of a game's heuristics by self-play: a small evolution, on the kernels, the same for the same seed.

    python bench/tune.py palaces --seed 1

Each generation tries children around the present weights against them, over paired deals, and moves to the mean of the
best quarter. What was learnt is held against the weights of the module before it is printed.
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from clew.bots.heuristics import heuristics_for
from clew.bots.ratings import interval
from clew.bots.search import call
from clew.bots.workspace import Workspace
from clew.core.game import load
from clew.core.options import read_options
from clew.core.rng import stream

FIXED = 2  # the first weights are of the playouts, and greedy play does not use them


class Trainer:
    """Matches between weights, each deal once in every seat."""

    def __init__(self, name: str, players: int | None) -> None:
        self.heuristics = heuristics_for(load(name))
        self.heuristics.ready()
        game = self.heuristics.game
        self.players = game.seats(players)
        self.blank = game.blank(read_options(game.title, game.options, {}), self.players)

    def match(self, weights: np.ndarray, rivals: np.ndarray, deals: int, seed: int) -> float:
        """What `weights` get against `rivals`: 0.5 when they are as good."""
        workspace = Workspace(self.heuristics, self.players, 1, 1)
        workspace.states[0] = self.blank[0]
        workspace.weights, workspace.rivals, workspace.n = weights, rivals, deals
        workspace.rng[:] = stream(seed, "tune")
        return float(call(self.heuristics.kernels.play_matches, workspace))


def evolve(trainer: Trainer, args: argparse.Namespace) -> np.ndarray:
    """The weights after so many generations."""
    rng = np.random.default_rng(args.seed)
    mean = trainer.heuristics.weights.copy()
    scale = np.maximum(np.abs(mean), 0.2 * np.abs(mean[FIXED : trainer.heuristics.named]).mean())
    scale[:FIXED] = 0.0
    scale[trainer.heuristics.named :] = 0.0  # what was learnt is not tuned
    best = max(1, args.children // 4)
    with ThreadPoolExecutor(args.threads) as pool:
        for generation in range(args.generations):
            sigma = args.sigma * (1 - 0.8 * generation / args.generations)
            children = [mean + sigma * scale * rng.standard_normal(len(mean)) for _ in range(args.children)]
            deals = args.seed * 1_000_003 + generation
            jobs = [pool.submit(trainer.match, child, mean, args.deals, deals) for child in children]
            shares = [job.result() for job in jobs]
            ranked = np.argsort(shares)[::-1][:best]
            mean = np.mean([children[i] for i in ranked], axis=0)
            print(f"generation {generation + 1:3}: best {max(shares):.3f}, mean {np.mean(shares):.3f}", flush=True)
    return mean


def proof(trainer: Trainer, after: np.ndarray, before: np.ndarray, args: argparse.Namespace) -> list[float]:
    """What the new weights get against the old ones, over deals that no generation has seen."""
    with ThreadPoolExecutor(args.threads) as pool:
        seeds = [10_000_019 * args.seed + i for i in range(args.proof)]
        return list(pool.map(lambda seed: trainer.match(after, before, 20, seed), seeds))


def main() -> None:
    """Tune, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--children", type=int, default=32)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument(
        "--proof", type=int, default=200, help="matches of 20 deals against the old weights, at the end"
    )
    parser.add_argument("--sigma", type=float, default=0.4)
    parser.add_argument("--players", type=int)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    trainer = Trainer(args.game, args.players)
    before, after = trainer.heuristics.weights, evolve(trainer, args)
    after = np.array([float(f"{x:.3g}") for x in after])
    share, low, high = interval(proof(trainer, after, before, args))
    print(f"against the weights of the module: {share:.3f} [{low:.3f}, {high:.3f}]")
    after = after[: trainer.heuristics.named]
    names = getattr(trainer.heuristics.game.heuristics, "NAMES", range(len(after)))
    for name, old, new in zip(names, before, after):
        moved = abs(new - old) / (abs(old) or math.inf)
        print(f"{name:>20} {old:8.3g} -> {new:8.3g}  {'*' * min(20, round(10 * moved))}")
    print("WEIGHTS = np.array(" + repr(after.tolist()) + ")")


if __name__ == "__main__":
    main()
