"""Bots and other slow work, beside the event loop: in threads of low priority, so many and no more."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from clew.bots.bot import Choice, bot
from clew.bots.search import Limits
from clew.core.game import Game
from clew.server.watch import BOT_BUSY, BOT_QUEUE, BOT_SECONDS

T = TypeVar("T")

GENTLE = 10  # niceness: people's moves go first
TOO_LONG = 0.01
QUICK = 0.002  # seconds; what usually takes longer is not done on the event loop
WORKERS = 4


class Thinking:
    """Decisions of bots, one after the other in the order in which they were asked for.

    A table asks for its next decision when the last one was made, so tables take turns.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="clew-bots", initializer=_be_gentle)
        self._open = 0

    async def choose(self, game: Game, level: int, seed: int, view: dict[str, Any]) -> Choice:
        """What a bot of this level does; stops thinking when the caller is cancelled."""
        stop = threading.Event()

        def think() -> Choice:
            BOT_QUEUE.dec()
            with BOT_BUSY.track_inprogress(), BOT_SECONDS.time():
                alone = self._open == 1
                limits = Limits(threads=self.threads if alone else 1, stop=stop)
                return bot(game, level, seed).choose(view, limits)

        self._open += 1
        BOT_QUEUE.inc()
        job = self._pool.submit(think)
        try:
            return await asyncio.wrap_future(job)
        finally:
            self._open -= 1
            stop.set()
            if job.cancel():
                BOT_QUEUE.dec()

    async def run(self, work: Callable[[Callable[[], bool]], T]) -> T:
        """Some other slow work in the same threads; it is handed a function that says whether to stop."""
        stop = threading.Event()
        job = self._pool.submit(work, stop.is_set)
        try:
            return await asyncio.wrap_future(job)
        finally:
            stop.set()
            job.cancel()

    def close(self) -> None:
        """Wait for nobody."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Bench:
    """Work for the table that is usually quick: done at once where it is, and in a thread where it was not lately."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="clew-work")
        self._takes: dict[tuple[str, str], float] = {}
        self.slow: set[str] = set()  # games in which what is usually quick can take long

    async def do(self, kind: tuple[str, str], work: Callable[..., T], *arguments: Any) -> T:
        """Do it; `kind`, a game and what is done, tells what has a duration in common."""
        if kind[0] in self.slow:
            return await self.aside(work, *arguments)
        takes = self._takes.get(kind)
        if takes is None or takes >= QUICK:
            return await self.aside(self._in_thread, kind, work, *arguments)
        begun = time.perf_counter()
        try:
            return work(*arguments)
        finally:
            took = time.perf_counter() - begun
            self._takes[kind] = took if took > TOO_LONG else 0.95 * takes + 0.05 * took

    async def aside(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do it in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def _in_thread(self, kind: tuple[str, str], work: Callable[..., T], *arguments: Any) -> T:
        begun = time.thread_time()  # not what it waits for others
        try:
            return work(*arguments)
        finally:
            took = time.thread_time() - begun
            self._takes[kind] = 0.5 * self._takes.get(kind, took) + 0.5 * took

    def close(self) -> None:
        """Wait for nobody."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _be_gentle() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GENTLE)
