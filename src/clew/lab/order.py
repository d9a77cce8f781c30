"""What somebody asked the lab for, read and checked before the first game is played."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.core.errors import BadOption, ClewError, quoted
from clew.core.game import Game
from clew.core.options import Value
from clew.core.seeds import read_seed
from clew.core.types import Json
from clew.lab.result import BY_QUESTION, FORMAT, MEASURES
from clew.lab.simulation import RANDOM, Play
from clew.lab.sums import Sums

# `Any` in signatures here: what was given, which may be anything.

LEVELS = (RANDOM, "level:1", "level:3")
GAMES_AT_RANDOM, GAMES_OF_BOTS = 20_000, 200
MOST_GAMES = 100_000_000
LARGEST_SEED = 1 << 200  # seeds of deals are made from it, which have limits of their own


@dataclass(frozen=True)
class Order:
    """What is to be played and measured."""

    game: Game
    games: int | None
    players: int | None
    levels: tuple[str, ...]
    options: Mapping[str, Value] | None
    seed: int
    pace: float
    measures: frozenset[str]
    threads: int
    before: tuple[Json, ...]  # the runs that are gone on from

    def plays(self) -> list[Play]:
        """The games of each level."""
        return [Play(self.game, self.players, self.options, self.seed, level) for level in self.levels]

    def wanted(self, level: str) -> int:
        """How many games of a level are to be played."""
        return self.games or (GAMES_AT_RANDOM if level == RANDOM else GAMES_OF_BOTS)

    def begun(self, at: int, play: Play) -> Sums:
        """What is known of the games of a level already."""
        sums = play.sums()
        if self.before:
            try:
                sums.add_json(self.before[at]["sums"])
            except (ValueError, KeyError, TypeError, IndexError):
                raise ClewError("The report that is gone on from is damaged.") from None
        return sums


def read_order(
    game: Game,
    games: int | None,
    players: int | None,
    bots: str | Sequence[str] | None,
    options: Mapping[str, Value] | None,
    seed: int | None,
    pace: float,
    measures: Sequence[str] | None,
    threads: int | None,
    extend: str | Path | None,
    variants: bool,
) -> Order:
    """An order, or the sentence that says what is wrong with it; `variants` are played at random if nobody says."""
    if games is not None:
        _within("The number of games", games, 1, MOST_GAMES, "games")
    if isinstance(pace, bool) or not isinstance(pace, int | float) or not 0 < pace < 86_400:
        raise BadOption(f"The pace is a number of seconds for a turn, more than 0, not {quoted(pace)}.", "pace")
    if threads is not None:
        _within("The number of threads", threads, 1, 1024, "threads")
    wanted = read_measures(measures)
    levels = tuple(bots.split(",") if isinstance(bots, str) else bots or ())
    before: Json = {}
    if extend is not None:
        if variants:
            raise BadOption("Variants are not gone on from: leave out what is to be extended.", "extend")
        before = read_report(Path(extend), game)
        _same(extend, before, players=players, options=options or None, seed=seed)
        known = tuple(run["level"] for run in before["runs"])
        if levels and levels != known:
            raise ClewError(f"{quoted(str(extend))} has games of {', '.join(known)}, and those are gone on from.")
        players, options, seed, levels = before["players"], before["options"], before["seed"], known
    seed = secrets.randbelow(1_000_000) if seed is None else read_seed(seed)
    if seed >= LARGEST_SEED:
        raise BadOption("A seed of the lab is less than 2^200.", "seed")
    return Order(
        game=game,
        games=games,
        players=players,
        levels=levels or ((RANDOM,) if variants else LEVELS),
        options=options,
        seed=seed,
        pace=pace,
        measures=frozenset(wanted),
        threads=threads or os.cpu_count() or 1,
        before=tuple(before.get("runs", ())),
    )


def read_measures(given: Sequence[str] | None) -> set[str]:
    """The keys of the measures that are wanted: given by theirs, or by those of questions."""
    known: dict[str, Sequence[str]] = {**{key: (key,) for key in MEASURES}, **BY_QUESTION}
    wanted = set[str]()
    for name in given if given is not None else MEASURES:
        if name not in known:
            there = ", ".join([*BY_QUESTION, *(key for key in MEASURES if key not in BY_QUESTION)])
            raise ClewError(f"There is no measure {quoted(name)}; there are {there}.")
        wanted |= {*known[name]}
    return wanted


def read_report(file: Path, game: Game) -> Json:
    """A report that was written as JSON, to be gone on from; it must be of the same game and rules."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        name, version, form = found["game"], found["version"], found["format"]
        found["runs"] = [run for run in found["runs"] if run["sums"]]
        plain = bool(found["runs"]) and not found["comparisons"] and not found["candidates"]
        _ = found["players"], found["options"], found["seed"]
    except OSError as error:
        raise ClewError(f"{quoted(str(file))} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise ClewError(f"{quoted(str(file))} is not a report that clew lab wrote with --json.") from None
    if (name, version, form) != (game.name, game.version, FORMAT) or not plain:
        what = "variants" if name == game.name and not plain else f"{name}, rules {version}"
        raise ClewError(f"{quoted(str(file))} is a report of {what}: it cannot be gone on from here.")
    report: Json = found
    return report


def _same(extend: object, before: Json, **given: Any) -> None:
    """Refuse what is given otherwise than the report has it."""
    for name, value in given.items():
        if value is None:
            continue
        read = {key: str(one) for key, one in value.items()} if isinstance(value, Mapping) else value
        known = before[name]
        if isinstance(read, dict):
            known = {key: str(one) for key, one in known.items() if key in read}
        if read != known:
            plain = ", ".join(f"{key} {one}" for key, one in known.items()) if isinstance(known, dict) else known
            raise ClewError(f"{quoted(str(extend))} was played with {name} {plain}: leave that out to go on.")


def _within(what: str, number: int, least: int, most: int, about: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise BadOption(f"{what} is from {least:,} to {most:,}, not {quoted(number)}.", about)
