"""The value net: a small network that evaluates a world by the features that the game's heuristics take from it.

The same layer looks at every part of the game (a path, a rack), and what it saw in the seat's own parts and in the
others' is added up; a second layer sees both sums and what is true of the world as a whole. The numbers come from
self-play (`bench/learn.py`) and stand behind the other weights of the heuristics.
"""

from __future__ import annotations

import math

import numpy as np

from clew.core.kernels import template
from clew.core.protocol import features
from clew.core.types import Floats, State

SIDES = 2
NAMED = 0  # weights that the heuristics give names to; these and the shape are the game's own
PARTS = PART = WHOLE = FIRST = SECOND = 1


def count(parts: int, part: int, whole: int, first: int, second: int) -> int:
    """How many numbers a network of this shape has."""
    return (part + 1) * first + (SIDES * first + whole + 1) * second + second + 1


@template
def worth(s: State, seat: int, weights: Floats) -> float:
    """What the network expects the seat to get, from 0 to 1."""
    parts, whole = np.empty((SIDES, PARTS, PART)), np.empty(WHOLE)
    features(s, seat, parts, whole)
    width = SIDES * FIRST + WHOLE
    bias, last = NAMED + PART * FIRST, NAMED + (PART + 1) * FIRST + (width + 1) * SECOND
    seen, first, second = np.zeros(width), np.empty(FIRST), np.empty(SECOND)
    for side in range(SIDES):
        for k in range(PARTS):
            first[:] = weights[bias : bias + FIRST]
            add(first, parts[side, k], weights[NAMED:bias])
            for j in range(FIRST):
                seen[side * FIRST + j] += max(0.0, first[j])
    seen[SIDES * FIRST :] = whole
    second[:] = weights[last - SECOND : last]
    add(second, seen, weights[bias + FIRST : last - SECOND])
    answer = weights[last + SECOND]
    for j in range(SECOND):
        answer += max(0.0, second[j]) * weights[last + j]
    return 1.0 / (1.0 + math.exp(-answer))


@template
def add(sums: Floats, inputs: Floats, weights: Floats) -> None:
    """What a layer gets from its inputs: row i of the weights is what input i says to each sum."""
    wide = sums.shape[0]
    for i in range(inputs.shape[0]):
        x = inputs[i]
        if x != 0.0:
            for j in range(wide):
                sums[j] += x * weights[i * wide + j]
