"""A connection of somebody to a table: who they are, which chair they look from, and what waits to be sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from clew.server.messages import ToClient, encode
from clew.server.rate_limits import TokenBucket
from clew.server.scheduler import Owner
from clew.server.table_state import TableState, may_watch

WAITING = 256  # messages; who reads slower than that has to come back
TEXT = 0x81  # the first byte of a frame that is a whole text


class Wire(Protocol):
    """Where frames leave: the WebSocket's protocol."""

    ready: bool
    """Whether more can be written now, as the other side reads."""

    def write(self, frames: bytes) -> None:
        """Write frames, if the other side is still there."""


def frame(text: bytes) -> bytes:
    """A message as it goes over the wire (RFC 6455, 5.2): for all who are sent the same it is made once."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return bytes((TEXT, 126, size >> 8, size & 255)) + text
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + text


class Connection:
    """One end of a WebSocket; nothing that it is sent depends on more than `person`, `chair`, `known` and `changes`."""

    def __init__(self, person: str, chat: TokenBucket, address: str = "", wire: Wire | None = None) -> None:
        self.person = person
        self.address = address
        self.chair: int | None = None
        self.known = self.changes = False  # what its messages are to have
        self.invite = ""
        self.number = 0  # of the last entry that it was told of
        self.greeted = False
        self.closed = False
        self.code: int | None = None  # with which it is closed
        self.chat = chat
        self.hinting = False
        self.waiting: deque[bytes] = deque()  # frames, while the other side reads slowly
        self.finished: Callable[[], None] = lambda: None  # called when it is closed and nothing waits
        self._wire = wire
        self._emptied: asyncio.Event | None = None

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
        """Send a message, or one that is encoded already."""
        if not self.closed:
            self.send_frame(frame(message if isinstance(message, bytes) else encode(message)))

    def send_frame(self, framed: bytes) -> None:
        """Send a message that is a frame already."""
        if self.closed:
            return
        if self._wire is not None and self._wire.ready and not self.waiting:
            self._wire.write(framed)
        elif len(self.waiting) >= WAITING:
            self.close(4408)
        else:
            self.waiting.append(framed)

    def close(self, code: int) -> None:
        """Close the connection after what waits; nothing is sent any more."""
        if not self.closed:
            self.closed, self.code = True, code
            self.flush()

    def flush(self) -> None:
        """Send what waits, as the other side reads again."""
        while self.waiting and self._wire is not None and self._wire.ready:
            self._wire.write(self.waiting.popleft())
        if not self.waiting:
            if self._emptied is not None:
                self._emptied.set()
            if self.closed:
                self.finished()

    async def flushed(self) -> None:
        """Wait until nothing waits."""
        if self.waiting:
            self._emptied = asyncio.Event()
            await self._emptied.wait()
