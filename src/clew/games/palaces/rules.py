"""The Lost Palaces: two players walk four paths to Minoan palaces with ascending cards, digging up finds.

A number card starts a path or takes its pawn one step, if it is not lower than the last one there; an Ariadne card
takes it two. A Minotaur card throws the other's archaeologist back, but not a Theseus, who counts double. The first
steps cost points. The game ends with the pile, or when four pawns stand on step 7 or beyond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import LEGAL, Form, Moves, Pieces, Reason, Record, choice, count, count_of, fill, rule
from clew.core.declare import interchangeable, option, own, public, seat_of, seats, secret, seen, told
from clew.core.rng import below, shuffle

TITLE = "The Lost Palaces"
BLURB = "Four paths, ascending cards, buried finds: how far do you dare to walk?"
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("pile", "pawns")
PILE, PAWNS = 1, 2

SEATS = seats(2)
LETTERS = "KMPZ"
NAMES = ("Knossos", "Malia", "Phaistos", "Zakros")
PALACES = interchangeable(LETTERS)
KINDS = 12  # of cards a palace: the numbers 1 to 10 as 0 to 9, then
ARIADNE, MINOTAUR = 10, 11
CARDS = PALACES * KINDS  # a card is palace * KINDS + kind, and
NO_CARD = -1
COPIES = (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2) * PALACES  # PAL-01 25 cards a palace
PALACE_OF = np.arange(CARDS) // KINDS  # tables: dividing costs the kernels more than looking up
KIND_OF = np.arange(CARDS) % KINDS
DECK = PALACES * 25
HAND = 8
TURNS = DECK - 2 * HAND  # a turn draws one of the 84 cards in the pile
KIND_NAMES = (*map(str, range(1, 11)), "A", "X")
CARD = Pieces(
    [letter + kind for letter in LETTERS for kind in KIND_NAMES],
    COPIES,
    first=0,
    gone="played",
    axes=(PALACES, KINDS),
    spoken=[
        {"A": f"Ariadne of {palace}", "X": f"the Minotaur of {palace}"}.get(kind, f"{palace} {kind}")
        for palace in NAMES
        for kind in KIND_NAMES
    ],
)

NOBODY, ARCHAEOLOGIST, THESEUS = range(3)
ARCHAEOLOGISTS = 3  # PAL-02
LAST_STEP = 9
SAFE_STEP = 7  # PAL-14, PAL-17
STEP_POINTS = (0, -20, -15, -10, 5, 10, 15, 30, 35, 50)  # PAL-03

SITES = 5
SITE_STEPS = (2, 4, 6, 8, 9)  # PAL-04
CLOSED, RARE, STATUE, FRESCO15, FRESCO20 = range(5)
STATUES, FRESCOES15, FRESCOES20 = 10, 3, 3  # PAL-04, PAL-05
FIND = Pieces(("R", "S", "F15", "F20"), (PALACES, STATUES, FRESCOES15, FRESCOES20))
RARE_POINTS = (25, 25, 35, 25)  # PAL-04 the Phaistos disc is worth 35
STATUE_POINTS = (0, -20, -15, 5, 15, 30, 45, 55, 70, 90, 100)  # PAL-18
OF_STEPS, OF_STATUES, OF_RARES, OF_FRESCOES = range(4)
KINDS_OF_POINTS = 4

PAWN = choice("a", "t")
MOVE = Moves(
    start=Form("{card}:{pawn}", pawn=PAWN, card=CARD),
    advance=Form("{card}", only=lambda card: KIND_OF[card] != MINOTAUR, card=CARD),
    attack=Form("{card}", card=CARD),
    discard=Form("-{card}", card=CARD),
    example="K7:a, K7:t, K7, KA, KX or -K7",
)
START_A, START_T, ADVANCE, ATTACK, DISCARD = range(5)  # a move is action * CARDS + card
MOVES = HAND * 2 + HAND  # a card can start with either pawn, and any can be discarded
LONGEST = TURNS

NOT_IN_HAND = Reason("PAL-06", "You do not hold {card}.")
PAWN_THERE = Reason("PAL-02", "You have a pawn on the path to {where} already: {card} can only move that one on.")
NO_START = Reason("PAL-07", "An Ariadne card does not start a path.")
NO_PAWN_LEFT = Reason("PAL-02", "Your {pawns} on the way already.")
NO_PAWN = Reason("PAL-07", "You have no pawn on the path to {where}: a number card sends an archaeologist or Theseus.")
TOO_LOW = Reason("PAL-08", "{card} is lower than your last number card on that path, {where} {last}.")
AT_THE_END = Reason("PAL-10", "Your pawn has reached {where}: it cannot advance.")
NOT_A_MINOTAUR = Reason("PAL-12", "{Card} is not a Minotaur card and cannot attack.")
NO_TARGET = Reason("PAL-14", "There is no pawn to attack on the path to {where}: {card} can only be discarded.")
SAFE = Reason("PAL-14", "The pawn at {where} is on step 7 or beyond and safe: {card} can only be discarded.")
MINOTAUR_WALKS = Reason("PAL-12", "A Minotaur card moves no pawn of yours: it attacks, or it is discarded.")


class State(Record):
    """PAL-20: the table, the own hand, and the faces of what was opened."""

    edition = option(("classic",), "which edition of the rules is played")
    first = public(seat_of(SEATS), dealt=True)
    turns = public(count(TURNS))  # turns played
    ended = public(count(PAWNS))
    log = public(
        count(5 * CARDS - 1), TURNS, observed=False
    )  # the moves, turn by turn: all that was played and discarded is public
    pawn = public(count(THESEUS), SEATS, PALACES)
    step = public(count(LAST_STEP), SEATS, PALACES)
    last = public(count(10), SEATS, PALACES)  # the last number card there
    statues = public(count(STATUES), SEATS)
    rares = public(count(1), SEATS, PALACES)
    frescoes = public(count(3), SEATS, 2)  # photographed: those worth 15, those worth 20
    photos = public(count(1), SEATS, PALACES, SITES)
    opened = public(count(1), PALACES, SITES)
    hand = own(CARD, SEATS, HAND, packed="back", sorted=True)  # ascending
    pile = secret(CARD, TURNS, packed="back")  # in the order in which it is drawn
    finds = seen(FIND, PALACES, SITES, where="opened", fits="one_rare_each")
    points = told(count(400, -200), SEATS, KINDS_OF_POINTS)


# The deal


@rule
def deal(s: State, rng: Any) -> None:
    """PAL-01, PAL-04: shuffle the cards, bury the finds, draw who begins."""
    cards = np.empty(DECK, np.int64)
    fill(cards, 0, COPIES)
    shuffle(rng, cards, DECK)
    for i in range(HAND):
        s.hand[0, i] = cards[i]
        s.hand[1, i] = cards[HAND + i]
    for i in range(TURNS):
        s.pile[i] = cards[2 * HAND + i]
    bury(s, rng)
    s.first = below(rng, 2)


@rule
def bury(s: State, rng: Any) -> None:
    """PAL-04: a treasure at each palace, and the other finds at random."""
    others = np.empty(PALACES * SITES, np.int64)
    count = STATUES + FRESCOES15 + FRESCOES20
    for i in range(count):
        others[i] = STATUE if i < STATUES else FRESCO15 if i < STATUES + FRESCOES15 else FRESCO20
    shuffle(rng, others, count)
    for palace in range(PALACES):
        rare_at = below(rng, SITES)
        for site in range(SITES):
            if site == rare_at:
                s.finds[palace, site] = RARE
            else:
                count -= 1
                s.finds[palace, site] = others[count]


@rule
def one_rare_each(s: State) -> bool:
    """PAL-04: each palace has one treasure."""
    for palace in range(PALACES):
        if count_of(s.finds[palace], SITES, RARE) != 1:
            return False
    return True


# A turn


@rule
def to_move(s: State) -> int:
    """PAL-06: the players take turns."""
    if s.ended:
        return 0
    return 1 << int((s.first + s.turns) & 1)


@rule
def pawns_left(s: State, seat: int, pawn: int) -> int:
    """PAL-02: three archaeologists and a Theseus."""
    return (ARCHAEOLOGISTS if pawn == ARCHAEOLOGIST else 1) - count_of(s.pawn[seat], PALACES, pawn)


@rule
def forbidden(s: State, seat: int, action: int, card: int) -> int:
    """Why a player who holds the card may not use it like this."""
    palace, kind = PALACE_OF[card], KIND_OF[card]
    # Read first, ask then: without reads between them the compiler turns the questions into arithmetic.
    pawn, step, last = s.pawn[seat, palace], s.step[seat, palace], s.last[seat, palace]
    target, target_step = s.pawn[1 - seat, palace], s.step[1 - seat, palace]
    if action == DISCARD:  # PAL-16
        return LEGAL
    if action == ATTACK:
        if kind != MINOTAUR:
            return NOT_A_MINOTAUR
        if target == NOBODY:  # PAL-14
            return NO_TARGET
        if target_step >= SAFE_STEP:  # PAL-14
            return SAFE
        return LEGAL
    if kind == MINOTAUR:
        return MINOTAUR_WALKS
    if action == ADVANCE:
        if pawn == NOBODY:
            return NO_PAWN
        if step == LAST_STEP:  # PAL-10
            return AT_THE_END
        if kind != ARIADNE and kind + 1 < last:  # PAL-08
            return TOO_LOW
        return LEGAL
    if pawn != NOBODY:  # PAL-02
        return PAWN_THERE
    if kind == ARIADNE:  # PAL-07
        return NO_START
    if pawns_left(s, seat, ARCHAEOLOGIST if action == START_A else THESEUS) == 0:  # PAL-02
        return NO_PAWN_LEFT
    return LEGAL


@rule
def legal(s: State, seat: int, out: Any) -> int:
    """Moves with the cards in hand, those on the board first, each kind of card once."""
    count = 0
    previous = -1
    for i in range(HAND):
        card = int(s.hand[seat, i])
        if card != previous:
            previous = card
            if KIND_OF[card] == MINOTAUR:
                count += listed(s, seat, ATTACK, card, out, count)
            elif s.pawn[seat, PALACE_OF[card]] != NOBODY:
                count += listed(s, seat, ADVANCE, card, out, count)
            else:
                count += listed(s, seat, START_A, card, out, count)
                count += listed(s, seat, START_T, card, out, count)
    previous = -1
    for i in range(HAND):
        card = int(s.hand[seat, i])
        if card != previous:
            previous = card
            out[count] = DISCARD * CARDS + card
            count += 1
    return count


@rule
def listed(s: State, seat: int, action: int, card: int, out: Any, count: int) -> bool:
    """Write a move that the next will overwrite if it is forbidden; whether it stays."""
    out[count] = action * CARDS + card
    return forbidden(s, seat, action, card) == LEGAL


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """Any move: the card must be in hand, and the use of it allowed."""
    action, card = move // CARDS, move % CARDS
    for i in range(HAND):
        if s.hand[seat, i] == card and START_A <= action <= DISCARD:
            return forbidden(s, seat, action, card)
    return NOT_IN_HAND


@rule
def apply(s: State, seat: int, move: int) -> None:
    """PAL-06: play a card, then draw one, unless the game ends before."""
    action, card = move // CARDS, move % CARDS
    palace, kind = PALACE_OF[card], KIND_OF[card]
    s.log[s.turns] = move
    if action == START_A or action == START_T:  # PAL-07
        s.pawn[seat, palace] = ARCHAEOLOGIST if action == START_A else THESEUS
        s.last[seat, palace] = kind + 1
        walk(s, seat, palace, 1)
    elif action == ADVANCE:
        if kind != ARIADNE:  # PAL-09 the last number stays
            s.last[seat, palace] = kind + 1
        walk(s, seat, palace, goal(int(s.step[seat, palace]), kind))
    elif action == ATTACK and s.pawn[1 - seat, palace] == ARCHAEOLOGIST:  # PAL-13
        s.step[1 - seat, palace] = thrown_to(int(s.step[1 - seat, palace]))
    replacement = NO_CARD
    if pawns_at_the_palaces(s) >= 4:  # PAL-17 (b) nothing more is drawn
        s.ended = PAWNS
    else:
        replacement = int(s.pile[s.turns])
        s.pile[s.turns] = NO_CARD
        if s.turns + 1 == TURNS:  # PAL-17 (a)
            s.ended = PILE
    exchange(s, seat, card, replacement)
    s.turns += 1


@rule
def goal(step: int, kind: int) -> int:
    """PAL-08 a number takes a pawn one step, PAL-09 Ariadne two, PAL-10 to the last one at most."""
    return min(step + (2 if kind == ARIADNE else 1), LAST_STEP)


@rule
def thrown_to(step: int) -> int:
    """PAL-12: two steps back, but not off the path."""
    return max(1, step - 2)


@rule
def walk(s: State, seat: int, palace: int, to: int) -> None:
    """PAL-11: dig or photograph at every site landed on or passed."""
    at = int(s.step[seat, palace])
    s.step[seat, palace] = to
    for site in range(SITES):
        if at < SITE_STEPS[site] <= to:
            find = s.finds[palace, site]
            if find >= FRESCO15:  # it stays for the other; one photo however often it is passed
                if not s.photos[seat, palace, site]:
                    s.photos[seat, palace, site] = 1
                    s.frescoes[seat, find - FRESCO15] += 1
            elif not s.opened[palace, site]:
                if find == RARE:
                    s.rares[seat, palace] = 1
                else:
                    s.statues[seat] += 1
            s.opened[palace, site] = 1


@rule
def pawns_at_the_palaces(s: State) -> int:
    """PAL-17 (b): pawns of either player on step 7 or beyond."""
    count = 0
    for seat in range(2):
        for palace in range(PALACES):
            count += s.step[seat, palace] >= SAFE_STEP
    return count


@rule
def exchange(s: State, seat: int, card: int, replacement: int) -> None:
    """Put the replacement in the place of a card and let it sink to its order; -1 stands for no card."""
    hand = s.hand[seat]
    at = 0
    while hand[at] != card:
        at += 1
    hand[at] = replacement
    for i in range(1, HAND):  # up, then down: swaps without a question, for where it ends cannot be foreseen
        hand[i - 1], hand[i] = min(hand[i - 1], hand[i]), max(hand[i - 1], hand[i])
    for i in range(HAND - 1, 0, -1):
        hand[i - 1], hand[i] = min(hand[i - 1], hand[i]), max(hand[i - 1], hand[i])


# The end


@rule
def points(s: State, seat: int, kind: int) -> int:
    """PAL-18: what a player has from steps, statues, treasures or frescoes."""
    if kind == OF_STATUES:
        return STATUE_POINTS[s.statues[seat]]
    if kind == OF_FRESCOES:  # PAL-05
        return 15 * int(s.frescoes[seat, 0]) + 20 * int(s.frescoes[seat, 1])
    total = 0
    for palace in range(PALACES):
        if kind == OF_RARES:
            total += RARE_POINTS[palace] * int(s.rares[seat, palace])
        else:
            times = 2 if s.pawn[seat, palace] == THESEUS else 1
            total += times * STEP_POINTS[s.step[seat, palace]]
    return total


@rule
def standing(s: State, seat: int) -> tuple[int, int, int, int]:
    """PAL-18, PAL-19: the score, then what decides a tie: treasures, frescoes, statues."""
    score = 0
    for kind in range(KINDS_OF_POINTS):
        score += points(s, seat, kind)
    rares, frescoes = count_of(s.rares[seat], PALACES, 1), int(s.frescoes[seat, 0] + s.frescoes[seat, 1])
    return score, rares, frescoes, int(s.statues[seat])


# What a chair knows besides


@rule
def played(v: State, left: Any) -> None:
    """All cards of the log lie open."""
    for i in range(v.turns):
        left[v.log[i] % CARDS] -= 1


@rule
def tells(s: State, seat: int, v: State) -> None:
    """What everybody can count."""
    for player in range(SEATS):
        for kind in range(KINDS_OF_POINTS):
            v.points[player, kind] = points(s, player, kind)
