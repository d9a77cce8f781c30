"""A move as the surface shows it: readable, and carrying what the rules need."""

from __future__ import annotations

from typing import Any, NamedTuple


class Said(NamedTuple):
    """A move for people, without any code: in a few words, and in a sentence that tells what comes of it."""

    short: str
    long: str


class Move:
    """A move; `str(move)` is its written form, `code` what the rules read (an integer or a record)."""

    __slots__ = ("code", "text")

    def __init__(self, text: str, code: Any) -> None:  # a number, or a record of the game's own type
        self.text = text
        self.code = code

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)
