"""All deals of a game, each with its exact chance: for games so small that there are few.

All luck of a game is in `deal`, and whatever `deal` draws it draws by `below`. So it is run once for each way in which
the draws can come out; ways that lead to the same table are one deal.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any

from numba.core.registry import CPUDispatcher

from clew.core import rng as random_numbers
from clew.core.errors import ClewError
from clew.core.game import Game
from clew.core.kernels import interpreted
from clew.core.rows import plainly
from clew.core.types import States

# `Any` in signatures here: Numba's dispatchers, and the scopes of functions.

MOST = 50_000  # ways to deal that are tried


class _Draws:
    """Chance that comes out as it is told to: first always 0, then counting up, the last draw first."""

    def __init__(self) -> None:
        self.drawn: list[int] = []
        self.sizes: list[int] = []
        self.at = 0

    def below(self, rng: Any, n: int) -> int:
        """The next draw, in place of the generator's."""
        if self.at == len(self.drawn):
            self.drawn.append(0)
            self.sizes.append(int(n))
        drawn = self.drawn[self.at]
        self.at += 1
        return drawn

    def next(self) -> bool:
        """Go on to the next way in which the draws can come out; False when there is none left."""
        self.at = 0
        while self.drawn and self.drawn[-1] + 1 == self.sizes[-1]:
            self.drawn.pop()
            self.sizes.pop()
        if not self.drawn:
            return False
        self.drawn[-1] += 1
        return True

    @property
    def chance(self) -> Fraction:
        """How likely the way is that was just taken."""
        product = Fraction(1)
        for size in self.sizes:
            product /= size
        return product


def all_deals(game: Game, blank: States) -> list[tuple[bytes, Fraction]]:
    """The states of a game right after the deal, with their chances; refused if there are too many ways to deal."""
    draws, found = _Draws(), dict[bytes, Fraction]()
    deal, start = _drawing(game.rules.deal, draws.below), interpreted(game.rules.start)
    ways = 0
    while ways == 0 or (ways < MOST and draws.chance * MOST >= 1):  # mostly the first way tells how many there are
        ways += 1
        states = game.twin(blank)
        deal(plainly(states[0]), None)
        start(states[0])
        dealt = states.tobytes()
        found[dealt] = found.get(dealt, Fraction(0)) + draws.chance
        if not draws.next():
            return list(found.items())
    raise ClewError(f"{game.title} can be dealt in more than {MOST} ways: let chance draw a seed (chance=seed).")


def _drawing(kernel: Any, below: Callable[[Any, int], int]) -> Callable[..., Any]:
    """A rule as plain Python, with draws of one's own in all that it calls."""
    scopes: dict[int, dict[str, Any]] = {}

    def twin(of: Any) -> Any:
        if of is random_numbers.below:
            return below
        source = of.py_func
        given = source.__globals__
        if id(given) not in scopes:
            scopes[id(given)] = scope = dict(given)
            scope |= {name: twin(thing) for name, thing in given.items() if isinstance(thing, CPUDispatcher)}
        made = FunctionType(
            source.__code__, scopes[id(given)], source.__name__, source.__defaults__, source.__closure__
        )
        return made

    found: Callable[..., Any] = twin(kernel)
    return found
