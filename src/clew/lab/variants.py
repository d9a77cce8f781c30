"""Variants of a game on the same deals: what an option changes, with intervals of the differences."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clew.core.errors import BadOption, ClewError, quoted
from clew.core.options import Choice, Value
from clew.core.rng import stream
from clew.core.types import Integers, States
from clew.lab.intervals import Moments, holm, p_of_t, t_of
from clew.lab.result import Comparison, Difference
from clew.lab.rows import COURSE
from clew.lab.scalars import Scalar, compared, course_of, scalars_of
from clew.lab.simulation import Chunks, Play, in_chunks
from clew.lab.sums import Sums

LOOKED_AT = 64  # deals that are compared piece by piece
FAMILY_WISE = 0.05


@dataclass
class Pair:
    """What was noted of the same games in the base and in a variant."""

    games: Moments
    course: Moments

    @classmethod
    def of(cls, base: Play, other: Play, first: int, rows: Integers, others: Integers) -> Pair:
        """Of these games."""
        n = min(len(rows), len(others))
        endings = len(base.game.endings)
        names, a = compared(base.columns, endings, rows[:n])
        _, b = compared(other.columns, endings, others[:n])
        which = np.arange(-first % base.every, n, base.every)
        course = np.column_stack([course_of(base.columns, rows, which), course_of(other.columns, others, which)])
        return cls(
            Moments.of(_both(names), np.column_stack([a, b])),
            Moments.of(_both(COURSE), course),
        )

    def add(self, other: Pair) -> None:
        """Add other games."""
        self.games.add(other.games)
        self.course.add(other.course)


@dataclass
class Variants:
    """A base and its variants, which are played on the same deals with the same luck."""

    base: Play
    others: list[tuple[str, Play]]  # each with the option that is another
    pace: float
    pairs: dict[int, Pair] = field(default_factory=dict)
    sums: list[Sums] = field(default_factory=list)  # of the base, then of the others

    def play(
        self, games: int, threads: int, stop: threading.Event, progress: Callable[[int, int], None] | None = None
    ) -> bool:
        """Play all of them; False if it was stopped."""
        plays = [self.base, *(play for _, play in self.others)]
        self.sums = [play.sums() for play in plays]

        def work(first: int, count: int) -> tuple[list[Sums], list[Pair]]:
            made = [play.sums() for play in plays]
            rows = [play.chunk(first, count, one, stop) for play, one in zip(plays, made)]
            pairs = [Pair.of(self.base, play, first, rows[0], rows[i]) for i, play in enumerate(plays) if i > 0]
            return made, pairs

        def gather(first: int, found: tuple[list[Sums], list[Pair]]) -> None:
            for one, more in zip(self.sums, found[0]):
                one.add(more)
            for i, pair in enumerate(found[1]):
                if i in self.pairs:
                    self.pairs[i].add(pair)
                else:
                    self.pairs[i] = pair

        return in_chunks(Chunks(0, games, threads), work, gather, stop, progress)

    def comparisons(self) -> list[Comparison]:
        """What each variant changes; whether it is more than chance is corrected for all that is asked here."""
        scalars = scalars_of(self.base.game, self.base.columns, self.pace)
        made = []
        for i, (option, play) in enumerate(self.others):
            if i not in self.pairs:
                continue
            pair = self.pairs[i]
            found = [difference(scalar, pair.course if scalar.course else pair.games) for scalar in scalars]
            same = same_deals(self.base, play)
            made.append(
                Comparison(
                    option=option,
                    base=self.base.options[option],
                    other=play.options[option],
                    level=self.base.level,
                    games=pair.games.n,
                    same_deals=same,
                    differences=tuple(one for one in found if one is not None),
                    note="" if same == 1 else _other_deals(option, same),
                )
            )
        return corrected(made)


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The same with p values corrected for having been asked all at once.

    A number that is the same as another, as minutes are turns at a pace, is not asked a second time.
    """
    asked = [(i, k) for i, one in enumerate(comparisons) for k, found in enumerate(one.differences) if _asked(found)]
    chances = dict(zip(asked, holm([comparisons[i].differences[k].p for i, k in asked])))
    made = []
    for i, one in enumerate(comparisons):
        of_turns = next((chances[i, k] for k, found in enumerate(one.differences) if found.key == "turns"), 1.0)
        differences = tuple(
            replace(found, corrected=p, significant=p < FAMILY_WISE)
            for k, found in enumerate(one.differences)
            for p in [chances.get((i, k), of_turns)]
        )
        made.append(replace(one, differences=differences))
    return made


def _asked(found: Difference) -> bool:
    return found.key != "minutes"


def difference(scalar: Scalar, pair: Moments) -> Difference | None:
    """How much a variant changes a number, with Student's interval of the paired difference."""
    if pair.n < 2:
        return None
    base, down = scalar.linear(pair, "base ")
    other, up = scalar.linear(pair, "other ")
    slopes = {**up, **{name: -slope for name, slope in down.items()}}
    variance = math.fsum(
        slope * slopes[name] * pair.covariance(one, name) for one, slope in slopes.items() for name in slopes
    )
    change, error = other - base, math.sqrt(max(0.0, variance) / pair.n)
    half = t_of(pair.n - 1) * error
    if error > 1e-12:
        p = p_of_t(change / error, pair.n - 1)
    else:
        p = 1.0 if abs(change) < 1e-12 else 0.0
    return Difference(
        scalar.key, scalar.label, scalar.unit, base, other, change, change - half, change + half, p, p, False
    )


def same_deals(base: Play, other: Play) -> float:
    """The share of the deals that are the same in both variants, but for what the table chose."""
    same = 0
    for number in range(LOOKED_AT):
        same += _dealt(base, base, number) == _dealt(other, base, number)
    return same / LOOKED_AT


def _dealt(play: Play, chosen: Play, number: int) -> bytes:
    """The bytes of a deal, as if the table had chosen the options of another."""
    states: States = play.blank.copy()
    deal = play.deal(number)
    play.game.kernels.deal(states[0], stream(deal.seed))
    for option in play.game.options:
        setattr(states[0], option.name, option.code(chosen.options[option.name]))
    return bytes(np.asarray(states).tobytes())


def _other_deals(option: str, same: float) -> str:
    if same == 0:
        return f"The option {option} changes every deal: the games are not paired by their deals."
    return f"The option {option} changes the deal: {same:.0%} of the deals are the same."


def _both(names: Sequence[str]) -> tuple[str, ...]:
    return (*(f"base {name}" for name in names), *(f"other {name}" for name in names))


# Which variants


def varied(play: Play, name: str, values: Sequence[Value]) -> tuple[Play, list[tuple[str, Play]]]:
    """A base with the first value of an option, and a variant for each of the others."""
    known = {option.name: option for option in play.game.options}
    if name not in known:
        there = ", ".join(known) or "none"
        raise BadOption(f"{play.game.title} has no option {quoted(name)} to vary; it has {there}.")
    read = [known[name].read(value) for value in values]
    if len(read) < 2 or len(set(read)) < len(read):
        raise BadOption(f"To vary {name} takes two or more of its values, each once: {name}={known[name].allowed}.")
    made = [with_option(play, name, value) for value in read]
    return made[0], [(name, other) for other in made[1:]]


def with_option(play: Play, name: str, value: Value) -> Play:
    """The same games with another value of an option."""
    return with_options(play, {**play.options, name: value})


def with_options(play: Play, options: Mapping[str, Value]) -> Play:
    """The same games with other options."""
    return Play(play.game, play.players, options, play.seed, play.level)


def toggled(play: Play) -> tuple[list[tuple[str, Play]], list[str]]:
    """Each option in turn with another value: every other word, the next numbers; and those that cannot be played."""
    made, refused = [], []
    for option in play.game.options:
        now = play.options[option.name]
        if isinstance(option, Choice):
            values: list[Value] = [value for value in option.values if value != now]
        else:
            values = [int(now) + step for step in (-1, 1) if option.low <= int(now) + step <= option.high]
        for value in values:
            try:
                made.append((option.name, with_option(play, option.name, value)))
            except ClewError as error:
                refused.append(f"{option.name}={value}: {error}")
    return made, refused
