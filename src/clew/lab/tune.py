"""Search the options of a game for those that come nearest to what a designer wants, with budget and doubt told."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clew.core.errors import BadOption, ClewError, quoted
from clew.core.options import Choice, Value
from clew.lab.intervals import Moments, around, share_interval
from clew.lab.result import Candidate, Figure
from clew.lab.scalars import Scalar, compared, find_scalar, scalars_of
from clew.lab.simulation import Chunks, Play, in_chunks
from clew.lab.variants import with_options

MOST = 256  # sets of options that are tried, at most
FINAL = 4  # of them are played with all games
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
    tried: int = 0
    left_out: int = 0  # sets of options that were not tried

    def __post_init__(self) -> None:
        if not self.targets:
            raise ClewError("Say what to aim at: --target first_seat=0.5, say.")
        known = scalars_of(self.base.game, self.base.columns, self.pace)
        self.scalars = {name: find_scalar(name, known) for name in self.targets}
        for name, wanted in self.targets.items():
            if self.scalars[name].unit == "share" and not 0 <= wanted <= 1:
                raise ClewError(f"{name} is a share from 0 to 1, not {quoted(wanted)}.")
        every, self.left_out = sets_of_options(self.base)
        for options in every:
            try:
                self.trials.append(Trial(with_options(self.base, options)))
            except BadOption:  # options that do not go together
                continue
        if len(self.trials) < 2:
            raise ClewError(f"{self.base.game.title} has no options to search.")
        self.tried = len(self.trials)

    def search(
        self, games: int, threads: int, stop: threading.Event, progress: Callable[[int, int], None] | None = None
    ) -> bool:
        """Play up to `games` games of the best sets of options; False if it was stopped."""
        rounds = max(0, math.ceil(math.log2(len(self.trials) / FINAL)))
        at = max(FEWEST, games >> rounds)
        alive = list(self.trials)
        total = self._total(len(alive), games, at)
        while True:
            at = min(at, games)
            for trial in alive:
                if not self._play(trial, at, threads, stop, lambda done: progress and progress(done, total)):
                    return False
            if at >= games and len(alive) <= FINAL:
                return True
            alive.sort(key=lambda trial: self.loss(trial))
            alive = alive[: max(min(FINAL, len(alive)), (len(alive) + 1) // 2)]
            at *= 2

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

    @staticmethod
    def _total(trials: int, games: int, at: int) -> int:
        """How many games a search plays."""
        total, done = 0, 0
        while True:
            at = min(at, games)
            total += trials * (at - done)
            if at >= games and trials <= FINAL:
                return total
            trials, done, at = max(min(FINAL, trials), (trials + 1) // 2), at, 2 * at


def sets_of_options(play: Play) -> tuple[list[Mapping[str, Value]], int]:
    """All sets of options, and how many are left out: of very many those are tried that change least."""
    values: dict[str, list[Value]] = {}
    for option in play.game.options:
        there: list[Value] = (
            list(option.values) if isinstance(option, Choice) else list(range(option.low, option.high + 1))
        )
        now = play.options[option.name]
        values[option.name] = sorted(there, key=lambda value: abs(there.index(value) - there.index(now)))
    count = math.prod(map(len, values.values()))
    names = list(values)

    def far(at: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        return sum(i > 0 for i in at), sum(at), at

    reach = max((len(there) for there in values.values()), default=0)
    while math.prod(min(reach, len(there)) for there in values.values()) > 50 * MOST and reach > 2:
        reach -= 1  # of many values the nearest ones
    ranges = [range(min(reach, len(values[name]))) for name in names]
    near = sorted(itertools.islice(itertools.product(*ranges), 200 * MOST), key=far)[:MOST]
    made: list[Mapping[str, Value]] = [{name: values[name][i] for name, i in zip(names, at)} for at in near]
    return made, count - len(made)
