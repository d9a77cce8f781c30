"""What variants are compared by: numbers that are a mean over games, or the ratio of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clew.core.errors import ClewError, quoted, shortened
from clew.core.game import Game
from clew.core.types import Integers
from clew.lab.intervals import Moments
from clew.lab.result import Unit
from clew.lab.rows import COURSE, ENDING, WHOLE, Columns, own_measures


@dataclass(frozen=True)
class Scalar:
    """A mean over games, or a ratio of two means; `course` are those that are noted of a part of the games."""

    key: str
    label: str
    unit: Unit
    over: str
    under: str = ""
    per: float = 1.0
    course: bool = False

    @property
    def name(self) -> str:
        """As it is written on a command line."""
        return f"{self.key}/{self.label}"

    def linear(self, moments: Moments, prefix: str = "") -> tuple[float, dict[str, float]]:
        """Its value, and how it changes with the means of columns."""
        over = moments.mean(prefix + self.over)
        if not self.under:
            return over / self.per, {prefix + self.over: 1 / self.per}
        under = moments.mean(prefix + self.under)
        if under == 0:
            return 0.0, {}
        value = over / under
        return value / self.per, {
            prefix + self.over: 1 / under / self.per,
            prefix + self.under: -value / under / self.per,
        }


def scalars_of(game: Game, columns: Columns, pace: float) -> list[Scalar]:
    """All that two variants of a game are compared by."""
    seats = [Scalar("seats", f"seat {seat + 1}", "share", f"won_{seat}", per=WHOLE) for seat in range(columns.players)]
    endings = [
        Scalar("endings", name, "share", f"ended_{number}")
        for number, name in enumerate(game.endings, 1)
        if len(game.endings) > 1
    ]
    return [
        *endings,
        *(seats[:1] if columns.players == 2 else seats),  # of two the other wins the rest
        Scalar("moves", "mean", "moves", "moves"),
        Scalar("turns", "mean", "turns", "turns"),
        Scalar("minutes", "mean", "minutes", "turns", per=60 / pace),
        Scalar("settled", "settled after", "share", "settled", "moves", course=True),
        Scalar("lead_changes", "a game", "times", "lead_changes", course=True),
        Scalar("comebacks", "games", "share", "comeback", per=WHOLE, course=True),
        Scalar("behind", "of the game", "share", "behind", "moves", per=WHOLE, course=True),
        Scalar("forced", "of the moves", "share", "forced", "moves"),
        Scalar("options", "a move", "number", "options", "moves"),
        Scalar("ties", "games", "share", "shared"),
        Scalar("margin", "mean", "points", "margin"),
        Scalar("wait", "mean", "moves", "wait"),
        Scalar("watch", "mean", "moves", "watch"),
        *(Scalar("own", name, "number", name) for name in own_measures(game)),
    ]


def find_scalar(name: str, scalars: Sequence[Scalar]) -> Scalar:
    """The number of this name: seats/seat 1, or the key alone where it has one number; first_seat is the first seat's.

    A misspelt one is told with those that there are.
    """
    wanted = "seats/seat 1" if name == "first_seat" else name
    found = [scalar for scalar in scalars if wanted in (scalar.name, scalar.key)]
    if len(found) != 1:
        there = ", ".join(["first_seat", *dict.fromkeys(scalar.key for scalar in scalars)])
        raise ClewError(f"There is no measure {quoted(name)} to aim at; there are {shortened(there, 250)}.")
    return found[0]


def compared(columns: Columns, endings: int, rows: Integers) -> tuple[tuple[str, ...], Integers]:
    """The columns that variants are compared by: those of the rows, and for each ending whether it is that one."""
    ended = np.column_stack([rows[:, ENDING] == number for number in range(1, endings + 1)]).astype(np.int64)
    names = (*columns.names, *(f"ended_{number}" for number in range(1, endings + 1)))
    return names, np.column_stack([rows, ended])


def course_of(columns: Columns, rows: Integers, which: Integers) -> Integers:
    """How those of the games went of which that is noted."""
    taken: Integers = rows[which][:, [columns.at(name) for name in COURSE]]
    return taken
