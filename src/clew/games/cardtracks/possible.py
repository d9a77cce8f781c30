"""Which states of Cardtracks there can be: all that was placed and chosen is in the state, and leads to it again."""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, rule
from clew.games.cardtracks.rules import (
    CARDS,
    DECKS_OUT,
    FLIPS,
    KEEP,
    NUMBERS,
    OPTIONS,
    PLACE,
    TRACKS,
    apply,
    deck_size,
    refusal,
    start,
)

STEPS = OPTIONS[0].high  # of the longest track
BOUNDS = {
    "deck_left": (0, FLIPS),
    "landing": (0, STEPS),
    "points": (-1, 2),
    "flips": (0, FLIPS),
    "owing": (0, 0b11),
    "choosing": (0, 1),
    "ended": (0, DECKS_OUT),
    "winner": (0, 2),
    "placed": (0, TRACKS * NUMBERS + STEPS),
    "step": (0, STEPS),
    "last": (0, CARDS),
    "won_by": (0, 2),
    "centre": (0, CARDS),
    "spare": (0, CARDS),
    "deck": (0, CARDS),
    "choice": (0, KEEP + TRACKS),
}


@rule
def possible(s, again):
    """Whether each has a whole deck, and what was placed and chosen leads here."""
    return decks_are_whole(s) and moves_lead_here(s, again)


@rule
def decks_are_whole(s):
    """CAR-01 to CAR-03: every card once, at a centre, as the spare or in the draw deck."""
    for seat in range(2):
        there = np.zeros(1 + CARDS, np.int64)
        for track in range(TRACKS):
            there[s.centre[seat, track]] += track < s.tracks
            if track >= s.tracks and s.centre[seat, track] != 0:
                return False
        there[s.spare[seat]] += 1
        for i in range(FLIPS):
            there[s.deck[seat, i]] += i < deck_size(s)
            if i >= deck_size(s) and s.deck[seat, i] != 0:
                return False
        for card in range(1, 1 + CARDS):
            if there[card] != 1:
                return False
    return True


@rule
def moves_lead_here(s, again):
    """Play the game over: where each card that won a flip lies, then what was chosen."""
    again.players = s.players
    again.track_length = s.track_length
    again.tracks = s.tracks
    again.lanes = s.lanes
    again.centre = s.centre
    again.spare = s.spare
    again.deck = s.deck
    start(again)
    while not again.choosing and s.placed[again.flips - 1] > 0:
        seat, track = int(again.owing) - 1, s.placed[again.flips - 1] // NUMBERS
        move = PLACE * NUMBERS + track
        if refusal(again, seat, move) != LEGAL:
            return False
        apply(again, seat, move)
    for seat in range(2):
        if s.choice[seat] > 0:
            if not again.owing >> seat & 1 or refusal(again, seat, s.choice[seat]) != LEGAL:
                return False
            apply(again, seat, s.choice[seat])
    return (
        again.flips == s.flips
        and again.owing == s.owing
        and again.choosing == s.choosing
        and again.ended == s.ended
        and np.array_equal(again.winner, s.winner)
        and np.array_equal(again.placed, s.placed)
        and np.array_equal(again.step, s.step)
        and np.array_equal(again.last, s.last)
        and np.array_equal(again.won_by, s.won_by)
    )
