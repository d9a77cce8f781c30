"""Search the options of a game for those that come nearest to what a designer wants, with budget and doubt told."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clew.core.errors import BadOption, ClewError, quoted
from clew.core.game import Game
from clew.core.options import Choice, Option, Value
from clew.lab.intervals import Moments, around, share_interval
from clew.lab.result import Candidate, Figure
from clew.lab.scalars import Scalar, compared, find_scalar, scalars_of
from clew.lab.simulation import Chunks, Play, in_chunks
from clew.lab.variants import with_options

MOST = 256  # sets of options that are tried, at most
FINAL = 4  # of them are played with all games
SPREAD = 8  # values of an option over its range
FEWEST = 50  # games of a set of options before it is given up


@dataclass
class Trial:
    """A set of options with what is known of it so far."""

    play: Play
    games: Moments | None = None
    course: Moments | None = None
    done: int = 0

    def linear(self, scalar: Scalar) -> tuple[float, float, int]:
        """A number with its standard error, and from how many games."""
        moments = self.course if scalar.course else self.games
        assert moments is not None
        value, slopes = scalar.linear(moments)
        variance = math.fsum(
            slope * slopes[name] * moments.covariance(one, name) for one, slope in slopes.items() for name in slopes
        )
        return value, math.sqrt(max(0.0, variance) / moments.n) if moments.n > 1 else math.inf, moments.n

    def add(self, games: Moments, course: Moments) -> None:
        """Add games that were played."""
        if self.games is None or self.course is None:
            self.games, self.course = games, course
        else:
            self.games.add(games)
            self.course.add(course)


@dataclass
class Tuning:
    """The search: all sets of options play the same deals, the worse half is given up, and the others play on."""

    base: Play
    targets: dict[str, float]
    pace: float
    trials: list[Trial] = field(default_factory=list)
    scalars: dict[str, Scalar] = field(default_factory=dict)
    played: int = 0
    exhaustive: bool = False  # whether there are so few sets of options that all are tried

    def __post_init__(self) -> None:
        if not self.targets:
            raise ClewError("Say what to aim at: --target first_seat=0.5, say.")
        known = scalars_of(self.base.game, self.base.columns, self.pace)
        self.scalars = {name: find_scalar(name, known) for name in self.targets}
        for name, wanted in self.targets.items():
            if self.scalars[name].unit == "share" and not 0 <= wanted <= 1:
                raise ClewError(f"{name} is a share from 0 to 1, not {quoted(wanted)}.")
        self.exhaustive = math.prod(len(values_of(option)) for option in self.base.game.options) <= MOST
        sets = every_set(self.base) if self.exhaustive else neighbours(self.base.game, self.base.options)
        self.trials = [trial for options in sets if (trial := self._trial(options)) is not None]
        if len(self.trials) < 2:
            raise ClewError(f"{self.base.game.title} has no options to search.")

    @property
    def tried(self) -> int:
        """How many sets of options were played."""
        return sum(trial.done > 0 for trial in self.trials)

    def _trial(self, options: Mapping[str, Value]) -> Trial | None:
        """A set of options to be played; None if they do not go together."""
        try:
            return Trial(with_options(self.base, options))
        except BadOption:
            return None

    def search(
        self, games: int, threads: int, stop: threading.Event, progress: Callable[[int, int], None] | None = None
    ) -> bool:
        """Play up to `games` games of the best sets of options; False if it was stopped."""
        say = progress or (lambda done, total: None)
        few = max(FEWEST, games // 8)
        budget = games * FINAL + few * max(MOST, len(self.trials))
        alive = list(self.trials)
        if not self.exhaustive:
            if not self._climb(few, threads, stop, lambda done: say(done, budget)):
                return False
            alive = sorted(self.trials, key=self.loss)[: 4 * FINAL]
        at = min(games, few)
        while True:
            for trial in alive:
                if not self._play(trial, at, threads, stop, lambda done: say(done, budget)):
                    return False
            if at >= games and len(alive) <= FINAL:
                return True
            alive.sort(key=self.loss)
            alive = alive[: max(min(FINAL, len(alive)), (len(alive) + 1) // 2)]
            at = min(games, 2 * at)

    def _climb(self, games: int, threads: int, stop: threading.Event, progress: Callable[[int], object]) -> bool:
        """Change one option of the best set so far, until no change is better or the budget is spent."""
        best = None
        while True:
            for trial in self.trials:
                if trial.done < games and not self._play(trial, games, threads, stop, progress):
                    return False
            nearest = min(self.trials, key=self.loss)
            if nearest is best or len(self.trials) >= MOST:
                return True
            best = nearest
            known = [trial.play.options for trial in self.trials]
            for options in neighbours(self.base.game, best.play.options):
                made = self._trial(options) if options not in known and len(self.trials) < MOST else None
                self.trials += [made] if made is not None else []

    def loss(self, trial: Trial) -> float:
        """How far it is from the targets, each by its own size: 0.01 is a tenth of a target, squared."""
        if trial.games is None:
            return math.inf
        return math.fsum(
            ((trial.linear(self.scalars[name])[0] - wanted) / (abs(wanted) or 1.0)) ** 2
            for name, wanted in self.targets.items()
        )

    def candidates(self) -> list[Candidate]:
        """The sets of options that were played most, the nearest one first."""
        most = max((trial.done for trial in self.trials), default=0)
        best = sorted((trial for trial in self.trials if trial.done == most and most > 1), key=self.loss)
        found = []
        for trial in best:
            figures = tuple(self._figure(trial, name) for name in self.targets)
            meets = all(
                figure.low is not None and figure.high is not None and figure.low <= wanted <= figure.high
                for figure, wanted in zip(figures, self.targets.values())
            )
            found.append(Candidate(trial.play.options, trial.done, self.loss(trial), meets, figures))
        return found

    def _figure(self, trial: Trial, name: str) -> Figure:
        scalar = self.scalars[name]
        value, error, n = trial.linear(scalar)
        low, high = share_interval(value, error, n) if scalar.unit == "share" else around(value, error, n)
        method = "Wilson" if scalar.unit == "share" else "t"
        return Figure(name, value, low, high, method, n, self.targets[name], facts={"unit": scalar.unit})

    def _play(
        self, trial: Trial, upto: int, threads: int, stop: threading.Event, progress: Callable[[int], object]
    ) -> bool:
        """Have a set of options play on up to so many games."""
        play = trial.play
        endings = len(play.game.endings)

        def work(first: int, count: int) -> tuple[int, Moments, Moments]:
            sums = play.sums()
            names, rows = compared(play.columns, endings, play.chunk(first, count, sums, stop))
            return len(rows), Moments.of(names, rows), sums.course

        def gather(first: int, found: tuple[int, Moments, Moments]) -> None:
            count, games, course = found
            trial.add(games, course)
            trial.done += count
            self.played += count
            progress(self.played)

        return in_chunks(Chunks(trial.done, upto, threads), work, gather, stop)


def values_of(option: Option) -> list[Value]:
    """All values of an option."""
    return list(option.values) if isinstance(option, Choice) else list(range(option.low, option.high + 1))


def every_set(play: Play) -> list[Mapping[str, Value]]:
    """All sets of options."""
    names = [option.name for option in play.game.options]
    return [dict(zip(names, found)) for found in itertools.product(*map(values_of, play.game.options))]


def neighbours(game: Game, options: Mapping[str, Value]) -> list[Mapping[str, Value]]:
    """A set of options, and those that differ from it in one: the next values, and others all over the range."""
    made: list[Mapping[str, Value]] = [dict(options)]
    for option in game.options:
        values = values_of(option)
        now = values.index(options[option.name])
        step = max(1, (len(values) - 1) // SPREAD)
        chosen = sorted({now - 1, now + 1, *range(0, len(values), step), len(values) - 1} - {now})
        made += [{**options, option.name: values[i]} for i in chosen if 0 <= i < len(values)]
    return made
