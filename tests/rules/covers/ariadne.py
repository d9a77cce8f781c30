"""What a chair of Ariadne's Thread does not know, said a second time and by hand."""

from __future__ import annotations

from typing import Any

SOME_CARD = 1


def cover(s: Any, seat: int) -> None:
    """ARI-19: the other's hand, the order of the decks, the rounds to come. How many cards lie where is known."""
    for other in range(2):
        if other != seat:
            s.hand[other][s.hand[other] > 0] = SOME_CARD
    s.deck[s.deck > 0] = SOME_CARD
