"""Ariadne's Thread: two players fill a tableau of 7 x 7 cards and score what hangs together in their colour.

One plays the black cards, the other the red, each from a hand of three. A card goes face up to an empty cell; or it
takes the place of the card played last, if it outranks that one, or of the Joker: what lay there turns over and moves.
Five or more cards side by side are a thread and count. The Joker beside a thread takes points while it lies face down
(the Minotaur) and gives them face up (Theseus). After two rounds the higher total wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import LEGAL, Form, Kind, Moves, Pieces, Reason, Record, copy_head, index_of, rule, shuffle, sort, suited
from clew.core.declare import count, option, own, public, seats, secret, told
from clew.games.ariadne.grid import CARDS, CELLS, CENTRE, GRID, JOKER, LEFT, NOW, OWN, SPAN, number
from clew.games.ariadne.tableau import clear, columns, first_row, free, keep, last_row, lay, score, survey, touching

TITLE = "Ariadne's Thread"
BLURB = "Fill the labyrinth card by card, spin threads of your colour, and keep the Minotaur away from them."
AUTHOR = "Rey Alicea"
AGE = 8
MINUTES = 25
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("rounds", "draw")
ROUNDS, DRAW = 1, 2
MAX_ROUNDS = 16

SEATS = seats(2)
TABLEAUS = 2  # NOW and PAST
HAND = 3
TURNS = CARDS  # of a round
NAMES = [rank + suit for suit in "SCHD" for rank in "A23456789JQK"]
CARD = Pieces(NAMES, spoken=[f"the {suited(name)}" for name in NAMES])
CELL = Kind(0, CELLS - 1, [f"{cell % GRID - CENTRE},{cell // GRID - CENTRE}" for cell in range(CELLS)])

OF_THREADS, OF_JOKER = range(2)
MOST_POINTS = 2 * 75  # two suits: the numbers 1 to 9, and three pictures of ten
SCORE = count(8 * 50, -8 * 50)  # threads of three, and the most that the Joker can be worth
WORD = count((1 << GRID) - 1)  # a bit for each cell of a row

MOVE = Moves(
    play=Form("{card}@{cell}", card=CARD, cell=CELL),
    swap=Form("{card} swap {cell}", card=CARD, cell=CELL),
    joker=Form("{card} joker {cell}", card=CARD, cell=CELL),
    example="7S@1,-2 or 7S swap 3,0 or 7S joker 3,0",
)
PLAY, SWAP, MOVE_JOKER = range(3)  # a move is (action * CARDS + card - 1) * CELLS + cell
MOVES = HAND * 3 * (SPAN + 1) * (SPAN + 1)  # the cells in reach are the box and a ring around it, 8 x 8 at most
LONGEST = MAX_ROUNDS * TURNS

NO_ACTION = Reason("ARI-04", "A turn is one of three actions: play a card, swap out the last card, move the Joker.")
NOT_YOURS = Reason("ARI-01", "{Card} is not one of your {colour} cards.")
NOT_HELD = tuple(Reason(action, "You do not hold {card}: it {place}.") for action in ("ARI-05", "ARI-06", "ARI-07"))
NO_LAST_CARD = Reason("ARI-08", "No card has been played in this round: there is none to swap out.")
NOT_HIGHER = Reason("ARI-09", "{Card} is not higher than {last}.")
AN_ACE = Reason("ARI-09", "The last card is an ace, and an ace is never swapped out.")
DIVIDES = Reason("ARI-09", "{Card} does not outrank {last}: {low} divides {high}.")
ONE_LESS = Reason("ARI-09", "{Card} does not outrank {last}: {low} is just one below {high}.")
CARD_STAYS = Reason("ARI-06", "{Card} takes that place: the card swapped out moves to another cell.")
JOKER_STAYS = Reason("ARI-07", "{Card} takes that place: the Joker moves to another cell.")
TAKEN = Reason("ARI-11", "{There} lies there already.")
OUTSIDE = Reason("ARI-12", f"A card there would make the tableau wider or higher than {SPAN} cells.")
APART = Reason("ARI-10", "No card lies beside that place, not even at a corner.")


class State(Record):
    """ARI-19: the table, cards face down included, as all saw them before; the own hand; no deck."""

    thread_min = option(range(3, 9), "how many cards make a thread", 5)
    rounds = option(range(1, 5), "how many rounds are played", 2)
    joker_points = option(range(51), "what the Joker gives or takes", 10)
    joker_counts = option(("once", "per_thread"), "whether the Joker counts once a player, or for each thread")
    face_down = option(("wall", "colour"), "whether a card turned over blocks, or still joins its colour")
    max_rounds = option(range(1, MAX_ROUNDS + 1), "after how many rounds a drawn game is a draw", 8)
    round_number = public(count(MAX_ROUNDS, 1))
    turns = public(count(TURNS))  # played in this round
    ended = public(count(DRAW))
    tableau = public(count(JOKER, -JOKER), TABLEAUS, CELLS)  # a card, negative when it lies face down
    box = public(count(GRID - 1), TABLEAUS, 4)  # the rows and columns that the tableau spans
    joker = public(CELL, TABLEAUS)
    last = public(CELL)  # of the card played last, 0 before the first
    taken = public(WORD, GRID)  # the cards of this round's tableau, row by row
    score = public(SCORE, MAX_ROUNDS, SEATS, 2)  # of the rounds played, of threads and of the Joker
    hand = own(CARD, SEATS, HAND, packed="back", sorted=True)  # ascending
    deck = secret(CARD, MAX_ROUNDS, SEATS, OWN, packed="back")  # of each round, in the order in which it is drawn
    free = told(WORD, GRID)  # the cells to which a card may go
    window = told(count(GRID - 1), 4)  # the rows and columns that the tableau may still reach
    group = told(count(CARDS), TABLEAUS, CELLS)  # the number, from 1, of the group of side-connected cards here
    points = told(count(MOST_POINTS), TABLEAUS, CARDS)  # of the groups
    thread = told(count(2), TABLEAUS, CARDS)  # 1 for a group that is long enough, 2 with the Joker beside it
    now = told(SCORE, SEATS, 2)  # the score if this round ended as it stands


HEAD = State.head_size()  # what is public


def refuse_table(options: dict[str, Any], players: int) -> str:
    """ARI-18: the limit cannot come before the rounds are played."""
    if options["max_rounds"] < options["rounds"]:
        return f"max_rounds is at least the {options['rounds']} rounds to be played, not {options['max_rounds']}."
    return ""


# The deal


@rule
def shuffle_deck(s: State, rng: Any, played: int, seat: int) -> None:
    """ARI-01: a player's 24 cards for one round."""
    cards = s.deck[played, seat]
    for i in range(OWN):
        cards[i] = 1 + seat * OWN + i
    shuffle(rng, cards, OWN)


@rule
def deal(s: State, rng: Any) -> None:
    """ARI-01: both decks of every round that could be played."""
    for played in range(s.max_rounds):
        for seat in range(SEATS):
            shuffle_deck(s, rng, played, seat)


@rule
def start(s: State) -> None:
    """Begin round 1."""
    s.round_number = 1
    set_up(s)


@rule
def first_player(s: State) -> int:
    """ARI-03, ARI-17: black begins the odd rounds, red the even ones."""
    return (s.round_number - 1) & 1


@rule
def set_up(s: State) -> None:
    """ARI-02, ARI-03: the Joker alone in the centre, three cards in each hand."""
    s.turns = 0
    s.last = 0
    clear(s)
    lay(s, int(s.joker[NOW]), -JOKER if s.round_number & 1 else JOKER)
    for seat in range(SEATS):
        hand, deck = s.hand[seat], s.deck[s.round_number - 1, seat]
        for i in range(HAND):
            hand[i], deck[i] = deck[i], 0
        sort(hand, HAND)


# A turn


@rule
def to_move(s: State) -> int:
    """ARI-03: the players take turns."""
    if s.ended:
        return 0
    return 1 << int((first_player(s) + s.turns) & 1)


@rule
def parts(move: int) -> tuple[int, int, int]:
    """ARI-04: an action, the card for it, and the cell to which that card or the one it moves goes."""
    return move // CELLS // CARDS, move // CELLS % CARDS + 1, move % CELLS


@rule
def strength(card: int) -> int:
    """ARI-09: what a card from the hand counts: an ace is high."""
    return 14 if number(card) == 1 else number(card)


@rule
def forbidden(s: State, action: int, card: int) -> int:
    """Why a player who holds the card may not use it like this."""
    if action != SWAP:
        return LEGAL
    if s.last == 0:  # ARI-08
        return NO_LAST_CARD
    high, low = strength(card), number(int(s.tableau[NOW, s.last]))  # ARI-09
    if high <= low:
        return NOT_HIGHER
    if high % low == 0:
        return AN_ACE if low == 1 else DIVIDES
    if high - low == 1:
        return ONE_LESS
    return LEGAL


@rule
def legal(s: State, seat: int, out: Any) -> int:
    """Each use of each card in hand, to every cell where a card may go."""
    lowest = 0
    while s.hand[seat, lowest] == 0:
        lowest += 1
    first = (PLAY * CARDS + int(s.hand[seat, lowest]) - 1) * CELLS  # ARI-05 is always possible
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
            use = (action * CARDS + card - 1) * CELLS
            if use != first and forbidden(s, action, card) == LEGAL:
                for j in range(cells):
                    out[count + j] = out[j] + (use - first)
                count += cells
    return count


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """Any move: the card must be in hand, the use of it allowed, and the cell one where a card may go."""
    action, card, cell = parts(move)
    if not PLAY <= action <= MOVE_JOKER:
        return NO_ACTION
    if (card - 1) // OWN != seat:
        return NOT_YOURS
    if index_of(s.hand[seat], HAND, card) < 0:
        return NOT_HELD[action]
    reason = forbidden(s, action, card)
    if reason != LEGAL:
        return reason
    if action == SWAP and cell == s.last:
        return CARD_STAYS
    if action == MOVE_JOKER and cell == s.joker[NOW]:
        return JOKER_STAYS
    row, column = cell // GRID, cell % GRID
    if int(s.taken[row]) >> column & 1:  # ARI-11
        return TAKEN
    if row < first_row(s) or row > last_row(s) or not columns(s) >> column & 1:  # ARI-12
        return OUTSIDE
    if not touching(s, row) >> column & 1:  # ARI-10
        return APART
    return LEGAL


@rule
def apply(s: State, seat: int, move: int) -> None:
    """ARI-04: one action, then draw while the deck lasts."""
    action, card, cell = parts(move)
    place = cell  # ARI-05
    if action == SWAP:  # ARI-06
        place = int(s.last)
    elif action == MOVE_JOKER:  # ARI-07
        place = int(s.joker[NOW])
        s.joker[NOW] = cell
    lay(s, cell, -int(s.tableau[NOW, place]))
    s.tableau[NOW, place] = card
    s.last = place  # ARI-08
    hand, deck = s.hand[seat], s.deck[s.round_number - 1, seat]
    at, drawn = index_of(hand, HAND, card), HAND + s.turns // 2
    hand[at] = 0
    if drawn < OWN:
        hand[at], deck[drawn] = deck[drawn], 0
    sort(hand, HAND)
    s.turns += 1
    if s.turns == TURNS:  # ARI-13
        end_round(s)


# The end


@rule
def end_round(s: State) -> None:
    """ARI-17: score it; then the game is over, or the next round is set up."""
    for seat in range(SEATS):
        written = s.score[s.round_number - 1, seat]
        written[OF_THREADS], written[OF_JOKER] = score(s, seat)
    if s.round_number >= s.rounds and total(s, 0) != total(s, 1):
        s.ended = ROUNDS
    elif s.round_number == s.max_rounds:  # ARI-18
        s.ended = DRAW
    else:
        keep(s)
        s.round_number += 1
        set_up(s)


@rule
def total(s: State, seat: int) -> int:
    """ARI-17: the score of all rounds played."""
    points = 0
    for played in range(s.round_number):
        points += int(s.score[played, seat, OF_THREADS]) + int(s.score[played, seat, OF_JOKER])
    return points


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """ARI-17: the total, with the present round as it stands."""
    points, joker = (0, 0) if s.ended else score(s, seat)
    return (total(s, seat) + points + joker,)


# What a chair knows


@rule
def tells(s: State, seat: int, v: State) -> None:
    """Where a card may go, what hangs together, and how this round stands."""
    survey(s, v)
    for player in range(SEATS):
        v.now[player, OF_THREADS], v.now[player, OF_JOKER] = score(s, player)


@rule
def imagine(v: Any, rng: Any, s: State) -> None:
    """Deal what this chair has not seen.

    By hand, as each round has all cards anew: a set of pieces for each round and seat cannot be declared.
    """
    copy_head(v, s, HEAD)
    seen = np.zeros(JOKER + 1, np.int64)
    for cell in range(CELLS):
        seen[abs(int(v.tableau[NOW, cell]))] = 1
    for i in range(HAND):
        seen[v.hand[i]] = 1
    for seat in range(SEATS):
        for played in range(v.round_number - 1, v.max_rounds):
            shuffle_deck(s, rng, played, seat)
        hand, deck, at = s.hand[seat], s.deck[v.round_number - 1, seat], OWN
        for i in range(OWN - 1, -1, -1):  # what is seen of this round's cards leaves, what is not moves to the back
            card, deck[i] = deck[i], 0
            if not seen[card]:
                at -= 1
                deck[at] = card
        for i in range(HAND):
            if seat == v.seat:
                hand[i] = v.hand[i]
            elif i >= HAND - v.hand_count[seat]:
                hand[i], deck[at] = deck[at], 0
                at += 1
        sort(hand, HAND)
