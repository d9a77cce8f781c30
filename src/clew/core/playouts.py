"""Whole games inside the kernels: random play, in batches, without the interpreter."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.protocol import apply, deal, quick, start, to_move
from clew.core.rng import below
from clew.core.types import Generator, MoveCodes, State, States

__all__ = ["mover", "playout", "random_games"]


@template
def mover(s: State) -> int:
    """The first seat that owes a move, -1 when the game is over."""
    owing = to_move(s)
    if owing == 0:
        return -1
    seat = 0
    while not (owing >> seat) & 1:
        seat += 1
    return seat


@template
def playout(s: State, rng: Generator, out: MoveCodes) -> int:
    """Play on at random to the end; how many moves that took."""
    count = 0
    seat = mover(s)
    while seat >= 0:
        apply(s, seat, out[below(rng, quick(s, seat, out))])
        count += 1
        seat = mover(s)
    return count


@template
def random_games(n: int, states: States, rng: Generator, out: MoveCodes) -> int:
    """Deal and play n random games in states[1] from the blank states[0]; how many moves they took."""
    count = 0
    for _ in range(n):
        states[1] = states[0]
        s = states[1]
        deal(s, rng)
        start(s)
        count += playout(s, rng, out)
    return count
