"""How a game may go on from what one seat knows: the worlds that it holds for possible, played on without a search."""

from __future__ import annotations

from typing import Any

from clew.bots.worlds import finish, judge, note, sow
from clew.core.kernels import template
from clew.core.protocol import imagine


@template
def forecast(
    v: Any,
    states: Any,
    roots: Any,
    rng: Any,
    first: int,
    n: int,
    out: Any,
    knobs: Any,
    weights: Any,
    depth: int,
    scores: Any,
    places: Any,
    tally: Any,
) -> None:
    """Play on in n worlds from number `first` on, and enter in the line of each seat what they are worth to it."""
    for i in range(n):
        sow(roots, 1 + first + i, rng)
        states[1] = states[0]
        s = states[1]
        imagine(v, rng, s)
        over = finish(s, rng, out, weights, depth)
        for seat in range(tally.shape[0]):
            reward = judge(s, seat, over, knobs, weights, scores, places)
            note(tally[seat], int(s.players), seat, over, reward, places)
