"""How many tiles of a rack can be played at all: an exact answer for larger tables, without any of the game's own code.

An integer model says which tiles can make up which sets, crossings included; `aathenuo_laying` lays the sets that it
chooses, and what cannot be laid is ruled out, until a choice can be laid or none is left.
"""

import itertools
import time
from collections import Counter

from aathenuo_laying import FOREVER, Laying, Undecided, alike_sets, can_lie, components, images_of_sets, least_failing
from aathenuo_oracle import FACES, SHORTEST, STAR, valid

LONGEST = 5  # of a set in the model: longer ones are two that do not touch
APART = 100  # the cells from one grid to the next


# Which sets there can be


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


# One choice of sets after the other


def longer_layout(table, rack, colours, at_least, seconds=FOREVER):
    """A layout with at least so many tiles of the rack, its kinds by their cells; None if there is none.

    Raises Undecided when the time is over.
    """
    until = time.monotonic() + seconds
    choice = Choice(table, rack, colours, at_least, until)
    while True:
        chosen = choice.next()
        if chosen is None:
            return None
        parts = components(*chosen)
        failing = [part for part in parts if not can_lie(*alike_sets(*part), True, until)]
        if not failing:
            return put_down([Laying(*part, True, until).search() for part in parts], table, rack)
        for part in failing:
            choice.rule_out(*part)


class Choice:
    """Choices of sets that play enough tiles, without those that are known not to have a layout."""

    def __init__(self, table, rack, colours, at_least, until):
        self.model, played, sets, self.tiles = cover_model(table, rack, colours)
        self.model.add(played >= at_least)
        self.colours, self.until = colours, until
        self.copies = {}  # the variables of each set, across and down
        for members, chosen in itertools.chain(*sets.values()):
            self.copies.setdefault(tuple(members), []).append(chosen)
        self.crossings = {
            value: sum(sum(copies) for members, copies in self.copies.items() if value in members) - count
            for value, count in self.tiles.items()
        }
        self.conditions = {}

    def next(self):
        """Sets and the tiles of each value, with few crossings if those are found soon; None if there are no more."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        self.model.minimize(sum(self.crossings.values()))
        for effort in (1.0, FOREVER):
            solver.parameters.max_deterministic_time = effort
            solver.parameters.max_time_in_seconds = max(0.0, min(self.until - time.monotonic(), 1e6))
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
        in_any = not can_lie(*alike_sets(sets, crossings), False, self.until)
        if in_any:
            sets, crossings = least_failing(sets, crossings, self.until)
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
