"""`clew.lab(...)`: play, measure, and say what was found as plain data."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clew.core.errors import BadOption, ClewError
from clew.core.game import Game, load
from clew.core.options import Value
from clew.core.types import Integers
from clew.lab import chances, skill
from clew.lab.chances import Probe, probed_measures, sighted_measure
from clew.lab.export import Export
from clew.lab.measures import Asked, measure_all
from clew.lab.order import Order, read_order
from clew.lab.result import Comparison, Measure, Report, Run
from clew.lab.simulation import Chunks, Play, in_chunks
from clew.lab.sums import Sums
from clew.lab.tune import Tuning
from clew.lab.variants import Variants, corrected, toggled, varied

Progress = Callable[[str, int, int], None]

PACE = 20.0  # seconds a turn
SEER_GAMES = 60
OF_CHANCES = {"decided", "lowest", "choice", "no_brainers", "kingmaking", "values", "rules"}


def lab(
    game: str | Path | Game,
    games: int | None = None,
    *,
    players: int | None = None,
    bots: str | Sequence[str] | None = None,
    options: Mapping[str, Value] | None = None,
    seed: int | None = None,
    pace: float = PACE,
    measures: Sequence[str] | None = None,
    threads: int | None = None,
    vary: Mapping[str, Sequence[Value]] | None = None,
    ledger: bool = False,
    targets: Mapping[str, float] | None = None,
    extend: str | Path | None = None,
    files: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Report:
    """Play `games` games at each level of play and measure them.

    `measures` are the keys of measures or of whole questions; by default all. `bots` are levels of play, one or several
    beside each other, as in the arena: by default random, level:1 and level:3, and random for variants.

    `vary` has for some options values to be compared, the first one with each other, on the same deals; with `ledger`
    every option is changed in turn. With `targets` the options are searched for those that come nearest, as
    {"first_seat": 0.5, "turns": 40}. `files` get rows: csv and parquet one for each game, csv_moves and parquet_moves
    one for each move. With `extend` the games of a report that was written as JSON are gone on from, and only new ones
    are written as rows.

    >>> report = lab("cardtracks", 100, seed=1, bots="random", measures=["seats", "length"])
    >>> report.runs[0].games
    100
    """
    begun = time.monotonic()
    found = game if isinstance(game, Game) else load(game)
    questions = sum(map(bool, (vary, ledger, targets)))
    if questions > 1:
        raise BadOption("Variants, a ledger and targets are three different questions: ask one at a time.")
    if questions and files:
        raise BadOption("Rows are written of plain runs, not of variants.", "files")
    order = read_order(
        found, games, players, bots, options, seed, pace, measures, threads, extend, variants=questions > 0
    )
    found.ready()
    worker = Worker(order, order.plays(), progress, stop or threading.Event())
    report = worker.variants(vary or {}, ledger) if vary or ledger else worker.tuned(targets) if targets else None
    return replace(report or worker.plain(files or {}), seconds=time.monotonic() - begun)


class Worker:
    """Carries out an order."""

    def __init__(self, order: Order, plays: Sequence[Play], progress: Progress | None, stop: threading.Event) -> None:
        self.order, self.plays, self.stop = order, plays, stop
        self._progress = progress

    def plain(self, files: Mapping[str, str]) -> Report:
        """Each level with its measures, and then what skill is worth."""
        export, runs = Export(self.plays[0], files), list[Run]()
        try:
            for i, play in enumerate(self.plays):
                runs.append(self._run(i, play, export))
        finally:
            export.close()  # if a game goes wrong, those before it are there
        if self.plays[0].players > 1:
            runs += self._skill()
        return self._report(runs)

    def variants(self, vary: Mapping[str, Sequence[Value]], ledger: bool) -> Report:
        """Each variant with its measures, and how it differs from the base."""
        runs, comparisons, about = list[Run](), list[Comparison](), dict[str, str]()
        pace = self.order.pace
        trials = [Variants(*varied(play, name, values), pace) for play in self.plays for name, values in vary.items()]
        if ledger:
            trials = [_in_turn(play, pace, about) for play in self.plays]
        for trial in trials:
            runs += self._compare(trial)
            comparisons += trial.comparisons()
        return replace(self._report(runs), comparisons=tuple(corrected(comparisons)), about=about)

    def tuned(self, targets: Mapping[str, float]) -> Report:
        """The options that come nearest to targets, with what that took."""
        tuning = Tuning(self.plays[0], dict(targets), self.order.pace)
        play = tuning.base
        say = self._say(f"{play.level}, sets of options")
        finished = tuning.search(self.order.wanted(play.level), self.order.threads, self.stop, say)
        about = {
            "targets": ", ".join(f"{name} {wanted:g}" for name, wanted in targets.items()),
            "level": play.level,
            "tried": f"{tuning.tried:,} sets of options, {tuning.played:,} games in all",
            "search": "all sets of options"
            if tuning.exhaustive
            else "one option after the other from the best so far: another set may be nearer",
        }
        return replace(self._report([]), finished=finished, candidates=tuple(tuning.candidates()), about=about)

    def _run(self, at: int, play: Play, export: Export) -> Run:
        """Play the games of one level that are not done yet, and measure all of them."""
        begun, sums = time.monotonic(), self.order.begun(at, play)
        wanted = max(self.order.wanted(play.level), sums.games)

        def work(first: int, count: int) -> tuple[Sums, Integers]:
            made = play.sums()
            return made, play.chunk(first, count, made, self.stop)

        def gather(first: int, made: tuple[Sums, Integers]) -> None:
            sums.add(made[0])
            export.write(play.level, play, first, made[1])

        chunks = Chunks(sums.games, wanted, self.order.threads)
        in_chunks(chunks, work, gather, self.stop, self._say(play.level))
        run = self._measured(play, play.level, sums, wanted, begun)
        if self.order.measures & OF_CHANCES and sums.games:
            probe = Probe(play)
            games = min(chances.GAMES, sums.games)
            found = probe.look_into(games, self.order.threads, self.stop, self._say(f"{play.level}, chances"))
            run = replace(run, measures=(*run.measures, *probed_measures(self._asked(play), probe, found)))
        return replace(run, seconds=time.monotonic() - begun)

    def _compare(self, trial: Variants) -> list[Run]:
        """Play a base and its variants, and measure each."""
        begun, level = time.monotonic(), trial.base.level
        changed = list(dict.fromkeys(option for option, _ in trial.others))
        wanted = self.order.wanted(level)
        trial.play(wanted, self.order.threads, self.stop, self._say(f"{level}, {', '.join(changed)}"))
        base = f"{level}, {changed[0]}={trial.base.options[changed[0]]}" if len(changed) == 1 else level
        names = [base, *(f"{level}, {option}={play.options[option]}" for option, play in trial.others)]
        plays = [trial.base, *(play for _, play in trial.others)]
        return [self._measured(*one, wanted, begun) for one in zip(plays, names, trial.sums)]

    def _skill(self) -> list[Run]:
        """What skill and hidden information are worth: games between players that are not equal."""
        begun, made, play = time.monotonic(), list[Measure](), self.plays[-1]
        threads, stop = self.order.threads, self.stop
        if "ladder" in self.order.measures and not stop.is_set():
            rungs = self.order.levels if len(self.order.levels) > 1 else skill.RUNGS
            found = skill.ladder(play, rungs, skill.GAMES, threads, stop, self._say("ladder"))
            made += [found] if found is not None else []
        if "seer" in self.order.measures and not stop.is_set():
            probe = Probe(play)
            seen = sighted_measure(probe, probe.sighted(SEER_GAMES, threads, stop, self._say("who sees all")))
            made += [seen] if seen is not None else []
        if not made:
            return []
        games, seconds = sum(one.games for one in made), time.monotonic() - begun
        return [Run("skill", play.level, play.options, games, games, not stop.is_set(), seconds, tuple(made))]

    def _measured(self, play: Play, name: str, sums: Sums, wanted: int, begun: float) -> Run:
        """What came of games that were played."""
        return Run(
            name=name,
            level=play.level,
            options=play.options,
            games=sums.games,
            wanted=wanted,
            finished=sums.games >= wanted,
            seconds=time.monotonic() - begun,
            measures=tuple(one for one in measure_all(self._asked(play), sums) if one.key in self.order.measures),
            sums=sums.json(),
        )

    def _asked(self, play: Play) -> Asked:
        return Asked(play.game, play.level, play.players, self.order.pace, play.items)

    def _report(self, runs: Sequence[Run]) -> Report:
        play, wanted = self.plays[0], self.order.measures
        kept = [replace(run, measures=tuple(one for one in run.measures if one.key in wanted)) for run in runs]
        return Report(
            game=play.game.name,
            title=play.game.title,
            version=play.game.version,
            players=play.players,
            options=play.options,
            seed=play.seed,
            pace=self.order.pace,
            finished=all(run.finished for run in runs) and not self.stop.is_set(),
            seconds=0.0,
            threads=self.order.threads,
            runs=tuple(kept),
        )

    def _say(self, what: str) -> Callable[[int, int], None]:
        """Tell how far something is."""
        return lambda done, total: self._progress(what, done, total) if self._progress is not None else None


def _in_turn(play: Play, pace: float, about: dict[str, str]) -> Variants:
    """Every option changed in turn; `about` tells which changes cannot be played."""
    others, refused = toggled(play)
    if not others:
        raise ClewError(f"{play.game.title} has no options to change.")
    if refused:
        about["refused"] = " ".join(refused)
    return Variants(play, others, pace)
