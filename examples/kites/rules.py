"""Kites: take cards for a kite from the four that lie open. Paper and ribbon are good, silk is better, knots are bad.

This game has flaws on purpose, for `clew lab` to find: who begins takes a card more, whoever meets silk takes it
without a thought, and nobody likes to take a knot. What cures the first `clew lab ... --vary takes=13,14` shows.
"""

from __future__ import annotations

from typing import Any

from clew.core import (
    LEGAL,
    Form,
    Moves,
    Pieces,
    Reason,
    Record,
    count,
    fill,
    index_of,
    option,
    public,
    rule,
    seats,
    secret,
    shuffle,
)

TITLE = "Kites"
BLURB = "Four cards to choose from, and one that everybody wants."
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("taken",)

SEATS = seats(2)
PAPER, RIBBON, SILK, KNOT = range(1, 5)
COPIES = (8, 7, 4, 5)  # KIT-01
WORTH = (0, 1, 2, 6, -1)  # KIT-03, by card
DECK = 24
OPEN = 4
MOST = 20  # cards that are taken
CARD = Pieces(("paper", "ribbon", "silk", "knot"), COPIES, spoken=("paper", "a ribbon", "silk", "a knot"))
MOVE = Moves(take=Form("{card}", "take {card}", rule="KIT-02", card=CARD), example="silk")
(card_of,) = MOVE.readers("card")[1:]
LONGEST = MOST
NOT_OPEN = Reason("KIT-02", "{Card} does not lie open.")
MEASURES = {"silk": "how many of the silk cards were taken", "knots": "how many of the knots were taken"}


class State(Record):
    """KIT-04: all is open but the pile."""

    takes = option(range(8, MOST + 1), "how many cards are taken in all", default=13)
    turns = public(count(MOST))
    open = public(CARD, OPEN, dealt=True)
    taken = public(CARD, SEATS, MOST // 2)
    pile = secret(CARD, DECK, packed="back")


@rule
def deal(s: State, rng: Any) -> None:
    """KIT-01."""
    fill(s.pile, PAPER, COPIES)
    shuffle(rng, s.pile, DECK)
    for i in range(OPEN):
        s.open[i], s.pile[i] = s.pile[i], 0


@rule
def to_move(s: State) -> int:
    """KIT-02: in turn."""
    return 0 if ending(s) else 1 << int(s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """KIT-02."""
    return LEGAL if index_of(s.open, OPEN, card_of(move)) >= 0 else NOT_OPEN


@rule
def apply(s: State, seat: int, move: int) -> None:
    """KIT-02: the next card of the pile takes its place."""
    at = index_of(s.open, OPEN, card_of(move))
    s.taken[seat, s.turns // 2] = card_of(move)
    s.open[at], s.pile[OPEN + s.turns] = s.pile[OPEN + s.turns], 0
    s.turns += 1


@rule
def ending(s: State) -> int:
    """KIT-03."""
    return int(s.turns == s.takes)


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """KIT-03: what one's cards are worth."""
    score = 0
    for i in range(MOST // 2):
        score += WORTH[s.taken[seat, i]]
    return (score,)


@rule
def measure(s: State, row: Any) -> None:
    """For `clew lab`: what MEASURES names, in its order."""
    for seat in range(2):
        for i in range(MOST // 2):
            row[0] += s.taken[seat, i] == SILK
            row[1] += s.taken[seat, i] == KNOT
