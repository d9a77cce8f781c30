"""Waiting for the compiler with something to look at."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from clew.core.game import Game


def ready(game: Game, everything: bool = False) -> bool:
    """Have the rules of a game compiled, or all made from them, with a bar; False when they were already."""
    if not sys.stderr.isatty():
        said: list[str] = []
        game.ready(lambda done, total, name: _announce(said, game), everything)
        return bool(said)
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(complete_style="#D9A441", finished_style="#6B7A3A"),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        console=console,
    )
    task = bar.add_task(f"Compiling {game.title}, once")

    def progress(done: int, total: int, name: str) -> None:
        bar.start()
        bar.update(task, completed=done, total=total)

    try:
        game.ready(progress, everything)
    finally:
        bar.stop()
    return bool(bar.tasks[0].completed)


def _announce(said: list[str], game: Game) -> None:
    if not said:
        said.append(game.name)
        print(f"Compiling the rules of {game.title}, once ...", file=sys.stderr, flush=True)
