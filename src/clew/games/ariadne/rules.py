"""Ariadne's Thread: two players fill a tableau of 7 x 7 cards and score what hangs together in their colour.

One plays the black cards, the other the red, each from a hand of three. A card goes face up to an empty cell; or it
takes the place of the card played last, if it outranks that one, or of the Joker: what lay there turns over and moves.
Five or more cards side by side are a thread and count. The Joker beside a thread takes points while it lies face down
(the Minotaur) and gives them face up (Theseus). After two rounds the higher total wins.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Choice, Range, fields, rule, shuffle, sort
from clew.games.ariadne.tableau import (
    BOTTOM,
    CARDS,
    CELLS,
    CENTRE,
    GRID,
    JOKER,
    LEFT,
    LINE,
    NOW,
    OWN,
    PAST,
    RIGHT,
    SPAN,
    TOP,
    beside_joker,
    box_cell,
    coloured,
    first_group,
    first_row,
    free,
    last_row,
    lay,
    length,
    misplaced,
    number,
    score,
    worth,
)

TITLE = "Ariadne's Thread"
BLURB = "Fill the labyrinth card by card, spin threads of your colour, and keep the Minotaur away from them."
AUTHOR = "Rey Alicea"
AGE = 8
MINUTES = 25
RULES = 1
PLAYERS = (2, 2)
OPTIONS = (
    Range("thread_min", 5, 3, 8, "how many cards make a thread"),
    Range("rounds", 2, 1, 4, "how many rounds are played"),
    Range("joker_points", 10, 0, 50, "what the Joker gives or takes"),
    Choice("joker_counts", ("once", "per_thread"), "whether the Joker counts once a player, or for each thread"),
    Choice("face_down", ("wall", "colour"), "whether a card turned over blocks, or still joins its colour"),
    Range("max_rounds", 8, 1, 16, "after how many rounds a drawn game is a draw"),
)
ENDINGS = ("rounds", "draw")
PERFECT_RECALL = False  # a view has neither the order of plays nor the rounds before
ROUNDS, DRAW = 1, 2
MAX_ROUNDS = 16

HAND = 3
TURNS = CARDS  # of a round
ACE_HIGH = 14

OF_THREADS, OF_JOKER = range(2)

PLAY, SWAP, MOVE_JOKER = range(3)  # a move is (action * JOKER + card) * CELLS + cell
MOVE = np.int64
MOVES = HAND * 3 * (SPAN + 1) * (SPAN + 1)  # the cells in reach are the box and a ring around it, 8 x 8 at most
LONGEST = MAX_ROUNDS * TURNS

# Why a move may be refused
NO_ACTION, NOT_YOURS, NOT_IN_HAND, NO_LAST_CARD, NOT_HIGHER, DIVIDES, ONE_LESS = range(1, 8)
SAME_PLACE = 8  # and TAKEN, OUTSIDE, APART

PUBLIC = [
    ("round_number", np.int16),  # from 1
    ("turns", np.int16),  # played in this round
    ("ended", np.int16),
    ("tableau", np.int16, (2, CELLS)),  # a card, negative when it lies face down
    ("box", np.int16, (2, 4)),  # the rows and columns that the tableau spans
    ("joker", np.int16, (2,)),  # its cell
    ("last", np.int16),  # the cell of the card played last, 0 before the first
    ("taken", np.int16, (GRID,)),  # a bit for each card of this round's tableau, row by row
    ("score", np.int16, (MAX_ROUNDS, 2, 2)),  # of the rounds played: each seat's, of threads and of the Joker
]
STATE = fields(
    [
        *PUBLIC,
        ("hand", np.int16, (2, HAND)),  # ascending
        ("deck", np.int16, (MAX_ROUNDS, 2, OWN)),  # of each round, in the order in which it is drawn, 0 where it was
    ],
    OPTIONS,
)
VIEW = fields(
    [
        *PUBLIC,
        ("seat", np.int16),
        ("hand", np.int16, (HAND,)),  # all 0 for a spectator
        ("deck_left", np.int16, (2,)),
        ("free", np.int16, (GRID,)),  # a bit for each cell to which a card may go
        ("window", np.int16, (4,)),  # the rows and columns that the tableau may still reach
        ("group", np.int16, (2, CELLS)),  # the number, from 1, of the group of side-connected cards here
        ("length", np.int16, (2, CARDS)),  # of the groups
        ("points", np.int16, (2, CARDS)),
        ("thread", np.int16, (2, CARDS)),  # 1 for a group that is long enough, 2 with the Joker beside it
        ("now", np.int16, (2, 2)),  # the score if this round ended as it stands
    ],
    OPTIONS,
)


def refuse_table(options, players):
    """ARI-18: the limit cannot come before the rounds are played."""
    if options["max_rounds"] < options["rounds"]:
        return f"max_rounds is at least the {options['rounds']} rounds to be played, not {options['max_rounds']}."
    return ""


# The deal


@rule
def shuffle_deck(s, rng, played, seat):
    """ARI-01: a player's 24 cards for one round."""
    cards = s.deck[played, seat]
    for i in range(OWN):
        cards[i] = 1 + seat * OWN + i
    shuffle(rng, cards, OWN)


@rule
def deal(s, rng):
    """ARI-01: both decks of every round that could be played."""
    for played in range(s.max_rounds):
        for seat in range(2):
            shuffle_deck(s, rng, played, seat)


@rule
def start(s):
    """Begin round 1."""
    s.round_number = 1
    set_up(s)


@rule
def first_player(s):
    """ARI-03, ARI-17: black begins the odd rounds, red the even ones."""
    return (s.round_number - 1) & 1


@rule
def set_up(s):
    """ARI-02, ARI-03: the Joker alone in the centre, three cards in each hand."""
    s.turns = 0
    s.last = 0
    for cell in range(CELLS):
        s.tableau[NOW, cell] = 0
    for row in range(GRID):
        s.taken[row] = 0
    for side in range(4):
        s.box[NOW, side] = CENTRE
    s.joker[NOW] = CENTRE * GRID + CENTRE
    lay(s, int(s.joker[NOW]), -JOKER if s.round_number & 1 else JOKER)
    for seat in range(2):
        for i in range(HAND):
            s.hand[seat, i] = s.deck[s.round_number - 1, seat, i]
            s.deck[s.round_number - 1, seat, i] = 0
        sort(s.hand[seat], HAND)


# A turn


@rule
def to_move(s):
    """ARI-03: the players take turns."""
    if s.ended:
        return 0
    return 1 << int((first_player(s) + s.turns) & 1)


@rule
def outranked(card, last):
    """ARI-09: why a card from the hand does not swap out the last card."""
    high, low = number(card), number(last)
    if high == 1:
        high = ACE_HIGH
    if high <= low:
        return NOT_HIGHER
    if high % low == 0:
        return DIVIDES
    if high - low == 1:
        return ONE_LESS
    return LEGAL


@rule
def forbidden(s, action, card):
    """Why a player who holds the card may not use it like this."""
    if action == SWAP:
        if s.last == 0:  # ARI-08
            return NO_LAST_CARD
        return outranked(card, int(s.tableau[NOW, s.last]))
    if action == PLAY or action == MOVE_JOKER:
        return LEGAL
    return NO_ACTION  # ARI-04


@rule
def legal(s, seat, out):
    """Each use of each card in hand, to every cell where a card may go."""
    lowest = 0
    while s.hand[seat, lowest] == 0:
        lowest += 1
    first = (PLAY * JOKER + int(s.hand[seat, lowest])) * CELLS  # ARI-05 is always possible
    cells = 0
    left = int(s.box[NOW, LEFT]) - 1
    for row in range(first_row(s), last_row(s) + 1):
        cell = row * GRID + left
        open_cells = free(s, row) >> left
        while open_cells:
            out[cells] = first + cell  # to be written over unless the cell is open
            cells += open_cells & 1
            open_cells >>= 1
            cell += 1
    count = cells
    for action in range(3):
        for i in range(lowest, HAND):
            card = int(s.hand[seat, i])
            use = (action * JOKER + card) * CELLS
            if use != first and forbidden(s, action, card) == LEGAL:
                for j in range(cells):
                    out[count + j] = out[j] + (use - first)
                count += cells
    return count


@rule
def refusal(s, seat, move):
    """Any move: the card must be in hand, the use of it allowed, and the cell one where a card may go."""
    action, card, cell = move // CELLS // JOKER, move // CELLS % JOKER, move % CELLS
    if (card - 1) // OWN != seat:
        return NOT_YOURS
    held = False
    for i in range(HAND):
        held |= s.hand[seat, i] == card
    if not held:
        return NOT_IN_HAND
    reason = forbidden(s, action, card)
    if reason != LEGAL:
        return reason
    if (action == SWAP and cell == s.last) or (action == MOVE_JOKER and cell == s.joker[NOW]):
        return SAME_PLACE
    return misplaced(s, cell)


@rule
def apply(s, seat, move):
    """ARI-04: one action, then draw while the deck lasts."""
    action, card, cell = move // CELLS // JOKER, move // CELLS % JOKER, move % CELLS
    place = cell  # ARI-05
    if action == SWAP:  # ARI-06
        place = int(s.last)
    elif action == MOVE_JOKER:  # ARI-07
        place = int(s.joker[NOW])
        s.joker[NOW] = cell
    lay(s, cell, -int(s.tableau[NOW, place]))
    s.tableau[NOW, place] = card
    s.last = place  # ARI-08
    at = HAND + s.turns // 2
    drawn = 0
    if at < OWN:
        drawn = int(s.deck[s.round_number - 1, seat, at])
        s.deck[s.round_number - 1, seat, at] = 0
    exchange(s, seat, card, drawn)
    s.turns += 1
    if s.turns == TURNS:  # ARI-13
        end_round(s)


@rule
def exchange(s, seat, card, drawn):
    """Take a card out of the hand and put the one drawn in its order; 0 stands for no card."""
    i = 0
    while s.hand[seat, i] != card:
        i += 1
    while i > 0 and s.hand[seat, i - 1] > drawn:
        s.hand[seat, i] = s.hand[seat, i - 1]
        i -= 1
    while i < HAND - 1 and s.hand[seat, i + 1] < drawn:
        s.hand[seat, i] = s.hand[seat, i + 1]
        i += 1
    s.hand[seat, i] = drawn


# The end


@rule
def end_round(s):
    """ARI-17: score it; then the game is over, or the next round is set up."""
    for seat in range(2):
        points, joker = score(s, seat)
        s.score[s.round_number - 1, seat, OF_THREADS] = points
        s.score[s.round_number - 1, seat, OF_JOKER] = joker
    if s.round_number >= s.rounds and total(s, 0) != total(s, 1):
        s.ended = ROUNDS
    elif s.round_number == s.max_rounds:  # ARI-18
        s.ended = DRAW
    else:
        for cell in range(CELLS):
            s.tableau[PAST, cell] = s.tableau[NOW, cell]
        for side in range(4):
            s.box[PAST, side] = s.box[NOW, side]
        s.joker[PAST] = s.joker[NOW]
        s.round_number += 1
        set_up(s)


@rule
def total(s, seat):
    """ARI-17: the score of all rounds played."""
    points = 0
    for played in range(s.round_number):
        points += int(s.score[played, seat, OF_THREADS]) + int(s.score[played, seat, OF_JOKER])
    return points


@rule
def ending(s):
    """ARI-17, ARI-18."""
    return int(s.ended)


@rule
def result(s, scores, places):
    """ARI-17: the higher total, with the present round as it stands."""
    for seat in range(2):
        scores[seat] = total(s, seat)
        if not s.ended:
            points, joker = score(s, seat)
            scores[seat] += points + joker
    places[0] = 2 if scores[0] < scores[1] else 1
    places[1] = 2 if scores[1] < scores[0] else 1


# What a chair knows


@rule
def copy_public(source, target):
    """Everything on the table that all can see, face-down cards included: all saw them before."""
    target.players = source.players
    target.thread_min = source.thread_min
    target.rounds = source.rounds
    target.joker_points = source.joker_points
    target.joker_counts = source.joker_counts
    target.face_down = source.face_down
    target.max_rounds = source.max_rounds
    target.round_number = source.round_number
    target.turns = source.turns
    target.ended = source.ended
    target.tableau = source.tableau
    target.box = source.box
    target.joker = source.joker
    target.last = source.last
    target.taken = source.taken
    target.score = source.score


@rule
def deck_left(s, seat):
    """ARI-04: three cards are drawn at the start of a round, and one a turn while there are any."""
    turns = (s.turns + (seat == first_player(s))) // 2
    return max(0, OWN - HAND - turns)


@rule
def view(s, seat, v):
    """ARI-19: the table with the threads on it, and the own hand."""
    copy_public(s, v)
    v.seat = seat
    for i in range(HAND):
        v.hand[i] = s.hand[seat, i] if seat >= 0 else 0
    for player in range(2):
        v.deck_left[player] = deck_left(s, player)
    if not s.ended:
        for row in range(first_row(s), last_row(s) + 1):
            v.free[row] = free(s, row)
    v.window[TOP], v.window[BOTTOM] = first_row(s), last_row(s)
    v.window[LEFT], v.window[RIGHT] = s.box[NOW, RIGHT] - SPAN + 1, s.box[NOW, LEFT] + SPAN - 1
    for when in range(min(int(s.round_number), 2)):
        view_groups(s, when, v)
    for player in range(2):
        v.now[player, OF_THREADS], v.now[player, OF_JOKER] = score(s, player)


@rule
def view_groups(s, when, v):
    """What hangs together, and what of it is a thread."""
    count = 0
    for player in range(2):
        word = coloured(s, when, player)
        while word:
            group = first_group(word)
            word ^= group
            for bit in range(SPAN * LINE):
                if group >> bit & 1:
                    v.group[when, box_cell(s, when, bit)] = count + 1
            v.length[when, count] = length(group)
            v.points[when, count] = worth(s, when, group)
            if v.length[when, count] >= s.thread_min:
                v.thread[when, count] = 1 + beside_joker(s, when, group)
            count += 1


@rule
def imagine(v, rng, s):
    """Deal what this chair has not seen: the rest of each deck and the other's hand, and the rounds to come."""
    copy_public(v, s)
    for seat in range(2):
        for played in range(v.round_number, v.max_rounds):
            shuffle_deck(s, rng, played, seat)
        unseen = np.zeros(OWN, np.int64)
        count = unseen_cards(v, seat, unseen)
        shuffle(rng, unseen, count)
        for i in range(OWN - v.deck_left[seat], OWN):
            count -= 1
            s.deck[v.round_number - 1, seat, i] = unseen[count]
        for i in range(HAND):
            if seat == v.seat:
                s.hand[seat, i] = v.hand[i]
            elif count > 0:
                count -= 1
                s.hand[seat, i] = unseen[count]
        sort(s.hand[seat], HAND)


@rule
def unseen_cards(v, seat, unseen):
    """A player's cards that lie neither on the tableau nor in the own hand; how many there are."""
    seen = np.zeros(JOKER + 1, np.int64)
    for cell in range(CELLS):
        seen[abs(int(v.tableau[NOW, cell]))] = 1
    for i in range(HAND):
        seen[v.hand[i]] = 1
    count = 0
    for card in range(1 + seat * OWN, 1 + seat * OWN + OWN):
        if not seen[card]:
            unseen[count] = card
            count += 1
    return count


@rule
def cover(s, seat):
    """ARI-19: hands, the order of the decks, the rounds to come."""
    for other in range(2):
        for played in range(MAX_ROUNDS):
            for i in range(OWN):
                s.deck[played, other, i] = 0
        for i in range(HAND):
            if other != seat:
                s.hand[other, i] = 0
