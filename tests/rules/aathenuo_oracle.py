"""How many tiles of a rack can be played at all: every layout of a few tiles, without any of the game's own code.

A kind of tile is colour * 9 + number - 1, or colour * 9 + 8 for a star. For larger tables see `aathenuo_model`.
"""

import itertools
from collections import Counter
from functools import cache

FACES, STAR = 9, 8
SHORTEST = 3  # of a set


# One layout, and random ones


def valid(layout):
    """Whether the tiles, given by their cells, lie as they may."""
    rows = [line for line in lines(layout) if len(line) > 1]
    if any(len(line) < SHORTEST for line in rows) or {cell for line in rows for cell in line} != set(layout):
        return False
    values = {cell: divmod(kind, FACES) for cell, kind in layout.items() if kind % FACES != STAR}
    if not all(can_be_a_set(line, values) for line in rows):
        return False
    return stars_agree([cell for cell in layout if cell not in values], layout, rows, values)


def stars_agree(stars, layout, rows, values):
    """Whether the stars can be given numbers, one after the other, so that all lines are sets."""
    if not stars:
        return True
    cell, *others = stars
    for number in range(STAR):
        given = values | {cell: (layout[cell] // FACES, number)}
        if all(can_be_a_set(line, given) for line in rows if cell in line) and stars_agree(others, layout, rows, given):
            return True
    return False


def can_be_a_set(line, values):
    """Whether the tiles of a line whose values are known can be those of a set that fills it."""
    return are_part_of_a_set([(i, values[cell]) for i, cell in enumerate(line) if cell in values], len(line))


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
    return are_part_of_a_set([(i, placed[cell]) for i, cell in enumerate(line) if cell < len(placed)], len(line))


def are_part_of_a_set(known, length):
    """The same for values by their places in a line of this length."""
    if len(known) < 2:
        return True
    (at, (colour, number)), *others = known
    if others[0][1][0] != colour:
        colours = {colour, *(other for _, (other, _) in others)}
        return len(colours) == len(others) + 1 and all(n == number for _, (_, n) in others)
    step = (others[0][1][1] - number) * (1 if others[0][0] > at else -1)
    way = 1 if step > 0 else -1
    start = number - way * at
    if not (0 <= start < STAR and 0 <= start + way * (length - 1) < STAR):
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
