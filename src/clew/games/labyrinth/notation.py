"""How Labyrinth's cells and moves are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from clew.core.kernels import interpreted
from clew.games.labyrinth import cards, rules
from clew.games.labyrinth.cards import BEND, MATES, STRAIGHT, TEE

Cell: TypeAlias = tuple[int, int]

SHAPE_NAMES: dict[int, Literal["straight", "bend", "T"]] = {STRAIGHT: "straight", BEND: "bend", TEE: "T"}
MATES_OF: list[list[int]] = cards.MATES_OF.tolist()
OPEN: list[list[int]] = cards.OPEN.tolist()

encode = interpreted(rules.encode)
_decode = interpreted(rules.decode)


def decode(move: int) -> tuple[int, int, Cell, list[int]]:
    """Card, rotation, cell and the cards taken of a move."""
    card, rotation, x, y, takes = _decode(int(move))
    return card, rotation, (x, y), [MATES_OF[card][i] for i in range(MATES) if takes >> i & 1]


def write_cell(cell: Cell) -> str:
    """A cell as people write it."""
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell:
    """The cell that is written so."""
    x, y = text.split(",")
    return int(x), int(y)


def reading(cell: Cell) -> Cell:
    """What cells are sorted by: row by row from the top, each row from the left."""
    return cell[1], cell[0]


def write_cells(cells: Iterable[Cell]) -> list[str]:
    """Cells as people write them, in reading order."""
    return [write_cell(cell) for cell in sorted(cells, key=reading)]


def cell_of(v: Any, card: int) -> Cell:
    """Where a card lies."""
    return int(v.x[card]), int(v.y[card])


def near(cell: Cell) -> list[Cell]:
    """The four cells beside a cell: north, east, south, west."""
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
