"""The random numbers are the same everywhere and forever: these figures may never change."""

import hashlib
from collections import Counter

import numpy as np
import pytest

from clew.core.kernels import interpreted
from clew.core.rng import absorb, below, branch, next32, shuffle, stream


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
    assert next32(stream(7, "deal", "00ff")) != next32(stream(7, "bot", "00ff"))


def chacha20(key, counter=0, nonce=bytes(12)):
    """The words of RFC 8439's key stream on Python's big integers, as an independent second writing."""

    def turned(word, by):
        return (word << by | word >> 32 - by) % 2**32

    def words(part):
        return [int.from_bytes(part[i : i + 4], "little") for i in range(0, len(part), 4)]

    while True:
        begun = [*words(b"expand 32-byte k"), *words(key), counter, *words(nonce)]
        x = begun[:]
        for _ in range(10):
            for a, b, c, d in (
                *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
                *((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),
            ):
                for one, other, third, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    x[one] = (x[one] + x[other]) % 2**32
                    x[third] = turned(x[third] ^ x[one], by)
        yield from ((now + then) % 2**32 for now, then in zip(x, begun))
        counter += 1


def stirred(words, times):
    """Four words after so many of RFC 8439's quarter rounds, on Python's big integers."""
    a, b, c, d = words
    for _ in range(times):
        for by, then in ((16, 12), (8, 7)):
            a = (a + b) % 2**32
            d = ((d ^ a) << by | (d ^ a) >> 32 - by) % 2**32
            c = (c + d) % 2**32
            b = ((b ^ c) << then | (b ^ c) >> 32 - then) % 2**32
    return [a, b, c, d]


def absorbed(words, data):
    """The same of a generator that absorbs bytes."""
    for i in range(0, len(data), 4):
        words = stirred([words[0] ^ int.from_bytes(data[i : i + 4], "little"), *words[1:]], 1)
    return stirred([words[0] ^ len(data), *words[1:]], 5)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 16, 441])
def test_bytes_are_absorbed_as_written_down(count):
    data = np.random.default_rng(count).integers(0, 256, count).astype(np.uint8)
    for absorbing in (absorb, interpreted(absorb)):
        rng = stream(7, "bot")
        absorbing(rng, data, count)
        assert rng.tolist() == absorbed(stream(7, "bot").tolist(), data.tobytes())


def test_what_is_absorbed_gives_the_same_numbers_forever():
    rng, other = stream(7, "bot"), np.zeros(4, np.int64)
    absorb(rng, np.frombuffer(b"a cle", np.uint8), 5)
    assert rng.tolist() == [869686552, 792966446, 3511578614, 2674259813]
    assert [next32(rng) for _ in range(2)] == [1936494374, 3413008402]
    branch(stream(7, "bot"), 1, other)
    assert other.tolist() == [923260229, 15884908, 2208613635, 810964665]


def test_one_bit_of_what_is_absorbed_changes_half_of_all_bits():
    data = np.random.default_rng(1).integers(0, 256, 64).astype(np.uint8)
    flipped = []
    for bit in range(8 * len(data)):
        words = []
        for other in (0, 1 << bit % 8):
            rng, changed = stream(7, "bot"), data.copy()
            changed[bit // 8] ^= other
            absorb(rng, changed, len(data))
            words.append(rng)
        flipped.append([int(word).bit_count() for word in words[0] ^ words[1]])
    assert 15.5 < np.mean(flipped) < 16.5
    assert np.sum(flipped, axis=1).min() > 35


def test_branches_do_not_share_numbers():
    seen = set()
    for number in range(50):
        other = np.zeros(4, np.int64)
        branch(stream(7, "bot"), number, other)
        seen.add(next32(other))
    assert len(seen) == 50


def from_key(key, counter=0, nonce=bytes(12)):
    """A generator of ours with any key, counter and nonce."""
    rng = stream(0, salt="0")
    rng[0, 4:] = np.frombuffer(key + counter.to_bytes(4, "little") + nonce, "<u4")
    return rng


@pytest.mark.parametrize(
    ("key", "counter", "nonce", "block"),
    [  # 2.3.2 of RFC 8439, and the test vectors 1 to 5 of its appendix A.1
        (
            *(bytes(range(32)), 1, "000000090000004a00000000"),
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
        ),
        (
            *(bytes(32), 0, "00" * 12),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
        ),
        (
            *(bytes(32), 1, "00" * 12),
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
        ),
        (
            *(bytes(31) + b"\1", 1, "00" * 12),
            "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
            "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
        ),
        (
            *(b"\0\xff" + bytes(30), 2, "00" * 12),
            "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
            "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
        ),
        (
            *(bytes(32), 0, "00" * 11 + "02"),
            "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
            "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
        ),
    ],
)
def test_a_block_is_as_rfc_8439_has_it(key, counter, nonce, block):
    words = np.frombuffer(bytes.fromhex(block), "<u4").tolist()
    rng, reference = (make(key, counter, bytes.fromhex(nonce)) for make in (from_key, chacha20))
    assert [next32(rng) for _ in range(16)] == words == [next(reference) for _ in range(16)]


def test_a_seed_with_a_salt_gives_the_same_numbers_forever():
    rng = stream(7, salt="00ff")
    numbers = [next32(rng) for _ in range(17)]
    assert numbers[:4] == [4284205712, 3016459925, 3535263678, 289961384]
    assert numbers[16] == 511572563


@pytest.mark.parametrize(("seed", "salt"), [(0, "0"), (7, "00ff"), (2**256 - 1, "f" * 128)])
def test_seed_and_salt_are_hashed_to_the_key_of_chacha20(seed, salt):
    rng = stream(seed, salt=salt)
    reference = chacha20(hashlib.sha256(f"clew chacha20 deal {seed} {salt}".encode()).digest())
    assert [next32(rng) for _ in range(1000)] == [next(reference) for _ in range(1000)]


@pytest.mark.parametrize("salt", [None, "00ff"])
def test_plain_python_draws_the_numbers_that_compiled_rules_draw(salt):
    here, there = stream(7, salt=salt), stream(7, salt=salt)
    plain = interpreted(below)
    assert [below(here, n) for n in range(1, 200)] == [plain(there, n) for n in range(1, 200)]
    assert here.tolist() == there.tolist()


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
