"""The clocks of a table: how much time each seat has, from the entries of its log.

What a move took is written into its entry, so that clocks can be rebuilt. Within a process time is steady: it takes no
part in jumps of the computer's clock, and it stands still while the process does. Time while no server was running
counts for nobody.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable

from clew.server.messages import ClockRule, Clocks

BEAT = 0.5  # seconds between two signs of life of the event loop
PAUSE = 1.0  # seconds that it may be late; if it is later than that, it stood still


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class SteadyTime:
    """Milliseconds since the process began, without those in which it was stopped or its event loop stood still."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.run = secrets.token_hex(6)
        """Names this process in entries: its steady time means nothing to another."""
        self.began = now_ms()
        self._monotonic = monotonic
        self._zero = self._read = monotonic()
        self._beat: float | None = None  # when the event loop gave its last sign of life
        self._lock = threading.Lock()

    def now(self) -> int:
        """Read it. Whoever reads it first after a pause finds the pause, so nobody loses time by it."""
        with self._lock:
            at = self._monotonic()
            if self._beat is not None and at - self._beat > BEAT + PAUSE:
                self._zero += at - max(self._read, self._beat + BEAT)
                self._beat = at
            self._read = at
            return int(1000 * (at - self._zero))

    def beat(self) -> None:
        """The event loop is at work; said every `BEAT` seconds."""
        self.now()
        self._beat = self._monotonic()

    def rest(self) -> None:
        """There is no event loop any more that could be late."""
        self._beat = None

    def stamp(self) -> tuple[str, int]:
        """Now, for an entry that this process may read again."""
        return self.run, self.now()


STEADY = SteadyTime()


def made_at(at: int, steady: tuple[str, int] | None) -> int:
    """When an entry was made, in steady time; by the computer's clock if another process made it."""
    if steady is not None and steady[0] == STEADY.run:
        return steady[1]
    now = STEADY.now()
    return now - min(now, max(0, now_ms() - max(at, STEADY.began)))


def alarm_time() -> int:
    """The time by which alarms are kept in the store: since 1970, and steady while this process runs."""
    return STEADY.began + STEADY.now()


def awake_for() -> int:
    """For how many milliseconds this server has been running."""
    return STEADY.now()


class Clock:
    """The time of all seats, in milliseconds."""

    def __init__(self, rule: ClockRule, players: int) -> None:
        self.rule = rule
        self.left = [1000 * (rule.move or rule.total or 0)] * players
        self.began: dict[int, int] = {}  # the seats whose clocks run, since when in steady time

    def copy(self) -> Clock:
        """Clocks that go their own way from here."""
        twin = Clock(self.rule, 0)
        twin.left, twin.began = self.left[:], dict(self.began)
        return twin

    def owe(self, seats: Iterable[int], at: int) -> None:
        """From now on the clocks of these seats run, and no others."""
        seats = set(seats)
        for seat in seats - self.began.keys():
            self.began[seat] = at
        for seat in self.began.keys() - seats:
            del self.began[seat]

    def used(self, seat: int, at: int) -> int:
        """How much of its time a seat has used since its clock runs."""
        return max(0, at - self.began.get(seat, at))

    def spend(self, seat: int, used: int, earns: bool = True) -> None:
        """A seat has moved, and it took so long; it earns the increment unless a bot did that."""
        self.stop(seat, used)
        if self.rule.move:
            self.left[seat] = 1000 * self.rule.move
        elif earns:
            self.left[seat] += 1000 * self.rule.increment

    def stop(self, seat: int, used: int) -> None:
        """A seat has used so much of its time and does not go on itself."""
        self.left[seat] = max(0, self.left[seat] - used)
        self.began.pop(seat, None)

    def resume(self, seat: int) -> None:
        """A person is back in a seat: with the time that was left, or else with one increment."""
        self.left[seat] = self.left[seat] or 1000 * self.rule.increment

    def take_back(self, seat: int) -> None:
        """A move was taken back, and what it earned."""
        self.left[seat] = max(0, self.left[seat] - 1000 * self.rule.increment)

    def falls(self) -> tuple[int, int] | None:
        """When the next clock runs out, in steady time, and whose; None if none is running."""
        return min(((since + self.left[seat], seat) for seat, since in self.began.items()), default=None)

    def alarm(self) -> tuple[int, int] | None:
        """When the next clock runs out by `alarm_time`, and the least that one of those that run has left."""
        falls = self.falls()
        return None if falls is None else (STEADY.began + falls[0], min(self.left[seat] for seat in self.began))

    def message(self) -> Clocks:
        """As a client reads it now."""
        now = STEADY.now()
        left = [max(0, ms - self.used(seat, now)) for seat, ms in enumerate(self.left)]
        return Clocks(left, sorted(self.began), now_ms())
