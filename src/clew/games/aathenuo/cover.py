"""Which sets: tiles arranged in runs and groups on paper, before anybody asks for a place on the table.

A tile lies in one set, or in two that cross there. So n tiles of one colour and number serve between n and 2n
memberships, some in runs of the colour and some in groups of the number. Read number by number and, within one,
colour by colour, all that matters of what was read is: for each colour how many runs are open with one, two, three or
more tiles, how many of its stars are spent, and how many memberships in groups of the present number there are. Groups
are simple: memberships g[c] can be dealt to groups of three or more colours if and only if max(g) <= sum(g) // 3.
"""

from __future__ import annotations

import numpy as np

from clew.core import apart, rule
from clew.games.aathenuo.tiles import COLOURS, FACES, NUMBERS, STAR, STARS

CELLS = COLOURS * NUMBERS  # a colour and a number: colour * NUMBERS + number - 1
OPEN = 4  # so many runs of a colour can be open at once, and so many groups of a number be
_TRIPLES = [(a, b, c) for a in range(OPEN + 1) for b in range(OPEN + 1 - a) for c in range(OPEN + 1 - a - b)]
RUNS = len(_TRIPLES)  # open runs: how many with one tile, with two, with three or more
NO_RUNS = _TRIPLES.index((0, 0, 0))
SHORT = np.array([a + b for a, b, _ in _TRIPLES])  # those that must go on


def _next(triple: tuple[int, int, int], count: int) -> int:
    """The open runs after a number with so many tiles in runs; going on with a run is never worse than a new one."""
    ones, twos, more = triple
    rest = count - ones - twos
    if rest < 0:
        return -1
    longer = min(more, rest)
    return _TRIPLES.index((rest - longer, ones, twos + longer))


AFTER = np.array([[_next(triple, count) for count in range(OPEN + 1)] for triple in _TRIPLES])
# Whether these are the same runs as before, none new and none at its end
SAME_RUNS = np.array(
    [
        [count == sum(triple) and _TRIPLES[_next(triple, count)][0] == 0 for count in range(OPEN + 1)]
        for triple in _TRIPLES
    ]
)

# A state is a row of codes of 9 bits, one for each colour and one for the groups of the present number. A colour: its
# open runs, whether two of them have crossed, its stars spent. The groups: their memberships, those of the colour that
# has most, the crossings of groups with groups.
BITS = 9
SPENDS = STARS + 1
_CODES = np.arange(RUNS * 2 * SPENDS)
RUNS_OF, CROSSED_OF, SPENT_OF = _CODES // SPENDS // 2, _CODES // SPENDS % 2, _CODES % SPENDS
ENOUGH, MOST_KNOTS = 3 * OPEN, OPEN * (OPEN - 1) // 2  # more memberships make no difference, more crossings no sense
_CODES = np.arange((ENOUGH + 1) * (OPEN + 1) * (MOST_KNOTS + 1))
TOTAL_OF, MOST_OF, KNOTS_OF = (
    _CODES // (MOST_KNOTS + 1) // (OPEN + 1),
    _CODES // (MOST_KNOTS + 1) % (OPEN + 1),
    _CODES % (MOST_KNOTS + 1),
)
GROUPS = COLOURS * BITS  # the first bit of the groups' code

LAID, SPENT, IN_RUNS, IN_GROUPS = range(4)  # what a cover says of a cell: tiles of the rack, stars, memberships
UNIT = 4096  # a tile from the rack outweighs all costs
ALIKE = 3  # a run across a run, or a group across a group, costs more
NEVER = -1
LEVELS = 8
HASHES = 1 << 15
ROOM = 1 << 14  # states of one step before the best are chosen


@rule
def most_groups(colours, have, may, number):
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
def look_ahead(colour, have, may, groups, ahead):
    """How many tiles of the rack a colour alone could still lay, from each number, open runs and stars spent.

    ahead[number, runs, spent]; the other colours give it all groups that it asks for. NEVER if it cannot end well.
    """
    must = have[colour * FACES + STAR]
    stars = must + may[colour * FACES + STAR]
    for runs in range(RUNS):
        for spent in range(stars + 1):
            ahead[NUMBERS, runs, spent] = spent - must if SHORT[runs] == 0 and spent >= must else NEVER
    for number in range(NUMBERS - 1, -1, -1):
        fixed, extra = have[colour * FACES + number], may[colour * FACES + number]
        for runs in range(RUNS):
            for spent in range(stars + 1):
                best = NEVER
                for star in range(stars - spent + 1):
                    for laid in range(extra + 1):
                        tiles = fixed + laid + star
                        for in_runs in range(SHORT[runs], min(OPEN, 2 * tiles) + 1):
                            if in_runs + groups[number] >= tiles:
                                rest = ahead[number + 1, AFTER[runs, in_runs], spent + star]
                                if rest != NEVER and rest + laid > best:
                                    best = rest + laid
                ahead[number, runs, spent] = best


@apart
def cover(b, colours, need, beam):
    """The cover with most tiles of the rack, and among those the cheapest; how many tiles, or -1.

    All of b.have and any of b.may are arranged, at b.prices for crossings; for each cell LAID, SPENT, IN_RUNS and
    IN_GROUPS are written into b.choice. Covers with fewer than `need` tiles of the rack are not looked for.
    """
    have, may, prices, choice = b.have, b.may, b.prices, b.choice
    groups = np.zeros(NUMBERS, np.int64)
    for number in range(NUMBERS):
        groups[number] = most_groups(colours, have, may, number)
    ahead = np.empty((colours, NUMBERS + 1, RUNS, SPENDS), np.int64)
    bound = 0
    for colour in range(colours):
        look_ahead(colour, have, may, groups, ahead[colour])
        if ahead[colour, 0, NO_RUNS, 0] == NEVER:
            return -1
        bound += ahead[colour, 0, NO_RUNS, 0]
    if bound < need:
        return -1
    steps = colours * NUMBERS
    parents = np.empty((steps, beam), np.int32)
    choices = np.empty((steps, beam), np.int32)
    keys, values = np.empty(beam, np.int64), np.empty(beam, np.int64)
    new_keys, new_values = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    new_parents, new_choices = np.empty(ROOM, np.int32), np.empty(ROOM, np.int32)
    slots, kept = np.empty(HASHES, np.int32), np.empty(ROOM, np.int32)
    keys[0], values[0] = 0, bound * UNIT
    for colour in range(colours):
        keys[0] |= NO_RUNS * 2 * SPENDS << (colour * BITS)
    count = 1
    for step in range(steps):
        number, colour = step // colours, step % colours
        fixed, extra = have[colour * FACES + number], may[colour * FACES + number]
        stars = have[colour * FACES + STAR] + may[colour * FACES + STAR]
        cell = colour * NUMBERS + number
        price = prices[cell]
        others = 0  # memberships in groups that the colours after this one can add
        for other in range(colour + 1, colours):
            wild = have[other * FACES + STAR] + may[other * FACES + STAR]
            others += min(groups[number], 2 * (have[other * FACES + number] + may[other * FACES + number] + wild))
        slots[:] = -1
        found = 0
        shift = colour * BITS
        for i in range(count):
            key, value = keys[i], values[i]
            code = (key >> shift) & ((1 << BITS) - 1)
            runs, crossed, spent = RUNS_OF[code], CROSSED_OF[code], SPENT_OF[code]
            total, most, knots = TOTAL_OF[key >> GROUPS], MOST_OF[key >> GROUPS], KNOTS_OF[key >> GROUPS]
            rest = key & ~(((1 << BITS) - 1) << shift) & ((1 << GROUPS) - 1)
            value -= ahead[colour, number, runs, spent] * UNIT
            for star in range(stars - spent + 1):
                for laid in range(extra + 1):
                    tiles = fixed + laid + star
                    for in_runs in range(SHORT[runs], min(OPEN, 2 * tiles) + 1):
                        new_runs = AFTER[runs, in_runs]
                        to_come = ahead[colour, number + 1, new_runs, spent + star]
                        if to_come == NEVER:
                            continue
                        reach = value + (laid + to_come) * UNIT
                        if reach <= (need - 1) * UNIT:
                            continue
                        for in_groups in range(max(0, tiles - in_runs), min(groups[number], 2 * tiles - in_runs) + 1):
                            new_most, new_total = max(most, in_groups), min(total + in_groups, ENOUGH)
                            if 3 * new_most > new_total + others:
                                continue
                            crossings = in_runs + in_groups - tiles
                            of_runs, of_groups = max(0, crossings - in_groups), max(0, crossings - in_runs)
                            if of_runs and crossed and SAME_RUNS[runs, in_runs]:  # two runs cross only once
                                continue
                            new_knots = knots + of_groups
                            if new_knots > MOST_KNOTS:
                                continue
                            new_value = reach - price * crossings - ALIKE * (of_runs + of_groups)
                            new_value -= b.run_prices[cell] * in_runs + b.group_prices[cell] * in_groups
                            new_value -= b.star_prices[cell] * star
                            if new_value <= (need - 1) * UNIT:
                                continue
                            if colour == colours - 1:
                                if 2 * new_knots > (new_total // 3) * (new_total // 3 - 1):  # and two groups
                                    continue
                                new_most = new_total = new_knots = 0
                            new_crossed = of_runs > 0 or (crossed and SAME_RUNS[runs, in_runs])
                            new_code = (new_runs * 2 + new_crossed) * SPENDS + spent + star
                            in_all = (new_total * (OPEN + 1) + new_most) * (MOST_KNOTS + 1) + new_knots
                            new_key = rest | (new_code << shift) | (in_all << GROUPS)
                            slot = _hash(new_key)
                            while slots[slot] >= 0 and new_keys[slots[slot]] != new_key:
                                slot = (slot + 1) & (HASHES - 1)
                            j = slots[slot]
                            if j < 0:
                                if found == ROOM:
                                    continue
                                j = found
                                found += 1
                                slots[slot] = j
                                new_keys[j] = new_key
                            elif new_values[j] >= new_value:
                                continue
                            new_values[j] = new_value
                            new_parents[j] = i
                            new_choices[j] = ((laid * 8 + star) * 8 + in_runs) * 8 + in_groups
        if found == 0:
            return -1
        count = choose_states(new_values, found, beam, kept)
        for i in range(count):
            j = kept[i]
            keys[i], values[i] = new_keys[j], new_values[j]
            parents[step, i], choices[step, i] = new_parents[j], new_choices[j]
    best = 0
    for i in range(1, count):
        if values[i] > values[best]:
            best = i
    total = 0
    for colour in range(colours):
        total -= have[colour * FACES + STAR]
    for step in range(steps - 1, -1, -1):
        code = choices[step, best]
        cell = (step % colours) * NUMBERS + step // colours
        choice[cell, LAID], choice[cell, SPENT] = code >> 9, (code >> 6) & 7
        choice[cell, IN_RUNS], choice[cell, IN_GROUPS] = (code >> 3) & 7, code & 7
        total += choice[cell, LAID] + choice[cell, SPENT]
        best = parents[step, best]
    return total


@rule
def _hash(key):
    """A place for a state; no step needs more than 62 bits."""
    return ((((key ^ (key >> 23) ^ (key >> 45)) & 0x3FFFFFFF) * 0x9E3779B1) >> 20) & (HASHES - 1)


@rule
def choose_states(values, count, beam, kept):
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
