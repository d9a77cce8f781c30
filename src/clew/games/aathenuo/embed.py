"""Where the sets lie: a cover becomes grids, by dealing out the crossings and then laying set across set.

`realise` turns the numbers of a cover into sets, and says which tile lies in which two of them. Sets that hang
together by crossings are one grid; `lay` places one after the other, depth first: a run can be read in two directions,
a group has any order, and no two tiles may touch that are not in one set. Rings and dense blocks are found because a
set may pass through several tiles that lie there already, and because tiles may touch when a set to come has both.
"""

from __future__ import annotations

import numpy as np

from clew.core import apart, rule
from clew.games.aathenuo.cover import CELLS, IN_GROUPS, IN_RUNS, LAID, SPENT
from clew.games.aathenuo.tiles import FACES, KINDS, NUMBERS, STAR, TILES

SETS = 2 * TILES // 3
LONGEST_SET = NUMBERS
SPLIT = 6  # a run of so many tiles can be laid as two
SIDE = 128  # of the cloth on which one grid is laid
CENTRE = SIDE // 2
GRID_NODES = 4000  # steps for one grid before it is given up
NONE = -1


BENCH = np.dtype(
    [
        # What is arranged
        ("have", np.int64, (KINDS,)),  # the tiles that must be laid
        ("may", np.int64, (KINDS,)),  # those of the rack
        ("grid", np.int64, (TILES,)),  # for each tile of the table: the number of its grid
        ("prices", np.int64, (CELLS,)),  # of a crossing
        ("run_prices", np.int64, (CELLS,)),  # of a tile in a run
        ("group_prices", np.int64, (CELLS,)),  # and in a group
        ("star_prices", np.int64, (CELLS,)),  # of a star that stands for a number
        ("choice", np.int64, (CELLS, 4)),  # the cover: LAID, SPENT, IN_RUNS, IN_GROUPS
        # Sets, with their tiles in order of their numbers or colours
        ("sets", np.int64),
        ("set_run", np.int64, (SETS,)),
        ("set_length", np.int64, (SETS,)),
        ("set_cell", np.int64, (SETS, LONGEST_SET)),
        ("set_tile", np.int64, (SETS, LONGEST_SET)),
        ("set_crossings", np.int64, (SETS,)),
        ("set_grid", np.int64, (SETS,)),  # a set of the same grid, in the end the one that stands for it: see root
        ("set_turned", np.int64, (SETS,)),  # whether it lies across that one
        ("set_upright", np.int64, (SETS,)),
        # Tiles, with the sets they lie in and their places
        ("tiles", np.int64),
        ("tile_cell", np.int64, (TILES,)),
        ("tile_star", np.int64, (TILES,)),
        ("tile_one", np.int64, (TILES,)),
        ("tile_two", np.int64, (TILES,)),
        ("tile_laid", np.int64, (TILES,)),
        ("tile_x", np.int64, (TILES,)),
        ("tile_y", np.int64, (TILES,)),
        ("cloth", np.int16, (SIDE, SIDE)),
    ]
)


@rule
def noise(salt, n):
    """A number from 0 to 1023 that looks random; always 0 for salt 0."""
    if salt == 0:
        return 0
    mixed = ((salt * 7919 + n) * 2654435 + 12345) & 0x7FFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 69069 + 1) & 0x7FFFFFFF
    return (mixed >> 9) & 1023


# From numbers to sets


@rule
def _begin(b, run):
    """A new set, still empty and alone."""
    i = b.sets
    b.set_run[i] = run
    b.set_length[i] = b.set_crossings[i] = b.set_turned[i] = 0
    b.set_grid[i] = i
    b.sets += 1


@rule
def _grow(b, i, cell):
    """Another tile at the end of a set."""
    b.set_cell[i, b.set_length[i]] = cell
    b.set_tile[i, b.set_length[i]] = NONE
    b.set_length[i] += 1


@rule
def make_runs(b, colour, salt):
    """The runs of a colour."""
    first = b.sets
    for number in range(NUMBERS):
        cell = colour * NUMBERS + number
        rest = b.choice[cell, IN_RUNS]
        known = b.sets
        for length in range(1, number + 1):  # those with one or two tiles must go on, then the others
            for i in range(first, known):
                if rest > 0 and b.set_length[i] == length and b.set_cell[i, length - 1] == cell - 1:
                    _grow(b, i, cell)
                    rest -= 1
        for _ in range(rest):
            _begin(b, 1)
            _grow(b, b.sets - 1, cell)
    known = b.sets
    for i in range(first, known):  # smaller sets are easier to place
        length = b.set_length[i]
        if length >= SPLIT:
            cut = 3 + noise(salt, i) % (length - SPLIT + 1)
            _begin(b, 1)
            for k in range(cut, length):
                _grow(b, b.sets - 1, b.set_cell[i, k])
            b.set_length[i] = cut


@rule
def make_groups(b, colours, number, salt):
    """The groups of a number, dealt out one tile after the other."""
    total = 0
    for colour in range(colours):
        total += b.choice[colour * NUMBERS + number, IN_GROUPS]
    groups, first = total // 3, b.sets
    for _ in range(groups):
        _begin(b, 0)
    at = 0
    for turn in range(colours):
        colour = (turn + noise(salt, number)) % colours
        for _ in range(b.choice[colour * NUMBERS + number, IN_GROUPS]):
            _grow(b, first + at % groups, colour * NUMBERS + number)
            at += 1


@rule
def root(b, i):
    """The set that stands for the grid of set i, and whether i lies across it."""
    turned = 0
    while b.set_grid[i] != i:
        turned ^= b.set_turned[i]
        i = b.set_grid[i]
    return i, turned


@rule
def _share(b, one, two):
    """Whether two sets have a tile in common."""
    for k in range(b.set_length[one]):
        i = b.set_tile[one, k]
        if i != NONE and (b.tile_one[i] == two or b.tile_two[i] == two):
            return True
    return False


@rule
def _crowd(b, i, place):
    """How many neighbours of a place in a run are crossings."""
    count = 0
    for k in (place - 1, place + 1):
        if b.set_run[i] and 0 <= k < b.set_length[i]:
            tile = b.set_tile[i, k]
            count += tile != NONE and b.tile_two[tile] != NONE
    return count


@rule
def _price(b, one, two, place, other_place):
    """How hard a crossing of two sets makes it to lay them, or -1 if they cannot cross."""
    if _share(b, one, two):
        return -1
    over, over_turned = root(b, one)
    under, under_turned = root(b, two)
    if over == under and over_turned == under_turned:  # they lie in the same direction
        return -1
    crowd = _crowd(b, one, place) + _crowd(b, two, other_place)
    alike = b.set_run[one] == b.set_run[two]
    return 40 * (over == under) + 4 * (b.set_crossings[one] + b.set_crossings[two]) + 6 * alike + 6 * crowd


@rule
def _add_tile(b, cell, one, two):
    """Another tile, in one set or two."""
    b.tile_cell[b.tiles] = cell
    b.tile_star[b.tiles] = b.tile_laid[b.tiles] = 0
    b.tile_one[b.tiles], b.tile_two[b.tiles] = one, two
    b.tiles += 1


@rule
def _cross(b, one, two):
    """Let two sets hang together, one across the other."""
    over, over_turned = root(b, one)
    under, under_turned = root(b, two)
    if over != under:
        b.set_grid[under] = over
        b.set_turned[under] = 1 ^ over_turned ^ under_turned
    b.set_crossings[one] += 1
    b.set_crossings[two] += 1


@rule
def _members(b, cell, members, places):
    """The sets that have a tile at this cell, and its places there; how many."""
    count = 0
    for i in range(b.sets):
        for k in range(b.set_length[i]):
            if b.set_cell[i, k] == cell:
                members[count], places[count] = i, k
                count += 1
    return count


@apart
def realise(b, colours, salt):
    """Make sets and tiles of the cover; False if its crossings cannot be dealt out like this."""
    b.sets = b.tiles = 0
    for colour in range(colours):
        make_runs(b, colour, salt)
    for number in range(NUMBERS):
        make_groups(b, colours, number, salt)
    members, places = np.empty(SETS, np.int64), np.empty(SETS, np.int64)
    for cell in range(colours * NUMBERS):
        many = _members(b, cell, members, places)
        here = b.have[cell // NUMBERS * FACES + cell % NUMBERS] + b.choice[cell, LAID] + b.choice[cell, SPENT]
        for crossing in range(many - here):
            best, one, two = 1 << 40, NONE, NONE
            for i in range(many):
                for j in range(i + 1, many):
                    price = _price(b, members[i], members[j], places[i], places[j])
                    if price >= 0:
                        price = price * 100 + noise(salt, (cell * 8 + crossing) * 64 + i * 8 + j) * salt
                        if price < best:
                            best, one, two = price, i, j
            if one == NONE:
                return False
            _cross(b, members[one], members[two])
            b.set_tile[members[one], places[one]] = b.set_tile[members[two], places[two]] = b.tiles
            _add_tile(b, cell, members[one], members[two])
            many -= 1  # both leave the list; two comes after one
            members[two], places[two] = members[many], places[many]
            many -= 1
            members[one], places[one] = members[many], places[many]
        for i in range(many):
            b.set_tile[members[i], places[i]] = b.tiles
            _add_tile(b, cell, members[i], NONE)
        for i in range(b.choice[cell, SPENT]):
            b.tile_star[b.tiles - 1 - i] = 1
    return True


# From sets to places


@rule
def _order(b, grid, order):
    """The sets of a grid, each after one that it crosses, the one with most crossings first; how many."""
    start = NONE
    for i in range(b.sets):
        if root(b, i)[0] == grid and (start == NONE or b.set_crossings[i] > b.set_crossings[start]):
            start = i
    order[0] = start
    length = 1
    at = 0
    while at < length:
        i = order[at]
        at += 1
        for k in range(b.set_length[i]):
            tile = b.set_tile[i, k]
            other = b.tile_two[tile] if b.tile_one[tile] == i else b.tile_one[tile]
            known = other == NONE
            for j in range(length):
                known |= order[j] == other
            if not known:
                order[length] = other
                length += 1
    return length


@rule
def _arrange(b, i, way, line):
    """The tiles of a set in the order of this way to lay it; False when another way is the same.

    A run has two ways. A group has all orders, but tiles that cross nothing are alike.
    """
    length = b.set_length[i]
    if b.set_run[i]:
        for k in range(length):
            line[k] = b.set_tile[i, k if way == 0 else length - 1 - k]
        return True
    taken = 0
    last = NONE
    for k in range(length):
        pick = way % (length - k)
        way //= length - k
        which = 0
        while pick > 0 or (taken >> which) & 1:
            pick -= 1 - ((taken >> which) & 1)
            which += 1
        taken |= 1 << which
        line[k] = b.set_tile[i, which]
        if b.tile_two[line[k]] == NONE:
            if which < last:
                return False
            last = which
    return True


@rule
def _ways(b, i):
    """In how many ways `_arrange` can order the tiles of a set."""
    ways = 1
    for k in range(2, 3 if b.set_run[i] else b.set_length[i] + 1):
        ways *= k
    return ways


@rule
def _fits(b, i, line, length, x, y, upright):
    """Whether a set can lie in this line, its first tile on x, y."""
    dx, dy = 1 - upright, upright
    if not (2 <= x < SIDE - LONGEST_SET - 2 and 2 <= y < SIDE - LONGEST_SET - 2):
        return False
    if b.cloth[x - dx, y - dy] or b.cloth[x + dx * length, y + dy * length]:
        return False
    for k in range(length):
        tile = line[k]
        at_x, at_y = x + dx * k, y + dy * k
        if b.tile_laid[tile]:
            if b.tile_x[tile] != at_x or b.tile_y[tile] != at_y:
                return False
            continue
        if b.cloth[at_x, at_y]:
            return False
        other = b.tile_two[tile] if b.tile_one[tile] == i else b.tile_one[tile]
        for side in (-1, 1):
            near = b.cloth[at_x + dy * side, at_y + dx * side] - 1
            if near >= 0 and (other == NONE or (b.tile_one[near] != other and b.tile_two[near] != other)):
                return False
    return True


@rule
def _lay_next(b, i, first, tried, at, line, brought):
    """Lay set i in the next way that fits; how many ways were looked at, negative when none does."""
    looked = 0
    length = b.set_length[i]
    while tried[at] < (1 if first and b.set_run[i] else _ways(b, i)):
        looked += 1
        way = tried[at]
        tried[at] += 1
        if not _arrange(b, i, way, line):
            continue
        x, y, upright = CENTRE, CENTRE, 0
        if not first:  # it goes through a tile that lies there
            anchor = 0
            while not b.tile_laid[line[anchor]]:
                anchor += 1
            tile = line[anchor]
            upright = 1 - b.set_upright[b.tile_two[tile] if b.tile_one[tile] == i else b.tile_one[tile]]
            x, y = b.tile_x[tile] - (1 - upright) * anchor, b.tile_y[tile] - upright * anchor
        if _fits(b, i, line, length, x, y, upright):
            b.set_upright[i] = upright
            for k in range(length):
                tile = line[k]
                brought[at, k] = NONE
                if not b.tile_laid[tile]:
                    b.tile_laid[tile] = 1
                    b.tile_x[tile], b.tile_y[tile] = x + (1 - upright) * k, y + upright * k
                    b.cloth[b.tile_x[tile], b.tile_y[tile]] = tile + 1
                    brought[at, k] = tile
            return looked
    return -looked - 1


@rule
def _take_back(b, brought, at, length):
    """Lift the tiles that a set brought."""
    for k in range(length):
        tile = brought[at, k]
        if tile != NONE:
            b.cloth[b.tile_x[tile], b.tile_y[tile]] = 0
            b.tile_laid[tile] = 0


@apart
def lay(b, grid):
    """Place the tiles of the grid that a set stands for; False if no way is found."""
    order, tried = np.empty(SETS, np.int64), np.zeros(SETS, np.int64)
    line, brought = np.empty(LONGEST_SET, np.int64), np.empty((SETS, LONGEST_SET), np.int64)
    length = _order(b, grid, order)
    at = steps = 0
    while 0 <= at < length:
        looked = _lay_next(b, order[at], at == 0, tried, at, line, brought)
        steps += abs(looked)
        if looked > 0:
            at += 1
            if at < length:
                tried[at] = 0
        if looked < 0 or (steps > GRID_NODES and at < length):
            at -= 1
            while at >= 0:
                _take_back(b, brought, at, b.set_length[order[at]])
                if steps <= GRID_NODES:
                    break
                at -= 1
    for i in range(b.tiles):  # the next grid has the cloth for itself
        if b.tile_laid[i]:
            b.cloth[b.tile_x[i], b.tile_y[i]] = 0
    return at == length


@rule
def kind_of(b, i):
    """Which tile it is."""
    return b.tile_cell[i] // NUMBERS * FACES + (STAR if b.tile_star[i] else b.tile_cell[i] % NUMBERS)
