"""Self-play to train a value net: what the features were at some moments of games, and how these ended."""

from __future__ import annotations

from clew.bots.simulation import reward_of
from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, deal, features, policy, quick, start
from clew.core.rng import below
from clew.core.types import Floats, Integers, MoveCodes, States


@template
def collect(
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Floats,
    every: int,
    knobs: Floats,
    scores: Integers,
    places: Integers,
    parts: Floats,
    whole: Floats,
    seats: Integers,
    rewards: Floats,
) -> int:
    """Play by the policy from the blank states[0] and collect one moment in `every`, until `rewards` is full.

    A moment is the features as one seat, any, has them, and what that seat got in the end. How many games were played.
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
            rewards[i] = reward_of(s, seats[i], True, knobs, weights, scores, places)
        games += 1
    return games
