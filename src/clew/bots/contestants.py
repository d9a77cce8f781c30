"""Who can sit down in the arena, by the names of a command line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from clew.bots import levels
from clew.bots.bot import MOST_ITERATIONS, Bot
from clew.bots.file_bots import PATIENCE, BotProcess, Fault
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.levels import Level
from clew.bots.ranking import LUCK, best_looking
from clew.bots.search import Limits, Plan, Search, key
from clew.bots.simulation import KNOBS, UNIFORM
from clew.core.errors import IllegalMove, UnknownBot, quoted
from clew.core.game import Game
from clew.core.rng import below
from clew.core.types import Integers, MoveCode, ViewData, ViewRecords

METHODS = ("flat", "tree")
MUCH = 10**9
SETTINGS: dict[str, tuple[float, int]] = {  # of a plan: the least and the most; whole numbers if the least is one
    "candidates": (0, MUCH),
    "depth": (UNIFORM, MUCH),
}
SETTINGS |= {name: (0.0, MUCH) for name in ("lean", "explore", "widen", "power")}


@dataclass
class Decision:
    """What a contestant is asked: what the seat knows that is to move, and nothing else.

    `luck` is for who moves at random. A bot from a file is `shown` the view as anybody gets it, and the legal moves.
    """

    game: Game
    views: ViewRecords
    luck: Integers
    shown: tuple[ViewData, list[str]] | None = None
    said: str = ""  # what a bot from a file wrote


@dataclass(frozen=True)
class KernelPlan:
    """How a contestant decides, in the numbers that the kernels play whole games by (see `whole_games`)."""

    kind: str
    playouts: int = 0
    candidates: int = 0
    depth: int = 0
    knobs: tuple[float, ...] = (0.0,) * len(KNOBS)
    slip: float = 0.0
    blunder: float = 0.0
    key: Integers | None = None  # of who does not move at random


class Contestant(Protocol):
    """Somebody who makes moves; one with a plan can do so inside the kernels, too."""

    name: str
    plan: KernelPlan | None
    heuristics: Heuristics | None  # whose kernels that takes; a random player is content with those of any other

    def move(self, decision: Decision) -> MoveCode:
        """The move to make, as the rules read it; a Fault loses the game."""
        ...


class Random:
    """Any legal move."""

    name = "random"
    plan: KernelPlan | None = KernelPlan("random")

    def __init__(self, heuristics: Heuristics) -> None:
        self.heuristics: Heuristics | None = None
        self._listing = heuristics

    def move(self, decision: Decision) -> MoveCode:
        """One of the list, each as likely."""
        moves = Search(self._listing, decision.views, Plan(), 0, Limits()).moves
        return moves[below(decision.luck, len(moves))]


class Greedy:
    """The move that looks best at a glance, by the game's heuristics."""

    name = "greedy"

    def __init__(self, heuristics: Heuristics, seed: int) -> None:
        self.heuristics: Heuristics | None = heuristics
        self._looking = heuristics
        self.seed = seed
        self.plan: KernelPlan | None = KernelPlan("greedy", key=key(seed))

    def move(self, decision: Decision) -> MoveCode:
        """From what the seat knows, without any search."""
        search = Search(self._looking, decision.views, Plan(), self.seed, Limits())
        count = len(search.moves)
        return search.moves[best_looking(search.priors, count, np.zeros(count, np.int64), search.branch(LUCK))]


class Searcher:
    """A bot with one thread."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot
        self.heuristics: Heuristics | None = bot.heuristics
        plan, level, knobs = bot.plan, bot.level, bot.plan.knobs(bot.heuristics.comfort)
        numbers = plan.iterations, plan.candidates, plan.depth
        self.plan: KernelPlan | None = KernelPlan(
            plan.method, *numbers, knobs, level.slip, level.blunder, key(bot.seed)
        )

    def move(self, decision: Decision) -> MoveCode:
        """What the bot finds from what the seat knows."""
        found, at = self.bot.consider(decision.views)
        return found.moves[at]


class FileBot:
    """A bot from a file: it is shown the view as anybody gets it and the legal moves, and writes one."""

    plan: KernelPlan | None = None
    heuristics: Heuristics | None = None

    def __init__(self, process: BotProcess) -> None:
        self.name = process.name
        self.process = process

    def move(self, decision: Decision) -> MoveCode:
        """What it writes, read by the rules of the game."""
        assert decision.shown is not None
        text = decision.said = self.process.choose(*decision.shown)
        try:
            return decision.game.words.parse(text.strip(), decision.views[0])
        except IllegalMove as error:
            raise Fault(f"{quoted(text)} is no legal move: {error}") from error


def contestant(text: str, heuristics: Heuristics, seed: int, patience: float = PATIENCE) -> Contestant:
    """Who is meant: random, greedy, a level, a method with its budget (flat:500, tree:500:depth=20) or a file."""
    if text == "random":
        return Random(heuristics)
    if text == "greedy":
        return Greedy(heuristics, seed)
    if text.endswith(".py"):
        return FileBot(BotProcess(Path(text), patience))
    who, _, knowledge = text.partition("@")
    if knowledge:
        other = heuristics_for(heuristics.game, knowledge)
        made = contestant(who, other, seed, patience)
        other.prepare()
        made.name = text
        return made
    if text.split(":")[0] in METHODS:
        plan, chosen = _plan(text, heuristics), Level(0, text, 0, 0, 0.0, 0.0)
        heuristics.prepare(method=plan.method)
    else:
        chosen = levels.suited(heuristics, levels.read_level(text))
        plan = levels.plan_for(heuristics, chosen)
    return Searcher(text, Bot(heuristics, chosen, plan, seed, Limits()))


def _plan(text: str, heuristics: Heuristics) -> Plan:
    """The game's own plan with this method, budget and settings."""
    method, *rest = text.split(":")
    settings = {name: value for name, value in heuristics.settings.items() if name != "scale"}
    plan = replace(Plan(**settings), method=method)
    try:
        plan = replace(plan, iterations=_within(text, "playouts", int(rest[0]), 1, MOST_ITERATIONS))
        for setting in rest[1:]:
            name, _, value = setting.partition("=")
            least, most = SETTINGS[name]
            plan = replace(plan, **{name: _within(text, name, type(least)(value), least, most)})
    except UnknownBot:
        raise
    except (IndexError, KeyError, ValueError):
        known = ", ".join(SETTINGS)
        raise UnknownBot(f"{quoted(text)} is not METHOD:PLAYOUTS[:NAME=VALUE ...]; the names are {known}.") from None
    return plan


def _within(text: str, what: str, value: Any, least: float, most: int) -> Any:  # as it is given
    """A number of a plan, whole or not, if there can be such a one."""
    if not least <= value <= most:
        raise UnknownBot(f"{quoted(text)}: {what} can be from {least:g} to {most:,}, not {quoted(value)}.")
    return value
