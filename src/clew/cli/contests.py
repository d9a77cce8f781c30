"""Commands that let bots play: `arena`, `train`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from clew.cli.command import GameName, Json, Options, Players, Seed, app, ctrl_c, print_json, print_rich, read_options


@app.command(epilog="Example: clew arena palaces --bots level:6,level:4 --games 2000")
def arena(
    game: GameName,
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT,...",
            help="level:1 to level:6, random, greedy, a method with its playouts (flat:500, tree:500), or the file of "
            "your own bot; 'levels' for a round robin of all.",
        ),
    ] = "levels",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games each two bots play.")] = 200,
    option: Options = None,
    players: Players = None,
    seed: Seed = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Games at the same time; by default all cores.")] = None,
    records: Annotated[str | None, typer.Option(metavar="DIR", help="Keep the record of every game there.")] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds that a bot from a file has for a move.")] = 10.0,
    json: Json = False,
) -> None:
    """Let bots play each other, with error bars.

    Every deal is played with the seats changed. Your own bot is a Python file with a function choose(view, moves), or
    an object called bot that has one: it gets the view and the legal moves as they are written, and answers with one. A
    bot that fails loses that game; if all games were lost so, the exit code is 1. Ctrl-C ends the contest with what
    is known.
    """
    from pathlib import Path

    from clew.bots.arena import Arena
    from clew.bots.report import render
    from clew.terminal.waiting import bar, waiting

    contest = Arena(
        game,
        bots.split(","),
        games,
        players=players,
        options=read_options(option),
        seed=seed,
        threads=threads or os.cpu_count() or 1,
        records=Path(records) if records else None,
        patience=patience,
    )
    with ctrl_c() as stop:
        with waiting("Playing", contest.game) as progress:
            finished = contest.run(lambda done, total: progress(bar(done, total)), stop)
        if json:
            print_json(contest.json())
        else:
            print_rich(render(contest, finished))
        sys.stdout.flush()
    if contest.games and len(contest.lost) == contest.games:
        raise typer.Exit(1)


@app.command(epilog="Examples: clew train ./my-game; clew train palaces --minutes 60 --out palaces.npz")
def train(
    game: GameName,
    minutes: Annotated[float | None, typer.Option(help="How long to train (10, without --games).")] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Train until so many games were played in all.")
    ] = None,
    seed: Seed = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What is learnt; by default beside the game, or with your data."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play; by default every number in turn.")] = None,
    option: Options = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; by default all cores.")] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Begin anew instead of going on with the file.")] = False,
    json: Json = False,
) -> None:
    """Train bots by letting them play against themselves.

    They learn from what a seat sees, by the declared kinds of its fields, and need nothing but the rules. From then on
    the bots of a game without heuristics play by what was learnt. Run again it goes on; Ctrl-C keeps what is learnt.
    """
    from clew.terminal import lessons

    lessons.allowed(minutes)
    trainer = lessons.prepare(game, seed, out, players, read_options(option), threads, anew, quiet=json)
    with ctrl_c() as stop:  # from here on there is something to be kept
        about = lessons.train(trainer, minutes, games, stop, quiet=json)
    if json:
        print_json(about)
