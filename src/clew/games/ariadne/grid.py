"""The numbers of Ariadne's Thread: its cards, and the cells of its tableaus."""

from __future__ import annotations

from clew.core import rule

# ARI-01 A card is 1 to 48, 0 none: each suit A 2 ... 9 J Q K, spades and clubs black, hearts and diamonds red.
RANKS = 12
OWN = 2 * RANKS  # cards of a colour: a player's deck
CARDS = 2 * OWN
JOKER = CARDS + 1

SPAN = 7  # ARI-12
GRID = 15  # cells a row: 13 around the Joker's first cell, and a margin where nothing ever lies
CENTRE = 7
CELLS = GRID * GRID  # a cell is row * GRID + column
NOW, PAST = 0, 1  # two tableaus: that of this round, and the full one of the round before
TOP, BOTTOM, LEFT, RIGHT = range(4)
LINE = SPAN + 1  # bits a row of the box in a word: seven cells, and one always empty to keep rows apart
PER_THREAD = COLOUR = 1  # the second values of joker_counts and face_down


@rule
def number(card: int) -> int:
    """ARI-09: A = 1, 2 to 9, J = 10, Q = 11, K = 12."""
    return (card - 1) % RANKS + 1
