"""What one thread of a search writes to: arrays of its own, on no cache line of another thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from clew.bots.simulation import KNOBS, TALLIES
from clew.bots.tree import NODE
from clew.core.types import Integers, MoveCodes, Words

if TYPE_CHECKING:
    from clew.bots.heuristics import Heuristics

Array = TypeVar("Array", bound=npt.NDArray[Any])

PADDING = 128  # bytes between what two threads write: two cache lines, for one is fetched with its neighbour


class Workspace:
    """The arguments of the kernels, by their names: those shared by all workspaces, and scratch of its own."""

    def __init__(self, heuristics: Heuristics, players: int, moves: int, nodes: int) -> None:
        game = heuristics.game
        self.v = game.views(1)[0]
        self.moves = game.moves(1)
        self.roots = np.zeros(4, np.int64)
        self.knobs = np.zeros(len(KNOBS))
        self.weights = self.rivals = heuristics.weights
        self.seat = self.first = self.stride = self.n = self.depth = 0
        self.over = self.by_policy = False
        self.payoffs = np.zeros((1, 1))
        self.states = _padded(game.states, 3)
        self.s = self.states[1]
        self.out = _padded(game.moves, game.rules.MOVES)
        self.words = as_words(self.out)
        self.children = _padded(_integers, game.rules.MOVES)
        self.rng = _padded(_integers, 4)
        self.scores = _padded(_integers, players)
        self.places = _padded(_integers, players)
        self.rewards = _padded(np.zeros, players)
        self.path = _padded(_integers, 2 * (game.rules.LONGEST + 1)).reshape(-1, 2)
        self.clear(moves, nodes)

    def clear(self, moves: int, nodes: int) -> None:
        """Make room for another decision: one among so many moves, with a tree of so many nodes."""
        self.size = 1  # the root of the tree is node 0
        self.alive = np.arange(moves)
        self.root_keys = np.zeros(moves, np.int64)
        self.priors = np.zeros(moves)
        self.tally = _padded(np.zeros, moves * len(TALLIES)).reshape(moves, len(TALLIES))
        self.nodes = np.zeros((nodes, NODE), np.int64)
        self.values = np.zeros(nodes)
        self.slots = np.zeros(1 << (2 * nodes).bit_length(), np.int64)

    def argument(self, name: str) -> object:
        """The argument of a kernel with this name."""
        return getattr(self, name)


def as_words(moves: MoveCodes) -> Words:
    """Moves as rows of integers on the same memory, for their bytes to be compared."""
    records = np.asarray(moves)
    wide = np.int64 if records.dtype.itemsize % 8 == 0 else np.uint8
    return cast(Words, records.view(wide).reshape(len(records), -1))


def _integers(count: int) -> Integers:
    return np.zeros(count, np.int64)


def _padded(make: Callable[[int], Array], count: int) -> Array:
    margin = -(-PADDING // make(1).itemsize)
    return cast(Array, make(count + 2 * margin)[margin : margin + count])
