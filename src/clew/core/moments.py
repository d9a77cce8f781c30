"""What a table works out of one of its states, and how it ended."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from clew.core.rng import stream
from clew.core.types import Generator, Json, State

# `Any` in signatures here: views and plain data of a game.


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the place and the score of each seat, and the way it ended."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    ended: str

    def __str__(self) -> str:
        places, scores = (" ".join(map(str, numbers)) for numbers in (self.places, self.scores))
        return f"places {places}; scores {scores}; ended {self.ended}"


class Moment:
    """What was worked out of one state of a table."""

    __slots__ = ("ended", "looks", "owing", "own", "public", "seen", "state", "views")

    def __init__(self, state: State) -> None:
        self.state = state
        self.owing: tuple[int, ...] | None = None
        self.ended: int | None = None
        self.looks: Any = None  # of all chairs, first of somebody who watches
        self.seen: dict[int, Any] = {}  # by chair
        self.public: Any = None  # the table as somebody who watches sees it
        self.own: dict[int, Json] = {}  # what differs from it, by chair
        self.views: dict[tuple[int, bool], Json] = {}  # by chair, and whether with what is known


@functools.lru_cache(1024)
def first_look(moves: int) -> Generator:
    """The generator for a first look at an undo after so many moves; whoever uses it takes a copy."""
    return stream(moves, "may undo")
