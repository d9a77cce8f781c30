"""Playouts for a game whose heuristics bring neither prior nor policy: each seat goes by the points that it can make.

A seat looks at its points right after a move, and at what each of its next moves would add to them, once the others
have replied at random. The sum of what can be added tells an investment, such as a row that costs points to be begun,
from a loss, and a move that spoils others from one that leaves them possible. Where points tell nothing, it moves at
random. It does not look at what the others lose: in an imagined world it would see through them.
"""

from __future__ import annotations

from clew.bots.simulation import BETTER, NEXT, REPLY, UNIFORM
from clew.core.kernels import template
from clew.core.playouts import mover, playout
from clew.core.protocol import MOVES, apply, quick, result
from clew.core.rng import below
from clew.core.types import Floats, Integers, MoveCodes, State, States

WIDTH = 16  # so many moves at most are looked at, and so many that may follow each
PLIES = 64  # so many moves of a playout are chosen like this; a longer one ends at random
REPLIES = 8  # by the others at most, until the seat has another move


@template
def rollout(
    s: State,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
) -> bool:
    """Play on, so many moves or to the end; whether the game is over."""
    if depth == UNIFORM:
        playout(s, rng, out)
        return True
    seat = mover(s)
    looked = 0
    while seat >= 0 and depth != 0:
        count = quick(s, seat, out)
        at = below(rng, count)
        if count > 1 and looked < PLIES:
            looked += 1
            at = most_promising(s, seat, out, count, at, states, rng, scores, places)
        apply(s, seat, out[at])
        depth -= 1
        seat = mover(s)
    return seat < 0


@template
def most_promising(
    s: State,
    seat: int,
    out: MoveCodes,
    count: int,
    first: int,
    states: States,
    rng: Integers,
    scores: Integers,
    places: Integers,
) -> int:
    """Which of `count` moves promises most, of equals the earliest from number `first` on."""
    luck0, luck1, luck2, luck3 = rng[0], rng[1], rng[2], rng[3]
    best, most = first, 0.0
    for k in range(min(count, WIDTH)):
        at = (first + k) % count
        rng[0], rng[1], rng[2], rng[3] = luck0, luck1, luck2, luck3  # the same replies to all moves, where they can be
        states[REPLY] = s
        apply(states[REPLY], seat, out[at])
        promised = promise(states, seat, rng, out[MOVES:], scores, places)
        if k == 0 or promised > most:
            best, most = at, promised
    return best


@template
def promise(
    states: States, seat: int, rng: Integers, following: MoveCodes, scores: Integers, places: Integers
) -> float:
    """The points of a seat in states[REPLY], and all that its next moves can add to them."""
    s = states[REPLY]
    promised = float(points_of(s, seat, scores, places))
    turn = mover(s)
    replies = 0
    while turn >= 0 and turn != seat and replies < REPLIES:
        apply(s, turn, following[below(rng, quick(s, turn, following))])
        replies += 1
        turn = mover(s)
    if turn != seat:
        return promised
    before = points_of(s, seat, scores, places)
    count = quick(s, seat, following)
    looked = min(count, WIDTH)
    first = below(rng, count) if count > looked else 0
    gains = 0
    for k in range(looked):
        states[NEXT] = s
        apply(states[NEXT], seat, following[(first + k) % count])
        gains += max(0, points_of(states[NEXT], seat, scores, places) - before)
    return promised + gains * count / looked


@template
def points_of(s: State, seat: int, scores: Integers, places: Integers) -> int:
    """What a seat has if the game ended now, more being better."""
    result(s, scores, places)
    return int(BETTER * scores[seat])
