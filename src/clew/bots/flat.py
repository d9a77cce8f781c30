"""Flat Monte Carlo: every candidate is tried in the same imagined worlds, with the same luck in the playouts."""

from __future__ import annotations

from clew.bots.simulation import add_playout, determinize, reward_of, rollout
from clew.core.kernels import template
from clew.core.protocol import apply, prior
from clew.core.types import Floats, Integers, MoveCodes, States, ViewRecord


@template
def compute_priors(
    v: ViewRecord,
    states: States,
    roots: Integers,
    rng: Integers,
    seat: int,
    out: MoveCodes,
    n: int,
    weights: Floats,
    priors: Floats,
) -> None:
    """Write how good each of the n moves in `out` looks at a glance."""
    determinize(v, states, roots, 0, rng)
    for i in range(n):
        priors[i] = prior(states[1], seat, out[i], weights)


@template
def evaluate(
    v: ViewRecord,
    states: States,
    roots: Integers,
    rng: Integers,
    seat: int,
    moves: MoveCodes,
    alive: Integers,
    first: int,
    stride: int,
    n: int,
    out: MoveCodes,
    knobs: Floats,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    tally: Floats,
) -> None:
    """Evaluate the `alive` ones of the moves by playouts in n worlds: number `first`, `first + stride` and so on."""
    for i in range(n):
        determinize(v, states, roots, 1 + first + i * stride, rng)
        luck0, luck1, luck2, luck3 = rng[0], rng[1], rng[2], rng[3]
        for j in range(alive.shape[0]):
            k = alive[j]
            rng[0], rng[1], rng[2], rng[3] = luck0, luck1, luck2, luck3
            states[2] = states[1]
            s = states[2]
            apply(s, seat, moves[k])
            over = rollout(s, rng, out, weights, depth)
            reward = reward_of(s, seat, over, knobs, weights, scores, places)
            add_playout(tally[k], int(s.players), seat, over, reward, places)
