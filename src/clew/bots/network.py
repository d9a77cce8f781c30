"""The network that is learnt from self-play: it looks at a seat's observation and says what the seat will get.

What is true of the whole and what each part of a group says (see `clew.core.observe`) goes through a first layer, which
is the same for all parts of a group; the parts of a group are added up; a second layer sees the sums; two answers come
out, both from 0 to 1: the share of the others that the seat will leave behind, and its lead.

Its numbers stand behind the named weights, row by row: the rows of the first layer, biases, the second layer, answers.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.core.game import Game
from clew.core.kernels import large, rule, scratch, specialise, template
from clew.core.observe import Layout
from clew.core.protocol import LOOKS, NOISE, apply, imagine, result, to_move, view
from clew.core.rng import WORD, below, next32
from clew.core.types import (
    Generator,
    Integers,
    Kernel,
    MoveCode,
    MoveCodes,
    Numbers,
    State,
    States,
    ViewRecord,
    ViewRecords,
)

# `Any` in signatures here: rows of which plain Python takes slices, and what templates are given by name.

LEANING, COMFORT = 0, 1  # numbers before the network: how much the lead counts, and a lead in points that feels safe
HEAD = 2
BINS = 13  # of the lead, by its size next to the safe one
ANSWERS = 2

# Of a game, by its layout: see `Shape.constants`
HIDDEN = SECOND = ACROSS = SEATS = EXTRA = WHOLE = MOST = SLOTS = 1
LEAN = SCALE = ROWS = BIASES = INNER = INNER_BIASES = OUTER = OUTER_BIASES = 0  # where these stand among the weights
BETTER = 1
SLOT_OF = ROW_OF = PART_SLOTS = np.zeros(1, np.int64)


def observe(v: ViewRecord, ids: Integers, values: Numbers) -> int:
    """The features of a view that are not 0 (see `clew.core.observe`)."""
    return 0


def views_to_fill() -> Any:  # an array of the game's views
    """Room for a view."""


def states_to_fill() -> Any:  # an array of the game's states
    """Room for a state."""


def worlds_to_fill() -> Any:  # an array of the game's states
    """An empty state, and room for a world."""


@dataclass(frozen=True)
class Shape:
    """The network of a game: its first layer has `hidden` units for the whole and for each group, then `second`."""

    layout: Layout
    seats: int
    hidden: int = 48
    second: int = 32

    @property
    def whole(self) -> int:
        """Features of the whole: those of the view, and what the result would be in a world."""
        return self.layout.groups[0].size + self.extra

    @property
    def extra(self) -> int:
        """Features of the result: each seat's score, the lead in bins, the place, and who is to move."""
        return self.seats + 1 + BINS + 2 * self.seats

    @property
    def groups(self) -> int:
        """Groups besides the whole."""
        return len(self.layout.groups) - 1

    @property
    def rows(self) -> int:
        """Rows of the first layer: what the whole says to itself and to each group, and what parts say."""
        return self.whole * (1 + self.groups) + sum(group.size for group in self.layout.groups[1:])

    @property
    def size(self) -> int:
        """How many numbers it has, with the two before it."""
        return int(self.constants(0)["OUTER_BIASES"]) + ANSWERS

    def constants(self, named: int) -> dict[str, Any]:
        """What the kernels know of the shape, by their names in this module, if the network stands behind so many."""
        layout, across = self.layout, 1 + self.groups
        total = layout.size + self.extra
        slot_of, row_of = np.zeros(total, np.int64), np.zeros(total, np.int64)
        whole = layout.groups[0].size
        row_of[:whole] = np.arange(whole)
        row_of[layout.size :] = whole + np.arange(self.extra)
        slot, row, parts = across, self.whole * across, []
        for group in layout.groups[1:]:
            parts.append(slot)
            for part in range(group.parts):
                first = group.first + part * group.size
                slot_of[first : first + group.size] = slot
                row_of[first : first + group.size] = row + np.arange(group.size)
                slot += 1
            row += group.size
        rows = named + HEAD
        biases = rows + self.rows * self.hidden
        inner = biases + across * self.hidden
        inner_biases = inner + across * self.hidden * self.second
        outer = inner_biases + self.second
        return {
            "HIDDEN": self.hidden,
            "SECOND": self.second,
            "ACROSS": across,
            "SEATS": self.seats,
            "EXTRA": layout.size,
            "WHOLE": self.whole,
            "MOST": layout.most + 3 * self.seats + 4,
            "SLOTS": slot,
            "SLOT_OF": slot_of,
            "ROW_OF": row_of,
            "PART_SLOTS": np.array([*parts, slot], np.int64),
            "LEAN": named,
            "SCALE": named + 1,
            "ROWS": rows,
            "BIASES": biases,
            "INNER": inner,
            "INNER_BIASES": inner_biases,
            "OUTER": outer,
            "OUTER_BIASES": outer + self.second * ANSWERS,
        }

    def begin(self, rng: np.random.Generator) -> npt.NDArray[np.float32]:
        """A network that knows nothing: small numbers at random in the layers, answers of one half."""
        at, numbers = self.constants(0), np.zeros(self.size, np.float32)
        layers = (("ROWS", "BIASES", 0.1), ("INNER", "INNER_BIASES", 0.2), ("OUTER", "OUTER_BIASES", 0.2))
        for begin, end, wide in layers:
            part = numbers[at[begin] : at[end]]
            part[:] = rng.uniform(-wide, wide, len(part))
        return numbers


# Rows of numbers: compiled loops, which plain Python does with NumPy


@rule
def add_row(sums: Numbers, at: int, x: float, weights: Numbers, row: int, wide: int) -> None:
    """Add x times a row of the weights."""
    times, target, source = np.float32(x), sums[at : at + wide], weights[row : row + wide]
    for j in range(wide):  # on slices: with at + j, which could be negative, the compiler takes number by number
        target[j] += times * source[j]


def _add_row(sums: Any, at: int, x: float, weights: Any, row: int, wide: int) -> None:
    sums[at : at + wide] += np.float32(x) * weights[row : row + wide]


add_row.plain = _add_row  # type: ignore[attr-defined]


@rule
def activate(seen: Numbers, to: int, sums: Numbers, at: int, wide: int) -> None:
    """Add to `seen` what units say that got these sums: the sum if it is above 0."""
    target, source = seen[to : to + wide], sums[at : at + wide]
    for j in range(wide):
        target[j] += source[j] if source[j] > 0 else np.float32(0)


def _activate(seen: Any, to: int, sums: Any, at: int, wide: int) -> None:
    seen[to : to + wide] += np.maximum(sums[at : at + wide], np.float32(0))


activate.plain = _activate  # type: ignore[attr-defined]


# What a seat sees of a world


@large
def observe_world(
    s: State,
    seat: int,
    views: ViewRecords,
    weights: Numbers,
    ids: Integers,
    values: Numbers,
    scores: Integers,
    places: Integers,
) -> int:
    """The features of the seat's view of a world, left in views[0], and of the result if the world ended as it stands.

    It gets an array and not a view: Numba would free scratch before a call that is handed its last record.
    """
    view(s, seat, views[0])
    count = observe(views[0], ids, values)
    players = int(s.players)
    result(s, scores, places)
    best, scale = -(1 << 62), float(weights[SCALE])
    for r in range(players):
        other = (seat + r) % players
        ids[count], values[count] = EXTRA + r, BETTER * scores[other] / scale
        count += 1
        if r > 0:
            best = max(best, BETTER * scores[other])
    lead = (BETTER * scores[seat] - (best if players > 1 else 0)) / scale
    ids[count], values[count] = EXTRA + SEATS, lead / (1.0 + abs(lead))
    count += 1
    ids[count], values[count] = EXTRA + SEATS + 1 + bin_of(lead), 1.0
    count += 1
    ids[count], values[count] = EXTRA + SEATS + BINS + places[seat], 1.0
    count += 1
    owing = to_move(s)
    for r in range(players):
        if (owing >> ((seat + r) % players)) & 1:
            ids[count], values[count] = EXTRA + 2 * SEATS + 1 + BINS + r, 1.0
            count += 1
    return int(count)


@template
def bin_of(lead: float) -> int:
    """The bin of a lead: finer around none."""
    middle = BINS // 2
    if lead == 0:
        return middle
    far = min(middle, 1 + int(2.5 * math.sqrt(abs(lead))))
    return middle + far if lead > 0 else middle - far


# What the network says


@large
def think(
    weights: Numbers,
    ids: Integers,
    values: Numbers,
    count: int,
    sums: Numbers,
    seen: Numbers,
    second: Numbers,
    answers: Numbers,
) -> None:
    """The network's answers to these features; `sums`, `seen` and `second` are left as learning wants them."""
    sums[:] = 0
    seen[:] = 0
    for g in range(ACROSS):
        add_row(sums, g * HIDDEN, 1.0, weights, BIASES + g * HIDDEN, HIDDEN)
    for k in range(count):
        slot, row = SLOT_OF[ids[k]], ROW_OF[ids[k]]
        add_row(sums, slot * HIDDEN, values[k], weights, ROWS + row * HIDDEN, HIDDEN)
        if slot == 0:
            for g in range(1, ACROSS):  # what the whole says to the parts of a group
                add_row(sums, g * HIDDEN, values[k], weights, ROWS + (g * WHOLE + row) * HIDDEN, HIDDEN)
    activate(seen, 0, sums, 0, HIDDEN)
    for g in range(1, ACROSS):
        for slot in range(PART_SLOTS[g - 1], PART_SLOTS[g]):
            add_row(sums, slot * HIDDEN, 1.0, sums, g * HIDDEN, HIDDEN)
            activate(seen, g * HIDDEN, sums, slot * HIDDEN, HIDDEN)
    second[:] = weights[INNER_BIASES:OUTER]
    for i in range(ACROSS * HIDDEN):
        if seen[i] != 0:
            add_row(second, 0, seen[i], weights, INNER + i * SECOND, SECOND)
    for a in range(ANSWERS):
        answer = float(weights[OUTER_BIASES + a])
        for j in range(SECOND):
            if second[j] > 0:
                answer += float(second[j]) * float(weights[OUTER + j * ANSWERS + a])
        answers[a] = 1.0 / (1.0 + math.exp(-answer))


@template
def mixed(weights: Numbers, answers: Numbers) -> float:
    """One number for both answers."""
    lean = float(weights[LEAN])
    found: float = (1.0 - lean) * answers[0] + lean * answers[1]
    return found


@template
def settle(s: State, seat: int, weights: Numbers, scores: Integers, places: Integers, answers: Numbers) -> None:
    """The answers where a game is over: the share of the others that the seat left behind, and its lead."""
    result(s, scores, places)
    behind = 0.0
    best = -(1 << 62)
    players = int(s.players)
    for other in range(players):
        if other != seat:
            best = max(best, BETTER * scores[other])
            behind += 1.0 if places[other] > places[seat] else 0.5 if places[other] == places[seat] else 0.0
    lead = BETTER * scores[seat] - (best if players > 1 else 0)
    answers[0] = behind / max(1, players - 1)
    answers[1] = 0.5 + 0.5 * lead / (abs(lead) + float(weights[SCALE]))


@template
def prior(s: State, seat: int, move: MoveCode, weights: Numbers) -> float:
    """What the network expects of this world after the move."""
    return worth_after(s, seat, move, weights, states_to_fill())


@template
def worth_after(s: State, seat: int, move: MoveCode, weights: Numbers, states: States) -> float:
    """What the network expects of this world after the move, made in states[0]."""
    states[0] = s
    apply(states[0], seat, move)
    if to_move(states[0]) != 0:
        return worth(states[0], seat, weights)
    answers, scores, places = np.empty(ANSWERS), np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    settle(states[0], seat, weights, scores, places, answers)
    return mixed(weights, answers)


@template
def guess(s: State, seat: int, rng: Generator, views: ViewRecords, states: States, to: int) -> None:
    """Put a world that the seat holds for possible into states[to], by its view alone; states[0] is a blank one."""
    view(s, seat, views[0])
    states[to] = states[0]
    imagine(views[0], rng, states[to])


@template
def policy(s: State, seat: int, out: MoveCodes, count: int, weights: Numbers, rng: Generator) -> int:
    """Of weights[LOOKS] moves the one that promises most in a world as the seat itself would imagine it.

    In the world that is played on it would see through the others: a guess would always be right.
    """
    return best_in_guess(s, seat, out, count, weights, rng, views_to_fill(), worlds_to_fill())


@template
def best_in_guess(
    s: State,
    seat: int,
    out: MoveCodes,
    count: int,
    weights: Numbers,
    rng: Generator,
    views: ViewRecords,
    states: States,
) -> int:
    """Which of a few moves promises most in a guess of the seat, made in states[1]."""
    guess(s, seat, rng, views, states, 1)
    looks = min(count, int(weights[LOOKS]))
    first = below(rng, count) if count > looks else 0
    best, most = 0, -1.0
    for k in range(looks):
        at = (first + k) % count
        hoped = prior(states[1], seat, out[at], weights) + float(weights[NOISE]) * next32(rng) / WORD
        if hoped > most:
            best, most = at, hoped
    return best


@large
def worth(s: State, seat: int, weights: Numbers) -> float:
    """What the network expects the seat to get in this world, from 0 to 1, by what the seat sees of it."""
    ids, values = np.empty(MOST, np.int64), np.empty(MOST, np.float32)
    sums, seen = np.empty(SLOTS * HIDDEN, np.float32), np.empty(ACROSS * HIDDEN, np.float32)
    second, answers = np.empty(SECOND, np.float32), np.empty(ANSWERS)
    scores, places = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    count = observe_world(s, seat, views_to_fill(), weights, ids, values, scores, places)
    think(weights, ids, values, count, sums, seen, second, answers)
    return mixed(weights, answers)


# Of a game


def kernels_of(game: Game, shape: Shape, named: int, made: Mapping[str, Any]) -> dict[str, Kernel]:
    """The templates of this module for a game, whose network stands behind so many weights."""
    functions = {**made, **names_of(game, shape, named)}
    return specialise(sys.modules[__name__], tagged(game, shape, named), game.folder, functions)


def tagged(game: Game, shape: Shape, named: int) -> str:
    """What the kernels of a network are called by: compiled code is kept by names, and knows the shape."""
    return f"{game.name}+{shape.layout.fingerprint}-{shape.hidden}-{shape.second}-{named}"


def names_of(game: Game, shape: Shape, named: int) -> dict[str, Any]:
    """What templates that work with a network need to know of a game besides its rules."""
    room = {"views_to_fill": scratch(1, game.rules.VIEW), "worlds_to_fill": scratch(2, game.rules.STATE)}
    room["states_to_fill"] = scratch(1, game.rules.STATE, cleared=False)
    return {**room, **shape.constants(named), "observe": shape.layout.observe}
