"""The command line. Each command imports what it needs when it runs: `clew --help` must not wait for a compiler."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew import __version__
from clew.server.settings import Settings, key

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

LONGEST_COMPLAINT = 500  # characters
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Games = Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Names or folders; by default all games.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"clew {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def clew(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(epilog="Example: clew games --json")
def games(json: Json = False) -> None:
    """List the games, with their players and options."""
    from rich.table import Table

    found = _load(None)
    if json:
        _print_json([_facts(game) for game in found])
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
    _print(table)


@app.command(epilog="Example: clew rules palaces PAL-08")
def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or its folder.")],
    rule: Annotated[str | None, typer.Argument(metavar="RULE-ID", help="Only this rule.")] = None,
) -> None:
    """Show the rule book of a game, or one rule."""
    from rich.markdown import Markdown

    from clew.core.errors import ClewError
    from clew.core.game import load
    from clew.terminal import show

    known = load(game)
    if rule is None:
        _print(Markdown(known.rule_book()))
        return
    if rule.upper() not in show.rule_ids(known):
        raise ClewError(show.rule(known, rule))
    _print(Markdown(show.rule(known, rule)))


@app.command(epilog="Examples: clew play palaces --against random --seed 7; clew play --resume")
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's name, or its folder; by default a menu.")
    ] = None,
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="With --resume: the saved game, by default the latest.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, repeatable."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play; by default the fewest.")] = None,
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
    arguments = PlayArguments(game, _options(option), players, seed, against, seat)
    if resume:
        go_on(file, arguments)
    else:
        begin(arguments)


def _each_setting(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for every setting of the server; one that is not used is None."""
    own = [one for one in signature(command, eval_str=True).parameters.values() if one.kind is not one.VAR_KEYWORD]
    for one in fields(Settings):
        about, default = one.metadata, one.default
        shown = f" ({default})" if default not in (MISSING, None, "", (), False) else ""
        option = typer.Option(
            f"--{key(one).replace('_', '-')}",
            help=about["help"].rstrip(".") + shown + ".",
            metavar=about.get("stands"),
            min=about.get("least"),
            max=about.get("most"),
        )
        kind: Any = {"int": int, "float": float, "bool": bool, "tuple[str, ...]": list[str]}.get(str(one.type), str)
        own.append(Parameter(one.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]))
    command.__signature__ = Signature(own)  # type: ignore[attr-defined]
    return command


@app.command(
    epilog="Examples: clew serve; clew serve --host 0.0.0.0 --redis redis://cache; clew serve --config clew.toml"
)
@_each_setting
def serve(
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file with settings, in TOML; or CLEW_CONFIG.")
    ] = None,
    **given: Any,
) -> None:
    """Serve tables for the browser, alone or with friends.

    Nothing to set up, nothing lost, nothing leaked. Games are in one file in your data folder, with every move on disk
    before anybody sees it. Every option can also be a variable (--log-format as CLEW_LOG_FORMAT) or stand in a file
    (log_format = "json"); options go first, then variables. Addresses with a password do not
    belong on a command line, which all users of a machine can see.
    """
    from clew.server.configuration import read
    from clew.server.supervisor import run

    run(read(given, config))


@app.command(epilog="Example: clew backup games.db")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The copy; it must not be there yet.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder of the server.")] = None,
    db: Annotated[
        str | None, typer.Option(metavar="URL", help="The database, if it is not in the data folder.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="The file with the server's settings.")] = None,
) -> None:
    """Copy the server's database, also while it runs.

    The copy has all games as of one moment. It holds the deals of games that are being
    played, too: keep it to yourself.
    """
    from clew.core.errors import ClewError
    from clew.server.configuration import read
    from clew.server.store.sqlite import backup as copy

    address = read({"data": data, "db": db}, config).address
    if not address.startswith("sqlite:///"):
        raise ClewError("PostgreSQL brings its own: pg_dump --format=custom --file=FILE URL.")
    copy(address.removeprefix("sqlite:///"), file)
    print(f"Copied to {file}.")


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
    from clew.terminal.story import Story
    from clew.terminal.waiting import bar, waiting

    story = Story(file, upto, game, verify)
    if review:
        from clew.bots.review import Review

        with waiting("Reviewing", story.whole.game) as progress:
            reviewed = Review(story.whole, story.moves, level, lambda done, total: progress(bar(done, total)))
        if json:
            _print_json(reviewed.json())
        else:
            _print(reviewed.render())
        return
    if json:
        _print_json(story.json())
    else:
        _print(story.render())


@app.command(epilog="Example: clew arena palaces --bots level:6,level:4 --games 2000")
def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or its folder.")],
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT,...",
            help="level:1 to level:6, random, greedy, a method with its playouts (flat:500, tree:500), or the file of "
            "your own bot; 'levels' for a round robin of all.",
        ),
    ] = "levels",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games each two bots play.")] = 200,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, repeatable."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play; by default the fewest.")] = None,
    seed: Annotated[int | None, typer.Option(help="The number that all luck comes from; by default a new one.")] = None,
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
        options=_options(option),
        seed=seed,
        threads=threads or os.cpu_count() or 1,
        records=Path(records) if records else None,
        patience=patience,
    )
    with _ctrl_c() as stop:
        with waiting("Playing", contest.game) as progress:
            finished = contest.run(lambda done, total: progress(bar(done, total)), stop)
        if json:
            _print_json(contest.json())
        else:
            _print(render(contest, finished))
        sys.stdout.flush()
    if contest.games and len(contest.lost) == contest.games:
        raise typer.Exit(1)


@app.command(epilog="Examples: clew lab palaces; clew lab ./my-game --bots random,level:3 --games 1000 --json")
def lab(
    game: Annotated[
        list[str],
        typer.Argument(metavar="[ledger|tune] GAME", help="A game's name, or its folder."),
    ],
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
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, repeatable."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play; by default the fewest.")] = None,
    seed: Annotated[int | None, typer.Option(help="The number that all luck comes from; by default a new one.")] = None,
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
        int | None, typer.Option(metavar="NUMBER", help="Print the record of one game instead, by its number.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure what a game is like, with error bars.

    Many games are played, by chance or by bots, and what designers ask is counted. `ledger` changes every option in
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
    run(
        LabArguments(
            name, games, bots, measure, _options(option), players, seed, pace, threads, _options(vary),
            what == "ledger", _options(target), extend, record, json,
        )
    )  # fmt: skip


@app.command(epilog="Examples: clew train ./my-game; clew train palaces --minutes 60 --out palaces.npz")
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or its folder.")],
    minutes: Annotated[float | None, typer.Option(help="How long to train (10, without --games).")] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Train until so many games were played in all.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The number that all luck comes from; by default a new one.")] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What is learnt; by default beside the game, or with your data."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play; by default every number in turn.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, repeatable."),
    ] = None,
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
    trainer = lessons.prepare(game, seed, out, players, _options(option), threads, anew, quiet=json)
    with _ctrl_c() as stop:  # from here on there is something to be kept
        about = lessons.train(trainer, minutes, games, stop, quiet=json)
    if json:
        _print_json(about)


@app.command(epilog="Example: clew check palaces --games 200")
def check(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Names or folders; by default all.")] = None,
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
            _print(render(reports[-1]))
            for line in ways_back(reports[-1]):
                print(line)
    if json:
        _print_json([report.json() for report in reports])
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
        _print_json(figures)
    else:
        _print(render(figures))


@app.command(epilog="Example: clew warm palaces")
def warm(games: Games = None) -> None:
    """Compile the rules and the bots now, so that nobody waits later."""
    from clew.bots.heuristics import heuristics_for
    from clew.terminal.waiting import ready

    for game in _load(games):
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
def source(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or its folder.")],
) -> None:
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


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """What Ctrl-C sets, however often it is pressed, for work that then ends in good order and shows what it has."""
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _load(names: list[str] | None) -> list[Game]:
    from clew.core.game import load
    from clew.core.game import names as known

    return [load(name) for name in names or known()]


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


def _options(given: list[str] | None) -> dict[str, int | str]:
    from clew.core.errors import quoted

    found: dict[str, int | str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or name in found:
            raise typer.BadParameter(f"{quoted(text)} is not NAME=VALUE, each name once.", param_hint="--option")
        found[name] = value
    return found


def _print(thing: RenderableType) -> None:
    from rich.console import Console

    Console(markup=False, highlight=False, emoji=False).print(thing)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


# Errors are for people: one sentence, and what to do.


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a poor terminal shows ? for a sign it lacks
    try:
        code = app(args=arguments, prog_name="clew", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "clew"
        return _complain(f"{command}: {error.format_message().rstrip('.')}. See {command} --help.")
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
        return 1
    except Exception as error:
        return _complain(_sentence(error))
    return int(code or 0)


def _sentence(error: Exception) -> str:
    from clew.core.errors import ClewError

    if isinstance(error, ClewError):
        return str(error)
    if os.environ.get("CLEW_DEBUG"):
        raise error
    said = " ".join(str(error).split())  # a compiler's message has many lines
    return f"{type(error).__name__}: {said[:300]} (CLEW_DEBUG=1 shows where.)"


def _complain(sentence: str) -> int:
    line = " ".join(sentence.split())
    if len(line) > LONGEST_COMPLAINT:  # it quotes what was typed
        line = f"{line[: LONGEST_COMPLAINT // 2]}…{line[-LONGEST_COMPLAINT // 2 :]}"
    print(line, file=sys.stderr)
    return 2
