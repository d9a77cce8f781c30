"""How people speak of Labyrinth's cards, of where they lie, and of a move: by treasures, never by codes or cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clew.core import listing
from clew.games.labyrinth.cards import TREASURE_NAMES, TREASURES_OF
from clew.games.labyrinth.connections import board_of
from clew.games.labyrinth.notation import Cell, decode, near
from clew.games.labyrinth.rules import CARD

SIDES = ("below", "left of", "above", "right of")  # of a card that lies north, east, south, west of the cell
TURNS = ("", "once", "twice", "three times")


def named(cards: Iterable[int]) -> str:
    """Several cards in a sentence."""
    return listing([CARD.say(card) for card in cards])


def beside(cell: Cell, board: Mapping[Cell, int]) -> str:
    """Where a cell is, by a card beside it: right of the owl and gem card."""
    sides = [(side, near(cell)[side]) for side in (3, 1, 0, 2)]
    side, other = next((side, other) for side, other in sides if other in board)
    return f"{SIDES[side]} {_short(board[other], board.values())}"


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: which card, how often turned, where to, and what it takes."""
    card, rotation, cell, takes = decode(move)
    board = board_of(v)
    name = _short(card, v.hands.tolist())
    name = name if name.endswith(" card") else f"{name} card"
    where = beside(cell, board) if any(c in board for c in near(cell)) else "somewhere else"
    place = f"turn {name} {TURNS[rotation]} and place it {where}" if rotation else f"place {name} {where}"
    taken = listing([_short(mate, board.values(), {*TREASURES_OF[card]}) for mate in takes])
    turned = f", turned {TURNS[rotation]}," if rotation else ""
    short = f"{name.removeprefix('the ')}{turned} {where}"
    return (f"{short}, take {taken}", f"{place}; take {taken}") if takes else (short, place)


def _short(card: int, among: Iterable[int], like: Iterable[int] = ()) -> str:
    """A card by one treasure, if no other of those has it: the owl; else by both."""
    others = {treasure for other in among if other >= 0 and other != card for treasure in TREASURES_OF[other]}
    for treasure in sorted(TREASURES_OF[card], key=lambda treasure: treasure not in like):
        if treasure not in others:
            return f"the {TREASURE_NAMES[treasure]}"
    return CARD.say(card)
