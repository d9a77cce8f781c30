"""Who sits at a table, and on which terms it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.core.cast import called

GUEST = "Guest"  # who had given no name, in older logs
STAND_IN = 3  # the level of a bot that plays on for somebody who resigned or ran out of time


@dataclass(frozen=True)
class Sitter:
    """Who sits on a seat. A person with a level is absent: a bot of that level plays."""

    kind: str  # person, bot or open
    name: str = ""
    person: str | None = None
    level: int | None = None
    resigned: bool = False

    @property
    def active(self) -> bool:
        """Whether a person is to move here, and to be asked."""
        return self.kind == "person" and self.level is None


@dataclass(frozen=True)
class Terms:
    """What everybody can read about a table before the game, and what holds to its end."""

    hints: bool = True
    stand_in: float | None = 15.0  # seconds away after which the others may let a bot play; None for never


def names_of(seats: Sequence[Sitter]) -> tuple[str, ...]:
    """The one name of everybody at a table: given, the bot's, or the colour of the seat, and no two the same."""
    bots = [seat for seat, sitter in enumerate(seats) if sitter.kind == "bot"]
    return called(["" if sitter.name == GUEST else sitter.name for sitter in seats], bots)
