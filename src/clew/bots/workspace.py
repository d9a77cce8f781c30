"""What one thread of a search writes to: arrays of its own, on no cache line of another thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from clew.bots.ranking import STREAMS
from clew.bots.simulation import KNOBS, TALLIES
from clew.bots.tree import NODE
from clew.bots.whole_games import LAPSES, PLAN
from clew.core.types import Integers, MoveCodes, States, Words

if TYPE_CHECKING:
    from clew.bots.heuristics import Heuristics

Array = TypeVar("Array", bound=npt.NDArray[Any])

PADDING = 128  # bytes between what two threads write: two cache lines, for one is fetched with its neighbour


class Workspace:
    """The arguments of the kernels, by their names: those shared by all workspaces, and scratch of its own."""

    def __init__(self, heuristics: Heuristics, players: int, moves: int, nodes: int) -> None:
        self.heuristics, self.game, self.has = heuristics, heuristics.game, heuristics.has
        game = self.game
        self.v = game.views(1)[0]
        self.moves = game.moves(1)
        self.roots = np.zeros(4, np.int64)
        self.knobs = np.zeros(len(KNOBS))
        self.weights = self.rivals = heuristics.weights
        self.seat = self.first = self.stride = self.n = self.depth = 0
        self.over = self.by_policy = False
        self.number = self.count = self.most = self.ply = 0
        self.slip = self.blunder = 0.0
        self.numbers = np.zeros(1, np.uint8)
        self.to = np.zeros(4, np.int64)
        self.payoffs = self.solution = np.zeros((1, 1))
        self.states = _padded(game.states, 5)
        self.s = self.states[1]
        self.out = _padded(game.moves, 2 * game.rules.MOVES)  # of a seat, and those of which it thinks ahead
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
        self.alive = self.order = np.arange(moves)
        self.root_keys = np.zeros(moves, np.int64)
        self.priors = np.zeros(moves)
        self.tally = _padded(np.zeros, moves * len(TALLIES)).reshape(moves, len(TALLIES))
        self.make_room(nodes)

    def make_room(self, nodes: int) -> None:
        """Make room for a tree of so many nodes."""
        self.size = 1  # the root of the tree is node 0
        self.nodes = np.zeros((nodes, NODE), np.int64)
        self.values = np.zeros(nodes)
        self.slots = np.zeros(1 << (2 * nodes).bit_length(), np.int64)

    def sit_down(self, blank: States) -> None:
        """Make room for whole games from a blank state: for decisions among all moves that there can be."""
        game, players, moves = self.game, int(blank[0].players), self.game.rules.MOVES
        self.table = _padded(game.states, 1)
        self.views = _padded(game.views, 2)
        self.view_bytes = as_bytes(self.views[1:])
        self.played = game.moves(game.rules.LONGEST + 1)
        self.movers = _integers(game.rules.LONGEST + 1)
        self.plans = np.zeros((players, len(PLAN)), np.int64)
        self.knobs = np.zeros((players, len(KNOBS)))
        self.lapses = np.zeros((players, len(LAPSES)))
        self.keys = np.zeros((players, 4), np.int64)
        self.luck = _padded(_integers, 4)
        self.roots = _padded(_integers, 4)
        self.slipping = _padded(_integers, 4)
        self.clear(moves, 1)
        self.moves = _padded(game.moves, moves)
        self.move_words = as_words(self.moves)
        self.tallies = np.zeros((STREAMS, moves, len(TALLIES)))
        if "duel" in self.has:
            self.payoffs, self.solution = np.zeros((moves, moves)), np.zeros((2, moves))

    def argument(self, name: str) -> object:
        """The argument of a kernel with this name."""
        return getattr(self, name)


def as_words(moves: MoveCodes) -> Words:
    """Moves as rows of integers on the same memory, for their bytes to be compared."""
    records = np.asarray(moves)
    wide = np.int64 if records.dtype.itemsize % 8 == 0 else np.uint8
    return cast(Words, records.view(wide).reshape(len(records), -1))


def as_bytes(records: States) -> npt.NDArray[np.uint8]:
    """Records as bytes on the same memory."""
    return cast(npt.NDArray[np.uint8], np.asarray(records).view(np.uint8).reshape(-1))


def _integers(count: int) -> Integers:
    return np.zeros(count, np.int64)


def _padded(make: Callable[[int], Array], count: int) -> Array:
    margin = -(-PADDING // make(1).itemsize)
    return cast(Array, make(count + 2 * margin)[margin : margin + count])
