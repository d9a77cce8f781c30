"""Games to learn an evaluation from: what the features were at some moments, and how it ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.bots.worlds import foresee, judge, shortlist
from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, deal, features, imagine, legal, policy, quick, start, view
from clew.core.rng import below

LIKELY = 8  # moves that look best at a glance, among which a player by `worth` chooses


@template
def reflect(
    states: Any,
    views: Any,
    seat: int,
    out: Any,
    rng: Any,
    knobs: Any,
    weights: Any,
    scores: Any,
    places: Any,
    worlds: int,
) -> int:
    """The index of the move that promises the seat most, by the evaluation of what it leads to in so many worlds.

    They are imagined, in states[2], from what the seat knows of states[1].
    """
    views[1] = views[0]
    view(states[1], seat, views[1])
    count = legal(states[1], seat, out)
    likely, hopes = np.zeros(count), np.zeros(count)
    shortlist(states[1], seat, out, count, weights, LIKELY, likely)
    for _ in range(worlds):
        states[2] = states[0]
        imagine(views[1], rng, states[2])
        foresee(states, 2, seat, out, likely, knobs, weights, scores, places, hopes)
    return int(np.argmax(hopes))


@template
def witness(
    states: Any,
    views: Any,
    rng: Any,
    out: Any,
    weights: Any,
    worlds: int,
    whims: int,
    every: int,
    knobs: Any,
    scores: Any,
    places: Any,
    parts: Any,
    whole: Any,
    seats: Any,
    rewards: Any,
) -> int:
    """Play from the blank states[0] and note a moment in `every` so many, until `rewards` is full.

    The players go by the evaluation in so many worlds, but for one move in `whims`; or always by the policy, if there
    are no worlds. Noted are the features as one seat, any, has them, and what that seat got in the end; how many games
    there were.
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
            if worlds > 0 and below(rng, whims) > 0:
                at = reflect(states, views, turn, out, rng, knobs, weights, scores, places, worlds)
            else:
                at = policy(s, turn, out, quick(s, turn, out), weights, rng)
            apply(s, turn, out[at])
            turn = mover(s)
        for i in range(begin, noted):
            rewards[i] = judge(s, seats[i], True, knobs, weights, scores, places)
        games += 1
    return games
