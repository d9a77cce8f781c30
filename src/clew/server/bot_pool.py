"""The thread pool of the bots: their decisions and other slow work, in so many threads of low priority."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from clew.bots.bot import Choice, bot
from clew.bots.heuristics import heuristics_for
from clew.bots.search import Limits
from clew.core.game import Game, load, names
from clew.server.data_types import JsonObject
from clew.server.metrics import BOT_BUSY, BOT_QUEUE, BOT_SECONDS, BOT_WAIT_SECONDS
from clew.server.scheduler import Job, Owner, Purpose, Scheduler

T = TypeVar("T")

GENTLE = 10  # niceness: people's moves go first


class Pending(Job):
    """Work that somebody waits for."""

    def __init__(self, purpose: Purpose, owner: Owner, work: Callable[[Pending], object]) -> None:
        super().__init__(purpose, owner)
        self.work = work
        self.result: Future[Any] = Future()
        self.stop = threading.Event()  # set when nobody waits any more
        self.since = time.perf_counter()
        self.away = 0.0  # seconds in which more urgent work was done in the midst of this
        self.in_the_midst = False  # of other work: whose threads may all wait for this one


class BotPool:
    """Decisions of bots and other slow work, in so many threads and in the order of a `Scheduler`.

    A search looks up after every chunk of playouts. If something more urgent waits its thread does that first, and then
    goes on where it was: the search is never cut short for it, so a bot's choice depends on its seed and view alone.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="clew-bots", initializer=_be_gentle)
        self._scheduler = Scheduler[Pending]()
        self._lock = threading.Lock()  # of the scheduler
        self._here = threading.local()  # the work that a thread is at
        self._open = 0
        for purpose in Purpose:
            BOT_QUEUE.labels(purpose.label).set_function(functools.partial(self._scheduler.waiting, purpose))

    async def choose(
        self, purpose: Purpose, owner: Owner, game: Game, level: int, seed: int, view: JsonObject
    ) -> Choice:
        """What a bot of this level does; stops thinking when the caller is cancelled."""

        def think(job: Pending) -> Choice:
            threads = self.threads if self._open == 1 and not job.in_the_midst else 1
            limits = Limits(threads=threads, stop=job.stop, progress=lambda *_: self._yield_to_urgent(job))
            return bot(game, level, seed).choose(view, limits)

        choice: Choice = await self._do(Pending(purpose, owner, think))
        return choice

    async def run(self, purpose: Purpose, owner: Owner, work: Callable[[], T]) -> T:
        """Some other slow work in the same threads; if it is long it calls `yield_to_urgent` now and then."""
        done: T = await self._do(Pending(purpose, owner, lambda _: work()))
        return done

    def yield_to_urgent(self, *_: object) -> None:
        """Do what is more urgent than the work that this thread is at; can be the `progress` of a search."""
        self._yield_to_urgent(self._here.job)

    async def _do(self, job: Pending) -> Any:  # Any: what its work finds
        self._open += 1
        with self._lock:
            self._scheduler.submit(job)
        self._pool.submit(self._next)  # not this job, but the one whose turn it is
        try:
            return await asyncio.wrap_future(job.result)
        finally:
            self._open -= 1
            job.stop.set()
            with self._lock:
                self._scheduler.withdraw(job)

    def _next(self) -> None:
        with self._lock:
            job = self._scheduler.next()
        if job is not None:  # otherwise it was withdrawn, or done in the midst of another
            self._work_off(job)

    def _yield_to_urgent(self, job: Pending) -> None:
        while True:
            with self._lock:
                urgent = self._scheduler.next_before(job)
            if urgent is None:
                return
            begun, urgent.in_the_midst = time.perf_counter(), True
            self._work_off(urgent)
            job.away += time.perf_counter() - begun

    def _work_off(self, job: Pending) -> None:
        if not job.result.set_running_or_notify_cancel():
            return
        begun, outer = time.perf_counter(), getattr(self._here, "job", None)
        BOT_WAIT_SECONDS.labels(job.purpose.label).observe(begun - job.since)
        self._here.job = job
        found = failed = None
        try:
            with BOT_BUSY.track_inprogress():
                found = job.work(job)
        except BaseException as error:
            failed = error
        self._here.job = outer
        BOT_SECONDS.labels(job.purpose.label).observe(time.perf_counter() - begun - job.away)
        if failed is None:
            job.result.set_result(found)
        else:
            job.result.set_exception(failed)

    def close(self) -> None:
        """Wait for nobody."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def compile_all() -> None:
    """Have all games compiled when nobody needs the time for something else, those without a solver first."""
    for game in sorted(map(load, names()), key=lambda game: not game.listed_in_full):
        heuristics_for(game).prepare(urgent=False)


def compile_bots(game: Game) -> None:
    """Have the bots of a game compiled next: somebody is going to wait for them."""
    heuristics_for(game).prepare()


def _be_gentle() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GENTLE)
