"""What the intervals of a report carry, corrected for how many were looked at: nothing else is said in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from clew.lab.intervals import holm, p_of, z_of
from clew.lab.result import Difference, Figure, Measure, Report, Run

ALPHA = 0.05
ENOUGH = 30  # games that a mean takes before its interval is believed: a few may be all alike by chance
ENOUGH_USES = 100  # games in which a card was used before it is called anything
TELLING = 0.05  # of the victories: less than that makes no card dominant or dead
OF_PLAY = ("endings", "seats", "moves", "turns")  # measures that every run of plain games has
SELDOM = 0.25  # of how often it would be chosen at random


def error_of(figure: Figure) -> float | None:
    """The standard error behind an interval, or None for a fact, or where too few games stand behind it.

    The longer side counts: an interval is cut off where a share ends.
    """
    if figure.value is None or figure.low is None or figure.high is None or figure.games < ENOUGH:
        return None
    return max(figure.high - figure.value, figure.value - figure.low) / z_of()


def chance(difference: float, error: float) -> float:
    """How likely a difference of that size is by chance."""
    if error > 0:
        return p_of(difference / error)
    return 0.0 if difference else 1.0


def figure_of(run: Run, key: str, label: str = "") -> Figure | None:
    """A figure of a run, if there is one with a value; without a label the first."""
    for measure in run.measures:
        if measure.key == key:
            for figure in measure.figures:
                if label in ("", figure.label) and figure.value is not None:
                    return figure
    return None


def levels(report: Report) -> list[Run]:
    """The runs that are compared as levels of play: not those of other contests, and of variants the base."""
    runs = [run for run in report.runs if run.games]
    found = [run for run in runs if any(measure.key in OF_PLAY for measure in run.measures)] or runs
    if report.comparisons:
        return list({run.level: run for run in reversed(found)}.values())[::-1]
    return found


# Is a seat better?


@dataclass(frozen=True)
class Unfair:
    """A figure that is away from its fair value by more than chance."""

    run: Run
    figure: Figure


def unfair_seats(report: Report) -> list[Unfair]:
    """The seats that win more or less than their part, in all runs together (Holm), the greatest first.

    One that sees everything is asked likewise.
    """
    asked = []
    known = levels(report)
    for run in report.runs:
        for measure in run.measures:
            if measure.key == "seer" or (measure.key == "seats" and run in known):
                figures = measure.figures[:1] if len(measure.figures) == 2 else measure.figures  # of two one tells all
                asked += [Unfair(run, figure) for figure in figures if _testable(figure)]
    chances = holm([chance(_off(one.figure), error_of(one.figure) or 0.0) for one in asked])
    found = [one for one, p in zip(asked, chances) if p < ALPHA]
    return sorted(found, key=lambda one: -abs(_off(one.figure)))


def _testable(figure: Figure) -> bool:
    return figure.fair is not None and error_of(figure) is not None


def _off(figure: Figure) -> float:
    assert figure.value is not None
    assert figure.fair is not None
    return figure.value - figure.fair


# Do levels of play differ?


@dataclass(frozen=True)
class Gap:
    """A figure that two runs differ in by more than chance."""

    measure: Measure
    one: Run
    other: Run
    a: Figure
    b: Figure
    size: float  # in standard errors


def gaps(report: Report, keys: Sequence[str]) -> list[Gap]:
    """Where the last run differs from each of the others, in figures of these measures (Holm over all of them)."""
    runs = levels(report)
    if len(runs) < 2:
        return []
    last, asked = runs[-1], []
    for run in runs[:-1]:
        for measure in last.measures:
            if measure.key not in keys:
                continue
            figures = measure.figures[:1] if measure.unit != "share" else measure.figures
            for figure in figures[: 1 if len(figures) == 2 else None]:
                gap = _gap(measure, run, last, figure)
                if gap is not None:
                    asked.append(gap)
    chances = holm([p_of(gap.size) for gap in asked])
    found = [gap for gap, p in zip(asked, chances) if p < ALPHA]
    return sorted(found, key=lambda gap: (keys.index(gap.measure.key), -gap.size))


def _gap(measure: Measure, one: Run, other: Run, b: Figure) -> Gap | None:
    a = figure_of(one, measure.key, b.label)
    if a is None or a.value is None or b.value is None:
        return None
    first, second = error_of(a), error_of(b)
    if first is None or second is None:
        return None
    error = math.hypot(first, second)
    size = abs(a.value - b.value) / error if error else math.inf if a.value != b.value else 0.0
    return Gap(measure, one, other, a, b, size)


# Which cards and actions are dead or dominant?


def verdicts(measure: Measure) -> dict[str, str]:
    """Which items of a list are dominant or dead, by their labels, corrected for the length of the list.

    Nothing is said of what was used in fewer than ENOUGH_USES games: a card whose few users all lost is no dead card.
    """
    worth = [figure for figure in measure.figures if _worth(figure)]
    chances = holm([_beyond(figure) for figure in worth])
    found: dict[str, str] = {}
    for figure, p in zip(worth, chances):
        if p < ALPHA and figure.value is not None:
            found[figure.label] = "dominant" if figure.value > 0 else "dead: who uses it loses"
    for figure in measure.figures:
        if figure.label not in found and (text := _unused(figure, measure.games, len(measure.figures))):
            found[figure.label] = text
    return found


def notes(measure: Measure) -> list[str]:
    """What is noted of each figure; of a list of cards only what is sure of a list so long."""
    judged = (
        verdicts(measure) if any({"offered", "decisions"} & {*figure.facts} for figure in measure.figures) else None
    )
    return [figure.note if judged is None else judged.get(figure.label, "") for figure in measure.figures]


def _worth(figure: Figure) -> bool:
    return figure.value is not None and error_of(figure) is not None and _contrasts(figure) >= ENOUGH_USES


def _contrasts(figure: Figure) -> float:
    """How many can be compared: games with it, or seats without it where these are fewer."""
    return min(float(figure.facts.get(name, math.inf)) for name in ("games", "without"))


def _beyond(figure: Figure) -> float:
    """How likely it looks so telling by chance, though what it is worth is TELLING at most."""
    sweep = z_of() / (_contrasts(figure) + z_of() ** 2)  # as Wilson has it: no interval is shorter than after a sweep
    error = max(error_of(figure) or 0.0, sweep)
    assert figure.value is not None
    over = abs(figure.value) - TELLING
    return 1.0 if over <= 0 else chance(over, error)


def _unused(figure: Figure, games: int, asked: int) -> str:
    offered, chosen = (float(figure.facts.get(name, 0)) for name in ("offered", "chosen"))
    against = figure.facts.get("against_random")
    if "offered" not in figure.facts or games < ENOUGH_USES:
        return ""
    if not offered:
        return "dead: never possible"
    if offered < ENOUGH_USES or against is None:
        return ""
    if not chosen:
        return "dead: never chosen"
    expected = chosen / float(against) if float(against) > 0 else 0.0
    most = (math.sqrt(chosen) + z_of(1 - ALPHA / asked) / 2) ** 2  # the root of a count spreads by a half
    return "dead: seldom chosen" if most < SELDOM * expected else ""


# What variants change


def changes(differences: Sequence[Difference], games: int) -> list[Difference]:
    """The differences between two variants that are more than chance, the clearest first."""
    if games < ENOUGH:
        return []
    found = [one for one in differences if one.significant and one.difference]
    return sorted(found, key=lambda one: one.p)
