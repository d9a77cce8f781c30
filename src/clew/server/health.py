"""Whether a move could be written now, found out by writing."""

from __future__ import annotations

import asyncio
import time

from clew.server.clock import now_ms
from clew.server.store import Store, StoreError

PATIENCE = 2.0  # seconds for the database
SHARED = 1.0  # seconds for which an answer serves everybody who asks


class Health:
    """Writes a heartbeat when somebody asks, one at a time and at most one a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._probe: asyncio.Task[None] | None = None
        self._begun = 0.0

    async def check(self) -> None:
        """Raise a StoreError if a move could not be written now."""
        if self._probe is None or (self._probe.done() and time.monotonic() - self._begun > SHARED):
            self._begun = time.monotonic()
            self._probe = asyncio.create_task(self._store.beat(now_ms()))
        probe = self._probe
        await asyncio.wait({probe}, timeout=PATIENCE)
        if not probe.done():
            raise StoreError("A move could not be written now: the database does not answer.")
        if (error := probe.exception()) is not None:
            raise StoreError(f"A move could not be written now. {error}") from error
