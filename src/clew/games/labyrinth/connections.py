"""What is connected in the labyrinth, to be shown: the rules judge by sets of bits, here are cells."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clew.games.labyrinth import paths
from clew.games.labyrinth.notation import Cell, reading
from clew.games.labyrinth.paths import IN_LABYRINTH, TREASURES_OF

OPEN: list[list[int]] = paths.OPEN.tolist()
KEPT = 256  # boards


class Board(dict[Cell, tuple[int, int]]):
    """A card and its open sides by cells, never changed; what is asked of it by each chair is found once."""

    @functools.cached_property
    def paths(self) -> dict[Cell, set[Cell]]:
        """LAB-04: for each cell all those that its paths lead to."""
        return paths_of(self)

    @functools.cached_property
    def leads(self) -> dict[Cell, dict[int, set[Cell]]]:
        """The free cells beside cards, in reading order, and by sides what the paths that end there lead to."""
        free = sorted({c for cell in self for c in near(cell) if c not in self}, key=reading)
        return {cell: {side: self.paths[c] for side, c in opening(self, cell).items()} for cell in free}


_boards: dict[tuple[bytes, ...], Board] = {}


def board_of(v: Any) -> Board:
    """The labyrinth cell by cell, in reading order: the same for all who look at it."""
    key = (v.lies.tobytes(), v.x.tobytes(), v.y.tobytes(), v.rotation.tobytes())
    board = _boards.get(key)
    if board is None:
        cards = zip(v.lies.tolist(), v.x.tolist(), v.y.tolist(), v.rotation.tolist(), strict=True)
        found = [(y, x, card, r) for card, (lies, x, y, r) in enumerate(cards) if lies == IN_LABYRINTH]
        if len(_boards) >= KEPT:
            _boards.clear()
        board = _boards[key] = Board({(x, y): (card, OPEN[card][r]) for y, x, card, r in sorted(found)})
    return board


def near(cell: Cell) -> list[Cell]:
    """The four cells beside a cell: north, east, south, west."""
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def opening(board: Mapping[Cell, tuple[int, int]], cell: Cell) -> dict[int, Cell]:
    """By sides, the cells beside a cell whose cards have an open side towards it."""
    found = {side: other for side, other in enumerate(near(cell)) if other in board}
    return {side: other for side, other in found.items() if board[other][1] >> (side ^ 2) & 1}


def paths_of(board: Mapping[Cell, tuple[int, int]]) -> dict[Cell, set[Cell]]:
    """LAB-04: for each cell all those that its paths lead to."""
    paths: dict[Cell, set[Cell]] = {}
    for cell in board:
        if cell not in paths:
            reached, walk = {cell}, [cell]
            for here in walk:
                sides = board[here][1]
                fresh = [c for side, c in opening(board, here).items() if sides >> side & 1 and c not in reached]
                reached.update(fresh)
                walk += fresh
            paths.update(dict.fromkeys(reached, reached))
    return paths


def like_treasures(board: Board, card: int) -> dict[Cell, int]:
    """Where a treasure of the card lies in the labyrinth, in reading order, and which one."""
    return {
        cell: treasure
        for cell, (other, _) in board.items()
        for treasure in TREASURES_OF[card]
        if treasure in TREASURES_OF[other]
    }


def connected(board: Board, card: int, rotation: int, cell: Cell) -> list[Cell]:
    """LAB-05: the cells of the cards that this one, placed here, is connected with by a treasure."""
    paths, sides = board.paths, OPEN[card][rotation]
    reached = set().union(*(paths[c] for side, c in opening(board, cell).items() if sides >> side & 1))
    return [c for c in like_treasures(board, card) if c in reached]


def way(board: Mapping[Cell, tuple[int, int]], start: Cell, goal: Cell) -> list[Cell]:
    """LAB-05: the shortest path from one cell to another that is connected with it, both of them included."""
    came_from = {start: start}
    walk = [start]
    for here in walk:
        for side, there in opening(board, here).items():
            if board[here][1] >> side & 1 and there not in came_from:
                came_from[there] = here
                walk.append(there)
    found = [goal]
    while found[-1] != start:
        found.append(came_from[found[-1]])
    return found[::-1]


def may_take(board: Iterable[Cell], cell: Cell, choice: Sequence[Cell], one_piece: bool) -> list[int]:
    """LAB-06, LAB-07: what may be taken together when a card lies on a cell; bit i of a set stands for choice[i]."""
    cells = {*board, cell}
    bits = {taken: 1 << i for i, taken in enumerate(choice)}
    sets = list(range(1, 1 << len(choice)))
    for other in {cell, *choice, *(c for taken in choice for c in near(taken) if c in cells)}:
        beside = [c for c in near(other) if c in cells]
        if all(c in bits for c in beside):  # it must not be left when all its neighbours go
            all_of_them = sum(bits[c] for c in beside)
            sets = [taken for taken in sets if taken & all_of_them != all_of_them or taken & bits.get(other, 0)]
    if one_piece:
        parts = _parts(cells, bits)
        sets = [taken for taken in sets if _hold_together([p & ~taken for own, p in parts if not own & taken])]
    return sets


def _parts(cells: set[Cell], bits: Mapping[Cell, int]) -> list[tuple[int, int]]:
    """Each card in `bits` and each piece that is left without them all: its own bit, and with it those it touches."""
    parts, loose = [], cells - bits.keys()
    for cell, own in bits.items():
        parts.append((own, own | sum(bits.get(other, 0) for other in near(cell))))
    while loose:
        walk, touched = [loose.pop()], 0
        for here in walk:
            for other in near(here):
                touched |= bits.get(other, 0)
                if other in loose:
                    loose.remove(other)
                    walk.append(other)
        parts.append((0, touched))
    return parts


def _hold_together(parts: list[int]) -> bool:
    whole, *others = parts
    while others:
        joined = [part for part in others if part & whole]
        if not joined:
            return False
        others = [part for part in others if not part & whole]
        for part in joined:
            whole |= part
    return True
