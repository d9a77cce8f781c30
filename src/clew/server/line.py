"""A connection of somebody to a table: who they are, which chair they look from, and what waits to be sent."""

from __future__ import annotations

import asyncio
from typing import Any

from clew.server.limits import Bucket
from clew.server.messages import encode

WAITING = 256  # messages; who reads slower than that has to come back


class Line:
    """One end of a WebSocket; nothing that it is sent depends on more than `person`, `chair` and `known`."""

    def __init__(self, person: str, chat: Bucket) -> None:
        self.person = person
        self.chair: int | None = None
        self.known = False
        self.greeted = False
        self.chat = chat
        self.hinting = False
        self.waiting: asyncio.Queue[bytes | int] = asyncio.Queue()

    def send(self, message: Any) -> None:
        """Put a message, or one that is encoded already, into the queue; a number closes the connection."""
        if self.waiting.qsize() >= WAITING:
            if self.waiting.qsize() == WAITING:
                self.waiting.put_nowait(4408)
            return
        self.waiting.put_nowait(message if isinstance(message, bytes) else encode(message))

    def close(self, code: int) -> None:
        """Close the connection after what waits."""
        self.waiting.put_nowait(code)
