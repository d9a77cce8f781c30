"""Plays that leave the table's tiles where they are: a tile beside the table, and what must follow from it.

A tile put beside others makes lines. A line of three or more must be a set; a line of two must grow at one of its
ends, by another tile from the rack. Depth first by these defects, every play that touches the table has a part that
is found here, because each part of a set is a set or grows into one; so the search is complete for the question whether
there is a play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule
from clew.games.aathenuo.layout import ALL, on_table, valid
from clew.games.aathenuo.tiles import COLOUR_OF, FACE_OF, FARTHEST, KINDS, STAR, TILES

EDGE = FARTHEST + 2  # empty cells around the cloth: no line needs to ask where it ends
SIDE = 2 * EDGE + 1
NOWHERE = 1 << 20
WIDE, HIGH = 13, 8  # a table of this size is not worth saving space


TRIAL = np.dtype(
    [
        ("count", np.int64),  # tiles of the table and of the play
        ("tile", np.int64, (TILES,)),
        ("x", np.int64, (TILES,)),
        ("y", np.int64, (TILES,)),
        ("rack", np.int64, (KINDS,)),
        ("steps", np.int64),
        ("cloth", np.int8, (SIDE, SIDE)),  # kind + 1 at x + EDGE, y + EDGE
    ]
)


@rule
def set_desk(d: Any, tiles: int, tile: Any, x: Any, y: Any, rack: Any) -> None:
    """Lay out a table and a rack on an empty trial, to try plays."""
    for i in range(tiles):
        put(d, tile[i], x[i], y[i])
    for kind in range(KINDS):
        d.rack[kind] = rack[kind]


@rule
def put(d: Any, kind: int, x: int, y: int) -> None:
    """Lay a tile."""
    i = d.count
    d.tile[i], d.x[i], d.y[i] = kind, x, y
    d.cloth[x + EDGE, y + EDGE] = kind + 1
    d.count = i + 1


@rule
def lay(d: Any, kind: int, x: int, y: int) -> None:
    """Lay a tile from the rack."""
    put(d, kind, x, y)
    d.rack[kind] -= 1


@rule
def take_back(d: Any) -> None:
    """Take the tile that was laid last onto the rack again."""
    i = d.count - 1
    d.rack[d.tile[i]] += 1
    d.cloth[d.x[i] + EDGE, d.y[i] + EDGE] = 0
    d.count = i


@rule
def line_through(d: Any, x: int, y: int, dx: int, dy: int) -> tuple[int, int, int]:
    """The length of the line in this direction through a tile and its first cell; -1 if it cannot be part of a set."""
    column, row = x + EDGE, y + EDGE
    while d.cloth[column - dx, row - dy]:
        column -= dx
        row -= dy
    start_x, start_y = column - EDGE, row - EDGE
    rising = falling = equal = ALL  # the numbers that the first tile can be in each way of reading
    seen = length = 0
    first = COLOUR_OF[d.cloth[column, row] - 1]
    while d.cloth[column, row]:
        kind = d.cloth[column, row] - 1
        face = FACE_OF[kind]
        can_be = ALL if face == STAR else 1 << face
        rising &= can_be >> length
        falling &= can_be << length
        equal &= can_be
        if COLOUR_OF[kind] != first:
            rising = falling = 0
        if (seen >> COLOUR_OF[kind]) & 1:
            equal = 0
        seen |= 1 << COLOUR_OF[kind]
        length += 1
        column += dx
        row += dy
    return (length if rising | falling | equal else -1), start_x, start_y


@rule
def fits(d: Any, x: int, y: int) -> bool:
    """Whether the lines through a tile can be parts of sets."""
    return line_through(d, x, y, 1, 0)[0] > 0 and line_through(d, x, y, 0, 1)[0] > 0


@rule
def first_defect(d: Any, base: int, ends: Any) -> bool:
    """Where a line of two among the tiles laid since `base` can grow: writes its two ends; False if there is none."""
    for i in range(base, d.count):
        for dy in range(2):
            length, x, y = line_through(d, d.x[i], d.y[i], 1 - dy, dy)
            if length == 2:
                ends[0], ends[1] = x - (1 - dy), y - dy
                ends[2], ends[3] = x + 2 * (1 - dy), y + 2 * dy
                return True
    return False


@rule
def holds(d: Any, base: int) -> bool:
    """Whether the table is valid, if every line is possible by itself and none is of two: whether the stars agree."""
    for kind in range(STAR, KINDS, STAR + 1):
        for i in range(d.count):
            if d.tile[i] == kind:
                return valid(d.count, d.tile, d.x, d.y)
    return True


@no_inline
def complete(d: Any, base: int, limit: int) -> bool:
    """Lay more tiles from the rack until all lines through those since `base` are sets; False (as before) if none can.

    Tiles that were laid at `base` stay.
    """
    depth = 0
    begun = d.count
    ends = np.empty((TILES, 4), np.int64)
    tried = np.zeros(TILES, np.int64)
    back = False
    while True:
        d.steps += 1
        if d.steps > limit:
            while d.count > begun:
                take_back(d)
            return False
        if not back:
            if not first_defect(d, base, ends[depth]):
                if holds(d, base):
                    return True
                back = True
            else:
                tried[depth] = 0
        if back:
            if depth == 0:
                return False
            depth -= 1
            take_back(d)
            back = False
        placed = False
        while not placed and tried[depth] < 2 * KINDS:
            option = tried[depth]
            tried[depth] += 1
            end, kind = option // KINDS, option % KINDS
            x, y = ends[depth, 2 * end], ends[depth, 2 * end + 1]
            if d.rack[kind] > 0 and on_table(x, y) and d.cloth[x + EDGE, y + EDGE] == 0:
                lay(d, kind, x, y)
                if fits(d, x, y):
                    placed = True
                else:
                    take_back(d)
        if placed:
            depth += 1
        else:
            back = True


@rule
def beside(d: Any, column: int, row: int) -> bool:
    """Whether an empty cell touches a tile."""
    cloth = d.cloth
    return bool(
        cloth[column, row] == 0
        and (
            cloth[column - 1, row] > 0
            or cloth[column + 1, row] > 0
            or cloth[column, row - 1] > 0
            or cloth[column, row + 1] > 0
        )
    )


@rule
def frontier(d: Any, cells: Any) -> int:
    """The empty cells beside the table, in reading order; how many."""
    left, right, top, bottom = bounds(d)
    count = 0
    for y in range(max(top - 1, -FARTHEST), min(bottom + 1, FARTHEST) + 1):
        for x in range(max(left - 1, -FARTHEST), min(right + 1, FARTHEST) + 1):
            if beside(d, x + EDGE, y + EDGE):
                cells[count, 0], cells[count, 1] = x, y
                count += 1
    return count


@rule
def bounds(d: Any) -> tuple[int, int, int, int]:
    """The left, right, top and bottom of the table; all 0 for an empty one."""
    left = right = top = bottom = 0
    for i in range(d.count):
        if i == 0:
            left, right, top, bottom = d.x[0], d.x[0], d.y[0], d.y[0]
        left, right = min(left, d.x[i]), max(right, d.x[i])
        top, bottom = min(top, d.y[i]), max(bottom, d.y[i])
    return left, right, top, bottom


# Room for new grids


@rule
def is_free(d: Any, x: int, y: int, width: int, height: int) -> bool:
    """Whether a box is empty, and the cells around it."""
    for column in range(x - 1 + EDGE, x + width + 1 + EDGE):
        for row in range(y - 1 + EDGE, y + height + 1 + EDGE):
            if d.cloth[column, row]:
                return False
    return True


@no_inline
def free_place(d: Any, width: int, height: int) -> tuple[int, int]:
    """The place for a new grid that keeps the table compact, as x and y of its upper left cell; NOWHERE if none is."""
    if d.count == 0:
        return 0, 0
    left, right, top, bottom = bounds(d)
    best, best_x, best_y = 1 << 40, NOWHERE, NOWHERE
    for y in range(max(top - height - 1, -FARTHEST), min(bottom + 2, FARTHEST - height + 1) + 1):
        for x in range(max(left - width - 1, -FARTHEST), min(right + 2, FARTHEST - width + 1) + 1):
            wide = max(right, x + width - 1) - min(left, x) + 1
            high = max(bottom, y + height - 1) - min(top, y) + 1
            cost = max(wide, WIDE) * max(high, HIGH) * 1000
            cost += abs(2 * x + width - left - right) + abs(2 * y + height - top - bottom) + (x < left) + (y < top)
            if cost < best and is_free(d, x, y, width, height):
                best, best_x, best_y = cost, x, y
    return best_x, best_y
