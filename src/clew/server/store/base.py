"""What a store does, whatever is below it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import msgspec

from clew.core.errors import ClewError
from clew.server.data_types import Columns, JsonObject, JsonValue
from clew.server.log_entries import LogEntry, from_row

HOST, ORIGIN = -1, -2
"""In place of a seat: who set up a table of bots alone; where a table comes from that is listed, or of bots alone."""


class StoreError(ClewError):
    """The database cannot be used."""


class Conflict(Exception):
    """Another worker has written an entry with this number: read it, then decide anew."""


class AlreadyWritten(Exception):
    """An entry with this idempotency key was written before: `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def to_json(data: JsonValue) -> str | None:
    """Data as JSON text, None as None."""
    return None if data is None else msgspec.json.encode(data).decode()


@dataclass(frozen=True)
class TableRow:
    """What never changes about a table, and `status` and `summary` as of its last change of seats."""

    id: str
    game: str
    rules: int
    options: dict[str, int | str]
    players: int
    private: bool
    one_device: bool
    clock: JsonObject | None
    seed: int
    salt: str
    invite: str
    created: int
    status: str
    changed: int
    summary: JsonObject
    record: str | None = None

    def columns(self) -> Columns:
        """As the database wants it."""
        texts = {name: to_json(getattr(self, name)) for name in ("options", "summary", "clock")}
        return {**vars(self), **texts, "seed": str(self.seed)}

    @staticmethod
    def read(found: Columns) -> TableRow:
        """From the columns of the database."""
        for name in ("options", "summary"):
            found[name] = msgspec.json.decode(found[name])
        found["clock"] = None if found["clock"] is None else msgspec.json.decode(found["clock"])
        found["seed"] = int(found["seed"])
        found["private"], found["one_device"] = bool(found["private"]), bool(found["one_device"])
        return TableRow(**found)


@dataclass(frozen=True)
class Alarm:
    """Before this moment no clock of a table runs out, and not before a server has run for so long."""

    due: int
    remaining: int


@dataclass(frozen=True)
class NewTable:
    """A table to be set up: its row, its first entries, whose the chairs are, and who answers for it."""

    row: TableRow
    entries: list[LogEntry]
    chairs: dict[int, str]
    alarm: Alarm | None = None


@dataclass(frozen=True)
class Change:
    """What an entry changes besides the log, written with it or not at all."""

    status: str
    summary: JsonObject
    chairs: dict[int, str | None] = field(default_factory=dict)
    table: NewTable | None = None


class Store(ABC):
    """Everything that is written is on disk when the call returns.

    What is asked for is the same everywhere; how statements get to the database is each store's own.
    """

    shared: bool
    """Whether other workers may use the same database."""

    @abstractmethod
    async def append(
        self, table_id: str, entry: LogEntry, change: Change | None = None, alarm: Alarm | None = None
    ) -> None:
        """Write an entry, with the alarm if it is another one now; nothing if it raises Conflict or AlreadyWritten."""

    @abstractmethod
    async def create(self, new: NewTable) -> None:
        """Set up a table."""

    @abstractmethod
    async def archive(self, table_id: str, record: str, last: int) -> bool:
        """Keep the record of a game that is over in place of its log, if that still ends with this number.

        Whether it was done: of two who try at the same time one does it, and the other changes nothing.
        """

    @abstractmethod
    async def drop(self, table_id: str, last: int) -> bool:
        """Forget a table if its log still ends with this number and it has no record; whether it was done."""

    @abstractmethod
    async def move_alarm(self, table_id: str, was: Alarm, alarm: Alarm | None) -> bool:
        """Put another alarm, or none, in the place of this one; False if somebody else was quicker."""

    @abstractmethod
    async def beat(self, at: int) -> None:
        """Write a little, in order to know whether a move could be written."""

    @abstractmethod
    async def set_name(self, person: str, name: str, at: int) -> None:
        """Note how somebody wants to be called."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what is being written."""

    async def alone(self) -> bool:
        """Whether no other worker uses the database now."""
        return not self.shared

    @abstractmethod
    async def _read(self, statement: str, **values: Any) -> list[Columns]:  # Any: as in `Columns`
        """What a statement of the schema finds, by the names of the columns."""

    async def table(self, table_id: str) -> TableRow | None:
        """A table by its id."""
        found = await self._read("table", id=table_id)
        return TableRow.read(found[0]) if found else None

    async def entries(self, table_id: str, after: int = 0) -> list[LogEntry]:
        """The log after a number."""
        return [from_row(found) for found in await self._read("entries", table_id=table_id, after=after)]

    async def waiting(self, most: int = 100, skipped: int = 0) -> list[TableRow]:
        """Tables that wait for players and may be shown to everybody; first the newest of everybody, then the next."""
        return [TableRow.read(found) for found in await self._read("waiting", most=most, skipped=skipped)]

    async def mine(self, person: str, state: str = "", most: int = 100, skipped: int = 0) -> list[TableRow]:
        """Tables where this person has a chair: all, or only those that are `running` or `over`."""
        which = f"mine_{state}" if state else "mine"
        return [TableRow.read(one) for one in await self._read(which, person=person, most=most, skipped=skipped)]

    async def seated(self, person: str) -> int:
        """How many tables that are not over this person has: by a chair or as their host; or an origin has."""
        return int(next(iter((await self._read("seated", person=person))[0].values())))

    async def hosted(self, person: str) -> int:
        """How many tables of bots alone, that are not over, this person has set up."""
        return int(next(iter((await self._read("hosted", person=person))[0].values())))

    async def unfinished_rules(self) -> list[tuple[str, int]]:
        """The games of tables that are not over, with the versions of their rules."""
        return [(found["game"], found["rules"]) for found in await self._read("unfinished_rules")]

    async def unfinished(self, game: str, rules: int, skipped: int = 0) -> list[str]:
        """Tables of such a game that are not over: a page of them."""
        return [found["id"] for found in await self._read("unfinished", game=game, rules=rules, skipped=skipped)]

    async def due(self, now: int, awake: int, skipped: int = 0) -> dict[str, Alarm]:
        """Tables where a clock may have run out by now, if a server has run for so long: a page of them."""
        rows = await self._read("due", now=now, awake=awake, skipped=skipped)
        return {found["table_id"]: Alarm(found["due"], found["remaining"]) for found in rows}

    async def stale(self, status: str, before: int, skipped: int = 0) -> dict[str, int]:
        """Tables with this status where nothing has happened since, and where their logs end: a page of them."""
        found = await self._read("stale", status=status, before=before, skipped=skipped)
        return {one["id"]: one["last"] or 0 for one in found}

    async def name(self, person: str) -> str:
        """How somebody wants to be called; empty if that is not known."""
        found = await self._read("person", id=person)
        return str(found[0]["name"]) if found else ""

    async def counts(self) -> dict[str, int]:
        """How many tables there are, by status."""
        return dict(tuple(found.values()) for found in await self._read("count"))
