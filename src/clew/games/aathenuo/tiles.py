"""The tiles: six colours at most, the numbers 1 to 8 and a star in each."""

from __future__ import annotations

import numpy as np

from clew.core import Pieces, interchangeable

COLOUR_NAMES = ("red", "yellow", "blue", "green", "purple", "orange")
LETTERS = "RYBGPO"
COLOURS = interchangeable(LETTERS)
NUMBERS = 8
STAR = 8  # after the numbers 1 to 8 as 0 to 7
FACES = NUMBERS + 1
KINDS = COLOURS * FACES  # a kind of tile is colour * FACES + face, and
NO_TILE = -1
COPIES, STARS = 3, 4  # AAT-01 the most of a number, and of a colour's stars
MOST = max(COPIES, STARS)
TILES = COLOURS * (COPIES * NUMBERS + STARS)
TILE = Pieces(
    [f"{letter}{face}" for letter in LETTERS for face in [*range(1, NUMBERS + 1), "*"]],
    "copies_of",
    first=0,
    spoken=[f"{colour} {face}" for colour in COLOUR_NAMES for face in [*range(1, NUMBERS + 1), "star"]],
)
COLOUR_OF = np.arange(KINDS) // FACES  # tables: dividing costs the kernels more than looking up
FACE_OF = np.arange(KINDS) % FACES

FARTHEST = 99  # a cell is x,y from -99 to 99
