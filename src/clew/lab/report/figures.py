"""Numbers, intervals, levels and labels of a report as people read them."""

from __future__ import annotations

import math
import re

from clew.lab.result import Figure, Report

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
STRENGTHS = {1: "beginners", 2: "beginners", 3: "good players", 4: "good players", 5: "strong players"}
STRENGTHS[6] = STRENGTHS[5]


def number(value: float, unit: str) -> str:
    """A number with as many places as its unit bears, and a percent sign for a share.

    >>> number(0.5413, "share"), number(84.0, "turns"), number(1234.56, "points")
    ('54.1 %', '84', '1,234.6')
    """
    if unit == "share":
        return f"{_places(100 * value, 1)} %"
    return _places(value, 2 if unit == "times" else 1)


def difference(value: float, unit: str) -> str:
    """A difference with its sign; of shares in points.

    >>> difference(-0.021, "share"), difference(3.0, "turns")
    ('−2.1 points', '+3')
    """
    size = f"{_places(abs(100 * value), 1)} points" if unit == "share" else number(abs(value), unit)
    sign = "" if size in ("0", "0 points") else "−" if value < 0 else "+"
    return sign + size


def span(low: float | None, high: float | None, unit: str) -> str:
    """The bounds of an interval, without their unit.

    >>> span(0.528, 0.554, "share"), span(-3.0, 2.0, "points")
    ('52.8–55.4', '−3 to 2')
    """
    if low is None or high is None or not math.isfinite(low + high):  # one game tells nothing of a mean
        return ""
    a, b = (number(bound, unit).removesuffix(" %") for bound in (low, high))
    return f"{a} to {b}" if low < 0 else f"{a}–{b}"


def of_figure(figure: Figure, unit: str) -> str:
    """A figure with its interval, 54.1 % (52.8–55.4), or alone where all games were alike."""
    if figure.value is None:
        return "–"
    bounds = span(figure.low, figure.high, unit) if figure.low != figure.high else ""
    return f"{number(figure.value, unit)}{f' ({bounds})' if bounds else ''}"


def _places(value: float, places: int) -> str:
    text = f"{value:,.{places}f}"
    if "." in text and float(text.replace(",", "")) == round(value):
        text = text.split(".")[0]
    return text.replace("-", "−") if float(text.replace(",", "")) else "0"


def seat(label: str) -> str:
    """A seat's label in a sentence.

    >>> seat("seat 1")
    'the first seat'
    """
    found = re.fullmatch(r"seat (\d+)", label)
    place = int(found[1]) if found else 0
    return f"the {ORDINALS[place - 1]} seat" if 0 < place <= len(ORDINALS) else label


def between(report: Report) -> dict[str, str]:
    """Who played, for the name of each run, as people say it; levels of the same strength by their number."""
    strengths = {level: strength(level) for level in {run.level for run in report.runs}}
    said = {}
    for run in report.runs:
        text = strengths[run.level]
        if list(strengths.values()).count(text) > 1:
            text = f"at {run.level.replace(':', ' ')}"
        if run.name.startswith(f"{run.level}, "):  # a variant
            text += f" with {run.name.removeprefix(f'{run.level}, ')}"
        said[run.name] = text if run.name.startswith(run.level) else f"in the games of {run.name}"
    return said


def strength(level: str) -> str:
    """Who plays at a level.

    >>> strength("level:3"), strength("greedy")
    ('between good players', 'between greedy')
    """
    if level == "random":
        return "at random"
    found = re.fullmatch(r"level:(\d)", level)
    if found and int(found[1]) in STRENGTHS:
        return f"between {STRENGTHS[int(found[1])]}"
    return f"between {level}"


def capital(text: str) -> str:
    """With a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def listed(words: list[str]) -> str:
    """Words in a row: a, b and c."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def count(many: float) -> str:
    """A number of games, rounded up to two figures.

    >>> count(9604.0), count(312)
    ('9,700', '320')
    """
    unit = 10 ** max(0, len(str(int(many))) - 2)
    return f"{-(-many // unit) * unit:,.0f}"
