"""From `clew play` to the first turn: which game, against whom, and games that wait."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from rich.table import Table as Grid
from rich.text import Text

from clew.bots.bot import bot
from clew.bots.heuristics import heuristics_for, learnt_of
from clew.bots.levels import LEVELS, read_level
from clew.core import records
from clew.core.cast import called
from clew.core.errors import BadOption, BadRecord, ClewError, UnknownGame
from clew.core.events import SEATS
from clew.core.game import Game, load
from clew.core.game import names as names_there
from clew.core.options import Value, read_options
from clew.core.seeds import read_seed
from clew.core.table import Table, new
from clew.terminal import saves
from clew.terminal.drafting import Drafting, drafts
from clew.terminal.saves import PERSON, RANDOM, Save
from clew.terminal.screen import ACCENT, Quit, Screen, quietly
from clew.terminal.session import Session

ELSEWHERE = "Is it in a folder? clew play PATH --resume names that."
WAITING = 5  # how many saved games the menu lists


@dataclass(frozen=True)
class PlayArguments:
    """What was said on the command line; the rest is asked."""

    game: str | None = None
    options: Mapping[str, Value] = field(default_factory=dict)
    players: int | None = None
    seed: int | None = None
    against: str | None = None
    seat: int | None = None


def play(arguments: PlayArguments) -> None:
    """A new game, or one chosen from the menu."""
    screen = Screen()
    with quietly():
        chosen: Game | Path = load(arguments.game) if arguments.game else _menu(screen)
        if isinstance(chosen, Path):
            _go_on(screen, chosen, None, arguments)
        else:
            _begin(screen, chosen, arguments)


def resume(file: str | None, arguments: PlayArguments) -> None:
    """Go on with a saved game: the file, or the one played last."""
    if arguments.options or arguments.players is not None or arguments.seed is not None:
        raise BadOption("A saved game has its options, its players and its deal: they cannot be chosen again.")
    path = Path(file) if file else _latest(arguments.game)
    with quietly():
        _go_on(Screen(), path, load(arguments.game) if arguments.game else None, arguments)


def _latest(game: str | None) -> Path:
    name = Path(game).resolve().name if game else ""
    for path in saves.saved():
        if not name or saves.glance(path)[0] == name:
            return path
    raise ClewError(f"No game{f' of {name}' if name else ''} waits in {saves.folder()}: clew play begins one.")


def _begin(screen: Screen, game: Game, arguments: PlayArguments) -> None:
    read_options(game.title, game.options, arguments.options)  # before anything is asked or compiled
    players, seed = game.seats(arguments.players), read_seed(arguments.seed)
    who = _who(screen, players, arguments.against, _seat(arguments, players))
    if any(kind not in (PERSON, RANDOM) for kind in who):
        heuristics_for(game).prepare()  # bots first: they are what somebody waits for
    table = new(game, players, seed, arguments.options)
    _sit_down(screen, table, who, Save(game.name), arguments)


def _go_on(screen: Screen, path: Path, game: Game | None, arguments: PlayArguments) -> None:
    text = saves.read(path)
    try:
        table = records.replay(text, game)
    except BadRecord as error:
        advice = f" {ELSEWHERE}" if isinstance(error.__cause__, UnknownGame) else ""
        raise ClewError(f"{path}: {error}{advice}") from error
    if table.outcome:
        raise ClewError(f"The game in {path} is over; clew replay tells it.")
    noted = saves.seats(text)
    if arguments.against or arguments.seat is not None or sorted(noted) != list(range(table.players)):
        who = _who(screen, table.players, arguments.against, _seat(arguments, table.players))
    else:
        who = tuple(noted[seat] for seat in range(table.players))
    _sit_down(screen, table, who, Save(table.game.name, path), arguments)


def _sit_down(screen: Screen, table: Table, who: tuple[str, ...], save: Save, arguments: PlayArguments) -> None:
    # With a seed the whole game can be had again, the random mover's choices too.
    chance = random.Random() if arguments.seed is None else random.Random(f"mover {arguments.seed}")
    kinds = set(who) - {PERSON, RANDOM}
    bots_in = [seat for seat, kind in enumerate(who) if kind in kinds]
    given = [read_level(kind).name if kind in kinds else name for kind, name in zip(who, table.names)]
    table.names = called(given, bots_in)
    learnt = ""
    if kinds and learnt_of(table.game) is not None:
        learnt = " Bots play by what they learnt from games against themselves."
    who_is_who = ", ".join(_is(seat, kind, table.names[seat]) for seat, kind in enumerate(who))
    screen.say(f"{who_is_who}.{learnt} Type ? for help.")
    bots = {kind: bot(table.game, read_level(kind).number, arguments.seed) for kind in kinds}
    session = Drafting if drafts(table.game) else Session
    session(table, who, screen, save, chance, bots).run()


def _is(seat: int, kind: str, name: str) -> str:
    if kind in (PERSON, RANDOM):
        return f"{name} is {'a person' if kind == PERSON else 'a random mover'}"
    return f"{SEATS[seat]} is the {name} (level {read_level(kind).number})"


def _seat(arguments: PlayArguments, players: int) -> int:
    if arguments.seat is None:
        return 0
    if not 0 <= arguments.seat < players:
        raise BadOption(f"There is no seat {arguments.seat} at this table; seats are 0 to {players - 1}.")
    if arguments.against == PERSON:
        raise BadOption("--seat says where you sit against bots; people take all seats in turn.")
    return arguments.seat


def _who(screen: Screen, players: int, against: str | None, seat: int) -> tuple[str, ...]:
    """Who sits where, asked unless it was said."""
    if players == 1:
        return (PERSON,)
    if against is None:
        one = "a random mover" if players == 2 else f"{players - 1} random movers"
        screen.say(f"  1  against {one}\n  2  {players} people at this keyboard\n  3  against bots")
        against = (RANDOM, PERSON, "")[_choose(screen, "Which? [1] ", 3) - 1] or _level(screen)
    if against == PERSON:
        return (PERSON,) * players
    if against != RANDOM:
        against = f"level:{read_level(against, 'random or person').number}"
    return tuple(PERSON if chair == seat else against for chair in range(players))


def _level(screen: Screen) -> str:
    screen.say("\n".join(f"  {level.number}  the {level.name}" for level in LEVELS))
    return f"level:{_choose(screen, 'How strong? [1] ', len(LEVELS))}"


def _menu(screen: Screen) -> Game | Path:
    """A game by number or name, or one that waits."""
    names = names_there()
    games = [load(name) for name in names]
    waiting = [path for path in saves.saved() if saves.glance(path)[0] in names][:WAITING]
    screen.title("Clew: games for one table")
    screen.say(_shelf(games, waiting))
    chosen = _choose(screen, "Which? [1] ", len(games) + len(waiting), names)
    return games[chosen - 1] if chosen <= len(games) else waiting[chosen - len(games) - 1]


def _shelf(games: list[Game], waiting: list[Path]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for number, game in enumerate(games, start=1):
        title = Text.assemble((game.title, ACCENT), (f"  {game.about}", "dim"), f"\n{game.blurb}")
        grid.add_row(str(number).rjust(3), title)
    for number, path in enumerate(waiting, start=len(games) + 1):
        name, moves = saves.glance(path)
        when = datetime.fromtimestamp(path.stat().st_mtime)
        grid.add_row(str(number).rjust(3), f"go on with {name}, {moves} moves, {when:%d %b %H:%M}")
    return grid


def _choose(screen: Screen, prompt: str, count: int, names: Sequence[str] = ()) -> int:
    """A number from 1 to count, asked until it is one; Enter is 1."""
    while True:
        text = screen.ask(prompt).lower() or "1"
        if text in ("quit", "exit", "q"):
            raise Quit
        if text in names:
            return names.index(text) + 1
        if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= count:
            return int(text)
        screen.say(f"A number from 1 to {count}, or quit.")
