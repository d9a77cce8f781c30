"""What the lab finds, as plain data: every class here goes to JSON by `as_json`, and `docs/lab.md` describes it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from clew.core.options import Value
from clew.core.types import Json

# `Any` in signatures here: plain data of any depth.

FORMAT = 1
Unit = Literal["share", "moves", "turns", "minutes", "points", "times", "number", "Elo"]


@dataclass(frozen=True)
class Figure:
    """One number with its 95 % interval, and some of the games behind it."""

    label: str
    value: float | None  # None where the games say nothing of it
    low: float | None = None
    high: float | None = None
    method: str = ""  # of the interval: Wilson, t, ranks
    games: int = 0  # that it was taken from
    fair: float | None = None  # what it would be if all were even, where there is such a thing
    note: str = ""
    facts: dict[str, float | int | str] = field(default_factory=dict)
    examples: tuple[int, ...] = ()  # numbers of games that show it: `clew lab GAME --seed S --record NUMBER`


@dataclass(frozen=True)
class Measure:
    """One question with its answers: a figure, or one for each seat, ending, card."""

    key: str
    question: str  # the key of one of QUESTIONS
    title: str
    definition: str  # in one line
    unit: Unit
    level: str  # who played: random, level:3
    games: int
    figures: tuple[Figure, ...]
    histogram: tuple[tuple[int, int], ...] = ()  # values with how many games had each
    note: str = ""


@dataclass(frozen=True)
class Run:
    """Games of one level of play with the same options."""

    name: str
    level: str
    options: dict[str, Value]
    games: int
    wanted: int
    finished: bool  # whether it was played to its end, and not interrupted
    seconds: float
    measures: tuple[Measure, ...]
    sums: Json = field(default_factory=dict, repr=False)  # what --extend goes on from


@dataclass(frozen=True)
class Difference:
    """One figure in two variants that were played on the same deals."""

    key: str
    label: str
    unit: Unit
    base: float
    other: float
    difference: float
    low: float
    high: float
    p: float
    corrected: float  # p among all that were asked at once (Holm)
    significant: bool  # corrected for many comparisons


@dataclass(frozen=True)
class Comparison:
    """A variant of a game against the base, on paired deals."""

    option: str
    base: Value
    other: Value
    level: str
    games: int
    same_deals: float  # the share of the deals that are the same with both, but for the option itself
    differences: tuple[Difference, ...]
    note: str = ""


@dataclass(frozen=True)
class Candidate:
    """A set of options that was found by aiming at targets."""

    options: dict[str, Value]
    games: int
    loss: float  # how far it is from the targets, each by its own size, squared
    meets: bool  # whether every target lies in its interval
    figures: tuple[Figure, ...]  # one for each target, which is `fair`


@dataclass(frozen=True)
class Report:
    """All that `clew lab` found."""

    game: str
    title: str
    version: int
    players: int
    options: dict[str, Value]
    seed: int
    pace: float  # seconds a turn, which minutes are counted by
    finished: bool
    seconds: float
    threads: int
    runs: tuple[Run, ...]
    comparisons: tuple[Comparison, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    about: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    def json(self) -> Json:
        """All of it as plain data."""
        return {"questions": [list(one) for one in QUESTIONS], **as_json(self)}


QUESTIONS = (
    ("end", "Does it end, and how?"),
    ("seats", "Is a seat better?"),
    ("length", "How long is it?"),
    ("skill", "Does skill win?"),
    ("drama", "When is it decided?"),
    ("decisions", "Do decisions matter?"),
    ("hidden", "What is hidden information worth?"),
    ("actions", "Which cards, actions and rules are dead or dominant?"),
    ("table", "Ties, kingmaking and waiting"),
    ("never", "What never happens?"),
    ("own", "The game's own measures"),
)


BY_QUESTION = {
    "end": ("endings",),
    "seats": ("seats", "scores"),
    "length": ("moves", "turns", "minutes"),
    "skill": ("luck", "ladder"),
    "drama": ("settled", "lead_changes", "comebacks", "behind", "decided", "lowest"),
    "decisions": ("forced", "options", "choice", "no_brainers"),
    "hidden": ("seer",),
    "actions": ("forms", "pieces", "values"),
    "table": ("ties", "margin", "wait", "watch", "kingmaking"),
    "never": ("never", "rules"),
    "own": ("own",),
}
MEASURES = tuple(key for keys in BY_QUESTION.values() for key in keys)


def as_json(thing: Any) -> Any:
    """Plain data without what JSON does not know: no number is None."""
    if hasattr(thing, "__dataclass_fields__"):
        return {key: as_json(getattr(thing, key)) for key in thing.__dataclass_fields__}
    if isinstance(thing, dict):
        return {str(key): as_json(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [as_json(one) for one in thing]
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else None
    return thing
