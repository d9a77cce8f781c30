"""What happened, in words and as data, from one chair's knowledge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.core.colours import SEATS as SEATS

SEAT_STYLES = (
    *("bold #FFFFFF on #1F5F8B", "bold #FFFFFF on #B5482F", "bold #1F2A37 on #D9A441"),
    *("bold #FFFFFF on #6B7A3A", "bold #FFFFFF on #6D2E46", "bold #1F2A37 on #EDE6D6"),
)
"""How rich shows those names; never without the name."""


@dataclass(frozen=True, init=False)
class Event:
    """One thing that happened: `text` for people, `kind` and `data` for a program, `rule` the rule behind it."""

    kind: str
    text: str
    rule: str
    seat: int | None
    data: dict[str, Any]  # plain data, as the game has it

    def __init__(
        self, kind: str, text: str, rule: str, seat: int | None = None, data: dict[str, Any] | None = None
    ) -> None:  # what a frozen dataclass makes sets each field by a call; servers tell several events a move
        vars(self).update(kind=kind, text=text, rule=rule, seat=seat, data={} if data is None else data)

    def __str__(self) -> str:
        return self.text

    def json(self) -> dict[str, Any]:  # plain data, as programs get it
        """The event as plain data."""
        found = {"kind": self.kind, "text": self.text, "rule": self.rule, "seat": self.seat}
        return {**found, **self.data}


def plural(count: int, thing: str, things: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "statue"), plural(2, "statue")
    ('1 statue', '2 statues')
    """
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def listing(things: list[str], last: str = " and ") -> str:
    """Several things in a sentence.

    >>> listing(["a statue", "a fresco", "the disc"])
    'a statue, a fresco and the disc'
    """
    return last.join(([", ".join(things[:-1])] if things[:-1] else []) + things[-1:])
