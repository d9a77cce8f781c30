"""The cards of Labyrinth, and the paths that they make where they lie: the deck, the plan, what is connected."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import no_inline, rule

CARDS = 50
SIDES = 4  # north, east, south, west: bit i of a set of sides
STEP_X, STEP_Y = (0, 1, 0, -1), (-1, 0, 1, 0)
STRAIGHT, BEND, TEE = 0b0101, 0b0011, 0b0111  # the open sides of a card as it is printed
ROTATIONS = 4

TREASURE_NAMES = (
    *("candelabra", "crown", "ghost", "troll", "map", "money bag", "key", "ring", "sword", "helmet", "book", "gem"),
    *("owl", "bat", "dragon", "mouse", "spider", "beetle", "lizard", "genie", "chest", "skull", "lantern", "goblet"),
    "horn",
)
# LAB-01 two treasures and a shape a card
TREASURES_OF = tuple((k, (k + 1) % 25) if k < 25 else (k - 25, (k - 18) % 25) for k in range(CARDS))
SHAPE_OF = tuple(STRAIGHT if 7 * k % 50 < 13 else BEND if 7 * k % 50 < 32 else TEE for k in range(CARDS))
OPEN = np.zeros((CARDS, ROTATIONS), np.int64)  # the open sides, turned; none where a card has no such rotation
for _card, _shape in enumerate(SHAPE_OF):
    for _rotation in range(2 if _shape == STRAIGHT else ROTATIONS):
        OPEN[_card, _rotation] = (_shape << _rotation | _shape << _rotation >> SIDES) & 0b1111
MATES = 6  # each treasure of a card is on three others, and no other card has both
MATES_OF = np.array(
    [[k for k in range(CARDS) if len({*TREASURES_OF[k], *TREASURES_OF[card]}) == 3] for card in range(CARDS)], np.int64
)
HIDDEN, IN_LABYRINTH, TAKEN = range(3)  # where a card lies: TAKEN + seat if that seat has it

# A card is placed beside another. So each of the 46 placed moves the border of the labyrinth by one cell at most, on
# one side: cells are from -46 to 47, and width and height are 4 + 46 at most together. With two free cells all around,
# the plan of a labyrinth of any form has 29 * 29 cells or fewer.
PLAN = 29 * 29
FAR = 1000  # further than any cell, and than any that can be written
# A path with t T cards has t + 2 loose ends if it is a tree, and fewer if it has rings. The 49 cards that can lie there
# before another is placed make 49 paths at most.
ENDS = 18 + 2 * 49


@rule
def place(s: Any, card: int, rotation: int, x: int, y: int) -> None:
    """Lay a card on a cell."""
    s.lies[card] = IN_LABYRINTH
    s.rotation[card] = rotation
    s.x[card] = x
    s.y[card] = y


@rule
def open_sides(s: Any, card: int) -> int:
    """The open sides of a card as it lies."""
    return int(OPEN[card, s.rotation[card]])


@rule
def draw_plan(s: Any, plan: Any) -> tuple[int, int, int, int]:
    """Put the cards of the labyrinth on a plan, -1 on free cells; its first column and row, its width and height."""
    left, right, top, bottom = FAR, -FAR, FAR, -FAR
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            left, right = min(left, int(s.x[card])), max(right, int(s.x[card]))
            top, bottom = min(top, int(s.y[card])), max(bottom, int(s.y[card]))
    left, top = left - 2, top - 2
    width, height = right - left + 3, bottom - top + 3
    for cell in range(width * height):
        plan[cell] = -1
    for card in range(CARDS):
        if s.lies[card] == IN_LABYRINTH:
            plan[(s.y[card] - top) * width + s.x[card] - left] = card
    return left, top, width, height


@rule
def opens_to(s: Any, plan: Any, width: int, cell: int, side: int) -> int:
    """The card on this side of a cell, if it has an open side towards the cell; else -1."""
    other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
    if other >= 0 and open_sides(s, other) >> (side ^ 2) & 1:
        return other
    return -1


@rule
def neighbours(plan: Any, width: int, cell: int) -> int:
    """The cards that share a side with a cell, as a set: bit k for card k."""
    found = 0
    for side in range(SIDES):
        other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
        if other >= 0:
            found |= 1 << other
    return found


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
def join(plan: Any, width: int, cell: int, card: int, beside: Any) -> None:
    """Make a card on this cell and those around it neighbours, or undo that."""
    for side in range(SIDES):
        other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
        if other >= 0:
            beside[card] ^= 1 << other
            beside[other] ^= 1 << card


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


@rule
def is_free(s: Any, x: int, y: int) -> bool:
    """No card lies on this cell."""
    for card in range(CARDS):
        if s.x[card] == x and s.y[card] == y and s.lies[card] == IN_LABYRINTH:
            return False
    return True
