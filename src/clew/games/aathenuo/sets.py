"""From numbers to sets: what a tiling says becomes sets and tiles, beside the lines of the table that stay.

`read_table` says which sets lie on the table. Lines that a tiling does not change can stay where they are: they are
sets whose tiles are laid already, and new sets may cross them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule
from clew.games.aathenuo.layout import DIRECTION, FIRST, KIND, LENGTH, LINES, RUN, agree, read_lines
from clew.games.aathenuo.tiles import COLOUR_OF, FACE_OF, FACES, KINDS, NUMBERS, STAR, TILES
from clew.games.aathenuo.tilings import CELLS, ENDED, IN_GROUPS, IN_RUNS, LAID, NONE, OPEN, SPENDS, SPENT, TILINGS

SETS = 2 * TILES // 3
LONGEST_SET = NUMBERS
SPLIT = 6  # a run of so many tiles can be laid as two
SIDE = 128  # of the cloth on which one grid is laid, or all that stays with what hangs on it
MARGIN = 20  # around what stays
FAILED = 1 << 12  # grids that could not be laid


ARRANGING = np.dtype(
    [
        # The table
        ("lines", np.int64),
        ("line", np.int64, (LINES, 4)),  # see `layout`
        ("order", np.int64, (2, TILES)),
        ("cell", np.int64, (TILES,)),  # what each tile is or stands for
        ("now", np.int64, (CELLS, 4)),  # the tiling that lies there: SPENT, IN_RUNS, IN_GROUPS
        ("left", np.int64),  # of the table
        ("top", np.int64),
        # What is arranged
        ("have", np.int64, (KINDS,)),  # the tiles that must be laid
        ("may", np.int64, (KINDS,)),  # those of the rack
        ("prices", np.int64, (CELLS,)),  # of a crossing
        ("run_prices", np.int64, (CELLS, OPEN + 1)),  # of so many tiles in runs
        ("group_prices", np.int64, (CELLS, OPEN + 1)),  # in groups
        ("star_prices", np.int64, (CELLS, SPENDS)),  # of so many stars that stand for a number
        *TILINGS,
        ("choice", np.int64, (CELLS, 5)),  # the tiling: LAID, SPENT, IN_RUNS, IN_GROUPS, ENDED
        ("stays", np.int64, (LINES,)),  # for each line of the table, whether it does
        ("rest", np.int64, (CELLS, 4)),  # the tiling without what stays; LAID counts all tiles
        # Sets, with their tiles in order of their numbers or colours; first those that stay
        ("kept", np.int64),
        ("sets", np.int64),
        ("set_run", np.int64, (SETS,)),
        ("set_length", np.int64, (SETS,)),
        ("set_cell", np.int64, (SETS, LONGEST_SET)),
        ("set_tile", np.int64, (SETS, LONGEST_SET)),
        ("set_crossings", np.int64, (SETS,)),
        ("set_grid", np.int64, (SETS,)),  # a set of the same grid, in the end the one that stands for it: see root
        ("set_turned", np.int64, (SETS,)),  # whether it lies across that one
        ("set_upright", np.int64, (SETS,)),
        # Tiles, with the sets they lie in and their places; first those that stay
        ("kept_tiles", np.int64),
        ("tiles", np.int64),
        ("tile_cell", np.int64, (TILES,)),
        ("tile_star", np.int64, (TILES,)),
        ("tile_one", np.int64, (TILES,)),
        ("tile_two", np.int64, (TILES,)),
        ("tile_laid", np.int64, (TILES,)),
        ("tile_x", np.int64, (TILES,)),
        ("tile_y", np.int64, (TILES,)),
        ("cloth", np.int16, (SIDE, SIDE)),
        ("marks", np.int64, (SETS,)),  # for each set that stands for a grid, what tells it no_inline
        ("failed", np.int64, (FAILED,)),  # marks of grids that could not be laid
    ]
)


@rule
def begin_arranging(b: Any) -> None:
    """Make its memory ready, whatever was in it: all else is written before it is read."""
    b.choice[:] = 0  # a tiling says nothing of colours that are not in the game
    b.cloth[:] = 0
    b.failed[:] = 0


# What lies on the table


@no_inline
def read_table(d: Any, b: Any) -> None:
    """Read the table's lines, a number for each of its stars, and the tiling that it is."""
    can_be = np.empty(TILES, np.int64)
    b.lines = read_lines(d.count, d.tile, d.x, d.y, b.order, b.line, can_be)
    agree(d.count, d.tile, b.lines, b.line, b.order, can_be)
    for cell in range(CELLS):
        for column in range(4):
            b.now[cell, column] = 0
    b.left = b.top = 1 << 20
    for i in range(d.count):
        number = 0
        while can_be[i] >> number > 1:
            number += 1
        b.cell[i] = COLOUR_OF[d.tile[i]] * NUMBERS + number
        b.now[b.cell[i], SPENT] += FACE_OF[d.tile[i]] == STAR
        b.left, b.top = min(b.left, d.x[i]), min(b.top, d.y[i])
    for i in range(b.lines):
        column = IN_RUNS if b.line[i, KIND] == RUN else IN_GROUPS
        for k in range(b.line[i, LENGTH]):
            b.now[b.cell[line_tile(b, i, k)], column] += 1


@rule
def line_tile(b: Any, i: int, k: int) -> int:
    """The tile at a place of a line."""
    return int(b.order[b.line[i, DIRECTION], b.line[i, FIRST] + k])


@rule
def is_touched(b: Any, i: int, colours: int) -> bool:
    """Whether a tiling may change a line: its sets of this kind nearby, or which tiles make them up."""
    run = b.line[i, KIND] == RUN
    lowest, highest = NUMBERS, 0
    for k in range(b.line[i, LENGTH]):
        cell = b.cell[line_tile(b, i, k)]
        same = b.choice[cell, IN_RUNS] == b.now[cell, IN_RUNS] and b.choice[cell, IN_GROUPS] == b.now[cell, IN_GROUPS]
        if b.choice[cell, SPENT] != b.now[cell, SPENT] or (same and b.choice[cell, LAID] > 0):
            return True
        lowest, highest = min(lowest, cell % NUMBERS), max(highest, cell % NUMBERS)
    first = b.cell[line_tile(b, i, 0)] // NUMBERS
    column = IN_RUNS if run else IN_GROUPS
    for colour in range(first if run else 0, first + 1 if run else colours):
        for number in range(max(lowest - run, 0), min(highest + run, NUMBERS - 1) + 1):
            cell = colour * NUMBERS + number
            if b.choice[cell, column] != b.now[cell, column]:
                return True
    return False


@no_inline
def keep(d: Any, b: Any, colours: int, salt: int) -> None:
    """Which lines stay: those that the tiling does not change; then only what crosses none that it does; then none."""
    taken = np.zeros(TILES, np.int64)
    wide = 0
    for i in range(d.count):
        wide = max(wide, d.x[i] - b.left, d.y[i] - b.top)
    for i in range(b.lines):
        b.stays[i] = salt < 2 and wide < SIDE - 2 * MARGIN and not is_touched(b, i, colours)
        for k in range(b.line[i, LENGTH] if not b.stays[i] else 0):
            taken[line_tile(b, i, k)] = 1
    for i in range(b.lines if salt == 1 else 0):
        for k in range(b.line[i, LENGTH]):
            if taken[line_tile(b, i, k)]:
                b.stays[i] = 0


@rule
def begin_with_kept(d: Any, b: Any) -> bool:
    """The sets and tiles that stay, and what is left of the tiling for others; False if it is not enough for them."""
    b.sets = b.tiles = 0
    for cell in range(CELLS):
        kind = cell // NUMBERS * FACES + cell % NUMBERS
        b.rest[cell, LAID] = b.have[kind] + b.choice[cell, LAID] + b.choice[cell, SPENT]
        for column in range(1, 4):
            b.rest[cell, column] = b.choice[cell, column]
    tile_of = np.full(TILES, NONE, np.int64)
    for i in range(b.lines):
        if not b.stays[i]:
            continue
        at = b.sets
        run = b.line[i, KIND] == RUN
        _begin(b, run)
        b.set_upright[at] = b.line[i, DIRECTION]
        b.set_grid[at], b.set_turned[at] = 0, b.set_upright[at] ^ b.set_upright[0]
        for k in range(b.line[i, LENGTH]):
            which = line_tile(b, i, k)
            cell = b.cell[which]
            _grow(b, at, cell)
            b.rest[cell, IN_RUNS if run else IN_GROUPS] -= 1
            tile = tile_of[which]
            if tile == NONE:
                tile = tile_of[which] = b.tiles
                _add_tile(b, cell, at, NONE)
                b.tile_star[tile] = FACE_OF[d.tile[which]] == STAR
                b.tile_laid[tile] = 1
                b.tile_x[tile], b.tile_y[tile] = d.x[which] - b.left + MARGIN, d.y[which] - b.top + MARGIN
                b.rest[cell, LAID] -= 1
                b.rest[cell, SPENT] -= b.tile_star[tile]
            else:
                b.tile_two[tile] = at
                b.set_crossings[at] += 1
                b.set_crossings[b.tile_one[tile]] += 1
            b.set_tile[at, k] = tile
    b.kept, b.kept_tiles = b.sets, b.tiles
    for cell in range(CELLS):
        for column in range(4):
            if b.rest[cell, column] < 0:
                return False
    return True


# The others


@rule
def noise(salt: int, n: int) -> int:
    """A number from 0 to 1023 that looks random; always 0 for salt 0."""
    if salt == 0:
        return 0
    mixed = ((salt * 7919 + n) * 2654435 + 12345) & 0x7FFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 69069 + 1) & 0x7FFFFFFF
    return (mixed >> 9) & 1023


@rule
def _begin(b: Any, run: int) -> None:
    """A new set, still empty and alone."""
    i = b.sets
    b.set_run[i] = run
    b.set_length[i] = b.set_crossings[i] = b.set_turned[i] = 0
    b.set_grid[i] = i
    b.sets += 1


@rule
def _grow(b: Any, i: int, cell: int) -> None:
    """Another tile at the end of a set."""
    b.set_cell[i, b.set_length[i]] = cell
    b.set_tile[i, b.set_length[i]] = NONE
    b.set_length[i] += 1


@rule
def make_runs(b: Any, colour: int, salt: int) -> bool:
    """The runs of a colour; False if what stays leaves none."""
    first = b.sets
    for number in range(NUMBERS):
        cell = colour * NUMBERS + number
        known = b.sets
        new = b.rest[cell, IN_RUNS]
        longer = new - b.choice[cell, ENDED]
        for length in range(1, number + 1):  # those with one or two tiles must go on, then the others
            for i in range(first, known):
                if longer > 0 and b.set_length[i] == length and b.set_cell[i, length - 1] == cell - 1:
                    _grow(b, i, cell)
                    new -= 1
                    longer -= 1
        for _ in range(new):
            _begin(b, 1)
            _grow(b, b.sets - 1, cell)
    known = b.sets
    for i in range(first, known):  # smaller sets are easier to place
        length = b.set_length[i]
        if length < 3:
            return False
        if length >= SPLIT:
            cut = 3 + noise(salt, i) % (length - SPLIT + 1)
            _begin(b, 1)
            for k in range(cut, length):
                _grow(b, b.sets - 1, b.set_cell[i, k])
            b.set_length[i] = cut
    return True


@rule
def make_groups(b: Any, colours: int, number: int, salt: int) -> bool:
    """The groups of a number, dealt out one tile after the other; False if what stays leaves none."""
    total = most = 0
    for colour in range(colours):
        total += b.rest[colour * NUMBERS + number, IN_GROUPS]
        most = max(most, b.rest[colour * NUMBERS + number, IN_GROUPS])
    groups, first = total // 3, b.sets
    if most > groups:
        return False
    for _ in range(groups):
        _begin(b, 0)
    at = 0
    for turn in range(colours):
        colour = (turn + noise(salt, number)) % colours
        for _ in range(b.rest[colour * NUMBERS + number, IN_GROUPS]):
            _grow(b, first + at % groups, colour * NUMBERS + number)
            at += 1
    return True


@rule
def root(b: Any, i: int) -> tuple[int, int]:
    """The set that stands for the grid of set i, and whether i lies across it."""
    turned = 0
    while b.set_grid[i] != i:
        turned ^= b.set_turned[i]
        i = b.set_grid[i]
    return i, turned


@rule
def _share(b: Any, one: int, two: int) -> bool:
    """Whether two sets have a tile in common."""
    for k in range(b.set_length[one]):
        i = b.set_tile[one, k]
        if i != NONE and (b.tile_one[i] == two or b.tile_two[i] == two):
            return True
    return False


@rule
def _crowd(b: Any, i: int, place: int) -> int:
    """How many neighbours of a place in a run are crossings."""
    count = 0
    for k in (place - 1, place + 1):
        if b.set_run[i] and 0 <= k < b.set_length[i]:
            tile = b.set_tile[i, k]
            count += tile != NONE and b.tile_two[tile] != NONE
    return count


@rule
def _price(b: Any, one: int, two: int, place: int, other_place: int) -> int:
    """How hard a crossing of two sets makes it to lay them, or -1 if they cannot cross."""
    if max(one, two) < b.kept or _share(b, one, two):
        return -1
    over, over_turned = root(b, one)
    under, under_turned = root(b, two)
    if over == under and over_turned == under_turned:  # they lie in the same direction
        return -1
    crowd = _crowd(b, one, place) + _crowd(b, two, other_place)
    alike = b.set_run[one] == b.set_run[two]
    crossings = int(b.set_crossings[one] + b.set_crossings[two])
    return 40 * (over == under) + 4 * crossings + 6 * int(alike) + 6 * crowd


@rule
def _add_tile(b: Any, cell: int, one: int, two: int) -> None:
    """Another tile, in one set or two."""
    b.tile_cell[b.tiles] = cell
    b.tile_star[b.tiles] = b.tile_laid[b.tiles] = 0
    b.tile_one[b.tiles], b.tile_two[b.tiles] = one, two
    b.tiles += 1


@rule
def _cross(b: Any, one: int, two: int) -> None:
    """Let two sets hang together, one across the other."""
    over, over_turned = root(b, one)
    under, under_turned = root(b, two)
    if over != under:
        b.set_grid[under] = over
        b.set_turned[under] = 1 ^ over_turned ^ under_turned
    b.set_crossings[one] += 1
    b.set_crossings[two] += 1


@rule
def _share_tile(b: Any, cell: int, one: int, place: int, two: int, other_place: int) -> None:
    """Give two sets the same tile: that of the one that stays, or a new one."""
    if min(one, two) >= b.kept:
        tile = b.tiles
        _add_tile(b, cell, one, two)
    elif one < b.kept:
        tile = b.set_tile[one, place]
        b.tile_two[tile] = two
    else:
        tile = b.set_tile[two, other_place]
        b.tile_two[tile] = one
    b.set_tile[one, place] = b.set_tile[two, other_place] = tile


@rule
def _members(b: Any, cell: int, members: Any, places: Any) -> int:
    """The sets that can have a crossing at this cell, and its places there; how many."""
    count = 0
    for i in range(b.sets):
        for k in range(b.set_length[i]):
            if b.set_cell[i, k] == cell and (i >= b.kept or b.tile_two[b.set_tile[i, k]] == NONE):
                members[count], places[count] = i, k
                count += 1
    return count


@no_inline
def realise(d: Any, b: Any, colours: int, salt: int) -> bool:
    """Make sets and tiles of the tiling; False if its crossings cannot be dealt out like this."""
    if not begin_with_kept(d, b):
        return False
    for colour in range(colours):
        if not make_runs(b, colour, salt):
            return False
    for number in range(NUMBERS):
        if not make_groups(b, colours, number, salt):
            return False
    members, places = np.empty(SETS, np.int64), np.empty(SETS, np.int64)
    for cell in range(colours * NUMBERS):
        many = _members(b, cell, members, places)
        crossings = -b.rest[cell, LAID]
        for i in range(many):
            crossings += members[i] >= b.kept
        if crossings < 0:
            return False
        for crossing in range(crossings):
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
            _share_tile(b, cell, members[one], places[one], members[two], places[two])
            many -= 1  # both leave the list; two comes after one
            members[two], places[two] = members[many], places[many]
            many -= 1
            members[one], places[one] = members[many], places[many]
        for i in range(many):
            if members[i] >= b.kept:
                b.set_tile[members[i], places[i]] = b.tiles
                _add_tile(b, cell, members[i], NONE)
        for i in range(b.rest[cell, SPENT]):
            b.tile_star[b.tiles - 1 - i] = 1
    return True
