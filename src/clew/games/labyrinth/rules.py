"""Labyrinth, the card game: two to six players lay cards with paths and treasures side by side, without bounds.

A card placed must carry on the path of a neighbour. Every card that shows one of its two treasures, and to which its
paths lead, may be taken, as long as no card is left without a neighbour; the card placed stays. A card taken is a
point. The game ends when all cards have been played, or when no path leads out of the labyrinth any more.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Choice, Range, below, fields, rule, shuffle

TITLE = "Labyrinth"
BLURB = "Lay the paths, connect like treasures, take the cards: the labyrinth grows and crumbles."
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

CARDS = 50
TREASURES = 25
SQUARE = 4  # cards lie open at first: 0,0 1,0 0,1 1,1
TURNS = CARDS - SQUARE  # one card is placed a turn
HAND = 4  # at most; 4 + 6 * 4 cards are always there
DECK = TURNS - 2  # at most: two players with one card each

SIDES = 4  # north, east, south, west: bit i of a set of sides
STEP_X, STEP_Y = (0, 1, 0, -1), (-1, 0, 1, 0)
STRAIGHT, BEND, TEE = 0b0101, 0b0011, 0b0111  # the open sides of a card as it is printed
ROTATIONS = 4

# LAB-01 the deck: two treasures and a shape a card
TREASURES_OF = tuple((k, (k + 1) % 25) if k < 25 else (k - 25, (k - 18) % 25) for k in range(CARDS))
SHAPE_OF = tuple(STRAIGHT if 7 * k % 50 < 13 else BEND if 7 * k % 50 < 32 else TEE for k in range(CARDS))
OPEN = np.zeros((CARDS, ROTATIONS), np.int64)  # open sides; none where the card has no such rotation
for _card in range(CARDS):
    for _rotation in range(2 if SHAPE_OF[_card] == STRAIGHT else ROTATIONS):
        OPEN[_card, _rotation] = (SHAPE_OF[_card] * 0b10001 << _rotation) >> SIDES & 0b1111
MATES = 6  # each treasure of a card is on three others, and no card has both
MATES_OF = np.array(
    [[k for k in range(CARDS) if len({*TREASURES_OF[k], *TREASURES_OF[card]}) == 3] for card in range(CARDS)]
)

# A card lies beside another, so each of the 46 placed moves the border of the labyrinth by one cell at most, on one
# side: cells are from -46 to 47, and its width and height are never more than 4 + 46 together. With two free cells all
# around it fits a plan of 29 * 29, whatever its form.
PLAN = 29 * 29
FAR = 1000  # further than any cell that can be written

# A move is (((takes * 2 FAR + y + FAR) * 2 FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card, where bit i of the
# takes stands for the card MATES_OF[card, i].
MOVE = np.int64
# A path that is a tree with t T cards has t + 2 loose ends, and one with rings has fewer. The mates of a card lie on
# six paths at most, so takes are possible at 18 + 2 * 6 loose ends at most; and the 49 cards, be they 49 paths,
# have 18 + 2 * 49.
ENDS, ENDS_WITH_TAKES = 18 + 2 * 49, 18 + 2 * MATES
MOVES = HAND * ROTATIONS * (ENDS + ENDS_WITH_TAKES * (2**MATES - 1))
LONGEST = TURNS

# Why a move may be refused
NOT_IN_HAND, NO_ROTATION, OCCUPIED, NOT_BESIDE, NO_PATH, NOT_CONNECTED, ISOLATED, IN_PIECES = range(1, 9)

HIDDEN, IN_LABYRINTH, TAKEN = range(3)  # where a card is: TAKEN + seat if that seat has it
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
        sort_hand(s, seat)


@rule
def sort_hand(s, seat):
    """By insertion: four cards."""
    for i in range(1, HAND):
        card = int(s.hands[seat, i])
        j = i
        while j > 0 and s.hands[seat, j - 1] > card:
            s.hands[seat, j] = s.hands[seat, j - 1]
            j -= 1
        s.hands[seat, j] = card


# The labyrinth


@rule
def place(s, card, rotation, x, y):
    """Lay a card on a cell."""
    s.lies[card] = IN_LABYRINTH
    s.rotation[card] = rotation
    s.x[card] = x
    s.y[card] = y


@rule
def open_sides(s, card):
    """The open sides of a card as it lies."""
    return OPEN[card, s.rotation[card]]


@rule
def draw_plan(s, plan):
    """Put the cards of the labyrinth on a plan, -1 on free cells; its first column and row, its width and height."""
    left, right, top, bottom = FAR, -FAR, FAR, -FAR
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            left, right = min(left, int(s.x[card])), max(right, int(s.x[card]))
            top, bottom = min(top, int(s.y[card])), max(bottom, int(s.y[card]))
    left, top = left - 2, top - 2
    width, height = right - left + 3, bottom - top + 3
    for cell in range(width * height):
        plan[cell] = -1
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            plan[(s.y[card] - top) * width + s.x[card] - left] = card
    return left, top, width, height


@rule
def opens_to(s, plan, width, cell, side):
    """The card on this side of a cell, if it has an open side towards the cell; else -1."""
    other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
    if other >= 0 and open_sides(s, other) >> (side ^ 2) & 1:
        return other
    return -1


@rule
def neighbours(plan, width, cell):
    """The cards that share a side with a cell, as a set: bit k for card k."""
    found = 0
    for side in range(SIDES):
        other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
        if other >= 0:
            found |= 1 << other
    return found


@rule
def trace(s, plan, left, top, width, beside, paths):
    """For each card in the labyrinth its neighbours, and those that its paths lead to, itself too (LAB-04)."""
    walk = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        beside[card] = 0
        paths[card] = 0
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH and paths[card] == 0:
            walk[0] = card
            paths[card] = 1 << card
            reached, count, i = 1 << card, 1, 0
            while i < count:
                here = walk[i]
                cell = (int(s.y[here]) - top) * width + int(s.x[here]) - left
                beside[here] = neighbours(plan, width, cell)
                for side in range(SIDES):
                    if open_sides(s, here) >> side & 1:
                        other = opens_to(s, plan, width, cell, side)
                        if other >= 0 and paths[other] == 0:
                            walk[count] = other
                            paths[other] = 1 << other
                            reached |= 1 << other
                            count += 1
                i += 1
            for i in range(count):
                paths[walk[i]] = reached


@rule
def connected(s, plan, width, paths, cell, sides):
    """LAB-04: the cards that a card with these open sides would be connected with on a cell, as a set."""
    reached = 0
    for side in range(SIDES):
        if sides >> side & 1:
            other = opens_to(s, plan, width, cell, side)
            if other >= 0:
                reached |= paths[other]
    return reached


@rule
def takeable(card, reached):
    """LAB-05: which mates of a card are among those connected."""
    found = 0
    for i in range(MATES):
        found |= (reached >> MATES_OF[card, i] & 1) << i
    return found


@rule
def join(beside, card, around):
    """Note a card as the neighbour of those around it, or no longer as that."""
    beside[card] = around
    for other in range(CARDS):
        if around >> other & 1:
            beside[other] ^= 1 << card


@rule
def judge_rest(s, card, takes, beside):
    """LAB-07: whether these takes may be made with the card placed; judged once, on what is left."""
    taken, bereft = 0, 0
    for i in range(MATES):
        if takes >> i & 1:
            taken |= 1 << MATES_OF[card, i]
            bereft |= beside[MATES_OF[card, i]]
    bereft &= ~taken  # only those that lose a neighbour can be left alone or cut off
    for other in range(CARDS):
        if bereft >> other & 1 and beside[other] & ~taken == 0:
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
                        around = neighbours(plan, width, cell)
                        join(beside, card, around)
                        for takes in range(1, choice + 1):  # LAB-06 some or all
                            if takes & ~choice == 0 and judge_rest(s, card, takes, beside) == LEGAL:
                                out[count] = encode(card, rotation, x, y, takes)
                                count += 1
                        join(beside, card, around)
    return count


@rule
def cells_at_ends(s, plan, width, height, cells):
    """The free cells that an open side faces, in reading order; how many there are."""
    count = 0
    for row in range(1, height - 1):
        for cell in range(row * width + 1, (row + 1) * width - 1):
            if plan[cell] < 0:
                for side in range(SIDES):
                    if opens_to(s, plan, width, cell, side) >= 0:
                        cells[count] = cell
                        count += 1
                        break
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
    around = neighbours(plan, width, cell)
    if around == 0:  # LAB-03
        return NOT_BESIDE
    beside = np.empty(CARDS, np.int64)
    paths = np.empty(CARDS, np.int64)
    trace(s, plan, left, top, width, beside, paths)
    reached = connected(s, plan, width, paths, cell, OPEN[card, rotation])
    if reached == 0:  # LAB-03
        return NO_PATH
    if takes & ~takeable(card, reached) != 0:  # LAB-05
        return NOT_CONNECTED
    join(beside, card, around)
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
    sort_hand(s, seat)


# The end


@rule
def closed(s):
    """LAB-11: no open side faces a free cell, so that no card fits anywhere."""
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            for side in range(SIDES):
                if open_sides(s, card) >> side & 1:
                    if is_free(s, int(s.x[card]) + STEP_X[side], int(s.y[card]) + STEP_Y[side]):
                        return False
    return True


@rule
def is_free(s, x, y):
    """No card lies on this cell."""
    for card in range(CARDS):
        if s.x[card] == x and s.y[card] == y and s.lies[card] == IN_LABYRINTH:
            return False
    return True


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
        sort_hand(s, seat)
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
