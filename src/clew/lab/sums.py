"""What is kept of any number of games: sums, counts, and the numbers of a few games that show something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.core.types import Integers, Json
from clew.lab.intervals import Moments
from clew.lab.rows import COURSE, ENDING, LENGTH, SHARED, USES, WHOLE, Columns

EXAMPLES = 5  # of each thing that is shown by games
LENGTHS = ("moves", "turns")


def pair_names(players: int) -> tuple[str, ...]:
    """What is noted of a deal that was played twice: products and squares of what the seats won, and their means."""
    return ("product", "square", *(f"mean_{seat}" for seat in range(players)))


@dataclass
class Sums:
    """Of games 0 to `done` - 1 of one run, or of a part of them; how they are added up makes no difference."""

    columns: Columns
    moments: Moments
    course: Moments  # of the games of which is noted how they went
    pairs: Moments  # deals that were played twice
    lengths: Integers  # how many games took so many moves, and so many turns
    endings: Integers  # how many games ended in each way, by the number of the ending
    uses: Integers  # a line for each item of moves (see USES)
    examples: dict[str, list[int]]  # the first games that show something
    extremes: dict[str, tuple[int, int]]  # what was shortest or longest, with the number of the game

    @classmethod
    def empty(cls, columns: Columns, longest: int, endings: int, items: int) -> Sums:
        """Of no games."""
        return cls(
            columns,
            Moments.empty(columns.names),
            Moments.empty(COURSE),
            Moments.empty(pair_names(columns.players)),
            np.zeros((len(LENGTHS), longest + 1), np.int64),
            np.zeros(endings + 1, np.int64),
            np.zeros((items, len(USES)), np.int64),
            {},
            {},
        )

    @property
    def games(self) -> int:
        """How many."""
        return self.moments.n

    def add(self, other: Sums) -> None:
        """Add those of other games."""
        self.moments.add(other.moments)
        self.course.add(other.course)
        self.pairs.add(other.pairs)
        self.lengths += other.lengths
        self.endings += other.endings
        self.uses += other.uses
        for key, numbers in other.examples.items():
            self.examples[key] = sorted({*self.examples.get(key, ()), *numbers})[:EXAMPLES]
        for key, found in other.extremes.items():
            self.extremes[key] = min(found, self.extremes.get(key, found))

    def note_games(self, first: int, rows: Integers) -> None:
        """Count the endings, and keep the numbers of a few games: by how they ended, who won, and the longest."""
        self.endings += np.bincount(rows[:, ENDING], minlength=len(self.endings))
        for ending in np.unique(rows[:, ENDING]).tolist():
            self._show(f"ending {ending}", first, rows[:, ENDING] == ending)
        for seat in range(self.columns.players):
            self._show(f"won {seat}", first, rows[:, self.columns.of_seat("won", seat)] == WHOLE)
        self._show("shared", first, rows[:, SHARED] == 1)
        for key, sign in (("shortest", 1), ("longest", -1)):  # the least is kept: of equals the first game
            at = int(np.argmin(sign * rows[:, LENGTH]))
            found = int(sign * rows[at, LENGTH]), first + at
            self.extremes[key] = min(found, self.extremes.get(key, found))

    def _show(self, key: str, first: int, which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        known = self.examples.get(key, [])
        if len(known) < EXAMPLES or known[-1] > first:
            found = (first + np.flatnonzero(which)[:EXAMPLES]).tolist()
            if found:
                self.examples[key] = sorted({*known, *found})[:EXAMPLES]

    def note_course(self, first: int, every: int, rows: Integers) -> None:
        """Note how games went, of which that is noted: one in so many."""
        columns = [self.columns.at(name) for name in COURSE]
        self.course.add(Moments.of(COURSE, rows[-first % every :: every, columns]))

    def note_pairs(self, once: Integers, again: Integers) -> None:
        """Note deals that were played twice: what each seat won both times."""
        seats = [self.columns.of_seat("won", seat) for seat in range(self.columns.players)]
        a, b = once[:, seats], again[:, seats]
        product, square = (2 * a * b).sum(axis=1), (a * a + b * b).sum(axis=1)
        rows = np.column_stack([product, square, a + b])
        self.pairs.add(Moments.of(self.pairs.names, rows))

    # To be gone on from

    def json(self) -> Json:
        """All of it as plain data."""
        return {
            "moments": _moments(self.moments),
            "course": _moments(self.course),
            "pairs": _moments(self.pairs),
            "lengths": self.lengths.tolist(),
            "endings": self.endings.tolist(),
            "uses": {str(i): line.tolist() for i, line in enumerate(self.uses) if line.any()},
            "examples": self.examples,
            "extremes": {key: list(found) for key, found in self.extremes.items()},
        }

    def add_json(self, found: Json) -> None:
        """Add what `json` gave."""
        other = Sums.empty(self.columns, self.lengths.shape[1] - 1, len(self.endings) - 1, len(self.uses))
        _read(other.moments, found["moments"])
        _read(other.course, found["course"])
        _read(other.pairs, found["pairs"])
        other.lengths[:] = found["lengths"]
        other.endings[:] = found["endings"]
        for i, line in found["uses"].items():
            other.uses[int(i)] = line
        other.examples = {key: list(map(int, numbers)) for key, numbers in found["examples"].items()}
        other.extremes = {key: (int(value), int(number)) for key, (value, number) in found["extremes"].items()}
        self.add(other)


def _moments(moments: Moments) -> Json:
    return {"n": moments.n, "sums": moments.sums.tolist(), "products": moments.products.tolist()}


def _read(moments: Moments, found: Json) -> None:
    sums, products = np.array(found["sums"], np.int64), np.array(found["products"], np.int64)
    if sums.shape != moments.sums.shape or products.shape != moments.products.shape:
        raise ValueError("These are sums of something else.")
    moments.n, moments.sums, moments.products = int(found["n"]), sums, products
