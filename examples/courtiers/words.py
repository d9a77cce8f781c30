"""What refusals of Courtiers speak of: the card that a move plays."""

from __future__ import annotations

from typing import Any

from .rules import CARD, role_of


def facts(move: int, v: Any) -> dict[str, Any]:
    """The card by its name."""
    return {"role": CARD.say(role_of(move))}
