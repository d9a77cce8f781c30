"""What all checks of one game share: the game, its tables, the sample of games, and workers in other processes."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from clew.check.chances import missed
from clew.check.report import CheckFailed
from clew.check.sample import Played, Sampler, mixed_games, patiently, sample, spread
from clew.check.setups import Setup, setups
from clew.check.trace import Trace, trace
from clew.core import kernels
from clew.core.game import Game, load
from clew.core.table import Table

GAMES = 200  # by default
ENOUGH_GAMES = 240  # in styles, in which knowledge that must be hidden is looked for whatever --games says
PATIENCE = 60.0  # seconds of the processor for each thing that can be done without end
WORKER_SECONDS = 900
TRACED, TRACED_PLAIN = 12, 6  # games whose every word is followed, compiled and as plain Python

ENVIRONMENTS = {
    "elsewhere": {"PYTHONHASHSEED": "12345", "TZ": "Pacific/Chatham"},
    "plain": {"NUMBA_DISABLE_JIT": "1"},
    "bounds": {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "1"},
}


class Kit:
    """One game under examination."""

    def __init__(
        self, name: str, games: int, progress: Callable[[str], None] | None = None, patience: float = PATIENCE
    ) -> None:
        self.game: Game = load(name)
        self.where = str(Path(name).resolve()) if Path(name).is_dir() and self.game.name != name else name
        self.games, self.patience = games, patience
        self.broken = ""  # why nothing more can be looked at
        self.progress = progress or (lambda said: None)
        self.rules_reached: set[str] = set()
        self.speed: dict[str, float] = {}
        self.doubts: list[str] = []  # of the check that runs
        self.sure = ""  # how sure it is
        self._pool = ThreadPoolExecutor(1)  # one worker at a time: this process has the other core
        self._workers: dict[str, Future[dict[str, Any]]] = {}

    @functools.cached_property
    def sampler(self) -> Sampler:
        """Plays and replays games."""
        self.game.ready()
        return Sampler(self.game)

    @functools.cached_property
    def setups(self) -> list[Setup]:
        """The tables to try."""
        return setups(self.game)

    @functools.cached_property
    def sample(self) -> list[Played]:
        """The games that most checks look at."""
        self.progress("playing games")
        try:
            return sample(self.sampler, self.setups, self.games)
        except CheckFailed:  # nearly all checks look at these games
            self.broken = "a game cannot be played"
            raise

    @functools.cached_property
    def more(self) -> list[Played]:
        """Further games in styles, where the sample is too small to show what is rare and the rules are compiled."""
        count = max(0, ENOUGH_GAMES - self.games) if kernels.jitted() else 0
        return list(patiently(mixed_games(self.sampler, self.setups, count), self.patience / 2))

    def some(self, count: int, least: int = 1) -> int:
        """A share of a budget that is meant for 200 compiled games."""
        return max(least, count * self.games // (GAMES if kernels.jitted() else 4 * GAMES))

    def spread(self, count: int) -> list[Played]:
        """Some games of the sample, from all over it."""
        return spread(self.sample, count)

    def record(self, played: Played, plies: int | None = None) -> str:
        """The record of a game, for a report: as far as it can be written."""
        try:
            return self.sampler.table(played, plies).record()
        except Exception as error:
            return f"# The record cannot be written: {type(error).__name__}: {error}\n"

    def failed(self, sentence: str, played: Played, ply: int | None = None, chair: int | None = None) -> CheckFailed:
        """A failure with all that it takes to see it again."""
        return CheckFailed(f"{sentence} ({played.where(ply, chair)}).", self.record(played, ply))

    def doubt(self, sentence: str) -> None:
        """Tell what a check cannot decide: neither a failure nor a proof."""
        self.doubts.append(sentence)

    def looked(self, count: int, things: str = "games") -> None:
        """Tell at how many things picked at random the check looked, for how sure that makes it."""
        self.sure = missed(count, things)

    def finished(self, table: Table) -> bool:
        """Whether no choice is under way, so that the record tells the whole state."""
        return len(table.moves) == len(table._moves)

    @functools.cached_property
    def traced(self) -> list[tuple[Played, str]]:
        """Games with their records, for other processes to replay."""
        return [(played, self.sampler.table(played).record()) for played in self.spread(self.some(TRACED, least=4))]

    @functools.cached_property
    def traced_plainly(self) -> list[int]:
        """Which of them are replayed in plain Python, too, the short ones first: a slow game gets not so far."""
        return sorted(
            spread(range(len(self.traced)), self.some(TRACED_PLAIN, least=2)), key=lambda i: len(self.traced[i][0])
        )

    @functools.cached_property
    def traces(self) -> list[list[Trace]]:
        """What those games say at every ply here, to compare with what they say elsewhere."""
        return [trace(self.game, text) for _, text in self.traced]

    def begin(self, task: str) -> Future[dict[str, Any]]:
        """Have a worker begin with its task; the same one however often it is asked for."""
        if task not in self._workers:
            job: dict[str, Any] = {"game": self.where, "task": task, "games": self.games, "patience": self.patience}
            if task != "bounds":
                chosen = range(len(self.traced)) if task == "elsewhere" else self.traced_plainly
                job["records"] = [self.traced[i][1] for i in chosen]
            self._workers[task] = self._pool.submit(_work, job)
        return self._workers[task]

    def answer(self, task: str) -> dict[str, Any]:
        """What a worker found."""
        found = self.begin(task).result()
        if "failed" in found:
            raise CheckFailed(found["failed"], found.get("record", ""))
        return found

    def close(self) -> None:
        """Drop the workers that have not begun."""
        self._pool.shutdown(cancel_futures=True)


def _work(job: dict[str, Any]) -> dict[str, Any]:
    # The worker runs in another folder: what this process finds relative to its own must be found there too.
    path = os.pathsep.join(str(Path(place).resolve()) for place in sys.path)
    environment = {**os.environ, "PYTHONPATH": path, **ENVIRONMENTS[job["task"]]}
    with tempfile.TemporaryDirectory(prefix="clew-check-") as folder:
        question, answer = Path(folder, "job.json"), Path(folder, "answer.json")
        question.write_text(json.dumps(job), encoding="utf-8")
        command = [sys.executable, "-m", "clew.check.worker", str(question), str(answer)]
        try:
            done = subprocess.run(
                command, env=environment, cwd=folder, capture_output=True, text=True, timeout=WORKER_SECONDS
            )
        except subprocess.TimeoutExpired:
            return {"failed": f"The process for '{job['task']}' did not answer within {WORKER_SECONDS} seconds."}
        if not answer.exists():
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            return {"failed": f"The process for '{job['task']}' broke off with code {done.returncode}: {last}"}
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        return found
