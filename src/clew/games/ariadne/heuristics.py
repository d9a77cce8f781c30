"""What a good player of Ariadne's Thread knows: join the own colour, cut the other's, and mind where the Joker sits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from clew.core import rule
from clew.games.ariadne.grid import GRID, NOW, OWN, number
from clew.games.ariadne.rules import MOVE_JOKER, PLAY, TURNS, State, parts, total
from clew.games.ariadne.tableau import score

NAMES = (
    "noise",  # of a playout
    "looks",
    "own",  # for each own card at the side of the one played
    "other",  # for each of the other's: it is cut off there
    "pair",  # more if there are two own cards or more: it joins them
    "points",  # for each point of the card beside own cards
    "waste",  # for each point of the card away from them
    "exposed",  # for each rank that could swap the card out
    "swap",  # to swap out a card of the other's
    "swap_own",  # to swap out an own card
    "swap_points",  # for each point of the card that is turned over
    "wall",  # for each card of the other's beside the card turned over, less own ones
    "joker",  # to move the Joker
    "theseus",  # for each own card beside Theseus, less those of the other
    "minotaur",  # for each card of the other's beside the Minotaur, less own ones
)
(
    _NOISE,
    _LOOKS,
    BESIDE_OWN,
    BESIDE_OTHER,
    PAIR,
    POINTS,
    WASTE,
    EXPOSED,
    SWAPPING,
    SWAP_OWN,
    SWAP_POINTS,
    WALL,
    MOVING_JOKER,
    BY_THESEUS,
    BY_MINOTAUR,
) = range(len(NAMES))
WEIGHTS = np.array([2.0, 12.0, 1.29, -0.271, 0.865, -0.182, 0.282, -0.294, 5.77, -5.4, 0.1, 0.724, 0.931, 1.38, -0.721])
COMFORT = 30.0
SEARCH = {"candidates": 24, "depth": 11, "scale": 2.0}  # an odd depth gives both equally many turns
# How many of the ranks outrank each number on the table (ARI-09), from the ace on
OUTRANKING = (0, 4, 6, 6, 6, 5, 4, 4, 3, 2, 1, 1)
SIDES = (-GRID, -1, 1, GRID)


@rule
def beside(s: State, cell: int, seat: int, but: int) -> int:
    """Face-up cards of a player at the sides of a cell, not counting the cell `but`."""
    count = 0
    for side in SIDES:
        near = cell + side
        if near != but:
            card = int(s.tableau[NOW, near])
            count += card > 0 and (card - 1) // OWN == seat
    return count


@rule
def prior(s: State, seat: int, move: int, weights: Sequence[float]) -> float:
    """A glance at a card in its place, and at what it sends away."""
    action, card, cell = parts(move)
    place = cell
    look = 0.0
    if action == MOVE_JOKER:
        place = int(s.joker[NOW])
        shows = s.tableau[NOW, place] < 0  # it will be turned over
        gain: float = beside(s, cell, seat, place) - beside(s, cell, 1 - seat, place)
        look += weights[MOVING_JOKER] + (weights[BY_THESEUS] * gain if shows else -weights[BY_MINOTAUR] * gain)
    elif action != PLAY:
        place = int(s.last)
        gone = int(s.tableau[NOW, place])
        gain = weights[SWAP_POINTS] * min(number(gone), 10)
        look += weights[SWAPPING] + gain if (gone - 1) // OWN != seat else weights[SWAP_OWN] - gain
        look += weights[WALL] * (beside(s, cell, 1 - seat, place) - beside(s, cell, seat, place))
    own, other = beside(s, place, seat, -1), beside(s, place, 1 - seat, -1)
    points = min(number(card), 10)
    look += weights[BESIDE_OWN] * own + weights[BESIDE_OTHER] * other
    look += weights[PAIR] if own > 1 else 0.0
    look += weights[POINTS] * points if own else -weights[WASTE] * points
    return look - weights[EXPOSED] * OUTRANKING[number(card) - 1]


@rule
def worth(s: State, seat: int, weights: Sequence[float]) -> float:
    """How likely the lead lasts, with this round's tableau as it stands: the more is to come, the less it counts."""
    lead = total(s, seat) - total(s, 1 - seat)
    if s.ended:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    own, other = score(s, seat), score(s, 1 - seat)
    lead += own[0] + own[1] - other[0] - other[1]
    left = (s.rounds - s.round_number) + (TURNS - s.turns) / TURNS
    return 1.0 / (1.0 + math.exp(-1.7 * lead / (5.0 + 40.0 * math.sqrt(max(0.0, left)))))
