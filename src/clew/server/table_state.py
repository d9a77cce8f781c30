"""The state of a table, made from its log: each entry is applied, and the same log gives the same state anywhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from clew.core import table as core
from clew.core.cast import Cast, called
from clew.core.commitments import lines
from clew.core.errors import UnknownGame
from clew.core.game import Game, load
from clew.server.clock import Clock, made_at
from clew.server.messages import Ask, ClockRule, Result
from clew.server.store import Alarm, Change, Row, TableRow
from clew.server.store.base import ORIGIN, NewTable

GUEST = "Guest"  # who had given no name, in older logs
STAND_IN = 3  # the level of a bot that plays on for somebody who resigned or ran out of time


@dataclass(frozen=True)
class Sitter:
    """Who sits on a seat. A person with a level is absent: a bot of that level plays."""

    kind: str  # person, bot or open
    name: str = ""
    person: str | None = None
    level: int | None = None
    resigned: bool = False

    @property
    def active(self) -> bool:
        """Whether a person is to move here, and to be asked."""
        return self.kind == "person" and self.level is None


@dataclass(frozen=True)
class Terms:
    """What everybody can read about a table before the game, and what holds to its end."""

    hints: bool = True
    stand_in: float | None = 15.0  # seconds away after which the others may let a bot play; None for never


def game_of(row: TableRow) -> Game | None:
    """The game by the rules that a table is played by; None if they are not here."""
    try:
        return load(row.game).in_version(row.rules)
    except UnknownGame:
        return None


def deal(state: TableState) -> core.Table:
    """The table of the engine, dealt by its seed, and by a salt if it was set up with one."""
    row, game = state.row, game_of(state.row)
    assert game is not None  # such a table is not opened
    return core.new(game, row.players, row.seed, row.options, salt=state.deal_salt)


def names_of(seats: Sequence[Sitter]) -> tuple[str, ...]:
    """The one name of everybody at a table: given, the bot's, or the colour of the seat, and no two the same."""
    bots = [seat for seat, sitter in enumerate(seats) if sitter.kind == "bot"]
    return called(["" if sitter.name == GUEST else sitter.name for sitter in seats], bots)


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
        self.rows: list[Row] = []
        self.keys: dict[str, int] = {}  # idempotency keys, each with the number of its entry
        self.moves: dict[int, int] = {}  # the number of an entry, and of the move of the engine that it made
        self.taken_back: dict[int, int] = {}  # the number of a move's entry, and of that which took it back

    def append(self, row: Row) -> None:
        """Add the next entry."""
        self.rows.append(row)
        if row.key is not None:
            self.keys[row.key] = row.number

    def cut(self, number: int) -> None:
        """Forget what comes after an entry: it could not be written."""
        while len(self.rows) > number:
            row = self.rows.pop()
            if row.key is not None:
                del self.keys[row.key]
            self.moves.pop(row.number, None)
            if row.kind == "undone":
                self.taken_back.popitem()


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
        self.due: dict[int, int] = {}  # the seats that owe a move, each with the entry since which it is this one
        self.ask: Ask | None = None
        self.result: Result | None = None
        self.rematch: str | None = None
        self.continued: int | None = None  # so many moves are those of another game
        self.host: str | None = None  # who set up a table of bots alone
        self.deal_salt: str | None = None  # none at tables from before there was one, which xoshiro128** deals
        self.clock: Clock | None = None
        self.terms = Terms()

    def after(self, row: Row) -> TableState:
        """A new state with one more entry; raises what the engine says against a move."""
        new = TableState.__new__(TableState)
        new.__dict__.update(self.__dict__)
        new.seats, new.kept_moves = self.seats[:], self.kept_moves[:]
        new.game = self.game.copy() if self.game else None
        new.clock = self.clock.copy() if self.clock else None
        new.apply(row)
        return new

    def apply(self, row: Row) -> None:
        """Change this state by the next entry."""
        if row.number != self.number + 1:
            raise ValueError(f"entry {row.number} does not follow {self.number}")
        self.log.cut(self.number)
        getattr(self, f"_{row.kind}")(row)
        self.number = row.number
        self.log.append(row)
        kept = {} if row.kind == "undone" else self.due
        self.due = {seat: kept.get(seat, row.number) for seat in self.to_move}
        if self.clock is not None:
            self.clock.owe([seat for seat in self.to_move if self.seats[seat].active], made_at(row.at, row.data))

    @property
    def at(self) -> int:
        """When the last entry was made; 0 if there is none."""
        return self.log.rows[self.number - 1].at if self.number else 0

    @property
    def rows(self) -> list[Row]:
        """The entries so far."""
        return self.log.rows[: self.number]

    def number_of_key(self, key: str) -> int | None:
        """The number of the entry with this idempotency key, if it has been written."""
        number = self.log.keys.get(key)
        return number if number is not None and number <= self.number else None

    def move_of(self, number: int) -> int | None:
        """The move of the engine that an entry made; None if it was taken back."""
        back = self.log.taken_back.get(number)
        return self.log.moves[number] if back is None or back > self.number else None

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that owe a move."""
        return self.game.to_move if self.game is not None and self.status == "playing" else ()

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

    def summary(self) -> dict[str, Any]:
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

    # One entry of each kind

    def _created(self, row: Row) -> None:
        self.seats = [Sitter(**seat) for seat in row.data["seats"]]
        self.terms = Terms(**row.data.get("agreed", {}))
        self.continued = row.data.get("continued")
        self.host = row.data.get("host")
        self.deal_salt = row.data.get("deal_salt")

    def _sat(self, row: Row) -> None:
        self._seat(row, kind="person", person=row.data["person"], name=row.data["name"])

    def _bot_sat(self, row: Row) -> None:
        self._seat(row, kind="bot", name=row.data["name"], level=row.data["level"])

    def _stood(self, row: Row) -> None:
        self._seat(row, kind="open", person=None, name="")
        if not any(sitter.kind == "person" for sitter in self.seats):
            self._end(Result([1] * self.row.players, "abandoned"))

    def _started(self, row: Row) -> None:
        self.game = deal(self)
        self.game.names = self.names
        self.status = "playing"
        if self.row.clock:
            self.clock = Clock(msgspec.convert(self.row.clock, ClockRule), self.row.players)

    def _move(self, row: Row) -> None:
        assert self.game is not None
        assert row.seat is not None
        self.game.make(row.data["move"], row.seat)
        self.log.moves[row.number] = self.game.length
        self.kept_moves.append(row.number)
        self.due = {seat: since for seat, since in self.due.items() if seat != row.seat}
        self.ask = None
        if self.clock is not None:
            self.clock.spend(row.seat, row.data.get("used", 0), earns=self.seats[row.seat].level is None)
        outcome = self.game.outcome
        if outcome is not None:
            self._end(Result(list(outcome.places), outcome.ended, list(outcome.scores)))

    def _undone(self, row: Row) -> None:
        assert self.game is not None
        self.game.retract()
        taken_back = self.kept_moves.pop()
        self.log.taken_back[taken_back] = row.number
        self.ask = None
        mover = self.log.rows[taken_back - 1].seat
        if self.clock is not None and mover is not None and self.seats[mover].level is None:
            self.clock.take_back(mover)

    def _chat(self, row: Row) -> None:
        pass

    def _hinted(self, row: Row) -> None:
        pass

    def _asked(self, row: Row) -> None:
        what = {name: row.data[name] for name in ("what", "waiting", "seat", "level") if name in row.data}
        self.ask = Ask(row.number, by=row.seat or 0, **what)

    def _agreed(self, row: Row) -> None:
        assert self.ask is not None
        waiting = [seat for seat in self.ask.waiting if seat != row.seat]
        self.ask = msgspec.structs.replace(self.ask, waiting=waiting)

    def _declined(self, row: Row) -> None:
        self.ask = None

    def _takeover(self, row: Row) -> None:
        self._seat(row, level=row.data["level"])
        self.ask = None
        if self.clock is not None and row.seat is not None:
            self.clock.stop(row.seat, row.data.get("used", 0))

    def _returned(self, row: Row) -> None:
        self._seat(row, level=None)
        if self.clock is not None and row.seat is not None:
            self.clock.resume(row.seat)

    def _resigned(self, row: Row) -> None:
        self._give_up(row, "resigned")

    def _timeout(self, row: Row) -> None:
        if self.clock is not None and row.seat is not None:
            self.clock.stop(row.seat, self.clock.left[row.seat])
        if row.data["then"] == "lose":
            self._give_up(row, "time")
        else:
            self._seat(row, level=STAND_IN)
            self.ask = None

    def _over(self, row: Row) -> None:
        self._end(Result([1] * self.row.players, row.data["ended"]))

    def _rematch(self, row: Row) -> None:
        self.rematch = row.data["table"]
        self.ask = None

    def _seat(self, row: Row, **changes: Any) -> None:
        assert row.seat is not None
        self.seats[row.seat] = replace(self.seats[row.seat], **changes)

    def _give_up(self, row: Row, ended: str) -> None:
        """Between two the game ends; at a larger table a bot plays on, as long as a person is left."""
        assert row.seat is not None
        self._seat(row, level=STAND_IN, resigned=True)
        self.ask = None
        if self.row.players == 2 or not any(sitter.active for sitter in self.seats):
            last = self.row.players
            self._end(Result([last if seat == row.seat else 1 for seat in range(last)], ended))

    def _end(self, result: Result) -> None:
        self.status = "over"
        self.result = result
        self.ask = None
