"""The levels: six names from weak to strong, each a budget of playouts and how often it slips."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from clew.bots.heuristics import Heuristics
from clew.bots.search import Plan
from clew.bots.simulation import UNIFORM
from clew.core.errors import ClewError, UnknownBot, quoted


@dataclass(frozen=True)
class Level:
    """How hard a bot thinks: the playouts a move, how many moves it weighs, and how often it takes a lesser one."""

    number: int
    name: str
    iterations: int
    candidates: int  # moves that look best at a glance; 0 for all that the game's plan weighs
    slip: float  # the chance to pass over the best move for the second, over that for the third, and so on
    blunder: float  # as much of the reward as a slip may cost, by what the search found; 1 for anything


LEVELS = (
    Level(1, "Ant", 16, 4, 0.7, 1.0),
    Level(2, "Mouse", 40, 6, 0.54, 1.0),
    Level(3, "Cat", 120, 0, 0.47, 0.5),
    Level(4, "Fox", 400, 0, 0.36, 0.35),
    Level(5, "Owl", 2_000, 0, 0.24, 0.25),
    Level(6, "Minotaur", 16_000, 0, 0.0, 0.0),
)
SHORT_SIGHTED = 2  # up to this level playouts are random where only the rules are known: quick, un-compiled too


def level(number: int) -> Level:
    """A level by its number."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(LEVELS):
        raise UnknownBot(
            f"There is no level {quoted(number)}: levels are 1 ({LEVELS[0].name}) to 6 ({LEVELS[-1].name})."
        )
    return LEVELS[number - 1]


def read_level(text: str, others: str = "random, greedy or a file") -> Level:
    """A level as it is written on a command line: level:3, or its name; `others` are what else could stand there.

    >>> read_level("level:3").name
    'Cat'
    >>> read_level("owl").number
    5
    """
    for known in LEVELS:
        if text.lower() == known.name.lower():
            return known
    found = re.fullmatch(r"level:(-?[0-9]{1,9})", text)
    if not found:
        names = ", ".join(known.name for known in LEVELS)
        raise UnknownBot(f"There is no bot {quoted(text)}: write level:1 to level:6 ({names}), {others}.")
    return level(int(found.group(1)))


def suited(heuristics: Heuristics, chosen: Level) -> Level:
    """A level as it plays a game: how often it slips, and how badly, can be the game's own affair."""

    def own(name: str, numbers: tuple[float, ...], usual: float) -> float:
        if not numbers:
            return usual
        if len(numbers) != len(LEVELS) or not all(0 <= number <= 1 for number in numbers):
            raise ClewError(f"{heuristics.game.title}: {name} are six numbers from 0 to 1, one for each level.")
        return numbers[chosen.number - 1]

    slip, blunder = own("SLIPS", heuristics.slips, chosen.slip), own("BLUNDERS", heuristics.blunders, chosen.blunder)
    return replace(chosen, slip=slip, blunder=blunder)


def plan_for(heuristics: Heuristics, chosen: Level) -> Plan:
    """The game's own plan with the level's budget; a game can ask for more or fewer playouts than others."""
    settings = dict(heuristics.settings)
    scale = settings.pop("scale", 1.0)
    if heuristics.looks_ahead and chosen.number <= SHORT_SIGHTED:
        settings["depth"], scale = UNIFORM, 1.0
    iterations = max(1, round(chosen.iterations * scale))
    plan = Plan(**settings)
    if "prior" not in heuristics.has:
        return replace(plan, iterations=iterations)
    few = [count for count in (chosen.candidates, plan.candidates) if count]
    return replace(plan, iterations=iterations, candidates=min(few, default=0))
