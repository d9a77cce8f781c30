"""Work that may be too slow for the event loop, done in threads beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

QUICK = 0.002  # seconds; what usually takes longer is not done on the event loop
SHARE = 0.05  # of the last time in the mean: once twenty times as long is enough, but not a pause of the machine
WORKERS = 4


class Offload:
    """Work that is usually quick: done at once on the event loop, or in a thread where it has taken long lately."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="clew-work")
        self._takes: dict[tuple[str, str], float] = {}
        self.slow: set[str] = set()  # games in which what is usually quick can take long

    # Arguments are Any: a ParamSpec cannot stand behind `kind`, and the work checks them itself.

    def quick(self, kind: tuple[str, str]) -> bool:
        """Whether work of one `kind`, a game and what is done, is quick enough for the event loop."""
        return kind[0] not in self.slow and self._takes.get(kind, QUICK) < QUICK

    def now(self, kind: tuple[str, str], work: Callable[..., T], *arguments: Any) -> T:
        """Do it on the event loop."""
        begun = time.perf_counter()
        try:
            return work(*arguments)
        finally:
            self._takes[kind] += SHARE * (time.perf_counter() - begun - self._takes[kind])

    async def run(self, kind: tuple[str, str], work: Callable[..., T], *arguments: Any) -> T:
        """Do it; work of one kind takes about as long each time."""
        if self.quick(kind):
            return self.now(kind, work, *arguments)
        if kind[0] in self.slow:
            return await self.in_thread(work, *arguments)
        return await self.in_thread(self._timed, kind, work, *arguments)

    async def in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do it in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def _timed(self, kind: tuple[str, str], work: Callable[..., T], *arguments: Any) -> T:
        begun = time.thread_time()  # not what it waits for others
        try:
            return work(*arguments)
        finally:
            took = time.thread_time() - begun
            self._takes[kind] = 0.5 * self._takes.get(kind, took) + 0.5 * took

    def close(self) -> None:
        """Wait for nobody."""
        self._pool.shutdown(wait=False, cancel_futures=True)
