"""A game's heuristics as the search wants them: functions, weights, and which search suits the game."""

from __future__ import annotations

import inspect
import logging
import threading
from collections import defaultdict, deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from clew.bots import (
    default_heuristics,
    default_policy,
    flat,
    forecast,
    lookahead,
    match,
    network,
    ranking,
    secret_choice,
    simulation,
    tree,
    value_net,
    whole_games,
)
from clew.bots.learnt import Learnt
from clew.bots.learnt import find as find_learnt
from clew.bots.learnt import read as read_learnt
from clew.bots.workspace import Workspace
from clew.core import compiling, kernels
from clew.core.errors import ClewError, UnknownBot
from clew.core.game import Game, find
from clew.core.protocol import HEURISTICS, KERNELS, LOOKS, NOISE
from clew.core.rng import absorb, branch
from clew.core.types import Floats

SHARED = ("absorb", "branch", "passed_over")  # by all games
# The kernels that a search calls from Python, by its method; a tree leaves decisions without a choice to `evaluate`.
# A forecast is made for the curve of a review alone, and whole games for the arena, and compiled when asked for.
ENTRIES = {
    "flat": ("list_moves", "compute_priors", "solve_duel", "evaluate", *SHARED, "by_prior", "rank"),
    "tree": ("list_moves", "compute_priors", "solve_duel", "expand", "evaluate", *SHARED, "rank_by_tries"),
    "forecast": ("forecast",),
    "whole": ("play_on",),
}


MANY = 128  # moves
SMALL = 1000  # looks ahead in a playout of a game, at most, whose end a tree can reach
AFFORDED = 800  # looks ahead in a playout that leave a level all its playouts; for more, there are fewer
FEWEST = 0.05  # of a level's playouts are made, however much they look ahead

_making = threading.Lock()
_made: dict[tuple[Game, str], Heuristics] = {}  # by the game and the knowledge that was asked for
_learnt: dict[Game, Learnt | None] = {}
log = logging.getLogger("clew")

# The levels of a bot that learnt slip as often as others, but only by little: it knows well what moves are worth.
LEARNT_POLICY = 0.02, 12  # of playouts: how much a move may look better than it is, and at how many it looks
LEARNT_BLUNDERS = (1.0, 0.3, 0.15, 0.08, 0.03, 0.0)


class Heuristics:
    """What the bots know of a game, and the kernels of the search made for it."""

    def __init__(
        self,
        game: Game,
        value: Floats | None = None,
        learnt: Learnt | None = None,
        written: bool = True,
        usual: bool = True,
    ) -> None:
        module = game.heuristics if written else None
        self.game, self.learnt, self.usual = game, learnt, usual
        self.weights = np.array(getattr(module, "WEIGHTS", (0.0, 1.0)), np.float64)
        self.named = len(self.weights)
        self.comfort = float(getattr(module, "COMFORT", 10.0))
        self.forecasts = int(getattr(module, "FORECASTS", 1000))  # worlds that are played on for one point of a curve
        self.slips: tuple[float, ...] = tuple(getattr(module, "SLIPS", ()))
        self.blunders: tuple[float, ...] = tuple(getattr(module, "BLUNDERS", ()))
        self.has = {name for name in HEURISTICS if hasattr(module, name)}
        self.settings: dict[str, Any] = dict(getattr(module, "SEARCH", {}))
        untold = learnt is None and not self.has & {"prior", "policy"}  # only the rules tell how to play
        if learnt is not None:
            self.blunders = self.blunders or LEARNT_BLUNDERS
            self.comfort = float(learnt.weights[network.COMFORT])
            self.settings = {"depth": 0, "lean": float(learnt.weights[network.LEANING]), **self.settings}
        elif untold:
            self.settings = {**_plan_by_rules(game), **self.settings}
        self.looks_ahead = untold and self.settings.get("depth") != simulation.UNIFORM
        self.method: str = self.settings.get("method", "flat")
        made: dict[str, Any] = {key: getattr(game.rules, key) for key in (*KERNELS, "MOVES")}
        made |= {key: getattr(game.kernels, key) for key in ("quick", "mover", "playout")}
        made["BETTER"] = -1 if getattr(game.rules, "LOW_SCORE_WINS", False) else 1
        made |= {"absorb": absorb, "branch": branch}
        made |= {name: getattr(ranking, name) for name in ("by_prior", "passed_over", "rank", "rank_by_tries")}
        templates = [default_heuristics, default_policy, simulation, flat, tree, match, forecast]
        templates += [secret_choice, whole_games]
        if untold:
            templates.insert(templates.index(simulation) + 1, lookahead)
        if module is not None and "features" in self.has:
            layers = dict(zip(("PARTS", "PART", "WHOLE", "FIRST", "SECOND"), module.VALUE_NET))
            made |= {"NAMED": self.named, "features": module.features, **layers}
            fitted = _read_network(game, value_net.count(*module.VALUE_NET)) if value is None else value
            self.weights = np.concatenate([self.weights, fitted])
            templates.insert(1, value_net)
        own = {name: getattr(module, name) for name in self.has}  # these go first
        tag = game.name if written else f"{game.name}+nothing"  # compiled code is kept by names
        if learnt is not None:
            if not self.has & {"prior", "policy"}:
                self.weights[[NOISE, LOOKS]] = LEARNT_POLICY
            named, shape = len(self.weights), learnt.shape(game)
            self.weights = np.concatenate([self.weights, learnt.weights]).astype(np.float32)
            found = network.kernels_of(game, shape, named, made)
            tag = network.tagged(game, shape, named) + "+written" * bool(self.has)
            if self.has & {"prior", "policy"}:
                found = {"worth": found["worth"]}  # what the game brings is quicker
            own |= {name: found[name] for name in ("prior", "policy", "worth") if name in found}
            self.has |= {"prior", "worth"}
        self.tag = tag
        for template in templates:
            made |= kernels.specialise(template, tag, game.folder, made)
            made |= own
        self.kernels = SimpleNamespace(**made)
        self.workspaces: defaultdict[int, deque[Workspace]] = defaultdict(deque)  # by players; to be used again

    def workspace(self, players: int, moves: int, nodes: int) -> Workspace:
        """A workspace that nobody uses, cleared for a decision; `workspaces` takes it back."""
        try:
            workspace = self.workspaces[players].pop()
        except IndexError:
            return Workspace(self, players, moves, nodes)
        workspace.clear(moves, nodes)
        return workspace

    def ready(self, progress: compiling.Progress | None = None, method: str = "") -> None:
        """Have the search compiled; says so while it does, at once when it is cached."""
        self.game.ready(progress)
        if kernels.jitted():
            compiling.compile_now(self._job(method), progress)

    def prepare(self, urgent: bool = True, method: str = "") -> None:
        """Have the search compiled in the background, and then the rules: bots think at once, only more slowly.

        By default the method that the game's levels search with. What another process would not find is compiled here.
        """
        if kernels.ahead() or not self.usual:
            self.ready(method=method)
        elif kernels.jitted():
            compiling.compile_in_background(self._job(method), urgent)
            self.game.prepare(urgent)

    def _job(self, method: str = "") -> compiling.Job:
        method = method or self.method
        workspace = Workspace(self, players=self.game.players[0], moves=1, nodes=1)
        if method == "whole":
            workspace.sit_down(self.game.states(1))
        wanted = {}
        for name in ENTRIES[method]:
            if name != "solve_duel" or "duel" in self.has:
                function = getattr(self.kernels, name)
                names = inspect.signature(function.py_func).parameters
                wanted[name] = (function, tuple(numba.typeof(workspace.argument(key)) for key in names))
        recipe = f"clew.bots.heuristics:compile_{method}"
        return compiling.Job(f"{self.game.name} {method} bots", (recipe, self.game.where), wanted)


def _plan_by_rules(game: Game) -> dict[str, Any]:  # fields of a plan by their names
    """How a game is searched of which nothing is known but its rules.

    A tree reaches the end of a small game, and plays it right. In others playouts look ahead, and as each takes as much
    longer as it has moves to look at, there are fewer. Of very many moves a look ahead would leave most aside.
    """
    work = min(game.rules.LONGEST, lookahead.PLIES) * min(game.rules.MOVES, lookahead.WIDTH) ** 2
    if work <= SMALL or game.rules.MOVES > MANY:
        return {"depth": simulation.UNIFORM, "method": "tree"}
    return {"method": "flat", "scale": min(1.0, max(FEWEST, AFFORDED / work))}


def _read_network(game: Game, count: int) -> Floats:
    """The numbers of the value net that the game brings."""
    file = game.folder / "value_net.npy"
    numbers = np.load(file) if file.is_file() else np.empty(0)
    if len(numbers) != count:
        raise ClewError(f"{game.title} needs a value net of {count} numbers in {file.name}: bench/learn.py makes it.")
    return numbers.astype(np.float64)


def heuristics_for(game: Game, knowledge: str = "") -> Heuristics:
    """The heuristics of a game, its search not compiled yet; the same for all threads.

    By default its own, and for a game that has none what was learnt of it. `knowledge` may ask for "written", "learnt",
    "both" or "nothing", or for the file of what was learnt; "both+FILE" takes it beside the game's own.
    """
    with _making:  # of two that were made at the same time, one would never hear that it is compiled
        if (game, knowledge) not in _made:
            _made[game, knowledge] = _heuristics(game, knowledge)
        return _made[game, knowledge]


def _heuristics(game: Game, knowledge: str) -> Heuristics:
    if knowledge == "":
        return Heuristics(game, learnt=learnt_of(game))
    if knowledge in ("written", "nothing"):
        return Heuristics(game, written=knowledge == "written", usual=False)
    which, _, file = knowledge.partition("+") if knowledge.startswith("both+") else (knowledge, "", "")
    file = file if which == "both" else "" if which == "learnt" else which
    learnt = read_learnt(Path(file), game) if file else find_learnt(game)
    if learnt is None:
        raise UnknownBot(f"Nothing was learnt of {game.title}: clew train {game.where} does that.")
    return Heuristics(game, learnt=learnt, written=which == "both", usual=False)


def learnt_of(game: Game) -> Learnt | None:
    """What the bots of a game without heuristics of its own play by; None for one that has some, or learnt nothing.

    A file that does not fit the game any more is told, and its bots play without.
    """
    if game not in _learnt:
        found = None
        try:
            found = _find_learnt(game)
        except ClewError as error:
            log.warning("%s", error)
        _learnt.setdefault(game, found)
    return _learnt[game]


def _find_learnt(game: Game) -> Learnt | None:
    return None if (game.folder / "heuristics.py").is_file() else find_learnt(game)


def learn_anew(game: Game) -> None:
    """Have bots go over to what was learnt of a game since; with a file that cannot be used nothing changes."""
    found = _find_learnt(game)
    with _making:
        _learnt[game] = found
        for key in [key for key in _made if key[0] is game]:
            del _made[key]
        compiling.forget(game.where, "clew.bots.")


def compile_flat(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for bots that search flat."""
    compiling.compile_now(heuristics_for(find(where))._job("flat"), progress)


def compile_tree(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for bots that search a tree."""
    compiling.compile_now(heuristics_for(find(where))._job("tree"), progress)


def compile_whole(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for whole games between bots."""
    compiling.compile_now(heuristics_for(find(where))._job("whole"), progress)


def compile_forecast(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for the curve of a review."""
    compiling.compile_now(heuristics_for(find(where))._job("forecast"), progress)
