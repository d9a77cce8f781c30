"""Which states of Labyrinth there can be: cards laid as turns lay them, and all others in the hands and the deck."""

from __future__ import annotations

import numpy as np

from clew.core import rule
from clew.games.labyrinth.cards import CARDS, OPEN
from clew.games.labyrinth.paths import closed
from clew.games.labyrinth.plan import HIDDEN, IN_LABYRINTH, PLAN, TAKEN, draw_plan, neighbours
from clew.games.labyrinth.rules import (
    CLOSED,
    DECK,
    HAND,
    NO_CARD,
    ONE_PIECE,
    PLAYED,
    SEATS,
    SQUARE,
    TURNS,
    State,
    top_of_deck,
)


@rule
def possible(s: State, again: State) -> bool:
    """Whether the labyrinth, the hands and the deck are as after so many turns."""
    if s.begins >= s.players or (s.first > 0 and s.begins != s.first - 1):
        return False
    if s.ended != (PLAYED if s.turns == TURNS else CLOSED if closed(s) else 0):  # LAB-10, LAB-11
        return False
    return cards_lie_well(s) and labyrinth_holds(s) and others_are_hidden(s)


@rule
def cards_lie_well(s: State) -> bool:
    """LAB-02, LAB-03: a card a turn besides the square, each turned as it can be."""
    open_cards = 0
    for card in range(CARDS):
        open_cards += s.lies[card] != HIDDEN
        if s.lies[card] == IN_LABYRINTH:
            if OPEN[card, s.rotation[card]] == 0:
                return False
        elif s.x[card] != 0 or s.y[card] != 0 or s.rotation[card] != 0 or s.lies[card] >= TAKEN + s.players:
            return False
    return open_cards == SQUARE + s.turns


@rule
def labyrinth_holds(s: State) -> bool:
    """LAB-03, LAB-07: no two cards on a cell, none alone, one piece if it must be, no wider than turns make it."""
    left, right, top, bottom = 2 * TURNS, -2 * TURNS, 2 * TURNS, -2 * TURNS
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            left, right = min(left, int(s.x[card])), max(right, int(s.x[card]))
            top, bottom = min(top, int(s.y[card])), max(bottom, int(s.y[card]))
    if (right - left + 1) + (bottom - top + 1) > 2 + 2 + s.turns:  # a turn moves one border by one cell
        return False
    plan = np.empty(PLAN, np.int16)
    beside = np.zeros(CARDS, np.int64)
    first_column, first_row, width, _ = draw_plan(s, plan)
    everything, piece, before = 0, 0, -1
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            cell = (int(s.y[card]) - first_row) * width + int(s.x[card]) - first_column
            beside[card] = neighbours(plan, width, cell)
            if plan[cell] != card or beside[card] == 0:
                return False
            everything |= 1 << card
            piece = 1 << card
    while piece != before:
        before = piece
        for card in range(CARDS):
            if beside[card] & piece:
                piece |= 1 << card
    return s.labyrinth != ONE_PIECE or piece == everything


@rule
def others_are_hidden(s: State) -> bool:
    """LAB-02, LAB-09: a hidden card is in one hand, in its order, or in what is left of the deck."""
    there = np.zeros(CARDS, np.int64)
    top = top_of_deck(s)
    for seat in range(SEATS):
        held = int(s.hand) if seat < s.players else 0
        for turn in range(s.turns - max(0, top - DECK), s.turns):  # in these turns nothing was left to be drawn
            held -= (int(s.begins) + turn) % int(s.players) == seat
        for i in range(HAND):
            card = int(s.hands[seat, i])
            if (card != NO_CARD) != (i >= HAND - held) or (i > 0 and card != NO_CARD and card <= s.hands[seat, i - 1]):
                return False
            if card != NO_CARD:
                there[card] += 1
    for i in range(DECK):
        if (s.deck[i] != NO_CARD) != (i >= top):
            return False
        if i >= top:
            there[s.deck[i]] += 1
    for card in range(CARDS):
        if there[card] != (s.lies[card] == HIDDEN):
            return False
    return True
