"""Where the sets lie: set is laid across set, until every tile has its place.

Sets that hang together by crossings are one grid; `lay` places one after the other, depth first: a run can be read in
two directions, a group has any order, and no two tiles may touch that are not in one set. Rings and dense blocks are
found because a set may pass through several tiles that lie there already, and because tiles may touch when a set to
come has both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule
from clew.games.aathenuo.sets import LONGEST_SET, SETS, SIDE, root
from clew.games.aathenuo.tiles import FACES, NUMBERS, STAR
from clew.games.aathenuo.tilings import NONE

CENTRE = SIDE // 2
GRID_NODES = 4000  # steps for one grid before it is given up


@rule
def _order(b: Any, grid: int, order: Any) -> int:
    """The sets of a grid, each after one that it crosses: first those that stay, or the one with most crossings."""
    length = 0
    if b.kept > 0 and root(b, 0)[0] == grid:
        for i in range(b.kept):
            order[i] = i
        length = b.kept
    else:
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
def _arrange(b: Any, i: int, way: int, line: Any) -> bool:
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
def _ways(b: Any, i: int) -> int:
    """In how many ways `_arrange` can order the tiles of a set."""
    ways = 1
    for k in range(2, 3 if b.set_run[i] else b.set_length[i] + 1):
        ways *= k
    return ways


@rule
def _fits(b: Any, i: int, line: Any, length: int, x: int, y: int, upright: int) -> bool:
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
def _lay_next(b: Any, i: int, first: int, tried: Any, at: int, line: Any, brought: Any) -> int:
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
def _take_back(b: Any, brought: Any, at: int, length: int) -> None:
    """Lift the tiles that a set brought."""
    for k in range(length):
        tile = brought[at, k]
        if tile != NONE:
            b.cloth[b.tile_x[tile], b.tile_y[tile]] = 0
            b.tile_laid[tile] = 0


@rule
def _joined(b: Any, i: int, dx: int, dy: int) -> bool:
    """Whether the tile beside this one, if there is one, is in a set with it; lines between that stayed may be gone."""
    j = b.cloth[b.tile_x[i] + dx, b.tile_y[i] + dy] - 1
    one, two = b.tile_one[i], b.tile_two[i]
    return bool(
        j < 0
        or b.tile_one[j] == one
        or b.tile_two[j] == one
        or (two != NONE and (b.tile_one[j] == two or b.tile_two[j] == two))
    )


@no_inline
def lay(b: Any, grid: int) -> int:
    """Place the tiles of the grid that a set stands for; False if no way is found."""
    order, tried = np.empty(SETS, np.int64), np.zeros(SETS, np.int64)
    line, brought = np.empty(LONGEST_SET, np.int64), np.empty((SETS, LONGEST_SET), np.int64)
    length = _order(b, grid, order)
    begun = b.kept if order[0] < b.kept else 0
    for i in range(b.kept_tiles if begun > 0 else 0):
        b.cloth[b.tile_x[i], b.tile_y[i]] = i + 1
    at, steps = begun, 0
    while begun <= at < length:
        looked = _lay_next(b, order[at], at == 0, tried, at, line, brought)
        steps += abs(looked)
        if looked > 0:
            at += 1
            if at < length:
                tried[at] = 0
        if looked < 0 or (steps > GRID_NODES and at < length):
            at -= 1
            while at >= begun:
                _take_back(b, brought, at, b.set_length[order[at]])
                if steps <= GRID_NODES:
                    break
                at -= 1
    done = at == length
    for i in range(b.kept_tiles if done and begun > 0 else 0):
        done &= _joined(b, i, 1, 0) and _joined(b, i, 0, 1)
    for i in range(b.tiles):  # the next grid has the cloth for itself
        if b.tile_laid[i]:
            b.cloth[b.tile_x[i], b.tile_y[i]] = 0
    return done


@rule
def kind_of(b: Any, i: int) -> int:
    """Which tile it is."""
    cell = int(b.tile_cell[i])
    return cell // NUMBERS * FACES + (STAR if b.tile_star[i] else cell % NUMBERS)
