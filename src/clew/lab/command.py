"""`clew lab`: what the command line asks for, done and shown."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from clew.core.errors import ClewError, quoted
from clew.core.game import load
from clew.core.options import Value
from clew.lab.report.evidence import notes
from clew.lab.report.output import check_out, in_words, write
from clew.lab.result import QUESTIONS, Comparison, Figure, Measure, Report, Run
from clew.lab.runs import Progress, lab
from clew.lab.simulation import RANDOM, Play

MANY = 3  # comparisons that are shown one by one


@dataclass(frozen=True)
class LabArguments:
    """What was given on the command line."""

    game: str
    games: int | None
    bots: str | None
    measures: list[str] | None
    options: dict[str, Value]
    players: int | None
    seed: int | None
    pace: float
    threads: int | None
    vary: dict[str, Value]
    ledger: bool
    targets: dict[str, Value]
    extend: str | None
    record: int | None
    out: str | None
    files: dict[str, str]
    json: bool


def run(given: LabArguments, stop: threading.Event) -> None:
    """Do what was asked for."""
    if given.record is not None:
        game = load(given.game)
        game.ready()
        play = Play(game, given.players, given.options, given.seed or 0, given.bots or RANDOM)
        print(play.record(given.record), end="")
        return
    page = check_out(given.out or f"{load(given.game).name}-lab.html") if given.out or not given.json else None
    with time_left() as progress:
        report = lab(
            given.game,
            given.games,
            players=given.players,
            bots=given.bots,
            measures=given.measures,
            options=given.options,
            seed=given.seed,
            pace=given.pace,
            threads=given.threads,
            vary={name: str(values).split(",") for name, values in given.vary.items()},
            ledger=given.ledger,
            targets=read_targets(given.targets) or None,
            extend=given.extend,
            files=given.files,
            progress=progress,
            stop=stop,
        )
    if page is not None:
        write(report, given.game, page)
    if given.json:
        print(json.dumps(report.json()))
    else:
        Console(markup=False, highlight=False, emoji=False).print(render(report))
        print(in_words(report))
        print(f"\nThe page with all figures, plots and games: {page}")
    sys.stdout.flush()


def read_targets(given: dict[str, Value]) -> dict[str, float]:
    """What is aimed at, as numbers."""
    found = {}
    for name, text in given.items():
        try:
            found[name] = float(text)
        except ValueError:
            raise ClewError(f"A target is a measure and a number, as first_seat=0.5, not {quoted(text)}.") from None
    return found


@contextmanager
def time_left() -> Iterator[Progress]:
    """Say on standard error how far it is and how long it will take yet; off a terminal only now and then."""
    terminal, begun, said = sys.stderr.isatty(), dict[str, tuple[float, int]](), [time.monotonic()]

    def progress(what: str, done: int, total: int) -> None:
        now = time.monotonic()
        start, first = begun.setdefault(what, (now, done))
        if now - said[0] < (0.2 if terminal else 10.0):
            return
        said[0] = now
        left = (now - start) * (total - done) / (done - first) if done > first else None
        text = f"{what}: {done:,} of {total:,} games{f', {_duration(left)} left' if left is not None else ''}"
        print(f"\r\033[K{text}" if terminal else text, end="" if terminal else "\n", file=sys.stderr, flush=True)

    try:
        yield progress
    finally:
        if terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


# For people


def render(report: Report) -> Group:
    """All measures as tables, question by question."""
    parts: list[Text | Table] = [Text(_heading(report)), Text()]
    for key, question in QUESTIONS:
        rows = [(run, measure) for run in report.runs for measure in run.measures if measure.question == key]
        if not any(measure.figures for _, measure in rows):
            continue
        parts += [Text(question), _table(rows), Text()]
    if report.candidates:
        parts += [_candidates(report), Text()]
        parts += [Text(f"{key.capitalize()}: {said}.") for key, said in report.about.items()]
    if len(report.comparisons) > MANY:
        parts += [_ledger(report.comparisons), Text()]
    for comparison in () if len(report.comparisons) > MANY else report.comparisons:
        parts += [Text(_compared(comparison)), _differences(comparison), Text()]
    if not report.finished:
        parts.append(Text("Interrupted: this is what is known."))
    return Group(*parts)


def _candidates(report: Report) -> Table:
    """The sets of options that come nearest."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("options", "games", *(figure.label for figure in report.candidates[0].figures), ""):
        table.add_column(column)
    for one in report.candidates:
        options = ", ".join(f"{name} {value}" for name, value in one.options.items())
        numbers = [
            f"{shown(figure.value or 0, unit)} ({shown(figure.low or 0, unit)} to {shown(figure.high or 0, unit)})"
            for figure in one.figures
            for unit in [str(figure.facts["unit"])]
        ]
        table.add_row(options, f"{one.games:,}", *numbers, "meets all" if one.meets else "")
    return table


def _ledger(comparisons: Sequence[Comparison]) -> Table:
    """Which options matter, and for what."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("option", "level", "what it changes, corrected for all that was asked"):
        table.add_column(column)
    for one in comparisons:
        changes = [
            f"{found.key} {found.label} {shown(found.base, found.unit)} → {shown(found.other, found.unit)}"
            for found in sorted(one.differences, key=lambda found: found.corrected)
            if found.significant
        ]
        table.add_row(f"{one.option} {one.base} → {one.other}", one.level, ", ".join(changes) or "nothing that is sure")
    return table


def _compared(one: Comparison) -> str:
    told = f"{one.option} {one.other} instead of {one.base}: {one.games:,} games each, {one.level}"
    return f"{told}, on the same deals." if not one.note else f"{told}. {one.note}"


def _differences(one: Comparison) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("measure", "", str(one.base), str(one.other), "difference", "95 %", ""):
        table.add_column(column, justify="left" if column in ("measure", "") else "right")
    for found in one.differences:
        numbers = [shown(number, found.unit) for number in (found.base, found.other, found.difference)]
        interval = f"{shown(found.low, found.unit)} to {shown(found.high, found.unit)}"
        table.add_row(found.key, found.label, *numbers, interval, "differs" if found.significant else "")
    return table


def _heading(report: Report) -> str:
    chosen = ", ".join(f"{name} {value}" for name, value in report.options.items())
    return f"{report.title}, {report.players} players{f', {chosen}' if chosen else ''}; seed {report.seed}"


def _table(rows: list[tuple[Run, Measure]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("measure", "", "level", "figure", "95 %", "games", ""):
        table.add_column(column, justify="right" if column in ("figure", "95 %", "games") else "left")
    for run, measure in rows:
        for i, (figure, note) in enumerate(zip(measure.figures, notes(measure))):
            title = measure.title if i == 0 else ""
            table.add_row(title, figure.label, run.name, *_cells(measure, figure), f"{figure.games:,}", note)
    return table


def _cells(measure: Measure, figure: Figure) -> tuple[str, str]:
    if figure.value is None:
        return "–", ""
    interval = ""
    if figure.low is not None and figure.high is not None:
        interval = f"{shown(figure.low, measure.unit)} to {shown(figure.high, measure.unit)}"
    return shown(figure.value, measure.unit), interval


def shown(value: float, unit: str) -> str:
    """A number of a measure as people read it."""
    return f"{value:.1%}" if unit == "share" else f"{value:,.1f}" if unit != "times" else f"{value:.2f}"
