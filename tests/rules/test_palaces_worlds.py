"""What a chair of The Lost Palaces holds for possible late in a game, against odds worked out by hand."""

import base64
from collections import Counter

import numpy as np
import pytest

import clew
from clew.core.game import load
from clew.core.rng import stream
from clew.games.palaces.rules import CARD, CLOSED, NO_CARD, RARE

WORLDS = 6000


def late_table(left):
    """A game in which nothing happened but discards, with so many cards left in the pile."""
    t = clew.new("palaces", seed=21)
    while t.view(None)["table"]["pile"] > left:
        t.play(next(move for move in t.legal_moves() if str(move).startswith("-")))
    return t


def worlds(t, seat, count=WORLDS):
    game = load("palaces")
    known = np.frombuffer(base64.b64decode(t.view(seat)["known"]), game.rules.VIEW).view(np.recarray)
    rng = stream(1, "test")
    found = game.states(count)
    for i in range(count):
        game.kernels.imagine(known[0], rng, found[i])
    return found


def chi_square(counts, expected):
    assert set(counts) <= set(expected), "a world that cannot be"
    return sum((counts[key] - odds * WORLDS) ** 2 / (odds * WORLDS) for key, odds in expected.items())


def unseen(t, seat):
    seen = Counter(t.view(seat)["table"]["hand"] + t.view(seat)["table"]["discards"])
    whole = Counter({name: (3 if name[1:] == "A" else 2) for name in CARD.pieces})
    return whole - seen


@pytest.mark.rule("PAL-20")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_last_card_of_the_pile_is_any_unseen_one_as_likely(seat):
    t = late_table(1)
    rest = unseen(t, seat)
    assert rest.total() == 9
    counts = Counter(CARD.pieces[world.pile[-1]] for world in worlds(t, seat))
    expected = {card: n / 9 for card, n in rest.items()}
    assert chi_square(counts, expected) < 40  # 8 degrees: p < 0.00001


@pytest.mark.rule("PAL-20")
def test_hand_and_pile_together_are_all_unseen_cards():
    t = late_table(3)
    rest = unseen(t, 0)
    for world in worlds(t, 0, 200):
        cards = [*world.hand[1].tolist(), *world.pile[-3:].tolist()]
        assert Counter(CARD.pieces[card] for card in cards) == rest
        assert (world.pile[:-3] == NO_CARD).all()


@pytest.mark.rule("PAL-20")
def test_each_pair_of_cards_is_left_in_either_order_as_likely():
    t = late_table(2)
    rest = list(unseen(t, 1).elements())
    expected = Counter()
    for i, first in enumerate(rest):
        for j, second in enumerate(rest):
            if i != j:
                expected[first, second] += 1 / 90
    counts = Counter((CARD.pieces[world.pile[-2]], CARD.pieces[world.pile[-1]]) for world in worlds(t, 1))
    assert chi_square(counts, expected) < 175  # 89 degrees at most: p < 0.000001


@pytest.mark.rule("PAL-04")
def test_a_rare_find_lies_under_any_closed_site_of_its_palace_as_likely():
    t = clew.new("palaces", seed=21)
    found = worlds(t, 0)
    for palace in range(4):
        counts = Counter(world.finds[palace].tolist().index(RARE) for world in found)
        assert chi_square(counts, dict.fromkeys(range(5), 1 / 5)) < 40
    assert all(CLOSED not in world.finds for world in found[:50])
    statues = Counter(int(world.finds[0, 0]) for world in found)
    assert chi_square(statues, {RARE: 1 / 5, 2: 0.8 * 10 / 16, 3: 0.8 * 3 / 16, 4: 0.8 * 3 / 16}) < 35
