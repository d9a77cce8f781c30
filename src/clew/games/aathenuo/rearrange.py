"""Plays that rebuild the table: it is arranged anew with tiles of the rack, and laid again.

One tiling after the other is tried, those with most tiles of the rack first, and among these those with few crossings
and few changes. What a tiling does not change stays where it is, if that can be; what is laid anew goes where most of
it lay before, so that people recognise their table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule
from clew.games.aathenuo import embed
from clew.games.aathenuo.inplace import EDGE, NOWHERE, free_place, put
from clew.games.aathenuo.layout import on_table
from clew.games.aathenuo.sets import FAILED, MARGIN, SIDE, keep, realise, root
from clew.games.aathenuo.tiles import TILES
from clew.games.aathenuo.tilings import (
    BEAM,
    CELLS,
    IN_GROUPS,
    IN_RUNS,
    NONE,
    OPEN,
    SPENDS,
    SPENT,
    UNIT,
    next_tiling,
    search_tilings,
)

PRICE, CHANGE = 4, 2  # of a crossing, and of a change of the table: far less than a tile
NARROW = 1500  # states of a step, if not all
TILINGS_OF_A_KIND = 60  # that lay equally many tiles are tried
TILINGS_IN_ALL = 240
SALTS = 6  # ways to deal out the crossings of a tiling


@rule
def set_prices(b: Any) -> None:
    """Crossings and changes of the table have their prices."""
    for cell in range(CELLS):
        b.prices[cell] = PRICE
        for k in range(OPEN + 1):
            b.run_prices[cell, k] = CHANGE * abs(k - b.now[cell, IN_RUNS])
            b.group_prices[cell, k] = CHANGE * abs(k - b.now[cell, IN_GROUPS])
        for k in range(SPENDS):
            b.star_prices[cell, k] = CHANGE * abs(k - b.now[cell, SPENT])


@no_inline
def find_tilings(b: Any, colours: int, unit: int, floor: int) -> bool:
    """Find tilings, with more states where those that were kept have led to none; False if there are none."""
    set_prices(b)
    return search_tilings(b, colours, unit, floor, NARROW) or (b.lost and search_tilings(b, colours, unit, floor, BEAM))


@no_inline
def rebuild(d: Any, b: Any, colours: int, most: int, first_salt: int, last_salt: int) -> int:
    """Lay the best tiling that can be laid, of those found; how many tiles of the rack it has, -1 if none can be."""
    kind = tried = 0
    for _ in range(most):
        found = next_tiling(b, colours)
        if found < 0:
            return -1
        if found != kind:
            kind, tried = found, 0
        tried += 1
        for salt in range(first_salt, last_salt if tried <= TILINGS_OF_A_KIND else 0):
            keep(d, b, colours, salt)
            if lay_all(d, b, colours, salt):
                return found
    return -1


@no_inline
def rebuild_with(d: Any, b: Any, colours: int, kind: int) -> int:
    """Rebuild the table so that a tile of this kind is laid, and others if need be; False if no way is found."""
    b.have[kind] += 1
    b.may[kind] -= 1
    found = find_tilings(b, colours, 0, -UNIT) and rebuild(d, b, colours, TILINGS_OF_A_KIND, 0, SALTS) >= 0
    b.have[kind] -= 1
    b.may[kind] += 1
    return found


@no_inline
def lay_all(d: Any, b: Any, colours: int, salt: int) -> bool:
    """Give every tile of the tiling a place, grid by grid; False if that is not found."""
    if not realise(d, b, colours, salt):
        return False
    set_marks(b)
    for grid in range(b.sets):
        if b.set_grid[grid] == grid and b.failed[b.marks[grid] % FAILED] == b.marks[grid]:
            return False
    for grid in range(b.sets):
        if b.set_grid[grid] == grid and not embed.lay(b, grid):
            b.failed[b.marks[grid] % FAILED] = b.marks[grid]
            return False
    return True


@rule
def scatter(n: int) -> int:
    """A number that looks random, up to 30 bits."""
    mixed = ((n & 0x3FFFFFFF) * 0x9E3779B1) & 0x3FFFFFFFFFFFFFFF
    return ((mixed >> 29) ^ mixed) & 0x3FFFFFFF


@rule
def set_marks(b: Any) -> None:
    """Tell grids no_inline by their sets and where these cross, and by what stays."""
    of_set = np.zeros(b.sets, np.int64)
    for i in range(b.sets):
        b.marks[i] = 0
        for k in range(b.set_length[i]):
            of_set[i] += scatter(b.set_cell[i, k] + 1)
    for i in range(b.sets):
        where = (b.set_upright[i] + 1) * 1000003 if i < b.kept else 0
        b.marks[root(b, i)[0]] += scatter(of_set[i] + where)
    for i in range(b.tiles):
        if b.tile_two[i] != NONE:
            both = of_set[b.tile_one[i]] + of_set[b.tile_two[i]]
            where = b.tile_x[i] * SIDE + b.tile_y[i] if i < b.kept_tiles else 0
            b.marks[root(b, b.tile_one[i])[0]] += scatter(both + b.tile_cell[i] + 1 + 7919 * where)


# Back to the table


@rule
def turned(way: int, x: int, y: int) -> tuple[int, int]:
    """A cell in one of the eight ways to turn and mirror a grid."""
    if way & 4:
        x, y = y, x
    return (-x if way & 1 else x), (-y if way & 2 else y)


@rule
def members(b: Any, grid: int, ids: Any) -> int:
    """The tiles of the grid that a set stands for; how many."""
    count = 0
    for i in range(b.tiles):
        if root(b, b.tile_one[i])[0] == grid:
            ids[count] = i
            count += 1
    return count


@rule
def free_at(d: Any, b: Any, ids: Any, count: int, way: int, dx: int, dy: int) -> bool:
    """Whether a grid can lie there, touching nothing."""
    for k in range(count):
        x, y = turned(way, b.tile_x[ids[k]], b.tile_y[ids[k]])
        x, y = x + dx, y + dy
        if not on_table(x, y):
            return False
        x, y = x + EDGE, y + EDGE
        if d.cloth[x, y] or d.cloth[x - 1, y] or d.cloth[x + 1, y] or d.cloth[x, y - 1] or d.cloth[x, y + 1]:
            return False
    return True


@rule
def familiar(d: Any, old: Any, b: Any, ids: Any, count: int, spot: Any) -> int:
    """How many tiles of a grid can lie where tiles of their kind lay; writes way, dx and dy of the best place."""
    best = 0
    for way in range(8):
        for k in range(count):
            kind = embed.kind_of(b, ids[k])
            x, y = turned(way, b.tile_x[ids[k]], b.tile_y[ids[k]])
            for j in range(old.count):
                if old.tile[j] != kind:
                    continue
                dx, dy = old.x[j] - x, old.y[j] - y
                same = 0
                for m in range(count):
                    at_x, at_y = turned(way, b.tile_x[ids[m]], b.tile_y[ids[m]])
                    at_x, at_y = at_x + dx, at_y + dy
                    if on_table(at_x, at_y):
                        same += old.cloth[at_x + EDGE, at_y + EDGE] == embed.kind_of(b, ids[m]) + 1
                if same > best and free_at(d, b, ids, count, way, dx, dy):
                    best = same
                    spot[0], spot[1], spot[2] = way, dx, dy
    return best


@no_inline
def unfold(d: Any, old: Any, b: Any) -> bool:
    """Lay the grids that were arranged where most of their tiles lay before; False when there is no room."""
    ids, spot = np.empty(TILES, np.int64), np.zeros(3, np.int64)
    for k in range(members(b, root(b, 0)[0], ids) if b.kept > 0 else 0):
        i = ids[k]
        x, y = b.tile_x[i] - MARGIN + b.left, b.tile_y[i] - MARGIN + b.top
        if not on_table(x, y):
            return False
        put(d, embed.kind_of(b, i), x, y)
        b.tile_laid[i] = 0
    for familiar_first in (True, False):
        for i in range(b.tiles):
            if not b.tile_laid[i]:
                continue
            count = members(b, root(b, b.tile_one[i])[0], ids)
            same = familiar(d, old, b, ids, count, spot)
            if familiar_first and 2 * same < count:
                continue
            if same == 0:
                left, right, top, bottom = extent(b, ids, count)
                x, y = free_place(d, right - left + 1, bottom - top + 1)
                if x == NOWHERE:
                    return False
                spot[0], spot[1], spot[2] = 0, x - left, y - top
            for k in range(count):
                x, y = turned(spot[0], b.tile_x[ids[k]], b.tile_y[ids[k]])
                put(d, embed.kind_of(b, ids[k]), x + spot[1], y + spot[2])
                b.tile_laid[ids[k]] = 0
    return True


@rule
def extent(b: Any, ids: Any, count: int) -> tuple[int, int, int, int]:
    """The left, right, top and bottom of a grid in the arrangement."""
    left, right, top, bottom = SIDE, 0, SIDE, 0
    for k in range(count):
        left, right = min(left, b.tile_x[ids[k]]), max(right, b.tile_x[ids[k]])
        top, bottom = min(top, b.tile_y[ids[k]]), max(bottom, b.tile_y[ids[k]])
    return left, right, top, bottom
