"""`clew.lab(...)`: play, measure, and say what was found as plain data."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clew.core.errors import BadOption, ClewError, quoted
from clew.core.game import Game, load
from clew.core.options import Value
from clew.core.table import read_seed
from clew.core.types import Integers, Json
from clew.lab import chances, skill
from clew.lab.chances import Probe, probed_measures, sighted_measure
from clew.lab.export import Export
from clew.lab.measures import Asked, measure_all
from clew.lab.result import BY_QUESTION, FORMAT, MEASURES, Comparison, Measure, Report, Run
from clew.lab.simulation import RANDOM, Chunks, Play, in_chunks
from clew.lab.sums import Sums
from clew.lab.tune import Tuning
from clew.lab.variants import Variants, corrected, toggled, varied

Progress = Callable[[str, int, int], None]

LEVELS = "random,level:1,level:3"
PACE = 20.0  # seconds a turn
GAMES_AT_RANDOM, GAMES_OF_BOTS = 20_000, 200
CHANCES, LADDER, SEER = chances.GAMES, skill.GAMES, 100  # games that are looked into, played by rungs, with a seer
EXTRA = {  # measures that take games of their own, or playouts
    "chances": ("decided", "lowest", "choice", "no_brainers", "kingmaking", "values", "rules"),
    "ladder": ("ladder",),
    "seer": ("seer",),
}
MOST_GAMES = 100_000_000


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

    `measures` are the keys of measures or of whole questions; by default all. `bots` are levels of play,
    one or several beside each other, as in the arena: by default random, level:1 and level:3, and random for variants.

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
    before = read_report(Path(extend), found) if extend is not None else {}
    if bots is None:
        bots = RANDOM if vary or ledger or targets else LEVELS
    levels = (bots.split(",") if isinstance(bots, str) else list(bots)) if not before else _levels(before, bots)
    seed = int(before["seed"]) if before else secrets.randbelow(1_000_000) if seed is None else read_seed(seed)
    check_games(games)
    wanted = read_measures(measures)
    if not 0 < pace < 86_400:
        raise BadOption(f"The pace is a number of seconds for a turn, more than 0, not {quoted(pace)}.", "pace")
    threads = threads or os.cpu_count() or 1
    stop = stop or threading.Event()
    if before:
        players, options = before["players"], before["options"]
    found.ready()
    plays = [Play(found, players, options, seed, level) for level in levels]
    runs, comparisons = [], list[Comparison]()
    if vary and before:
        raise BadOption("Variants are not gone on from: leave out --extend or --vary.", "extend")
    if sum(map(bool, (vary, ledger, targets))) > 1:
        raise BadOption("Variants, a ledger and targets are three different questions: ask one at a time.")
    if targets is not None:
        return tune(Tuning(plays[0], dict(targets), pace), games, threads, stop, progress)
    about: dict[str, str] = {}
    trials = [Variants(*varied(play, name, values), pace) for play in plays for name, values in (vary or {}).items()]
    if ledger:
        trials = [in_turn(play, pace, about) for play in plays]
    for trial in trials:
        runs += compare(trial, games, threads, pace, progress, stop)
        comparisons += trial.comparisons()
    if files and trials:
        raise BadOption("Rows are written of plain runs, not of variants.", "files")
    export = Export(plays[0], files) if files else None
    for i, play in enumerate(plays if not trials else ()):
        done = before["runs"][i]["sums"] if before else None
        runs.append(run_of(play, games, threads, pace, done, progress, stop, export))
        if wanted & {*EXTRA["chances"]}:
            runs[-1] = with_chances(runs[-1], play, threads, pace, progress, stop)
    if export is not None:
        export.close()
    if not trials and plays[0].players > 1:
        runs += of_skill(plays, wanted, threads, progress, stop)
    runs = [replace(run, measures=tuple(one for one in run.measures if one.key in wanted)) for run in runs]
    return Report(
        game=found.name,
        title=found.title,
        version=found.version,
        players=plays[0].players,
        options=plays[0].options,
        seed=seed,
        pace=pace,
        finished=all(run.finished for run in runs),
        seconds=time.monotonic() - begun,
        threads=threads,
        runs=tuple(runs),
        comparisons=tuple(corrected(comparisons)),
        about=about,
    )


def in_turn(play: Play, pace: float, about: dict[str, str]) -> Variants:
    """Every option changed in turn; `about` tells which changes cannot be played."""
    others, refused = toggled(play)
    if not others:
        raise ClewError(f"{play.game.title} has no options to change.")
    if refused:
        about["refused"] = " ".join(refused)
    return Variants(play, others, pace)


def tune(tuning: Tuning, games: int | None, threads: int, stop: threading.Event, progress: Progress | None) -> Report:
    """Search the options, and say what was found with what that took."""
    begun, play = time.monotonic(), tuning.base

    def say(at: int, total: int) -> None:
        if progress is not None:
            progress(f"{play.level}, sets of options", at, total)

    finished = tuning.search(games or default_games(play.level), threads, stop, say)
    about = {
        "targets": ", ".join(f"{name} {wanted:g}" for name, wanted in tuning.targets.items()),
        "level": play.level,
        "tried": f"{tuning.tried:,} sets of options, {tuning.played:,} games in all",
        "search": "all sets of options"
        if tuning.exhaustive
        else "one option after the other from the best so far: another set may be nearer",
    }
    return Report(
        game=play.game.name,
        title=play.game.title,
        version=play.game.version,
        players=play.players,
        options=play.options,
        seed=play.seed,
        pace=tuning.pace,
        finished=finished,
        seconds=time.monotonic() - begun,
        threads=threads,
        runs=(),
        candidates=tuple(tuning.candidates()),
        about=about,
    )


def read_measures(given: Sequence[str] | None) -> set[str]:
    """The keys of measures that are wanted: given by theirs, or by those of questions."""
    known = {**{key: [key] for key in MEASURES}, **{question: found for question, found in BY_QUESTION.items()}}
    wanted = set[str]()
    for name in given if given is not None else MEASURES:
        if name not in known:
            there = ", ".join([*BY_QUESTION, *(key for key in MEASURES if key not in BY_QUESTION)])
            raise ClewError(f"There is no measure {quoted(name)}; there are {there}.")
        wanted |= {*known[name]}
    return wanted


def with_chances(
    run: Run, play: Play, threads: int, pace: float, progress: Progress | None, stop: threading.Event
) -> Run:
    """A run with the measures that take chances, by playouts from positions of its first games."""
    probe = Probe(play)

    def say(at: int, total: int) -> None:
        if progress is not None:
            progress(f"{play.level}, chances", at, total)

    found = probe.look_into(min(CHANCES, max(run.games, 1)), threads, stop, say)
    asked = Asked(play.game, play.level, play.players, pace, play.items)
    return replace(run, measures=(*run.measures, *probed_measures(asked, probe, found)))


def of_skill(
    plays: Sequence[Play], wanted: set[str], threads: int, progress: Progress | None, stop: threading.Event
) -> list[Run]:
    """What skill and hidden information are worth: games between players that are not equal."""
    begun, made, play = time.monotonic(), list[Measure](), plays[-1]

    def say(what: str) -> Callable[[int, int], None]:
        return lambda at, total: progress(what, at, total) if progress is not None else None

    if "ladder" in wanted and not stop.is_set():
        rungs = [one.level for one in plays] if len(plays) > 1 else skill.RUNGS
        found = skill.ladder(play, rungs, LADDER, threads, stop, say("ladder"))
        made += [found] if found is not None else []
    if "seer" in wanted and not stop.is_set():
        probe = Probe(play)
        seen = sighted_measure(probe, probe.sighted(SEER, threads, stop, say("who sees all")))
        made += [seen] if seen is not None else []
    if not made:
        return []
    games, finished = sum(one.games for one in made), not stop.is_set()
    seconds = time.monotonic() - begun
    return [Run("skill", play.level, play.options, games, games, finished, seconds, tuple(made))]


def check_games(games: int | None) -> None:
    """Refuse a number of games that there cannot be."""
    if games is not None and (isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MOST_GAMES):
        raise BadOption(f"The number of games is from 1 to {MOST_GAMES:,}, not {quoted(games)}.", "games")


def run_of(
    play: Play,
    games: int | None,
    threads: int,
    pace: float,
    done: Json | None,
    progress: Progress | None,
    stop: threading.Event,
    export: Export | None = None,
) -> Run:
    """Play the games of one level that are not done yet, and measure all of them."""
    begun = time.monotonic()
    wanted = games or default_games(play.level)
    sums = play.sums()
    if done:
        sums.add_json(done)
        wanted = max(wanted, sums.games)

    def work(first: int, count: int) -> tuple[Sums, Integers]:
        made = play.sums()
        return made, play.chunk(first, count, made, stop)

    def gather(first: int, made: tuple[Sums, Integers]) -> None:
        sums.add(made[0])
        if export is not None:
            export.write(play.level, play, first, made[1])

    def say(at: int, total: int) -> None:
        if progress is not None:
            progress(play.level, at, total)

    finished = in_chunks(Chunks(sums.games, wanted, threads), work, gather, stop, say)
    return measured(play, play.level, sums, wanted, finished, pace, time.monotonic() - begun)


def measured(play: Play, name: str, sums: Sums, wanted: int, finished: bool, pace: float, seconds: float) -> Run:
    """What came of games that were played."""
    asked = Asked(play.game, play.level, play.players, pace, play.items)
    return Run(
        name=name,
        level=play.level,
        options=play.options,
        games=sums.games,
        wanted=wanted,
        finished=finished and sums.games >= wanted,
        seconds=seconds,
        measures=tuple(measure_all(asked, sums)),
        sums=sums.json(),
    )


def compare(
    trial: Variants, games: int | None, threads: int, pace: float, progress: Progress | None, stop: threading.Event
) -> list[Run]:
    """Play a base and its variants, and measure each."""
    begun = time.monotonic()
    wanted = games or default_games(trial.base.level)
    level = trial.base.level
    name = ", ".join(dict.fromkeys(option for option, _ in trial.others))

    def say(at: int, total: int) -> None:
        if progress is not None:
            progress(f"{level}, {name}", at, total)

    finished = trial.play(wanted, threads, stop, say)
    plays = [trial.base, *(play for _, play in trial.others)]
    seconds = time.monotonic() - begun
    names = [level, *(f"{level}, {option}={play.options[option]}" for option, play in trial.others)]
    if len({option for option, _ in trial.others}) == 1:
        names[0] = f"{level}, {trial.others[0][0]}={trial.base.options[trial.others[0][0]]}"
    return [
        measured(play, called, sums, wanted, finished, pace, seconds)
        for called, play, sums in zip(names, plays, trial.sums)
    ]


def default_games(level: str) -> int:
    """How many games are played if nobody says."""
    return GAMES_AT_RANDOM if level == RANDOM else GAMES_OF_BOTS


def read_report(file: Path, game: Game) -> Json:
    """A report that was written as JSON, to be gone on from; it must be of the same game and rules."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        name, version, form = found["game"], found["version"], found["format"]
        found["runs"] = [run for run in found["runs"] if run["sums"]]
        runs = [run["sums"] for run in found["runs"]]
    except (OSError, UnicodeDecodeError) as error:
        raise ClewError(f"{quoted(str(file))} cannot be read: {error}.") from None
    except (ValueError, KeyError, TypeError):
        raise ClewError(f"{quoted(str(file))} is not a report that clew lab wrote with --json.") from None
    if (name, version, form) != (game.name, game.version, FORMAT) or not all(runs):
        raise ClewError(
            f"{quoted(str(file))} is a report of {quoted(name)}, rules {version}, and cannot be gone on from."
        )
    report: Json = found
    return report


def _levels(before: Json, bots: str | Sequence[str]) -> list[str]:
    """The levels of a report that is gone on from."""
    return [run["level"] for run in before["runs"]]
