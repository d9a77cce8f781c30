"""One decision: streams of playouts from a view, run by any number of threads, and added up.

The worlds are numbered, and each belongs to one of a fixed number of streams with its own random numbers and its own
share of the budget. Threads only execute streams, so how many there are changes the time and never the choice. With a
budget in seconds each thread is a stream of its own, and the clock decides.
"""

from __future__ import annotations

import functools
import inspect
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.bots.heuristics import Heuristics
from clew.bots.ranking import STREAMS, first_world, rounds, share, survivors, worlds
from clew.bots.simulation import TO_THE_END
from clew.bots.workspace import Workspace, as_bytes, as_words
from clew.core.errors import BadOption, quoted
from clew.core.kernels import live
from clew.core.rng import stream
from clew.core.types import Floats, Integers, Kernel, MoveCodes, ViewRecords

Progress = Callable[[int, int], None]

CHUNK = 128  # playouts between two looks at the clock and the stop sign
POOL = 1 << 19  # nodes of a tree that is searched by the clock
MOST_THREADS = 1024  # by the clock, each has a tree of its own
A_DAY = 86_400.0


@dataclass(frozen=True)
class Plan:
    """How a decision is searched for: the method, its budget in playouts, and its fine adjustment."""

    method: str = "flat"
    iterations: int = 1000
    candidates: int = 0  # only so many moves that look best are searched; 0 for all
    depth: int = TO_THE_END  # of the playouts
    lean: float = 0.1  # how much the lead counts beside the place
    explore: float = 0.7
    widen: float = 1e9  # a node has at most widen * visits ** power children
    power: float = 0.5

    def knobs(self, comfort: float) -> tuple[float, ...]:
        """The fine adjustment as the kernels have it (see `simulation.KNOBS`)."""
        return self.lean, comfort, self.explore, self.widen, self.power


@dataclass(frozen=True)
class Limits:
    """What may end a search besides its budget, and who hears of its progress."""

    threads: int = 1
    seconds: float | None = None
    stop: threading.Event | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        whole("threads", self.threads, MOST_THREADS)
        seconds = self.seconds
        if seconds is not None and (
            isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= A_DAY
        ):
            raise BadOption(
                f"A bot thinks for more than 0 seconds and at most a day, not {quoted(seconds)}.", "seconds"
            )
        if self.stop is not None and not isinstance(self.stop, threading.Event):
            raise BadOption(f"What stops a bot is a threading.Event, not {quoted(self.stop)}.", "stop")
        if self.progress is not None and not callable(self.progress):
            raise BadOption(f"What hears of the progress is a function, not {quoted(self.progress)}.", "progress")

    def stopped(self) -> bool:
        """Whether somebody asked for an end."""
        return self.stop is not None and self.stop.is_set()


def whole(what: str, number: int, most: int) -> int:
    """A number of something, checked."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise BadOption(f"The number of {what} is a whole number from 1 to {most}, not {quoted(number)}.", what)
    return number


@dataclass(frozen=True)
class Findings:
    """The moves that there were, a row of the tally for each, their order from the best on, and the worlds seen."""

    moves: MoveCodes
    tally: Floats
    order: list[int]
    worlds: int


class Search:
    """A decision being searched for, from what a seat knows."""

    def __init__(self, heuristics: Heuristics, views: ViewRecords, plan: Plan, seed: int, limits: Limits) -> None:
        self.heuristics, self.plan, self.limits = heuristics, plan, limits
        self.v = views[0]
        self.seat, self.players = int(self.v.seat), int(self.v.players)
        self.roots = key(seed)
        known = as_bytes(views)
        heuristics.kernels.absorb(self.roots, known, len(known))
        self.streams = limits.threads if limits.seconds is not None else STREAMS
        self.begun = time.monotonic()
        self.done = 0
        self._count = threading.Lock()
        self._list_moves()

    def run(self) -> Findings:
        """Search with the plan's method."""
        if self.plan.method == "tree" and len(self.moves) > 1:
            return self._tree()
        return self._flat()

    def branch(self, number: int) -> Integers:
        """Random numbers for something else than the worlds."""
        rng = np.zeros(4, np.int64)
        self.heuristics.kernels.branch(self.roots, number, rng)
        return rng

    # What there is to decide

    def _workspace(self, moves: int, nodes: int) -> Workspace:
        workspace, plan = self.heuristics.workspace(self.players, moves, nodes), self.plan
        workspace.v, workspace.seat, workspace.depth, workspace.roots = self.v, self.seat, plan.depth, self.roots
        workspace.knobs[:] = plan.knobs(self.heuristics.comfort)
        return workspace

    def _list_moves(self) -> None:
        """The moves of the seat, the same in every world that it holds for possible; their priors; one such world."""
        workspace, kernels = self._workspace(1, 1), self.heuristics.kernels
        workspace.moves = workspace.out
        count = workspace.n = call(kernels.list_moves, workspace)
        self.moves = workspace.moves = workspace.out[:count].copy()
        workspace.clear(count, 1)
        call(kernels.compute_priors, workspace)
        self.priors = workspace.priors
        self.world = self.heuristics.game.states(1)
        self.world[:] = workspace.states[1:2]
        self._release([workspace])

    def _release(self, workspaces: Sequence[Workspace]) -> None:
        self.heuristics.workspaces[self.players].extend(workspaces)

    # The two methods

    def _flat(self) -> Findings:
        """Sequential halving: all candidates share the worlds, and the better half of them goes on."""
        workspaces = [self._workspace(len(self.moves), 1) for _ in range(self.streams)]
        kernels, order = self.heuristics.kernels, np.zeros(len(self.moves), np.int64)
        candidates = alive = kernels.by_prior(self.priors, len(self.moves), self.plan.candidates, order)
        total = rounds(candidates)
        spent = done = 0
        for number in range(total):
            count = worlds(self.plan.iterations - spent, total - number, alive)
            chunk = max(1, CHUNK // alive)
            for k, workspace in enumerate(workspaces):
                workspace.moves, workspace.alive = self.moves, order[:alive].copy()
                workspace.first, workspace.stride = first_world(done, k, self.streams), self.streams
            until = None if self.limits.seconds is None else self.limits.seconds * (number + 1) / total
            shares = [share(workspace.first, done + count, self.streams) for workspace in workspaces]
            done += self._run(workspaces, kernels.evaluate, shares, chunk, alive, until)
            spent += count * alive
            tally = _added(workspaces)
            kernels.rank(tally, order, alive)
            alive = survivors(alive, number == total - 1)
            if self.limits.stopped():
                break
        self._release(workspaces)
        return Findings(self.moves, tally, order[:candidates].tolist(), done)

    def _tree(self) -> Findings:
        """A tree for each stream; their roots are added up."""
        shares = [share(k, self.plan.iterations, self.streams) for k in range(self.streams)]
        if self.limits.seconds is not None:
            shares = [POOL - 2] * self.streams
        workspaces = [self._workspace(len(self.moves), part + 2) for part in shares]
        keys = _keys(self.heuristics, self.moves)
        for k, workspace in enumerate(workspaces):
            workspace.root_keys, workspace.first, workspace.stride = keys, k, self.streams
        done = self._run(workspaces, self.heuristics.kernels.expand, shares, CHUNK, 1, self.limits.seconds)
        tally, order = _added(workspaces), np.zeros(len(self.moves), np.int64)
        tried = self.heuristics.kernels.rank_by_tries(tally, len(self.moves), order)
        self._release(workspaces)
        return Findings(self.moves, tally, order[:tried].tolist(), done)

    # Streams and threads

    def _run(
        self,
        workspaces: Sequence[Workspace],
        kernel: Kernel,
        shares: Sequence[int],
        chunk: int,
        each: int,
        until: float | None,
    ) -> int:
        """Work off each workspace's share of worlds in chunks; how many that were."""
        total = self.plan.iterations
        halt = threading.Event()

        def work(workspace: Workspace, share: int) -> int:
            made = 0
            while made < share or until is not None:
                if halt.is_set() or (made and self.limits.stopped()):
                    break
                if until is not None and time.monotonic() - self.begun >= until and made:
                    break
                if kernel is self.heuristics.kernels.expand and made >= share:
                    break
                most = chunk if live(kernel) else 1  # un-compiled code stops, and is switched over, soon enough
                workspace.n = most if until is not None else min(most, share - made)
                size = call(kernel, workspace)
                workspace.size = size if size is not None else workspace.size
                workspace.first += workspace.n * workspace.stride
                made += workspace.n
                self._report(workspace.n * each, total)
            return made

        if self.limits.threads == 1 or len(workspaces) == 1:
            return sum(map(work, workspaces, shares))
        jobs = [_threads(self.limits.threads).submit(work, *job) for job in zip(workspaces, shares)]
        try:
            return sum(job.result() for job in jobs)
        except BaseException:
            halt.set()
            wait(jobs)
            raise

    def _report(self, done: int, total: int) -> None:
        with self._count:
            self.done += done
            if self.limits.progress is not None:
                self.limits.progress(self.done, total)


def key(seed: int) -> Integers:
    """What a bot's random numbers begin with; the bytes of a view are absorbed into it."""
    return stream(seed, "bot")


def call(kernel: Kernel, workspace: Workspace) -> Any:  # what it returns stands in its template
    """Call a kernel with the workspace's arrays of the names that its parameters have."""
    return kernel(*[getattr(workspace, name) for name in _names(kernel)])


@functools.cache
def _names(kernel: Kernel) -> tuple[str, ...]:
    return tuple(inspect.signature(getattr(kernel, "py_func", kernel)).parameters)


@functools.cache
def _threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, thread_name_prefix="clew-bot")


def _added(workspaces: Sequence[Workspace]) -> Floats:
    """The tallies of all streams, in the order of the streams: sums of floats must not depend on who is first."""
    total: Floats = np.sum([workspace.tally for workspace in workspaces], axis=0)
    return total


def _keys(heuristics: Heuristics, moves: MoveCodes) -> Integers:
    words = as_words(moves)
    return np.array([heuristics.kernels.key_of(words, i) for i in range(len(moves))], np.int64)
