"""The speed of the engine against the project's targets: `make bench`, or `python bench/engine.py --json`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from clew.bench import measure, render

Games = dict[str, dict[str, Any]]


def of(game: str, key: str) -> Callable[[Games], float | None]:
    """A figure of one game."""
    return lambda games: games.get(game, {}).get(key)


def slowest(key: str, but: str = "") -> Callable[[Games], float | None]:
    """The longest time of all games, or of all but one."""
    return lambda games: max((game[key] for name, game in games.items() if name != but), default=None)


def share_of_c(game: str) -> Callable[[Games], float | None]:
    """The moves a second of a game next to those of the C program, which plays another game: a yardstick."""

    def share(games: Games) -> float | None:
        c = of("palaces", "c_moves_per_s")(games)
        moves = of(game, "moves_per_s")(games)
        return moves / c if c and moves else None

    return share


# What is asked, where it is found, and what it must be.
TARGETS: tuple[tuple[str, Callable[[Games], float | None], str, float], ...] = (
    ("Lost Palaces against C", of("palaces", "ratio_to_c"), "≥", 0.80),
    ("Lost Palaces, two threads against one", of("palaces", "threads2_ratio"), "≥", 1.80),
    ("Ariadne's Thread, moves/s against the C program's", share_of_c("ariadne"), "≥", 0.05),
    ("Labyrinth, moves/s against the C program's", share_of_c("labyrinth"), "≥", 0.005),
    ("compile the slowest game without a solver from nothing, s", slowest("cold_compile_s", "aathenuo"), "≤", 10.0),
    ("compile Aathenuo and its solver from nothing, s", of("aathenuo", "cold_compile_s"), "≤", 60.0),
    ("clew play of the slowest game to its prompt, s", slowest("warm_start_s"), "≤", 1.5),
)


def judged(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """Each target with what was found and whether that reaches it; only of games that were measured."""
    verdicts = []
    for title, find, sign, target in TARGETS:
        value = find(figures["games"])
        if value is not None:
            reached = value >= target if sign == "≥" else value <= target
            verdicts.append({"target": title, "wanted": f"{sign} {target:g}", "value": value, "reached": reached})
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all games")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to measure each figure")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    asked = parser.parse_args()

    def progress(now: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{now}", end="", file=sys.stderr, flush=True)

    figures = measure(asked.games or None, asked.seconds, progress, startup=True)
    progress("")
    verdicts = judged(figures)
    if asked.json:
        print(json.dumps({**figures, "targets": verdicts}, indent=2))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("target", "wanted", "found", ""):
        table.add_column(column)
    for verdict in verdicts:
        table.add_row(
            verdict["target"],
            verdict["wanted"],
            f"{verdict['value']:.3g}",
            "reached" if verdict["reached"] else "missed",
        )
    console = Console(highlight=False)
    console.print(render(figures))
    console.print()
    console.print(table)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
