"""The random numbers of Clew: xoshiro128** 1.1, seeded by SHA-256, the same on every platform forever.

The generator is four 32-bit words in an int64 array, and no step needs more than 63 bits, so plain Python,
compiled kernels and any other language get the same numbers. `docs/rng.md` writes it down with test vectors.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.core.kernels import rule

WORD = 0xFFFFFFFF


def stream(seed: int, purpose: str = "deal") -> NDArray[np.int64]:
    """A fresh generator for this seed; different purposes never share numbers.

    >>> [next32(rng) for rng in [stream(7)] for _ in range(2)]
    [2706295629, 3418443706]
    """
    digest = hashlib.sha256(f"clew {purpose} {seed}".encode()).digest()
    return np.frombuffer(digest[:16], dtype=">u4").astype(np.int64)


@rule
def next32(rng: Any) -> int:
    """The next 32 random bits, as an integer from 0 to 2^32 - 1."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    scrambled = (b * 5) & WORD
    scrambled = ((scrambled << 7) | (scrambled >> 25)) & WORD
    c ^= a
    d ^= b
    rng[0] = a ^ d
    rng[1] = b ^ c
    rng[2] = c ^ ((b << 9) & WORD)
    rng[3] = ((d << 11) | (d >> 21)) & WORD
    return int((scrambled * 9) & WORD)


@rule
def below(rng: Any, n: int) -> int:
    """A number from 0 to n - 1, each exactly as likely; n is at most 2^31 (multiply, shift, reject the remainder)."""
    product = next32(rng) * n
    rest = product & WORD
    if rest < n:
        threshold = (WORD + 1 - n) % n
        while rest < threshold:
            product = next32(rng) * n
            rest = product & WORD
    return product >> 32


@rule
def shuffle(rng: Any, cards: Any, count: int) -> None:
    """Put the first `count` cards in random order: from the last place down, swap with one at or below."""
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
