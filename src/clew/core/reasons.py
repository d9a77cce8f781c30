"""Why a move is refused: a number in compiled code, with the rule it breaks and the sentence for people beside it."""

from __future__ import annotations

import sys
from typing import Any

from clew.core.errors import BadRules, capital

# `Any` in signatures here: facts about a move, which are text or numbers.


class Reason(int):
    """A reason of a game's `refusal`, declared once: `NOT_HELD = Reason("PAL-06", "You do not hold {card}.")`.

    Reasons are numbered from 1 in the order in which a module declares them. The names in braces are the parts of
    the move, as people say them, and what the game's `facts(move, v)` adds; with a capital, as in {Card}, the first
    letter is made one. A reason that only the words give, such as for a move that cannot be read, needs no number.
    """

    rule: str
    text: str

    def __new__(cls, rule: str, text: str) -> Reason:
        known: list[Reason] = sys._getframe(1).f_globals.setdefault("REASONS", [])
        made = super().__new__(cls, len(known) + 1)
        made.rule, made.text = rule, text
        known.append(made)
        return made

    def __reduce__(self) -> Any:  # a copy is a plain number: the words stay with the module that declares them
        return int, (int(self),)

    def say(self, facts: dict[str, Any]) -> tuple[str, str]:
        """The rule, and the sentence about these things."""
        capitals = {capital(name): capital(str(said)) for name, said in facts.items()}
        try:
            return self.rule, self.text.format_map({**capitals, **facts})
        except KeyError as error:
            raise BadRules(f"The reason {self.text!r} speaks of {error}, which this move has not.") from error
