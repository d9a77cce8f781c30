"""The table of Ariadne's Thread as plain data."""

from __future__ import annotations

from typing import Literal, TypedDict

Facing = Literal["up", "down"]


class Lying(TypedDict):
    """A card on the tableau."""

    x: int
    y: int
    card: str
    seat: int | None
    face: Facing
    group: int | None
    last: bool


class Box(TypedDict):
    """The outermost cells of a part of the tableau."""

    left: int
    right: int
    top: int
    bottom: int


class Joker(TypedDict):
    """Where the Joker lies, and as whom."""

    x: int
    y: int
    face: Facing
    name: str


class Group(TypedDict):
    """Side-connected cards of one colour: a thread, or what could become one."""

    group: int
    seat: int
    cells: list[list[int]]
    cards: list[str]
    points: int
    thread: bool
    joker: bool


class Tableau(TypedDict):
    """The cards of a round as they lie."""

    cells: list[Lying]
    box: Box
    joker: Joker
    groups: list[Group]


class Previous(Tableau):
    """The tableau at the end of the round before."""

    round: int


class Score(TypedDict):
    """A player's points of a round."""

    threads: int
    joker: int
    score: int


class Seat(TypedDict):
    """What is known of a player's cards and points."""

    name: str
    colour: Literal["black", "red"]
    cards: int
    deck: int
    unseen: list[str]
    rounds: list[Score]
    now: Score
    score: int


class AriadneTable(TypedDict):
    """What a chair sees."""

    phase: Literal["play", "over"]
    round: int
    rounds: int
    max_rounds: int
    extra: bool
    first: int
    turns: int
    turns_left: int
    thread_min: int
    hand: list[str]
    last: Lying | None
    window: Box
    free: list[list[int]]
    tableau: Tableau
    previous: Previous | None
    seats: list[Seat]
