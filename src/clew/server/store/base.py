"""What a store does, whatever is below it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import msgspec

from clew.core.errors import ClewError


class StoreError(ClewError):
    """The database cannot be used."""


class Taken(Exception):
    """Another worker has written an entry of this number: read it, then decide anew."""


class Repeated(Exception):
    """This was written before, in the entry `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def plain(data: Any) -> str | None:
    """Data as JSON text, None as None."""
    return None if data is None else msgspec.json.encode(data).decode()


@dataclass(frozen=True)
class TableRow:
    """What never changes about a table, and `status` and `summary` as of its last change of seats."""

    id: str
    game: str
    rules: int
    options: dict[str, Any]
    players: int
    private: bool
    one_device: bool
    clock: dict[str, Any] | None
    seed: int
    salt: str
    invite: str
    created: int
    status: str
    changed: int
    summary: dict[str, Any]
    record: str | None = None

    def columns(self) -> dict[str, Any]:
        """As the database wants it."""
        texts = {name: plain(getattr(self, name)) for name in ("options", "summary", "clock")}
        return {**vars(self), **texts, "seed": str(self.seed)}

    @staticmethod
    def read(found: dict[str, Any]) -> TableRow:
        """From the columns of the database."""
        for name in ("options", "summary"):
            found[name] = msgspec.json.decode(found[name])
        found["clock"] = None if found["clock"] is None else msgspec.json.decode(found["clock"])
        found["seed"] = int(found["seed"])
        found["private"], found["one_device"] = bool(found["private"]), bool(found["one_device"])
        return TableRow(**found)


@dataclass(frozen=True)
class Row:
    """One entry of the log as it is kept: everything, also what chairs do not know."""

    number: int
    at: int
    kind: str
    seat: int | None = None
    key: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def columns(self, table_id: str) -> dict[str, Any]:
        """As the database wants it."""
        return {**vars(self), "table_id": table_id, "data": plain(self.data)}

    @staticmethod
    def read(found: dict[str, Any]) -> Row:
        """From the columns of the database."""
        del found["table_id"]
        return Row(**{**found, "data": msgspec.json.decode(found["data"])})


@dataclass(frozen=True)
class NewTable:
    """A table to be set up: its row, its first entries, and whose the chairs are."""

    row: TableRow
    rows: list[Row]
    chairs: dict[int, str]


@dataclass(frozen=True)
class Change:
    """What an entry changes besides the log, written with it or not at all."""

    status: str
    summary: dict[str, Any]
    chairs: dict[int, str | None] = field(default_factory=dict)
    table: NewTable | None = None


class Store(ABC):
    """Everything that is written is on disk when the call returns.

    What is asked for is the same everywhere; how statements get to the database is each store's own.
    """

    shared: bool
    """Whether other workers may use the same database."""

    @abstractmethod
    async def append(self, table_id: str, row: Row, change: Change | None = None) -> None:
        """Write an entry; raises Taken or Repeated, and then nothing is written."""

    @abstractmethod
    async def create(self, new: NewTable) -> None:
        """Set up a table."""

    @abstractmethod
    async def archive(self, table_id: str, record: str) -> None:
        """Keep the record of a table in place of its log."""

    @abstractmethod
    async def drop(self, table_id: str) -> None:
        """Forget a table."""

    @abstractmethod
    async def set_name(self, person: str, name: str, at: int) -> None:
        """Note how somebody wants to be called."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what is being written."""

    @abstractmethod
    async def _read(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        """What a statement of the schema finds, by the names of the columns."""

    async def table(self, table_id: str) -> TableRow | None:
        """A table by its id."""
        found = await self._read("table", id=table_id)
        return TableRow.read(found[0]) if found else None

    async def entries(self, table_id: str, after: int = 0) -> list[Row]:
        """The log after a number."""
        return [Row.read(found) for found in await self._read("entries", table_id=table_id, after=after)]

    async def waiting(self) -> list[TableRow]:
        """Tables that wait for players and may be shown to everybody."""
        return [TableRow.read(found) for found in await self._read("waiting")]

    async def mine(self, person: str) -> list[TableRow]:
        """Tables where this person has a chair."""
        return [TableRow.read(found) for found in await self._read("mine", person=person)]

    async def seated(self, person: str) -> int:
        """At how many tables that are not over this person has a chair."""
        return int(next(iter((await self._read("seated", person=person))[0].values())))

    async def with_clock(self) -> list[str]:
        """Tables where a clock is running."""
        return [found["id"] for found in await self._read("with_clock")]

    async def stale(self, status: str, before: int) -> list[str]:
        """Tables with this status where nothing has happened since."""
        return [found["id"] for found in await self._read("stale", status=status, before=before)]

    async def name(self, person: str) -> str:
        """How somebody wants to be called; empty if that is not known."""
        found = await self._read("person", id=person)
        return str(found[0]["name"]) if found else ""

    async def counts(self) -> dict[str, int]:
        """How many tables there are, by status."""
        return dict(tuple(found.values()) for found in await self._read("count"))
