"""Rate limits: token buckets, which fill up with time, for a connection, a person or an address."""

from __future__ import annotations

import time
from collections import OrderedDict

MOST = 10_000  # addresses or persons that are remembered


class TokenBucket:
    """So many at once, and so many a second after that; a rate of 0 is no limit."""

    __slots__ = ("_level", "_rate", "_size", "_when")

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, size
        self._level, self._when = size, time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Whether there was enough; if so it is gone."""
        if not self._rate:
            return True
        now = time.monotonic()
        self._level = min(self._size, self._level + (now - self._when) * self._rate)
        self._when = now
        if self._level < cost:
            return False
        self._level -= cost
        return True


class RateLimiter:
    """A token bucket for each address or person; those not seen for long are forgotten."""

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, size
        self._found: OrderedDict[str, TokenBucket] = OrderedDict()

    def bucket(self, who: str) -> TokenBucket:
        """The bucket of this address or person."""
        bucket = self._found.pop(who, None) or TokenBucket(self._rate, self._size)
        self._found[who] = bucket
        if len(self._found) > MOST:
            self._found.popitem(last=False)
        return bucket

    def allow(self, who: str) -> bool:
        """Whether this address or person may once more."""
        return self.bucket(who).take()
