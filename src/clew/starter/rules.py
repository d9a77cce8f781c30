"""Starter: play cards in rising order. A card that you play is a point, but it must not be lower than the last one
played; any card can be discarded instead. Then you draw. Whoever has more points when the pile is empty wins."""

from clew.core import LEGAL, Form, Moves, Pieces, Reason, Record, count, option, own, public, rule, seats, secret
from clew.core import Row, index_of, shuffle, sort

TITLE = "Starter"
BLURB = "Rising cards: who plays high early leaves nothing for later."
PLAYERS, ENDINGS, RULES = (2, 2), ("pile",), 1  # RULES goes up with every change
SEATS, VALUES, HAND, DECK = seats(2), 8, 4, 24  # STA-01
CARD = Pieces(
    "12345678", 3, spoken=[*(f"a {value}" for value in "1234567"), "an 8"]
)  # three of each; to rules 1 to 8, 0 is none
PLAY = Form("{card}", "play {card}", card=CARD)  # how it is written, and how it is said
MOVE = Moves(play=PLAY, discard=Form("-{card}", "discard {card}", card=CARD), example="7 or -7")
form_of, card_of = MOVE.readers("card")  # to rules a move is a number; its form is 0 for play, 1 for discard
LONGEST = DECK  # the most moves that a game takes
NOT_HELD = Reason("STA-02", "You do not hold {card}.")
TOO_LOW = Reason("STA-03", "{Card} is too low to be played now, so it can only be discarded.")


class State(Record):  # STA-06: each field with who sees it
    slack = option(range(4), "by how much a card may be lower than the last one")
    turns = public(count(DECK))
    last = public(count(VALUES))
    points = public(count(DECK), SEATS)
    used = public(CARD, DECK)  # played or discarded
    hand = own(CARD, SEATS, HAND, sorted=True)  # the order in which cards came tells nothing
    pile = secret(CARD, DECK, packed="back")


@rule
def deal(s: State, rng: Row) -> None:  # STA-01: all luck of the game
    for i in range(DECK):
        s.pile[i] = 1 + i % VALUES
    shuffle(rng, s.pile, DECK)
    for i in range(2 * HAND):
        s.hand[i % 2, i // 2], s.pile[i] = s.pile[i], 0


@rule
def to_move(s: State) -> int:  # STA-02: in turn; bit 0 is seat 0, bit 1 is seat 1
    return 0 if ending(s) else 1 << (s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    if index_of(s.hand[seat], HAND, card_of(move)) < 0:  # STA-02
        return NOT_HELD
    if form_of(move) == 0 and card_of(move) < s.last - s.slack:  # STA-03
        return TOO_LOW
    return LEGAL


@rule
def apply(s: State, seat: int, move: int) -> None:
    card = card_of(move)
    at = index_of(s.hand[seat], HAND, card)
    s.hand[seat, at], s.pile[2 * HAND + s.turns] = s.pile[2 * HAND + s.turns], 0  # STA-04
    sort(s.hand[seat], HAND)
    s.used[s.turns] = card
    s.turns += 1
    if form_of(move) == 0:  # STA-03
        s.points[seat], s.last = s.points[seat] + 1, card


@rule
def ending(s: State) -> int:  # STA-05: 0, or 1 + the index in ENDINGS
    return int(s.turns == DECK - 2 * HAND)


@rule
def standing(s: State, seat: int) -> tuple[int]:  # STA-05: the score, then what decides a tie
    return (int(s.points[seat]),)
