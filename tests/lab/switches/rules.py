"""Switches: twenty options, of which three change the game; each of the others only has other luck drawn."""

from __future__ import annotations

from typing import Any

from clew.core import LEGAL, Form, Moves, Pieces, Reason, Record, below, count, option, public, rule, seats, secret

TITLE, BLURB, RULES = "Switches", "Which of them do anything?", 1
PLAYERS, ENDINGS = (2, 2), ("rounds",)
SEATS = seats(2)
MOVE = Moves(take=Form("{token}", "take the {token}", token=Pieces(("leaf", "stone", "dust"), 1)), example="leaf")
(token_of,) = MOVE.readers("token")[1:]
NO_DUST = Reason("SWI-01", "There is no dust.")
LONGEST = 40
OFF_ON = ("off", "on")


class State(Record):
    """Seat 1 wins as often as not; `longer`, `unfair` and `tied` change something."""

    a = option(OFF_ON, "nothing")
    b = option(OFF_ON, "nothing")
    c = option(OFF_ON, "nothing")
    longer = option(OFF_ON, "a longer game")
    d = option(OFF_ON, "nothing")
    e = option(OFF_ON, "nothing")
    f = option(OFF_ON, "nothing")
    unfair = option(OFF_ON, "a better seat")
    g = option(OFF_ON, "nothing")
    h = option(OFF_ON, "nothing")
    i = option(OFF_ON, "nothing")
    tied = option(OFF_ON, "more ties")
    j = option(OFF_ON, "nothing")
    k = option(OFF_ON, "nothing")
    m = option(OFF_ON, "nothing")
    n = option(OFF_ON, "nothing")
    o = option(OFF_ON, "nothing")
    p = option(OFF_ON, "nothing")
    q = option(OFF_ON, "nothing")
    r = option(OFF_ON, "nothing")
    turns = public(count(LONGEST))
    winner = secret(count(2))  # 2 for both
    last = secret(count(20))  # the number of rounds


@rule
def deal(s: State, rng: Any) -> None:
    idle = s.a + 2 * s.b + 3 * s.c + 4 * s.d + 5 * s.e + 6 * s.f + 7 * s.g + 8 * s.h + 9 * s.i + 10 * s.j + 11 * s.k
    idle += 12 * s.m + 13 * s.n + 14 * s.o + 15 * s.p + 16 * s.q + 17 * s.r
    for _ in range(idle):
        below(rng, 2)
    s.winner = int(below(rng, 100) >= (60 if s.unfair else 50))
    if below(rng, 100) < (15 if s.tied else 5):
        s.winner = 2
    s.last = 4 + below(rng, 4) + below(rng, 1 + s.longer)


@rule
def to_move(s: State) -> int:
    return 0 if s.turns == 2 * s.last else 1 << int(s.turns % 2)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    return NO_DUST if token_of(move) == 3 else LEGAL


@rule
def apply(s: State, seat: int, move: int) -> None:
    s.turns += 1


@rule
def ending(s: State) -> int:
    return int(s.turns == 2 * s.last)


@rule
def standing(s: State, seat: int) -> tuple[int]:
    return (int(s.winner == seat or s.winner == 2),)
