"""How Labyrinth's cards, treasures, cells and moves are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from clew.games.labyrinth import paths
from clew.games.labyrinth.paths import BEND, CARDS, FAR, MATES, ROTATIONS, STRAIGHT, TEE

Cell: TypeAlias = tuple[int, int]

TREASURE_NAMES = (
    *("candelabra", "crown", "ghost", "troll", "map", "money bag", "key", "ring", "sword", "helmet", "book", "gem"),
    *("owl", "bat", "dragon", "mouse", "spider", "beetle", "lizard", "genie", "chest", "skull", "lantern", "goblet"),
    "horn",
)
CARD_NAMES = tuple(f"c{card + 1:02}" for card in range(CARDS))
SHAPE_NAMES: dict[int, Literal["straight", "bend", "T"]] = {STRAIGHT: "straight", BEND: "bend", TEE: "T"}
MATES_OF: list[list[int]] = paths.MATES_OF.tolist()


def decode(move: int) -> tuple[int, int, Cell, list[int]]:
    """Card, rotation, cell and the cards taken of a move."""
    rest, card = divmod(int(move), CARDS)
    rest, rotation = divmod(rest, ROTATIONS)
    rest, x = divmod(rest, 2 * FAR)
    takes, y = divmod(rest, 2 * FAR)
    return card, rotation, (x - FAR, y - FAR), [MATES_OF[card][i] for i in range(MATES) if takes >> i & 1]


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
