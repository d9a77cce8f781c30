"""The memory of many environments, and what the kernels work with: one of each per thread."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from clew.adapters.spaces import ABSENT, Spaces
from clew.core.types import States

# `Any` in signatures here: kernels, and their arguments by name.


class Buffers:
    """Arrays for n environments, an environment's part being a row of each; the kernels know them by these names."""

    def __init__(self, spaces: Spaces, n: int, blank: States) -> None:
        game, actions = spaces.game, spaces.actions
        players, slots = int(blank["players"][0]), 0 if actions.flat else actions.size
        self.states = game.blanks(n + 1)  # the last one stays blank
        self.states[n:] = blank
        self.seats = np.full(n, -1, np.int64)
        self.obs = np.zeros((n, spaces.observations.size), np.float32)
        self.mask = np.zeros((n, actions.size), np.bool_)
        self.parts = np.full((n, max(slots, 1), len(actions.parts)), ABSENT, np.int32)
        self.moves = np.zeros(max(n * slots, 1), game.move_type)
        self.counts = np.zeros((n, 2), np.int64)  # actions, and moves in the whole list
        self.reward = np.zeros((n, players), np.float32)
        self.score = np.zeros((n, players), np.int64)
        self.done = np.zeros(n, np.bool_)
        self.actions = np.zeros(n, np.int64)
        self.rngs = np.zeros((n, 4), np.int64)
        self.lucks = np.zeros((n, 4), np.int64)


class Scratch:
    """What one thread works with; it begins empty for each game."""

    def __init__(self, spaces: Spaces) -> None:
        game, most = spaces.game, spaces.observations.layout.most
        self.views = game.looks(2)  # an empty one, and one to write to
        self.out = game.moves(game.rules.MOVES)
        self.ids, self.values = np.zeros(most, np.int64), np.zeros(most, np.float32)
        self.scores, self.places = np.zeros((2, game.players[1]), np.int64)


def caller(kernel: Any, buffers: Buffers, scratch: Scratch, *free: str) -> Callable[..., Any]:
    """The kernel with these arrays for arguments; those that are free are given with each call, in this order."""
    known = {**vars(buffers), **vars(scratch)}
    names = list(inspect.signature(getattr(kernel, "py_func", kernel)).parameters)
    leading = len(free)
    assert tuple(names[:leading]) == free
    rest = tuple(known[name] for name in names[leading:])
    return lambda *given: kernel(*given, *rest)
