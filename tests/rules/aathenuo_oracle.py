"""How many tiles of a rack can be played at all: two exact answers that share nothing with the game's own code.

A kind of tile is colour * 9 + number - 1, or colour * 9 + 8 for a star.

`best_exhaustive` tries every layout, for nine tiles or fewer. `longer_layout` is for larger tables: an integer model
says which tiles can make up which sets, crossings included, and a search lays the sets that it chooses.
"""

import itertools
from collections import Counter
from functools import cache

FACES, STAR = 9, 8
SHORTEST, LONGEST = 3, 5  # of a set in the model: longer ones are two that do not touch
APART = 100  # the cells from one grid to the next


# One layout, and random ones


def valid(layout):
    """Whether the tiles, given by their cells, lie as they may."""
    rows = [line for line in lines(layout) if len(line) > 1]
    if any(len(line) < SHORTEST for line in rows) or {cell for line in rows for cell in line} != set(layout):
        return False
    stars = [cell for cell in layout if layout[cell] % FACES == STAR]
    for numbers in itertools.product(range(STAR), repeat=len(stars)):
        values = {cell: divmod(layout[cell], FACES) for cell in layout}
        values |= {cell: (values[cell][0], number) for cell, number in zip(stars, numbers, strict=True)}
        if all(is_part_of_a_set(range(len(line)), [values[cell] for cell in line]) for line in rows):
            return True
    return False


def random_set(dice, colours, tile=None):
    """The kinds of a set in order, one of them the given tile, most of three; one may be a star."""
    colour, number = divmod(dice.randrange(colours) * FACES + dice.randrange(STAR) if tile is None else tile, FACES)
    length = dice.choice([3, 3, 3, 4, 5])
    if number == STAR:
        number = dice.randrange(STAR)
    if dice.random() < 0.5:
        start = dice.randrange(max(0, number - length + 1), min(number, STAR - length) + 1)
        values = [(colour, n) for n in range(start, start + length)][:: dice.choice([1, -1])]
    else:
        others = dice.sample([c for c in range(colours) if c != colour], min(length, colours) - 1)
        values = [(c, number) for c in [colour, *others]]
        dice.shuffle(values)
    at = values.index((colour, number))
    kinds = [c * FACES + n for c, n in values]
    if dice.random() < 0.25:
        i = dice.randrange(len(kinds))
        kinds[i] = kinds[i] // FACES * FACES + STAR
    if tile is not None:
        kinds[at] = tile
    return kinds, at


def random_layout(dice, size, colours, copies=3, stars=1):
    """A valid layout of so many tiles or a few less, grown set by set: across tiles that lie there, or apart."""
    layout = {}
    for _ in range(40):
        across = dice.choice([(1, 0), (0, 1)])
        if layout and dice.random() < 0.7:
            cell = dice.choice(sorted(layout))
            kinds, at = random_set(dice, colours, layout[cell])
        else:
            cell = dice.randrange(-4, 5), dice.randrange(-4, 5)
            kinds, at = random_set(dice, colours)
        cells = [(cell[0] + (i - at) * across[0], cell[1] + (i - at) * across[1]) for i in range(len(kinds))]
        grown = layout | dict(zip(cells, kinds, strict=True))
        kept = all(grown[cell] == kind for cell, kind in layout.items())
        if kept and len(grown) <= size and in_the_bag(grown.values(), copies, stars) and valid(grown):
            layout = grown
    return layout


def in_the_bag(kinds, copies, stars):
    return all(count <= (stars if kind % FACES == STAR else copies) for kind, count in Counter(kinds).items())


# Every layout of a few tiles


def best_exhaustive(table, rack):
    """The most tiles of the rack that can lie in a valid layout with all tiles of the table; 0 if none can."""
    assert len(table) + len(rack) <= 9
    for size in range(len(rack), 0, -1):
        for chosen in sorted(set(itertools.combinations(sorted(rack), size))):
            if layable(tuple(sorted([*table, *chosen]))):
                return size
    return 0


@cache
def layable(tiles):
    """Whether there is a valid layout of exactly these tiles, in one grid or in several."""
    if not tiles:
        return True
    first, others = tiles[0], tiles[1:]
    for size in range(2, len(others) + 1):
        if 0 < len(others) - size < SHORTEST:
            continue
        for mates in set(itertools.combinations(others, size)):
            rest = tuple(sorted((Counter(others) - Counter(mates)).elements()))
            if one_grid(alike((first, *mates))) and layable(rest):
                return True
    return False


def alike(tiles):
    """The same tiles, up to the names of the colours and to counting downwards instead of upwards."""
    images = []
    for mirrored in (False, True):
        colours = {}
        for tile in tiles:
            colour, face = divmod(tile, FACES)
            colours.setdefault(colour, []).append(STAR - 1 - face if mirrored and face != STAR else face)
        images.append(tuple(sorted(tuple(sorted(faces)) for faces in colours.values())))
    return min(images)


@cache
def one_grid(faces):
    """Whether the tiles, given as the faces of each colour, can all lie in one grid."""
    tiles = Counter((colour, face) for colour, held in enumerate(faces) for face in held)
    if not all(has_mates(tile, tiles) for tile in tiles):
        return False
    return any(fill(lines, tiles, []) for lines in shapes()[tiles.total()])


def has_mates(tile, tiles):
    """Whether a set with this tile can be made at all: it saves most of the work."""
    colour, face = tile
    stars = tiles[colour, STAR]
    if face == STAR:
        return True
    same = sum(other != colour and any(tiles[other, f] for f in (face, STAR)) for other in {c for c, _ in tiles})
    near = [[f for f in range(low, low + 3) if f != face] for low in range(face - 2, face + 1) if 0 <= low <= 5]
    return same >= 2 or any(sum(not tiles[colour, f] for f in run) <= stars for run in near)


def fill(lines_of, tiles, placed):
    """Whether the cells that are left can be filled with the tiles that are left; a star is tried as each number."""
    if len(placed) == len(lines_of):
        return True
    for tile in [tile for tile, count in tiles.items() if count]:
        colour, face = tile
        tiles[tile] -= 1
        for number in range(STAR) if face == STAR else (face,):
            placed.append((colour, number))
            done = all(is_part_of_a_set(line, placed) for line in lines_of[len(placed) - 1])
            done = done and fill(lines_of, tiles, placed)
            placed.pop()
            if done:
                tiles[tile] += 1
                return True
        tiles[tile] += 1
    return False


def is_part_of_a_set(line, placed):
    """Whether the tiles that lie in a line of cells already can be those of a set that fills it."""
    (at, (colour, number)), *others = [(i, placed[cell]) for i, cell in enumerate(line) if cell < len(placed)]
    if not others:
        return True
    if others[0][1][0] != colour:
        colours = {colour, *(other for _, (other, _) in others)}
        return len(colours) == len(others) + 1 and all(n == number for _, (_, n) in others)
    step = (others[0][1][1] - number) * (1 if others[0][0] > at else -1)
    way = 1 if step > 0 else -1
    start = number - way * at
    if not (0 <= start < STAR and 0 <= start + way * (len(line) - 1) < STAR):
        return False
    return all(other == colour and n == start + way * i for i, (other, n) in others)


@cache
def shapes():
    """By size up to nine, the shapes of grids whose lines all have one tile or three and more.

    A shape is given as the lines that each of its cells is in, the cells in an order in which each touches an earlier.
    """
    grown = {frozenset([(0, 0)])}
    found = {}
    for size in range(2, 10):
        grown = {placed(cells | {cell}) for cells in grown for other in cells for cell in beside(other)}
        grown = {cells for cells in grown if len(cells) == size}
        right = {min(images(cells)) for cells in grown if all(len(line) != 2 for line in lines(cells))}
        found[size] = [numbered(cells) for cells in sorted(right)]
    return found


def beside(cell):
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def placed(cells):
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def images(cells):
    """A shape turned and mirrored in all eight ways, each as a sorted tuple."""
    for sign_x, sign_y, swap in itertools.product((1, -1), (1, -1), (False, True)):
        turned = [(sign_x * x, sign_y * y) for x, y in cells]
        yield tuple(sorted(placed([(y, x) for x, y in turned] if swap else turned)))


def lines(cells):
    """All rows and columns of touching cells, those of a single cell too."""
    for dx, dy in ((1, 0), (0, 1)):
        for x, y in cells:
            if (x - dx, y - dy) not in cells:
                length = next(n for n in itertools.count(1) if (x + n * dx, y + n * dy) not in cells)
                yield tuple((x + n * dx, y + n * dy) for n in range(length))


def numbered(cells):
    """The lines that each cell is in, as numbers of cells; a line is filled before the next is begun."""
    sets = [line for line in lines(frozenset(cells)) if len(line) > 1]
    order = []
    while len(order) < len(cells):
        line = next(line for line in sets if (not order or set(line) & set(order)) and not set(line) <= set(order))
        order += [cell for cell in line if cell not in order]
    at = {cell: i for i, cell in enumerate(order)}
    return tuple(tuple(tuple(at[c] for c in line) for line in sets if cell in line) for cell in order)


# Every layout of a larger table: which sets there can be


def most_sets(members, there):
    """How many sets of these values the tiles are enough for when no two share one; each colour has its own stars."""
    for count in itertools.count(1):
        short = Counter()
        for colour, number in members:
            short[colour] += max(0, count - there[colour * FACES + number])
        if any(lack > there[colour * FACES + STAR] for colour, lack in short.items()):
            return count - 1
    return 0


def cover_model(table, rack, colours):
    """The model, how many tiles of the rack it plays, the sets with their variables, and the tiles of each value.

    The model chooses sets, each lying across or down. Each tile is in one set, or in two at a crossing of one that
    lies across and one that lies down; two sets have at most one tile in common. A star is given a number. Sets of
    more than five tiles are not needed: they can be cut in two that lie the same way.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    fixed = Counter(table)
    there = Counter([*table, *rack])
    values = [(c, n) for c in range(colours) for n in range(STAR) if there[c * FACES + n] or there[c * FACES + STAR]]
    most = {(c, n): there[c * FACES + n] + there[c * FACES + STAR] for c, n in values}

    used = {}  # how many tiles of a kind lie on the table
    for kind in there:
        used[kind] = model.new_int_var(fixed[kind], there[kind], "")
    stars = {}  # how many stars of the colour stand for the number
    for c in range(colours):
        kind = c * FACES + STAR
        if there[kind]:
            for n in range(STAR):
                stars[c, n] = model.new_int_var(0, there[kind], "")
            model.add(sum(stars[c, n] for n in range(STAR)) == used[kind])
    tiles = {(c, n): used.get(c * FACES + n, 0) + stars.get((c, n), 0) for c, n in values}

    runs = [
        [(c, n) for n in range(start, start + length)]
        for c in range(colours)
        for length in range(SHORTEST, LONGEST + 1)
        for start in range(STAR - length + 1)
    ]
    groups = [
        [(c, n) for c in chosen]
        for n in range(STAR)
        for length in range(SHORTEST, min(LONGEST, colours) + 1)
        for chosen in itertools.combinations(range(colours), length)
    ]
    sets = {}  # (is it a run, does it lie down): the sets that can be chosen, each with its variable
    for is_run, down in itertools.product((True, False), repeat=2):
        sets[is_run, down] = []
        for members in runs if is_run else groups:
            copies = [model.new_bool_var("") for _ in range(most_sets(members, there))]
            for one, other in itertools.pairwise(copies):
                model.add_implication(other, one)
            sets[is_run, down] += [(members, chosen) for chosen in copies]

    holding = {
        (value, *key): [(i, chosen) for i, (members, chosen) in enumerate(sets[key]) if value in members]
        for value in values
        for key in sets
    }
    pairs = {True: {}, False: {}}  # what two sets of one sort that lie across each other have in common
    for value in values:
        number_of = {key: sum(chosen for _, chosen in holding[(value, *key)]) for key in sets}
        shared = {}
        for across, down in itertools.product((True, False), repeat=2):
            if across != down:  # a run and a group have one value in common, so that nothing more is to be said
                shared[across, down] = model.new_int_var(0, most[value], "")
                continue
            crossings = []
            for i, one in holding[value, across, False]:
                for j, other in holding[value, across, True]:
                    crossing = model.new_bool_var("")
                    model.add_implication(crossing, one)
                    model.add_implication(crossing, other)
                    pairs[across].setdefault((i, j), []).append(crossing)
                    crossings.append((i, j, crossing))
            for place in (0, 1):
                by_set = {}
                for entry in crossings:
                    by_set.setdefault(entry[place], []).append(entry[2])
                for found in by_set.values():
                    model.add_at_most_one(found)
            shared[across, down] = sum(crossing for _, _, crossing in crossings)
        for sort in (True, False):
            model.add(shared[sort, True] + shared[sort, False] <= number_of[sort, False])
            model.add(shared[True, sort] + shared[False, sort] <= number_of[sort, True])
        model.add(sum(number_of.values()) - sum(shared.values()) == tiles[value])
    for sort in pairs.values():
        for crossings in sort.values():
            if len(crossings) > 1:
                model.add_at_most_one(crossings)
    return model, sum(used.values()) - len(table), sets, tiles


# Every layout of a larger table: one choice of sets after the other, and how they can lie


class Undecided(Exception):
    """A search was given up before it came to its end."""


def longer_layout(table, rack, colours, at_least, choices=400):
    """A layout with at least so many tiles of the rack, its kinds by their cells; None if there is none."""
    choice = Choice(table, rack, colours, at_least)
    for _ in range(choices):
        chosen = choice.next()
        if chosen is None:
            return None
        parts = components(*chosen)
        failing = [part for part in parts if not can_lie(*alike_sets(*part), True)]
        if not failing:
            return put_down([Laying(*part, True).search() for part in parts], table, rack)
        for part in failing:
            choice.rule_out(*part)
    raise Undecided


class Choice:
    """Choices of sets that play enough tiles, without those that are known not to have a layout."""

    def __init__(self, table, rack, colours, at_least):
        self.model, played, sets, self.tiles = cover_model(table, rack, colours)
        self.model.add(played >= at_least)
        self.colours = colours
        self.copies = {}  # the variables of each set, across and down
        for members, chosen in itertools.chain(*sets.values()):
            self.copies.setdefault(tuple(members), []).append(chosen)
        self.crossings = {
            value: sum(sum(copies) for members, copies in self.copies.items() if value in members) - count
            for value, count in self.tiles.items()
        }
        self.conditions = {}

    def next(self, effort=(1.0, 60.0)):
        """Sets and the tiles of each value, with few crossings if those are found soon; None if there are no more.

        The effort is CP-SAT's deterministic time, first for few crossings, then for any.
        """
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        self.model.minimize(sum(self.crossings.values()))
        for limit in effort:
            solver.parameters.max_deterministic_time = limit
            result = solver.solve(self.model)
            if result == cp_model.INFEASIBLE:
                return None
            if result != cp_model.UNKNOWN:
                sets = [members for members, copies in self.copies.items() for one in copies if solver.value(one)]
                return sets, {value: solver.value(count) for value, count in self.tiles.items()}
            self.model.clear_objective()
        raise Undecided

    def rule_out(self, sets, crossings):
        """Rule out a component that cannot be laid, or less of it that cannot either, and all that is alike.

        Take from any layout only the sets that hold some values: they lie as part of a layout and cross at these
        values as often as before, so where they cannot, there must be another set with such a value or a crossing less.
        What only fails as a layout of its own is ruled out just as it is, with these sets at its crossings and no
        crossings at its other values: then it touches nothing else, and nothing else can help it.
        """
        in_any = not can_lie(*alike_sets(sets, crossings), False)
        if in_any:
            sets, crossings = least_failing(sets, crossings)
        for image in images_of_sets(sets, crossings, self.colours):
            self.add_clause(*image, in_any)

    def add_clause(self, sets, crossings, in_any):
        """At least one thing must be different; `in_any`: and not only a set less or a crossing more."""
        sets, crossings = Counter(sets), dict(crossings)
        if not (sets.keys() <= self.copies.keys() and crossings.keys() <= self.crossings.keys()):
            return
        clause = [self.at_most(self.crossings, value, count - 1) for value, count in crossings.items()]
        numbers = {members: sum(copies) for members, copies in self.copies.items()}
        holding = [members for members in numbers if not crossings.keys().isdisjoint(members)]
        clause += [self.at_least(numbers, members, sets[members] + 1) for members in holding]
        if not in_any:
            values = {value for members in sets for value in members}
            clause += [self.at_least(self.crossings, value, crossings.get(value, 0) + 1) for value in values]
            clause += [self.at_most(numbers, members, count - 1) for members, count in sets.items()]
        self.model.add_bool_or(clause)

    def at_least(self, amounts, key, count):
        """A variable that can only be true if there are so many."""
        if (key, count, "least") not in self.conditions:
            self.conditions[key, count, "least"] = met = self.model.new_bool_var("")
            self.model.add(amounts[key] >= count).only_enforce_if(met)
        return self.conditions[key, count, "least"]

    def at_most(self, amounts, key, count):
        """A variable that can only be true if there are no more."""
        if (key, count, "most") not in self.conditions:
            self.conditions[key, count, "most"] = met = self.model.new_bool_var("")
            self.model.add(amounts[key] <= count).only_enforce_if(met)
        return self.conditions[key, count, "most"]


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


def least_failing(sets, crossings):
    """As few crossings as cannot be made in any layout, and the sets that hold their values."""
    for value, _ in crossings:
        while value in dict(crossings):
            fewer = tuple((v, count - (v == value)) for v, count in crossings if v != value or count > 1)
            some = tuple(members for members in sets if any(v in members for v, _ in fewer))
            if can_lie(*alike_sets(some, fewer), False):
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


@cache
def can_lie(sets, crossings, alone):
    return Laying(sets, crossings, alone).search() is not None


def put_down(parts, table, rack):
    """The parts far from each other, with stars where number tiles are short and for those of the table."""
    there = Counter([*table, *rack])
    layout = {}
    for i, part in enumerate(parts):
        for (x, y), (colour, number) in part.items():
            kind = colour * FACES + number
            kind = kind if there[kind] else colour * FACES + STAR
            there[kind] -= 1
            layout[x + APART * i, y] = kind
    for star in (Counter(table) - Counter(layout.values())).elements():
        new = Counter(layout.values()) - Counter(table)
        cell = next(cell for cell, kind in layout.items() if kind // FACES == star // FACES and new[kind])
        layout[cell] = star
    assert Counter(table) <= Counter(layout.values()) <= Counter([*table, *rack])
    assert valid(layout)
    return layout


class Laying:
    """Every choice of the sets that cross, so many at each value, until one can be laid.

    `alone`: as a valid layout of its own, with these crossings only. Otherwise as a part of any layout: its lines may
    be parts of sets, and there may be more crossings.
    """

    def __init__(self, sets, crossings, alone, steps=300_000):
        self.sets, self.alone = sets, alone
        self.values = [value for value, count in crossings for _ in range(count)]
        self.steps = iter(range(steps))
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
            self.possible[inside] = Grid(self.sets, grid, inside, False, self.steps).search() is not None
        return self.possible[inside]

    def lay(self, made):
        layout = {}
        for grid in self.grids(made):
            inside = [(pair, value) for pair, value in made if pair[0] in grid]
            cells = Grid(self.sets, grid, inside, self.alone, self.steps).search()
            if cells is None:
                return None
            layout |= {(x, y + APART * min(grid)): value for (x, y), value in cells.items()}
        return layout


class Grid:
    """Every way to lay sets of which it is known which ones cross, and where; those in circles come first."""

    def __init__(self, sets, grid, crossings, alone, steps):
        self.sets, self.alone, self.steps = sets, alone, steps
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
        if next(self.steps, None) is None:
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
