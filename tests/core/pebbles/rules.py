"""Pebbles: take one to three from a heap; whoever takes the last one wins.

Each player has a coin under a cup, knows its side, and may lift the cup once instead of taking: heads is a point.
It is here for its two kinds of moves: taking shows nobody anything, lifting shows the other player a secret.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Range, below, fields, rule

TITLE = "Pebbles"
BLURB = "Take the last one."
RULES = 1
PLAYERS = (2, 2)
OPTIONS = (Range("heap", 5, 1, 20, "how many pebbles there are"),)
ENDINGS = ("heap",)
MOVE = np.int64
LIFT = 0  # a move is LIFT or the number of pebbles taken
MOVES = 4
LONGEST = 22
TOO_MANY, LIFTED = 1, 2

PUBLIC = [("turn", np.int16), ("taken", np.int16), ("lifted", np.int16, (2,))]
STATE = fields([*PUBLIC, ("coin", np.int16, (2,))], OPTIONS)
VIEW = fields([*PUBLIC, ("seat", np.int16), ("coin", np.int16, (2,))], OPTIONS)  # a coin is 1 tails, 2 heads


@rule
def deal(s, rng):
    """Toss the coins."""
    for seat in range(2):
        s.coin[seat] = 1 + below(rng, 2)


@rule
def start(s):
    """Seat 0 begins."""
    s.turn = 0


@rule
def to_move(s):
    """In turn, while there are pebbles."""
    return 0 if s.taken == s.heap else 1 << int(s.turn)


@rule
def refusal(s, seat, move):
    """One to three, not more than there are; a cup is lifted once."""
    if move == LIFT:
        return LIFTED if s.lifted[seat] else LEGAL
    return LEGAL if 1 <= move <= min(3, s.heap - s.taken) else TOO_MANY


@rule
def legal(s, seat, out):
    """All of them."""
    count = 0
    for move in range(MOVES):
        if refusal(s, seat, move) == LEGAL:
            out[count] = move
            count += 1
    return count


@rule
def apply(s, seat, move):
    """Take or lift."""
    s.taken += move
    if move == LIFT:
        s.lifted[seat] = 1
    s.turn = 1 - seat


@rule
def ending(s):
    """No pebbles left."""
    return int(s.taken == s.heap)


@rule
def result(s, scores, places):
    """The last pebble wins; coins are worth nothing, they only talk."""
    winner = 1 - int(s.turn)
    for seat in range(2):
        scores[seat] = int(seat == winner)
        places[seat] = 1 if seat == winner else 2


@rule
def copy_public(source, target):
    """What lies open."""
    target.players = source.players
    target.heap = source.heap
    target.turn = source.turn
    target.taken = source.taken
    target.lifted = source.lifted


@rule
def view(s, seat, v):
    """The own coin, and those that were shown."""
    copy_public(s, v)
    v.seat = seat
    for player in range(2):
        if player == seat or s.lifted[player]:
            v.coin[player] = s.coin[player]


@rule
def imagine(v, rng, s):
    """Toss the coins that this chair has not seen."""
    copy_public(v, s)
    for player in range(2):
        s.coin[player] = v.coin[player] if v.coin[player] else 1 + below(rng, 2)


@rule
def cover(s, seat):
    """Coins under cups."""
    for player in range(2):
        if player != seat and not s.lifted[player]:
            s.coin[player] = 0
