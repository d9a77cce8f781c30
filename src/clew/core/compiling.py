"""Compiling kernels: now, while somebody waits, or in another process while the rules run as plain Python.

The other process only fills the cache and reports each kernel that is there; this one loads it and switches over
between two calls. Urgent jobs, of games that somebody plays, go first, in the order in which they were asked for;
what is compiled in advance gives way to them. Both die with this process, and what they finished stays in the cache.
Several processes may compile for one cache: each kernel is compiled once.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.core import kernels
from clew.core.cache import Marker, alone, cache_folder, others_urgent, urgent
from clew.core.errors import BadRules

Progress = Callable[[int, int, str], None]

log = logging.getLogger("clew")

NICENESS = 15  # those who play go first, and so do the bots that they wait for
LOOK_AGAIN = 0.5  # seconds
AT_ONCE = max(1, (os.cpu_count() or 1) - 1)


@dataclass(eq=False)
class Job:
    """Kernels to be compiled together: those of a game's rules, or those of its bots.

    `recipe` tells another process how to do the same: a function as "module:name", and the name or path of the game.
    """

    title: str
    recipe: tuple[str, str]
    kernels: dict[str, tuple[Any, Any]]  # by their names: the function and the types of its arguments
    urgent: bool = False
    done: int = 0
    finished: threading.Event = field(default_factory=threading.Event)
    process: subprocess.Popen[str] | None = None
    gives_way: bool = False

    @property
    def game(self) -> str:
        """The game that it is for."""
        return self.recipe[1]

    def marker(self) -> Marker:
        """What says that all of it is in the cache."""
        return Marker(self.title, [function for function, _ in self.kernels.values()])

    def hurry(self) -> None:
        """Tell the process that somebody waits for this now."""
        if self.process is not None and self.process.stdin is not None:
            with contextlib.suppress(OSError):
                print(file=self.process.stdin, flush=True)

    def go_live(self, count: int) -> None:
        """The first so many kernels are in the cache: load those that are not live yet."""
        for function, signature in list(self.kernels.values())[self.done : count]:
            function.compile(signature)
            kernels.go_live([function])
        self.done = max(self.done, count)


def announce(done: int, total: int, name: str) -> None:
    """Say on standard error that the rules are being compiled, and how far that is."""
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\r\033[KCompiling {name} ({done}/{total}; once)", end=end, file=sys.stderr, flush=True)
    elif done == 0:
        print(f"Compiling {name} (once) ...", file=sys.stderr, flush=True)


def compile_now(job: Job, progress: Progress | None = None) -> None:
    """Compile what the cache does not hold; this process runs nothing but machine code from here on."""
    kernels.compile_ahead()
    marker = job.marker()
    if marker.found():
        return
    progress = progress or announce
    for done, (name, (function, signature)) in enumerate(job.kernels.items()):
        progress(done, len(job.kernels), f"{job.title}: {name}")
        with alone(Path(job.game).name):  # a process that comes second finds the kernel in the cache, and goes on
            function.compile(signature)
    progress(len(job.kernels), len(job.kernels), job.title)
    marker.set()


# In another process

_lock = threading.RLock()
_jobs: dict[tuple[str, str], Job] = {}
_waiting: list[Job] = []
_running: list[Job] = []
_stopped = threading.Event()
_at_once, _in_advance = AT_ONCE, True


def compile_in_background(job: Job, urgent: bool = True) -> Job:
    """Have a job done beside what this process does; asked for again it is the same job, urgent if it was not."""
    with _lock:
        known = _jobs.setdefault(job.recipe, job)
        if known is job:
            if job.marker().found():
                _finish(job)
            else:
                _waiting.append(job)
        if urgent and not known.urgent:
            known.urgent = True
            known.hurry()
        _start_next()
        return known


def forget(game: str, package: str = "") -> None:
    """Begin anew with what is compiled for a game, or what a package compiles: nobody needs what was there before."""
    with _lock:
        for job in [job for job in _jobs.values() if job.game == game and job.recipe[0].startswith(package)]:
            del _jobs[job.recipe]
            if job in _waiting:
                _waiting.remove(job)
            elif job.process is not None:
                job.gives_way = True
                job.process.terminate()


def share(index: int, workers: int) -> None:
    """This process is one of several workers: the first compiles in advance for all, and cores are shared."""
    global _at_once, _in_advance
    _at_once, _in_advance = max(1, AT_ONCE // workers), index == 0


def adopt() -> None:
    """Take over what waits here and was compiled by another process in the meantime."""
    with _lock:
        for job in [job for job in _waiting if job.marker().found()]:
            _waiting.remove(job)
            _finish(job)


def _finish(job: Job) -> None:
    """All of it is in the cache: Numba loads each kernel when it is called."""
    kernels.go_live([function for function, _ in job.kernels.values()])
    job.done = len(job.kernels)
    job.finished.set()


def under_way() -> dict[str, tuple[int, int]]:
    """The games that somebody waits for: how many of their kernels are compiled, and of how many."""
    with _lock:
        jobs = [job for job in _jobs.values() if job.urgent]
    slow = {job.game for job in jobs if not job.finished.is_set()}
    return {
        game: (
            sum(job.done for job in jobs if job.game == game),
            sum(len(job.kernels) for job in jobs if job.game == game),
        )
        for game in slow
    }


def progress_of(game: str) -> tuple[int, int] | None:
    """How many kernels of a game are compiled, and of how many; None when none is being waited for."""
    return under_way().get(game)


def _start_next() -> None:
    """Start what may run now; called with the lock."""
    if _stopped.is_set():
        return
    urgent = [job for job in _waiting if job.urgent]
    for job in _running:
        if urgent and not job.urgent and job.process is not None:
            job.gives_way = True  # the thread that reads from it puts it back
            job.process.terminate()
    for job in urgent or (_waiting[:1] if _in_advance else []):
        ahead = [other for other in _running if other.urgent or not urgent]
        if len(ahead) < _at_once and all(other.game != job.game for other in _running):
            _waiting.remove(job)
            _running.append(job)
            threading.Thread(target=_run, args=(job,), name=f"clew-compile {job.title}", daemon=True).start()


def _run(job: Job) -> None:
    """Do a job in a process of its own, and follow what it reports."""
    again = False
    try:
        again = not _follow(job)
    except Exception as error:  # the game is played all the same
        log.warning("%s could not be compiled and stays slow: %s", job.title, " ".join(str(error).split())[:300])
    finally:
        with _lock:
            _running.remove(job)
            job.process, job.gives_way = None, False
            if again and _jobs.get(job.recipe) is job:
                _waiting.append(job)
            else:
                job.finished.set()
            _start_next()


def _follow(job: Job) -> bool:
    """True when it is done, False when it was told to give way."""
    command = [sys.executable, "-P", "-m", "clew.core.compiling", *job.recipe, "now" if job.urgent else "ahead"]
    with (
        (cache_folder() / f"{job.title}.log").open("w+") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=_environment(),
            start_new_session=True,  # Ctrl-C is for this process to deal with
        ) as process,
    ):
        job.process = process
        assert process.stdout is not None
        for line in process.stdout:
            job.go_live(int(line))
        if process.wait() == 0:
            job.go_live(len(job.kernels))
            return True
        errors.seek(0)
        said = errors.read().strip()
    if job.gives_way:
        return False
    last = said.rpartition("\n")[2].removeprefix(f"{BadRules.__module__}.{BadRules.__name__}: ")
    raise RuntimeError(last or f"the compiler ended with code {process.returncode}")


def _environment() -> dict[str, str]:
    """This process's environment for one that compiles: the same cache, the same modules."""
    here = Path(kernels.PACKAGE).parent
    paths = os.pathsep.join([str(here), *(path for path in sys.path if path)])
    return {**os.environ, "CLEW_COMPILE": "ahead", "CLEW_CACHE": str(cache_folder()), "PYTHONPATH": paths}


@atexit.register
def stop() -> None:
    """End the processes that compile; what they have done stays in the cache."""
    _stopped.set()
    with _lock:
        for job in _running:
            if job.process is not None:
                job.gives_way = True
                with contextlib.suppress(OSError):
                    job.process.kill()


def _work(recipe: str, game: str, when: str) -> None:
    """What the other process does: compile, and report how many kernels there are.

    What is compiled ahead waits, between two kernels, for what other servers or workers need now.
    """
    wanted = threading.Event()
    threading.Thread(target=_follow_parent, args=(wanted,), daemon=True).start()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)

    def report(done: int, total: int, _: str) -> None:
        print(done, flush=True)
        while when == "ahead" and not wanted.is_set() and others_urgent():
            wanted.wait(LOOK_AGAIN)

    module, _, name = recipe.partition(":")
    with urgent() if when == "now" else contextlib.nullcontext():
        getattr(importlib.import_module(module), name)(game, report)


def _follow_parent(wanted: threading.Event) -> None:
    """A line from the parent says that somebody waits; the end of it is the end of this process."""
    for _ in sys.stdin:
        wanted.set()
    os._exit(1)


if __name__ == "__main__":
    _work(*sys.argv[1:])
