"""Where the cards of Labyrinth lie: the cells of the labyrinth, on a plan of which the free ones can be seen."""

from __future__ import annotations

from typing import Any

from clew.core import rule
from clew.games.labyrinth.cards import CARDS, SIDES

STEP_X, STEP_Y = (0, 1, 0, -1), (-1, 0, 1, 0)  # to the cell on each side
HIDDEN, IN_LABYRINTH, TAKEN = range(3)  # where a card lies: TAKEN + seat if that seat has it

# A card is placed beside another. So each of the 46 placed moves the border of the labyrinth by one cell at most, on
# one side: cells are from -46 to 47, and width and height are 4 + 46 at most together. With two free cells all around,
# the plan of a labyrinth of any form has 29 * 29 cells or fewer.
PLAN = 29 * 29
FAR = 1000  # further than any cell, and than any that can be written


@rule
def place(s: Any, card: int, rotation: int, x: int, y: int) -> None:
    """Lay a card on a cell."""
    s.lies[card] = IN_LABYRINTH
    s.rotation[card] = rotation
    s.x[card] = x
    s.y[card] = y


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
def is_free(s: Any, x: int, y: int) -> bool:
    """No card lies on this cell."""
    for card in range(CARDS):
        if s.x[card] == x and s.y[card] == y and s.lies[card] == IN_LABYRINTH:
            return False
    return True


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
def join(plan: Any, width: int, cell: int, card: int, beside: Any) -> None:
    """Make a card on this cell and those around it neighbours, or undo that."""
    for side in range(SIDES):
        other = int(plan[cell + STEP_Y[side] * width + STEP_X[side]])
        if other >= 0:
            beside[card] ^= 1 << other
            beside[other] ^= 1 << card
