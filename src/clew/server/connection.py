"""A connection of somebody to a table: who they are, which chair they look from, and what waits to be sent."""

from __future__ import annotations

import asyncio

from clew.server.messages import ToClient, encode
from clew.server.rate_limits import TokenBucket
from clew.server.scheduler import Owner
from clew.server.table_state import TableState, may_watch

WAITING = 256  # messages; who reads slower than that has to come back


class Connection:
    """One end of a WebSocket; nothing that it is sent depends on more than `person`, `chair` and `known`."""

    def __init__(self, person: str, chat: TokenBucket, address: str = "") -> None:
        self.person = person
        self.address = address
        self.chair: int | None = None
        self.known = False
        self.invite = ""
        self.number = 0  # of the last entry that it was told of
        self.greeted = False
        self.closed = False
        self.chat = chat
        self.hinting = False
        self.waiting: asyncio.Queue[bytes | int] = asyncio.Queue()

    def entitled(self, state: TableState) -> bool:
        """Whether this person may look from this chair, as the seats are now."""
        if self.chair is None:
            return may_watch(state.row, state.seats, self.person, self.invite)
        return state.seats[self.chair].person == self.person

    @property
    def owner(self) -> Owner:
        """Whose share of the bots' time this connection takes."""
        return Owner(self.address, self.person)

    def send(self, message: ToClient | bytes) -> None:
        """Put a message, or one that is encoded already, into the queue."""
        if self.closed:
            return
        if self.waiting.qsize() >= WAITING:
            return self.close(4408)
        self.waiting.put_nowait(message if isinstance(message, bytes) else encode(message))

    def close(self, code: int) -> None:
        """Close the connection after what waits; nothing is sent any more."""
        if not self.closed:
            self.closed = True
            self.waiting.put_nowait(code)
