"""The plays of a rack on a table: whether there is one, which are good, and a few quickly.

First what leaves the table as it is (`inplace`), then what rebuilds it (`rearrange`). Everything is deterministic and
limited in steps, never in time: the same position has the same plays on every machine (COM-04).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule, scratch
from clew.games.aathenuo.inplace import (
    EDGE,
    NOWHERE,
    TRIAL,
    complete,
    fits,
    free_place,
    frontier,
    lay,
    set_desk,
    take_back,
)
from clew.games.aathenuo.layout import cell_key, sort_keys
from clew.games.aathenuo.rearrange import SALTS, TILINGS_IN_ALL, find_tilings, rebuild, rebuild_with, unfold
from clew.games.aathenuo.sets import ARRANGING, begin_arranging, read_table
from clew.games.aathenuo.tiles import FACES, KINDS, NUMBERS, STAR, TILES
from clew.games.aathenuo.tilings import UNIT

PLAYS = 30  # listed at most
SMALL = 20  # of them, small ones that leave the table as it is
LARGE = 6  # of them, rebuilt ones at least
FEW = 8  # in a quick list
STEPS = 200_000  # of the search in place; no position from a game comes near
FRONTIER = 4 * TILES
_trials, _arranging = scratch(3, TRIAL), scratch(1, ARRANGING, cleared=False)
WEIGHTS = (np.arange(1, KINDS + 1) * 0x9E3779B1 * 40503) & ((1 << 40) - 1)  # tell the tiles of plays no_inline


@no_inline
def can_play(s: Any, seat: int) -> bool:
    """AAT-06: whether the solver finds a play."""
    return _can_play_in_place(s, seat, _trials()) or _can_rebuild(s, seat, _trials(), _arranging())


@no_inline
def plays(s: Any, seat: int, out: Any) -> int:
    """Good and different plays, those with most tiles first; how many, 0 only if `can_play` says no."""
    return _plays(s, seat, out, _trials(), _arranging())


@no_inline
def quick(s: Any, seat: int, out: Any) -> int:
    """A few plays that leave the table as it is: perhaps none although there is one.

    Rebuilding takes ten times as long as all the rest of a playout's move.
    """
    return _quick(s, seat, out, _trials())


@rule
def _can_play_in_place(s: Any, seat: int, trials: Any) -> bool:
    d = trials[0]
    set_desk(d, int(s.tiles), s.tile, s.x, s.y, s.rack[seat])
    return play_in_place(d) or play_set(d, int(s.colours))


@rule
def _can_rebuild(s: Any, seat: int, trials: Any, arranging: Any) -> bool:
    d, b = trials[0], arranging[0]
    begin_arranging(b)
    colours = int(s.colours)
    set_desk(d, int(s.tiles), s.tile, s.x, s.y, s.rack[seat])
    lift(d, b)
    if not find_tilings(b, colours, UNIT, 0):
        return False
    if rebuild(d, b, colours, TILINGS_IN_ALL, 0, SALTS) > 0:
        return True
    for kind in range(KINDS):
        if d.rack[kind] > 0 and rebuild_with(d, b, colours, kind):
            return True
    return False


@rule
def _plays(s: Any, seat: int, out: Any, trials: Any, arranging: Any) -> int:
    d, top, new, b = trials[0], trials[1], trials[2], arranging[0]
    begin_arranging(b)
    colours, base = int(s.colours), int(s.tiles)
    set_desk(d, base, s.tile, s.x, s.y, s.rack[seat])
    set_desk(top, base, s.tile, s.x, s.y, s.rack[seat])
    known = np.zeros(PLAYS, np.int64)
    count = small_plays(d, colours, out, known, SMALL)
    most = best = 0
    for i in range(count):  # each of them played on as far as it goes
        if count < PLAYS - LARGE:
            replay(d, out[i])
            play_on(d, colours)
            if d.count - base > most:
                most, best = d.count - base, i
            count += listed(d, base, out, known, count)
    lift(d, b)
    if find_tilings(b, colours, UNIT, most * UNIT):
        if rebuild(d, b, colours, TILINGS_IN_ALL, 0, SALTS) > 0 and anew(d, new, b):
            become(top, new)
        elif most > 0:
            replay(top, out[best])
        grow(top, new, b, colours)
        if top.count > base:
            count += listed_anew(d, top, out, known, count)
    for kind in range(KINDS):  # tiles that were in no play yet
        if d.rack[kind] > 0 and count < PLAYS and count > 0 and not in_a_play(out, count, kind):
            lift(d, b)
            if rebuild_with(d, b, colours, kind) and anew(d, new, b):
                count += listed_anew(d, new, out, known, count)
    best_first(out, count)
    return count


@rule
def _quick(s: Any, seat: int, out: Any, trials: Any) -> int:
    d = trials[0]
    colours, base = int(s.colours), int(s.tiles)
    set_desk(d, base, s.tile, s.x, s.y, s.rack[seat])
    known = np.zeros(PLAYS, np.int64)
    count = small_plays(d, colours, out, known, FEW)
    if count == 0:
        return 0
    replay(d, out[0])
    play_on(d, colours)
    return count + listed(d, base, out, known, count)


# Without moving a tile


@rule
def play_in_place(d: Any) -> bool:
    """Lay tiles beside the table so that it is valid again; False if no play does."""
    base = d.count
    cells = np.empty((FRONTIER, 2), np.int64)
    for i in range(frontier(d, cells)):
        for kind in range(KINDS):
            if d.rack[kind] > 0 and begin(d, kind, cells[i, 0], cells[i, 1], base):
                return True
    return False


@rule
def begin(d: Any, kind: int, x: int, y: int, base: int) -> bool:
    """Lay a tile and what must follow; False, with the trial as before, if that cannot be."""
    lay(d, kind, x, y)
    if fits(d, x, y) and complete(d, base, STEPS):
        return True
    take_back(d)
    return False


@rule
def has(d: Any, colour: int, number: int) -> int:
    """What the rack has for a number: the tile itself, or a star, or -1."""
    for face in (number, STAR):
        if d.rack[colour * FACES + face] > 0:
            return colour * FACES + face
    return -1


@rule
def lay_run(d: Any, colour: int, first: int, length: int) -> bool:
    """Lay a run from the rack alone, away from the table; False if the rack has it not."""
    missing = 0
    for number in range(first, first + length):
        missing += d.rack[colour * FACES + number] == 0
    if missing > d.rack[colour * FACES + STAR] or missing == length:
        return False
    x, y = free_place(d, length, 1)
    if x == NOWHERE:
        return False
    for number in range(first, first + length):
        lay(d, has(d, colour, number), x + number - first, y)
    return True


@rule
def lay_group(d: Any, colours: int, number: int, chosen: int) -> bool:
    """Lay a group from the rack alone, of the colours whose bits are set; False if the rack has it not."""
    length = stars = 0
    for colour in range(colours):
        if (chosen >> colour) & 1:
            kind = has(d, colour, number)
            if kind < 0:
                return False
            stars += kind % FACES == STAR
            length += 1
    if length < 3 or stars == length:
        return False
    x, y = free_place(d, length, 1)
    if x == NOWHERE:
        return False
    for colour in range(colours):
        if (chosen >> colour) & 1:
            lay(d, has(d, colour, number), x, y)
            x += 1
    return True


@rule
def play_set(d: Any, colours: int) -> bool:
    """Lay a set from the rack alone, a long one if there is; False if the rack has none."""
    for length in range(NUMBERS, 2, -1):
        for colour in range(colours):
            for first in range(NUMBERS - length + 1):
                if lay_run(d, colour, first, length):
                    return True
    for chosen in range((1 << colours) - 1, 0, -1):
        for number in range(NUMBERS):
            if lay_group(d, colours, number, chosen):
                return True
    return all_stars(d, colours)


@rule
def all_stars(d: Any, colours: int) -> bool:
    """Lay three stars: of one colour or of three; False if the rack has them not."""
    different = 0
    for colour in range(colours):
        stars = d.rack[colour * FACES + STAR]
        different += stars > 0
        if stars >= 3:
            return lay_stars(d, colour, colour, 3)
    return different >= 3 and lay_stars(d, 0, colours - 1, 1)


@rule
def lay_stars(d: Any, first: int, last: int, most: int) -> bool:
    """Lay three stars of these colours in a row, at most so many of each."""
    x, y = free_place(d, 3, 1)
    left = 3
    for colour in range(first, last + 1):
        for _ in range(min(most, d.rack[colour * FACES + STAR])):
            if left > 0 and x != NOWHERE:
                lay(d, colour * FACES + STAR, x, y)
                x += 1
                left -= 1
    return left == 0


@no_inline
def play_on(d: Any, colours: int) -> None:
    """Lay more and more tiles, as far as it goes without moving any."""
    while play_in_place(d) or play_set(d, colours):
        pass


# The list


@no_inline
def small_plays(d: Any, colours: int, out: Any, known: Any, most: int) -> int:
    """List plays without a tile too many, each beside the table or no_inline from it."""
    base = d.count
    count = 0
    cells = np.empty((FRONTIER, 2), np.int64)
    beside = frontier(d, cells)
    for kind in range(KINDS):
        for i in range(beside if d.rack[kind] > 0 else 0):
            if count < most and begin(d, kind, cells[i, 0], cells[i, 1], base):
                count += listed(d, base, out, known, count)
    for colour in range(colours):
        for first in range(NUMBERS - 2):
            for length in range(3, NUMBERS - first + 1):
                if count < most and lay_run(d, colour, first, length):
                    count += listed(d, base, out, known, count)
    for number in range(NUMBERS):
        for chosen in range(7, 1 << colours):
            if count < most and lay_group(d, colours, number, chosen):
                count += listed(d, base, out, known, count)
    if count == 0 and all_stars(d, colours):
        count += listed(d, base, out, known, count)
    return count


# By rebuilding the table


@no_inline
def lift(d: Any, b: Any) -> None:
    """Read the table, and put its tiles and those of the rack into the arrangement."""
    read_table(d, b)
    for kind in range(KINDS):
        b.have[kind] = 0
        b.may[kind] = d.rack[kind]
    for i in range(d.count):
        b.have[d.tile[i]] += 1


@rule
def anew(d: Any, new: Any, b: Any) -> int:
    """Lay the table as it is arranged on an empty trial; False if there is no room."""
    while new.count > 0:
        take_back(new)
    return unfold(new, d, b)


@rule
def become(top: Any, new: Any) -> None:
    """Lay another table on a trial, with what it needs from the rack."""
    while top.count > 0:
        take_back(top)
    for i in range(new.count):
        lay(top, new.tile[i], new.x[i], new.y[i])


@no_inline
def grow(top: Any, new: Any, b: Any, colours: int) -> None:
    """Lay more and more tiles, as far as it goes one kind after the other."""
    again = True
    while again:
        play_on(top, colours)
        again = False
        lift(top, b)
        if find_tilings(b, colours, UNIT, 0):
            for kind in range(KINDS):
                if not again and top.rack[kind] > 0 and rebuild_with(top, b, colours, kind) and anew(top, new, b):
                    become(top, new)
                    again = True


# The list


@rule
def replay(d: Any, move: Any) -> None:
    """Lay the tiles of a listed play that moves none."""
    for i in range(move.placed):
        lay(d, int(move.tile[i]), int(move.x[i]), int(move.y[i]))


@rule
def listed(d: Any, base: int, out: Any, known: Any, count: int) -> int:
    """List the tiles laid since `base`, unless a play with the same tiles is there, and take them back; 1 or 0."""
    mark = 0
    for i in range(base, d.count):
        mark += WEIGHTS[d.tile[i]]
    new = is_new(known, count, mark)
    if new:
        write_laid(d, base, out[count])
    while d.count > base:
        take_back(d)
    return new


@rule
def listed_anew(d: Any, new: Any, out: Any, known: Any, count: int) -> int:
    """List the play that makes another table of this one, unless one with the same tiles is there; 1 or 0."""
    mark = 0
    for i in range(d.count):
        mark -= WEIGHTS[d.tile[i]]
    for i in range(new.count):
        mark += WEIGHTS[new.tile[i]]
    if not is_new(known, count, mark):
        return 0
    write_rebuilt(d, new, out[count])
    return 1


@rule
def is_new(known: Any, count: int, mark: int) -> int:
    """Whether no play with these tiles was listed; notes that there is one now."""
    for i in range(count):
        if known[i] == mark:
            return 0
    known[count] = mark
    return 1


@rule
def clear(move: Any) -> None:
    """An empty move."""
    move.action = move.placed = move.moved = 0
    for i in range(TILES):
        move.tile[i] = move.x[i] = move.y[i] = move.from_x[i] = move.from_y[i] = 0


@rule
def write_laid(d: Any, base: int, move: Any) -> None:
    """Write the tiles laid since `base`, in reading order."""
    order = np.zeros(TILES, np.int64)
    count = d.count - base
    for i in range(count):
        order[i] = cell_key(d.x[base + i], d.y[base + i]) << 8 | base + i
    sort_keys(order, count)
    clear(move)
    move.placed = count
    for i in range(count):
        k = order[i] & 255
        move.tile[i], move.x[i], move.y[i] = d.tile[k], d.x[k], d.y[k]


@rule
def difference(one: Any, other: Any, order: Any) -> int:
    """The tiles of one table that do not lie in the other, in reading order, each in the last 8 bits; how many."""
    count = 0
    for i in range(one.count):
        if other.cloth[one.x[i] + EDGE, one.y[i] + EDGE] != one.tile[i] + 1:
            order[count] = cell_key(one.x[i], one.y[i]) << 8 | i
            count += 1
    sort_keys(order, count)
    return count


@rule
def write_rebuilt(old: Any, new: Any, move: Any) -> None:
    """Write what makes one table of another: tiles from the rack, then tiles moved, in reading order."""
    comes, goes = np.zeros(TILES, np.int64), np.zeros(TILES, np.int64)
    taken = np.zeros(TILES, np.int64)
    arriving, leaving = difference(new, old, comes), difference(old, new, goes)
    clear(move)
    move.placed, move.moved = arriving - leaving, leaving
    for j in range(leaving):
        i = goes[j] & 255
        k = 0
        while taken[k] or new.tile[comes[k] & 255] != old.tile[i]:
            k += 1
        taken[k] = 1
        at = move.placed + j
        move.from_x[at], move.from_y[at] = old.x[i], old.y[i]
        move.x[at], move.y[at] = new.x[comes[k] & 255], new.y[comes[k] & 255]
    at = 0
    for k in range(arriving):
        if not taken[k]:
            i = comes[k] & 255
            move.tile[at], move.x[at], move.y[at] = new.tile[i], new.x[i], new.y[i]
            at += 1


@rule
def in_a_play(out: Any, count: int, kind: int) -> bool:
    """Whether a listed play lays a tile of this kind."""
    for i in range(count):
        for k in range(out[i].placed):
            if out[i].tile[k] == kind:
                return True
    return False


@rule
def best_first(out: Any, count: int) -> None:
    """Sort the list: most tiles laid, then fewest moved; out[PLAYS] is room to do so."""
    for i in range(1, count):
        j = i
        while j > 0 and (
            out[j].placed > out[j - 1].placed
            or (out[j].placed == out[j - 1].placed and out[j].moved < out[j - 1].moved)
        ):
            out[PLAYS] = out[j]
            out[j] = out[j - 1]
            out[j - 1] = out[PLAYS]
            j -= 1
