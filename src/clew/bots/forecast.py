"""How a game may go on from what one seat knows: the worlds that it holds for possible, played on without a search."""

from __future__ import annotations

from clew.bots.simulation import add_playout, determinize, reward_of, rollout
from clew.core.kernels import template
from clew.core.types import Floats, Integers, MoveCodes, States, ViewRecord


@template
def forecast(
    v: ViewRecord,
    states: States,
    roots: Integers,
    rng: Integers,
    first: int,
    n: int,
    out: MoveCodes,
    knobs: Floats,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    tally: Floats,
) -> None:
    """Play on in n worlds from number `first` on, and add to the tally's row of each seat what they are worth to it."""
    for i in range(n):
        determinize(v, states, roots, 1 + first + i, rng)
        s = states[1]
        over = rollout(s, states, rng, out, weights, depth, scores, places)
        for seat in range(tally.shape[0]):
            reward = reward_of(s, seat, over, knobs, weights, scores, places)
            add_playout(tally[seat], int(s.players), seat, over, reward, places)
