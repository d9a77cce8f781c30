"""Games to learn an evaluation from: what the features were at some moments, and how it ended."""

from __future__ import annotations

from typing import Any

from clew.bots.worlds import judge
from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, deal, features, policy, quick, start
from clew.core.rng import below


@template
def witness(
    states: Any,
    rng: Any,
    out: Any,
    weights: Any,
    every: int,
    knobs: Any,
    scores: Any,
    places: Any,
    parts: Any,
    whole: Any,
    seats: Any,
    rewards: Any,
) -> int:
    """Play by the policy from the blank states[0] and note a moment in `every` so many, until `rewards` is full.

    Noted are the features as one seat, any, has them, and what that seat got in the end; how many games there were.
    """
    noted = games = 0
    while noted < rewards.shape[0]:
        states[1] = states[0]
        s = states[1]
        deal(s, rng)
        start(s)
        begin = noted
        turn = mover(s)
        while turn >= 0:
            if noted < rewards.shape[0] and below(rng, every) == 0:
                seats[noted] = below(rng, int(s.players))
                features(s, seats[noted], parts[noted], whole[noted])
                noted += 1
            apply(s, turn, out[policy(s, turn, out, quick(s, turn, out), weights, rng)])
            turn = mover(s)
        for i in range(begin, noted):
            rewards[i] = judge(s, seats[i], True, knobs, weights, scores, places)
        games += 1
    return games
