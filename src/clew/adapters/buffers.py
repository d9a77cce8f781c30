"""The memory of many environments, and what the kernels work with: one of each per thread."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from clew.adapters.spaces import ABSENT, Spaces
from clew.core.errors import ClewError
from clew.core.types import States

# `Any` in signatures here: kernels, and their arguments by name.


class Buffers:
    """Arrays for n environments, an environment's part being a row of each; the kernels know them by these names.

    They are not copied: kernels that are bound to the one would go on with its arrays when called for the other.
    """

    def __init__(self, spaces: Spaces, n: int, blank: States) -> None:
        game, actions = spaces.game, spaces.actions
        players, slots = int(blank["players"][0]), 0 if actions.flat else actions.size
        self.states = game.blanks(n + 1)  # the last one stays blank
        self.states[n:] = blank
        self.rngs = np.zeros((n, 4), np.int64)  # of the deals,
        self.lucks = np.zeros((n, 4), np.int64)  # and of those who move at random
        self.actions = np.zeros(n, np.int64)
        self.seats = np.full(n, -1, np.int64)
        self.counts = np.zeros(n, np.int64)
        self.listed = np.zeros(n * (slots or game.rules.MOVES), game.move_type)
        # These are handed out:
        self.seat = np.full(n, -1, np.int64)
        self.obs = np.zeros((n, spaces.observations.size), np.float32)
        self.mask = np.zeros((n, actions.size), np.bool_)
        self.moves = np.full((n, slots, len(actions.parts)), ABSENT, np.int32)
        self.count = np.zeros(n, np.int64)
        self.total = np.zeros(n, np.int64)
        self.reward = np.zeros((n, players), np.float32)
        self.score = np.zeros((n, players), np.int64)
        self.done = np.zeros(n, np.bool_)

    def no_copy(self) -> ClewError:
        """Why they are not."""
        return ClewError(
            "Environments cannot be copied or pickled: make another one with the same seed and give it the same"
            " actions, or ask a batch for worlds(i, k)."
        )

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        raise self.no_copy()


class Scratch:
    """What one thread works with."""

    def __init__(self, spaces: Spaces) -> None:
        game = spaces.game
        self.views = game.looks(2)  # an empty one, and one to write to
        self.out = game.moves(game.rules.MOVES)
        self.room = np.zeros(max(spaces.observations.layout.room, 1), np.int64)
        self.scores, self.places = np.zeros((2, game.players[1]), np.int64)


def bind(kernel: Any, buffers: Buffers, scratch: Scratch, *free: str) -> Callable[..., Any]:
    """The kernel with these arrays for arguments; the first ones are `free` and given with each call."""
    known = {**vars(buffers), **vars(scratch)}
    names = list(inspect.signature(kernel.py_func).parameters)
    assert tuple(names[: len(free)]) == free
    rest = tuple(known[name] for name in names[len(free) :])
    return lambda *given: kernel(*given, *rest)
