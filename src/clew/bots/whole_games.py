"""Whole games between bots inside the kernels: the game's state is seen by `play_on` alone, and a bot by its view.

A decision is made of the same parts as that of a single bot (`search.py`), so both come to the same move.
"""

from __future__ import annotations

from clew.bots.flat import compute_priors, list_moves, search_flat
from clew.bots.ranking import ANYTHING, LUCK, SLIP, best_looking, by_prior, passed_over, slips
from clew.bots.secret_choice import solve_duel
from clew.bots.tree import search_tree
from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, view
from clew.core.rng import absorb, below, branch
from clew.core.types import Floats, Integers, MoveCodes, Numbers, States, ViewRecord, ViewRecords, Words

PLAN = ("kind", "playouts", "candidates", "depth")
KIND, PLAYOUTS, CANDIDATES, DEPTH = range(len(PLAN))
KINDS = ("random", "greedy", "flat", "tree")
RANDOM, GREEDY, FLAT, TREE = range(len(KINDS))
ELSEWHERE = -1  # as a kind: other kernels play this seat
LAPSES = ("slip", "blunder")
SLIPPING, BLUNDER = range(len(LAPSES))


@template
def decide(
    v: ViewRecord,
    view_bytes: Numbers,
    seat: int,
    plan: Integers,
    knobs: Floats,
    lapses: Floats,
    key: Integers,
    luck: Integers,
    states: States,
    roots: Integers,
    rng: Integers,
    slipping: Integers,
    moves: MoveCodes,
    priors: Floats,
    order: Integers,
    payoffs: Floats,
    solution: Floats,
    out: MoveCodes,
    words: Words,
    move_words: Words,
    root_keys: Integers,
    nodes: Integers,
    values: Floats,
    slots: Integers,
    children: Integers,
    path: Integers,
    weights: Floats,
    scores: Integers,
    places: Integers,
    rewards: Floats,
    tallies: Floats,
    tally: Floats,
) -> int:
    """The index among `moves` of the one that a bot makes: by its plan and its key, from what its seat knows.

    Who moves at random goes by `luck` instead of the key.
    """
    for i in range(key.shape[0]):
        roots[i] = key[i]
    absorb(roots, view_bytes, view_bytes.shape[0])
    count = list_moves(v, states, roots, rng, seat, moves)
    if plan[KIND] == RANDOM:
        return below(luck, count)
    at = solve_duel(states[1], seat, count, roots, rng, payoffs, solution) if plan[KIND] >= FLAT else -1
    if at >= 0:
        return at
    if count == 1:
        return 0
    compute_priors(states, seat, moves, count, weights, priors)
    if plan[KIND] == GREEDY:
        branch(roots, LUCK, rng)
        return best_looking(priors, count, order, rng)
    branch(roots, SLIP, slipping)
    if plan[KIND] == FLAT:
        count = by_prior(priors, count, int(plan[CANDIDATES]), order)
        at = slips(count, lapses[SLIPPING], slipping) if lapses[BLUNDER] >= ANYTHING else 0
        search_flat(
            v, states, roots, rng, seat, moves, order, count, int(plan[PLAYOUTS]), out, knobs, weights,
            int(plan[DEPTH]), scores, places, at, tallies, tally,
        )  # fmt: skip
        if lapses[BLUNDER] >= ANYTHING:
            return int(order[at])
    else:
        count = search_tree(
            v, states, roots, rng, seat, order, count, int(plan[PLAYOUTS]), out, words, move_words, root_keys, nodes,
            values, slots, children, path, knobs, weights, int(plan[DEPTH]), scores, places, rewards, tallies, tally,
        )  # fmt: skip
    return int(order[passed_over(tally, order, count, lapses[SLIPPING], lapses[BLUNDER], slipping)])


@template
def play_on(
    table: States,
    views: ViewRecords,
    view_bytes: Numbers,
    ply: int,
    most: int,
    plans: Integers,
    knobs: Floats,
    lapses: Floats,
    keys: Integers,
    luck: Integers,
    played: MoveCodes,
    movers: Integers,
    states: States,
    roots: Integers,
    rng: Integers,
    slipping: Integers,
    moves: MoveCodes,
    priors: Floats,
    order: Integers,
    payoffs: Floats,
    solution: Floats,
    out: MoveCodes,
    words: Words,
    move_words: Words,
    root_keys: Integers,
    nodes: Integers,
    values: Floats,
    slots: Integers,
    children: Integers,
    path: Integers,
    weights: Floats,
    scores: Integers,
    places: Integers,
    rewards: Floats,
    tallies: Floats,
    tally: Floats,
) -> int:
    """Play on in table[0], of which so many moves were made, to the end or for `most` moves; how many there are then.

    Before a move of a seat that is played ELSEWHERE it ends, too.
    Row i of the plans, knobs, lapses and keys is the bot's in seat i. `view_bytes` is the memory of views[1], views[0]
    an empty one. Writes who made which move.
    """
    s = table[0]
    end = ply + most
    seat = mover(s)
    while seat >= 0 and ply < end and plans[seat, KIND] != ELSEWHERE:
        views[1] = views[0]
        view(s, seat, views[1])
        at = decide(
            views[1], view_bytes, seat, plans[seat], knobs[seat], lapses[seat], keys[seat], luck, states, roots, rng,
            slipping, moves, priors, order, payoffs, solution, out, words, move_words, root_keys, nodes, values, slots,
            children, path, weights, scores, places, rewards, tallies, tally,
        )  # fmt: skip
        played[ply] = moves[at]
        movers[ply] = seat
        apply(s, seat, moves[at])
        ply += 1
        seat = mover(s)
    return ply
