"""Dunes: two traders send caravans through four deserts, with cards of rising value.

Play a card to your caravan of its colour, higher than the last one there, or sell it; then draw a card. A caravan costs
15 to equip and earns the values of its cards. The game ends when all cards are played.
"""

from __future__ import annotations

from typing import Any

from clew.core import LEGAL, Form, Moves, Reason, index_of, rule, shuffle, sort
from clew.core.declare import Pieces, Record, count, interchangeable, option, own, public, seats, secret

TITLE = "Dunes"
BLURB = "Four deserts, rising cards: which caravans will pay for themselves?"
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("cards",)

SEATS = seats(2)
COLOURS = interchangeable(("amber", "blue", "coral", "dusk"))
VALUES = 8  # of cards: 2 to 9
HAND = 6
DECK = COLOURS * VALUES
CARD = Pieces(
    [f"{colour[0]}{value}" for colour in COLOURS.labels for value in range(2, 10)],
    spoken=[f"{colour} {value}" for colour in COLOURS.labels for value in range(2, 10)],
    axes=(COLOURS, VALUES),
)
MOVE = Moves(
    send=Form("{card}", "play {card}", rule="DUN-02", card=CARD),
    sell=Form("-{card}", "sell {card}", rule="DUN-03", card=CARD),
    example="a5 or -a5",
)
SEND, SELL = range(2)
form_of, card_of = MOVE.readers("card")
LONGEST = DECK

NOT_HELD = Reason("DUN-02", "You do not hold {card}.")
TOO_LOW = Reason("DUN-02", "{Card} is not higher than the last card of that caravan.")


class State(Record):
    """DUN-05: what was played and sold lies open; hands and the pile do not."""

    cost = option(range(5, 26), "what a caravan costs", default=15)
    turns = public(count(LONGEST))
    sent = public(count(VALUES), SEATS, COLOURS)  # how many cards each caravan has
    caravan = public(CARD, SEATS, COLOURS, VALUES)
    sold = public(CARD, DECK)  # in the place of the turn
    hand = own(CARD, SEATS, HAND, packed="back", sorted=True)
    pile = secret(CARD, DECK, packed="back")  # from which the turn's card is drawn, after two hands


@rule
def deal(s: State, rng: Any) -> None:
    """DUN-01."""
    for i in range(DECK):
        s.pile[i] = 1 + i
    shuffle(rng, s.pile, DECK)
    for i in range(2 * HAND):
        s.hand[i % 2, i // 2] = s.pile[i]
        s.pile[i] = 0


@rule
def to_move(s: State) -> int:
    """DUN-02: in turn."""
    return 0 if ending(s) else 1 << int(s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """DUN-02, DUN-03."""
    card = card_of(move)
    colour = (card - 1) // VALUES
    last = int(s.sent[seat, colour]) - 1
    if index_of(s.hand[seat], HAND, card) < 0:
        return NOT_HELD
    if form_of(move) == SEND and last >= 0 and card < s.caravan[seat, colour, last]:
        return TOO_LOW
    return LEGAL


@rule
def apply(s: State, seat: int, move: int) -> None:
    """DUN-02, DUN-03."""
    card = card_of(move)
    colour = (card - 1) // VALUES
    if form_of(move) == SEND:
        s.caravan[seat, colour, s.sent[seat, colour]] = card
        s.sent[seat, colour] += 1
    else:
        s.sold[s.turns] = card
    drawn = 0
    if s.turns + 2 * HAND < DECK:
        drawn = int(s.pile[s.turns + 2 * HAND])
        s.pile[s.turns + 2 * HAND] = 0
    s.hand[seat, index_of(s.hand[seat], HAND, card)] = drawn
    sort(s.hand[seat], HAND)
    s.turns += 1


@rule
def ending(s: State) -> int:
    """DUN-04: all cards are played."""
    return int(s.turns == DECK)


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """DUN-04: each caravan earns its values, less what it costs."""
    score = 0
    for colour in range(COLOURS):
        score -= s.cost if s.sent[seat, colour] else 0
        for i in range(s.sent[seat, colour]):
            score += 2 + (s.caravan[seat, colour, i] - 1) % VALUES
    return (score,)
