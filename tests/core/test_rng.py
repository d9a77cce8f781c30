"""The random numbers are the same everywhere and forever: these figures may never change."""

import hashlib
from collections import Counter

import numpy as np
import pytest

from clew.core.rng import below, next32, shuffle, stream


def xoshiro128_star_star(words):
    """The published algorithm on Python's big integers, as an independent second writing."""

    def turned(word, by):
        return (word << by | word >> 32 - by) % 2**32

    a, b, c, d = words
    while True:
        yield turned(b * 5 % 2**32, 7) * 9 % 2**32
        kept = b << 9 & 2**32 - 1
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c, d = c ^ kept, turned(d, 11)


@pytest.mark.rule("COM-01")
def test_a_seed_gives_the_same_numbers_forever():
    rng = stream(7)
    assert rng.tolist() == [1504553846, 253246564, 2463204586, 1500032753]
    assert [next32(rng) for _ in range(4)] == [2706295629, 3418443706, 2928697793, 867862888]


def test_the_seed_is_hashed_as_text_so_that_any_language_can_do_it():
    digest = hashlib.sha256(b"clew deal 7").digest()
    words = [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4)]
    assert stream(7).tolist() == words


def test_the_generator_is_the_published_one():
    rng = stream(1234567890123456789)
    reference = xoshiro128_star_star(rng.tolist())
    assert [next32(rng) for _ in range(1000)] == [next(reference) for _ in range(1000)]


def test_purposes_do_not_share_numbers():
    assert next32(stream(7, "deal")) != next32(stream(7, "bot"))


def test_below_is_even_and_stays_below():
    rng = stream(1)
    counts = Counter(below(rng, 6) for _ in range(60_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 30  # chi-square, 5 degrees: p < 0.00002


def test_below_rejects_the_remainder():
    # Of 8 numbers in a row, multiply-and-shift alone would send 3 to each remainder 0 and 1 but 2 to the last.
    rng = stream(2)
    counts = Counter(below(rng, 3 * 2**29) % 3 for _ in range(30_000))
    assert max(abs(n - 10_000) for n in counts.values()) < 400


def test_a_shuffle_keeps_the_cards_and_leaves_the_rest_alone():
    cards = np.arange(10)
    shuffle(stream(3), cards, 6)
    assert sorted(cards[:6].tolist()) == [0, 1, 2, 3, 4, 5]
    assert cards[6:].tolist() == [6, 7, 8, 9]


def test_every_order_of_a_shuffle_is_as_likely():
    rng = stream(4)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        cards = np.arange(4)
        shuffle(rng, cards, 4)
        counts[tuple(cards.tolist())] += 1
    assert len(counts) == 24
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 70  # chi-square, 23 degrees: p < 0.000002
