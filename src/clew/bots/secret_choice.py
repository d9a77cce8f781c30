"""A secret choice at the same time as the other's is solved where the heuristics state its exact chances."""

from __future__ import annotations

from clew.bots.matrix import solve
from clew.bots.ranking import DUEL, drawn
from clew.core.kernels import template
from clew.core.protocol import duel
from clew.core.rng import branch
from clew.core.types import Floats, Integers, State


@template
def solve_duel(s: State, seat: int, n: int, roots: Integers, rng: Integers, payoffs: Floats, solution: Floats) -> int:
    """The index of the choice to make among n, -1 where none is secret.

    Writes how often each is made by the best mixed choice, and in a second row how often the other makes each.
    """
    width = duel(s, seat, payoffs)
    if width == 0:
        return -1
    solve(payoffs, n, width, solution[0], solution[1])
    branch(roots, DUEL, rng)
    return drawn(solution[0], n, rng)
