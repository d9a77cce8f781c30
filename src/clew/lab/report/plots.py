"""Where the marks of a plot are, in percent of its width, so that it fits a desk, a phone and paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.lab.report.figures import difference, number, of_figure, span
from clew.lab.result import Difference, Figure, Measure

ROWS = 16  # of a plot: of more, the first and the last
BARS = 40
TICKS = 4


@dataclass(frozen=True)
class Mark:
    """One figure with its interval, of one level of play."""

    run: int
    name: str
    text: str
    at: float | None
    low: float | None
    high: float | None
    shown: bool = True  # fainter if not more than chance


@dataclass(frozen=True)
class Row:
    """What stands under one label, level beside level."""

    label: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Intervals:
    """Figures with their intervals on one scale."""

    rows: tuple[Row, ...]
    ticks: tuple[tuple[float, str], ...]
    line: float | None  # where the fair value is, or no difference
    line_text: str
    left_out: int


@dataclass(frozen=True)
class Bar:
    """So many games with values from low to high."""

    left: float
    width: float
    height: float
    low: int
    high: int
    games: int


@dataclass(frozen=True)
class Histogram:
    """How often each value came, a row of bars for each level of play on the same scale."""

    series: tuple[tuple[int, str, tuple[Bar, ...]], ...]
    ticks: tuple[tuple[float, str], ...]


class Scale:
    """Numbers to percent of the width."""

    def __init__(self, values: Iterable[float], margin: float = 0.06) -> None:
        found = [value for value in values if math.isfinite(value)] or [0.0]
        low, high = min(found), max(found)
        pad = margin * (high - low) or max(abs(high) * 0.1, 0.05)
        self.low, self.high = low - pad, high + pad

    def __call__(self, value: float) -> float:
        return round(100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 2)

    def ticks(self, unit: str) -> tuple[tuple[float, str], ...]:
        """Round numbers, about TICKS of them."""
        rough = (self.high - self.low) / TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * 0.999)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return tuple((self(step * i), number(step * i, unit)) for i in range(first, last + 1))


def intervals(measures: Sequence[tuple[int, str, Measure]]) -> Intervals | None:
    """A measure at several levels of play: each with the number and the name of its run."""
    labels = list(dict.fromkeys(figure.label for _, _, measure in measures for figure in measure.figures))
    found = {(run, figure.label): figure for run, _, measure in measures for figure in measure.figures}
    drawn = [label for label in labels if any(_drawn(found.get((run, label))) for run, _, _ in measures)]
    if not drawn:
        return None
    if len(drawn) > ROWS:
        last = measures[-1][0]
        drawn.sort(key=lambda label: -_value(found.get((last, label))))
    kept = drawn if len(drawn) <= ROWS else [*drawn[: ROWS // 2], *drawn[-ROWS // 2 :]]
    fair = next((figure.fair for figure in found.values() if figure.fair is not None), None)
    figures = [found[key] for key in found if key[1] in kept and _drawn(found[key])]
    scale = Scale([bound for one in figures for bound in (one.value, one.low, one.high, fair) if bound is not None])
    unit = measures[0][2].unit
    rows = []
    for label in kept:
        marks = [_mark(run, name, found.get((run, label)), unit, scale) for run, name, _ in measures]
        rows.append(Row(label, tuple(mark for mark in marks if mark is not None)))
    line = f"even: {number(fair, unit)}" if fair is not None else ""
    return Intervals(
        tuple(rows), scale.ticks(unit), scale(fair) if fair is not None else None, line, len(drawn) - len(kept)
    )


def _drawn(figure: Figure | None) -> bool:
    """Whether a figure is drawn: the longest game of all would push everything else into a corner."""
    return figure is not None and figure.value is not None and figure.method != "seen"


def _value(figure: Figure | None) -> float:
    return figure.value if figure is not None and figure.value is not None else -math.inf


def _mark(run: int, name: str, figure: Figure | None, unit: str, scale: Scale) -> Mark | None:
    if figure is None or not _drawn(figure):
        return None
    at, low, high = (scale(bound) if bound is not None else None for bound in (figure.value, figure.low, figure.high))
    return Mark(run, name, of_figure(figure, unit), at, low, high)


def histogram(measures: Sequence[tuple[int, str, Measure]]) -> Histogram | None:
    """How often each value came, at several levels of play."""
    drawn = [one for one in measures if one[2].histogram]
    values = [value for _, _, measure in drawn for value, _ in measure.histogram]
    if not values or min(values) == max(values):
        return None
    low, high = min(values), max(values)
    width = -(-(high - low + 1) // BARS)
    count = -(-(high - low + 1) // width)
    scale = Scale([low - 0.5, low + count * width - 0.5], margin=0.0)
    series = []
    for run, name, measure in drawn:
        games = [0] * count
        for value, many in measure.histogram:
            games[(value - low) // width] += many
        most = max(games)
        bars = []
        for i, many in enumerate(games):
            if many:
                first = low + i * width
                left, right = scale(first - 0.5), scale(first + width - 0.5)
                bars.append(
                    Bar(left, round(right - left, 2), round(100 * many / most, 2), first, first + width - 1, many)
                )
        series.append((run, name, tuple(bars)))
    return Histogram(tuple(series), scale.ticks("number"))


def differences(found: Sequence[Difference], titles: dict[str, str]) -> list[Intervals]:
    """What a variant changes: a plot for each unit, as turns and shares have no scale in common."""
    plots = []
    for unit in dict.fromkeys(one.unit for one in found):
        those = [one for one in found if one.unit == unit]
        scale = Scale([0.0, *(bound for one in those for bound in (one.low, one.high))])
        rows = []
        for one in those:
            text = f"{difference(one.difference, unit)} ({span_of(one)})"
            mark = Mark(0, "", text, scale(one.difference), scale(one.low), scale(one.high), one.significant)
            rows.append(Row(f"{titles.get(one.key, one.key)}: {one.label}", (mark,)))
        plots.append(Intervals(tuple(rows), scale.ticks(unit), scale(0.0), "no difference", 0))
    return plots


def span_of(one: Difference) -> str:
    """The interval of a difference, without its unit."""
    return span(one.low, one.high, one.unit)
