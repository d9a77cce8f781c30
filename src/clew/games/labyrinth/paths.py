"""The paths that Labyrinth's cards make where they lie: what is connected, where paths end, whether any leads out."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule
from clew.games.labyrinth.cards import CARDS, OPEN, SIDES
from clew.games.labyrinth.plan import IN_LABYRINTH, STEP_X, STEP_Y, draw_plan, is_free, neighbours

# A path with t T cards has t + 2 loose ends if it is a tree, and fewer if it has rings. The 49 cards that can lie there
# before another is placed make 49 paths at most.
ENDS = 18 + 2 * 49


@rule
def open_sides(s: Any, card: int) -> int:
    """The open sides of a card as it lies."""
    return int(OPEN[card, s.rotation[card]])


@rule
def opens_to(s: Any, plan: Any, width: int, cell: int, side: int) -> int:
    """The card on this side of a cell, if it has an open side towards the cell; else -1."""
    other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
    if other >= 0 and open_sides(s, other) >> (side ^ 2) & 1:
        return other
    return -1


@rule
def trace(s: Any, plan: Any, left: int, top: int, width: int, beside: Any, paths: Any) -> None:
    """For each card in the labyrinth its neighbours, and those that its paths lead to, itself too (LAB-04)."""
    walk = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        beside[card] = 0
        paths[card] = 0
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH and paths[card] == 0:
            walk[0] = card
            paths[card] = 1 << card
            reached, count, i = 1 << card, 1, 0
            while i < count:
                here = walk[i]
                cell = (int(s.y[here]) - top) * width + int(s.x[here]) - left
                beside[here] = neighbours(plan, width, cell)
                for side in range(SIDES):
                    if open_sides(s, here) >> side & 1:
                        other = opens_to(s, plan, width, cell, side)
                        if other >= 0 and paths[other] == 0:
                            walk[count] = other
                            paths[other] = 1 << other
                            reached |= 1 << other
                            count += 1
                i += 1
            for i in range(count):
                paths[walk[i]] = reached


@no_inline
def survey(s: Any, plan: Any, beside: Any, cells: Any, leads: Any) -> tuple[int, int, int, int]:
    """Draw the plan, and find for each card its neighbours, then the cells where paths end, in reading order.

    Gives the plan's first column and row, its width, and how many such cells there are.
    """
    paths = np.empty(CARDS, np.int64)
    left, top, width, height = draw_plan(s, plan)
    trace(s, plan, left, top, width, beside, paths)
    found = 0
    for row in range(1, height - 1):
        for cell in range(row * width + 1, (row + 1) * width - 1):
            if plan[cell] < 0:
                ends = ends_at(s, plan, width, paths, cell)
                if ends[0] | ends[1] | ends[2] | ends[3]:
                    cells[found] = cell
                    for side in range(SIDES):
                        leads[found, side] = ends[side]
                    found += 1
    return left, top, width, found


@rule
def ends_at(s: Any, plan: Any, width: int, paths: Any, cell: int) -> tuple[int, int, int, int]:
    """LAB-04: the cards that paths lead to from each side of a cell, as sets."""
    north, east = opens_to(s, plan, width, cell, 0), opens_to(s, plan, width, cell, 1)
    south, west = opens_to(s, plan, width, cell, 2), opens_to(s, plan, width, cell, 3)
    return (
        int(paths[north]) if north >= 0 else 0,
        int(paths[east]) if east >= 0 else 0,
        int(paths[south]) if south >= 0 else 0,
        int(paths[west]) if west >= 0 else 0,
    )


@rule
def connected(ends: tuple[int, int, int, int], sides: int) -> int:
    """LAB-04: the cards that a card with these open sides is connected with where such paths end, as a set."""
    north, east, south, west = ends
    reached = north if sides & 1 else 0
    reached |= east if sides & 2 else 0
    reached |= south if sides & 4 else 0
    return reached | west if sides & 8 else reached


@rule
def closed(s: Any) -> bool:
    """LAB-11: no open side faces a free cell, so that no card fits anywhere."""
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            for side in range(SIDES):
                if open_sides(s, card) >> side & 1:
                    if is_free(s, int(s.x[card]) + STEP_X[side], int(s.y[card]) + STEP_Y[side]):
                        return False
    return True
