"""The other process: replays records under other circumstances, or plays with every index checked.

python -m clew.check.worker JOB.json ANSWER.json
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from clew.check.kit import Kit
from clew.check.knowledge_checks import held_against_cover, twin_worlds
from clew.check.report import CheckFailed
from clew.check.sample import patiently, random_games
from clew.check.styles import UNIFORM
from clew.check.trace import parting, trace
from clew.core.game import load

RANDOM_GAMES = 100  # for each game of the sample
FIRST_SEED = 1_000_000
YEARS = -37 * 31_556_952.5  # back: a cache of compiled rules drops what has not been used for long


def replay_all(job: dict[str, Any]) -> dict[str, Any]:
    """The traces of records."""
    game = load(job["game"])
    game.ready()
    return {"traces": _each(job, lambda text: trace(game, text))}


def replay_plainly(job: dict[str, Any]) -> dict[str, Any]:
    """The traces of records played by the rules as plain Python, where numbers that overflow are errors."""
    np.seterr(all="raise")
    warnings.simplefilter("error", RuntimeWarning)
    game = load(job["game"])
    seconds = job["patience"]
    found = _each(job, lambda text: (trace(game, text, seconds), parting(game, text, seconds)), seconds)
    return {"traces": [one for one, _ in found], "partings": [one for _, one in found]}


def _each(job: dict[str, Any], question: Callable[[str], Any], seconds: float = math.inf) -> list[Any]:
    found = []
    for text in patiently(job["records"], seconds):
        try:
            found.append(question(text))
        except Exception as error:
            raise CheckFailed(f"A game cannot be replayed there: {type(error).__name__}: {error}", text) from error
    return found


def play_in_bounds(job: dict[str, Any]) -> dict[str, Any]:
    """How many games were played, with every index checked."""
    kit = Kit(job["game"], job["games"], patience=job["patience"])
    kit.sampler.play(kit.setups[0], FIRST_SEED, [UNIFORM] * kit.setups[0].players)  # compiled from here on
    games = moves = styled = 0
    many = random_games(kit.sampler, kit.setups, FIRST_SEED, RANDOM_GAMES * kit.games)
    for played in patiently(many, kit.patience):
        games += 1
        moves += len(played)
    for played in patiently(kit.sample, kit.patience):
        for look in (twin_worlds, held_against_cover):
            with contextlib.suppress(CheckFailed):  # the checks of hidden information tell of leaks
                look(kit, played)
        styled += 1
    return {"games": games, "moves": moves, "styled": styled}


def shift_clocks() -> None:
    """Have the clocks tell another year: a rule that reads one shows."""
    for name, unit in (("time", 1.0), ("monotonic", 1.0), ("time_ns", 1e9), ("monotonic_ns", 1e9)):
        clock = getattr(time, name)
        shift = type(clock())(YEARS * unit)
        setattr(time, name, lambda clock=clock, shift=shift: clock() + shift)


def main(question: str, answer: str) -> None:
    """Do one job."""
    job = json.loads(Path(question).read_text(encoding="utf-8"))
    if job["task"] == "elsewhere":
        shift_clocks()
    task = {"elsewhere": replay_all, "plain": replay_plainly, "bounds": play_in_bounds}[job["task"]]
    try:
        found = task(job)
    except CheckFailed as error:
        found = {"failed": str(error), "record": error.record}
    except Exception as error:
        found = {"failed": f"{type(error).__name__}: {error}"}
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
