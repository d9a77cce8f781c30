"""Commands for who writes a game: `check`, `bench`, `warm`, `new-game`, `source`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from clew.cli.command import GameName, Games, Json, app, games_named, print_json, print_rich


@app.command(epilog="Example: clew check palaces --games 200")
def check(
    games: Games = None,
    count: Annotated[int, typer.Option("--games", min=1, metavar="N", help="How many games to play.")] = 200,
    records: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the records of failures there, not in a temporary folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Try on each game what every game must keep.

    A failure comes with the record of a game that shows it and the command that opens it
    at that position. The exit code is 1 when a check fails.
    """
    import tempfile
    from pathlib import Path

    from clew.check import check_game, render, ways_back
    from clew.core.game import names
    from clew.terminal.waiting import waiting

    reports = []
    for name in games or names():
        with waiting(f"Checking {name}") as progress:
            reports.append(check_game(name, count, progress))
        if not reports[-1].ok:
            reports[-1].keep_records(Path(records or tempfile.mkdtemp(prefix="clew-check-")).absolute())
        if not json:
            print_rich(render(reports[-1]))
            for line in ways_back(reports[-1]):
                print(line)
    if json:
        print_json([report.json() for report in reports])
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


@app.command(epilog="Example: clew bench palaces --seconds 2 --json")
def bench(
    games: Games = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to measure each figure.")] = 1.0,
    startup: Annotated[
        bool, typer.Option("--startup", help="Also the time to compile and to start; takes a minute a game.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure how fast the rules run.

    Next to it stands a C program of the same game, where there is one.
    """
    from clew.bench import measure, render
    from clew.terminal.waiting import waiting

    with waiting("Measuring") as progress:
        figures = measure(games or None, seconds, progress, startup)
    if json:
        print_json(figures)
    else:
        print_rich(render(figures))


@app.command(epilog="Example: clew warm palaces")
def warm(games: Games = None) -> None:
    """Compile the rules and the bots now, so that nobody waits later."""
    from clew.bots.heuristics import heuristics_for
    from clew.terminal.waiting import ready

    for game in games_named(games):
        compiled = ready(game, everything=True)
        heuristics_for(game).ready()
        print(f"{game.title}: {'compiled' if compiled else 'already compiled'}.", flush=True)


@app.command("new-game", epilog="Example: clew new-game rising --in games")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game and its folder are called.")],
    folder: Annotated[str, typer.Option("--in", metavar="FOLDER", help="Where its folder is made.")] = ".",
) -> None:
    """Write a small complete game, to change it into your own.

    It is a card game for two with a hand, a pile and an option, with its rule book and its tests.
    """
    from pathlib import Path

    from clew.new_game import write

    made = str(write(name, Path(folder)))
    path = made if os.path.isabs(made) else os.path.join(".", made)
    files = ", ".join(sorted(os.listdir(made)))
    print(f"Wrote {files} to {path}. Play it, change it, check it:")
    for command in ("clew play", "clew serve --game", "clew check", "pytest --clew-game"):
        print(f"  {command} {path}")


@app.command(epilog="Example: clew source palaces")
def source(game: GameName) -> None:
    """Print the rules that Clew made for a game, as Python.

    They follow from its declared state; what the game writes itself takes their place.
    """
    from clew.core.derive import made_for
    from clew.core.errors import ClewError
    from clew.core.game import load

    known = load(game)
    text = made_for(known.rules)
    if not text:
        raise ClewError(f"{known.title} has no rules that Clew made: it declares no State, or writes all of them.")
    print(text, end="")
