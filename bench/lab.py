"""How much of the engine's speed is left when every random game is measured, and what a second thread brings.

    python bench/lab.py
    python bench/lab.py palaces cardtracks --seconds 2 --json

Both play in turn in the same process and are timed by the processor time of their thread; of many short rounds the
median ratio counts. Two threads are timed by the clock on the wall, and the best of many rounds counts: on a busy
machine two cores are free at once for moments only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from clew import bench
from clew.core.game import load, names
from clew.lab.simulation import Play


def timed(work: Callable[[], Any]) -> float:
    """The processor time that something takes."""
    begin = time.thread_time()
    work()
    return max(time.thread_time() - begin, 1e-9)


def side_by_side(work: Callable[[int], Any], threads: int) -> float:
    """How long so many threads take for as much each, by the clock on the wall."""
    together = threading.Barrier(threads)
    begun, ended = [], []

    def one(at: int) -> None:
        together.wait()
        begun.append(time.perf_counter())
        work(at)
        ended.append(time.perf_counter())

    jobs = [threading.Thread(target=one, args=(at,)) for at in range(threads)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    return max(ended) - min(begun)


class Race:
    """One game, played by the engine and by the lab, a round after the other."""

    def __init__(self, name: str) -> None:
        game = load(name)
        game.ready()
        game.specialise(bench)
        self.engine, self.play = bench.Workspace(game), Play(game, seed=1)
        self.engine.play(2)
        self.play.chunk(0, 2, self.play.sums())
        self.count = 8
        while timed(self.alone) < 0.03 and self.count < 4096:
            self.count *= 2

    def alone(self) -> None:
        """Games that nobody measures."""
        self.engine.play(self.count)

    def measured(self, number: int = 0) -> None:
        """As many that are measured, after those deals that are all played twice."""
        self.play.chunk(1000 + number * self.count, self.count, self.play.sums())


def measure(name: str, seconds: float) -> dict[str, Any]:
    """The figures of one game."""
    race, rounds = Race(name), max(5, round(seconds / 0.1))
    times = [(timed(race.alone), timed(race.measured)) for _ in range(rounds)]
    alone = min(side_by_side(race.measured, 1) for _ in range(rounds))
    together = min(side_by_side(race.measured, 2) for _ in range(rounds))
    return {
        "game": name,
        "of_engine": statistics.median(engine / lab for engine, lab in times),
        "games_per_s": race.count / min(lab for _, lab in times),
        "threads2_ratio": 2 * alone / together,
    }


def main() -> None:
    """Measure the games that are named, by default all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = []
    for name in args.games or names():
        found.append(measure(name, args.seconds))
        if not args.json:
            said = "{game:12}{of_engine:5.2f} of the engine's random games/s, {games_per_s:10,.0f} games/s a core"
            print(f"{said}; two threads {{threads2_ratio:.2f}} ×".format(**found[-1]), flush=True)
    if args.json:
        json.dump(found, sys.stdout, indent=2)
        print()


if __name__ == "__main__":
    main()
