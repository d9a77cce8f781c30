"""Flat Monte Carlo: every candidate is tried in the same imagined worlds, with the same luck in the playouts."""

from __future__ import annotations

from typing import Any

from clew.bots.worlds import finish, judge, note, sow
from clew.core.kernels import template
from clew.core.protocol import apply, imagine, prior


@template
def appraise(v: Any, states: Any, roots: Any, rng: Any, seat: int, out: Any, n: int, weights: Any, priors: Any) -> None:
    """Write how good each of the n moves in `out` looks at a glance."""
    sow(roots, 0, rng)
    states[1] = states[0]
    imagine(v, rng, states[1])
    for i in range(n):
        priors[i] = prior(states[1], seat, out[i], weights)


@template
def survey(
    v: Any,
    states: Any,
    roots: Any,
    rng: Any,
    seat: int,
    moves: Any,
    alive: Any,
    first: int,
    stride: int,
    n: int,
    out: Any,
    knobs: Any,
    weights: Any,
    depth: int,
    scores: Any,
    places: Any,
    tally: Any,
) -> None:
    """Try the `alive` ones of the moves in n worlds: number `first`, `first + stride` and so on."""
    for i in range(n):
        sow(roots, 1 + first + i * stride, rng)
        states[1] = states[0]
        imagine(v, rng, states[1])
        luck0, luck1, luck2, luck3 = rng[0], rng[1], rng[2], rng[3]
        for j in range(alive.shape[0]):
            k = alive[j]
            rng[0], rng[1], rng[2], rng[3] = luck0, luck1, luck2, luck3
            states[2] = states[1]
            s = states[2]
            apply(s, seat, moves[k])
            over = finish(s, rng, out, weights, depth)
            reward = judge(s, seat, over, knobs, weights, scores, places)
            note(tally[k], int(s.players), seat, over, reward, places)
