"""Which states of Pebbles there can be."""

from __future__ import annotations

from clew.core import rule

BOUNDS = {"turn": (0, 1), "taken": (0, 20), "lifted": (0, 1), "coin": (0, 2)}


@rule
def possible(s, again):
    """Not more is taken than there is, and every coin shows a side."""
    return s.taken <= s.heap and s.coin[0] > 0 and s.coin[1] > 0
