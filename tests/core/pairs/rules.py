"""Pairs: hold two, show one, like Tokens of the kit's tests, but declared.

There are seven tokens: three ones, two twos, two threes. Two players get two each; the others stay in a bag. Each shows
one token, and the higher number wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import LEGAL, Form, Moves, Reason, index_of, rule, shuffle, sort
from clew.core.declare import Pieces, Record, own, public, seats, secret

TITLE = "Pairs"
BLURB = "Hold two, show one."
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("shown",)
SEATS = seats(2)
HAND, BAG = 2, 3
TOKEN = Pieces("123", (3, 2, 2))
MOVE = Moves(show=Form("{token}", "show {token}", rule="PAI-02", token=TOKEN), example="2")
(token_of,) = MOVE.readers("token")[1:]
LONGEST = 2
NOT_HELD = Reason("PAI-02", "You do not hold a {token}.")


class State(Record):
    """Who has shown what; the rest is hidden."""

    shown = public(TOKEN, SEATS)
    hand = own(TOKEN, SEATS, HAND, packed="back", sorted=True)
    bag = secret(TOKEN, BAG)


@rule
def deal(s: State, rng: Any) -> None:
    """PAI-01."""
    tokens = np.array([1, 1, 1, 2, 2, 3, 3])
    shuffle(rng, tokens, len(tokens))
    for i in range(BAG):
        s.bag[i] = tokens[i]
    for i in range(2 * HAND):
        s.hand[i // 2, i % 2] = tokens[BAG + i]


@rule
def to_move(s: State) -> int:
    """PAI-02: in turn."""
    if s.shown[0] == 0:
        return 1
    return 2 if s.shown[1] == 0 else 0


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """PAI-02: a token that is held."""
    return LEGAL if index_of(s.hand[seat], HAND, token_of(move)) >= 0 else NOT_HELD


@rule
def apply(s: State, seat: int, move: int) -> None:
    """PAI-02: show it."""
    s.shown[seat] = token_of(move)
    s.hand[seat, index_of(s.hand[seat], HAND, token_of(move))] = 0
    sort(s.hand[seat], HAND)


@rule
def ending(s: State) -> int:
    """PAI-03."""
    return 1 if to_move(s) == 0 else 0


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """PAI-03: the higher number wins."""
    return (int(s.shown[seat]),)
