"""Leap: each of two leapers knows a bull of their own, and dares the other's.

Both pay a shell. In your turn you stand, or you leap, which costs a shell more; who is dared by a leap follows at the
same price, or yields. If both stood or both leapt, the higher bull wins. So small that its best play can be worked out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import FLAG, LEGAL, SEAT, Form, Moves, Reason, rule, shuffle
from clew.core.declare import Pieces, Record, count, own, public, seats, secret

TITLE = "Leap"
BLURB = "One bull each, and the nerve to leap."
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("leapt",)
PERFECT_RECALL = True

SEATS = seats(2)
BULLS = 4
BULL = Pieces([str(number) for number in range(1, BULLS + 1)], copies=1)
MOVE = Moves(
    stand=Form("stand", rule="LEA-02"),
    leap=Form("leap", rule="LEA-02"),
    follow=Form("follow", rule="LEA-03"),
    give=Form("yield", rule="LEA-03"),
    example="leap",
)
STAND, LEAP, FOLLOW, YIELD = range(4)
LONGEST = 3

DARED = Reason("LEA-03", "The other has leapt: follow or yield.")
NOT_DARED = Reason("LEA-03", "Nobody has leapt: stand or leap.")


class State(Record):
    """LEA-05: a bull is known to its leaper alone."""

    turn = public(SEAT)
    ended = public(FLAG)
    stood = public(FLAG)
    paid = public(count(2), SEATS)
    bull = own(BULL, SEATS, 1)
    aside = secret(BULL, BULLS - 2)


@rule
def deal(s: State, rng: Any) -> None:
    """LEA-01."""
    bulls = np.empty(BULLS, np.int64)
    for i in range(BULLS):
        bulls[i] = 1 + i
    shuffle(rng, bulls, BULLS)
    s.bull[0, 0], s.bull[1, 0] = bulls[0], bulls[1]
    for i in range(BULLS - 2):
        s.aside[i] = bulls[2 + i]


@rule
def start(s: State) -> None:
    """LEA-01."""
    s.paid[0], s.paid[1] = 1, 1


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """LEA-02, LEA-03."""
    if s.paid[1 - seat] == 2:
        return LEGAL if move in (FOLLOW, YIELD) else DARED
    return LEGAL if move in (STAND, LEAP) else NOT_DARED


@rule
def apply(s: State, seat: int, move: int) -> None:
    """LEA-02, LEA-03."""
    if move in (LEAP, FOLLOW):
        s.paid[seat] = 2
    s.ended = int(move in (FOLLOW, YIELD) or (move == STAND and s.stood == 1))
    s.stood = int(move == STAND)
    s.turn = 1 - seat


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """LEA-04: what is won or lost, in shells."""
    other = 1 - seat
    if s.paid[seat] != s.paid[other]:
        won = s.paid[seat] > s.paid[other]
    else:
        won = s.bull[seat, 0] > s.bull[other, 0]
    return (int(s.paid[other]) if won else -int(s.paid[seat]),)
