"""Playing cards as people call them: for games that are played with an ordinary deck."""

from __future__ import annotations

RANKS = dict(
    zip(
        "A23456789TJQK",
        (*("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"),),
    )
)
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def suited(card: str) -> str:
    """A playing card as people say it; nothing for no card.

    >>> suited("TD"), suited("QH"), suited("")
    ('ten of diamonds', 'queen of hearts', '')
    """
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}" if card else ""
