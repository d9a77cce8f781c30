"""The bag: which tiles there are, and the draw-off for the start."""

from __future__ import annotations

from typing import Any

from clew.core import rule, seats
from clew.games.aathenuo.tiles import COLOUR_OF, FACE_OF, KINDS, NO_TILE, STAR, TILES

SEATS = seats(4)
ROUNDS = TILES // 2  # of the draw-off at most: two tiles a round, and none goes back before one leads


@rule
def copies_of(s: Any, kind: int) -> int:
    """AAT-01: how often there is a tile of a kind."""
    if COLOUR_OF[kind] >= s.colours:
        return 0
    return int(s.stars) if FACE_OF[kind] == STAR else int(s.copies)


@rule
def fill_bag(s: Any, bag: Any) -> int:
    """AAT-01: all tiles in order; how many there are."""
    count = 0
    for kind in range(KINDS):
        for _ in range(copies_of(s, kind)):
            bag[count] = kind
            count += 1
    return count


@rule
def draw_off(s: Any, bag: Any, count: int) -> bool:
    """AAT-02: draw until one leads; False when the bag is too small for those tied."""
    for i in range(ROUNDS):
        for seat in range(SEATS):
            s.drawoff[i, seat] = NO_TILE
    s.rounds = 0
    tied = (1 << int(s.players)) - 1
    while tied & (tied - 1) != 0:
        highest = -1
        leading = 0
        for seat in range(s.players):
            if tied >> seat & 1:
                if count == 0:
                    return False
                count -= 1
                s.drawoff[s.rounds, seat] = bag[count]
                face = FACE_OF[bag[count]]  # a star beats every number
                if face > highest:
                    highest = face
                    leading = 0
                if face == highest:
                    leading |= 1 << seat
                    s.first = seat
        s.rounds += 1
        tied = leading
    return True
