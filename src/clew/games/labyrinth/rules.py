"""Labyrinth, the card game: two to six players lay cards with paths and treasures side by side, without bounds.

A card placed must carry on the path of a neighbour. Every card that shows one of its two treasures, and to which its
paths lead, may be taken, as long as no card is left without a neighbour; the card placed stays. A card taken is a
point. The game ends when all cards have been played, or when no path leads out of the labyrinth any more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import LEGAL, Reason, below, count_of, index_of, no_inline, rule, shuffle, sort
from clew.core.declare import Pieces, Record, count, option, own, public, seat_of, seats, secret
from clew.games.labyrinth.cards import CARDS, MATES, MATES_OF, OPEN, ROTATIONS, SHAPE_OF, SIDES, SPOKEN, STRAIGHT
from clew.games.labyrinth.paths import ENDS, closed, connected, ends_at, survey, trace
from clew.games.labyrinth.plan import FAR, HIDDEN, PLAN, TAKEN, draw_plan, join, neighbours, place

TITLE = "Labyrinth"
BLURB = "Lay the paths, connect like treasures, take the cards: the labyrinth grows and crumbles."
AUTHOR = "Max J. Kobbert"
AGE = 7
RULES = 1
PLAYERS = (2, 6)
SEATS = seats(6)
NO_ISOLATED, ONE_PIECE = range(2)
ENDINGS = ("played", "closed")
PLAYED, CLOSED = 1, 2

CARD = Pieces(
    [f"c{card + 1:02}" for card in range(CARDS)],
    first=0,
    gone="lie_open",
    spoken=SPOKEN,
)
NO_CARD = -1
SQUARE = 4  # cards lie open at first: 0,0 1,0 0,1 1,1
TURNS = CARDS - SQUARE  # one card is placed a turn
HAND = 4  # at most; 4 + 6 * 4 cards are always there
DECK = TURNS - 2  # at most: two players with one card each

# A move is (((takes * 2 FAR + y + FAR) * 2 FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card, where bit i of the
# takes stands for the card MATES_OF[card, i].
MOVE = np.int64
MOVE_PARTS = {
    "card": CARD,
    "rotation": count(ROTATIONS - 1),
    "x": count(1 + TURNS, -TURNS),
    "y": count(1 + TURNS, -TURNS),
    "takes": count(2**MATES - 1),
}
# The mates of a card lie on six paths at most; so at 18 + 2 * 6 loose ends at most there is something to take.
ENDS_WITH_TAKES = 18 + 2 * MATES
MOVES = HAND * ROTATIONS * (ENDS + ENDS_WITH_TAKES * (2**MATES - 1))
LONGEST = TURNS

NOT_IN_HAND = Reason("LAB-03", "You do not hold {card}.")
NO_ROTATION = Reason("LAB-03", "{Card} is straight: turned twice it is as it was, so it is turned once at most.")
OCCUPIED = Reason("LAB-03", "{Others} lies there already.")
NOT_BESIDE = Reason("LAB-03", "No card lies side by side with that place.")
NO_PATH = Reason("LAB-03", "Turned so, {card} carries on no path there: no open side of it meets an open side.")
NOT_CONNECTED = Reason("LAB-04", "No path leads from {card} to {others}.")
ISOLATED = Reason("LAB-07", "That would leave {others} alone.")
IN_PIECES = Reason("LAB-07", "That would break the labyrinth into pieces, and at this table it stays in one piece.")


class State(Record):
    """LAB-12: the labyrinth, the cards taken, how many cards are held and left, and the own hand."""

    first = option(("random", "0", "1", "2", "3", "4", "5"), "who begins: drawn, or a seat")
    labyrinth = option(("no_isolated", "one_piece"), "what is left must have no card alone, or be one piece")
    hand = option(range(1, HAND + 1), "how many cards a player holds", default=2)
    begins = public(seat_of(SEATS))
    turns = public(count(TURNS))  # turns played
    ended = public(count(CLOSED))
    lies = public(count(TAKEN + SEATS - 1), CARDS)
    x = public(count(1 + TURNS, -TURNS), CARDS)  # of the cards in the labyrinth, as the two that follow
    y = public(count(1 + TURNS, -TURNS), CARDS)
    rotation = public(count(ROTATIONS - 1), CARDS)
    hands = own(CARD, SEATS, HAND, packed="back", sorted=True)  # ascending
    deck = secret(CARD, DECK, packed="back")  # in the order in which it is drawn


def refuse_table(options: dict[str, Any], players: int) -> str:
    """A seat that is to begin must be there."""
    if options["first"] != "random" and int(options["first"]) >= players:
        return f"At a table of {players} the option first is random or a seat from 0 to {players - 1}."
    return ""


# The deal


@rule
def deal(s: State, rng: Any) -> None:
    """LAB-02: shuffle, deal the hands and the square, draw who begins."""
    cards = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        cards[card] = card
    shuffle(rng, cards, CARDS)
    lay_square(s, rng, cards)
    count = SQUARE
    for seat in range(SEATS):
        for i in range(HAND):
            s.hands[seat, i] = NO_CARD
            if seat < s.players and i < s.hand:
                s.hands[seat, i] = cards[count]
                count += 1
    for i in range(DECK):
        s.deck[i] = NO_CARD
    for i in range(top_of_deck(s), DECK):
        s.deck[i] = cards[count]
        count += 1
    s.begins = below(rng, int(s.players)) if s.first == 0 else s.first - 1


@rule
def lay_square(s: State, rng: Any, cards: Any) -> None:
    """LAB-02: the first four cards, turned at random, and again while no path leads out."""
    out = False
    while not out:
        for i in range(SQUARE):
            rotation = below(rng, 2 if SHAPE_OF[cards[i]] == STRAIGHT else ROTATIONS)
            place(s, cards[i], rotation, i % 2, i // 2)
        out = not closed(s)


@rule
def top_of_deck(s: State) -> int:
    """Where the card lies that is drawn next; DECK or more if none is left."""
    return DECK - TURNS + int(s.players) * int(s.hand) + int(s.turns)


# Where cards fit, and what they take


@rule
def takeable(card: int, reached: int) -> int:
    """LAB-05: which mates of a card are among those connected."""
    found = 0
    for i in range(MATES):
        found |= (reached >> int(MATES_OF[card, i]) & 1) << i
    return found


@rule
def mates(card: int, takes: int) -> int:
    """The cards that such takes stand for, as a set."""
    found = 0
    for i in range(MATES):
        if takes >> i & 1:
            found |= 1 << int(MATES_OF[card, i])
    return found


@rule
def judge_rest(labyrinth: int, card: int, takes: int, beside: Any) -> tuple[int, int]:
    """LAB-07: whether these takes may be made with the card placed; judged once, on what is left. And who is alone."""
    taken, bereft = mates(card, takes), 0
    for i in range(MATES):
        if takes >> i & 1:
            bereft |= int(beside[MATES_OF[card, i]])
    bereft &= ~taken  # only those that lose a neighbour can be left alone or cut off
    alone = 0
    for other in range(CARDS):
        if bereft >> other & 1 and int(beside[other]) & ~taken == 0:
            alone |= 1 << other
    if alone:
        return ISOLATED, alone
    if labyrinth == ONE_PIECE:
        piece, before = 1 << card, 0
        while piece != before:
            before = piece
            for other in range(CARDS):
                if int(beside[other]) & piece:
                    piece |= 1 << other & ~taken
        if bereft & ~piece != 0:
            return IN_PIECES, 0
    return LEGAL, 0


@no_inline
def fits(
    labyrinth: int, card: int, plan: Any, width: int, beside: Any, found: int, cells: Any, leads: Any, out: Any
) -> int:
    """LAB-03: where a card fits, a row for each cell and rotation; how many there are.

    A row also has the mates that the card is connected with there, and which takes it may make: bit n - 1 for takes n.
    """
    count = 0
    for j in range(found):
        ends = int(leads[j, 0]), int(leads[j, 1]), int(leads[j, 2]), int(leads[j, 3])
        judged, sets = 0, 0
        for rotation in range(ROTATIONS):
            reached = connected(ends, int(OPEN[card, rotation]))
            if reached != 0:
                choice = takeable(card, reached)
                if choice != judged:
                    judged, sets = choice, 0
                    join(plan, width, cells[j], card, beside)
                    for takes in range(1, choice + 1):  # LAB-06 some or all
                        if takes & ~choice == 0 and judge_rest(labyrinth, card, takes, beside)[0] == LEGAL:
                            sets |= 1 << takes - 1
                    join(plan, width, cells[j], card, beside)
                out[count, 0], out[count, 1], out[count, 2], out[count, 3] = cells[j], rotation, choice, sets
                count += 1
    return count


# A turn


@rule
def to_move(s: State) -> int:
    """LAB-09: play passes to the left. All hold equally many cards, so the hands run out in this order, too."""
    if s.ended:
        return 0
    return 1 << (int(s.begins) + int(s.turns)) % int(s.players)


@rule
def legal(s: State, seat: int, out: Any) -> int:
    """Every card in hand, on every cell that a path leads to, in every rotation, with every set of takes."""
    plan = np.empty(PLAN, np.int16)
    beside = np.empty(CARDS, np.int64)
    cells = np.empty(ENDS, np.int64)
    leads = np.empty((ENDS, SIDES), np.int64)
    rows = np.empty((ENDS * ROTATIONS, 4), np.int64)
    left, top, width, found = survey(s, plan, beside, cells, leads)
    count = 0
    for i in range(HAND):
        card = int(s.hands[seat, i])
        if card == NO_CARD:
            continue
        for j in range(fits(int(s.labyrinth), card, plan, width, beside, found, cells, leads, rows)):
            cell, rotation, choice, sets = rows[j, 0], rows[j, 1], rows[j, 2], rows[j, 3]
            for takes in range(choice + 1):
                if takes == 0 or sets >> takes - 1 & 1:
                    out[count] = encode(card, rotation, left + cell % width, top + cell // width, takes)
                    count += 1
    return count


@rule
def encode(card: int, rotation: int, x: int, y: int, takes: int) -> int:
    """A move as a number."""
    return (((takes * 2 * FAR + y + FAR) * 2 * FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card


@rule
def decode(move: int) -> tuple[int, int, int, int, int]:
    """Card, rotation, x, y and takes of a move."""
    rest = move // CARDS // ROTATIONS
    x, y = rest % (2 * FAR) - FAR, rest // (2 * FAR) % (2 * FAR) - FAR
    return move % CARDS, move // CARDS % ROTATIONS, x, y, rest // (2 * FAR) // (2 * FAR)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """Any move: the card, its rotation, its cell, then the takes one rule after the other."""
    return judge(s, s.hands[seat], move)[0]


@no_inline
def judge(s: State, hand: Any, move: int) -> tuple[int, int]:
    """Why a move may not be made with this hand, and which other cards that is about, as a set."""
    card, rotation, x, y, takes = decode(move)
    if index_of(hand, HAND, card) < 0:
        return NOT_IN_HAND, 0
    if OPEN[card, rotation] == 0:
        return NO_ROTATION, 0
    plan = np.empty(PLAN, np.int16)
    left, top, width, height = draw_plan(s, plan)
    if not (left < x < left + width - 1 and top < y < top + height - 1):  # LAB-03
        return NOT_BESIDE, 0
    cell = (y - top) * width + x - left
    if plan[cell] >= 0:  # LAB-03
        return OCCUPIED, 1 << int(plan[cell])
    if neighbours(plan, width, cell) == 0:  # LAB-03
        return NOT_BESIDE, 0
    beside = np.empty(CARDS, np.int64)
    paths = np.empty(CARDS, np.int64)
    trace(s, plan, left, top, width, beside, paths)
    reached = connected(ends_at(s, plan, width, paths, cell), int(OPEN[card, rotation]))
    if reached == 0:  # LAB-03
        return NO_PATH, 0
    far = takes & ~takeable(card, reached)
    if far:  # LAB-05
        return NOT_CONNECTED, mates(card, far)
    join(plan, width, cell, card, beside)
    return judge_rest(int(s.labyrinth), card, takes, beside)


@rule
def apply(s: State, seat: int, move: int) -> None:
    """LAB-03, LAB-05, LAB-09: place a card, take others, draw."""
    card, rotation, x, y, takes = decode(move)
    place(s, card, rotation, x, y)
    for i in range(MATES):
        if takes >> i & 1:
            taken = MATES_OF[card, i]
            place(s, taken, 0, 0, 0)
            s.lies[taken] = TAKEN + seat
    drawn, top = NO_CARD, top_of_deck(s)
    if top < DECK:
        drawn = int(s.deck[top])
        s.deck[top] = NO_CARD
    s.hands[seat, index_of(s.hands[seat], HAND, card)] = drawn
    sort(s.hands[seat], HAND)
    s.turns += 1
    if s.turns == TURNS:  # LAB-10
        s.ended = PLAYED
    elif closed(s):  # LAB-11
        s.ended = CLOSED


# The end


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """LAB-08: a point a card; LAB-10: most cards win, equal counts share a place."""
    return (count_of(s.lies, CARDS, TAKEN + seat),)


# What a chair knows besides


@rule
def lie_open(v: State, left: Any) -> None:
    """The cards in the labyrinth, and those taken."""
    for card in range(CARDS):
        left[card] -= v.lies[card] != HIDDEN
