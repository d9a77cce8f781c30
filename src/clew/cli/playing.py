"""Commands for who plays: `games`, `rules`, `play`, `replay`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.command import GameName, Json, Options, Players, app, games_named, print_json, print_rich, read_options

if TYPE_CHECKING:
    from clew.core.game import Game


@app.command(epilog="Example: clew games --json")
def games(json: Json = False) -> None:
    """List the games, with their players and options."""
    from rich.table import Table

    found = games_named(None)
    if json:
        print_json([_facts(game) for game in found])
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("name", "title", "players", "options"):
        table.add_column(column)
    for game in found:
        low, high = game.players
        title = f"{game.title}\nby {game.author}" if game.author else game.title
        players = f"{low}" if low == high else f"{low} to {high}"
        if game.recommended:
            players += f"\n{game.recommended} recommended"
        options = "\n".join(f"{option.name}: {option.allowed} ({option.default})" for option in game.options)
        table.add_row(game.name, title, players, options)
    print_rich(table)


def _facts(game: Game) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "name": game.name,
        "title": game.title,
        "blurb": game.blurb,
        "rules": game.version,
        "players": list(game.players),
        "recommended": game.recommended,
        "author": game.author,
        "age": game.age,
        "minutes": game.minutes,
        "options": [{**asdict(option), "default": option.default} for option in game.options],
    }


@app.command(epilog="Example: clew rules palaces PAL-08")
def rules(
    game: GameName,
    rule: Annotated[str | None, typer.Argument(metavar="RULE-ID", help="Only this rule.")] = None,
) -> None:
    """Show the rule book of a game, or one rule."""
    from rich.markdown import Markdown

    from clew.core.errors import ClewError
    from clew.core.game import load
    from clew.terminal import show

    known = load(game)
    if rule is None:
        print_rich(Markdown(known.rule_book()))
        return
    if rule.upper() not in show.rule_ids(known):
        raise ClewError(show.rule(known, rule))
    print_rich(Markdown(show.rule(known, rule)))


@app.command(epilog="Examples: clew play palaces --against random --seed 7; clew play --resume")
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's name, or its folder; by default a menu.")
    ] = None,
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="With --resume: the saved game, by default the latest.")
    ] = None,
    option: Options = None,
    players: Players = None,
    seed: Annotated[int | None, typer.Option(help="The number that the deal comes from; by default a new one.")] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="WHO", help="In the other seats: level:1 to level:6, random or person; asked by default."),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat against bots: 0 (the default), 1, ...")] = None,
    resume: Annotated[bool, typer.Option("--resume", "-r", help="Go on with a saved game.")] = False,
) -> None:
    """Play in the terminal, against bots or with others.

    A game is saved after every move, in CLEW_DATA or your data folder. A save holds the whole deal: looking into it
    before the end is peeking.
    """
    from clew.terminal.play import PlayArguments
    from clew.terminal.play import play as begin
    from clew.terminal.play import resume as go_on

    if resume and game and file is None and (os.path.isfile(game) or game.endswith(".clew")):
        game, file = None, game
    if file and not resume:
        raise typer.BadParameter("a saved game needs --resume.", param_hint="FILE")
    arguments = PlayArguments(game, read_options(option), players, seed, against, seat)
    if resume:
        go_on(file, arguments)
    else:
        begin(arguments)


@app.command(epilog="Example: clew replay game.clew --json")
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, - for standard input.")],
    upto: Annotated[int | None, typer.Option(min=0, metavar="N", help="Tell only the first N moves.")] = None,
    game: Annotated[str | None, typer.Option(help="The folder of the game, when it is not an installed one.")] = None,
    review: Annotated[bool, typer.Option("--review", help="Have a bot judge the moves, from what each knew.")] = False,
    level: Annotated[int, typer.Option(help="With --review: the level of the bot.")] = 5,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check that the deal is the one that the server promised at the start.")
    ] = False,
    json: Json = False,
) -> None:
    """Check a record and tell what happened, as a spectator saw it."""
    from clew.terminal.story import read_story
    from clew.terminal.waiting import bar, waiting

    story = read_story(file, upto, game, verify)
    if review:
        from clew.bots.review import Review

        with waiting("Reviewing", story.whole.game) as progress:
            reviewed = Review(story.whole, story.moves, level, lambda done, total: progress(bar(done, total)))
        if json:
            print_json(reviewed.json())
        else:
            print_rich(reviewed.render())
        return
    if json:
        print_json(story.json())
    else:
        print_rich(story.render())
