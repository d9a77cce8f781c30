"""Two choose at once in secret: the exact solution of a small zero-sum game."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from clew.core.types import Floats

CLOSE = 1e-9


def solve(payoffs: Floats) -> tuple[Floats, Floats, float]:
    """The best mixed choice of the row player, that of the column player, and what the game is worth to the row.

    `payoffs[i, j]` is what the row player gets. Some optimal pair makes all rows and columns of a square part equally
    good (Shapley and Snow 1950), so trying all square parts finds one; fit for a handful of choices.

    >>> rows, columns, value = solve(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> rows.tolist(), columns.tolist(), value
    ([0.5, 0.5], [0.5, 0.5], 0.5)
    """
    payoffs = np.asarray(payoffs, float)
    shift = 1.0 - payoffs.min()  # a positive value: no square part that matters is singular for its value's sake
    game = payoffs + shift
    height, width = game.shape
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                found = _solve_part(game, list(rows), list(columns))
                if found is not None:
                    x, y, value = found
                    return x, y, value - shift
    raise AssertionError("every matrix game has a solution")


def _solve_part(game: Floats, rows: list[int], columns: list[int]) -> tuple[Floats, Floats, float] | None:
    part = game[np.ix_(rows, columns)]
    ones = np.ones(len(rows))
    try:
        right, left = np.linalg.solve(part, ones), np.linalg.solve(part.T, ones)
    except np.linalg.LinAlgError:
        return None
    if right.sum() <= CLOSE or (right < -CLOSE).any() or (left < -CLOSE).any():
        return None
    value = 1.0 / right.sum()
    x, y = np.zeros(game.shape[0]), np.zeros(game.shape[1])
    x[rows], y[columns] = np.maximum(left, 0) / left.sum(), np.maximum(right, 0) / right.sum()
    if (x @ game).min() < value - CLOSE or (game @ y).max() > value + CLOSE:
        return None
    return x, y, value
