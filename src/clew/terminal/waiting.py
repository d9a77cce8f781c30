"""Waiting for the compiler with something to look at."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from clew.core import compiling
from clew.core.game import Game

PATIENCE = 1.0  # seconds before somebody who waits is told why


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


def warming(game: Game) -> str:
    """What to tell those who wait for a game that is being compiled; nothing when it is compiled."""
    progress = compiling.progress_of(game.where)
    return f"warming up, this once: {progress[0]} of {progress[1]}" if progress else ""


@contextlib.contextmanager
def thinking(console: Console, game: Game, name: str) -> Iterator[None]:
    """While a bot is waited for: after a second, who thinks, and what makes it slow this once."""
    if not console.is_terminal:
        yield
        return
    done = threading.Event()

    def show() -> None:
        if done.wait(PATIENCE):
            return
        with console.status(f"{name} is thinking") as status:
            while not done.wait(0.2):
                why = warming(game)
                status.update(f"{name} is thinking{f' ({why})' if why else ''}")

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextlib.contextmanager
def waiting(text: str, game: Game | None = None) -> Iterator[Callable[[str], None]]:
    """Say on a terminal what is being done; without a spinner, whose thread would disturb what is measured.

    With a game also how far it is compiled, until it is.
    """
    if not sys.stderr.isatty():
        yield lambda now: None
        return
    told, over = [f"{text} ..."], threading.Event()

    def why() -> str:
        return f" ({warming(game)})" if game and warming(game) else ""

    def say(now: str = "") -> None:
        told[0] = f"{text}: {now}" if now else told[0]
        print(f"\r\033[K{told[0]}{why()}", end="", file=sys.stderr, flush=True)

    def follow() -> None:
        while why() and not over.wait(0.5):
            say()

    follower = threading.Thread(target=follow, daemon=True)
    say()
    follower.start()
    try:
        yield say
    finally:
        over.set()
        follower.join()
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def bar(done: int, total: int) -> str:
    """How far something is, as a thread that grows."""
    grown = 24 * done // max(1, total)
    return f"{'━' * grown}{'╌' * (24 - grown)} {done}/{total}"
