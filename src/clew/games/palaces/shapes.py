"""The table of The Lost Palaces as plain data."""

from __future__ import annotations

from typing import Literal, TypedDict

Find = Literal["rare", "statue", "fresco15", "fresco20"]


class Site(TypedDict):
    """A dig site; nothing is known of a closed one."""

    step: int
    find: Find | None


class Walker(TypedDict):
    """A seat's pawn on a path, and the cards that brought it there."""

    pawn: Literal["archaeologist", "theseus"] | None
    step: int
    last: int | None
    cards: list[str]


class Path(TypedDict):
    """The path to a palace."""

    palace: str
    letter: str
    rare_points: int
    sites: list[Site]
    pawns: list[Walker]


class Points(TypedDict):
    """Where a score comes from."""

    steps: int
    statues: int
    treasures: int
    frescoes: int


class Seat(TypedDict):
    """What lies open before a player."""

    name: str
    archaeologists: int
    theseus: int
    cards: int
    statues: int
    rares: list[str]
    frescoes: list[int]
    points: Points
    score: int


class PalacesTable(TypedDict):
    """What a chair sees; `goals` are where numbers and where Ariadne take a pawn, from step 0 on."""

    turns: int
    pile: int
    hand: list[str]
    discards: list[str]
    step_points: list[int]
    statue_points: list[int]
    goals: list[list[int]]
    paths: list[Path]
    seats: list[Seat]
