"""Courtiers: two to four schemers hold one card each, and the last at court, or the highest, wins.

In your turn you draw a second card and play one of the two. A spy who names a rival's card drives them from court, a
duel is lost by the lower card, an envoy looks at the card that was put aside, a guard keeps you safe for a round.
"""

from __future__ import annotations

from typing import Any

from clew.core import FLAG, LEGAL, SEAT, Form, Moves, Reason, fill, index_of, rule, shuffle
from clew.core.declare import Pieces, Record, choice, count, option, public, seat_of, seats, secret, seen

TITLE = "Courtiers"
BLURB = "One card in hand, one to play: who holds what?"
RULES = 1
PLAYERS = (2, 4)
ENDINGS = ("court", "pile")
COURT, PILE = 1, 2

SEATS = seats(4)
HAND = 2
SPY, DUELLIST, ENVOY, GUARD, REGENT = range(1, 6)
ROLES = ("spy", "duellist", "envoy", "guard", "regent")
COPIES = (5, 4, 3, 2, 2)  # COU-01
DECK = 16
CARD = Pieces(ROLES, COPIES, spoken=[f"the {role}" for role in ROLES])
RIVAL = seat_of(4)
GUESS = choice(*ROLES[1:])  # nobody names a spy
MOVE = Moves(
    spy=Form("spy {rival} {guess}", "spy on {rival} for a {guess}", rule="COU-04", rival=RIVAL, guess=GUESS),
    duel=Form("duel {rival}", "duel with {rival}", rule="COU-05", rival=RIVAL),
    alone=Form("{card} -", "lay down {card}", rule="COU-08", card=CARD),
    example="spy Red guard, duel Red or envoy -",
)
TO_SPY, TO_DUEL, ALONE = range(3)
form_of, rival_of, guess_of, card_of = MOVE.readers("rival", "guess", "card")
LONGEST = DECK

NOT_HELD = Reason("COU-03", "You do not hold {role}.")
NO_RIVAL = Reason("COU-03", "{rival} is not a rival whom you can choose.")
RIVALS_LEFT = Reason("COU-08", "{Role} must be played against a rival, while there is one whom you can choose.")


class State(Record):
    """COU-09: what was played lies open, and who looked at the card put aside knows it."""

    aside_cards = option(("one", "none"), "whether a card is put aside, unseen")
    turn = public(SEAT)  # COU-03: in turn, without those who are out
    ended = public(count(PILE))
    out = public(FLAG, SEATS)  # driven from court
    guarded = public(FLAG, SEATS)
    looked = public(FLAG, SEATS)  # at the card put aside
    shown = public(count(DECK))  # how many cards lie open
    open = public(CARD, DECK)
    left = public(count(DECK))  # cards in the pile
    hand = seen(CARD, SEATS, HAND, mine=True, where="laid_open")
    aside = seen(CARD, where="has_looked")
    pile = secret(CARD, DECK)  # the last one is drawn first


@rule
def has_looked(s: State, seat: int) -> bool:
    """COU-06: who knows the card put aside."""
    return seat >= 0 and s.looked[seat] == 1


@rule
def laid_open(s: State, seat: int, player: int, at: int) -> bool:
    """COU-09: all cards are shown at the end."""
    return s.ended != 0


# The deal


@rule
def deal(s: State, rng: Any) -> None:
    """COU-02: shuffle, put one aside, one for each player."""
    fill(s.pile, SPY, COPIES)
    s.left = DECK
    shuffle(rng, s.pile, DECK)
    if s.aside_cards == 0:
        s.left -= 1
        s.aside = s.pile[s.left]
        s.pile[s.left] = 0
    for seat in range(s.players):
        draw(s, seat, 0)


@rule
def start(s: State) -> None:
    """COU-03: the first player draws."""
    draw(s, 0, 1)


@rule
def draw(s: State, seat: int, at: int) -> None:
    """Take the card on top of the pile, if there is one."""
    s.hand[seat, at] = 0
    if s.left > 0:
        s.left -= 1
        s.hand[seat, at] = s.pile[s.left]
        s.pile[s.left] = 0


# A turn


@rule
def role_of(move: int) -> int:
    """Which card a move plays."""
    if form_of(move) == TO_SPY:
        return SPY
    return DUELLIST if form_of(move) == TO_DUEL else card_of(move)


@rule
def can_be_chosen(s: State, seat: int, rival: int) -> bool:
    """COU-07: another player who is at court and has no guard."""
    return rival != seat and rival < s.players and not s.out[rival] and not s.guarded[rival]


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """COU-03, COU-08: a card in hand, and a rival where it needs one."""
    role = role_of(move)
    if index_of(s.hand[seat], HAND, role) < 0:
        return NOT_HELD
    if form_of(move) != ALONE:
        return LEGAL if can_be_chosen(s, seat, rival_of(move)) else NO_RIVAL
    if role == SPY or role == DUELLIST:
        for rival in range(s.players):
            if can_be_chosen(s, seat, rival):
                return RIVALS_LEFT
    return LEGAL


@rule
def lay_open(s: State, seat: int, at: int) -> None:
    """A card that is played or shown lies open from then on."""
    if s.hand[seat, at] > 0:
        s.open[s.shown] = s.hand[seat, at]
        s.shown += 1
        s.hand[seat, at] = 0


@rule
def drive_out(s: State, seat: int) -> None:
    """COU-04, COU-05: the card is shown, and its player is out."""
    lay_open(s, seat, 0)
    s.out[seat] = 1


@rule
def renew(s: State, seat: int) -> None:
    """COU-04, COU-05: a card that was shown is replaced."""
    lay_open(s, seat, 0)
    draw(s, seat, 0)


@rule
def apply(s: State, seat: int, move: int) -> None:
    """COU-04 to COU-07: play a card; then the next player draws."""
    role, rival = role_of(move), rival_of(move)
    at = index_of(s.hand[seat], HAND, role)
    lay_open(s, seat, at)
    if at == 0:
        s.hand[seat, 0] = s.hand[seat, 1]
        s.hand[seat, 1] = 0
    if form_of(move) == TO_SPY:
        if s.hand[rival, 0] == DUELLIST + guess_of(move):
            drive_out(s, rival)
        else:
            renew(s, rival)
    elif form_of(move) == TO_DUEL:
        mine, theirs = int(s.hand[seat, 0]), int(s.hand[rival, 0])
        for other, wins in ((seat, mine >= theirs), (rival, theirs >= mine)):
            if wins:
                renew(s, other)
            else:
                drive_out(s, other)
    elif role == ENVOY:
        s.looked[seat] = 1
    elif role == GUARD:
        s.guarded[seat] = 1
    go_on(s, seat)


@rule
def go_on(s: State, seat: int) -> None:
    """COU-03, COU-09: the next player at court, unless one is left or the pile is empty."""
    at_court = 0
    for other in range(s.players):
        at_court += s.out[other] == 0
    following = (seat + 1) % int(s.players)
    while s.out[following]:
        following = (following + 1) % int(s.players)
    s.turn = following
    if at_court == 1:
        s.ended = COURT
    elif s.left == 0:
        s.ended = PILE
    else:
        s.guarded[following] = 0
        draw(s, following, 1)


# The end


@rule
def standing(s: State, seat: int) -> tuple[int]:
    """COU-09: the card of who is at court, 0 for who is not."""
    return (0 if s.out[seat] else 1 + int(s.hand[seat, 0]),)
