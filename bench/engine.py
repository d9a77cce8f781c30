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

# What is asked, of which figure, which of the games' figures counts, and what it must be.
TARGETS: tuple[tuple[str, str, Callable[..., float], str, float], ...] = (
    ("Lost Palaces against C", "ratio_to_c", min, "≥", 0.80),
    ("two threads against one", "threads2_ratio", min, "≥", 1.80),
    ("compile a game from nothing, s", "cold_compile_s", max, "≤", 10.0),
    ("clew play to its prompt, s", "warm_start_s", max, "≤", 1.5),
)


def judged(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """Each target with the worst figure of all games and whether it was reached."""
    verdicts = []
    for title, key, worst, sign, target in TARGETS:
        found = [game[key] for game in figures["games"].values() if game.get(key) is not None]
        value = worst(found) if found else None
        reached = value is not None and (value >= target if sign == "≥" else value <= target)
        verdicts.append(
            {"target": title, "figure": key, "wanted": f"{sign} {target:g}", "value": value, "reached": reached}
        )
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
    for column in ("target (the worst game)", "wanted", "found", ""):
        table.add_column(column)
    for verdict in verdicts:
        value = "–" if verdict["value"] is None else f"{verdict['value']:.2f}"
        table.add_row(verdict["target"], verdict["wanted"], value, "reached" if verdict["reached"] else "missed")
    console = Console(highlight=False)
    console.print(render(figures))
    console.print()
    console.print(table)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
