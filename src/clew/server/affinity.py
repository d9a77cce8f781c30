"""Which worker a table belongs to: its id says so, so that nobody has to keep a list."""

from __future__ import annotations

import re
import secrets
import zlib
from dataclasses import dataclass

_TABLE = re.compile(r"/api/tables/([A-Za-z0-9_-]{22})(?:/|$)")


def table_in(path: str) -> str | None:
    """The table that a path is about, if it is about one.

    >>> table_in("/api/tables/AAAAAAAAAAAAAAAAAAAAAA/play")
    'AAAAAAAAAAAAAAAAAAAAAA'
    >>> table_in("/api/tables/mine")
    """
    found = _TABLE.search(path)
    return found[1] if found else None


@dataclass(frozen=True)
class Affinity:
    """A worker's number among the workers of one machine, and with it the tables that are its own."""

    index: int = 0
    workers: int = 1

    def owner(self, table_id: str) -> int:
        """The number of the worker that a table belongs to."""
        return zlib.crc32(table_id.encode()) % self.workers

    def owns(self, table_id: str) -> bool:
        """Whether a table belongs to this worker."""
        return self.owner(table_id) == self.index

    def new_id(self) -> str:
        """The id of a new table of this worker's own."""
        while not self.owns(made := secrets.token_urlsafe(16)):
            pass
        return made
