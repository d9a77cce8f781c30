"""What a good player of Labyrinth knows: take what there is, keep what the other card wants, leave little behind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clew.core import below, rule
from clew.games.labyrinth.cards import CARDS, MATES, MATES_OF, OPEN, ROTATIONS, SIDES
from clew.games.labyrinth.paths import open_sides
from clew.games.labyrinth.plan import FAR, HIDDEN, IN_LABYRINTH, STEP_X, STEP_Y, TAKEN
from clew.games.labyrinth.rules import HAND, TURNS, State, decode

NAMES = (
    "noise",  # of a playout
    "looks",
    "take",  # for each card taken
    "hope",  # for each card left in the labyrinth that another card in hand could take
    "bait",  # for each card not seen yet that could take the one placed
    "own_bait",  # if another card in hand could take the one placed
    "spent",  # for each card in the labyrinth that the one placed could still have taken
    "joined",  # for each open side that meets another
    "loose",  # for each open side into the free
    "walled",  # for each open side into a wall
)
_NOISE, _LOOKS, TAKE, HOPE, BAIT, OWN_BAIT, SPENT, JOINED, LOOSE, WALLED = range(len(NAMES))
WEIGHTS = np.array([1.0, 12.0, 10.0, 0.5, 0.5, 1.0, 1.0, 0.3, 0.2, 0.1])
COMFORT = 4.0
BEFORE_TAKES = CARDS * ROTATIONS * 4 * FAR * FAR  # a move is its takes times this, and the rest
SEARCH = {"candidates": 24, "depth": 5}  # an odd depth gives both equally many turns


@rule
def prior(s: State, seat: int, move: int, weights: Any) -> float:
    """A glance at a placement with its takes."""
    card, rotation, x, y, takes = decode(move)
    taken = 0
    look = 0.0
    for i in range(MATES):
        mate = MATES_OF[card, i]
        if takes >> i & 1:
            taken |= 1 << mate
            look += weights[TAKE]
        elif s.lies[mate] == HIDDEN:
            look -= weights[BAIT]
        elif s.lies[mate] == IN_LABYRINTH:
            look -= weights[SPENT]
    for i in range(HAND):
        other = int(s.hands[seat, i])
        if other >= 0 and other != card:
            for k in range(MATES):
                mate = MATES_OF[other, k]
                if mate == card:
                    look += weights[OWN_BAIT]
                elif s.lies[mate] == IN_LABYRINTH and not taken >> mate & 1:
                    look += weights[HOPE]
    return look + sides(s, OPEN[card, rotation], x, y, weights)


@rule
def sides(s: State, open_here: int, x: int, y: int, weights: Any) -> float:
    """Where the open sides of a card placed here lead."""
    look = 0.0
    found = 0
    for other in range(CARDS):
        if s.lies[other] == IN_LABYRINTH:
            for side in range(SIDES):
                if s.x[other] == x + STEP_X[side] and s.y[other] == y + STEP_Y[side]:
                    found |= 1 << side
                    if open_here >> side & 1:
                        met = open_sides(s, other) >> (side ^ 2) & 1
                        look += weights[JOINED] if met else -weights[WALLED]
    for side in range(SIDES):
        if open_here & ~found & 1 << side:
            look -= weights[LOOSE]
    return look


@rule
def policy(s: State, seat: int, out: Any, count: int, weights: Any, rng: Any) -> int:
    """Whoever can take something does: any of the moves that take most."""
    best, most, equals = 0, -1, 0
    for i in range(count):
        takes = out[i] // BEFORE_TAKES
        taken = 0
        while takes:
            takes &= takes - 1
            taken += 1
        if taken > most:
            best, most, equals = i, taken, 1
        elif taken == most:
            equals += 1
            if below(rng, equals) == 0:
                best = i
    return best


@rule
def worth(s: State, seat: int, weights: Any) -> float:
    """How likely a lead lasts: the fewer turns are left, the more it counts."""
    own, best = 0, 0
    for player in range(s.players):
        count = 0
        for card in range(CARDS):
            count += s.lies[card] == TAKEN + player
        if player == seat:
            own = count
        else:
            best = max(best, count)
    left = 0.0 if s.ended else float(TURNS - s.turns)
    return 1.0 / (1.0 + math.exp(-1.7 * (own - best) / math.sqrt(0.5 + 0.6 * left)))
