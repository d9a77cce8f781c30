"""What rules do with a row of cards."""

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

    >>> index_of((3, 1, 2), 3, 2), index_of((3, 1, 2), 3, 5)
    (2, -1)
    """
    for i in range(count):
        if cards[i] == card:
            return i
    return -1


@rule
def count_of(cards: Numbers, count: int, card: int) -> int:
    """How often a card is among the first `count`.

    >>> count_of((3, 1, 3, 3), 3, 3)
    2
    """
    found = 0
    for i in range(count):
        found += cards[i] == card
    return found


@rule
def fill(cards: Numbers, first: int, copies: Numbers) -> None:
    """Lay out a deck in order: the card `first` as often as copies[0] says, and so on.

    >>> import numpy as np
    >>> deck = np.zeros(6, np.int64)
    >>> fill(deck, 1, (3, 2, 1))
    >>> deck.tolist()
    [1, 1, 1, 2, 2, 3]
    """
    count = 0
    for i in range(len(copies)):
        for _ in range(copies[i]):
            cards[count] = first + i
            count += 1
