"""What rules do with a row of cards."""

from __future__ import annotations

from typing import Any

from clew.core.kernels import rule


@rule
def sort(cards: Any, count: int) -> None:
    """Put the first `count` cards in ascending order, by insertion: hands are short, and their order tells nothing.

    >>> import numpy as np
    >>> hand = np.array([3, 1, 2, 0])
    >>> sort(hand, 3)
    >>> hand.tolist()
    [1, 2, 3, 0]
    """
    for i in range(1, count):
        card = int(cards[i])
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
