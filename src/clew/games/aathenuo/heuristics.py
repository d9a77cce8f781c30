"""What a good player of Aathenuo knows: every tile laid counts, but a star or a tile that fits anywhere can wait."""

from __future__ import annotations

from typing import Any

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
    "few",  # how much it counts to hold fewer tiles than another, as a power
    "alone",  # the same for tiles without a mate
)
_NOISE, _LOOKS, TILE, WILD, MATES, FEW, ALONE = range(len(NAMES))
WEIGHTS = np.array([0.5, 12.0, 1.0, 0.8, 0.15, 0.49, 0.65])
COMFORT = 3.0
SEARCH = {"method": "flat", "candidates": 12, "depth": 5, "scale": 0.04}  # a turn of a playout takes long
FORECASTS = 100  # for the same reason
SLIPS = 1.0, 0.85, 0.94, 0.9, 0.6, 0.0  # few decisions, most of them for little
BLUNDERS = 1.0, 1.0, 0.65, 0.5, 0.25, 0.0


@rule
def mates(rack: Any) -> int:
    """How many kinds of tiles on a rack have a mate there."""
    count = 0
    for kind in range(COLOURS * FACES):
        if rack[kind] > 0 and FACE_OF[kind] != STAR:
            colour, number = COLOUR_OF[kind], FACE_OF[kind]
            found = (number > 0 and rack[kind - 1] > 0) or (number < NUMBERS - 1 and rack[kind + 1] > 0)
            for other in range(COLOURS):
                found |= other != colour and rack[other * FACES + number] > 0
            count += found
    return count


@rule
def prior(s: Any, seat: int, move: Any, weights: Any) -> Any:
    """Tiles laid, less what is worth keeping: stars, and tiles that go well together."""
    if move.action != PLAY:
        return 0.0
    left = s.rack[seat].copy()
    value = weights[TILE] * move.placed
    for i in range(move.placed):
        left[move.tile[i]] -= 1
        if FACE_OF[move.tile[i]] == STAR:
            value -= weights[WILD]
    return value + weights[MATES] * mates(left)


@rule
def haste(s: Any, seat: int, weights: Any) -> Any:
    """How soon a rack may be empty, next to others: few tiles, and few that wait alone for what the bag brings."""
    tiles = stars = 0
    for kind in range(COLOURS * FACES):
        tiles += s.rack[seat, kind]
        if FACE_OF[kind] == STAR:
            stars += s.rack[seat, kind]
    alone = tiles - stars - mates(s.rack[seat])
    return 1.0 / (max(tiles, 1) ** weights[FEW] * (1 + alone) ** weights[ALONE])


@rule
def worth(s: Any, seat: int, weights: Any) -> Any:
    """The chances to be out before each of the others, by the haste of both."""
    own = haste(s, seat, weights)
    behind = 0.0
    for other in range(s.players):
        if other != seat:
            if s.place[seat] > 0 or s.place[other] > 0:
                ahead = s.place[seat] > 0 and (s.place[other] == 0 or s.place[seat] < s.place[other])
                behind += 1.0 if ahead else 0.0
            else:
                behind += own / (own + haste(s, other, weights))
    return behind / (s.players - 1)
