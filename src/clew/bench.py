"""How fast the rules run: random games in the kernels, their parts, two threads, and a C program as the yardstick.

What one thread does is timed by its processor time, so that other programs on the machine disturb little. A figure
of one thing is the best of many short rounds (noise only ever slows); the ratio to C is the median over rounds that
did both, one right after the other. No kernel runs longer than a quarter of a second: Ctrl-C works.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from clew.core.game import Game, load, names
from clew.core.kernels import template
from clew.core.options import read_options
from clew.core.playouts import mover, playout
from clew.core.protocol import apply, deal, imagine, legal, result, start, view
from clew.core.rng import WORD, below, stream

Progress = Callable[[str], None]

SOURCES = Path(__file__).resolve().parents[2] / "bench"
ROUND = 0.1  # seconds that one call of a kernel takes at most, roughly
SHORT_ROUND = 0.0025
POSITIONS = 4096  # enough that the processor cannot learn them by heart
PADDING = 128  # bytes between what two threads write: two cache lines, for one is fetched with its neighbour
PROMPT = re.compile(rb"^\w+> ", re.M)


# The kernels


@template
def scored_games(n: int, states: Any, rng: Any, out: Any, scores: Any, places: Any, numbers: Any) -> int:
    """Deal, play at random and score n games; how many moves they took.

    `numbers` gets a checksum over all scores, and then the sum for each seat.
    """
    moves = 0
    for _ in range(n):
        states[1] = states[0]
        s = states[1]
        deal(s, rng)
        start(s)
        moves += playout(s, rng, out)
        result(s, scores, places)
        for seat in range(scores.shape[0]):
            numbers[0] = (numbers[0] * 31 + scores[seat]) & WORD
            numbers[1 + seat] += scores[seat]
    return moves


@template
def random_positions(states: Any, views: Any, rng: Any, out: Any) -> None:
    """Fill states[2:] with positions of random games from the blank states[0], and views[2:] with what movers see."""
    seat = -1
    for i in range(2, states.shape[0]):
        if seat < 0:
            states[1] = states[0]
            deal(states[1], rng)
            start(states[1])
            seat = mover(states[1])
        states[i] = states[1]
        view(states[i], seat, views[i])
        apply(states[1], seat, out[below(rng, legal(states[1], seat, out))])
        seat = mover(states[1])


@template
def repeat_copy(n: int, states: Any, views: Any, rng: Any, out: Any) -> None:
    """Copy n states that are at hand, each from the last copy: copies that nobody reads the compiler leaves out."""
    for i in range(n):
        states[2 + (i + 1 & 7)] = states[2 + (i & 7)]


@template
def repeat_legal(n: int, states: Any, views: Any, rng: Any, out: Any) -> None:
    """List the moves of n positions."""
    i = 2
    for _ in range(n):
        legal(states[i], mover(states[i]), out)
        i = i + 1 if i + 1 < states.shape[0] else 2


@template
def repeat_view(n: int, states: Any, views: Any, rng: Any, out: Any) -> None:
    """Look at n positions, beginning with nothing each time."""
    i = 2
    for _ in range(n):
        views[1] = views[0]
        view(states[i], mover(states[i]), views[1])
        i = i + 1 if i + 1 < states.shape[0] else 2


@template
def repeat_imagine(n: int, states: Any, views: Any, rng: Any, out: Any) -> None:
    """Imagine n worlds from the views of as many positions."""
    i = 2
    for _ in range(n):
        states[1] = states[0]
        imagine(views[i], rng, states[1])
        i = i + 1 if i + 1 < states.shape[0] else 2


class Workspace:
    """A game with arrays of its own to play in, far enough from those of any other thread."""

    def __init__(self, game: Game, positions: int = 0) -> None:
        self.kernels = game.kernels
        self.blank = game.blank(read_options(game.title, game.options, {}), game.seats(None))
        self.players = int(self.blank[0].players)
        self.states = _padded(game.states, 2 + positions)
        self.states[0] = self.blank[0]
        self.views = _padded(game.views, 2 + positions)
        self.out = _padded(game.moves, game.rules.MOVES)
        self.rng = _padded(_numbers, 4)
        self.scores = _padded(_numbers, self.players)
        self.places = _padded(_numbers, self.players)
        self.totals = _padded(_numbers, 1 + self.players)
        self.reseed(0)
        if positions:
            self.kernels.random_positions(self.states, self.views, self.rng, self.out)

    def reseed(self, seed: int) -> None:
        """Go back to a known beginning of the random numbers."""
        self.rng[:] = stream(seed, "bench")
        self.totals[:] = 0

    def play(self, n: int) -> int:
        """Play n games; how many moves they took."""
        return int(self.kernels.scored_games(n, self.states, self.rng, self.out, self.scores, self.places, self.totals))

    def repeat(self, part: str, n: int) -> None:
        """Do one of the parts of play n times."""
        getattr(self.kernels, f"repeat_{part}")(n, self.states, self.views, self.rng, self.out)


def _numbers(count: int) -> Any:
    return np.zeros(count, np.int64)


def _padded(make: Callable[[int], Any], count: int) -> Any:
    margin = -(-PADDING // make(1).itemsize)
    return make(count + 2 * margin)[margin : margin + count]


# One game


def measure(
    games: list[str] | None = None,
    seconds: float = 1.0,
    progress: Progress | None = None,
    startup: bool = False,
) -> dict[str, Any]:
    """The figures of these games (by default all), each measured for so many seconds.

    `startup` adds how long a new process takes to compile a game and to begin a game already compiled.
    """
    say = progress or (lambda now: None)
    figures: dict[str, Any] = {"machine": machine(), "games": {}}
    for name in games or names():
        game = load(name)
        game.ready(lambda done, total, part: say(f"compiling {part} ({done}/{total})"))
        game.specialise(sys.modules[__name__])
        figures["games"][game.name] = _figures(game, name, seconds, say, startup)
    if startup:
        say("clew --help")
        figures["cli_help_s"] = statistics.median(_run("--help") for _ in range(5))
    return figures


def machine() -> dict[str, Any]:
    """What was measured on: the figures mean nothing without it."""
    import numba

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        found = None
    return found.group(1) if found else platform.processor() or platform.machine()


def _figures(game: Game, name: str, seconds: float, say: Progress, startup: bool) -> dict[str, Any]:
    workspace = Workspace(game, POSITIONS)
    workspace.play(1)  # the first call compiles
    say(f"{game.title}: random games")
    n = _fitting(workspace.play, seconds)
    rounds = [_timed(lambda: workspace.play(n)) for _ in range(_rounds(seconds))]
    best = max(rounds, key=lambda done: done[1] / done[0])
    found: dict[str, Any] = {
        "moves_per_s": best[1] / best[0],
        "games_per_s": n / best[0],
        "moves_per_game": sum(moves for _, moves in rounds) / (n * len(rounds)),
    }
    say(f"{game.title}: two threads")
    found["threads2_ratio"] = _two_threads(game, max(1, round(n * SHORT_ROUND / _round(seconds))), seconds)
    found["state_bytes"] = game.states(1).dtype.itemsize
    for part, figure, unit in (
        ("copy", "copy_ns", 1e9),
        ("legal", "legal_us", 1e6),
        ("view", "view_us", 1e6),
        ("imagine", "imagine_us", 1e6),
    ):
        say(f"{game.title}: {part}")
        found[figure] = _each(functools.partial(workspace.repeat, part), seconds / 4) * unit
    found["python_call_us"] = _each(functools.partial(_call_legal, workspace), seconds / 4) * 1e6
    say(f"{game.title}: against C")
    found |= _against_c(game.name, workspace, n, seconds)
    if startup:
        say(f"{game.title}: compiling from nothing")
        found["cold_compile_s"] = _cold_compile(name)
        say(f"{game.title}: starting")
        _first_prompt(name)  # fills the cache of compiled code and the file cache
        found["warm_start_s"] = statistics.median(_first_prompt(name) for _ in range(3))
    return found


def _call_legal(workspace: Workspace, n: int) -> None:
    """Call one kernel n times as Python code does."""
    call, s, out = workspace.kernels.legal, workspace.states[2], workspace.out
    seat = workspace.kernels.mover(s)
    for _ in range(n):
        call(s, seat, out)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.thread_time()
    done = work()
    return max(time.thread_time() - begin, 1e-9), done


def _round(seconds: float) -> float:
    return min(ROUND, seconds / 3)


def _rounds(seconds: float) -> int:
    return max(3, round(seconds / ROUND))


def _fitting(work: Callable[[int], Any], seconds: float) -> int:
    """How often to do it for one round."""
    n = 1
    while True:
        took, _ = _timed(functools.partial(work, n))
        if took > _round(seconds) / 5:
            return max(1, round(n * _round(seconds) / took))
        n *= 2


def _each(work: Callable[[int], Any], seconds: float) -> float:
    """Seconds for one, in the best round."""
    work(1)
    n = _fitting(work, seconds)
    return min(_timed(lambda: work(n))[0] for _ in range(_rounds(seconds))) / n


def _two_threads(game: Game, n: int, seconds: float) -> float:
    """How much more two threads do than one, by the clock on the wall.

    Rounds are short and the best count: on a busy machine two cores are free at once for moments only.
    """
    workspaces = [Workspace(game), Workspace(game)]
    alone, together = [], []
    for _ in range(max(3, round(seconds / SHORT_ROUND / 2))):
        alone.append(_side_by_side(workspaces[:1], n))
        together.append(_side_by_side(workspaces, n))
    return 2 * min(alone) / min(together)


def _side_by_side(workspaces: list[Workspace], n: int) -> float:
    begun, ended = [], []
    together = threading.Barrier(len(workspaces))

    def work(workspace: Workspace) -> None:
        together.wait()
        begun.append(time.perf_counter())
        workspace.play(n)
        ended.append(time.perf_counter())

    threads = [threading.Thread(target=work, args=(workspace,)) for workspace in workspaces]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(ended) - min(begun)


# The yardstick


def build_c(name: str, folder: Path) -> Path:
    """Compile the C program of a game, for this very processor, as Numba does; FileNotFoundError says what lacks."""
    source = SOURCES / f"{name}.c"
    if not source.is_file():
        raise FileNotFoundError(f"There is no bench/{name}.c here.")
    if not shutil.which("gcc"):
        raise FileNotFoundError("There is no gcc.")
    program = folder / name
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source], check=True, capture_output=True)
    return program


def run_c(program: Path, n: int, seed: int) -> dict[str, Any]:
    """The same n games as `Workspace.play` after `Workspace.reseed(seed)`, by the C program."""
    words = [str(word) for word in stream(seed, "bench").tolist()]
    said = subprocess.run([program, str(n), *words], check=True, capture_output=True).stdout
    found: dict[str, Any] = json.loads(said)
    return found


def _against_c(name: str, workspace: Workspace, n: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = build_c(name, Path(folder))
        except FileNotFoundError as lacking:
            return {"c_moves_per_s": None, "ratio_to_c": None, "why_no_c": str(lacking)}
        except subprocess.CalledProcessError:
            return {"c_moves_per_s": None, "ratio_to_c": None, "why_no_c": f"gcc does not compile bench/{name}.c."}
        speeds, ratios = [], []
        for seed in range(_rounds(seconds)):
            workspace.reseed(seed)
            c = run_c(program, n, seed)
            took, moves = _timed(lambda: workspace.play(n))
            if [c["moves"], c["checksum"], *c["scores"]] != [moves, *workspace.totals.tolist()]:
                why = f"bench/{name}.c plays by other rules: its games differ."
                return {"c_moves_per_s": None, "ratio_to_c": None, "why_no_c": why}
            speeds.append(moves / c["seconds"])
            ratios.append(c["seconds"] / took)
    return {"c_moves_per_s": max(speeds), "ratio_to_c": statistics.median(ratios)}


# New processes

COLD = """
import sys, time
from clew.core.game import load
load(sys.argv[1]).ready(lambda done, total, name: None)
print(time.process_time())
"""


def _cold_compile(name: str) -> float:
    """Seconds of the processor from the start of Python until a game is compiled, with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", COLD, name]
        done = subprocess.run(command, env={**os.environ, "CLEW_CACHE": folder}, check=True, capture_output=True)
    return float(done.stdout)


def _first_prompt(name: str) -> float:
    """Seconds from `clew play` to the moment when the player can type."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "clew", "play", name, "--against", "random", "--seed", "1"]
        begin = time.perf_counter()
        with subprocess.Popen(
            command,
            env={**os.environ, "CLEW_DATA": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout
            said = b""
            while not PROMPT.search(said):
                more = os.read(process.stdout.fileno(), 4096)
                if not more:
                    raise RuntimeError(f"clew play {name} ended without a prompt.")
                said += more
            took = time.perf_counter() - begin
            process.communicate(b"quit\n")
    return took


def _run(*arguments: str) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "clew", *arguments], check=True, capture_output=True)
    return time.perf_counter() - begin


# The table

ROWS: tuple[tuple[str, str, str], ...] = (
    ("moves_per_s", "random play, moves/s", ",.0f"),
    ("games_per_s", "random play, games/s", ",.0f"),
    ("moves_per_game", "moves a game", ".1f"),
    ("threads2_ratio", "two threads / one", ".2f"),
    ("c_moves_per_s", "C program, moves/s", ",.0f"),
    ("ratio_to_c", "ratio to C", ".2f"),
    ("state_bytes", "state, bytes", ",d"),
    ("copy_ns", "copy of a state, ns", ".0f"),
    ("legal_us", "legal, µs", ".3f"),
    ("view_us", "view, µs", ".3f"),
    ("imagine_us", "imagine, µs", ".3f"),
    ("python_call_us", "legal called from Python, µs", ".2f"),
    ("cold_compile_s", "compile from nothing, s", ".1f"),
    ("warm_start_s", "clew play to its prompt, s", ".2f"),
)


def render(figures: dict[str, Any]) -> Table:
    """The figures as a table for people: a column for each game."""
    games = figures["games"]
    m = figures["machine"]
    caption = f"{m['processor']}, {m['cores']} cores; Python {m['python']}, Numba {m['numba']}, NumPy {m['numpy']}"
    if m["load"] and m["load"] > m["cores"] / 2:
        caption += f"\nThe machine is busy (load {m['load']:.1f}): two threads and starting may look slow."
    table = Table(
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="dim",
        caption=caption,
        caption_justify="left",
    )
    table.add_column("")
    for name in games:
        table.add_column(name, justify="right")
    for key, title, form in ROWS:
        values = [found.get(key) for found in games.values()]
        if any(value is not None for value in values):
            table.add_row(title, *("–" if value is None else format(value, form) for value in values))
    if "cli_help_s" in figures:
        table.add_row("clew --help, s", f"{figures['cli_help_s']:.2f}")
    return table
