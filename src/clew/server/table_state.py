"""The state of a table, made from its log: each entry is applied, and the same log gives the same state anywhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from clew.core import author
from clew.core import table as core
from clew.core.cast import Cast
from clew.core.commitments import lines
from clew.core.errors import BadRules, ClewError, UnknownGame
from clew.core.game import Game, added, load
from clew.server.clock import Clock, made_at
from clew.server.data_types import JsonObject
from clew.server.log_entries import LogEntry, MoveMade
from clew.server.messages import Ask, ClockRule, Result
from clew.server.seats import STAND_IN, Sitter, Terms, names_of
from clew.server.store import Alarm, Change, TableRow
from clew.server.store.base import ORIGIN, NewTable


def game_of(row: TableRow) -> Game | None:
    """The game by the rules that a table is played by; None if they are not here."""
    try:
        game = load(row.game)
        return game if added(row.game) else game.in_version(row.rules)  # one in the making has the rules of the moment
    except UnknownGame:
        return None


def deal(state: TableState) -> core.Table:
    """The table of the engine, dealt by its seed, and by a salt if it was set up with one."""
    row, game = state.row, game_of(state.row)
    assert game is not None  # such a table is not opened
    options = row.options
    if added(row.game):
        known = {option.name for option in game.options}
        options = {name: value for name, value in options.items() if name in known}
    return core.new(game, row.players, row.seed, options, salt=state.deal_salt)


def may_watch(row: TableRow, seats: Sequence[Sitter], person: str | None, invite: str) -> bool:
    """Whether somebody may see a table: a private one takes a chair there or the invitation."""
    if not row.private or (person is not None and any(sitter.person == person for sitter in seats)):
        return True
    return secrets.compare_digest(invite.encode(), row.invite.encode())


def annotated(
    record: str, row: TableRow, seats: Sequence[Sitter], given_up: Result | None, continued: int | None = None
) -> str:
    """A record with what the table knows besides: the promise of the deal, who are people, how it ended early.

    The deal of a game that continues another was known before: nothing was promised.
    """
    first, rest = record.split("\n", 1)
    notes = lines(row.seed, row.salt) if continued is None else [f"# continued: {continued} moves of another game"]
    for seat, sitter in enumerate(seats):
        notes.append(f"# seat {seat}: {'person' if sitter.kind == 'person' else f'level:{sitter.level}'}")
    if given_up is not None:
        notes.append(f"# ended: {given_up.ended}; places {' '.join(map(str, given_up.places))}")
    return "\n".join([first, *notes, rest])


class EntryLog:
    """The log entries of a table, shared by its states: each knows them as far as its own number."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self.keys: dict[str, int] = {}  # idempotency keys, each with the number of its entry
        self.moves: dict[int, int] = {}  # the number of an entry, and of the move of the engine that it made
        self.taken_back: dict[int, int] = {}  # the number of a move's entry, and of that which took it back

    def append(self, entry: LogEntry) -> None:
        """Add the next entry."""
        self.entries.append(entry)
        if entry.key is not None:
            self.keys[entry.key] = entry.number

    def cut(self, number: int) -> None:
        """Forget what comes after an entry: it could not be written."""
        while len(self.entries) > number:
            entry = self.entries.pop()
            if entry.key is not None:
                del self.keys[entry.key]
            self.moves.pop(entry.number, None)
            for move in [move for move, back in self.taken_back.items() if back == entry.number]:
                del self.taken_back[move]


class RulesFailed(ClewError):
    """A game in the making cannot make a move; nothing has changed."""


class TableState:
    """The state of a table after the last entry of its log."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.number = 0
        self.log = EntryLog()
        self.seats: list[Sitter] = []
        self.status = "waiting"
        self.game: core.Table | None = None
        self.kept_moves: list[int] = []  # the numbers of the entries whose moves have not been taken back
        self.rebuilding = False  # from the log, whose moves may be by older rules of a game in the making
        self.dropped_moves: list[int] = []  # the numbers of entries whose moves are not legal any more
        self.to_move: tuple[int, ...] = ()  # the seats that owe a move
        self.due: dict[int, int] = {}  # the seats that owe a move, each with the entry since which it is this one
        self.ask: Ask | None = None
        self.result: Result | None = None
        self.rematch: str | None = None
        self.continued: int | None = None  # so many moves are those of another game
        self.host: str | None = None  # who set up a table of bots alone
        self.deal_salt: str | None = None  # none at tables from before there was one, which xoshiro128** deals
        self.clock: Clock | None = None
        self.terms = Terms()

    def after(self, entry: LogEntry) -> TableState:
        """A new state with one more entry; raises what the engine says against a move."""
        new = TableState.__new__(TableState)
        new.__dict__.update(self.__dict__)
        new.seats, new.kept_moves, new.dropped_moves = self.seats[:], self.kept_moves[:], self.dropped_moves[:]
        new.game = self.game.copy() if self.game else None
        new.clock = self.clock.copy() if self.clock else None
        new.apply(entry)
        return new

    def apply(self, entry: LogEntry) -> None:
        """Change this state by the next entry."""
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} does not follow {self.number}")
        self.log.cut(self.number)
        entry.apply(self)
        self.number = entry.number
        self.log.append(entry)
        self.to_move = self.game.to_move if self.game is not None and self.status == "playing" else ()
        self.due = {seat: self.due.get(seat, entry.number) for seat in self.to_move}
        if self.clock is not None:
            owing = [seat for seat in self.to_move if self.seats[seat].active]
            self.clock.owe(owing, made_at(entry.at, entry.steady))

    @property
    def at(self) -> int:
        """When the last entry was made; 0 if there is none."""
        return self.log.entries[self.number - 1].at if self.number else 0

    @property
    def entries(self) -> list[LogEntry]:
        """The entries so far."""
        return self.log.entries[: self.number]

    def number_of_key(self, key: str) -> int | None:
        """The number of the entry with this idempotency key, if it has been written."""
        number = self.log.keys.get(key)
        return number if number is not None and number <= self.number else None

    def move_of(self, number: int) -> int | None:
        """The move of the engine that an entry made; None if it was taken back."""
        back = self.log.taken_back.get(number)
        return self.log.moves[number] if back is None or back > self.number else None

    @property
    def bots_to_move(self) -> list[int]:
        """The seats that owe a move and are played by bots."""
        return [seat for seat in self.to_move if self.seats[seat].level is not None]

    @property
    def alarm(self) -> Alarm | None:
        """When the first clock runs out, for those who do not have the table in memory; None if none is running."""
        alarm = None if self.clock is None else self.clock.alarm()
        return None if alarm is None else Alarm(*alarm)

    def new_alarm(self, before: TableState) -> Alarm | None:
        """The same, if the last entry has changed it."""
        now, was = ((one.clock.began, one.clock.left) if one.clock else None for one in (self, before))
        return self.alarm if now != was else None

    def seats_of(self, person: str) -> list[int]:
        """The chairs of a person."""
        return [seat for seat, sitter in enumerate(self.seats) if sitter.person == person]

    def people(self, but: tuple[str | None, ...] = ()) -> list[int]:
        """One seat of each person who plays, except some; when the game is over, of each who sits there."""
        found: dict[str, int] = {}
        for seat, sitter in enumerate(self.seats):
            takes_part = sitter.active or self.status == "over"
            if takes_part and sitter.person is not None and sitter.person not in but:
                found.setdefault(sitter.person, seat)
        return list(found.values())

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called."""
        return names_of(self.seats)

    def cast(self, chair: int | None) -> Cast:
        """The names as a chair reads them: as "you" its own, unless several share the device."""
        return Cast(self.names, None if self.row.one_device else chair)

    def bot_seed(self, seat: int) -> int:
        """The random numbers of the bot in a seat: the same on every worker, unknown to everybody."""
        digest = hashlib.sha256(f"clew bot {self.row.salt} {self.row.id} {seat}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def summary(self) -> JsonObject:
        """What a list of tables has to know."""
        return {
            "seats": [vars(sitter) for sitter in self.seats],
            "result": None if self.result is None else msgspec.to_builtins(self.result),
            "rematch": self.rematch,
            "agreed": vars(self.terms),
        }

    def change(self, before: TableState, table: NewTable | None = None) -> Change | None:
        """What the last entry changes besides the log."""
        if self.status == before.status and self.seats == before.seats and table is None:
            return None
        now = {seat: sitter.person for seat, sitter in enumerate(self.seats)}
        old = {seat: sitter.person for seat, sitter in enumerate(before.seats)}
        chairs = {seat: person for seat, person in now.items() if person != old.get(seat)}
        if self.status != before.status and (before.status == "waiting" or self.host):
            chairs[ORIGIN] = None  # it is not open any more
        return Change(self.status, self.summary(), chairs, table)

    def record(self) -> str:
        """The record with everything that was secret; only for a game that is over."""
        assert self.status == "over"
        assert self.game is not None
        given_up = self.result if self.game.outcome is None else None
        return annotated(self.game.record(), self.row, self.seats, given_up, self.continued)

    # How entries change it

    def start(self) -> None:
        """Deal, and begin the game."""
        self.game = deal(self)
        self.game.names = self.names
        self.status = "playing"
        if self.row.clock:
            self.clock = Clock(msgspec.convert(self.row.clock, ClockRule), self.row.players)

    def make_move(self, number: int, seat: int, move: str) -> str:
        """Make the move of an entry; the move in its canonical form."""
        assert self.game is not None
        try:
            if self.dropped_moves and self.rebuilding:
                return self._drop(number, move)
            made = self.game.make(move, seat)
        except Exception as error:
            broken = isinstance(error, BadRules) or not isinstance(error, ClewError)
            if self.rebuilding and added(self.row.game):
                return self._drop(number, move)
            if broken and added(self.row.game):
                told = author.told(error, self.game.game.folder, playing=True)
                raise RulesFailed(f"The rules of this game fail at this move. {told}") from error
            raise
        self.log.moves[number] = self.game.length
        self.kept_moves.append(number)
        self.due = {owing: since for owing, since in self.due.items() if owing != seat}
        self.ask = None
        outcome = self.game.outcome
        if outcome is not None:
            self.end(Result(list(outcome.places), outcome.ended, list(outcome.scores)))
        return str(made)

    def _drop(self, number: int, move: str) -> str:
        """Leave out a move that older rules allowed, and all that come after it until the table is laid anew."""
        self.dropped_moves.append(number)
        self.log.taken_back[number] = number
        return move

    def lay_anew(self, number: int, most: int | None) -> int:
        """Deal again by the present rules and make the moves again, as far as they are legal; how many.

        That is for an entry of this number; one in the log says how many moves it kept at `most`.
        """
        game, kept = deal(self), 0
        game.names = self.names
        for made in self.kept_moves[:most]:
            entry = self.log.entries[made - 1]
            assert isinstance(entry, MoveMade)
            try:
                game.make(entry.move, entry.who)
            except ClewError:
                break
            kept += 1
        outcome = game.outcome  # before anything is changed: the rules may fail at it
        for made in self.kept_moves[kept:]:
            self.log.taken_back[made] = number
        self.game, self.kept_moves, self.dropped_moves = game, self.kept_moves[:kept], []
        self.ask, self.due = None, {}
        if outcome is not None:
            self.end(Result(list(outcome.places), outcome.ended, list(outcome.scores)))
        return kept

    def undo_move(self, number: int) -> int:
        """Take back the last move, by the entry of this number; whose move it was."""
        assert self.game is not None
        if self.dropped_moves:
            taken_back = self.dropped_moves.pop()
        else:
            self.game.retract()
            taken_back = self.kept_moves.pop()
            self.log.taken_back[taken_back] = number
        self.ask, self.due = None, {}
        mover = self.log.entries[taken_back - 1].seat
        assert mover is not None
        return mover

    def change_seat(self, seat: int, **changes: Any) -> None:  # Any: fields of a Sitter, for `replace`
        """Change who sits on a seat."""
        self.seats[seat] = replace(self.seats[seat], **changes)

    def give_up(self, seat: int, ended: str) -> None:
        """Between two the game ends; at a larger table a bot plays on, as long as a person is left."""
        self.change_seat(seat, level=STAND_IN, resigned=True)
        self.ask = None
        if self.row.players == 2 or not any(sitter.active for sitter in self.seats):
            last = self.row.players
            self.end(Result([last if other == seat else 1 for other in range(last)], ended))

    def end(self, result: Result) -> None:
        """The game is over."""
        self.status = "over"
        self.result = result
        self.ask = None
