"""The log of every table, on disk: SQLite by default, PostgreSQL for several workers; one interface."""

from __future__ import annotations

from clew.core.errors import quoted
from clew.server.store.base import Alarm, AlreadyWritten, Change, Conflict, Store, StoreError, TableRow

SQLITE = "sqlite:///"

__all__ = [
    "SQLITE",
    "Alarm",
    "AlreadyWritten",
    "Change",
    "Conflict",
    "Store",
    "StoreError",
    "TableRow",
    "open_store",
]


async def open_store(address: str) -> Store:
    """The store at `sqlite:///path` or `postgresql://...`, its tables brought up to date."""
    if address.startswith(("postgresql://", "postgres://")):
        from clew.server.store.postgres import PostgresStore

        return await PostgresStore.open(address)
    if address.startswith(SQLITE):
        from clew.server.store.sqlite import SqliteStore

        return await SqliteStore.open(address.removeprefix(SQLITE))
    raise StoreError(f"A database is sqlite:///path or postgresql://..., not {quoted(address.partition(':')[0])}.")
