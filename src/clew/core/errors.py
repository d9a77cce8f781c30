"""What can go wrong, each said in one sentence for the person who meets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ClewError(ValueError):
    """The base of every error that Clew raises on purpose."""


class UnknownGame(ClewError):
    """There is no such game, or its folder is not a game."""


class BadOption(ClewError):
    """An option, a number of players or a seed that the game does not have."""


class IllegalMove(ClewError):
    """A move that was refused: `rule` is the id of the rule it breaks, `reason` says how.

    Where several things are wrong at once, `faults` lists them as plain data: each with its `rule`, the `text` about
    it, and what else the game tells, such as `cells`. It is empty where the reason says all.

    >>> str(IllegalMove("PAL-10", "Your pawn stands at the end of the path."))
    'Your pawn stands at the end of the path. (PAL-10)'
    """

    def __init__(self, rule: str, reason: str, faults: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(rule, reason, faults)
        self.rule = rule
        self.reason = reason
        self.faults = list(faults)

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"


class BadDeal(ClewError):
    """A written deal that cannot be dealt: `key` names the deal line."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key = key
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class BadRecord(ClewError):
    """A record that cannot be replayed: `line` counts from 1, 0 for the record as a whole."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


class CannotUndo(ClewError):
    """A move that stays: it is not the asker's last, it showed something, or it is final."""
