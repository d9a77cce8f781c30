"""What a good player of Cardtracks knows: which bar to lower, which race to run, and the chances of the spares."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import Floats, rule
from clew.games.cardtracks.rules import (
    ACE,
    CARDS,
    KEEP,
    MOVES,
    PLACE,
    REPLACE,
    State,
    landing,
    legal,
    points,
    rank,
    tracks_won,
)

NAMES = (
    "noise",  # of a playout
    "looks",
    "forward",  # to take a step
    "near",  # for each step taken on the track already
    "race",  # for each step of the other's there
    "win",  # to win the track
    "bar",  # for each rank by which the bar is lower afterwards
    "room",  # for each rank that is still above the card
    "spare",  # for each point that the spare brings on average
)
_NOISE, _LOOKS, FORWARD, NEAR, RACE, WIN, BAR, ROOM, SPARE = range(len(NAMES))
# python bench/tune.py cardtracks --seed 1 --generations 20 --children 24 --deals 600
WEIGHTS = np.array([0.5, 6.0, 5.34, 0.282, -0.0716, 0.676, 0.407, 0.204, 1.57])
COMFORT = 2.0
SEARCH = {"scale": 1 / 16}  # more than a thousand playouts find nothing better: luck rules
KINDS_OF_POINTS = 3
POINTS = (-1, 1, 2)


@rule
def height(card: int) -> int:
    """How high the bar is that a card sets: none for an ace, on which any card steps forward."""
    return 0 if rank(card) == ACE else rank(card)


@rule
def prior(s: State, seat: int, move: int, weights: Floats) -> float:
    """A glance at where the card could go, or at the spare."""
    if move == KEEP:
        return 0.0
    if move >= REPLACE:
        return weights[SPARE] * (mean_spare(s, seat) - points(int(s.centre[seat, move - REPLACE])))
    track = move - PLACE
    card = int(s.deck[seat, s.flips - 1])
    step = int(s.step[seat, track])
    forward = landing(s, seat, track, card) - step
    look = weights[NEAR] * step + weights[RACE] * int(s.step[1 - seat, track]) - weights[ROOM] * height(card)
    if forward:
        look += weights[FORWARD]
        if step + 1 == s.track_length:
            look += weights[WIN]
    else:
        look += weights[BAR] * (height(int(s.last[seat, track])) - height(card))
    return look


@rule
def mean_spare(s: State, seat: int) -> float:
    """The points of a spare, on average."""
    chances = np.zeros(KINDS_OF_POINTS)
    spare_chances(s, seat, chances)
    return float(POINTS[0] * chances[0] + POINTS[1] * chances[1] + POINTS[2] * chances[2])


@rule
def spare_chances(s: State, seat: int, chances: Any) -> None:
    """How likely a spare has each of the POINTS: it is any of the cards that nobody has seen."""
    seen = np.zeros(1 + CARDS, np.int64)
    for track in range(s.tracks):
        if s.won_by[track] == 1 + seat:
            seen[s.centre[seat, track]] = 1
    for i in range(s.flips):
        seen[s.deck[seat, i]] = 1
    unseen = 0
    for card in range(1, 1 + CARDS):
        if not seen[card]:
            unseen += 1
            chances[max(0, points(card))] += 1.0
    for i in range(KINDS_OF_POINTS):
        chances[i] /= unseen


@rule
def duel(s: State, seat: int, payoffs: Any) -> int:
    """CAR-10: the chance to win by each own choice against each of the other's, over all that the spares can be."""
    if not s.choosing:
        return 0
    own_chances, other_chances = np.zeros(KINDS_OF_POINTS), np.zeros(KINDS_OF_POINTS)
    spare_chances(s, seat, own_chances)
    spare_chances(s, 1 - seat, other_chances)
    rows, columns = np.empty(MOVES, np.int64), np.empty(MOVES, np.int64)
    height, width = legal(s, seat, rows), legal(s, 1 - seat, columns)
    own, other = sum_of_centres(s, seat), sum_of_centres(s, 1 - seat)
    tie = 0.5 + 0.5 * np.sign(tracks_won(s, 1 - seat) - tracks_won(s, seat))  # CAR-12
    for i in range(height):
        for j in range(width):
            payoffs[i, j] = 0.0
            for a in range(KINDS_OF_POINTS):
                for b in range(KINDS_OF_POINTS):
                    lead = own + change(s, seat, rows[i], a) - other - change(s, 1 - seat, columns[j], b)
                    won = 1.0 if lead > 0 else tie if lead == 0 else 0.0
                    payoffs[i, j] += own_chances[a] * other_chances[b] * won
    return width


@rule
def sum_of_centres(s: State, seat: int) -> int:
    """The points of a player's winning cards before any spare."""
    total = 0
    for track in range(s.tracks):
        if s.won_by[track] == 1 + seat:
            total += points(int(s.centre[seat, track]))
    return total


@rule
def change(s: State, seat: int, choice: int, kind: int) -> int:
    """What a choice changes if the spare has POINTS[kind]."""
    if choice == KEEP:
        return 0
    return POINTS[kind] - points(int(s.centre[seat, choice - REPLACE]))
