"""Who can sit down in the arena, by the names of a command line."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol

from clew.bots import levels
from clew.bots.bot import Bot
from clew.bots.guests import PATIENCE, Fault, Guest
from clew.bots.levels import Level
from clew.bots.search import Limits, Plan, Search
from clew.bots.sense import Sense
from clew.core.errors import IllegalMove, UnknownBot, quoted
from clew.core.game import Game
from clew.core.knowledge import look
from clew.core.protocol import LEGAL
from clew.core.rng import below, stream
from clew.core.table import Table

METHODS = ("flat", "tree")


@dataclass
class Position:
    """A game in the arena when a seat is to move; the table is kept only if somebody wants to see it."""

    game: Game
    states: Any
    seat: int
    seed: int
    ply: int
    table: Table | None


class Contestant(Protocol):
    """Somebody who makes moves."""

    name: str

    def move(self, position: Position) -> Any:
        """The move to make, as the rules read it; a Fault loses the game."""
        ...


class Random:
    """Any legal move."""

    name = "random"

    def move(self, position: Position) -> Any:
        """One of the list, each as likely."""
        game = position.game
        out = game.moves(game.rules.MOVES)
        count = game.kernels.legal(position.states[0], position.seat, out)
        return out[below(stream(position.seed, f"random {position.ply}"), count)]


class Greedy:
    """The move that looks best at a glance, by the game's sense."""

    name = "greedy"

    def __init__(self, sense: Sense, seed: int) -> None:
        self.sense = sense
        self.seed = seed

    def move(self, position: Position) -> Any:
        """From what the seat knows, without any search."""
        views = look(position.game, position.states, position.seat)
        found = Search(self.sense, views, Plan(), self.seed, Limits()).glance()
        return found.moves[found.order[0]]


class Searcher:
    """A bot with one thread."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot

    def move(self, position: Position) -> Any:
        """What the bot finds from what the seat knows."""
        found, at = self.bot.consider(look(position.game, position.states, position.seat))
        return found.moves[at]


class Visitor:
    """A bot from a file: it is shown the view as anybody gets it, and writes its move."""

    def __init__(self, guest: Guest) -> None:
        self.name = guest.name
        self.guest = guest

    def move(self, position: Position) -> Any:
        """What it writes, read by the rules of the game."""
        assert position.table is not None
        text = self.guest.choose(position.table.view(position.seat))
        v = look(position.game, position.states, position.seat)[0]
        words = position.game.words
        try:
            code = words.parse(text.strip(), v)
            reason = position.game.kernels.refusal(position.states[0], position.seat, code)
            if reason != LEGAL:
                raise IllegalMove(*words.explain(reason, code, v))
        except IllegalMove as error:
            raise Fault(f"{quoted(text)} is no legal move: {error}") from error
        return code


def contestant(text: str, sense: Sense, seed: int, patience: float = PATIENCE) -> Contestant:
    """Who is meant: random, greedy, a level, a method with its budget (flat:500, tree:500:depth=20) or a file."""
    if text == "random":
        return Random()
    if text == "greedy":
        return Greedy(sense, seed)
    if text.endswith(".py"):
        return Visitor(Guest(Path(text), patience))
    if text.split(":")[0] in METHODS:
        plan, chosen = _plan(text, sense), Level(0, text, 0, 0, 0.0, 0.0)
        sense.prepare(method=plan.method)
    else:
        chosen = levels.suited(sense, levels.read_level(text))
        plan = levels.plan_for(sense, chosen)
    return Searcher(text, Bot(sense, chosen, plan, seed, Limits()))


def _plan(text: str, sense: Sense) -> Plan:
    """The game's own plan with this method, budget and settings."""
    method, *rest = text.split(":")
    settings = {name: value for name, value in sense.settings.items() if name != "scale"}
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
