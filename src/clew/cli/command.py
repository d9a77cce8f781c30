"""What commands share: the app that they are put into, options of the same meaning, and how they print."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from clew.core.game import Game

app = typer.Typer(
    name="clew",
    help="Games for one table, each written once as rules.",
    epilog="Example: clew play palaces",
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or its folder.")]
Games = Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Names or folders; by default all games.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, repeatable.")
]
Players = Annotated[int | None, typer.Option(help="How many play; by default the fewest.")]
Seed = Annotated[int | None, typer.Option(help="The number that all luck comes from; by default a new one.")]


def games_named(names: list[str] | None) -> list[Game]:
    from clew.core.game import load
    from clew.core.game import names as known

    return [load(name) for name in names or known()]


def read_options(given: list[str] | None) -> dict[str, int | str]:
    from clew.core.errors import quoted

    found: dict[str, int | str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or name in found:
            raise typer.BadParameter(f"{quoted(text)} is not NAME=VALUE, each name once.", param_hint="--option")
        found[name] = value
    return found


@contextmanager
def ctrl_c() -> Iterator[threading.Event]:
    """What Ctrl-C sets, however often it is pressed, for work that then ends in good order and shows what it has."""
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def print_rich(thing: RenderableType) -> None:
    from rich.console import Console

    Console(markup=False, highlight=False, emoji=False).print(thing)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))
