"""Plays that rebuild the table: some of its grids are lifted, arranged anew with tiles of the rack, and laid again.

Covers are tried until one can be laid: with other prices for crossings, then with crossings so dear that a tile of the
rack is rather left out. What is laid goes where most of it lay before, so that people recognise their table.
"""

from __future__ import annotations

import numpy as np

from clew.core import apart, rule
from clew.games.aathenuo import embed
from clew.games.aathenuo.cover import CELLS, LAID, SPENT, UNIT, cover
from clew.games.aathenuo.inplace import EDGE, NOWHERE, free_place, put
from clew.games.aathenuo.tiles import FACES, FARTHEST, KINDS, NUMBERS, STAR, TILES

PRICE = 4  # of a crossing: far less than a tile
DEAR = (UNIT // 3, 2 * UNIT // 3, 2 * UNIT)  # the last leaves as few crossings as there must be
TRIES = 60  # covers at one price
SALTS = 16  # ways to deal out the crossings of a cover
RACKS = 64  # racks with tiles left out that are tried
BEAM, NARROW = 1500, 100  # states of a step that are kept
ANY = -1000  # `need` that forbids nothing


@rule
def find_grids(d, grid):
    """Number the grids of the table in the order of their first tiles; how many there are."""
    n = d.count
    queue = np.empty(TILES, np.int64)
    for i in range(n):
        grid[i] = -1
    count = 0
    for first in range(n):
        if grid[first] < 0:
            grid[first] = count
            queue[0] = first
            head, tail = 0, 1
            while head < tail:
                i = queue[head]
                head += 1
                for j in range(n):
                    if grid[j] < 0 and abs(d.x[i] - d.x[j]) + abs(d.y[i] - d.y[j]) == 1:
                        grid[j] = count
                        queue[tail] = j
                        tail += 1
            count += 1
    return count


@rule
def _set_prices(b, price, attempt):
    """Crossings at this price, and what was learned from failures; then by whims that tell the attempts apart."""
    for cell in range(CELLS):
        learned = (b.prices[cell] - price) // 2 if attempt > 0 else 0
        b.prices[cell] = price + learned + (embed.noise(attempt, cell) & 7)
        whim = embed.noise(attempt, CELLS + cell) if attempt % 2 else 0
        b.run_prices[cell], b.group_prices[cell], b.star_prices[cell] = whim & 7, (whim >> 3) & 7, (whim >> 6) * 3


@rule
def _lay_some(b, colours, price, need):
    """The best cover that can be laid with crossings at this price, if it has `need` tiles; how many tiles, 0 for none.

    Where a cover cannot be laid, its crossings in that place become dearer, and the next cover is another one.
    """
    for attempt in range(TRIES):
        _set_prices(b, price, attempt)
        found = cover(b, colours, need, BEAM)
        if found < max(need, 1) and attempt == 0:
            return 0
        for salt in range(SALTS if found >= max(need, 1) else 0):
            if lay_all(b, colours, salt):
                return found
    return 0


@apart
def arrange(b, colours, need):
    """Sets and places for all of b.have and most of b.may: grids on the bench; how many tiles of the rack, 0 for none.

    First all the rack may be laid; where the covers found cannot be, tiles are left out, one after the other, the rack
    that promises most first.
    """
    racks, hopes = np.zeros((RACKS, KINDS), np.int64), np.zeros(RACKS, np.int64)
    used = np.zeros(KINDS, np.int64)
    _set_prices(b, PRICE, 0)
    hopes[0] = cover(b, colours, need, BEAM)
    for kind in range(KINDS):
        racks[0, kind] = b.may[kind]
    known = 1
    fallback = fallback_price = 0
    while True:
        best = 0
        for i in range(1, known):
            if hopes[i] > hopes[best]:
                best = i
        hope = hopes[best]
        if hope <= fallback or hope < need:
            break
        hopes[best] = 0
        for kind in range(KINDS):
            b.may[kind] = racks[best, kind]
        if _lay_some(b, colours, PRICE, hope) > 0:
            return hope
        for price in DEAR:  # something to fall back on: with few crossings
            if best == 0:
                found = _lay_some(b, colours, price, ANY)
                if found > fallback and found >= need:
                    fallback, fallback_price = found, price
        _set_prices(b, PRICE, 0)
        cover(b, colours, hope, BEAM)
        _tally(b, colours, used)
        for kind in range(KINDS):
            if used[kind] > 0 and known < RACKS:
                for other in range(KINDS):
                    racks[known, other] = b.may[other]
                racks[known, kind] = used[kind] - 1
                if _is_new(racks, known):
                    b.may[kind] = used[kind] - 1
                    hopes[known] = cover(b, colours, max(need, fallback + 1), BEAM)
                    b.may[kind] = racks[best, kind]
                    known += 1
    if fallback > 0:
        for kind in range(KINDS):
            b.may[kind] = racks[0, kind]
        _lay_some(b, colours, fallback_price, ANY)
    return fallback


@rule
def arrange_quickly(b, colours):
    """The same with one cover only."""
    _set_prices(b, PRICE, 0)
    found = cover(b, colours, 1, NARROW)
    for salt in range(2):
        if found > 0 and lay_all(b, colours, salt):
            return found
    return 0


@rule
def _tally(b, colours, used):
    """The tiles of the rack that a cover lays, by kind."""
    for colour in range(colours):
        used[colour * FACES + STAR] = -b.have[colour * FACES + STAR]
        for number in range(NUMBERS):
            used[colour * FACES + number] = b.choice[colour * NUMBERS + number, LAID]
            used[colour * FACES + STAR] += b.choice[colour * NUMBERS + number, SPENT]


@rule
def _is_new(racks, last):
    """Whether the last rack equals none before it."""
    for i in range(last):
        same = True
        for kind in range(KINDS):
            same &= racks[i, kind] == racks[last, kind]
        if same:
            return False
    return True


@apart
def lay_all(b, colours, salt):
    """Give every tile of the cover a place, grid by grid; where it fails, crossings become dearer."""
    if not embed.realise(b, colours, salt):
        for cell in range(CELLS):
            b.prices[cell] += embed.noise(salt + 1, cell) & 3
        return False
    for grid in range(b.sets):
        if b.set_grid[grid] == grid and not embed.lay(b, grid):
            for i in range(b.tiles if salt < 4 else 0):
                if b.tile_two[i] != embed.NONE and embed.root(b, b.tile_one[i])[0] == grid:
                    b.prices[b.tile_cell[i]] += 1 + (embed.noise(salt + 1, i) & 3)
            return False
    return True


# Back to the table


@rule
def turned(way, x, y):
    """A cell in one of the eight ways to turn and mirror a grid."""
    if way & 4:
        x, y = y, x
    return (-x if way & 1 else x), (-y if way & 2 else y)


@rule
def members(b, root, ids):
    """The tiles of the grid that a set stands for; how many."""
    count = 0
    for i in range(b.tiles):
        if embed.root(b, b.tile_one[i])[0] == root:
            ids[count] = i
            count += 1
    return count


@rule
def free_at(d, b, ids, count, way, dx, dy):
    """Whether a grid can lie there, touching nothing."""
    for k in range(count):
        x, y = turned(way, b.tile_x[ids[k]], b.tile_y[ids[k]])
        x, y = x + dx, y + dy
        if not (-FARTHEST <= x <= FARTHEST and -FARTHEST <= y <= FARTHEST):
            return False
        x, y = x + EDGE, y + EDGE
        if d.cloth[x, y] or d.cloth[x - 1, y] or d.cloth[x + 1, y] or d.cloth[x, y - 1] or d.cloth[x, y + 1]:
            return False
    return True


@rule
def familiar(d, old, b, ids, count, spot):
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
                    if abs(at_x) <= FARTHEST and abs(at_y) <= FARTHEST:
                        same += old.cloth[at_x + EDGE, at_y + EDGE] == embed.kind_of(b, ids[m]) + 1
                if same > best and free_at(d, b, ids, count, way, dx, dy):
                    best = same
                    spot[0], spot[1], spot[2] = way, dx, dy
    return best


@apart
def unfold(d, old, b):
    """Lay the grids of the bench on the desk, where most of their tiles lay before; False when there is no room."""
    ids, spot = np.empty(TILES, np.int64), np.zeros(3, np.int64)
    for familiar_first in (True, False):
        for i in range(b.tiles):
            if not b.tile_laid[i]:
                continue
            count = members(b, embed.root(b, b.tile_one[i])[0], ids)
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
def extent(b, ids, count):
    """The left, right, top and bottom of a grid on the bench."""
    left, right, top, bottom = embed.SIDE, 0, embed.SIDE, 0
    for k in range(count):
        left, right = min(left, b.tile_x[ids[k]]), max(right, b.tile_x[ids[k]])
        top, bottom = min(top, b.tile_y[ids[k]]), max(bottom, b.tile_y[ids[k]])
    return left, right, top, bottom
