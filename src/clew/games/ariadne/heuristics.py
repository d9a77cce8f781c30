"""What a good player of Ariadne's Thread knows: join the own colour, cut the other's, and mind where the Joker sits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from clew.core import rule
from clew.games.ariadne.grid import CARDS, GRID, NOW, OWN, RANKS
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
SIDES = (-GRID, -1, 1, GRID)
# By card, as a table is quicker than a division: its points, and how many of the ranks outrank it (ARI-09)
POINTS_OF = (0, *(min(card % RANKS + 1, 10) for card in range(CARDS)))
OUTRANKING = (0, *(CARDS // RANKS * (0, 4, 6, 6, 6, 5, 4, 4, 3, 2, 1, 1)))


@rule
def beside(s: State, cell: int, seat: int, but: int) -> tuple[int, int]:
    """Face-up cards of a player and of the other at the sides of a cell, not counting the cell `but`."""
    tableau = s.tableau[NOW]
    black = red = 0
    for side in SIDES:
        card = int(tableau[cell + side]) if cell + side != but else 0
        black += 0 < card <= OWN
        red += OWN < card <= CARDS
    return (black, red) if seat == 0 else (red, black)


@rule
def prior(s: State, seat: int, move: int, weights: Sequence[float]) -> float:
    """A glance at a card in its place, and at what it sends away."""
    action, card, cell = parts(move)
    place = cell
    look = 0.0
    if action == MOVE_JOKER:
        place = int(s.joker[NOW])
        shows = s.tableau[NOW, place] < 0  # it will be turned over
        own, other = beside(s, cell, seat, place)
        gain: float = own - other
        look += weights[MOVING_JOKER] + (weights[BY_THESEUS] * gain if shows else -weights[BY_MINOTAUR] * gain)
    elif action != PLAY:
        place = int(s.last)
        gone = int(s.tableau[NOW, place])
        gain = weights[SWAP_POINTS] * POINTS_OF[gone]
        look += weights[SWAPPING] + gain if (gone - 1) // OWN != seat else weights[SWAP_OWN] - gain
        own, other = beside(s, cell, seat, place)
        look += weights[WALL] * (other - own)
    own, other = beside(s, place, seat, -1)
    points = POINTS_OF[card]
    look += weights[BESIDE_OWN] * own + weights[BESIDE_OTHER] * other
    look += weights[PAIR] if own > 1 else 0.0
    look += weights[POINTS] * points if own else -weights[WASTE] * points
    return look - weights[EXPOSED] * OUTRANKING[card]


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
