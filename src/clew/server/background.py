"""Work in the background that goes on, whatever happens to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from clew.server.logs import log
from clew.server.metrics import BACKGROUND_FAILURES
from clew.server.store import StoreError

FIRST_WAIT = 1.0  # seconds until something that failed is tried again, at least
LONGEST_WAIT = 5.0  # and when it fails again and again
SETTLED = 60.0  # seconds of work after which a failure is a new one
MOST_TOLD = 1000  # kinds of failures that are remembered


class Failures:
    """What went wrong with a task: all of it is counted, each kind is told once."""

    def __init__(self, task: str) -> None:
        self.task = task
        self._told: set[tuple[object, ...]] = set()

    def note(self, error: BaseException, **about: str) -> None:
        """Something failed, perhaps with one table only."""
        BACKGROUND_FAILURES.labels(self.task).inc()
        kind = (type(error), *about.values())
        if kind in self._told:
            return
        if len(self._told) == MOST_TOLD:
            self._told.clear()
        self._told.add(kind)
        known = isinstance(error, (StoreError, OSError))  # the words of others may tell what a game hides
        said = str(error) if known else type(error).__name__
        log.error(
            "%s failed, and goes on: %s", self.task, said, exc_info=None if known else error, extra={"about": about}
        )

    def forget(self) -> None:
        """It works again: the next failure is told anew."""
        self._told.clear()


async def repeat(task: str, work: Callable[[], Awaitable[object]], pause: float) -> None:
    """Do something for ever, with a pause between; a failure is noted, and after each one the wait is longer."""
    failures, wait = Failures(task), max(pause, FIRST_WAIT)
    while True:
        begun, failed = time.monotonic(), None
        try:
            await work()
        except Exception as error:
            failed = error
        if failed is None or time.monotonic() - begun > SETTLED:
            failures.forget()
            wait = max(pause, FIRST_WAIT)
        if failed is None:
            await asyncio.sleep(pause)
        else:
            failures.note(failed)
            await asyncio.sleep(wait)
            wait = max(pause, min(2 * wait, LONGEST_WAIT))
