"""Several workers tell each other by Redis that there is something new in the log. The log is the truth, not this.

A wake-up that is lost costs a second or two: workers also look by themselves.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from clew.server.watch import log

CHANNEL = "clew"
AGAIN = 1.0  # seconds until Redis is tried once more

Heard = Callable[[dict[str, Any]], None]


class Waking:
    """Sends and hears wake-ups; with no address it does nothing."""

    def __init__(self, address: str, heard: Heard) -> None:
        self.worker = secrets.token_hex(4)
        self._address = address
        self._heard = heard
        self._out: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen."""
        if self._address:
            self._tasks = [asyncio.create_task(self._keep(part)) for part in (self._listen, self._speak)]

    def tell(self, **said: Any) -> None:
        """Tell the other workers."""
        if self._address and not self._out.full():
            self._out.put_nowait(msgspec.json.encode({"worker": self.worker, **said}))

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, part: Callable[[Any], Any]) -> None:
        from redis.asyncio import Redis
        from redis.exceptions import RedisError

        complained = False
        while True:
            client = Redis.from_url(self._address)
            try:
                await part(client)
            except (RedisError, OSError) as error:
                if not complained:
                    log.warning("Redis cannot be reached (%s): trying again", type(error).__name__)
                complained = True
            finally:
                await client.aclose()
            await asyncio.sleep(AGAIN)

    async def _listen(self, client: Any) -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            async for message in channel.listen():
                said = msgspec.json.decode(message["data"])
                if said.pop("worker") != self.worker:
                    self._heard(said)

    async def _speak(self, client: Any) -> None:
        while True:
            said = [await self._out.get()]
            while not self._out.empty() and len(said) < 256:
                said.append(self._out.get_nowait())
            pipe = client.pipeline(transaction=False)
            for line in said:
                pipe.publish(CHANNEL, line)
            await pipe.execute()
