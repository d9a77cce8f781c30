"""Starter: play cards in rising order. A card that you play is a point, but it must not be lower than the last one
played; any card can be discarded instead. Then you draw. Whoever has more points when the pile is empty wins."""

from typing import Any

from clew.core import LEGAL, Form, Moves, Pieces, Reason, Record, count, option, own, public, rule, seats, secret
from clew.core.rng import shuffle

TITLE = "Starter"
BLURB = "Rising cards: who plays high early leaves nothing for later."
RULES = 1  # goes up with every change of a rule
PLAYERS = (2, 2)
ENDINGS = ("pile",)
SEATS, VALUES, COPIES, HAND = seats(2), 8, 3, 6  # STA-01
DECK = VALUES * COPIES
NAMES = [str(value) for value in range(1, VALUES + 1)]
CARD = Pieces(NAMES, COPIES, spoken=[f"a {name}" for name in NAMES])  # a card is 1 to 8, and 0 is none
PLAY = Form("{card}", "play {card}", card=CARD)  # how it is written, and how it is said
MOVE = Moves(play=PLAY, discard=Form("-{card}", "discard {card}", card=CARD), example="7 or -7")
form_of, card_of = MOVE.readers("card")  # to rules a move is a number; its form is 0 for play, 1 for discard
MOVES, LONGEST = 2 * HAND, DECK  # the most that `legal` lists, and the most moves that a game takes
NOT_HELD = Reason("STA-02", "You do not hold {card}.")
TOO_LOW = Reason("STA-03", "{Card} is lower than the last card played, so it can only be discarded.")


class State(Record):  # STA-06: each field with who sees it
    cards = option(range(2, HAND + 1), "how many cards each player holds", default=4)
    turns = public(count(DECK))
    top = public(count(VALUES))  # the last card played
    points = public(count(DECK), SEATS)
    used = public(CARD, DECK)  # played or discarded
    hand = own(CARD, SEATS, HAND)
    pile = secret(CARD, DECK, packed="back")


@rule
def deal(s: State, rng: Any) -> None:  # STA-01: all luck of the game
    for i in range(DECK):
        s.pile[i] = 1 + i % VALUES
    shuffle(rng, s.pile, DECK)
    for i in range(2 * s.cards):
        s.hand[i % 2, i // 2], s.pile[i] = s.pile[i], 0


@rule
def to_move(s: State) -> int:  # STA-02: in turn; bit 0 is seat 0, bit 1 is seat 1
    return 0 if ending(s) else 1 << (s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    for i in range(s.cards):
        if s.hand[seat, i] == card_of(move):
            return TOO_LOW if form_of(move) == 0 and card_of(move) < s.top else LEGAL  # STA-03
    return NOT_HELD


@rule
def legal(s: State, seat: int, out: Any) -> int:
    found = 0
    for move in range(2 * VALUES):
        if refusal(s, seat, move) == LEGAL:
            out[found] = move
            found += 1
    return found


@rule
def apply(s: State, seat: int, move: int) -> None:
    at, card, top = 0, card_of(move), 2 * s.cards + s.turns
    while s.hand[seat, at] != card:
        at += 1
    s.hand[seat, at], s.pile[top] = s.pile[top], 0  # STA-04
    s.used[s.turns] = card
    s.turns += 1
    if form_of(move) == 0:  # STA-03
        s.points[seat] += 1
        s.top = card


@rule
def ending(s: State) -> int:  # STA-05: 0, or 1 + the index in ENDINGS
    return int(s.turns == DECK - 2 * s.cards)


@rule
def result(s: State, scores: Any, places: Any) -> None:  # STA-05
    for seat in range(2):
        scores[seat] = s.points[seat]
        places[seat] = 1 if s.points[seat] >= s.points[1 - seat] else 2
