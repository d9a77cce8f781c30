"""The shape of what `Table.view` gives: what programs that read views, such as the table in the browser, rely on.

The part called `table` is the game's own: the result type of `describe` in its `words.py`, where it has one.
"""

from __future__ import annotations

from typing import Any, TypedDict

Cell = tuple[int, int]
"""A place on a table: x to the right, y downwards."""


class OutcomeShape(TypedDict):
    """How a game ended, seat by seat."""

    places: list[int]
    scores: list[int]
    ended: str


class View(TypedDict):
    """What a chair knows."""

    game: str
    rules: int
    options: dict[str, int | str]
    players: int
    seat: int | None
    to_move: list[int]
    outcome: OutcomeShape | None
    table: Any  # what the game's `describe` gives
    known: str
