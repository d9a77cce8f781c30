"""Flat Monte Carlo: every candidate is tried in the same imagined worlds, with the same luck in the playouts."""

from __future__ import annotations

from clew.bots.ranking import STREAMS, first_world, rank, rounds, share, survivors, worlds
from clew.bots.simulation import add_playout, determinize, reward_of, rollout
from clew.core.kernels import template
from clew.core.protocol import apply, legal, prior
from clew.core.types import Floats, Integers, MoveCodes, States, ViewRecord


@template
def list_moves(v: ViewRecord, states: States, roots: Integers, rng: Integers, seat: int, moves: MoveCodes) -> int:
    """Write the moves of the seat, which are the same in every world; how many. The world stays in states[1]."""
    determinize(v, states, roots, 0, rng)
    return legal(states[1], seat, moves)


@template
def compute_priors(states: States, seat: int, moves: MoveCodes, n: int, weights: Floats, priors: Floats) -> None:
    """Write how good each of the n moves looks at a glance in the world that they were listed in."""
    for i in range(n):
        priors[i] = prior(states[1], seat, moves[i], weights)


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
            over = rollout(s, states, rng, out, weights, depth, scores, places)
            reward = reward_of(s, seat, over, knobs, weights, scores, places)
            add_playout(tally[k], int(s.players), seat, over, reward, places)


@template
def search_flat(
    v: ViewRecord,
    states: States,
    roots: Integers,
    rng: Integers,
    seat: int,
    moves: MoveCodes,
    order: Integers,
    n: int,
    playouts: int,
    out: MoveCodes,
    knobs: Floats,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    wanted: int,
    tallies: Floats,
    tally: Floats,
) -> None:
    """Sequential halving among the n candidates in `order`, which are put in order from the best on.

    What `Search._flat` does with threads and a clock, to the last digit; `tallies` has one for each stream. It is over
    as soon as place `wanted` of the order is certain: the worse half of a round stays where it is.
    """
    for i in range(n):
        tallies[:, order[i]] = 0.0
    alive, spent, done = n, 0, 0
    total = rounds(n)
    for number in range(total):
        count = worlds(playouts - spent, total - number, alive)
        for k in range(STREAMS):
            first = first_world(done, k, STREAMS)
            part = share(first, done + count, STREAMS)
            evaluate(
                v, states, roots, rng, seat, moves, order[:alive], first, STREAMS, part,
                out, knobs, weights, depth, scores, places, tallies[k],
            )  # fmt: skip
        done += count
        spent += count * alive
        for i in range(alive):
            tally[order[i]] = tallies[0, order[i]]
            for k in range(1, STREAMS):
                tally[order[i]] += tallies[k, order[i]]
        rank(tally, order, alive)
        alive = survivors(alive, number == total - 1)
        if wanted >= alive:
            break
