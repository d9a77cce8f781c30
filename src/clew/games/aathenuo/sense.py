"""What a good player of Aathenuo knows: every tile laid counts, but a star or a tile that fits anywhere can wait."""

from __future__ import annotations

import math

import numpy as np

from clew.core import rule
from clew.games.aathenuo.rules import PLAY
from clew.games.aathenuo.tiles import COLOUR_OF, COLOURS, FACE_OF, FACES, NUMBERS, STAR

NAMES = (
    "noise",  # of a playout
    "looks",
    "tile",  # for each tile laid
    "star",  # for each star laid
    "mates",  # for each tile kept that has a mate on the rack: the same number, or the next of its colour
    "lead",  # for each tile more on another's rack, in the scale of chances
)
_NOISE, _LOOKS, TILE, WILD, MATES, LEAD = range(len(NAMES))
WEIGHTS = np.array([0.5, 12.0, 1.0, 0.8, 0.15, 0.45])
COMFORT = 3.0
SEARCH = {"method": "flat", "candidates": 12, "depth": 9, "scale": 0.04}  # a turn of a playout takes long
SLIPS = 1.0, 0.85, 0.9, 1.0, 0.45, 0.0  # few decisions, most of them for little; from the third level on no blunders


@rule
def mates(s, seat, move):
    """How many tiles stay on the rack that have a mate there after a move."""
    left = np.zeros(COLOURS * FACES, np.int64)
    for kind in range(COLOURS * FACES):
        left[kind] = s.rack[seat, kind]
    for i in range(move.placed):
        left[move.tile[i]] -= 1
    count = 0
    for kind in range(COLOURS * FACES):
        if left[kind] > 0 and FACE_OF[kind] != STAR:
            colour, number = COLOUR_OF[kind], FACE_OF[kind]
            found = (number > 0 and left[kind - 1] > 0) or (number < NUMBERS - 1 and left[kind + 1] > 0)
            for other in range(COLOURS):
                found |= other != colour and left[other * FACES + number] > 0
            count += found
    return count


@rule
def prior(s, seat, move, weights):
    """Tiles laid, less what is worth keeping: stars, and tiles that go well together."""
    if move.action != PLAY:
        return 0.0
    value = weights[TILE] * move.placed + weights[MATES] * mates(s, seat, move)
    for i in range(move.placed):
        if FACE_OF[move.tile[i]] == STAR:
            value -= weights[WILD]
    return value


@rule
def tiles_left(s, seat):
    """How many tiles are on a rack."""
    count = 0
    for kind in range(COLOURS * FACES):
        count += s.rack[seat, kind]
    return count


@rule
def worth(s, seat, weights):
    """Who holds fewer tiles is likely to be out first."""
    own = tiles_left(s, seat)
    behind = 0.0
    for other in range(s.players):
        if other != seat:
            if s.place[seat] > 0 or s.place[other] > 0:
                ahead = s.place[seat] > 0 and (s.place[other] == 0 or s.place[seat] < s.place[other])
                behind += 1.0 if ahead else 0.0
            else:
                behind += 1.0 / (1.0 + math.exp(weights[LEAD] * (own - tiles_left(s, other))))
    return behind / (s.players - 1)
