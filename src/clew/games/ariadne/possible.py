"""Which states of Ariadne's Thread there can be: a tableau that turns can lay, and all other cards hidden."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import rule
from clew.games.ariadne.grid import BOTTOM, CELLS, CENTRE, GRID, JOKER, LEFT, NOW, OWN, PAST, RIGHT, SPAN, TOP
from clew.games.ariadne.rules import (
    DRAW,
    HAND,
    MAX_ROUNDS,
    MOST_POINTS,
    OF_JOKER,
    OF_THREADS,
    ROUNDS,
    TURNS,
    State,
    first_player,
    total,
)
from clew.games.ariadne.tableau import lay, score


@rule
def possible(s: State, again: State) -> bool:
    """Whether both tableaus, the scores, the hands and the decks are as after so many turns of this round."""
    if s.round_number > s.max_rounds or (s.turns == TURNS) != (s.ended != 0):
        return False
    return (
        tableau_grew(s, NOW, int(s.turns), again)
        and last_card_lies_open(s)
        and round_before_is_full(s, again)
        and scores_go_on(s)
        and others_are_hidden(s)
    )


@rule
def tableau_grew(s: Any, when: int, turns: int, again: Any) -> bool:
    """ARI-02, ARI-10 to ARI-12: a card a turn around the centre, each once, within seven; its box and its rows."""
    there = np.zeros(JOKER + 1, np.int64)
    again.tableau[NOW] = 0
    again.taken[:] = 0
    again.box[NOW] = CENTRE
    for cell in range(CELLS):
        card = int(s.tableau[when, cell])
        there[abs(card)] += 1
        if card != 0:
            lay(again, cell, card)
    again.joker[NOW] = s.joker[when]
    box, cards = again.box[NOW], 0
    for card in range(1, JOKER + 1):
        cards += there[card]
        if there[card] > 1:
            return False
    if cards != turns + 1 or abs(int(s.tableau[when, s.joker[when]])) != JOKER:
        return False
    if s.tableau[when, CENTRE * GRID + CENTRE] == 0:  # the Joker lay there, and no cell is ever emptied
        return False
    if box[BOTTOM] - box[TOP] >= SPAN or box[RIGHT] - box[LEFT] >= SPAN or not np.array_equal(box, s.box[when]):
        return False
    if when == NOW and not np.array_equal(again.taken, s.taken):
        return False
    return hangs_together(again)


@rule
def hangs_together(again: Any) -> bool:
    """ARI-10: from the centre every card is reached, by sides and corners."""
    reached = np.zeros(GRID, np.int64)
    reached[CENTRE] = 1 << CENTRE
    grown = True
    while grown:
        grown = False
        for row in range(1, GRID - 1):
            near = reached[row - 1] | reached[row] | reached[row + 1]
            near = (near << 1 | near | near >> 1) & int(again.taken[row])
            grown |= near != reached[row]
            reached[row] = near
    return np.array_equal(reached, again.taken)


@rule
def last_card_lies_open(s: State) -> bool:
    """ARI-08: the card played last is face up, and of the colour of who played it."""
    if s.turns == 0:
        return s.last == 0
    card = int(s.tableau[NOW, s.last])
    return 0 < card < JOKER and (card - 1) // OWN == (first_player(s) + s.turns - 1) & 1


@rule
def round_before_is_full(s: Any, again: State) -> bool:
    """ARI-13, ARI-17: the tableau of the round before has all cards and the score that was written down."""
    if s.round_number == 1:
        return not s.tableau[PAST].any() and not s.box[PAST].any() and s.joker[PAST] == 0
    if not tableau_grew(s, PAST, TURNS, again):
        return False
    again.thread_min = s.thread_min
    again.joker_points = s.joker_points
    again.joker_counts = s.joker_counts
    again.face_down = s.face_down
    written = s.score[s.round_number - 2]
    for seat in range(2):
        points, joker = score(again, seat)
        if written[seat, OF_THREADS] != points or written[seat, OF_JOKER] != joker:
            return False
    return True


@rule
def scores_go_on(s: State) -> bool:
    """ARI-17, ARI-18: scores of the rounds played and of no other, with which the game goes on or ends as it does."""
    played = int(s.round_number) if s.ended else int(s.round_number) - 1
    for number in range(MAX_ROUNDS):
        for seat in range(2):
            if number >= played and (s.score[number, seat, OF_THREADS] != 0 or s.score[number, seat, OF_JOKER] != 0):
                return False
            if not 0 <= s.score[number, seat, OF_THREADS] <= MOST_POINTS:
                return False
    decided = played >= s.rounds and total(s, 0) != total(s, 1)
    if s.ended == ROUNDS:
        return decided
    return not decided and (s.ended == DRAW) == (played == s.max_rounds)


@rule
def others_are_hidden(s: State) -> bool:
    """ARI-01, ARI-04: a card that does not lie there is in its owner's hand, in its order, or in the deck."""
    for seat in range(2):
        there = np.zeros(JOKER + 1, np.int64)
        for cell in range(CELLS):
            there[abs(int(s.tableau[NOW, cell]))] += 1
        turns = (int(s.turns) + (seat == first_player(s))) // 2
        held = min(HAND, OWN - turns)
        for i in range(HAND):
            card = int(s.hand[seat, i])
            there[card] += 1
            if (card > 0) != (i >= HAND - held) or (i > 0 and card > 0 and card <= s.hand[seat, i - 1]):
                return False
        for played in range(MAX_ROUNDS):
            drawn = OWN
            if s.round_number <= played < s.max_rounds:
                drawn = 0
            elif played == s.round_number - 1:
                drawn = min(OWN, HAND + turns)
            deck = np.zeros(JOKER + 1, np.int64)
            for i in range(OWN):
                card = int(s.deck[played, seat, i])
                deck[card] += 1
                if (card > 0) != (i >= drawn):
                    return False
            for card in range(1 + seat * OWN, 1 + seat * OWN + OWN):
                if played == s.round_number - 1:
                    if there[card] + deck[card] != 1:
                        return False
                elif deck[card] != (played >= s.round_number and played < s.max_rounds):
                    return False
    return True
