"""The Lost Palaces: two players walk four paths to Minoan palaces with ascending cards, digging up finds.

A number card starts a path or takes its pawn one step, if it is not lower than the last one there; an Ariadne card
takes it two. A Minotaur card throws the other's archaeologist back, but not a Theseus, who counts double. The first
steps cost points. The game ends with the pile, or when four pawns stand on step 7 or beyond.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Choice, below, fields, rule, shuffle, sort

TITLE = "The Lost Palaces"
BLURB = "Four paths, ascending cards, buried finds: how far do you dare to walk?"
RULES = 1
PLAYERS = (2, 2)
OPTIONS = (Choice("edition", ("classic",), "which edition of the rules is played"),)
ENDINGS = ("pile", "pawns")
PERFECT_RECALL = False  # a hand is sorted: a view does not tell in which order its cards were drawn
PILE, PAWNS = 1, 2

PALACES = 4
KNOSSOS, MALIA, PHAISTOS, ZAKROS = range(PALACES)
KINDS = 12  # of cards a palace: the numbers 1 to 10 as 0 to 9, then
ARIADNE, MINOTAUR = 10, 11
CARDS = PALACES * KINDS  # a card is palace * KINDS + kind
COPIES = (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2)  # PAL-01 25 cards a palace
PALACE_OF = np.arange(CARDS) // KINDS  # tables: dividing costs the kernels more than looking up
KIND_OF = np.arange(CARDS) % KINDS
DECK = PALACES * 25
HAND = 8
TURNS = DECK - 2 * HAND  # a turn draws one of the 84 cards in the pile

NOBODY, ARCHAEOLOGIST, THESEUS = range(3)
ARCHAEOLOGISTS = 3  # PAL-02
LAST_STEP = 9
SAFE_STEP = 7  # PAL-14, PAL-17
STEP_POINTS = (0, -20, -15, -10, 5, 10, 15, 30, 35, 50)  # PAL-03

SITES = 5
SITE_STEPS = (2, 4, 6, 8, 9)  # PAL-04
CLOSED, RARE, STATUE, FRESCO15, FRESCO20 = range(5)
STATUES, FRESCOES15, FRESCOES20 = 10, 3, 3  # PAL-04, PAL-05
RARE_POINTS = (25, 25, 35, 25)  # PAL-04 the Phaistos disc is worth 35
STATUE_POINTS = (0, -20, -15, 5, 15, 30, 45, 55, 70, 90, 100)  # PAL-18
OF_STEPS, OF_STATUES, OF_RARES, OF_FRESCOES = range(4)
KINDS_OF_POINTS = 4

START_A, START_T, ADVANCE, ATTACK, DISCARD = range(5)  # a move is action * CARDS + card
MOVE = np.int64
MOVES = HAND * 2 + HAND  # a card can start with either pawn, and any can be discarded
LONGEST = TURNS

# Why a move may be refused
NOT_IN_HAND, PAWN_THERE, NO_START, NO_PAWN_LEFT, NO_PAWN, TOO_LOW, AT_THE_END = range(1, 8)
NOT_A_MINOTAUR, NO_TARGET, SAFE, MINOTAUR_WALKS = range(8, 12)

PUBLIC = [
    ("first", np.int16),
    ("turns", np.int16),  # turns played
    ("ended", np.int16),
    ("log", np.int16, (TURNS,)),  # the moves, turn by turn: all that was played and discarded is public
    ("pawn", np.int16, (2, PALACES)),
    ("step", np.int16, (2, PALACES)),
    ("last", np.int16, (2, PALACES)),  # the last number card there
    ("statues", np.int16, (2,)),
    ("rares", np.int16, (2, PALACES)),
    ("frescoes", np.int16, (2, 2)),  # photographed: those worth 15, those worth 20
    ("photos", np.int16, (2, PALACES, SITES)),
]
STATE = fields(
    [
        *PUBLIC,
        ("opened", np.int16, (PALACES, SITES)),
        ("finds", np.int16, (PALACES, SITES)),
        ("hand", np.int16, (2, HAND)),  # ascending; the first 8 cards of the deal, -1 where a card was not replaced
        ("pile", np.int16, (TURNS,)),  # in the order in which it is drawn, 0 where it was
    ],
    OPTIONS,
)
VIEW = fields(
    [
        *PUBLIC,
        ("seat", np.int16),
        ("pile_left", np.int16),
        ("points", np.int16, (2, KINDS_OF_POINTS)),
        ("finds", np.int16, (PALACES, SITES)),  # CLOSED where nobody has dug yet
        ("hand", np.int16, (HAND,)),  # all -1 for a spectator
    ],
    OPTIONS,
)


# The deal


@rule
def deck(cards):
    """All cards in order."""
    count = 0
    for palace in range(PALACES):
        for kind in range(KINDS):
            for _ in range(COPIES[kind]):
                cards[count] = palace * KINDS + kind
                count += 1


@rule
def deal(s, rng):
    """PAL-01, PAL-04: shuffle the cards, bury the finds, draw who begins."""
    cards = np.empty(DECK, np.int64)
    deck(cards)
    shuffle(rng, cards, DECK)
    for i in range(HAND):
        s.hand[0, i] = cards[i]
        s.hand[1, i] = cards[HAND + i]
    for i in range(TURNS):
        s.pile[i] = cards[2 * HAND + i]
    bury(s, rng, STATUES, FRESCOES15, FRESCOES20)
    s.first = below(rng, 2)


@rule
def bury(s, rng, statues, frescoes15, frescoes20):
    """PAL-04: fill the closed sites: a treasure where the palace has none yet, and so many others at random."""
    others = np.empty(PALACES * SITES, np.int64)
    count = statues + frescoes15 + frescoes20
    for i in range(count):
        others[i] = STATUE if i < statues else FRESCO15 if i < statues + frescoes15 else FRESCO20
    shuffle(rng, others, count)
    for palace in range(PALACES):
        closed = 0
        found = False
        for site in range(SITES):
            closed += s.finds[palace, site] == CLOSED
            found |= s.finds[palace, site] == RARE
        rare_at = -1 if found or closed == 0 else below(rng, closed)
        for site in range(SITES):
            if s.finds[palace, site] == CLOSED:
                if rare_at == 0:
                    s.finds[palace, site] = RARE
                else:
                    count -= 1
                    s.finds[palace, site] = others[count]
                rare_at -= 1


@rule
def start(s):
    """Sort the hands: the order in which cards came tells nothing."""
    for seat in range(2):
        sort(s.hand[seat], HAND)


# A turn


@rule
def to_move(s):
    """PAL-06: the players take turns."""
    if s.ended:
        return 0
    return 1 << int((s.first + s.turns) & 1)


@rule
def pawns_left(s, seat, pawn):
    """PAL-02: three archaeologists and a Theseus."""
    count = ARCHAEOLOGISTS if pawn == ARCHAEOLOGIST else 1
    for palace in range(PALACES):
        count -= s.pawn[seat, palace] == pawn
    return count


@rule
def forbidden(s, seat, action, card):
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
def legal(s, seat, out):
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
def listed(s, seat, action, card, out, count):
    """Write a move that the next will overwrite if it is forbidden; whether it stays."""
    out[count] = action * CARDS + card
    return forbidden(s, seat, action, card) == LEGAL


@rule
def refusal(s, seat, move):
    """Any move: the card must be in hand, and the use of it allowed."""
    action, card = move // CARDS, move % CARDS
    for i in range(HAND):
        if s.hand[seat, i] == card and START_A <= action <= DISCARD:
            return forbidden(s, seat, action, card)
    return NOT_IN_HAND


@rule
def apply(s, seat, move):
    """PAL-06: play a card, then draw one, unless the game ends before."""
    action, card = move // CARDS, move % CARDS
    palace, kind = PALACE_OF[card], KIND_OF[card]
    s.log[s.turns] = move
    if action == START_A or action == START_T:  # PAL-07
        s.pawn[seat, palace] = ARCHAEOLOGIST if action == START_A else THESEUS
        s.last[seat, palace] = kind + 1
        walk(s, seat, palace, 1)
    elif action == ADVANCE and kind == ARIADNE:  # PAL-09 the last number stays
        walk(s, seat, palace, 2)
    elif action == ADVANCE:  # PAL-08
        s.last[seat, palace] = kind + 1
        walk(s, seat, palace, 1)
    elif action == ATTACK and s.pawn[1 - seat, palace] == ARCHAEOLOGIST:  # PAL-12, PAL-13
        s.step[1 - seat, palace] = max(1, s.step[1 - seat, palace] - 2)
    replacement = -1
    if pawns_at_the_palaces(s) >= 4:  # PAL-17 (b) nothing more is drawn
        s.ended = PAWNS
    else:
        replacement = int(s.pile[s.turns])
        s.pile[s.turns] = 0
        if s.turns + 1 == TURNS:  # PAL-17 (a)
            s.ended = PILE
    exchange(s, seat, card, replacement)
    s.turns += 1


@rule
def walk(s, seat, palace, steps):
    """PAL-11: dig or photograph at every site landed on or passed."""
    at = int(s.step[seat, palace])
    goal = min(at + steps, LAST_STEP)
    s.step[seat, palace] = goal
    for site in range(SITES):
        if at < SITE_STEPS[site] <= goal:
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
def pawns_at_the_palaces(s):
    """PAL-17 (b): pawns of either player on step 7 or beyond."""
    count = 0
    for seat in range(2):
        for palace in range(PALACES):
            count += s.step[seat, palace] >= SAFE_STEP
    return count


@rule
def exchange(s, seat, card, replacement):
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
def ending(s):
    """PAL-17."""
    return int(s.ended)


@rule
def rares_of(s, seat):
    """How many treasures."""
    count = 0
    for palace in range(PALACES):
        count += int(s.rares[seat, palace])
    return count


@rule
def points(s, seat, kind):
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
def standing(s, seat):
    """PAL-18, PAL-19: the score, then what decides a tie: treasures, frescoes, statues."""
    score = 0
    for kind in range(KINDS_OF_POINTS):
        score += points(s, seat, kind)
    return score, rares_of(s, seat), int(s.frescoes[seat, 0] + s.frescoes[seat, 1]), int(s.statues[seat])


@rule
def result(s, scores, places):
    """PAL-19."""
    blue, red = standing(s, 0), standing(s, 1)
    scores[0], scores[1] = blue[0], red[0]
    places[0] = 2 if blue < red else 1
    places[1] = 2 if red < blue else 1


# What a chair knows


@rule
def copy_public(source, target):
    """Everything on the table that all can see."""
    target.players = source.players
    target.edition = source.edition
    target.first = source.first
    target.turns = source.turns
    target.ended = source.ended
    target.log = source.log
    target.pawn = source.pawn
    target.step = source.step
    target.last = source.last
    target.statues = source.statues
    target.rares = source.rares
    target.frescoes = source.frescoes
    target.photos = source.photos


@rule
def view(s, seat, v):
    """PAL-20: the table, the faces of what was opened, and the own hand."""
    copy_public(s, v)
    v.seat = seat
    v.pile_left = TURNS - drawn(s)
    for player in range(2):
        for kind in range(KINDS_OF_POINTS):
            v.points[player, kind] = points(s, player, kind)
    for palace in range(PALACES):
        for site in range(SITES):
            if s.opened[palace, site]:
                v.finds[palace, site] = s.finds[palace, site]
    for i in range(HAND):
        v.hand[i] = s.hand[seat, i] if seat >= 0 else -1


@rule
def imagine(v, rng, s):
    """Deal what this chair has not seen: the other cards to the other hand and the pile, the finds to closed sites."""
    copy_public(v, s)
    unseen = np.empty(DECK, np.int64)
    count = unseen_cards(v, unseen)
    shuffle(rng, unseen, count)
    for i in range(TURNS - v.pile_left, TURNS):
        count -= 1
        s.pile[i] = unseen[count]
    for seat in range(2):
        missing = 1 if v.ended == PAWNS and seat == (v.first + v.turns + 1) & 1 else 0
        for i in range(HAND):
            if seat == v.seat:
                s.hand[seat, i] = v.hand[i]
            elif i < missing:
                s.hand[seat, i] = -1
            else:
                count -= 1
                s.hand[seat, i] = unseen[count]
        sort(s.hand[seat], HAND)
    buried = np.zeros(FRESCO20 + 1, np.int64)
    buried[STATUE], buried[FRESCO15], buried[FRESCO20] = STATUES, FRESCOES15, FRESCOES20
    for palace in range(PALACES):
        for site in range(SITES):
            find = v.finds[palace, site]
            s.finds[palace, site] = find
            s.opened[palace, site] = find != CLOSED
            buried[find] -= 1
    bury(s, rng, buried[STATUE], buried[FRESCO15], buried[FRESCO20])


@rule
def drawn(s):
    """How many cards of the pile have been drawn: one a turn, but none by a move that ended the game by pawns."""
    return s.turns - 1 if s.ended == PAWNS else s.turns


@rule
def unseen_cards(v, unseen):
    """The cards that lie neither in the own hand nor open on the table; how many there are."""
    left = np.zeros(CARDS, np.int64)
    for card in range(CARDS):
        left[card] = COPIES[card % KINDS]
    for i in range(v.turns):
        left[v.log[i] % CARDS] -= 1
    for i in range(HAND):
        if v.hand[i] >= 0:
            left[v.hand[i]] -= 1
    count = 0
    for card in range(CARDS):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    return count


@rule
def cover(s, seat):
    """PAL-20: hands, the pile's order, what lies in unopened sites."""
    for i in range(TURNS):
        s.pile[i] = 0
    for other in range(2):
        for i in range(HAND):
            if other != seat:
                s.hand[other, i] = 0
    for palace in range(PALACES):
        for site in range(SITES):
            if not s.opened[palace, site]:
                s.finds[palace, site] = 0
