"""How much is too much: buckets that fill up with time, per connection and per address."""

from __future__ import annotations

import time
from collections import OrderedDict

MOST_ADDRESSES = 10_000


class Bucket:
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


class Buckets:
    """A bucket for each address; those not seen for long are forgotten."""

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, size
        self._found: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Whether this address may."""
        bucket = self._found.pop(address, None) or Bucket(self._rate, self._size)
        self._found[address] = bucket
        if len(self._found) > MOST_ADDRESSES:
            self._found.popitem(last=False)
        return bucket.take(cost)
