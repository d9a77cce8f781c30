"""What a store does, whatever is below it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

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


class Store(Protocol):
    """Everything that is written is on disk when the call returns."""

    shared: bool
    """Whether other workers may use the same database."""

    async def append(self, table_id: str, row: Row, change: Change | None = None) -> None:
        """Write an entry; raises Taken or Repeated, and then nothing is written."""
        ...

    async def create(self, new: NewTable) -> None:
        """Set up a table."""
        ...

    async def table(self, table_id: str) -> TableRow | None:
        """A table by its id."""
        ...

    async def entries(self, table_id: str, after: int = 0) -> list[Row]:
        """The log after a number."""
        ...

    async def waiting(self) -> list[TableRow]:
        """Tables that wait for players and may be shown to everybody."""
        ...

    async def mine(self, person: str) -> list[TableRow]:
        """Tables where this person has a chair."""
        ...

    async def seated(self, person: str) -> int:
        """At how many tables that are not over this person has a chair."""
        ...

    async def with_clock(self) -> list[str]:
        """Tables where a clock is running."""
        ...

    async def stale(self, status: str, before: int) -> list[str]:
        """Tables with this status where nothing has happened since."""
        ...

    async def archive(self, table_id: str, record: str) -> None:
        """Keep the record of a table in place of its log."""
        ...

    async def drop(self, table_id: str) -> None:
        """Forget a table."""
        ...

    async def name(self, person: str) -> str:
        """How somebody wants to be called; empty if that is not known."""
        ...

    async def set_name(self, person: str, name: str, at: int) -> None:
        """Note how somebody wants to be called."""
        ...

    async def counts(self) -> dict[str, int]:
        """How many tables there are, by status."""
        ...

    async def close(self) -> None:
        """Finish what is being written."""
        ...
