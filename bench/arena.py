"""How fast the arena plays whole games inside the kernels, next to move by move: python bench/arena.py [GAME ...].

Both play the same deals in turns, with the same threads, and must come to the same results. Every round gives a ratio
of their games a second; the median is printed, and the processor time that a game takes, which other programs on the
machine disturb less.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from typing import Any

from clew.bots.arena import Arena
from clew.bots.heuristics import heuristics_for
from clew.core.game import load


def compare(name: str, bots: list[str], games: int, rounds: int, threads: int) -> dict[str, Any]:
    """Games a second both ways, and the ratio in the median round."""
    heuristics = heuristics_for(load(name))
    heuristics.ready()
    warm_up = Arena(name, bots, 2, seed=0, whole=True)
    warm_up.run()
    speeds: dict[bool, list[float]] = {False: [], True: []}
    work: dict[bool, list[float]] = {False: [], True: []}  # seconds of the processor for a game
    for number in range(rounds):
        found = {}
        for whole in speeds:
            found[whole] = arena = Arena(name, bots, games, seed=number, threads=threads, whole=whole)
            begun = time.process_time()
            arena.run()
            work[whole].append((time.process_time() - begun) / arena.games)
            speeds[whole].append(arena.games / arena.seconds)
        if found[True].standings() != found[False].standings():
            raise SystemExit(f"{name}: the two ways differ with seed {number}.")
    return {
        "games_per_s": statistics.median(speeds[True]),
        "by_moves_per_s": statistics.median(speeds[False]),
        "ratio": statistics.median(whole / moves for moves, whole in zip(*speeds.values())),
        "cpu_ms": 1000 * statistics.median(work[True]),
        "by_moves_cpu_ms": 1000 * statistics.median(work[False]),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME", default=["palaces", "ariadne"])
    parser.add_argument("--bots", default="level:2,level:2")
    parser.add_argument("--games", type=int, default=20, help="of each way in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    figures = {}
    for name in args.names:
        figures[name] = compare(name, args.bots.split(","), args.games, args.rounds, args.threads)
        if not args.json:
            said = (
                "{games_per_s:8.1f} games/s inside the kernels, {by_moves_per_s:8.1f} move by move, ratio {ratio:6.1f}"
            )
            print(f"{name:12}" + said.format(**figures[name]), flush=True)
    if args.json:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
