"""A game's sense as the search wants it: its functions, its weights, and which search suits it."""

from __future__ import annotations

import functools
import inspect
import threading
from collections import defaultdict, deque
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from clew.bots import flat, forecast, hasty, match, net, plain, tree, worlds
from clew.bots.desk import Desk
from clew.core import compiling, kernels
from clew.core.errors import ClewError
from clew.core.game import Game, find
from clew.core.protocol import KERNELS, SENSE

# The kernels that a search calls from Python, by its method; a tree leaves decisions without a choice to the survey.
# A forecast is made for the curve of a review alone, and compiled when one is asked for.
ENTRIES = {
    "flat": ("appraise", "duel", "survey"),
    "tree": ("appraise", "duel", "grow", "survey"),
    "forecast": ("forecast",),
}


_making = threading.Lock()


class Sense:
    """What the bots know of a game, and the kernels of the search made for it."""

    def __init__(self, game: Game, outlook: Any = None) -> None:
        module = game.sense
        self.game = game
        self.weights = np.array(getattr(module, "WEIGHTS", (0.0, 1.0)), np.float64)
        self.named = len(self.weights)
        self.comfort = float(getattr(module, "COMFORT", 10.0))
        self.forecasts = int(getattr(module, "FORECASTS", 1000))  # worlds that are played on for one point of a curve
        self.slips: tuple[float, ...] = tuple(getattr(module, "SLIPS", ()))
        self.blunders: tuple[float, ...] = tuple(getattr(module, "BLUNDERS", ()))
        self.has = {name for name in SENSE if hasattr(module, name)}
        self.settings: dict[str, Any] = dict(getattr(module, "SEARCH", {}))
        if not self.has & {"prior", "policy"}:
            self.settings = {"depth": worlds.UNIFORM, "method": "tree", **self.settings}
        self.method: str = self.settings.get("method", "flat")
        made: dict[str, Any] = {key: getattr(game.rules, key) for key in (*KERNELS, "MOVES")}
        made |= {key: getattr(game.kernels, key) for key in ("quick", "mover", "playout")}
        made["BETTER"] = -1 if getattr(game.rules, "LOW_SCORE_WINS", False) else 1
        templates = [plain, hasty, worlds, flat, tree, match, forecast]
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

    def ready(self, progress: compiling.Progress | None = None) -> None:
        """Have the search compiled; says so while it does, at once when it is cached."""
        self.game.ready(progress)
        if kernels.jitted():
            compiling.compile_now(self._job(), progress)

    def prepare(self, urgent: bool = True, method: str = "") -> None:
        """Have the search compiled in the background, and then the rules: bots think at once, only more slowly.

        By default the method that the game's levels search with.
        """
        if kernels.ahead():
            self.ready()
        elif kernels.jitted():
            compiling.compile_in_background(self._job(method), urgent)
            self.game.prepare(urgent)

    def _job(self, method: str = "") -> compiling.Job:
        method = method or self.method
        desk = Desk(self, players=self.game.players[0], moves=1, nodes=1)
        wanted = {}
        for name in ENTRIES[method]:
            if name != "duel" or "duel" in self.has:
                function = getattr(self.kernels, name)
                names = inspect.signature(function.py_func).parameters
                wanted[name] = (function, tuple(numba.typeof(desk.argument(key)) for key in names))
        recipe = f"clew.bots.sense:compile_{method}"
        return compiling.Job(f"{self.game.name} {method} bots", (recipe, self.game.where), wanted)


def _outlook(game: Game, count: int) -> Any:
    """The network that the game brings."""
    file = game.folder / "outlook.npy"
    numbers = np.load(file) if file.is_file() else np.empty(0)
    if len(numbers) != count:
        raise ClewError(f"{game.title} needs an evaluation of {count} numbers in {file.name}: bench/learn.py makes it.")
    return numbers.astype(np.float64)


def sense_of(game: Game) -> Sense:
    """The sense of a game, its search not compiled yet; the same for all threads."""
    with _making:  # of two that were made at the same time, one would never be told that it is compiled
        return _sense(game)


@functools.cache
def _sense(game: Game) -> Sense:
    return Sense(game)


def compile_flat(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for bots that search flat."""
    compiling.compile_now(sense_of(find(where))._job("flat"), progress)


def compile_tree(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for bots that grow a tree."""
    compiling.compile_now(sense_of(find(where))._job("tree"), progress)


def compile_forecast(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for the curve of a review."""
    compiling.compile_now(sense_of(find(where))._job("forecast"), progress)
