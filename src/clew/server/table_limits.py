"""How many tables somebody may set up: by person, and by address, for identities are free."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from clew.core.errors import ClewError
from clew.server.rate_limits import RateLimiter
from clew.server.settings import Settings
from clew.server.store import Store

BOTS_ALONE = 20  # one in so many of a person's tables may be one where bots play alone
OPEN = 3  # one in so many for an address: tables that are listed, or where bots play alone
PACE = 75  # requests that a table costs an address


class NotPossible(ClewError):
    """Something that cannot be done at this table now."""


class Busy(ClewError):
    """Too much at once."""


class TableLimits:
    """Counts what is in the store, so that it holds for all workers and after a restart."""

    def __init__(self, settings: Settings, store: Store) -> None:
        most = settings.tables_of_one
        self._store = store
        self._of_person, self._bots_alone, self._of_origin = most, max(1, most // BOTS_ALONE), max(1, most // OPEN)
        self._pace = RateLimiter(settings.request_rate / PACE, max(10, most))
        self._counting = asyncio.Lock()  # nobody sets up a table between the count and the table that was counted for

    async def check_seat(self, person: str) -> None:
        """Refuse another table to somebody who has many."""
        if await self._store.seated(person) >= self._of_person:
            raise NotPossible(f"You have {self._of_person} tables already: finish or leave one.")

    @contextlib.asynccontextmanager
    async def admit(self, person: str, origin: str, listed: bool, bots_alone: bool) -> AsyncIterator[None]:
        """Let somebody set up a table in the block, or say what is too much."""
        async with self._counting:
            await self.check_seat(person)
            if bots_alone and await self._store.hosted(person) >= self._bots_alone:
                raise NotPossible(
                    f"At {self._bots_alone} tables bots play alone for you: leave one, or watch it to its end."
                )
            if (listed or bots_alone) and await self._store.seated(origin) >= self._of_origin:
                raise Busy(
                    f"There are {self._of_origin} open tables from your address: wait until one is full or over."
                )
            if not self._pace.allow(origin):
                raise Busy("Many tables were set up from your address: wait a little.")
            yield
