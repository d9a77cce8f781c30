"""Aathenuo's solver against exact answers: `python bench/aathenuo_exact.py --positions 2000 --seed 1`.

Of each position (from games of all kinds, and small ones made up) it is found out by an exact model that shares no code
with the solver whether there is a play, and how many tiles can be played at most. What the model does not decide in
time is counted apart. With `--bank FILE` positions and answers are kept, to try another solver on the very same.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests" / "rules"))

import aathenuo_positions as positions
from aathenuo_model import Undecided, longer_layout

from clew.bots.ratings import interval
from clew.games.aathenuo import solver

MADE_UP = 5  # one position in so many
TIMED = 3  # times that `can_play` is asked: the quickest counts
Task = tuple[str, int, float]


@dataclass
class Answer:
    """A position, the most tiles that are known to be playable, and whether there can be no more."""

    position: str
    most: int
    sure: bool


def some_positions(count: int, seed: int) -> Iterator[str]:
    """Positions as they are written: most from games, some made up."""
    games, small = positions.from_games(-1, seed), positions.made_up(-1, seed)
    for i in range(count):
        yield str(next(small if i % MADE_UP == 0 else games))


def decide(task: Task) -> Answer:
    """How many tiles can be played, from what the solver found on: with more, until there are no more."""
    text, most, seconds = task
    position = positions.read(text)
    until = time.monotonic() + seconds
    try:
        while most < len(position.rack):
            left = until - time.monotonic()
            found = longer_layout(position.table, position.rack, position.colours, most + 1, left)
            if found is None:
                break
            most = len(found) - len(position.table)
    except Undecided:
        return Answer(text, most, False)
    return Answer(text, most, True)


class Tally:
    """What is known of the solver so far."""

    def __init__(self) -> None:
        self.seen = self.undecided = self.false_plays = self.refuted = 0
        self.plays: list[float] = []  # for each position with a play: 1 if the solver has one
        self.mosts: list[float] = []  # for each position with a play: 1 if the solver has the most tiles
        self.times: list[float] = []  # of can_play, in ms
        self.misses: list[str] = []

    def add(self, answer: Answer) -> None:
        """Try the solver on a position."""
        position = positions.read(answer.position)
        s = positions.state(position)
        spent = []
        for _ in range(TIMED):
            began = time.thread_time()
            can = solver.can_play(s, 0)
            spent.append(1000 * (time.thread_time() - began))
        found, wrong = positions.played(position)
        self.seen += 1
        self.times.append(min(spent))
        self.false_plays += wrong + (can and found == 0)
        self.refuted += answer.sure and found > answer.most
        self.undecided += not answer.sure
        if answer.most > 0:
            self.plays.append(float(can and found > 0))
        if answer.most > 0 and (answer.sure or found < answer.most):
            self.mosts.append(float(found >= answer.most))
        if found < answer.most or (answer.most > 0 and not can):
            self.misses.append(f"{found} of {answer.most}: {answer.position}")

    def figures(self) -> dict[str, Any]:
        """All of it as plain data."""
        spent = sorted(self.times)
        return {
            "positions": self.seen,
            "with_a_play": len(self.plays),
            "undecided": self.undecided,
            "finds_a_play": share(self.plays),
            "finds_the_most": share(self.mosts),
            "false_plays": self.false_plays,
            "answers_refuted": self.refuted,
            "can_play_ms": {f"p{q}": round(spent[len(spent) * q // 100], 3) for q in (50, 95, 99) if spent},
            "misses": self.misses,
        }


def share(results: list[float]) -> dict[str, Any]:
    """How many of how many, with the 95 % interval of the share."""
    mean, low, high = interval(results) if results else (0.0, 0.0, 1.0)
    return {"found": int(sum(results)), "of": len(results), "share": mean, "ci95": [low, high]}


def quiet() -> None:
    """Leave Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def answers(asked: argparse.Namespace) -> Iterator[Answer]:
    """The answers kept in the bank, then new ones, which are kept as well."""
    kept = []
    if asked.bank and asked.bank.exists():
        kept = [Answer(**json.loads(line)) for line in asked.bank.read_text().splitlines()]
        yield from kept[: asked.positions]
    if len(kept) >= asked.positions:
        return
    texts = list(some_positions(asked.positions, asked.seed))[len(kept) :]
    tasks = ((text, positions.played(positions.read(text))[0], asked.seconds) for text in texts)
    with multiprocessing.get_context("spawn").Pool(asked.jobs, quiet) as pool:
        for answer in pool.imap(decide, tasks):
            if asked.bank:
                with asked.bank.open("a") as file:
                    file.write(json.dumps(vars(answer)) + "\n")
            yield answer


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30, help="for the model to decide one position")
    parser.add_argument("--jobs", type=int, default=1, help="processes that run the model")
    parser.add_argument("--bank", type=Path, help="a file to keep positions and answers in")
    parser.add_argument("--misses", action="store_true", help="show the positions with more than the solver found")
    parser.add_argument("--json", action="store_true", help="as JSON")
    asked = parser.parse_args()
    tally = Tally()
    try:
        for answer in answers(asked):
            tally.add(answer)
            print(f"\r{tally.seen} of {asked.positions} positions", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    print(file=sys.stderr)
    found = tally.figures()
    print(json.dumps(found, indent=2) if asked.json else describe(found, asked.misses))


def describe(found: dict[str, Any], misses: bool) -> str:
    """The figures for people."""
    lines = [f"{found['positions']} positions, {found['with_a_play']} with a play, {found['undecided']} not decided"]
    for name, words in (("finds_a_play", "finds a play"), ("finds_the_most", "finds the most tiles")):
        row = found[name]
        low, high = row["ci95"]
        lines.append(f"{words:21} {row['found']} of {row['of']}: {row['share']:.2%} ({low:.2%} to {high:.2%})")
    lines.append(f"{'false plays':21} {found['false_plays']}")
    if found["answers_refuted"]:
        lines.append(
            f"The solver plays more than the model holds for possible in {found['answers_refuted']}: a mistake."
        )
    times = ", ".join(f"{name} {value:.2f} ms" for name, value in found["can_play_ms"].items())
    lines.append(f"{'can_play':21} {times}")
    return "\n".join([*lines, *(found["misses"] if misses else [])])


if __name__ == "__main__":
    main()
