"""Jars: fill a shelf with jars in rising order, or see at the end who offers most.

There are twelve jars, three each of the sizes 1 to 4. You hold a few of them; the others are a pile that nobody sees.
In your turn you put a jar on your shelf, if it is not smaller than the last one there, or break one, and draw another.
Once in the game you may hold instead. Four jars on a shelf end the game. If nobody gets there, all make an offer at the
same time and in secret: whoever offers most, and does so alone, gains as many points, and the others lose theirs.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Range, below, fields, rule, shuffle

TITLE = "Jars"
BLURB = "Rising jars on a shelf, and an offer in secret."
RULES = 1
PLAYERS = (2, 3)
OPTIONS = (Range("jars", 2, 1, 3, "how many jars each player holds"),)
ENDINGS = ("shelf", "offers")
SHELF, OFFERS = 1, 2

SEATS = 3
SIZES = 4
COPIES = 3
DECK = SIZES * COPIES  # JAR-01
HAND = 3  # the most that the option allows
FULL = 4  # JAR-06

PUT, BREAK, HOLD, OFFER = range(4)
NUMBERS = 10  # a move is action * NUMBERS + the size of the jar, or what is offered
HIGHEST_OFFER = 2
MOVE = np.int64
MOVES = 2 * HAND + 1
LONGEST = DECK + 2 * SEATS  # every jar is put or broken once; everybody holds once and offers once

# Why a move may be refused
NOT_NOW, NOT_IN_HAND, TOO_SMALL, HELD_BEFORE, TOO_MUCH = range(1, 6)

PUBLIC = [
    ("turn", np.int16),
    ("ended", np.int16),
    ("left", np.int16),  # jars in the pile
    ("open", np.int16, (SIZES + 1,)),  # jars of each size that were put or broken
    ("held", np.int16, (SEATS,)),  # jars in hand
    ("rested", np.int16, (SEATS,)),  # 1 for those who used their one hold
    ("shelf", np.int16, (SEATS, FULL)),  # the jars in order, then 0
    ("offered", np.int16, (SEATS,)),  # 1 for those who have made their offer
]
STATE = fields(
    [
        *PUBLIC,
        ("hand", np.int16, (SEATS, HAND)),  # ascending, then 0
        ("pile", np.int16, (DECK,)),  # in the order in which it is drawn, 0 where it was
        ("offer", np.int16, (SEATS,)),
    ],
    OPTIONS,
)
VIEW = fields(
    [
        *PUBLIC,
        ("seat", np.int16),
        ("hand", np.int16, (HAND,)),
        ("offer", np.int16, (SEATS,)),  # the own one; all of them when the game is over
    ],
    OPTIONS,
)


# The deal


@rule
def pile_size(s):
    """JAR-01: what is left when everybody has got jars."""
    return DECK - int(s.players * s.jars)


@rule
def deal(s, rng):
    """JAR-01: shuffle the jars."""
    deck = np.empty(DECK, np.int64)
    for i in range(DECK):
        deck[i] = 1 + i // COPIES
    shuffle(rng, deck, DECK)
    for i in range(pile_size(s)):
        s.pile[i] = deck[i]
    for i in range(s.players * s.jars):
        s.hand[i // s.jars, i % s.jars] = deck[pile_size(s) + i]


@rule
def start(s):
    """Sort the hands: the order in which jars came tells nothing."""
    s.left = pile_size(s)
    for seat in range(s.players):
        for i in range(s.jars):
            jar = int(s.hand[seat, i])
            s.hand[seat, i] = 0
            take(s, seat, jar)


@rule
def take(s, seat, jar):
    """Put a jar into the hand, in its order."""
    i = int(s.held[seat])
    while i > 0 and s.hand[seat, i - 1] > jar:
        s.hand[seat, i] = s.hand[seat, i - 1]
        i -= 1
    s.hand[seat, i] = jar
    s.held[seat] += 1


# A turn


@rule
def all_gone(s):
    """JAR-07: whether nobody holds a jar any more."""
    for seat in range(s.players):
        if s.held[seat] > 0:
            return False
    return True


@rule
def to_move(s):
    """In turn; at the end all who have not made their offer."""
    if s.ended:
        return 0
    if not all_gone(s):
        return 1 << int(s.turn)
    owing = 0
    for seat in range(s.players):
        if not s.offered[seat]:
            owing |= 1 << seat
    return owing


@rule
def on_shelf(s, seat):
    """How many jars stand on the shelf."""
    count = 0
    while count < FULL and s.shelf[seat, count] > 0:
        count += 1
    return count


@rule
def last(s, seat):
    """The last jar on the shelf, 0 when there is none."""
    count = on_shelf(s, seat)
    return int(s.shelf[seat, count - 1]) if count > 0 else 0


@rule
def refusal(s, seat, move):
    """Any move."""
    action, number = move // NUMBERS, move % NUMBERS
    if action < PUT or action > OFFER or (action == OFFER) != all_gone(s):
        return NOT_NOW
    if action == OFFER:  # JAR-07
        return LEGAL if number <= HIGHEST_OFFER else TOO_MUCH
    if action == HOLD:  # JAR-05
        return HELD_BEFORE if s.rested[seat] or number > 0 else LEGAL
    held = False
    for i in range(s.held[seat]):
        held |= s.hand[seat, i] == number
    if not held:
        return NOT_IN_HAND
    if action == PUT and number < last(s, seat):  # JAR-02
        return TOO_SMALL
    return LEGAL


@rule
def legal(s, seat, out):
    """All that are not refused: jars to put, jars to break, a hold; or the offers."""
    count = 0
    for action in range(PUT, OFFER + 1):
        for number in range(SIZES + 1):
            if refusal(s, seat, action * NUMBERS + number) == LEGAL:
                out[count] = action * NUMBERS + number
                count += 1
    return count


@rule
def apply(s, seat, move):
    """A turn, or an offer."""
    action, number = move // NUMBERS, move % NUMBERS
    if action == OFFER:
        s.offer[seat] = number
        s.offered[seat] = 1
        if to_move(s) == 0:
            s.ended = OFFERS
        return
    if action == HOLD:
        s.rested[seat] = 1
    else:
        give(s, seat, number)
        s.open[number] += 1
        if action == PUT:
            s.shelf[seat, on_shelf(s, seat)] = number
        if on_shelf(s, seat) == FULL:  # JAR-06
            s.ended = SHELF
        elif s.left > 0:  # JAR-04
            top = pile_size(s) - int(s.left)
            take(s, seat, int(s.pile[top]))
            s.pile[top] = 0
            s.left -= 1
    if not all_gone(s):
        s.turn = (s.turn + 1) % s.players
        while s.held[s.turn] == 0:
            s.turn = (s.turn + 1) % s.players


@rule
def give(s, seat, jar):
    """Take a jar out of the hand."""
    i = 0
    while s.hand[seat, i] != jar:
        i += 1
    s.held[seat] -= 1
    while i < s.held[seat]:
        s.hand[seat, i] = s.hand[seat, i + 1]
        i += 1
    s.hand[seat, i] = 0


# The end


@rule
def ending(s):
    """JAR-06, JAR-07."""
    return int(s.ended)


@rule
def gain(s, seat):
    """JAR-07: what the offers bring, once all are open."""
    if s.ended != OFFERS:
        return 0
    for other in range(s.players):
        if other != seat and s.offer[other] >= s.offer[seat]:
            return -int(s.offer[seat])
    return int(s.offer[seat])


@rule
def score(s, seat):
    """JAR-08: the sizes of the jars on the shelf, and the gain."""
    total = gain(s, seat)
    for i in range(FULL):
        total += int(s.shelf[seat, i])
    return total


@rule
def result(s, scores, places):
    """JAR-08."""
    for seat in range(s.players):
        scores[seat] = score(s, seat)
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if scores[other] > scores[seat]:
                places[seat] += 1


# What a chair knows


@rule
def copy_public(source, target):
    """Everything on the table that all can see."""
    target.players = source.players
    target.jars = source.jars
    target.turn = source.turn
    target.ended = source.ended
    target.left = source.left
    target.open = source.open
    target.held = source.held
    target.rested = source.rested
    target.shelf = source.shelf
    target.offered = source.offered


@rule
def view(s, seat, v):
    """JAR-09: the table, the own hand and the own offer; in the end all offers."""
    copy_public(s, v)
    v.seat = seat
    if seat >= 0:
        for i in range(HAND):
            v.hand[i] = s.hand[seat, i]
    for player in range(s.players):
        if player == seat or s.ended:
            v.offer[player] = s.offer[player]


@rule
def imagine(v, rng, s):
    """Deal the jars that this chair has not seen to the pile and to the other hands; offers can be anything."""
    copy_public(v, s)
    unseen = np.empty(DECK, np.int64)
    count = 0
    for size in range(1, SIZES + 1):
        left = COPIES - int(v.open[size])
        for i in range(HAND):
            left -= v.hand[i] == size
        for _ in range(left):
            unseen[count] = size
            count += 1
    shuffle(rng, unseen, count)
    for i in range(pile_size(v) - int(v.left), pile_size(v)):
        count -= 1
        s.pile[i] = unseen[count]
    for player in range(v.players):
        s.held[player] = 0
        for i in range(v.held[player]):
            if player == v.seat:
                take(s, player, int(v.hand[i]))
            else:
                count -= 1
                take(s, player, unseen[count])
        if player == v.seat or v.ended:
            s.offer[player] = v.offer[player]
        elif v.offered[player]:
            s.offer[player] = below(rng, HIGHEST_OFFER + 1)


@rule
def cover(s, seat):
    """JAR-09: the other hands, the pile, the other offers before the end."""
    for i in range(DECK):
        s.pile[i] = 0
    for player in range(s.players):
        if player != seat:
            for i in range(HAND):
                s.hand[player, i] = 0
            if not s.ended:
                s.offer[player] = 0
