"""Tokens: hold two, show one.

There are seven tokens: three ones, two twos, two threes. Two players get two each; the others stay in a bag that nobody
looks into. Each shows one token, first one player, then the other; the higher number wins. What somebody shows may
have been either of two tokens, and the one that is kept may be of the same number.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, fields, rule, shuffle

TITLE = "Tokens"
BLURB = "Hold two, show one."
RULES = 1
PLAYERS = (2, 2)
OPTIONS = ()
ENDINGS = ("shown",)

SEATS = 2
HAND = 2
TOKENS = (1, 1, 1, 2, 2, 3, 3)  # TOK-01
DECK = len(TOKENS)
HIGHEST = 3
BAG = DECK - SEATS * HAND

MOVE = np.int64
MOVES = HAND
LONGEST = SEATS

NOT_IN_HAND = 1

STATE = fields(
    [
        ("shown", np.int16, (SEATS,)),  # 0 before
        ("hand", np.int16, (SEATS, HAND)),  # ascending, then 0
        ("bag", np.int16, (BAG,)),
    ],
    OPTIONS,
)
VIEW = fields([("seat", np.int16), ("shown", np.int16, (SEATS,)), ("own", np.int16, (HAND,))], OPTIONS)


@rule
def deal(s, rng):
    """TOK-01: two for each player."""
    tokens = np.empty(DECK, np.int64)
    for i in range(DECK):
        tokens[i] = TOKENS[i]
    shuffle(rng, tokens, DECK)
    for i in range(DECK):
        if i < BAG:
            s.bag[i] = tokens[i]
        else:
            s.hand[(i - BAG) // HAND, (i - BAG) % HAND] = tokens[i]


@rule
def start(s):
    """Put the hands and the bag into order: neither has one."""
    for seat in range(SEATS):
        if s.hand[seat, 0] > s.hand[seat, 1]:
            low = int(s.hand[seat, 1])
            s.hand[seat, 1] = s.hand[seat, 0]
            s.hand[seat, 0] = low
    sort_bag(s)


@rule
def sort_bag(s):
    """The lowest first."""
    for i in range(BAG):
        for j in range(i, 0, -1):
            if s.bag[j - 1] > s.bag[j]:
                low = int(s.bag[j])
                s.bag[j] = s.bag[j - 1]
                s.bag[j - 1] = low


@rule
def to_move(s):
    """TOK-02: who has not shown a token, in turn."""
    if s.shown[0] == 0:
        return 1
    return 2 if s.shown[1] == 0 else 0


@rule
def refusal(s, seat, move):
    """A token that is held."""
    if move > 0 and (s.hand[seat, 0] == move or s.hand[seat, 1] == move):
        return LEGAL
    return NOT_IN_HAND


@rule
def legal(s, seat, out):
    """Each number that is held."""
    count = 0
    for number in range(1, HIGHEST + 1):
        if refusal(s, seat, number) == LEGAL:
            out[count] = number
            count += 1
    return count


@rule
def apply(s, seat, move):
    """TOK-02: show it."""
    kept = s.hand[seat, 1] if s.hand[seat, 0] == move else s.hand[seat, 0]
    s.hand[seat, 0] = kept
    s.hand[seat, 1] = 0
    s.shown[seat] = move


@rule
def ending(s):
    """TOK-03."""
    return 1 if to_move(s) == 0 else 0


@rule
def result(s, scores, places):
    """TOK-03: the higher number wins."""
    for seat in range(SEATS):
        scores[seat] = s.shown[seat]
    for seat in range(SEATS):
        places[seat] = 2 if scores[1 - seat] > scores[seat] else 1


@rule
def view(s, seat, v):
    """What was shown, and the own tokens."""
    v.players = s.players
    v.seat = seat
    v.shown = s.shown
    if seat >= 0:
        for i in range(HAND):
            v.own[i] = s.hand[seat, i]


@rule
def imagine(v, rng, s):
    """Deal the tokens that this chair has not seen to the bag and to the other hands."""
    s.players = v.players
    s.shown = v.shown
    unseen = np.empty(DECK, np.int64)
    count = 0
    for number in range(1, HIGHEST + 1):
        left = 0
        for i in range(DECK):
            left += TOKENS[i] == number
        for i in range(SEATS):
            left -= v.shown[i] == number
        for i in range(HAND):
            left -= v.own[i] == number
        for _ in range(left):
            unseen[count] = number
            count += 1
    shuffle(rng, unseen, count)
    for seat in range(SEATS):
        for i in range(HAND - (v.shown[seat] > 0)):
            if seat == v.seat:
                s.hand[seat, i] = v.own[i]
            else:
                count -= 1
                s.hand[seat, i] = unseen[count]
    for i in range(BAG):
        s.bag[i] = unseen[i]
    for seat in range(SEATS):
        if s.shown[seat] == 0 and s.hand[seat, 0] > s.hand[seat, 1]:
            low = int(s.hand[seat, 1])
            s.hand[seat, 1] = s.hand[seat, 0]
            s.hand[seat, 0] = low
    sort_bag(s)


@rule
def cover(s, seat):
    """The bag, and the other hands."""
    for i in range(BAG):
        s.bag[i] = 0
    for player in range(SEATS):
        if player != seat:
            for i in range(HAND):
                s.hand[player, i] = 0
