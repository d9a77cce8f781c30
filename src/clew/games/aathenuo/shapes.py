"""The table of Aathenuo as plain data."""

from __future__ import annotations

from typing import Literal, TypedDict


class Tile(TypedDict):
    """A tile on the table, and the numbers that it can stand for."""

    tile: str
    x: int
    y: int
    colour: str
    number: int | None
    can_be: list[int]


class Line(TypedDict):
    """A set on the table."""

    kind: Literal["run", "group"]
    cells: list[list[int]]
    tiles: list[str]


class Fault(TypedDict):
    """What is wrong with a part of a layout."""

    rule: str
    text: str
    cells: list[list[int]]
    tiles: list[str]


class DraftShape(TypedDict):
    """A play in the making: as one move, the table with it, what is wrong with that, what is left on the rack."""

    text: str
    table: list[Tile]
    faults: list[Fault]
    rack: list[str]


class Seat(TypedDict):
    """What others see of a player's rack."""

    name: str
    tiles: int
    colours: dict[str, int]
    place: int
    rack: list[str] | None


class AathenuoTable(TypedDict):
    """What a chair sees."""

    turns: int
    turn: int
    passes: int
    first: int
    bag: int
    draw_off: list[list[str | None]]
    tiles: list[Tile]
    sets: list[Line]
    rack: list[str]
    seats: list[Seat]
    unseen: dict[str, int]
