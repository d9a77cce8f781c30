"""Which states of Cardtracks there can be: all that was placed and chosen is in the state, and leads to it again."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import LEGAL, rule
from clew.games.cardtracks.rules import CARDS, FLIPS, PLACE, TRACKS, State, apply, deck_size, refusal, start


@rule
def possible(s: State, again: Any) -> bool:
    """Whether each has a whole deck, and what was placed and chosen leads here."""
    return decks_are_whole(s) and moves_lead_here(s, again)


@rule
def decks_are_whole(s: State) -> bool:
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
def moves_lead_here(s: Any, again: Any) -> bool:
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
        seat, move = int(again.owing) - 1, PLACE + s.placed[again.flips - 1] - 1
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
        and np.array_equal(again.chosen, s.chosen)
        and again.ended == s.ended
        and np.array_equal(again.winner, s.winner)
        and np.array_equal(again.placed, s.placed)
        and np.array_equal(again.reached, s.reached)
        and np.array_equal(again.step, s.step)
        and np.array_equal(again.last, s.last)
        and np.array_equal(again.won_by, s.won_by)
    )
