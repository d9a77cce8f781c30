"""Labyrinth, the card game: two to six players lay cards with paths and treasures side by side, without bounds.

A card placed must carry on the path of a neighbour. Every card that shows one of its two treasures, and to which its
paths lead, may be taken, as long as no card is left without a neighbour; the card placed stays. A card taken is a
point. The game ends when all cards have been played, or when no path leads out of the labyrinth any more.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Choice, Range, below, fields, rule, shuffle, sort
from clew.games.labyrinth.paths import (
    CARDS,
    ENDS,
    FAR,
    HIDDEN,
    MATES,
    MATES_OF,
    OPEN,
    PLAN,
    ROTATIONS,
    SHAPE_OF,
    STRAIGHT,
    TAKEN,
    cells_at_ends,
    closed,
    connected,
    draw_plan,
    join,
    neighbours,
    place,
    trace,
)

TITLE = "Labyrinth"
BLURB = "Lay the paths, connect like treasures, take the cards: the labyrinth grows and crumbles."
AUTHOR = "Max J. Kobbert"
AGE = 7
RULES = 1
PLAYERS = (2, 6)
SEATS = 6
OPTIONS = (
    Choice("first", ("random", "0", "1", "2", "3", "4", "5"), "who begins: drawn, or a seat"),
    Choice("labyrinth", ("no_isolated", "one_piece"), "what is left must have no card alone, or be one piece"),
    Range("hand", 2, 1, 4, "how many cards a player holds"),
)
NO_ISOLATED, ONE_PIECE = range(2)
ENDINGS = ("played", "closed")
PLAYED, CLOSED = 1, 2

SQUARE = 4  # cards lie open at first: 0,0 1,0 0,1 1,1
TURNS = CARDS - SQUARE  # one card is placed a turn
HAND = 4  # at most; 4 + 6 * 4 cards are always there
DECK = TURNS - 2  # at most: two players with one card each

# A move is (((takes * 2 FAR + y + FAR) * 2 FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card, where bit i of the
# takes stands for the card MATES_OF[card, i].
MOVE = np.int64
# The mates of a card lie on six paths at most; so at 18 + 2 * 6 loose ends at most there is something to take.
ENDS_WITH_TAKES = 18 + 2 * MATES
MOVES = HAND * ROTATIONS * (ENDS + ENDS_WITH_TAKES * (2**MATES - 1))
LONGEST = TURNS

# Why a move may be refused
NOT_IN_HAND, NO_ROTATION, OCCUPIED, NOT_BESIDE, NO_PATH, NOT_CONNECTED, ISOLATED, IN_PIECES = range(1, 9)

PUBLIC = [
    ("begins", np.int16),
    ("turns", np.int16),  # turns played
    ("ended", np.int16),
    ("lies", np.int16, (CARDS,)),
    ("x", np.int16, (CARDS,)),  # of the cards in the labyrinth, as the two that follow
    ("y", np.int16, (CARDS,)),
    ("rotation", np.int16, (CARDS,)),
]
STATE = fields(
    [
        *PUBLIC,
        ("hands", np.int16, (SEATS, HAND)),  # ascending; -1 for no card
        ("deck", np.int16, (DECK,)),  # in the order in which it is drawn, 0 where it was and behind its end
    ],
    OPTIONS,
)
VIEW = fields(
    [
        *PUBLIC,
        ("seat", np.int16),
        ("deck_left", np.int16),
        ("held", np.int16, (SEATS,)),  # how many cards each player holds
        ("cards", np.int16, (HAND,)),  # the own hand; all -1 for a spectator
    ],
    OPTIONS,
)


def refuse_table(options, players):
    """A seat that is to begin must be there."""
    if options["first"] != "random" and int(options["first"]) >= players:
        return f"At a table of {players} the option first is random or a seat from 0 to {players - 1}."
    return ""


# The deal


@rule
def deal(s, rng):
    """LAB-02: shuffle, deal the hands and the square, draw who begins."""
    cards = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        cards[card] = card
    shuffle(rng, cards, CARDS)
    lay_square(s, rng, cards)
    count = SQUARE
    for seat in range(SEATS):
        for i in range(HAND):
            s.hands[seat, i] = -1
            if seat < s.players and i < s.hand:
                s.hands[seat, i] = cards[count]
                count += 1
    for i in range(deck_dealt(s)):
        s.deck[i] = cards[count + i]
    s.begins = below(rng, int(s.players)) if s.first == 0 else s.first - 1


@rule
def lay_square(s, rng, cards):
    """LAB-02: the first four cards, turned at random, and again while no path leads out."""
    out = False
    while not out:
        for i in range(SQUARE):
            rotation = below(rng, 2 if SHAPE_OF[cards[i]] == STRAIGHT else ROTATIONS)
            place(s, cards[i], rotation, i % 2, i // 2)
        out = not closed(s)


@rule
def deck_dealt(s):
    """How many cards the deck has at first."""
    return TURNS - int(s.players) * int(s.hand)


@rule
def start(s):
    """Sort the hands: the order in which cards came tells nothing."""
    for seat in range(SEATS):
        sort(s.hands[seat], HAND)


# Takes


@rule
def takeable(card, reached):
    """LAB-05: which mates of a card are among those connected."""
    found = 0
    for i in range(MATES):
        found |= (reached >> MATES_OF[card, i] & 1) << i
    return found


@rule
def judge_rest(s, card, takes, beside):
    """LAB-07: whether these takes may be made with the card placed; judged once, on what is left."""
    taken, bereft = 0, 0
    for i in range(MATES):
        if takes >> i & 1:
            taken |= 1 << MATES_OF[card, i]
            bereft |= beside[MATES_OF[card, i]]
    bereft &= ~taken  # only those that lose a neighbour can be left alone or cut off
    alone = 0
    for other in range(CARDS):  # counting instead of asking lets the compiler do several at once
        alone += bereft >> other & 1 & (beside[other] & ~taken == 0)
    if alone:
        return ISOLATED
    if s.labyrinth == ONE_PIECE:
        piece, before = 1 << card, 0
        while piece != before:
            before = piece
            for other in range(CARDS):
                if beside[other] & piece:
                    piece |= 1 << other & ~taken
        if bereft & ~piece != 0:
            return IN_PIECES
    return LEGAL


# A turn


@rule
def to_move(s):
    """LAB-09: play passes to the left. All hold equally many cards, so the hands run out in this order, too."""
    if s.ended:
        return 0
    return 1 << (int(s.begins) + int(s.turns)) % int(s.players)


@rule
def legal(s, seat, out):
    """Every card in hand, on every cell that a path leads to, in every rotation, with every set of takes."""
    plan = np.empty(PLAN, np.int16)
    beside = np.empty(CARDS, np.int64)
    paths = np.empty(CARDS, np.int64)
    cells = np.empty(ENDS, np.int64)
    left, top, width, height = draw_plan(s, plan)
    trace(s, plan, left, top, width, beside, paths)
    found = cells_at_ends(s, plan, width, height, cells)
    count = 0
    for i in range(HAND):
        card = int(s.hands[seat, i])
        if card < 0:
            continue
        for j in range(found):
            cell = cells[j]
            x, y = left + cell % width, top + cell // width
            for rotation in range(ROTATIONS):
                reached = connected(s, plan, width, paths, cell, OPEN[card, rotation])
                if reached != 0:  # LAB-03
                    out[count] = encode(card, rotation, x, y, 0)
                    count += 1
                    choice = takeable(card, reached)
                    if choice:
                        join(plan, width, cell, card, beside)
                        for takes in range(1, choice + 1):  # LAB-06 some or all
                            if takes & ~choice == 0 and judge_rest(s, card, takes, beside) == LEGAL:
                                out[count] = encode(card, rotation, x, y, takes)
                                count += 1
                        join(plan, width, cell, card, beside)
    return count


@rule
def encode(card, rotation, x, y, takes):
    """A move as a number."""
    return (((takes * 2 * FAR + y + FAR) * 2 * FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card


@rule
def decode(move):
    """Card, rotation, x, y and takes of a move."""
    rest = move // CARDS // ROTATIONS
    x, y = rest % (2 * FAR) - FAR, rest // (2 * FAR) % (2 * FAR) - FAR
    return move % CARDS, move // CARDS % ROTATIONS, x, y, rest // (2 * FAR) // (2 * FAR)


@rule
def refusal(s, seat, move):
    """Any move: the card, its rotation, its cell, then the takes one rule after the other."""
    card, rotation, x, y, takes = decode(move)
    held = False
    for i in range(HAND):
        held |= s.hands[seat, i] == card
    if not held:
        return NOT_IN_HAND
    if OPEN[card, rotation] == 0:
        return NO_ROTATION
    plan = np.empty(PLAN, np.int16)
    left, top, width, height = draw_plan(s, plan)
    if not (left < x < left + width - 1 and top < y < top + height - 1):  # LAB-03
        return NOT_BESIDE
    cell = (y - top) * width + x - left
    if plan[cell] >= 0:  # LAB-03
        return OCCUPIED
    if neighbours(plan, width, cell) == 0:  # LAB-03
        return NOT_BESIDE
    beside = np.empty(CARDS, np.int64)
    paths = np.empty(CARDS, np.int64)
    trace(s, plan, left, top, width, beside, paths)
    reached = connected(s, plan, width, paths, cell, OPEN[card, rotation])
    if reached == 0:  # LAB-03
        return NO_PATH
    if takes & ~takeable(card, reached) != 0:  # LAB-05
        return NOT_CONNECTED
    join(plan, width, cell, card, beside)
    return judge_rest(s, card, takes, beside)


@rule
def apply(s, seat, move):
    """LAB-03, LAB-05, LAB-09: place a card, take others, draw."""
    card, rotation, x, y, takes = decode(move)
    place(s, card, rotation, x, y)
    for i in range(MATES):
        if takes >> i & 1:
            taken = MATES_OF[card, i]
            place(s, taken, 0, 0, 0)
            s.lies[taken] = TAKEN + seat
    drawn = -1
    if s.turns < deck_dealt(s):
        drawn = int(s.deck[s.turns])
        s.deck[s.turns] = 0
    exchange(s, seat, card, drawn)
    s.turns += 1
    if s.turns == TURNS:  # LAB-10
        s.ended = PLAYED
    elif closed(s):  # LAB-11
        s.ended = CLOSED


@rule
def exchange(s, seat, card, drawn):
    """Put the card drawn in the place of one in hand; -1 stands for no card."""
    for i in range(HAND):
        if s.hands[seat, i] == card:
            s.hands[seat, i] = drawn
    sort(s.hands[seat], HAND)


# The end


@rule
def ending(s):
    """LAB-10, LAB-11."""
    return int(s.ended)


@rule
def score(s, seat):
    """LAB-08: a point a card."""
    count = 0
    for card in range(CARDS):
        count += s.lies[card] == TAKEN + seat
    return count


@rule
def result(s, scores, places):
    """LAB-10: most cards win, equal counts share a place."""
    for seat in range(s.players):
        scores[seat] = score(s, seat)
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            places[seat] += scores[other] > scores[seat]


# What a chair knows


@rule
def copy_public(source, target):
    """Everything on the table that all can see."""
    target.players = source.players
    target.first = source.first
    target.labyrinth = source.labyrinth
    target.hand = source.hand
    target.begins = source.begins
    target.turns = source.turns
    target.ended = source.ended
    target.lies = source.lies
    target.x = source.x
    target.y = source.y
    target.rotation = source.rotation


@rule
def view(s, seat, v):
    """LAB-12: the labyrinth, the cards taken, how many cards are held and left, and the own hand."""
    copy_public(s, v)
    v.seat = seat
    v.deck_left = max(0, deck_dealt(s) - int(s.turns))
    for player in range(SEATS):
        for i in range(HAND):
            v.held[player] += s.hands[player, i] >= 0
    for i in range(HAND):
        v.cards[i] = s.hands[seat, i] if seat >= 0 else -1


@rule
def imagine(v, rng, s):
    """Deal the cards that this chair has not seen to the other hands and the deck."""
    copy_public(v, s)
    unseen = np.empty(CARDS, np.int64)
    count = unseen_cards(v, unseen)
    shuffle(rng, unseen, count)
    for seat in range(SEATS):
        for i in range(HAND):
            if seat == v.seat:
                s.hands[seat, i] = v.cards[i]
            elif i < HAND - v.held[seat]:
                s.hands[seat, i] = -1
            else:
                count -= 1
                s.hands[seat, i] = unseen[count]
        sort(s.hands[seat], HAND)
    for i in range(count):
        s.deck[deck_dealt(s) - 1 - i] = unseen[i]


@rule
def unseen_cards(v, unseen):
    """The cards that lie neither open on the table nor in the own hand; how many there are."""
    count = 0
    for card in range(CARDS):
        own = False
        for i in range(HAND):
            own |= v.cards[i] == card
        if v.lies[card] == HIDDEN and not own:
            unseen[count] = card
            count += 1
    return count


@rule
def cover(s, seat):
    """LAB-12: which cards the others hold, though not how many, and the deck's order."""
    for i in range(DECK):
        s.deck[i] = 0
    for other in range(SEATS):
        for i in range(HAND):
            if other != seat and s.hands[other, i] >= 0:
                s.hands[other, i] = 0
