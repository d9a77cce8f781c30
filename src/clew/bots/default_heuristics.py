"""Defaults for the heuristics that a game does not bring."""

from __future__ import annotations

import numpy as np

from clew.core.kernels import template
from clew.core.protocol import result
from clew.core.types import Floats, MoveCode, State


@template
def prior(s: State, seat: int, move: MoveCode, weights: Floats) -> float:
    """All moves look alike."""
    return 0.0


@template
def worth(s: State, seat: int, weights: Floats) -> float:
    """Who leads will stay in the lead."""
    scores, places = np.empty(s.players, np.int64), np.empty(s.players, np.int64)
    result(s, scores, places)
    behind = 0.0
    for other in range(s.players):
        if other != seat:
            behind += 1.0 if places[other] > places[seat] else 0.5 if places[other] == places[seat] else 0.0
    share: float = behind / max(1, s.players - 1)
    return share


@template
def duel(s: State, seat: int, payoffs: Floats) -> int:
    """No choice is known to be secret."""
    return 0
