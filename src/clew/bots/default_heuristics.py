"""Defaults for the heuristics that a game does not bring."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core.kernels import template
from clew.core.protocol import result


@template
def prior(s: Any, seat: int, move: Any, weights: Any) -> float:
    """All moves look alike."""
    return 0.0


@template
def worth(s: Any, seat: int, weights: Any) -> float:
    """Who leads will stay in the lead."""
    scores, places = np.empty(s.players, np.int64), np.empty(s.players, np.int64)
    result(s, scores, places)
    behind = 0.0
    for other in range(s.players):
        if other != seat:
            behind += 1.0 if places[other] > places[seat] else 0.5 if places[other] == places[seat] else 0.0
    return behind / max(1, s.players - 1)


@template
def duel(s: Any, seat: int, payoffs: Any) -> int:
    """No choice is known to be secret."""
    return 0
