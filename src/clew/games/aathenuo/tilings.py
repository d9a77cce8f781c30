"""Which sets: tiles arranged in runs and groups on paper, before anybody asks for a place on the table.

A tile lies in one set, or in two that cross there. So n tiles of one colour and number serve between n and 2n
memberships, some in runs of the colour and some in groups of the number. Read number by number and, within one,
colour by colour, all that matters of what was read is: for each colour how many runs are open with one, two, three or
more tiles, how often these have crossed, how many of its stars are spent, and how many memberships in groups of the
present number there are. Groups are simple: memberships g[c] can be dealt to groups of three or more colours if and
only if max(g) <= sum(g) // 3.

`search_tilings` finds what leads to a tiling, step by step, and `next_tiling` reads one tiling after the other from
that, the one that is worth most first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule
from clew.games.aathenuo.tiles import COLOURS, COPIES, FACES, NUMBERS, STAR, STARS

CELLS = COLOURS * NUMBERS  # a colour and a number: colour * NUMBERS + number - 1
OPEN = 4  # so many runs of a colour can be open at once, and so many groups of a number be
_TRIPLES = [(a, b, c) for a in range(OPEN + 1) for b in range(OPEN + 1 - a) for c in range(OPEN + 1 - a - b)]
RUNS = len(_TRIPLES)  # open runs: how many with one tile, with two, with three or more
NO_RUNS = _TRIPLES.index((0, 0, 0))
SHORT = np.array([a + b for a, b, _ in _TRIPLES])  # those that must go on


def _next(triple: tuple[int, int, int], count: int, ended: int) -> int:
    """The open runs after a number with so many tiles in runs, if of those that can go on so many end; -1 for none.

    Going on with a run is never worse than a new one, but for crossings.
    """
    ones, twos, more = triple
    rest = count - ones - twos
    longer = min(more, rest) - ended
    return _TRIPLES.index((rest - longer, ones, twos + longer)) if min(rest, longer) >= 0 else -1


# By the open runs, the tiles in runs, and how many runs end that could go on
AFTER = np.array(
    [[[_next(triple, count, ended) for ended in range(2)] for count in range(OPEN + 1)] for triple in _TRIPLES]
)
# Whether these are the same runs as before, none new and none at its end
SAME_RUNS = np.array(
    [
        [count == sum(triple) and _TRIPLES[_next(triple, count, 0)][0] == 0 for count in range(OPEN + 1)]
        for triple in _TRIPLES
    ]
)
# Two runs cross only once, so three cross twice at most, one across the others; of four it is not counted
PAIRS = np.array([0, 0, 1, 2, 9])
COUNTED = 2

# A state is a row of codes of 9 bits, one for each colour and one for the groups of the present number. A colour: its
# open runs, how often these have crossed, its stars spent. The groups: their memberships, those of the colour that has
# most, the crossings of groups with groups.
BITS = 9
SPENDS = STARS + 1
_CROSSED = [(i, k) for i, triple in enumerate(_TRIPLES) for k in range(min(PAIRS[sum(triple)], COUNTED) + 1)]
CODE_OF = np.array(
    [[_CROSSED.index((i, k)) if (i, k) in _CROSSED else -1 for k in range(COUNTED + 1)] for i in range(RUNS)]
)
RUNS_OF, CROSSED_OF = np.repeat(np.array(_CROSSED), SPENDS, axis=0).T.copy()
SPENT_OF = np.arange(len(RUNS_OF)) % SPENDS
ENOUGH, MOST_KNOTS = 3 * OPEN, (OPEN // 2) ** 2  # more memberships make no difference, more crossings cannot be
_CODES = np.arange((ENOUGH + 1) * (OPEN + 1) * (MOST_KNOTS + 1))
TOTAL_OF, MOST_OF, KNOTS_OF = (
    _CODES // (MOST_KNOTS + 1) // (OPEN + 1),
    _CODES // (MOST_KNOTS + 1) % (OPEN + 1),
    _CODES % (MOST_KNOTS + 1),
)
GROUPS = COLOURS * BITS  # the first bit of the groups' code

# What a tiling says of a cell: tiles of the rack, stars, memberships, and the runs that end before it but could go on
LAID, SPENT, IN_RUNS, IN_GROUPS, ENDED = range(5)
UNIT = 4096  # a tile from the rack outweighs all costs
ALIKE = 3  # a run across a run, or a group across a group, costs more
NEVER = -(1 << 40)
TOGETHER = COPIES + STARS + 1  # tiles of a number, and none
LEVELS = 8
STEPS = CELLS
HASHES = 1 << 16
ROOM = 1 << 15  # states of one step before the best are chosen
BEAM = 6000  # states of a step that are kept at most
EDGES = 1 << 20  # ways from a state to the next in all
CANDIDATES = 1 << 14  # tilings that wait for their turn
NONE = -1

TILINGS = [
    ("steps", np.int64),
    ("lost", np.int64),  # whether there may be others, worth more
    ("first", np.int32, (STEPS, BEAM)),  # for each state of a step, the best edge that leads to it
    ("edges", np.int64),
    ("edge_from", np.int32, (EDGES,)),  # a state of the step before
    ("edge_use", np.int32, (EDGES,)),  # what the tiling says of the cell
    ("edge_value", np.int32, (EDGES,)),  # of the best tiling that has it
    ("edge_next", np.int32, (EDGES,)),  # the next best that leads to the same state
    ("candidates", np.int64),
    ("waiting", np.int64),
    ("heap", np.int32, (CANDIDATES,)),  # of candidates, the best at its top
    ("worth", np.int32, (CANDIDATES,)),
    ("like", np.int32, (CANDIDATES,)),  # another candidate, from which this one differs first
    ("at", np.int32, (CANDIDATES,)),  # in this step,
    ("by", np.int32, (CANDIDATES,)),  # by this edge
]


@rule
def most_groups(colours: int, have: Any, may: Any, number: int) -> int:
    """How many groups of a number there can be at most, if every tile is in two."""
    best = 0
    for k in range(1, OPEN + 1):
        total = 0
        for colour in range(colours):
            stars = have[colour * FACES + STAR] + may[colour * FACES + STAR]
            total += min(k, 2 * (have[colour * FACES + number] + may[colour * FACES + number] + stars))
        if total >= 3 * k:
            best = k
    return best


@rule
def price_of(b: Any, cell: int, tiles: int, in_runs: int, in_groups: int) -> int:
    """What so many memberships of so many tiles cost, but for the runs."""
    crossings = in_runs + in_groups - tiles
    alike = max(0, crossings - in_groups) + max(0, crossings - in_runs)
    return int(b.prices[cell] * crossings + ALIKE * alike + b.group_prices[cell, in_groups])


@rule
def look_ahead(b: Any, colour: int, unit: int, groups: Any, ahead: Any) -> None:
    """What a colour alone could still be worth, from each number, open runs and stars spent; NEVER if it ends badly.

    ahead[number, runs, spent]; the other colours give it all groups that it asks for.
    """
    must = b.have[colour * FACES + STAR]
    stars = must + b.may[colour * FACES + STAR]
    cheapest = np.empty((TOGETHER, OPEN + 1), np.int64)
    for runs in range(RUNS):
        for spent in range(stars + 1):
            ahead[NUMBERS, runs, spent] = (spent - must) * unit if SHORT[runs] == 0 and spent >= must else NEVER
    for number in range(NUMBERS - 1, -1, -1):
        cell = colour * NUMBERS + number
        fixed, extra = b.have[colour * FACES + number], b.may[colour * FACES + number]
        for tiles in range(fixed, fixed + extra + stars + 1):
            for in_runs in range(min(OPEN, 2 * tiles) + 1):
                price = -NEVER
                for in_groups in range(max(0, tiles - in_runs), min(groups[number], 2 * tiles - in_runs) + 1):
                    price = min(price, price_of(b, cell, tiles, in_runs, in_groups))
                cheapest[tiles, in_runs] = price + b.run_prices[cell, in_runs]
        for runs in range(RUNS):
            for spent in range(stars + 1):
                best = NEVER
                for star in range(stars - spent + 1):
                    for laid in range(extra + 1):
                        tiles = fixed + laid + star
                        value = laid * unit - b.star_prices[cell, star]
                        for in_runs in range(SHORT[runs], min(OPEN, 2 * tiles) + 1):
                            rest = ahead[number + 1, AFTER[runs, in_runs, 0], spent + star]
                            best = max(best, value - cheapest[tiles, in_runs] + rest)
                ahead[number, runs, spent] = max(best, NEVER)


@no_inline
def search_tilings(b: Any, colours: int, unit: int, floor: int, beam: int) -> bool:
    """Find the tilings that are worth more than `floor`, each tile of the rack being worth a unit; False if none is.

    All of b.have and any of b.may are arranged, at b.prices for crossings and so on. `next_tiling` gives them.
    """
    b.steps, b.edges, b.lost, b.candidates, b.waiting = colours * NUMBERS, 0, 0, 0, 0
    groups = np.zeros(NUMBERS, np.int64)
    for number in range(NUMBERS):
        groups[number] = most_groups(colours, b.have, b.may, number)
    ahead = np.empty((colours, NUMBERS + 1, RUNS, SPENDS), np.int64)
    bound = 0
    for colour in range(colours):
        look_ahead(b, colour, unit, groups, ahead[colour])
        bound += ahead[colour, 0, NO_RUNS, 0]
    if bound <= floor:
        return False
    keys, values = np.empty(beam, np.int64), np.empty(beam, np.int64)
    new_keys, new_values, heads = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64), np.empty(ROOM, np.int32)
    slots, slot_of, kept = np.full(HASHES, NONE, np.int32), np.empty(ROOM, np.int32), np.empty(ROOM, np.int32)
    keys[0], values[0] = 0, bound
    for colour in range(colours):
        keys[0] |= CODE_OF[NO_RUNS, 0] * SPENDS << (colour * BITS)
    count = 1
    for step in range(b.steps):
        number, colour = step // colours, step % colours
        fixed, extra = b.have[colour * FACES + number], b.may[colour * FACES + number]
        stars = b.have[colour * FACES + STAR] + b.may[colour * FACES + STAR]
        cell = colour * NUMBERS + number
        others = 0  # memberships in groups that the colours after this one can add
        for other in range(colour + 1, colours):
            tiles = b.have[other * FACES + number] + b.may[other * FACES + number]
            tiles += b.have[other * FACES + STAR] + b.may[other * FACES + STAR]
            others += min(groups[number], 2 * tiles)
        found = 0
        shift = colour * BITS
        for i in range(count):
            key, value = keys[i], values[i]
            code = (key >> shift) & ((1 << BITS) - 1)
            runs, crossed, spent = RUNS_OF[code], CROSSED_OF[code], SPENT_OF[code]
            total, most, knots = TOTAL_OF[key >> GROUPS], MOST_OF[key >> GROUPS], KNOTS_OF[key >> GROUPS]
            rest = key & ~(((1 << BITS) - 1) << shift) & ((1 << GROUPS) - 1)
            value -= ahead[colour, number, runs, spent]
            for star in range(stars - spent + 1):
                for laid in range(extra + 1):
                    tiles = fixed + laid + star
                    for use in range(2 * SHORT[runs], 2 * min(OPEN, 2 * tiles) + 2):
                        in_runs, ended = use >> 1, use & 1
                        new_runs = AFTER[runs, in_runs, ended]
                        if new_runs < 0 or (ended and crossed == 0):
                            continue
                        to_come = ahead[colour, number + 1, new_runs, spent + star]
                        reach = value + laid * unit + to_come - b.star_prices[cell, star] - b.run_prices[cell, in_runs]
                        if reach <= floor:
                            continue
                        before = crossed if SAME_RUNS[runs, in_runs] and ended == 0 else 0
                        for in_groups in range(max(0, tiles - in_runs), min(groups[number], 2 * tiles - in_runs) + 1):
                            new_most, new_total = max(most, in_groups), min(total + in_groups, ENOUGH)
                            if 3 * new_most > new_total + others:
                                continue
                            crossings = in_runs + in_groups - tiles
                            of_runs, new_knots = max(0, crossings - in_groups), knots + max(0, crossings - in_runs)
                            if before + of_runs > PAIRS[in_runs] or new_knots > MOST_KNOTS:
                                continue
                            new_value = reach - price_of(b, cell, tiles, in_runs, in_groups)
                            if new_value <= floor:
                                continue
                            if colour == colours - 1:
                                if new_knots > (new_total // 6) * (new_total // 3 - new_total // 6):
                                    continue
                                new_most = new_total = new_knots = 0
                            new_code = CODE_OF[new_runs, min(before + of_runs, COUNTED)] * SPENDS + spent + star
                            if number == NUMBERS - 1:  # nothing comes after it
                                new_code = 0
                            in_all = (new_total * (OPEN + 1) + new_most) * (MOST_KNOTS + 1) + new_knots
                            new_key = rest | (new_code << shift) | (in_all << GROUPS)
                            slot = _hash(new_key)
                            while slots[slot] >= 0 and new_keys[slots[slot]] != new_key:
                                slot = (slot + 1) & (HASHES - 1)
                            j = slots[slot]
                            if b.edges == EDGES or (j < 0 and found == ROOM):
                                b.lost = 1
                                continue
                            if j < 0:
                                j = found
                                found += 1
                                slots[slot], slot_of[j], heads[j] = j, slot, NONE
                                new_keys[j] = new_key
                            add_edge(b, heads, j, i, ((laid * 8 + star) * 8 + in_groups) * 16 + use, new_value)
                            new_values[j] = b.edge_value[heads[j]]
        if found == 0:
            return False
        for j in range(found):
            slots[slot_of[j]] = NONE
        count = choose_states(new_values, found, beam, kept)
        b.lost |= count < found
        for i in range(count):
            j = kept[i]
            keys[i], values[i], b.first[step, i] = new_keys[j], new_values[j], heads[j]
    wait(b, values[0], NONE, b.steps, NONE)
    return True


@rule
def add_edge(b: Any, heads: Any, to: int, source: int, use: int, value: int) -> None:
    """Another way to a state, behind those that are worth as much or more."""
    edge = b.edges
    b.edges += 1
    b.edge_from[edge], b.edge_use[edge], b.edge_value[edge] = source, use, value
    before, after = NONE, heads[to]
    while after != NONE and b.edge_value[after] >= value:
        before, after = after, b.edge_next[after]
    b.edge_next[edge] = after
    if before == NONE:
        heads[to] = edge
    else:
        b.edge_next[before] = edge


@rule
def _hash(key: int) -> int:
    """A place for a state; no step needs more than 62 bits."""
    return ((((key ^ (key >> 23) ^ (key >> 45)) & 0x3FFFFFFF) * 0x9E3779B1) >> 20) & (HASHES - 1)


@rule
def choose_states(values: Any, count: int, beam: int, kept: Any) -> int:
    """Which states to go on with, if not all: of each number of tiles that is hoped for some, the cheapest; how many.

    Those that promise most often come to nothing, and then those that promise less must still be there.
    """
    high = values[0]
    for i in range(count):
        kept[i] = i
        high = max(high, values[i])
    if count <= beam:
        return count
    tally = np.zeros((LEVELS, UNIT), np.int32)
    there, dearest, ties = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    for i in range(count):
        level = min((high - values[i]) // UNIT, LEVELS - 1)
        tally[level, (high - values[i]) % UNIT] += 1
        there[level] += 1
    rest = beam
    for level in range(LEVELS - 1, -1, -1):  # what a level does not need is for those that promise more
        share = min(there[level], rest // (level + 1))
        rest -= share
        cost = 0
        while cost < UNIT and tally[level, cost] <= share:
            share -= tally[level, cost]
            cost += 1
        dearest[level], ties[level] = cost, share
    chosen = 0
    for i in range(count):
        level, cost = min((high - values[i]) // UNIT, LEVELS - 1), (high - values[i]) % UNIT
        if cost < dearest[level] or (cost == dearest[level] and ties[level] > 0):
            ties[level] -= cost == dearest[level]
            kept[chosen] = i
            chosen += 1
    return chosen


# One tiling after the other


@rule
def wait(b: Any, worth: int, like: int, at: int, by: int) -> None:
    """A candidate more: another one, but for an edge, with the best that leads to it."""
    c = b.candidates
    if c == CANDIDATES:
        b.lost = 1
        return
    b.candidates += 1
    b.worth[c], b.like[c], b.at[c], b.by[c] = worth, like, at, by
    place = b.waiting
    b.waiting += 1
    while place > 0 and b.worth[b.heap[(place - 1) // 2]] < worth:
        b.heap[place] = b.heap[(place - 1) // 2]
        place = (place - 1) // 2
    b.heap[place] = c


@rule
def best_waiting(b: Any) -> int:
    """Take the candidate that is worth most from the heap."""
    best = int(b.heap[0])
    b.waiting -= 1
    last = b.heap[b.waiting]
    place = 0
    while 2 * place + 1 < b.waiting:
        child = 2 * place + 1
        if child + 1 < b.waiting and b.worth[b.heap[child + 1]] > b.worth[b.heap[child]]:
            child += 1
        if b.worth[b.heap[child]] <= b.worth[last]:
            break
        b.heap[place] = b.heap[child]
        place = child
    b.heap[place] = last
    return best


@no_inline
def next_tiling(b: Any, colours: int) -> int:
    """Write the next tiling into b.choice; how many tiles of the rack it has, -1 if there are no more.

    For each cell these are LAID, SPENT, IN_RUNS, IN_GROUPS and ENDED.
    """
    if b.waiting == 0:
        return -1
    c = best_waiting(b)
    by = np.full(STEPS, NONE, np.int64)
    other = c
    while other != NONE:
        if b.by[other] != NONE:
            by[b.at[other]] = b.by[other]
        other = b.like[other]
    total = state = 0
    for colour in range(colours):
        total -= b.have[colour * FACES + STAR]
    for step in range(b.steps - 1, -1, -1):
        edge = by[step] if by[step] != NONE else b.first[step, state]
        use = b.edge_use[edge]
        cell = (step % colours) * NUMBERS + step // colours
        b.choice[cell, LAID], b.choice[cell, SPENT], b.choice[cell, IN_GROUPS] = use >> 10, use >> 7 & 7, use >> 4 & 7
        b.choice[cell, IN_RUNS], b.choice[cell, ENDED] = use >> 1 & 7, use & 1
        total += b.choice[cell, LAID] + b.choice[cell, SPENT]
        after = b.edge_next[edge]
        if step <= b.at[c] and after != NONE:  # a tiling that differs here first
            like = c if step < b.at[c] else b.like[c]
            wait(b, b.worth[c] - b.edge_value[edge] + b.edge_value[after], like, step, after)
        state = b.edge_from[edge]
    return total
