"""Masks: two troupes put their players on three stages behind masks, and nobody knows who stands there.

In your turn lay a card face down on a stage, at most two on each. Once in the game you may unmask one of yours instead:
all see it, and it counts two more. When all cards are laid the masks fall, and the higher sum wins a stage.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import FLAG, LEGAL, SEAT, Form, Moves, Reason, index_of, rule, shuffle, sort
from clew.core.declare import Pieces, Record, choice, count, interchangeable, option, own, public, seats, secret, seen

TITLE = "Masks"
BLURB = "Six cards face down on three stages: who hides behind which mask?"
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("masks",)

SEATS = seats(2)
STAGES = interchangeable(("east", "south", "west"))
PLACES = 2
HAND = STAGES * PLACES
NUMBERS = 9
DECK = 2 * NUMBERS
ASIDE = DECK - 2 * HAND
CARD = Pieces([str(number) for number in range(1, NUMBERS + 1)], copies=2)
STAGE, PLACE = choice(*STAGES.labels), choice("first", "second")
MOVE = Moves(
    lay=Form("{card} {stage}", "lay {card} in the {stage}", rule="MAS-02", hidden=("card",), stage=STAGE, card=CARD),
    unmask=Form(
        "unmask {stage} {place}", "unmask the {place} one in the {stage}", rule="MAS-03", stage=STAGE, place=PLACE
    ),
    example="7 east or unmask east first",
)
LAY, UNMASK = range(2)
form_of, card_of, stage_of, place_of = MOVE.readers("card", "stage", "place")
LONGEST = 2 * HAND + 2

NOT_HELD = Reason("MAS-02", "You do not hold a {card}.")
FULL = Reason("MAS-02", "Two of your cards are on that stage already.")
NO_MASK = Reason("MAS-03", "There is no card of yours to unmask.")
UNMASKED_BEFORE = Reason("MAS-03", "You have unmasked a card before.")


class State(Record):
    """MAS-05: a card behind a mask is known to who laid it."""

    bonus = option(range(5), "what a card gains by being unmasked", default=2)
    turn = public(SEAT)
    ended = public(FLAG)
    laid = public(count(PLACES), SEATS, STAGES)
    unmasked = public(FLAG, SEATS, STAGES, PLACES)
    mask = seen(CARD, SEATS, STAGES, PLACES, mine=True, where="is_open")
    hand = own(CARD, SEATS, HAND, packed="back", sorted=True)
    aside = secret(CARD, ASIDE)


@rule
def is_open(s: State, seat: int, player: int, stage: int, place: int) -> bool:
    """MAS-03, MAS-04: unmasked, or at the end."""
    return s.ended == 1 or s.unmasked[player, stage, place] == 1


@rule
def deal(s: State, rng: Any) -> None:
    """MAS-01."""
    cards = np.empty(DECK, np.int64)
    for i in range(DECK):
        cards[i] = 1 + i // 2
    shuffle(rng, cards, DECK)
    for i in range(HAND):
        s.hand[0, i] = cards[i]
        s.hand[1, i] = cards[HAND + i]
    for i in range(ASIDE):
        s.aside[i] = cards[2 * HAND + i]


@rule
def has_unmasked(s: State, seat: int) -> bool:
    """MAS-03: once in the game."""
    for stage in range(STAGES):
        for place in range(PLACES):
            if s.unmasked[seat, stage, place]:
                return True
    return False


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """MAS-02, MAS-03."""
    stage = stage_of(move)
    if form_of(move) == UNMASK:
        if place_of(move) >= s.laid[seat, stage]:
            return NO_MASK
        return UNMASKED_BEFORE if has_unmasked(s, seat) else LEGAL
    if form_of(move) != LAY or index_of(s.hand[seat], HAND, card_of(move)) < 0:
        return NOT_HELD
    return FULL if s.laid[seat, stage] == PLACES else LEGAL


@rule
def apply(s: State, seat: int, move: int) -> None:
    """MAS-02, MAS-03, MAS-04."""
    stage = stage_of(move)
    if form_of(move) == UNMASK:
        s.unmasked[seat, stage, place_of(move)] = 1
    else:
        s.mask[seat, stage, s.laid[seat, stage]] = card_of(move)
        s.laid[seat, stage] += 1
        s.hand[seat, index_of(s.hand[seat], HAND, card_of(move))] = 0
        sort(s.hand[seat], HAND)
    mine, theirs = s.hand[seat, HAND - 1] > 0, s.hand[1 - seat, HAND - 1] > 0
    s.turn = 1 - seat if theirs else seat
    s.ended = int(not mine and not theirs)


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """MAS-04: a point for each stage with the higher sum."""
    points = 0
    for stage in range(STAGES):
        lead = 0
        for place in range(PLACES):
            for player in range(SEATS):
                sign = 1 if player == seat else -1
                lead += sign * (s.mask[player, stage, place] + s.bonus * s.unmasked[player, stage, place])
        points += lead > 0
    return (points,)
