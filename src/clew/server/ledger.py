"""A table as its log tells it: each entry is folded in, and the same log gives the same table on every worker."""

from __future__ import annotations

import copy
import hashlib
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from clew.core import table as core
from clew.core.commitments import lines
from clew.core.events import SEATS
from clew.core.game import load
from clew.server.clock import Clock
from clew.server.messages import Ask, ClockRule, Result
from clew.server.store import Change, Row, TableRow
from clew.server.store.base import NewTable

GUEST = "Guest"  # who has given no name
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


def deal(row: TableRow) -> core.Table:
    """The table of the engine, dealt by its seed."""
    return core.new(load(row.game), row.players, row.seed, row.options)


class Ledger:
    """Everything that is so at a table after the last entry of its log."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.number = 0
        self.rows: list[Row] = []
        self.keys: dict[str, int] = {}  # what was wanted by whom, and the entry that came of it
        self.seats: list[Sitter] = []
        self.status = "waiting"
        self.game: core.Table | None = None
        self.moves: dict[int, int] = {}  # the number of an entry, and of the move of the engine that it made
        self.taken_back: set[int] = set()
        self.ask: Ask | None = None
        self.result: Result | None = None
        self.rematch: str | None = None
        self.clock: Clock | None = None

    def after(self, row: Row) -> Ledger:
        """The ledger with one more entry; raises what the engine says against a move."""
        new = copy.copy(self)
        new.rows, new.keys, new.seats, new.moves = self.rows[:], dict(self.keys), self.seats[:], dict(self.moves)
        new.taken_back = set(self.taken_back)
        new.game = self.game.copy() if self.game else None
        new.clock = self.clock.copy() if self.clock else None
        new.fold(row)
        return new

    def fold(self, row: Row) -> None:
        """Take in the next entry."""
        if row.number != self.number + 1:
            raise ValueError(f"entry {row.number} does not follow {self.number}")
        getattr(self, f"_{row.kind}")(row)
        self.number = row.number
        self.rows.append(row)
        if row.key is not None:
            self.keys[row.key] = row.number
        if self.clock is not None:
            self.clock.owe([seat for seat in self.to_move if self.seats[seat].active], row.at)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that owe a move."""
        return self.game.to_move if self.game is not None and self.status == "playing" else ()

    @property
    def bots_to_move(self) -> list[int]:
        """The seats that owe a move and are played by bots."""
        return [seat for seat in self.to_move if self.seats[seat].level is not None]

    def seats_of(self, person: str) -> list[int]:
        """The chairs of a person."""
        return [seat for seat, sitter in enumerate(self.seats) if sitter.person == person]

    def people(self, but: tuple[str | None, ...] = ()) -> list[int]:
        """One seat of each person who plays, except some."""
        found: dict[str, int] = {}
        for seat, sitter in enumerate(self.seats):
            if sitter.active and sitter.person is not None and sitter.person not in but:
                found.setdefault(sitter.person, seat)
        return list(found.values())

    def name(self, seat: int) -> str:
        """How somebody is called at the table: guests, who have no name, by the colour of their seat."""
        name = self.seats[seat].name
        return SEATS[seat] if name in ("", GUEST) else name

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
        }

    def change(self, before: Ledger, table: NewTable | None = None) -> Change | None:
        """What the last entry changes besides the log."""
        if self.status == before.status and self.seats == before.seats and table is None:
            return None
        now = {seat: sitter.person for seat, sitter in enumerate(self.seats)}
        old = {seat: sitter.person for seat, sitter in enumerate(before.seats)}
        chairs = {seat: person for seat, person in now.items() if person != old.get(seat)}
        return Change(self.status, self.summary(), chairs, table)

    def record(self) -> str:
        """The record with everything that was secret; only for a game that is over."""
        assert self.status == "over"
        assert self.game is not None
        first, rest = self.game.record().split("\n", 1)
        notes = lines(self.row.seed, self.row.salt)
        for seat, sitter in enumerate(self.seats):
            notes.append(f"# seat {seat}: {'person' if sitter.kind == 'person' else f'level:{sitter.level}'}")
            notes.append(f"# name {seat}: {self.name(seat)}")
        if self.game.outcome is None and self.result is not None:
            notes.append(f"# ended: {self.result.ended}; places {' '.join(map(str, self.result.places))}")
        return "\n".join([first, *notes, rest])

    # One entry of each kind

    def _created(self, row: Row) -> None:
        self.seats = [Sitter(**seat) for seat in row.data["seats"]]

    def _sat(self, row: Row) -> None:
        self._seat(row, kind="person", person=row.data["person"], name=row.data["name"])

    def _stood(self, row: Row) -> None:
        self._seat(row, kind="open", person=None, name="")
        if not any(sitter.kind == "person" for sitter in self.seats):
            self._end(Result([1] * self.row.players, "abandoned"))

    def _started(self, row: Row) -> None:
        self.game = deal(self.row)
        self.status = "playing"
        if self.row.clock:
            self.clock = Clock(msgspec.convert(self.row.clock, ClockRule), self.row.players)

    def _move(self, row: Row) -> None:
        assert self.game is not None
        assert row.seat is not None
        self.game.make(row.data["move"], row.seat)
        self.moves[row.number] = self.game.length
        self.ask = None
        if self.clock is not None:
            self.clock.spend(row.seat, row.data.get("used", 0))
        outcome = self.game.outcome
        if outcome is not None:
            self._end(Result(list(outcome.places), outcome.ended, list(outcome.scores)))

    def _undone(self, row: Row) -> None:
        assert self.game is not None
        self.game.retract()
        self.taken_back.add(next(number for number in reversed(self.moves) if number not in self.taken_back))
        self.ask = None

    def _chat(self, row: Row) -> None:
        pass

    def _asked(self, row: Row) -> None:
        self.ask = Ask(row.number, by=row.seat or 0, **row.data)

    def _agreed(self, row: Row) -> None:
        assert self.ask is not None
        waiting = [seat for seat in self.ask.waiting if seat != row.seat]
        self.ask = msgspec.structs.replace(self.ask, waiting=waiting)

    def _declined(self, row: Row) -> None:
        self.ask = None

    def _takeover(self, row: Row) -> None:
        self._seat(row, level=row.data["level"])
        self.ask = None

    def _returned(self, row: Row) -> None:
        self._seat(row, level=None)

    def _resigned(self, row: Row) -> None:
        self._give_up(row, "resigned")

    def _timeout(self, row: Row) -> None:
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
