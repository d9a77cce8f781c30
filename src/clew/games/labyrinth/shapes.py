"""The table of Labyrinth as plain data."""

from __future__ import annotations

from typing import Literal, TypedDict


class Face(TypedDict):
    """What is printed on a card, and its open sides in each of its rotations."""

    card: str
    shape: Literal["straight", "bend", "T"]
    treasures: list[str]
    open: list[str]


class Placed(Face):
    """A card in the labyrinth."""

    x: int
    y: int
    rotation: int


class Take(TypedDict):
    """What a card could take from a cell; bit i of a set stands for the cell number i in `cells`."""

    card: str
    cell: str
    rotations: list[int]
    cells: list[str]
    treasures: list[str]
    sets: list[int]


class Seat(TypedDict):
    """What lies open before a player: how many cards are in hand, and which were taken."""

    name: str
    cards: int
    taken: list[Face]
    score: int


class LabyrinthTable(TypedDict):
    """What a chair sees, with all that can be done with the own hand."""

    turns: int
    deck: int
    hand: list[Face]
    labyrinth: list[Placed]
    placements: dict[str, list[str]]
    takes: list[Take]
    seats: list[Seat]
    unseen: list[str]
