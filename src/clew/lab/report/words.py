"""A report in words: five sentences a designer can act on, what is surprising, and what the games cannot say yet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from clew.lab.report.evidence import (
    TELLING,
    changes,
    figure_of,
    gaps,
    levels,
    unfair_seats,
    verdicts,
)
from clew.lab.report.figures import between, capital, count, difference, listed, number, of_figure, seat, span, strength
from clew.lab.result import Candidate, Comparison, Difference, Figure, Measure, Report, Run

SENTENCES, SURPRISES, NAMED = 5, 8, 4
# What is worth saying where two levels of play differ, and in which order.
COMPARED = ("seats", "luck", "turns", "comebacks", "settled", "forced", "ties", "endings")
# How closely each of these should be known, as half the width of its interval; of a length as a part of it.
WANTED = {"seats": 0.01, "luck": 0.05, "comebacks": 0.02}
WANTED_OF_LENGTH = 0.02
ASKED = {
    "seats": "what a seat is worth",
    "luck": "what the deal decides",
    "comebacks": "how often who is behind comes back",
    "turns": "how long a game is",
}
ITEMS = ("forms", "pieces")
SINGLE = (
    "mean",
    "games",
    "a game",
    "a move",
    "of the moves",
    "of the game",
    "settled after",
)  # labels that say no more


@dataclass(frozen=True)
class Words:
    """A report in words."""

    sentences: tuple[str, ...]  # at most five
    changes: tuple[str, ...]  # what each variant changes
    surprising: tuple[str, ...]
    unknown: tuple[str, ...]  # what the games cannot say yet, and how many that would take


def words(report: Report) -> Words:
    """What the intervals of a report carry, in plain English."""
    if report.candidates:
        return Words(_aimed(report), (), (), ())
    if not any(run.games for run in report.runs):
        return Words(("No game was played to its end, so there is nothing to say yet.",), (), (), ())
    best = levels(report)[-1]
    changed = tuple(_variant(report, one) for one in report.comparisons)
    made = [_matters(report), _seats(report, best), _length(report, best), _end(report, best), _skill(report, best)]
    made += [_decided(report, best), _decisions(report, best)]
    return Words(
        tuple(text for text in made if text)[:SENTENCES],
        changed,
        tuple(_surprises(report, best))[:SURPRISES],
        tuple(_unknown(report, best)),
    )


def _aimed(report: Report) -> tuple[str, ...]:
    """Which sets of options come nearest to what is aimed at."""
    best = report.candidates[0]
    found = listed([f"{figure.label} is {of_figure(figure, str(figure.facts['unit']))}" for figure in best.figures])
    options = listed([f"{name} {value}" for name, value in best.options.items()])
    games = f"in {best.games:,} games"
    if not best.meets:
        return (f"No set of options that was tried meets all targets. {options} comes nearest: {found}, {games}.",)
    others = sum(one.meets for one in report.candidates) - 1
    more = (f"{others} other {'sets meet' if others > 1 else 'set meets'} them, too.",) if others else ()
    return (f"With {options} all targets are met: {found}, {games}.", *more)


# Five sentences


def _levels(report: Report, key: str, label: str) -> str:
    """A figure at all levels of play, the best one first: 54.1 % (52.8–55.4) between good players and ..."""
    who, parts = between(report), []
    for run in reversed(levels(report)):
        figure = figure_of(run, key, label)
        if figure is not None:
            unit = next(measure.unit for measure in run.measures if measure.key == key)
            parts.append(f"{of_figure(figure, unit)} {who[run.name]}")
    return listed(parts)


def _seats(report: Report, best: Run) -> str:
    unfair = [one for one in unfair_seats(report) if one.figure.label.startswith("seat")]
    figure = unfair[0].figure if unfair else figure_of(best, "seats")
    if figure is None or figure.value is None:
        return ""
    said = _levels(report, "seats", figure.label)
    even = f"even would be {number(figure.fair, 'share')}" if figure.fair is not None else ""
    if unfair:
        return f"{capital(seat(figure.label))} wins {said}; {even}."
    return f"No seat is shown to be better: {seat(figure.label)} wins {said}; {even}."


def _length(report: Report, best: Run) -> str:
    turns, minutes = figure_of(best, "turns", "mean"), figure_of(best, "minutes", "mean")
    if turns is None:
        return ""
    low, high = figure_of(best, "turns", "shortest quarter"), figure_of(best, "turns", "longest quarter")
    if turns.low == turns.high:
        same = number(turns.value or 0, "turns")
        return f"Every one of the {best.games:,} games {_who(report, best)} took {same} turns."
    time = half = ""
    if minutes is not None:
        time = f", about {number(minutes.value or 0, 'minutes')} minutes at {report.pace:g} seconds a turn"
    if low and high and low.value is not None and high.value is not None and low.value < high.value:
        half = f"; half of the games take {span(low.value, high.value, 'turns').replace('–', ' to ')}"
    return f"A game {_who(report, best)} takes {of_figure(turns, 'turns')} turns{time}{half}."


def _end(report: Report, best: Run) -> str:
    measure = _measure(best, "endings")
    if measure is None:
        return ""
    seen = sorted((one for one in measure.figures if one.value), key=lambda one: -(one.value or 0))
    if len(seen) == 1:
        return f"All {best.games:,} games {_who(report, best)} ended, and all in one way: {seen[0].label}."
    parts = [f"{one.label} {of_figure(one, 'share')}" for one in seen[:NAMED]]
    return f"All {best.games:,} games {_who(report, best)} ended: {listed(parts)}."


def _skill(report: Report, best: Run) -> str:
    """What the better player wins, and what the deal decides."""
    parts = []
    ladder = next((found for run in report.runs if (found := _measure(run, "ladder")) is not None), None)
    if ladder is not None:
        top = ladder.figures[-1]
        parts.append(f"{top.label.replace(':', ' ')} in {of_figure(top, 'share')} of the games")
    if figure_of(best, "luck") is not None:
        said = _levels(report, "luck", "the deal")
        parts.append(f"of a result the deal decides {said}, where all are equally good")
    return f"{capital('; '.join(parts))}." if parts else ""


def _decided(report: Report, best: Run) -> str:
    settled, comebacks = figure_of(best, "settled"), figure_of(best, "comebacks")
    if settled is None or comebacks is None:
        return ""
    return (
        f"{capital(_who(report, best))} a game is settled after {of_figure(settled, 'share')} of its moves, and in"
        f" {of_figure(comebacks, 'share')} of the games who wins was not in front at half time."
    )


def _decisions(report: Report, best: Run) -> str:
    options, forced = figure_of(best, "options"), figure_of(best, "forced")
    if options is None or forced is None:
        return ""
    return (
        f"There are {of_figure(options, 'number')} moves to choose from on average {_who(report, best)}, and"
        f" {of_figure(forced, 'share')} of the moves are forced."
    )


def _matters(report: Report) -> str:
    """Of all variants: which ones matter; of what was searched for: what came nearest."""
    if report.candidates:
        return _nearest(report.candidates)
    if not report.comparisons:
        return ""
    asked = {f"{one.option} {one.other}": None for one in report.comparisons}  # each once, whoever played
    found = {f"{one.option} {one.other}" for one in report.comparisons if changes(one.differences, one.games)}
    telling = [name for name in asked if name in found]
    among = f"of {len(asked)} variants" if len(asked) > 1 else "the variant"
    if not telling:
        shown = "none is shown" if len(asked) > 1 else "is not shown"
        return f"{capital(among)} {shown} to change anything: every difference could be chance."
    if len(report.comparisons) == 1:
        return _variant(report, report.comparisons[0])
    rest = len(telling) - NAMED
    named = listed([*telling[:NAMED], *([f"{rest} more"] if rest > 0 else [])])
    return f"{capital(among)}, {len(telling)} {'is' if len(telling) == 1 else 'are'} shown to matter: {named}."


def _nearest(candidates: tuple[Candidate, ...]) -> str:
    near = [one for one in candidates if one.meets]
    first = (near or list(candidates))[0]
    chosen = ", ".join(f"{name} {value}" for name, value in first.options.items())
    if near:
        others = f", as {len(near) - 1} more may" if len(near) > 1 else ""
        return f"With {chosen} every target lies within its interval{others}, in {first.games:,} games."
    return f"No options that were tried meet every target; {chosen} come nearest."


def _variant(report: Report, one: Comparison) -> str:
    """What one variant changes."""
    found = _apart(changes(one.differences, one.games))
    begin = f"With {one.option} {one.other} in place of {one.base}"
    if len({run.level for run in report.runs}) > 1:
        begin += f", {strength(one.level)}"
    if not found:
        return f"{begin} nothing is shown to change in {one.games:,} games."
    titles = {measure.key: measure.title for run in report.runs for measure in run.measures}
    parts = []
    for change in found[:NAMED]:
        title = titles.get(change.key, change.key)
        name = (
            title
            if change.label in ("mean", "games", "a game", "a move", "of the moves")
            else f"{title}, {change.label}"
        )
        low, high = difference(change.low, change.unit), difference(change.high, change.unit)
        parts.append(f"{name} {difference(change.difference, change.unit)} ({low.removesuffix(' points')} to {high})")
    more = f"; {len(found) - NAMED} more in the table" if len(found) > NAMED else ""
    return f"{begin}: {'; '.join(parts)}{more}."


def _apart(found: list[Difference]) -> list[Difference]:
    """Without what only says the same again: moves and minutes beside turns, one of two endings beside the other."""
    keys = [one.key for one in found]
    again = {"moves", "minutes"} if "turns" in keys else set[str]()
    kept = [one for one in found if one.key not in again]
    if keys.count("endings") == 2:
        kept.remove(next(one for one in reversed(kept) if one.key == "endings"))
    return kept


# What is surprising


def _surprises(report: Report, best: Run) -> list[str]:
    who = between(report)
    found = []
    for unfair in unfair_seats(report)[:2]:
        figure = unfair.figure
        assert figure.fair is not None
        found.append(
            f"{capital(seat(figure.label))} wins {of_figure(figure, 'share')} {who[unfair.run.name]},"
            f" where even would be {number(figure.fair, 'share')}."
        )
    for kind in ITEMS:
        measure = _measure(best, kind)
        if measure is not None:
            found += _telling(report, best, measure)
    seen = set()
    for gap in gaps(report, COMPARED):
        if gap.measure.key not in seen:
            seen.add(gap.measure.key)
            label = "" if len(gap.measure.figures) == 1 or gap.b.label == "mean" else f", {seat(gap.b.label)}"
            found.append(f"{gap.measure.title}{label}: {_levels(report, gap.measure.key, gap.b.label)}.")
    return found


def _telling(report: Report, run: Run, measure: Measure) -> list[str]:
    """The items of a list that are dominant or dead, a sentence for each verdict."""
    by_verdict: dict[str, list[Figure]] = {}
    named = verdicts(measure)
    for figure in measure.figures:
        if figure.label in named:
            by_verdict.setdefault(named[figure.label], []).append(figure)
    found = []
    for verdict, figures in by_verdict.items():
        figures.sort(key=lambda one: -abs(one.value or 0))
        rest = len(figures) - NAMED
        if figures[0].value is None or "seldom" in verdict:
            names = [*(figure.label for figure in figures[:NAMED]), *([f"{rest} more"] if rest > 0 else [])]
            found.append(f"{capital(verdict.removeprefix('dead: '))} {_who(report, run)}: {listed(names)}.")
            continue
        first = figures[0]
        assert first.value is not None
        more = "more" if first.value > 0 else "less"
        sizes = f"{number(abs(100 * first.value), 'points')} points {more}"
        low, high = sorted(abs(bound) for bound in (first.low or 0.0, first.high or 0.0))  # both on one side of 0
        others = f" So it is with {listed([one.label for one in figures[1:NAMED]])}." if len(figures) > 1 else ""
        found.append(
            f"Seats that use {first.label} win {sizes} {_who(report, run)} than seats that do not"
            f" ({span(low, high, 'share')}): a cause, or a sign of being ahead.{others}"
        )
    return found


# What the games cannot say yet


def _unknown(report: Report, best: Run) -> list[str]:
    found = []
    for run in report.runs:
        if not run.finished:
            found.append(f"Only {run.games:,} of {run.wanted:,} games {_who(report, run)} were played.")
    for key, asked in ASKED.items():
        figure = figure_of(best, key, "mean" if key == "turns" else "")
        if figure is None or figure.value is None:
            continue
        wanted = WANTED.get(key, WANTED_OF_LENGTH * abs(figure.value))
        unit = next(measure.unit for measure in best.measures if measure.key == key)
        if text := _more(figure, unit, best, wanted):
            found.append(f"{capital(asked)} {_who(report, best)}: {text}")
    if items := _items(best):
        found.append(items)
    return found


def _more(figure: Figure, unit: str, run: Run, wanted: float) -> str:
    """How closely something is known, and how many games it takes to know it as closely as wanted."""
    if figure.low is None or figure.high is None:
        return ""
    half = (figure.high - figure.low) / 2
    if half <= wanted or not wanted or not math.isfinite(half):
        return ""
    scale, name = (100.0, " points") if unit == "share" else (1.0, f" {unit}")
    now, then = number(half * scale, "points"), number(wanted * scale, "points")
    return (
        f"known to ±\u00a0{now}{name}; for ±\u00a0{then} it takes about"
        f" {count(run.games * (half / wanted) ** 2)} games."
    )


def _items(run: Run) -> str:
    """Of lists of cards and actions: what is not known of those that nothing was said of."""
    measure = _measure(run, "pieces") or _measure(run, "forms")
    if measure is None:
        return ""
    named = verdicts(measure)
    halves = [
        (figure.high - figure.low) / 2
        for figure in measure.figures
        if figure.label not in named and figure.low is not None and figure.high is not None
    ]
    if not halves or median(halves) <= TELLING or not math.isfinite(median(halves)):
        return ""
    needed = count(run.games * (median(halves) / TELLING) ** 2)
    now, then = number(100 * median(halves), "points"), number(100 * TELLING, "points")
    return (
        f"Which {measure.title.lower()} are worth more than others: a middling one is known to ±\u00a0{now} points;"
        f" for ±\u00a0{then} it takes about {needed} games."
    )


def _who(report: Report, run: Run) -> str:
    return between(report)[run.name]


def _measure(run: Run, key: str) -> Measure | None:
    return next((measure for measure in run.measures if measure.key == key and measure.figures), None)
