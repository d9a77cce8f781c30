"""Numbers: moves are written like the numbers of a menu and like commands of the terminal.

In your turn lay a card of your hand face down, drop one, or do nothing under some name. The higher sum wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import FLAG, LEGAL, Form, Moves, Reason, index_of, rule, shuffle, sort
from clew.core.declare import Pieces, Record, count, own, public, seats, secret, seen

TITLE = "Numbers"
BLURB = "What was typed: a card, or a number in a menu?"
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("turns",)
OPTIONS = ()

SEATS = seats(2)
HAND, CARDS, LONGEST = 4, 9, 4
CARD = Pieces([str(number) for number in range(1, CARDS + 1)])
MOVE = Moves(
    lay=Form("{card}", "lay {card}", rule="NUM-01", hidden=("card",), card=CARD),
    drop=Form("-{card}", "drop {card}", rule="NUM-01", hidden=("card",), card=CARD),
    ask=Form("?{card}", "ask about {card}", rule="NUM-02", card=CARD),
    hint=Form("hint", "give a hint", rule="NUM-02"),
    stop=Form("Undo", "undo a knot", rule="NUM-02"),
    example="7 or -7",
)
LAY, DROP, ASK, HINT, STOP = range(5)
form_of, card_of = MOVE.readers("card")

NOT_HELD = Reason("NUM-01", "You do not hold {card}.")


class State(Record):
    """NUM-03: laid cards are seen by who laid them."""

    turns = public(count(LONGEST))
    ended = public(FLAG)
    laid = seen(CARD, SEATS, HAND, mine=True, where="is_open")
    hand = own(CARD, SEATS, HAND, packed="back", sorted=True)
    aside = secret(CARD, CARDS - 2 * HAND)


@rule
def is_open(s: State, seat: int, player: int, place: int) -> bool:
    """NUM-03."""
    return s.ended == 1


@rule
def deal(s: State, rng: Any) -> None:
    """NUM-01."""
    cards = np.arange(1, CARDS + 1)
    shuffle(rng, cards, CARDS)
    for i in range(HAND):
        s.hand[0, i] = cards[i]
        s.hand[1, i] = cards[HAND + i]
    s.aside[0] = cards[CARDS - 1]
    for seat in range(2):
        sort(s.hand[seat], HAND)


@rule
def to_move(s: State) -> int:
    """NUM-01: in turn."""
    return 0 if s.ended else 1 << int(s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """NUM-01."""
    return LEGAL if form_of(move) >= HINT or index_of(s.hand[seat], HAND, card_of(move)) >= 0 else NOT_HELD


@rule
def apply(s: State, seat: int, move: int) -> None:
    """NUM-01."""
    if form_of(move) <= DROP:
        if form_of(move) == LAY:
            s.laid[seat, s.turns // 2] = card_of(move)
        s.hand[seat, index_of(s.hand[seat], HAND, card_of(move))] = 0
        sort(s.hand[seat], HAND)
    s.turns += 1
    s.ended = int(s.turns == LONGEST)


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """NUM-04."""
    points = 0
    for place in range(HAND):
        points += s.laid[seat, place]
    return (points,)
