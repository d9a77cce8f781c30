"""What the deals of many games come from: the numbers that `clew.new(game, seed=...)` has, for many seeds."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from clew.core.types import Integers

SPAN = 1_000_000_000  # games of one seed


def seed_of(seed: int, number: int) -> int:
    """The seed of the deal of a game of the lab: `clew.new` deals it by that.

    >>> seed_of(7, 123)
    7000000123
    """
    return seed * SPAN + number


def begins(seed: int, numbers: Sequence[int]) -> Integers:
    """The generators of the deals of these games, as `clew.core.rng.stream` makes each.

    >>> from clew.core.rng import stream
    >>> bool((begins(7, range(123, 124))[0] == stream(7000000123)).all())
    True
    """
    start = seed * SPAN
    digests = b"".join([sha256(b"clew deal %d" % (start + number)).digest()[:16] for number in numbers])
    return np.frombuffer(digests, dtype=">u4").astype(np.int64).reshape(len(numbers), 4)
