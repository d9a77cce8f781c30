"""The solver of Aathenuo on positions from games it plays itself: `python bench/aathenuo_solver.py`.

Early, middle and late positions are those with fewer than 15, fewer than 35, and more tiles on the table. Times are of
the processor, each next to the moves that the C program of The Lost Palaces makes in the same time, in the same run.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clew.bench import build_c, run_c
from clew.core.game import load
from clew.core.options import read_options
from clew.core.rng import stream
from clew.games.aathenuo import solver

PARTS = {"early": (0, 15), "middle": (15, 35), "late": (35, 168)}
C_GAMES = 20_000
Call = Callable[[Any, int], Any]


def positions(game: Any, wanted: int, seed: int) -> dict[str, list[Any]]:
    """So many positions of each part of the game, from games of two to four players with some whim in their play."""
    dice, rng, out = random.Random(seed), stream(seed, "bench"), game.moves(game.rules.MOVES)
    found: dict[str, list[Any]] = {part: [] for part in PARTS}
    while min(map(len, found.values())) < wanted:
        s = game.blank(read_options(game.title, game.options, {}), dice.choice([2, 3, 4]))[0]
        game.kernels.deal(s, rng)
        game.kernels.start(s)
        while game.kernels.to_move(s):
            part = next(part for part, (low, high) in PARTS.items() if low <= s.tiles < high)
            if len(found[part]) < wanted and dice.random() < 0.3:
                found[part].append(s.copy())
            listed = game.kernels.legal(s, int(s.turn), out)
            game.kernels.apply(s, int(s.turn), out[dice.randrange(listed)].copy())
    return found


def times(call: Call, states: list[Any]) -> list[float]:
    """How many seconds of the processor each call takes, sorted."""
    found = []
    for s in states:
        began = time.thread_time()
        call(s, int(s.turn))
        found.append(time.thread_time() - began)
    return sorted(found)


def measure(wanted: int, seed: int) -> dict[str, Any]:
    """The figures of one run."""
    game = load("aathenuo")
    game.ready()
    out = game.moves(game.rules.MOVES)
    calls: dict[str, Call] = {
        "plays": lambda s, seat: solver.plays(s, seat, out),
        "can_play": solver.can_play,
        "quick": lambda s, seat: solver.quick(s, seat, out),
    }
    found: dict[str, Any] = {"positions": wanted, "seed": seed}
    with tempfile.TemporaryDirectory() as folder:
        program = build_c("palaces", Path(folder))
        samples = positions(game, wanted, seed)
        for part, states in samples.items():
            played = run_c(program, C_GAMES, seed)
            c = played["moves"] / played["seconds"]
            found[part] = {"c_moves_per_s": round(c)}
            for name, call in calls.items():
                spent = times(call, states)
                median, p95 = statistics.median(spent), spent[int(0.95 * len(spent))]
                found[part][name] = {
                    "median_ms": round(1000 * median, 3),
                    "p95_ms": round(1000 * p95, 3),
                    "most_ms": round(1000 * spent[-1], 3),
                    "calls_per_s": round(len(spent) / sum(spent)),
                    "median_in_c_moves": round(median * c),
                    "p95_in_c_moves": round(p95 * c),
                    "calls_per_c_move": len(spent) / sum(spent) / c,
                }
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=300, help="how many of each part of the game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as JSON")
    asked = parser.parse_args()
    found = measure(asked.positions, asked.seed)
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'':7} {'':9} {'median':>9} {'p95':>9} {'most':>9} {'calls/s':>9}   in moves of the C program")
    for part in PARTS:
        for name in ("plays", "can_play", "quick"):
            row = found[part][name]
            print(
                f"{part:7} {name:9} {row['median_ms']:6.2f} ms {row['p95_ms']:6.2f} ms {row['most_ms']:6.1f} ms"
                f" {row['calls_per_s']:9,}   median {row['median_in_c_moves']:9,}  p95 {row['p95_in_c_moves']:11,}"
            )


if __name__ == "__main__":
    main()
