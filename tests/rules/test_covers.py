"""What is secret in the five games, stated a second time and by hand, against what their rules declare.

A cover wipes out of a state what a chair does not know; how many cards lie somewhere is known. The view of a covered
state must be the view, and a world imagined from the view must be the covered one where it is covered, too.
"""

import random

import pytest

import clew
from clew.core.knowledge import dream, look
from clew.core.rng import stream

SOME_CARD = 1
GAMES_EACH = 20


def cover_aathenuo(s, seat):
    """AAT-04: the numbers and stars of the others, though not their colours, and the bag's order; AAT-13: not racks."""
    faces, passes = 9, 2
    s.bag[s.top :] = 0
    for other in range(s.players):
        if other != seat and s.ended != passes:
            colours = s.rack[other].reshape(-1, faces).sum(axis=1)
            s.rack[other] = 0
            s.rack[other, ::faces] = colours


def cover_ariadne(s, seat):
    """ARI-19: the other's hand, the order of the decks, the rounds to come."""
    for other in range(2):
        if other != seat:
            s.hand[other][s.hand[other] > 0] = SOME_CARD
    s.deck[s.deck > 0] = SOME_CARD


def cover_cardtracks(s, seat):
    """CAR-14: the order of the decks, centre cards and spares that lie face down, the other's choice until the end."""
    keep = 9
    for player in range(2):
        s.deck[player, s.flips : 51 - s.tracks] = SOME_CARD
        for track in range(s.tracks):
            if s.won_by[track] != 1 + player:
                s.centre[player, track] = SOME_CARD
        if not s.ended or s.choice[player] <= keep:
            s.spare[player] = SOME_CARD
        if not s.ended and player != seat:
            s.choice[player] = 0


def cover_labyrinth(s, seat):
    """LAB-12: which cards the others hold, though not how many, and the deck's order."""
    s.deck[s.deck >= 0] = SOME_CARD
    for other in range(6):
        if other != seat:
            s.hands[other][s.hands[other] >= 0] = SOME_CARD


def cover_palaces(s, seat):
    """PAL-20: the other's hand, the pile's order, what lies in unopened sites."""
    s.pile[s.pile >= 0] = SOME_CARD
    for other in range(2):
        if other != seat:
            s.hand[other][s.hand[other] >= 0] = SOME_CARD
    s.finds[s.opened == 0] = SOME_CARD


SMALL = {"colours": 3, "copies": 2, "stars": 2, "hand": 5, "must_play": "free"}
TABLES = {
    "aathenuo": [(2, SMALL), (3, SMALL), (4, SMALL)],
    "ariadne": [(2, {}), (2, {"rounds": 1, "max_rounds": 1}), (2, {"rounds": 1, "face_down": "colour"})],
    "cardtracks": [
        (2, {}),
        (2, {"tracks": 2, "track_length": 2}),
        (2, {"tracks": 5, "track_length": 3, "lanes": "shared"}),
    ],
    "labyrinth": [(players, {"hand": 1 + players % 4}) for players in range(2, 7)],
    "palaces": [(2, {})],
}
COVERS = {name: globals()[f"cover_{name}"] for name in TABLES}


def covered(game, states, chair, cover):
    hidden = game.twin(states)
    cover(hidden[0], chair)
    return hidden


def compare(table, cover, rng):
    """One position, from every chair."""
    game, states = table.game, table._states[-1]
    for chair in range(-1, table.players):
        known, hidden = look(game, states, chair), covered(game, states, chair, cover)
        assert look(game, hidden, chair).tobytes() == known.tobytes(), "the view tells what is covered"
        world = covered(game, dream(game, known, rng), chair, cover)
        assert world.tobytes() == hidden.tobytes(), "what is not covered is imagined"


def play(name, seed, cover):
    players, options = TABLES[name][seed % len(TABLES[name])]
    table = clew.new(name, players=players, seed=seed, options=options)
    chance, rng = random.Random(seed), stream(seed, "imagined worlds")
    while True:
        compare(table, cover, rng)
        if not table.to_move:
            return table
        seat = chance.choice(table.to_move)
        table.make(chance.choice(table.legal_moves(seat)), seat)


@pytest.mark.rule("AAT-04")
@pytest.mark.rule("AAT-13")
@pytest.mark.rule("ARI-19")
@pytest.mark.rule("CAR-14")
@pytest.mark.rule("LAB-12")
@pytest.mark.rule("PAL-20")
@pytest.mark.parametrize("name", TABLES)
def test_a_chair_sees_all_but_what_is_covered_and_imagines_only_that(name):
    for seed in range(6 if name == "aathenuo" else GAMES_EACH):
        play(name, seed, COVERS[name])


@pytest.mark.parametrize("name", TABLES)
def test_a_cover_that_forgets_something_would_be_noticed(name):
    with pytest.raises(AssertionError, match="imagined"):
        play(name, 1, lambda s, seat: None)


def test_a_cover_that_hides_too_much_would_be_noticed():
    def all_hands(s, seat):
        cover_palaces(s, seat)
        s.hand[s.hand >= 0] = SOME_CARD

    with pytest.raises(AssertionError, match="tells what is covered"):
        play("palaces", 1, all_hands)
