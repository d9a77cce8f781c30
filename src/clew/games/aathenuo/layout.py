"""What lies on the table: its lines, whether each is a set, and which numbers its stars can act as.

A layout is n tiles with the arrays `tile`, `x`, `y` (64-bit integers), in any order, each on a cell of its own. Every
row and every column is cut into lines, the maximal pieces of two or more touching tiles. The colours of a line tell
which kind of set it must be; its numbers tell whether it is one. A number has one bit, number - 1; `can_be` holds for
each tile the numbers it may still be, and a line takes from them what fits into none of its readings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import Reason, no_inline, rule
from clew.games.aathenuo.tiles import COLOUR_OF, COLOURS, FACE_OF, FARTHEST, NUMBERS, STAR, STARS, TILES

ACROSS, DOWN = range(2)
WIDTH = 2 * FARTHEST + 2  # one more than a row has cells, so that no line runs on in the next row
LINES = TILES  # a line across takes two tiles at least, so there are at most TILES // 2; down as many
DIRECTION, FIRST, LENGTH, KIND = range(4)  # the columns of `lines`; FIRST is where it begins in `order`
SHORT, MIXED, RUN, GROUP = range(4)  # kinds of lines; only the last two can be sets
ALL = (1 << NUMBERS) - 1
ALL_STARS = COLOURS * STARS

# What is wrong with a layout: a row of `faults` is a reason, then the line it is about (direction, x, y, length), then
# the knot: lines of KNOTTED that have the same number, from 1, cannot be sets together; 0 for all other faults
REASONS: list[Reason]
LONE = Reason("AAT-07", "The {line} is in no set: no tile touches it.")
TWO = Reason("AAT-07", "{Line} are not a set: three are needed.")
COLOUR_TWICE = Reason("AAT-08", "{Line} are not a set: {colour} is there {times}.")
COLOURS_MIXED = Reason("AAT-08", "{Line} are not a set: they are neither of one colour nor all of different colours.")
NOT_IN_ORDER = Reason("AAT-08", "{Line} are not a set: tiles of one colour need consecutive numbers in order.")
NOT_EQUAL = Reason("AAT-08", "{Line} are not a set: tiles of different colours need the same number.")
NO_NUMBER = Reason(
    "AAT-09", f"{{Line}} are not a set: a star would have to be a {{beyond}}, and numbers go from 1 to {NUMBERS}."
)
KNOTTED = Reason("AAT-09", "The stars cannot agree: {lines} are not sets together.")
TORN = Reason("AAT-09", "The {star} would have to be {one} and {other} at once.")  # a knot of two lines with one star
FAULT = 6
FAULTS = TILES + LINES  # each tile alone, each line


@rule
def on_table(x: int, y: int) -> bool:
    """AAT-07: whether there is such a cell."""
    return -FARTHEST <= x <= FARTHEST and -FARTHEST <= y <= FARTHEST


@rule
def cell_key(x: int, y: int) -> int:
    """A number for a cell that grows in reading order."""
    return (y + FARTHEST) * WIDTH + x + FARTHEST


@rule
def cell_of(key: int) -> tuple[int, int]:
    """The cell with this number."""
    return key % WIDTH - FARTHEST, key // WIDTH - FARTHEST


@rule
def sort_keys(keys: Any, n: int) -> None:
    """Put the first n keys in ascending order (Shell's method: the tiles are few, and often nearly in order)."""
    gap = 121
    while gap > 0:
        for i in range(gap, n):
            key = keys[i]
            j = i
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap //= 3


@rule
def read_lines(n: int, tile: Any, x: Any, y: Any, order: Any, lines: Any, sets: Any) -> int:
    """AAT-07: all lines with their kinds, those across first; how many there are.

    `order[direction]` lists the tiles line by line, and `sets` counts the lines that each tile is in.
    """
    for i in range(n):
        sets[i] = 0
    count = 0
    for direction in range(2):
        keys = order[direction]
        for i in range(n):
            key = cell_key(x[i], y[i]) if direction == ACROSS else cell_key(y[i], x[i])
            keys[i] = key << 8 | i
        sort_keys(keys, n)
        first = 0
        while first < n:
            end = first + 1
            while end < n and keys[end] >> 8 == (keys[end - 1] >> 8) + 1:
                end += 1
            if end - first > 1:
                seen = 0
                repeated = False
                for i in range(first, end):
                    sets[keys[i] & 255] += 1
                    colour = 1 << COLOUR_OF[tile[keys[i] & 255]]
                    repeated |= seen & colour != 0
                    seen |= colour
                lines[count, DIRECTION] = direction
                lines[count, FIRST] = first
                lines[count, LENGTH] = end - first
                if end - first < 3:
                    lines[count, KIND] = SHORT
                elif seen & (seen - 1) == 0:  # AAT-08 (b) one colour
                    lines[count, KIND] = RUN
                else:  # AAT-08 (a) all of different colours
                    lines[count, KIND] = MIXED if repeated else GROUP
                count += 1
            first = end
        for i in range(n):
            keys[i] &= 255
    return count


@rule
def faces(n: int, tile: Any, can_be: Any) -> None:
    """AAT-09: what each tile can be by itself: its number, or a star any number."""
    for i in range(n):
        face = FACE_OF[tile[i]]
        can_be[i] = ALL if face == STAR else 1 << face


@rule
def narrow(line: Any, order: Any, can_be: Any) -> int:
    """AAT-08: keep what each tile of a line can be in one of its readings: 0 none, 1 nothing changed, 2 it did."""
    tiles = order[line[DIRECTION]]
    first, length = line[FIRST], line[LENGTH]
    rising = falling = equal = ALL  # the numbers that the first tile can be in each way of reading
    for i in range(length):
        mask = can_be[tiles[first + i]]
        rising &= mask >> i
        falling &= mask << i
        equal &= mask
    if line[KIND] == GROUP:
        rising = falling = 0
    else:
        equal = 0
    if rising | falling | equal == 0:
        return 0
    changed = 1
    for i in range(length):
        at = tiles[first + i]
        mask = can_be[at] & (rising << i | falling >> i | equal)
        if mask != can_be[at]:
            can_be[at] = mask
            changed = 2
    return changed


@rule
def settle(count: int, lines: Any, order: Any, can_be: Any) -> bool:
    """Narrow all lines that can be sets until nothing changes; False when one has no reading left."""
    again = True
    while again:
        again = False
        for i in range(count):
            if lines[i, KIND] >= RUN:
                found = narrow(lines[i], order, can_be)
                if found == 0:
                    return False
                again |= found == 2
    return True


@rule
def undecided(n: int, can_be: Any) -> int:
    """A tile that can still be several numbers, or -1."""
    for i in range(n):
        if can_be[i] & (can_be[i] - 1) != 0:
            return i
    return -1


@rule
def search(n: int, count: int, lines: Any, order: Any, can_be: Any) -> bool:
    """AAT-09: decide the stars one by one, the lowest number first; False when no way makes every line a set."""
    saved = np.empty((ALL_STARS, TILES), np.int64)
    chosen = np.empty(ALL_STARS, np.int64)
    depth = 0
    star = undecided(n, can_be)
    while star >= 0:
        chosen[depth] = star
        for i in range(n):
            saved[depth, i] = can_be[i]
        depth += 1
        can_be[star] &= -can_be[star]
        while not settle(count, lines, order, can_be):
            if depth == 0:
                return False
            depth -= 1  # the last star decided is not that number
            for i in range(n):
                can_be[i] = saved[depth, i]
            can_be[chosen[depth]] &= can_be[chosen[depth]] - 1
        star = undecided(n, can_be)
    return True


@rule
def agree(n: int, tile: Any, count: int, lines: Any, order: Any, can_be: Any) -> bool:
    """AAT-09: whether some numbers for the stars make every line a set; `can_be` then holds such numbers."""
    faces(n, tile, can_be)
    if not settle(count, lines, order, can_be):
        return False
    if undecided(n, can_be) < 0:
        return True
    return search(n, count, lines, order, can_be)


@no_inline
def valid(n: int, tile: Any, x: Any, y: Any) -> bool:
    """AAT-07 to AAT-09: whether the layout is one that a turn may end with."""
    order = np.empty((2, TILES), np.int64)
    lines = np.empty((LINES, 4), np.int64)
    sets = np.empty(TILES, np.int64)
    count = read_lines(n, tile, x, y, order, lines, sets)
    for i in range(count):
        if lines[i, KIND] < RUN:
            return False
    for i in range(n):
        if sets[i] == 0:
            return False
    return agree(n, tile, count, lines, order, sets)


@rule
def meanings(n: int, tile: Any, x: Any, y: Any, masks: Any) -> bool:
    """AAT-09: write the numbers that each tile can act as while all others find theirs; whether the layout is valid.

    Lines that are no sets whatever the stars are do not count; where the rest cannot agree, a star has no number.
    """
    order = np.empty((2, TILES), np.int64)
    lines = np.empty((LINES, 4), np.int64)
    can_be = np.empty(TILES, np.int64)
    count = read_lines(n, tile, x, y, order, lines, can_be)
    sound = True
    for i in range(n):
        sound &= can_be[i] > 0
    for i in range(count):
        faces(n, tile, can_be)
        if lines[i, KIND] < RUN or narrow(lines[i], order, can_be) == 0:
            lines[i, KIND] = MIXED
            sound = False
    together = agree(n, tile, count, lines, order, can_be)
    for i in range(n):
        masks[i] = can_be[i] if together or FACE_OF[tile[i]] != STAR else 0
    if together:
        for i in range(n):
            for number in range(NUMBERS):
                if FACE_OF[tile[i]] == STAR and not masks[i] >> number & 1:
                    faces(n, tile, can_be)
                    can_be[i] = 1 << number
                    if settle(count, lines, order, can_be) and search(n, count, lines, order, can_be):
                        for other in range(n):
                            masks[other] |= can_be[other]
    return sound and together


@rule
def faults(n: int, tile: Any, x: Any, y: Any, out: Any) -> int:
    """Write everything that is wrong with a layout into `out`, each fault a row; how many there are.

    First the tiles alone, then line by line, across and then down, then the knots: lines that could be sets one by
    one but not together. Of a knot no line can be left out; lines of different knots are different.
    """
    order = np.empty((2, TILES), np.int64)
    lines = np.empty((LINES, 4), np.int64)
    can_be = np.empty(TILES, np.int64)
    count = read_lines(n, tile, x, y, order, lines, can_be)
    found = 0
    for i in range(n):  # AAT-07, in reading order
        at = order[ACROSS, i]
        if can_be[at] == 0:
            found = write_fault(out, found, LONE, ACROSS, x[at], y[at], 1, 0)
    for i in range(count):
        at = order[lines[i, DIRECTION], lines[i, FIRST]]
        code = wrong(n, tile, lines[i], order, can_be)
        if code:
            found = write_fault(out, found, code, lines[i, DIRECTION], x[at], y[at], lines[i, LENGTH], 0)
            lines[i, KIND] = MIXED
    knot = 0
    left_out = np.empty(LINES, np.int64)
    while not agree(n, tile, count, lines, order, can_be):  # AAT-09
        knot += 1
        for i in range(count):
            left_out[i] = lines[i, KIND]
        for i in range(count):  # leave out what is not needed for the knot
            lines[i, KIND] = MIXED
            if agree(n, tile, count, lines, order, can_be):
                lines[i, KIND] = left_out[i]
        for i in range(count):
            if lines[i, KIND] >= RUN:
                at = order[lines[i, DIRECTION], lines[i, FIRST]]
                found = write_fault(out, found, KNOTTED, lines[i, DIRECTION], x[at], y[at], lines[i, LENGTH], knot)
                lines[i, KIND] = MIXED
            else:
                lines[i, KIND] = left_out[i]
    return found


@rule
def write_fault(out: Any, found: int, code: int, direction: int, x: int, y: int, length: int, knot: int) -> int:
    """One row more; how many there are now."""
    out[found, 0] = code
    out[found, 1] = direction
    out[found, 2] = x
    out[found, 3] = y
    out[found, 4] = length
    out[found, 5] = knot
    return found + 1


@rule
def wrong(n: int, tile: Any, line: Any, order: Any, can_be: Any) -> int:
    """What is wrong with a line by itself, or 0."""
    if line[KIND] == SHORT:
        return TWO
    # What the numbers are, leaving out the stars: if they keep their order, a star has none from 1 to 8 left.
    tiles = order[line[DIRECTION]]
    rising = falling = equal = True
    number, place = -1, 0
    for i in range(line[LENGTH]):
        face = FACE_OF[tile[tiles[line[FIRST] + i]]]
        if face != STAR:
            if number >= 0:
                rising &= face - number == i - place
                falling &= number - face == i - place
                equal &= face == number
            number, place = face, i
    if line[KIND] == MIXED:
        return COLOUR_TWICE if equal else COLOURS_MIXED
    faces(n, tile, can_be)
    if narrow(line, order, can_be):
        return 0
    if line[KIND] == GROUP:
        return NOT_EQUAL
    return NO_NUMBER if rising or falling else NOT_IN_ORDER
