"""The random numbers of Clew, the same on every platform forever: xoshiro128** 1.1, and ChaCha20 for secret deals.

Whoever sees enough numbers of xoshiro128** can compute the others; of ChaCha20 with a secret key nobody can. A
generator is an int64 array of 32-bit words, of four words or of three rows, so that the compiler tells the two by their
types. No step needs more than 63 bits, so plain Python, compiled kernels and any other language get the same numbers.
`docs/rng.md` writes both down with test vectors.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from clew.core.kernels import rule
from clew.core.types import Generator, Numbers

WORD = 0xFFFFFFFF

CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
STATE, BLOCK, USED = 0, 1, 2  # the rows of ChaCha20; of the last one only the first number counts
KEY, COUNTER, WORDS = 4, 12, 16  # in a row


def stream(seed: int, purpose: str = "deal", salt: str | None = None) -> NDArray[np.int64]:
    """A fresh generator for this seed, ChaCha20 if there is a salt; different purposes never share numbers.

    >>> [next32(rng) for rng in [stream(7)] for _ in range(2)]
    [2706295629, 3418443706]
    """
    if salt is None:
        digest = hashlib.sha256(f"clew {purpose} {seed}".encode()).digest()
        return np.frombuffer(digest[:16], dtype=">u4").astype(np.int64)
    digest = hashlib.sha256(f"clew chacha20 {purpose} {seed} {salt}".encode()).digest()
    rng = np.zeros((3, WORDS), np.int64)
    rng[STATE, :KEY] = CONSTANTS
    rng[STATE, KEY:COUNTER] = np.frombuffer(digest, dtype="<u4")
    rng[USED, 0] = WORDS  # there is no block yet
    return rng


@rule
def next32(rng: Generator) -> int:
    """The next 32 random bits, as an integer from 0 to 2^32 - 1."""
    if rng.ndim == 2:  # the compiler knows, and leaves it out of kernels for xoshiro128**
        return next_of_block(rng)
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
def next_of_block(rng: Generator) -> int:
    """The next 32 bits of ChaCha20, from a new block if the last one is used up."""
    state, block, used = rng[STATE], rng[BLOCK], rng[USED]
    if used[0] == WORDS:
        for i in range(WORDS):
            block[i] = state[i]
        for turn in range(20):
            step = turn % 2  # columns, then diagonals
            for i in range(4):
                quarter_round(block, i, 4 + (i + step) % 4, 8 + (i + 2 * step) % 4, 12 + (i + 3 * step) % 4)
        for i in range(WORDS):
            block[i] = (block[i] + state[i]) & WORD
        state[COUNTER] += 1
        used[0] = 0
    used[0] += 1
    return int(block[used[0] - 1])


@rule
def quarter_round(x: Numbers, a: int, b: int, c: int, d: int) -> None:
    """Mix four words of a block, as RFC 8439 has it."""
    p, q, r, s = int(x[a]), int(x[b]), int(x[c]), int(x[d])
    for left, right in ((16, 12), (8, 7)):
        p = (p + q) & WORD
        s ^= p
        s = ((s << left) | (s >> 32 - left)) & WORD
        r = (r + s) & WORD
        q ^= r
        q = ((q << right) | (q >> 32 - right)) & WORD
    x[a], x[b], x[c], x[d] = p, q, r, s


@rule
def absorb(rng: Generator, numbers: Numbers, n: int) -> None:
    """Stir n bytes into a generator of four words: the same bytes lead to the same numbers, others to others.

    Each four bytes, little endian, the last ones filled up with zeros, are XORed to the first word, and then n; after
    each of them the words are mixed as those of a ChaCha20 block, and four times more at the end.
    """
    for i in range(0, n, 4):
        word = np.int64(0)
        for k in range(min(4, n - i)):
            word |= np.int64(numbers[i + k]) << (8 * k)
        rng[0] ^= word
        quarter_round(rng, 0, 1, 2, 3)
    rng[0] ^= n & WORD
    for _ in range(5):
        quarter_round(rng, 0, 1, 2, 3)


@rule
def branch(rng: Generator, number: int, to: Generator) -> None:
    """Make `to` a generator of four words that goes on from `rng` in a way of its own for each number."""
    for i in range(4):
        to[i] = rng[i]
    to[0] ^= number & WORD
    for _ in range(4):
        quarter_round(to, 0, 1, 2, 3)


@rule
def below(rng: Generator, n: int) -> int:
    """A number from 0 to n - 1, each exactly as likely; n is at most 2^31 (multiply, shift, reject the remainder)."""
    n = int(n)  # un-compiled, a small NumPy integer would overflow
    product = next32(rng) * n
    rest = product & WORD
    if rest < n:
        threshold = (WORD + 1 - n) % n
        while rest < threshold:
            product = next32(rng) * n
            rest = product & WORD
    return product >> 32


@rule
def shuffle(rng: Generator, cards: Numbers, count: int) -> None:
    """Put the first `count` cards in random order: from the last place down, swap with one at or below."""
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
