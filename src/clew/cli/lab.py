"""The command that measures games: `lab`."""

from __future__ import annotations

from typing import Annotated

import typer

from clew.cli.command import Json, Options, Players, Seed, app, ctrl_c, read_options


@app.command(
    epilog="Examples: clew lab palaces; clew lab ./my-game --vary cards=3,4,5; clew lab ledger palaces; "
    "clew lab tune ./my-game --target first_seat=0.5"
)
def lab(
    game: Annotated[list[str], typer.Argument(metavar="[ledger|tune] GAME", help="A game's name, or its folder.")],
    games: Annotated[int | None, typer.Option(metavar="N", help="How many games at each level of play.")] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="WHO,WHO,...",
            help="Who plays in all seats, one level of play beside the other: random, level:1 to level:6, greedy. By "
            "default random,level:1,level:3, and for variants random.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", metavar="KEY", help="Only this measure or question, as length; repeatable."),
    ] = None,
    option: Options = None,
    players: Players = None,
    seed: Seed = None,
    pace: Annotated[float, typer.Option(metavar="SECONDS", help="How long a turn takes, for the minutes.")] = 20.0,
    threads: Annotated[int | None, typer.Option(min=1, help="Games at the same time; by default all cores.")] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=A,B,...",
            help="Compare values of an option on the same deals, the first with each other; repeatable.",
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE=NUMBER", help="With tune: what to aim at, as first_seat=0.5; repeatable."),
    ] = None,
    extend: Annotated[
        str | None, typer.Option(metavar="FILE", help="Go on from a report that --json wrote: --games in all.")
    ] = None,
    record: Annotated[
        int | None, typer.Option(min=0, metavar="NUMBER", help="Print the record of one game instead, by its number.")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the page goes; by default GAME-lab.html in this folder.")
    ] = None,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Write a row for each game.")] = None,
    csv_moves: Annotated[str | None, typer.Option(metavar="FILE", help="Write a row for each move.")] = None,
    parquet: Annotated[str | None, typer.Option(metavar="FILE", help="Rows of games as Parquet (pyarrow).")] = None,
    parquet_moves: Annotated[str | None, typer.Option(metavar="FILE", help="Rows of moves as Parquet.")] = None,
    json: Json = False,
) -> None:
    """Measure what a game is like, with error bars.

    Many games are played, by chance or by bots, and what designers ask is counted. It is said in words, and shown on a
    page with plots and games to look at, unless --json asks for data alone. `ledger` changes every option in
    turn and tells which matter; `tune` searches the options for those that come nearest to targets.

    Ctrl-C ends it and reports on the games that were played. A game is dealt by the seed times 1,000,000,000 plus its
    number, and is the same whatever else is played.
    """
    from clew.lab.command import LabArguments, run

    what, name = game if len(game) == 2 else ("", *game) if len(game) == 1 else ("?", "")
    if what not in ("", "ledger", "tune"):
        raise typer.BadParameter("it is GAME, ledger GAME or tune GAME.", param_hint="GAME")
    if (what == "tune") != bool(target):
        raise typer.BadParameter("tune and --target go together.", param_hint="--target")
    files = {"csv": csv, "csv_moves": csv_moves, "parquet": parquet, "parquet_moves": parquet_moves}
    given = LabArguments(
        game=name,
        games=games,
        bots=bots,
        measures=measure,
        options=read_options(option),
        players=players,
        seed=seed,
        pace=pace,
        threads=threads,
        vary=read_options(vary),
        ledger=what == "ledger",
        targets=read_options(target),
        extend=extend,
        record=record,
        out=out,
        files={key: file for key, file in files.items() if file},
        json=json,
    )
    with ctrl_c() as stop:
        run(given, stop)
