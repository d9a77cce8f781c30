"""Two choose at once in secret: the exact solution of a small zero-sum game."""

from __future__ import annotations

import numpy as np

from clew.core.kernels import rule
from clew.core.types import Floats, Integers

CLOSE = 1e-9
SINGULAR = 1e-12  # a pivot that is as good as zero, of numbers from 1 on


@rule
def solve(payoffs: Floats, height: int, width: int, mixed: Floats, replies: Floats) -> float:
    """Write the best mixed choice of the row player and that of the column player; what the game is worth to the row.

    `payoffs[i, j]` is what the row player gets. Some optimal pair makes all rows and columns of a square part equally
    good (Shapley and Snow 1950), so trying all square parts finds one; fit for a handful of choices.

    >>> mixed, replies = np.zeros(2), np.zeros(2)
    >>> solve(np.array([[0.0, 1.0], [1.0, 0.0]]), 2, 2, mixed, replies)
    0.5
    >>> mixed.tolist(), replies.tolist()
    ([0.5, 0.5], [0.5, 0.5])
    """
    least = payoffs[0, 0]
    for i in range(height):
        for j in range(width):
            least = min(least, payoffs[i, j])
    shift = 1.0 - least  # a positive value: no square part that matters is singular for its value's sake
    rows, columns = np.empty(height, np.int64), np.empty(width, np.int64)
    for size in range(1, min(height, width) + 1):
        first(rows, size)
        more_rows = True
        while more_rows:
            first(columns, size)
            more_columns = True
            while more_columns:
                value = solve_part(payoffs, height, width, shift, rows, columns, size, mixed, replies)
                if value > 0.0:
                    return float(value - shift)
                more_columns = following(columns, size, width)
            more_rows = following(rows, size, height)
    raise AssertionError("every matrix game has a solution")


@rule
def first(chosen: Integers, size: int) -> None:
    """The first so many of some things."""
    for i in range(size):
        chosen[i] = i


@rule
def following(chosen: Integers, size: int, count: int) -> bool:
    """Go on to the next choice of so many of `count` things, in the order of a dictionary; False after the last."""
    at = size - 1
    while at >= 0 and chosen[at] == count - size + at:
        at -= 1
    if at < 0:
        return False
    chosen[at] += 1
    for i in range(at + 1, size):
        chosen[i] = chosen[i - 1] + 1
    return True


@rule
def solve_part(
    payoffs: Floats,
    height: int,
    width: int,
    shift: float,
    rows: Integers,
    columns: Integers,
    size: int,
    mixed: Floats,
    replies: Floats,
) -> float:
    """The value if these rows and columns, made equally good, are best among all; 0 if not."""
    part, turned = np.empty((size, size + 1)), np.empty((size, size + 1))
    for i in range(size):
        for j in range(size):
            part[i, j] = turned[j, i] = payoffs[rows[i], columns[j]] + shift
        part[i, size] = turned[i, size] = 1.0
    if not eliminate(part, size) or not eliminate(turned, size):
        return 0.0
    total = left = 0.0
    for i in range(size):
        if part[i, size] < -CLOSE or turned[i, size] < -CLOSE:
            return 0.0
        total += part[i, size]
        left += turned[i, size]
    if total <= CLOSE:
        return 0.0
    value = 1.0 / total
    mixed[:height] = 0.0
    replies[:width] = 0.0
    for i in range(size):
        mixed[rows[i]] = max(turned[i, size], 0.0) / left
        replies[columns[i]] = max(part[i, size], 0.0) / total
    for j in range(width):
        if worth_of_column(payoffs, height, shift, mixed, j) < value - CLOSE:
            return 0.0
    for i in range(height):
        if worth_of_row(payoffs, width, shift, replies, i) > value + CLOSE:
            return 0.0
    return value


@rule
def worth_of_column(payoffs: Floats, height: int, shift: float, mixed: Floats, j: int) -> float:
    """What the row player gets by a mixed choice against column j."""
    total = 0.0
    for i in range(height):
        total += mixed[i] * (payoffs[i, j] + shift)
    return total


@rule
def worth_of_row(payoffs: Floats, width: int, shift: float, replies: Floats, i: int) -> float:
    """What the row player gets by row i against a mixed choice."""
    total = 0.0
    for j in range(width):
        total += replies[j] * (payoffs[i, j] + shift)
    return total


@rule
def eliminate(part: Floats, size: int) -> bool:
    """Solve the equations of a matrix whose last column is what they come to, and leave the solution there (Gauss)."""
    for k in range(size):
        pivot = k
        for i in range(k + 1, size):
            if abs(part[i, k]) > abs(part[pivot, k]):
                pivot = i
        if abs(part[pivot, k]) < SINGULAR:
            return False
        for j in range(k, size + 1):
            part[k, j], part[pivot, j] = part[pivot, j], part[k, j]
        for i in range(size):
            if i != k:
                factor = part[i, k] / part[k, k]
                for j in range(k, size + 1):
                    part[i, j] -= factor * part[k, j]
    for k in range(size):
        part[k, size] /= part[k, k]
    return True
