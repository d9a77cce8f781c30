"""Information-set Monte Carlo tree search: one tree of what the seats may do, each descent in another world.

A child is there or not as the world has it; moves are told apart by the key of their bytes. A node counts how often it
could have been chosen, and is chosen by the upper bound on its mean among those times (Cowling, Powley, Whitehouse
2012, single observer). New moves come in order of the game's prior, the more the oftener a node is visited.
"""

from __future__ import annotations

import math

from clew.bots.ranking import STREAMS, rank_by_tries, share
from clew.bots.simulation import EXPLORE, POWER, WIDEN, add_playout, determinize, reward_of, rollout
from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, legal, prior, quick
from clew.core.rng import WORD, below
from clew.core.types import Floats, Integers, MoveCodes, State, States, ViewRecord, Words

PARENT, KEY, VISITS, CHANCES, ROW = range(5)  # of a node; ROW is the move's in the tally, for children of the root
NODE = 5
UNVISITED = -1


@template
def key_of(words: Words, i: int) -> int:
    """The key of the move in place i: itself if it is a number, else a hash of its bytes."""
    if words.shape[1] == 1:
        return int(words[i, 0])
    key = 0
    for k in range(words.shape[1]):
        key = mix(key ^ int(words[i, k]))
    return key


@template
def mix(key: int) -> int:
    """The key with its bits mixed, by products that never need more than 62 bits."""
    low, high = key & 0x7FFFFFFF, (key >> 31) & 0x7FFFFFFF
    low *= 0x5BD1E995
    high = (high ^ (low >> 31)) * 0x1B873593
    return low ^ (high >> 17) ^ ((high & WORD) << 23)


@template
def slot_of(nodes: Integers, slots: Integers, parent: int, key: int) -> int:
    """Where the child of a node by this move is noted, or would be."""
    mask = slots.shape[0] - 1
    at: int = mix(key ^ (parent << 20)) & mask
    while slots[at] > 0 and (nodes[slots[at], PARENT] != parent or nodes[slots[at], KEY] != key):
        at = (at + 1) & mask
    return at


@template
def select(
    s: State,
    node: int,
    seat: int,
    count: int,
    nodes: Integers,
    values: Floats,
    slots: Integers,
    out: MoveCodes,
    words: Words,
    children: Integers,
    knobs: Floats,
    weights: Floats,
    rng: Integers,
) -> int:
    """The index of the move to go on with; `children` tells which node each leads to, UNVISITED for a new one."""
    known = 0
    best = -1
    most = 0.0
    for i in range(count):
        child = slots[slot_of(nodes, slots, node, key_of(words, i))]
        children[i] = child if child > 0 else UNVISITED
        if child > 0:
            known += 1
            nodes[child, CHANCES] += 1
            visits = nodes[child, VISITS]
            spread = math.sqrt(math.log(nodes[child, CHANCES]) / visits)
            bound = values[child] / visits + knobs[EXPLORE] * spread
            if best < 0 or bound > most:
                best, most = i, bound
    if known == count or known >= max(1.0, knobs[WIDEN] * float(max(1, nodes[node, VISITS])) ** knobs[POWER]):
        return best
    return best_unvisited(s, seat, count, out, children, weights, rng)


@template
def best_unvisited(
    s: State, seat: int, count: int, out: MoveCodes, children: Integers, weights: Floats, rng: Integers
) -> int:
    """The best-looking move that was never made here; any of them if several look best."""
    best = -1
    most = 0.0
    equals = 0
    for i in range(count):
        if children[i] == UNVISITED:
            look = prior(s, seat, out[i], weights)
            if best < 0 or look > most:
                best, most, equals = i, look, 1
            elif look == most:
                equals += 1
                if below(rng, equals) == 0:
                    best = i
    return best


@template
def expand(
    v: ViewRecord,
    states: States,
    roots: Integers,
    rng: Integers,
    seat: int,
    first: int,
    stride: int,
    n: int,
    out: MoveCodes,
    words: Words,
    root_keys: Integers,
    nodes: Integers,
    values: Floats,
    slots: Integers,
    children: Integers,
    path: Integers,
    knobs: Floats,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    rewards: Floats,
    tally: Floats,
    size: int,
) -> int:
    """Expand the tree by n descents, in worlds number `first`, `first + stride` and so on; how many nodes it has then.

    It has `size` before, and its arrays have room for n more.
    """
    for i in range(n):
        determinize(v, states, roots, 1 + first + i * stride, rng)
        s = states[1]
        node, length, turn = 0, 0, seat
        expanded = False
        while turn >= 0 and not expanded:
            # The root has the moves that were listed: `quick` may list others, which have no row in the tally.
            count = legal(s, turn, out) if node == 0 else quick(s, turn, out)
            at = select(s, node, turn, count, nodes, values, slots, out, words, children, knobs, weights, rng)
            child = children[at]
            if child == UNVISITED:
                expanded = True
                child = size
                size += 1
                key = key_of(words, at)
                nodes[child, PARENT], nodes[child, KEY], nodes[child, CHANCES] = node, key, 1
                slots[slot_of(nodes, slots, node, key)] = child
                if node == 0:
                    row = 0
                    while root_keys[row] != key:
                        row += 1
                    nodes[child, ROW] = row
            apply(s, turn, out[at])
            path[length, 0], path[length, 1] = child, turn
            length += 1
            node = child
            turn = mover(s)
        over = rollout(s, states, rng, out, weights, depth, scores, places)
        for player in range(s.players):
            rewards[player] = reward_of(s, player, over, knobs, weights, scores, places)
        nodes[0, VISITS] += 1
        for j in range(length):
            child = path[j, 0]
            nodes[child, VISITS] += 1
            values[child] += rewards[path[j, 1]]
        add_playout(tally[nodes[path[0, 0], ROW]], int(s.players), seat, over, rewards[seat], places)
    return size


@template
def search_tree(
    v: ViewRecord,
    states: States,
    roots: Integers,
    rng: Integers,
    seat: int,
    order: Integers,
    n: int,
    playouts: int,
    out: MoveCodes,
    words: Words,
    move_words: Words,
    root_keys: Integers,
    nodes: Integers,
    values: Floats,
    slots: Integers,
    children: Integers,
    path: Integers,
    knobs: Floats,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    rewards: Floats,
    tallies: Floats,
    tally: Floats,
) -> int:
    """A tree for each stream over the n moves whose bytes are in `move_words`; writes their order, and how many it has.

    What `Search._tree` does with threads, to the last digit.
    """
    for i in range(n):
        root_keys[i] = key_of(move_words, i)
        tallies[:, i] = 0.0
    for k in range(STREAMS):
        part = share(k, playouts, STREAMS)
        nodes[: part + 2] = 0
        values[: part + 2] = 0.0
        slots[:] = 0
        expand(
            v, states, roots, rng, seat, k, STREAMS, part, out, words, root_keys, nodes, values, slots,
            children, path, knobs, weights, depth, scores, places, rewards, tallies[k], 1,
        )  # fmt: skip
    for i in range(n):
        tally[i] = tallies[0, i]
        for k in range(1, STREAMS):
            tally[i] += tallies[k, i]
    return rank_by_tries(tally, n, order)
