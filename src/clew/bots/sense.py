"""A game's sense as the search wants it: its functions, its weights, and which search suits it."""

from __future__ import annotations

import functools
import inspect
from collections import defaultdict, deque
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from clew.bots import flat, hasty, match, net, plain, tree, worlds
from clew.bots.desk import Desk
from clew.core import kernels
from clew.core.errors import ClewError
from clew.core.game import Game
from clew.core.protocol import KERNELS, SENSE

ENTRIES = ("appraise", "survey", "grow", "duel", "skirmish")  # the kernels that Python calls


class Sense:
    """What the bots know of a game, and the kernels of the search made for it."""

    def __init__(self, game: Game, outlook: Any = None) -> None:
        module = game.sense
        self.game = game
        self.weights = np.array(getattr(module, "WEIGHTS", (0.0, 1.0)), np.float64)
        self.named = len(self.weights)
        self.comfort = float(getattr(module, "COMFORT", 10.0))
        self.slips: tuple[float, ...] = tuple(getattr(module, "SLIPS", ()))
        self.blunders: tuple[float, ...] = tuple(getattr(module, "BLUNDERS", ()))
        self.has = {name for name in SENSE if hasattr(module, name)}
        self.settings: dict[str, Any] = dict(getattr(module, "SEARCH", {}))
        if not self.has & {"prior", "policy"}:
            self.settings = {"depth": worlds.UNIFORM, "method": "tree", **self.settings}
        made: dict[str, Any] = {key: getattr(game.rules, key) for key in (*KERNELS, "MOVES")}
        made |= {key: getattr(game.kernels, key) for key in ("quick", "mover", "playout")}
        made["BETTER"] = -1 if getattr(game.rules, "LOW_SCORE_WINS", False) else 1
        templates = [plain, hasty, worlds, flat, tree, match]
        if module is not None and "features" in self.has:
            shape = dict(zip(("PARTS", "PART", "WHOLE", "FIRST", "SECOND"), module.OUTLOOK))
            made |= {"NAMED": self.named, "features": module.features, **shape}
            learnt = _outlook(game, net.count(*module.OUTLOOK)) if outlook is None else outlook
            self.weights = np.concatenate([self.weights, learnt])
            templates.insert(1, net)
        for template in templates:
            made |= kernels.specialise(template, game.name, game.folder, made)
            made |= {name: getattr(module, name) for name in self.has}  # the game's own go first
        self.kernels = SimpleNamespace(**made)
        self.desks: defaultdict[int, deque[Desk]] = defaultdict(deque)  # by players; to be used again

    def desk(self, players: int, moves: int, nodes: int) -> Desk:
        """A desk that nobody uses, cleared for a decision; `desks` takes it back."""
        try:
            desk = self.desks[players].pop()
        except IndexError:
            return Desk(self, players, moves, nodes)
        desk.clear(moves, nodes)
        return desk

    def ready(self, progress: kernels.Progress | None = None) -> None:
        """Have the search compiled; says so while it does, at once when it is cached."""
        self.game.ready(progress)
        if not kernels.jitted():
            return
        desk = Desk(self, players=self.game.players[0], moves=1, nodes=1)
        wanted = {}
        for name in ENTRIES:
            function = getattr(self.kernels, name)
            names = inspect.signature(function.py_func).parameters
            wanted[name] = (function, tuple(numba.typeof(desk.argument(key)) for key in names))
        kernels.compile_all(f"{self.game.name} bots", self.game.folder, wanted, progress)


def _outlook(game: Game, count: int) -> Any:
    """The network that the game brings."""
    file = game.folder / "outlook.npy"
    numbers = np.load(file) if file.is_file() else np.empty(0)
    if len(numbers) != count:
        raise ClewError(f"{game.title} needs an evaluation of {count} numbers in {file.name}: bench/learn.py makes it.")
    return numbers.astype(np.float64)


@functools.cache
def sense_of(game: Game) -> Sense:
    """The sense of a game, its search not compiled yet."""
    return Sense(game)
