"""Who can sit down in the arena, by the names of a command line."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Protocol

from clew.bots import levels
from clew.bots.bot import Bot
from clew.bots.file_bots import PATIENCE, BotProcess, Fault
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.levels import Level
from clew.bots.search import Limits, Plan, Search
from clew.core.errors import IllegalMove, UnknownBot, quoted
from clew.core.game import Game
from clew.core.knowledge import look
from clew.core.protocol import LEGAL
from clew.core.rng import below, stream
from clew.core.table import Table
from clew.core.types import MoveCode, States

METHODS = ("flat", "tree")


@dataclass
class Decision:
    """What a contestant is asked: a game whose `seat` is to move; the table is there only if somebody wants it."""

    game: Game
    states: States
    seat: int
    seed: int
    ply: int
    table: Table | None


class Contestant(Protocol):
    """Somebody who makes moves."""

    name: str

    def move(self, decision: Decision) -> MoveCode:
        """The move to make, as the rules read it; a Fault loses the game."""
        ...


class Random:
    """Any legal move."""

    name = "random"

    def move(self, decision: Decision) -> MoveCode:
        """One of the list, each as likely."""
        game = decision.game
        out = game.moves(game.rules.MOVES)
        count = game.kernels.legal(decision.states[0], decision.seat, out)
        return out[below(stream(decision.seed, f"random {decision.ply}"), count)]


class Greedy:
    """The move that looks best at a glance, by the game's heuristics."""

    name = "greedy"

    def __init__(self, heuristics: Heuristics, seed: int) -> None:
        self.heuristics = heuristics
        self.seed = seed

    def move(self, decision: Decision) -> MoveCode:
        """From what the seat knows, without any search."""
        views = look(decision.game, decision.states, decision.seat)
        found = Search(self.heuristics, views, Plan(), self.seed, Limits()).by_prior()
        return found.moves[found.order[0]]


class Searcher:
    """A bot with one thread."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot

    def move(self, decision: Decision) -> MoveCode:
        """What the bot finds from what the seat knows."""
        found, at = self.bot.consider(look(decision.game, decision.states, decision.seat))
        return found.moves[at]


class FileBot:
    """A bot from a file: it is shown the view as anybody gets it and the legal moves, and writes one."""

    def __init__(self, process: BotProcess) -> None:
        self.name = process.name
        self.process = process

    def move(self, decision: Decision) -> MoveCode:
        """What it writes, read by the rules of the game."""
        assert decision.table is not None
        moves = [str(move) for move in decision.table.legal_moves(decision.seat)]
        text = self.process.choose(decision.table.view(decision.seat), moves)
        v = look(decision.game, decision.states, decision.seat)[0]
        words = decision.game.words
        try:
            code = words.parse(text.strip(), v)
            reason = decision.game.kernels.refusal(decision.states[0], decision.seat, code)
            if reason != LEGAL:
                raise IllegalMove(*words.explain(reason, code, v))
        except IllegalMove as error:
            raise Fault(f"{quoted(text)} is no legal move: {error}") from error
        return code


def contestant(text: str, heuristics: Heuristics, seed: int, patience: float = PATIENCE) -> Contestant:
    """Who is meant: random, greedy, a level, a method with its budget (flat:500, tree:500:depth=20) or a file."""
    if text == "random":
        return Random()
    if text == "greedy":
        return Greedy(heuristics, seed)
    if text.endswith(".py"):
        return FileBot(BotProcess(Path(text), patience))
    who, _, knowledge = text.partition("@")
    if knowledge:
        other = heuristics_for(heuristics.game, knowledge)
        other.prepare()
        made = contestant(who, other, seed, patience)
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
    kinds = {field.name: type(getattr(plan, field.name)) for field in fields(Plan)}
    try:
        plan = replace(plan, iterations=int(rest[0]))
        for setting in rest[1:]:
            name, _, value = setting.partition("=")
            plan = replace(plan, **{name: kinds[name](value)})
    except (IndexError, KeyError, ValueError):
        known = ", ".join(kinds)
        raise UnknownBot(f"{quoted(text)} is not METHOD:PLAYOUTS[:NAME=VALUE ...]; the names are {known}.") from None
    return plan
