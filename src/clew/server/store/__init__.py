"""The log of every table, on disk: SQLite by default, PostgreSQL for several workers; one interface."""

from __future__ import annotations

from clew.server.store.base import Change, Repeated, Row, Store, StoreError, TableRow, Taken

__all__ = ["Change", "Repeated", "Row", "Store", "StoreError", "TableRow", "Taken", "open_store"]


async def open_store(address: str) -> Store:
    """The store at `sqlite:///path` or `postgresql://...`, its tables brought up to date."""
    if address.startswith(("postgresql://", "postgres://")):
        from clew.server.store.postgres import PostgresStore

        return await PostgresStore.open(address)
    if address.startswith("sqlite:///"):
        from clew.server.store.sqlite import SqliteStore

        return await SqliteStore.open(address.removeprefix("sqlite:///"))
    raise StoreError(f"A database is sqlite:///path or postgresql://..., not {address.split('@')[-1]!r}.")
