"""Publish and subscribe between workers, by Redis: that a table has a new log entry, and who is connected.

The log is the truth, not this. A message that is lost costs a second or two: workers also look by themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import msgspec

from clew.server.background import Failures, repeat
from clew.server.data_types import JsonObject, JsonValue

if TYPE_CHECKING:
    from redis.asyncio import Redis

CHANNEL = "clew"
AGAIN = 1.0  # seconds until Redis is tried once more

Received = Callable[[JsonObject], None]


class PubSub:
    """Sends messages to the other workers and receives theirs; with no address it does nothing."""

    def __init__(self, address: str, received: Received) -> None:
        self.worker = secrets.token_hex(4)
        self.listening_since: float | None = None  # since when nothing was missed; None while Redis cannot be reached
        self._address = address
        self._received = received
        self._out: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self._failures = Failures("hearing other workers")

    def start(self) -> None:
        """Connect to Redis."""
        if self._address:
            parts = {"listening to Redis": self._subscribe, "speaking to Redis": self._publish_all}
            self._tasks = [asyncio.create_task(repeat(name, part, AGAIN)) for name, part in parts.items()]

    def publish(self, **said: JsonValue) -> None:
        """Send a message to the other workers."""
        if self._address and not self._out.full():
            self._out.put_nowait(msgspec.json.encode({"worker": self.worker, **said}))

    async def close(self) -> None:
        """Disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def _client(self) -> AsyncIterator[Redis]:
        from redis.asyncio import Redis
        from redis.exceptions import RedisError

        client = Redis.from_url(self._address)
        try:
            yield client
        except RedisError as error:
            raise OSError(f"Redis cannot be reached ({type(error).__name__})") from error
        finally:
            await client.aclose()

    async def _subscribe(self) -> None:
        async with self._client() as client, client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            self.listening_since = time.monotonic()
            try:
                async for message in channel.listen():
                    self._receive(message["data"])
            finally:
                self.listening_since = None

    def _receive(self, data: bytes) -> None:
        try:
            said = msgspec.json.decode(data)
            if said.pop("worker") != self.worker:
                self._received(said)
        except Exception as error:  # a worker of another version may say what this one does not know
            self._failures.note(error)

    async def _publish_all(self) -> None:
        async with self._client() as client:
            while True:
                said = [await self._out.get()]
                while not self._out.empty() and len(said) < 256:
                    said.append(self._out.get_nowait())
                pipe = client.pipeline(transaction=False)
                for line in said:
                    pipe.publish(CHANNEL, line)
                await pipe.execute()
