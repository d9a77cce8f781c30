"""The default policy of playouts, for a game whose heuristics bring none of their own."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.protocol import LOOKS, NOISE, prior
from clew.core.rng import WORD, below, next32
from clew.core.types import Floats, Integers, MoveCodes, State


@template
def policy(s: State, seat: int, out: MoveCodes, count: int, weights: Floats, rng: Integers) -> int:
    """Of weights[LOOKS] moves the one with the best prior, to which noise of up to weights[NOISE] is added."""
    best = 0
    most = 0.0
    looks = int(weights[LOOKS])
    tried = min(count, looks)
    for k in range(tried):
        i = k if count <= looks else below(rng, count)
        look = prior(s, seat, out[i], weights) + weights[NOISE] * next32(rng) / WORD
        if k == 0 or look > most:
            best, most = i, look
    return best
