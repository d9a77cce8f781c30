"""The lab's page: one file that asks for nothing, with words, plots, their figures and the games behind them."""

from __future__ import annotations

import shlex
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from clew.lab.report import figures as shown
from clew.lab.report.evidence import changes, levels, notes
from clew.lab.report.plots import Histogram, Intervals, differences, histogram, intervals
from clew.lab.report.words import words
from clew.lab.result import QUESTIONS, Comparison, Figure, Measure, Report, Run

TEMPLATES = Path(__file__).parent / "templates"
RECORDS, RECORD_BYTES, RECORD_SECONDS = 36, 300_000, 10.0  # of all games that are shown whole
FILE_BYTES = 1_000_000
LINES = 400  # of a table
RUNS, VARIANTS = 5, 40  # side by side: of more variants the base is shown, and what each changes

Recorder = Callable[[Run, int], str]  # the record of a game of a run, by its number


@dataclass(frozen=True)
class Line:
    """A line of a table of figures."""

    place: int  # of the run
    run: Run
    figure: Figure
    value: str
    span: str
    note: str
    uses: tuple[str, ...] = ()  # of a card: offered, chosen, how often against random


@dataclass(frozen=True)
class Part:
    """A measure at all levels of play."""

    key: str
    title: str
    definitions: tuple[str, ...]
    notes: tuple[str, ...]
    plot: Intervals | None
    bars: Histogram | None
    lines: tuple[Line, ...]
    left_out: int
    of_items: bool
    has_games: bool


@dataclass(frozen=True)
class Variant:
    """A comparison with its plots."""

    comparison: Comparison
    said: str
    plots: tuple[Intervals, ...]
    telling: bool


@dataclass
class Games:
    """The games that are shown whole, by the place of their run and their number."""

    commands: tuple[str, ...]  # of each run: what prints the record of a game, but for its number
    replay: str  # what goes through such a record
    records: dict[tuple[int, int], str] = field(default_factory=dict)


def page(report: Report, game: str = "", recorder: Recorder | None = None) -> str:
    """The page as HTML. `game` is what the command line calls the game; `recorder` gives the records of some games."""
    called = game or report.game
    folder = ["--game", called] if "/" in called else []
    replay = shlex.join(["clew", "replay", "game.clew", *folder])
    games = Games(tuple(command(report, run, called) for run in report.runs), replay)
    if recorder is not None:
        games.records = dict(_records(report, recorder))
    style = Markup((TEMPLATES / "page.css").read_text(encoding="utf-8"))
    text = (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            said=words(report),
            who=shown.between(report),
            sections=[(key, question, parts) for key, question in QUESTIONS if (parts := list(_parts(report, key)))],
            variants=_variants(report),
            games=games,
            style=style,
            style_hash=b64encode(sha256(style.encode()).digest()).decode(),
            f=shown,
        )
    )
    if games.records and len(text.encode()) > FILE_BYTES:
        return page(report, game)  # without them
    return text


def command(report: Report, run: Run, game: str) -> str:
    """The command that prints the record of a game of a run, but for its number."""
    options = [part for name, value in run.options.items() for part in ("-o", f"{name}={value}")]
    where = ["--players", str(report.players), *options, "--seed", str(report.seed), "--bots", run.level]
    return shlex.join(["clew", "lab", game, *where, "--record"])


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,  # names of a game in a folder are anybody's words
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return made


# What is shown of the measures


def _parts(report: Report, question: str) -> Iterator[Part]:
    """The measures of one question, each at all levels of play."""
    known = levels(report)
    runs = [(i, run) for i, run in enumerate(report.runs) if len(report.runs) <= RUNS or run in known or not run.games]
    for key in dict.fromkeys(one.key for _, run in runs for one in run.measures if one.question == question):
        found = [(i, run, one) for i, run in runs for one in run.measures if one.key == key]
        if not any(measure.figures for _, _, measure in found):
            continue
        measures = [(i, run.name, measure) for i, run, measure in found]
        lines = [line for i, run, measure in found for line in _lines(i, run, measure)]
        yield Part(
            key,
            found[0][2].title,
            tuple(dict.fromkeys(measure.definition for _, _, measure in found)),
            tuple(dict.fromkeys(measure.note for _, _, measure in found if measure.note)),
            intervals(measures),
            histogram(measures),
            tuple(lines[:LINES]),
            max(0, len(lines) - LINES),
            any(line.uses for line in lines),
            any(line.figure.examples for line in lines),
        )


def _lines(place: int, run: Run, measure: Measure) -> Iterator[Line]:
    for figure, note in zip(measure.figures, notes(measure)):
        uses: tuple[str, ...] = ()
        if "offered" in figure.facts:
            against = figure.facts.get("against_random")
            ratio = f"{float(against):.2f}" if against is not None else "–"
            uses = (f"{figure.facts['offered']:,}", f"{figure.facts.get('chosen', 0):,}", ratio)
        value = shown.number(figure.value, measure.unit) if figure.value is not None else "–"
        yield Line(place, run, figure, value, shown.span(figure.low, figure.high, measure.unit), note, uses)


def _variants(report: Report) -> list[Variant]:
    """What each variant changes, and of very many those that change most."""
    titles = {measure.key: measure.title for run in report.runs for measure in run.measures}
    both = list(zip(report.comparisons, words(report).changes))
    if len(both) > VARIANTS:
        both.sort(key=lambda one: -len(changes(one[0].differences, one[0].games)))
    return [
        Variant(one, text, tuple(differences(one.differences, titles)), bool(changes(one.differences, one.games)))
        for one, text in both[:VARIANTS]
    ]


# The games behind the figures


def _records(report: Report, recorder: Recorder) -> Iterator[tuple[tuple[int, int], str]]:
    """The records of some games: the first example of each figure, then the second, as many as there is room for."""
    asked: dict[tuple[int, int, int], None] = {}
    for i, run in enumerate(report.runs):
        for measure in run.measures:
            for figure in measure.figures:
                asked.update({(place, i, number): None for place, number in enumerate(figure.examples)})
    wanted = dict.fromkeys((i, number) for _, i, number in sorted(asked))
    room, begun = RECORD_BYTES, time.monotonic()
    for i, number in list(wanted)[:RECORDS]:
        if time.monotonic() - begun > RECORD_SECONDS:
            return
        text = recorder(report.runs[i], number)
        room -= len(text.encode())
        if room < 0:
            return
        yield (i, number), text
