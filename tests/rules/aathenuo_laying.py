"""How sets that cross each other can lie on a table: every way, without any of the game's own code."""

import itertools
import time
from collections import Counter
from functools import cache

from aathenuo_oracle import STAR, is_part_of_a_set, lines

APART = 100  # the cells from one grid to the next
FOREVER = float("inf")


class Undecided(Exception):
    """The time was over before a search came to its end."""


def components(sets, tiles):
    """The sets in parts that have no value with crossings in common, each part with the crossings of each value.

    They can be laid one by one: two tiles that touch are in one line, and that crosses the other sets of both, so that
    in a layout two parts touch only where a run was cut in two, and those lie as well apart.
    """
    members = Counter(value for values in sets for value in values)
    crossings = {value: members[value] - tiles[value] for value in members if members[value] > tiles[value]}
    parts = []
    for values in sets:
        met = [part for part in parts if any(v in crossings and any(v in other for other in part) for v in values)]
        parts = [part for part in parts if part not in met] + [[values, *itertools.chain(*met)]]
    found = []
    for part in parts:
        held = {value for values in part for value in values if value in crossings}
        found.append((tuple(sorted(part)), tuple(sorted((value, crossings[value]) for value in held))))
    return found


def least_failing(sets, crossings, until=FOREVER):
    """As few crossings as cannot be made in any layout, and the sets that hold their values."""
    for value, _ in crossings:
        while value in dict(crossings):
            fewer = tuple((v, count - (v == value)) for v, count in crossings if v != value or count > 1)
            some = tuple(members for members in sets if any(v in members for v, _ in fewer))
            if can_lie(*alike_sets(some, fewer), False, until):
                break
            sets, crossings = some, fewer
    return sets, crossings


def images_of_sets(sets, crossings, colours):
    """Sets and crossings with the colours exchanged, and the numbers counted downwards or not, in all ways."""
    found = set()
    for names in itertools.permutations(range(colours)):
        for mirrored in (False, True):
            image = {(c, n): (names[c], STAR - 1 - n if mirrored else n) for c in range(colours) for n in range(STAR)}
            some = tuple(sorted(tuple(sorted(image[value] for value in members)) for members in sets))
            found.add((some, tuple(sorted((image[value], count) for value, count in crossings))))
    return sorted(found)


def alike_sets(sets, crossings):
    """The same sets and crossings, up to the names of the colours and to counting downwards instead of upwards."""
    used = sorted({colour for members in sets for colour, _ in members})
    sets = [[(used.index(c), n) for c, n in members] for members in sets]
    crossings = [((used.index(c), n), count) for (c, n), count in crossings]
    return images_of_sets(sets, crossings, len(used))[0]


_known = {}


def can_lie(sets, crossings, alone, until=FOREVER):
    """Whether sets can be laid with these crossings; an answer is kept, for the same parts come again and again."""
    if (sets, crossings, alone) not in _known:
        _known[sets, crossings, alone] = Laying(sets, crossings, alone, until).search() is not None
    return _known[sets, crossings, alone]


class Laying:
    """Every choice of the sets that cross, so many at each value, until one can be laid.

    `alone`: as a valid layout of its own, with these crossings only. Otherwise as a part of any layout: its lines may
    be parts of sets, and there may be more crossings.
    """

    def __init__(self, sets, crossings, alone, until=FOREVER):
        self.sets, self.alone, self.until = sets, alone, until
        self.values = [value for value, count in crossings for _ in range(count)]
        self.possible = {}  # whether a grid with some crossings can be part of a layout

    def search(self):
        """The values by their cells, or None."""
        return self.cross([])

    def cross(self, made):
        """Choose two sets for the next crossing, those of one value in order, rather of two grids than of one."""
        if len(made) == len(self.values):
            return self.lay(made)
        value = self.values[len(made)]
        before = [pair for pair, v in made if v == value]
        free = [i for i, members in enumerate(self.sets) if value in members and not any(i in pair for pair in before)]
        pairs = [pair for pair in itertools.combinations(free, 2) if not before or pair > before[-1]]
        grid_of = {i: k for k, grid in enumerate(self.grids(made)) for i in grid}
        for pair in sorted(pairs, key=lambda pair: grid_of[pair[0]] == grid_of[pair[1]]):
            if any(pair == other for other, _ in made) or self.has_a_double(pair, made):
                continue
            grown = [*made, (pair, value)]
            found = self.cross(grown) if self.is_possible(pair[0], grown) else None
            if found is not None:
                return found
        return None

    def has_a_double(self, pair, made):
        """Whether an equal set that comes earlier would do as well, as neither crosses anything yet."""
        crossed = {i for other, _ in made for i in other}
        unused = [i for i in range(max(pair)) if i not in crossed and i not in pair]
        return any(i not in crossed and any(j < i and self.sets[j] == self.sets[i] for j in unused) for i in pair)

    def grids(self, made):
        """The sets that hang together."""
        grids = [{i} for i in range(len(self.sets))]
        for pair, _ in made:
            joined = [grid for grid in grids if not grid.isdisjoint(pair)]
            grids = [grid for grid in grids if grid not in joined] + [set().union(*joined)]
        return grids

    def is_possible(self, one, made):
        """Whether the grid with this set can be part of a layout."""
        grid = next(grid for grid in self.grids(made) if one in grid)
        inside = frozenset((pair, value) for pair, value in made if pair[0] in grid)
        if inside not in self.possible:
            self.possible[inside] = Grid(self.sets, grid, inside, False, self.until).search() is not None
        return self.possible[inside]

    def lay(self, made):
        layout = {}
        for grid in self.grids(made):
            inside = [(pair, value) for pair, value in made if pair[0] in grid]
            cells = Grid(self.sets, grid, inside, self.alone, self.until).search()
            if cells is None:
                return None
            layout |= {(x, y + APART * min(grid)): value for (x, y), value in cells.items()}
        return layout


class Grid:
    """Every way to lay sets of which it is known which ones cross, and where; those in circles come first."""

    def __init__(self, sets, grid, crossings, alone, until):
        self.sets, self.alone, self.until = sets, alone, until
        self.crossed = {i: {} for i in grid}  # by the other set, the value
        for (one, other), value in crossings:
            self.crossed[one][other] = self.crossed[other][one] = value
        circles = set(grid)
        while ends := [i for i in circles if len(self.crossed[i].keys() & circles) < 2]:
            circles.difference_update(ends)
        self.order = [max(sorted(grid), key=lambda i: (i in circles, len(self.crossed[i])))]
        self.down = {self.order[0]: 0}
        while len(self.order) < len(grid):
            ready = {i: len(self.crossed[i].keys() & self.down) for i in sorted(grid) if i not in self.down}
            nearest = max((i for i in ready if ready[i]), key=lambda i: (i in circles, ready[i], -len(sets[i])))
            self.down[nearest] = 1 - next(self.down[j] for j in self.crossed[nearest] if j in self.down)
            self.order.append(nearest)
        self.cells = {}  # the value, the set across and the set down
        self.cell_of = {}  # by the set, then by the value

    def search(self):
        """The values by their cells, or None."""
        if any(self.down[i] == self.down[j] for i in self.order for j in self.crossed[i]):
            return None
        return {cell: held[0] for cell, held in self.cells.items()} if self.lay(0) else None

    def lay(self, done):
        """Lay the rest of the sets in all ways, the first one not in the mirror too."""
        if done == len(self.order):
            return not self.alone or all(len(line) != 2 for line in lines(self.cells))
        if time.monotonic() > self.until:
            raise Undecided
        one = self.order[done]
        return any(self.tried(one, way, done) for way in ways(self.sets[one]) if done or way < way[::-1])

    def tried(self, one, way, done):
        """Lay a set this way where it must lie, and go on; take it up again if that leads nowhere."""
        down = self.down[one]
        spots = self.spots(one, way)
        if not spots:
            return False
        before = [self.cells.get(spot) for spot in spots]
        if not all(old is None or self.may_cross(one, value, old) for value, old in zip(way, before, strict=True)):
            return False
        for spot, value, old in zip(spots, way, before, strict=True):
            _, *held = old or (value, None, None)
            held[down] = one
            self.cells[spot] = (value, *held)
        self.cell_of[one] = dict(zip(way, spots, strict=True))
        fits = self.fits(spots[0], down) and all(self.fits(spot, 1 - down) for spot in spots)
        if fits and self.lay(done + 1):
            return True
        del self.cell_of[one]
        for spot, old in zip(spots, before, strict=True):
            if old is None:
                del self.cells[spot]
            else:
                self.cells[spot] = old
        return False

    def spots(self, one, way):
        """The cells of a set, none if it cannot cross all that lie there already."""
        lying = [(value, self.cell_of[j]) for j, value in self.crossed[one].items() if j in self.cell_of]
        fixed = [(way.index(value), cell_of[value]) for value, cell_of in lying]
        dx, dy = (0, 1) if self.down[one] else (1, 0)
        at, (x, y) = fixed[0] if fixed else (0, (0, 0))
        spots = [(x + (i - at) * dx, y + (i - at) * dy) for i in range(len(way))]
        return spots if all(spots[i] == cell for i, cell in fixed) else []

    def may_cross(self, one, value, old):
        """Whether a set may lie with this value on a cell where something lies."""
        there, *held = old
        other = held[1 - self.down[one]]
        return (
            there == value
            and held[self.down[one]] is None
            and (not self.alone or self.crossed[one].get(other) == value)
        )

    def fits(self, cell, down):
        """Whether the line through a cell can be part of a set."""
        dx, dy = (0, 1) if down else (1, 0)
        x, y = cell
        while (x - dx, y - dy) in self.cells:
            x, y = x - dx, y - dy
        line = []
        while (x, y) in self.cells:
            line.append(self.cells[x, y][0])
            x, y = x + dx, y + dy
        return is_part_of_a_set(range(len(line)), line)


@cache
def ways(members):
    """The orders in which a set can lie."""
    is_run = members[0][0] == members[1][0]
    return [members, members[::-1]] if is_run else list(itertools.permutations(members))
