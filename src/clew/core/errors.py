"""What can go wrong, each said in one sentence for the person who meets it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

QUOTED = 60  # characters of what was given that a sentence shows
SENTENCE = 300  # characters of what a game says of a move or a deal: it may quote all of it


def quoted(given: object) -> str:
    """What was given, as a sentence shows it: text and numbers if they are short, of all else only the type.

    >>> quoted("K7"), quoted(7), quoted(10**5000), quoted([7]), quoted("K" * 900_000)[55:]
    ("'K7'", '7', '<number of about 5001 digits>', '<list>', "KKKKK…'")
    """
    if isinstance(given, str):
        shown = repr(given[: QUOTED + 1])
        return shown if len(shown) <= QUOTED + 2 else shown[:QUOTED] + "…" + shown[-1]
    if isinstance(given, int) and given.bit_length() > 128:  # Python itself refuses to write very long ones
        return f"<number of about {1 + math.floor(given.bit_length() * math.log10(2))} digits>"
    if given is None or isinstance(given, int | float):
        return repr(given)
    return f"<{type(given).__name__[:QUOTED]}>"


def shortened(text: str, most: int = QUOTED) -> str:
    """A text on one line and without its middle if it is long, to stand in a sentence as it is.

    >>> shortened("K7:a"), shortened("K" * 900_000, 9), shortened(f"K7{chr(27)}{chr(10)}:a")
    ('K7:a', 'KKKK…KKKK', 'K7??:a')
    """
    if len(text) > most:
        text = text[: most // 2] + "…" + text[len(text) - (most - 1) // 2 :]
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def capital(text: str) -> str:
    """A text at the start of a sentence.

    >>> capital("the owl and gem card")
    'The owl and gem card'
    """
    return text[:1].upper() + text[1:]


class ClewError(ValueError):
    """The base of every error that Clew raises on purpose."""


class UnknownGame(ClewError):
    """There is no such game, or its folder is not a game."""


class BadRules(ClewError):
    """The rules of a game went wrong: they wrote or read where there is nothing."""


class BadOption(ClewError):
    """An option, a number of players, a seed, a seat or a budget that there cannot be; `about` says which of them."""

    def __init__(self, reason: str, about: str = "options") -> None:
        super().__init__(reason, about)
        self.reason = reason
        self.about = about

    def __str__(self) -> str:
        return self.reason


class IllegalMove(ClewError):
    """A move that was refused: `rule` is the id of the rule it breaks, `reason` says how.

    Where several things are wrong at once, `faults` lists them as plain data: each with its `rule`, the `text` about
    it, and what else the game tells, such as `cells`. It is empty where the reason says all.

    >>> str(IllegalMove("PAL-10", "Your pawn stands at the end of the path."))
    'Your pawn stands at the end of the path. (PAL-10)'
    """

    def __init__(self, rule: str, reason: str, faults: Sequence[dict[str, Any]] = ()) -> None:  # of the game
        super().__init__(rule, reason, faults)
        self.rule = rule
        self.reason = reason
        self.faults = list(faults)

    def __str__(self) -> str:
        told = shortened(self.reason, SENTENCE)
        return f"{told} ({self.rule})" if self.rule else told


class BadDeal(ClewError):
    """A written deal that cannot be dealt: `key` names the deal line."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key = key
        self.reason = reason

    def __str__(self) -> str:
        return shortened(self.reason, SENTENCE)


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


class NoWorlds(ClewError):
    """The sampler finds no world that explains what a chair saw, or cannot look for one in this game."""


class UnknownBot(ClewError):
    """There is no such bot or level."""


class BadView(ClewError):
    """Something that is not a view of this game in which its seat owes a move."""
