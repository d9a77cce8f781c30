"""What rules do with a row of cards, and with a row of scores."""

from __future__ import annotations

from clew.core.kernels import rule
from clew.core.types import Numbers


@rule
def sort(cards: Numbers, count: int) -> None:
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


@rule
def index_of(cards: Numbers, count: int, card: int) -> int:
    """Where a card is among the first `count`; -1 if it is not there.

    >>> index_of([3, 1, 2], 3, 2), index_of([3, 1, 2], 3, 5)
    (2, -1)
    """
    for i in range(count):
        if cards[i] == card:
            return i
    return -1


@rule
def rank(scores: Numbers, places: Numbers) -> None:
    """The places for these scores: the highest first, and equal scores share a place.

    >>> import numpy as np
    >>> places = np.zeros(3, np.int64)
    >>> rank(np.array([5, 7, 5]), places)
    >>> places.tolist()
    [2, 1, 2]
    """
    for i in range(len(places)):
        places[i] = 1
        for j in range(len(places)):
            places[i] += scores[j] > scores[i]
