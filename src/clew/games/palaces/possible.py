"""Which states of The Lost Palaces there can be: the log is the whole game, and played over it leads to the state."""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, rule
from clew.games.palaces.rules import (
    CARDS,
    COPIES,
    FRESCO15,
    FRESCO20,
    FRESCOES15,
    FRESCOES20,
    HAND,
    NO_CARD,
    PALACES,
    PAWNS,
    RARE,
    SITES,
    STATUE,
    STATUES,
    TURNS,
    State,
    apply,
    refusal,
)


@rule
def possible(s: State, again: State) -> bool:
    """Whether the cards and the finds are those of the game, and the log leads here."""
    return cards_are_all_there(s) and finds_are_all_there(s) and log_leads_here(s, again)


@rule
def cards_are_all_there(s: State) -> bool:
    """PAL-01: every card once, in the log, in a hand, or in what is left of the pile; the hands in order."""
    left = np.zeros(CARDS, np.int64)
    for card in range(CARDS):
        left[card] = COPIES[card]
    for turn in range(s.turns):
        left[s.log[turn] % CARDS] -= 1
    for seat in range(2):
        for i in range(HAND):
            if s.hand[seat, i] >= 0:
                left[s.hand[seat, i]] -= 1
            if i > 0 and s.hand[seat, i] < s.hand[seat, i - 1]:
                return False
    drawn = int(s.turns) - (s.ended == PAWNS)  # one a turn, but none by a move that ended the game by pawns
    for i in range(TURNS):
        if (i >= drawn) != (s.pile[i] != NO_CARD):
            return False
        if i >= drawn:
            left[s.pile[i]] -= 1
    for card in range(CARDS):
        if left[card] != 0:
            return False
    return True


@rule
def finds_are_all_there(s: State) -> bool:
    """PAL-04: a treasure a palace, and so many others."""
    buried = np.zeros(FRESCO20 + 1, np.int64)
    for palace in range(PALACES):
        for site in range(SITES):
            buried[s.finds[palace, site]] += 1
        if buried[RARE] != palace + 1:
            return False
    return bool(buried[STATUE] == STATUES and buried[FRESCO15] == FRESCOES15 and buried[FRESCO20] == FRESCOES20)


@rule
def log_leads_here(s: State, again: State) -> bool:
    """Play the log over; what else was in the hands does not matter to it."""
    again.players = s.players
    again.edition = s.edition
    again.first = s.first
    again.finds = s.finds
    for turn in range(s.turns):
        seat, move = int(s.first + turn) & 1, int(s.log[turn])
        again.hand[seat, 0] = move % CARDS
        if again.ended or refusal(again, seat, move) != LEGAL:
            return False
        apply(again, seat, move)
    return again.bytes[: State.head_size()] == s.bytes[: State.head_size()]  # all that is public
