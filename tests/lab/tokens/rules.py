"""Tokens: a game whose truth is known. Two take turns; chance decides or the first choice, and gems if they count.

The deal says who wins, whether it decides, and how many rounds there are. A pebble or a stone changes nothing.
"""

from __future__ import annotations

from typing import Any

from clew.core import LEGAL, Form, Moves, Pieces, Reason, Record, below, count, option, public, rule, seats, secret

TITLE, BLURB, RULES = "Tokens", "Take what you like.", 1
PLAYERS, ENDINGS = (2, 2), ("rounds", "never met")
SEATS = seats(2)
TOKEN = Pieces(("pebble", "gem", "stone", "dust"), 1)
MOVE = Moves(take=Form("{token}", "take the {token}", token=TOKEN), example="gem")
form_of, token_of = MOVE.readers("token")
PEBBLE, GEM, STONE, DUST = range(1, 5)
LONGEST = 44
NO_DUST = Reason("TOK-02", "There is no dust.")
MEASURES = {"gems": "how many gems were taken"}


class State(Record):
    """All is open but the deal."""

    advantage = option(range(0, 101), "how often in a hundred seat 1 wins, gems apart", default=50)
    rounds = option(range(1, 21), "how many rounds there are at least", default=5)
    luck = option(range(0, 101), "how often in a hundred the deal decides, and not the play", default=100)
    gems = option(("equal", "decide"), "what a gem does")
    dust = option(("none", "loses"), "whether dust can be taken")
    idle = option(range(0, 9), "nothing depends on this")
    turns = public(count(LONGEST))
    taken = public(count(LONGEST), SEATS)
    dusty = public(count(1), SEATS)
    choice = public(count(1))  # who wins by the play
    first = secret(count(1))  # who wins by the deal
    decided = secret(count(1))  # whether the deal decides
    last = secret(count(20))  # the number of rounds


@rule
def deal(s: State, rng: Any) -> None:
    s.first = int(below(rng, 100) >= s.advantage)
    s.decided = int(below(rng, 100) < s.luck)
    s.last = s.rounds + below(rng, 3)


@rule
def to_move(s: State) -> int:
    return 0 if s.turns == 2 * s.last else 1 << int(s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    return NO_DUST if token_of(move) == DUST and s.dust == 0 else LEGAL


@rule
def apply(s: State, seat: int, move: int) -> None:
    token = token_of(move)
    if token == GEM:
        s.taken[seat] += 1
    if token == DUST:
        s.dusty[seat] = 1
    if s.turns == 0:
        s.choice = int(token == STONE or token == DUST or (token == PEBBLE and s.dust == 1))
    s.turns += 1


@rule
def ending(s: State) -> int:
    return int(s.turns == 2 * s.last)


@rule
def standing(s: State, seat: int) -> tuple[int]:
    winner = int(s.first) if s.decided else int(s.choice)
    points = 10 * int(seat == winner)
    if s.gems == 1 and s.taken[seat] > 0:
        points += 20
    if s.dusty[seat]:
        points -= 40
    return (points,)


@rule
def measure(s: State, row: Any) -> None:
    row[0] = s.taken[0] + s.taken[1]
