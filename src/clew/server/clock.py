"""The clocks of a table: how much time each seat has, from the entries of its log.

What a move took is written into its entry, so that clocks can be rebuilt; time while no server was running counts for
nobody.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from clew.server.messages import ClockRule, Clocks


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


AWAKE_SINCE = now_ms()


class Clock:
    """The time of all seats, in milliseconds."""

    def __init__(self, rule: ClockRule, players: int) -> None:
        self.rule = rule
        self.left = [1000 * (rule.move or rule.total or 0)] * players
        self.began: dict[int, int] = {}  # the seats whose clocks run, since when

    def copy(self) -> Clock:
        """Clocks that go their own way from here."""
        twin = Clock(self.rule, 0)
        twin.left, twin.began = self.left[:], dict(self.began)
        return twin

    def owe(self, seats: Iterable[int], at: int) -> None:
        """From now on the clocks of these seats run, and no others."""
        seats = set(seats)
        for seat in seats - self.began.keys():
            self.began[seat] = max(at, AWAKE_SINCE)
            if self.rule.move:
                self.left[seat] = 1000 * self.rule.move
        for seat in self.began.keys() - seats:
            del self.began[seat]

    def used(self, seat: int, at: int) -> int:
        """How much of its time a seat has used since its clock runs."""
        return max(0, at - self.began.get(seat, at))

    def spend(self, seat: int, used: int) -> None:
        """A seat has done what it owed, and it took so long."""
        self.left[seat] = max(0, self.left[seat] - used) + 1000 * self.rule.increment
        self.began.pop(seat, None)

    def falls(self) -> tuple[int, int] | None:
        """When the next clock runs out, and whose; None if none is running."""
        return min(((since + self.left[seat], seat) for seat, since in self.began.items()), default=None)

    def message(self, at: int) -> Clocks:
        """As a client reads it."""
        left = [max(0, ms - self.used(seat, at)) for seat, ms in enumerate(self.left)]
        return Clocks(left, sorted(self.began), at)
