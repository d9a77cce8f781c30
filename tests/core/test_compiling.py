"""Rules that are compiled while they are played: from the first move on, and the same to the byte."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import clew

PEBBLES = Path(__file__).parent / "pebbles"
KERNELS = 17  # that are compiled for it, its own and those made from them
SOURCE = str(Path(clew.__file__).parent.parent)

# Plays a move, and again when everything is compiled; tells what was live, and what the moves came to.
PLAY = """
import json, sys, time, clew
from clew.core import compiling, kernels
from clew.core.game import load

def live(game):
    return sorted(name for name, kernel in vars(game.kernels).items() if kernels.live(kernel))

def play(game):
    t = clew.new(game, seed=1)
    t.play("take 1")
    return t.view(0), [str(move) for move in t.legal_moves()], [str(event) for event in t.events(1)]

game = load(sys.argv[1])
begun = time.monotonic()
said = [live(game), play(game), live(game)]
while compiling.progress_of(game.where):
    time.sleep(0.05)
said += [play(game), live(game), max(len(k.overloads) for k in vars(game.kernels).values() if kernels.live(k) or 1)]
print(json.dumps(said))
"""
ENTRIES = ["apply", "cover", "deal", "ending", "imagine", "legal", "mover", "quick", "refusal", "result"]
ENTRIES += ["secret_deal", "start"]


def environment(cache, **extra):
    return {
        **os.environ,
        "CLEW_CACHE": str(cache),
        "PYTHONPATH": SOURCE,
        "NUMBA_DISABLE_JIT": "0",
        "CLEW_COMPILE": "background",
        **extra,
    }


def run(code, *arguments, cache, **extra):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, env=environment(cache, **extra), capture_output=True, text=True, timeout=300)


@pytest.fixture
def game(tmp_path):
    return Path(shutil.copytree(PEBBLES, tmp_path / "pebbles"))


def change(game, old, new):
    text = (game / "rules.py").read_text()
    assert old in text
    (game / "rules.py").write_text(text.replace(old, new))


@pytest.mark.slow
def test_a_game_is_played_before_it_is_compiled_and_goes_on_compiled(game, tmp_path):
    done = run(PLAY, game, cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    before, first, begun, again, after, overloads = json.loads(done.stdout)
    assert before == []
    assert set(begun) < set(ENTRIES)
    assert set(ENTRIES) <= set(after)
    assert first == again
    assert overloads == 1  # nothing was compiled for types that nobody had foreseen
    assert done.stderr == ""
    warm = json.loads(run(PLAY, game, cache=tmp_path / "cache").stdout)
    assert set(ENTRIES) <= set(warm[2])  # at once, from the cache
    assert warm[1] == first


@pytest.mark.slow
def test_rules_that_cannot_be_compiled_are_played_all_the_same(game, tmp_path):
    change(game, "    s.turn = 0\n", "    s.turn = 0\n    {}.setdefault(None, object())\n")
    done = run(PLAY, game, cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    _, first, _, again, after, _ = json.loads(done.stdout)
    assert first == again
    assert "start" not in after
    assert "pebbles could not be compiled and stays slow: " in done.stderr
    assert "stays slow: rules.py:" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "mode",
    [
        {"CLEW_COMPILE": "background"},
        pytest.param({"CLEW_COMPILE": "ahead"}, marks=pytest.mark.slow),
        {"NUMBA_DISABLE_JIT": "1"},
    ],
    ids=["interpreted", "compiled", "never compiled"],
)
@pytest.mark.parametrize(
    ("constant", "doing"),
    [
        ("MOVES = 4", "clew.new(sys.argv[1], seed=1).legal_moves()"),
        ("MOVES = 4", "t = clew.new(sys.argv[1], seed=1); clew.bot(sys.argv[1], 2, seed=1).choose(t.view(0))"),
        ("LONGEST = 22", "t = clew.new(sys.argv[1], seed=1); clew.bot(sys.argv[1], 4, seed=1).choose(t.view(0))"),
    ],
    ids=["moves listed", "moves searched", "game longer"],
)
def test_too_little_room_is_a_clear_error_in_every_mode(game, tmp_path, mode, constant, doing):
    name = constant.split()[0]
    change(game, "range(MOVES)", "range(4)")
    change(game, constant, f"{name} = 1")
    done = run(f"import sys, clew\n{doing}", game, cache=tmp_path / "cache", **mode)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1, done.stderr
    assert last.startswith("clew.core.errors.BadRules: "), done.stderr
    assert "MOVES or LONGEST may be too small" in last


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_what_compiles_ends_with_who_asked_for_it(game, tmp_path, end):
    code = """
import sys, time, clew
from clew.core import compiling
t = clew.new(sys.argv[1], seed=1)
while not (compiling._running and compiling._running[0].process):
    time.sleep(0.01)
print(compiling._running[0].process.pid, flush=True)
time.sleep(60)
"""
    command = [sys.executable, "-c", code, str(game)]
    parent = subprocess.Popen(command, env=environment(tmp_path / "cache"), stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    assert running(child)
    parent.send_signal(end)
    parent.wait()
    for _ in range(500):
        if not running(child):
            break
        time.sleep(0.02)
    assert not running(child)


@pytest.mark.slow
def test_what_is_compiled_in_advance_gives_way_to_what_is_played(game, tmp_path):
    other = Path(shutil.copytree(game, tmp_path / "more"))
    code = """
import sys, time, clew
from clew.core import compiling
from clew.core.game import load
first, second = load(sys.argv[1]), load(sys.argv[2])
first.prepare(urgent=False)
while not (compiling._running and compiling._running[0].process):
    time.sleep(0.01)
clew.new(second, seed=1)
jobs = {job.title: job for job in compiling._jobs.values()}
jobs["more"].finished.wait(120)
print(jobs["pebbles"].finished.is_set())
print(compiling.progress_of(first.where), compiling.progress_of(second.where))
jobs["pebbles"].finished.wait(120)
print(jobs["pebbles"].done, len(jobs["pebbles"].kernels))
"""
    done = run(code, game, other, cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["False", "None None", f"{KERNELS} {KERNELS}"]


@pytest.mark.slow
def test_two_processes_with_one_cache_share_the_work_kernel_by_kernel(game, tmp_path):
    command = [sys.executable, "-m", "clew.core.compiling", "clew.core.game:compile_rules", str(game), "now"]
    env = environment(tmp_path / "cache", CLEW_COMPILE="ahead", NUMBA_DEBUG_CACHE="1")
    both = [
        subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [process.stdout.read().splitlines() for process in both]
    assert [process.wait() for process in both] == [0, 0]
    for lines in said:
        counts = [int(line) for line in lines if line.isdigit()]
        assert counts == list(range(KERNELS + 1))  # each could use every kernel as soon as it was there
    saved = [line.split("data saved to ")[1] for lines in said for line in lines if "data saved to " in line]
    assert len(saved) == len(set(saved)) >= KERNELS


@pytest.mark.slow
def test_a_worker_that_is_not_the_first_takes_over_what_another_has_compiled(game, tmp_path):
    code = """
import subprocess, sys
from clew.core import compiling
from clew.core.game import load
game = load(sys.argv[1])
compiling.share(1, 2)
game.prepare(urgent=False)
job, = compiling._jobs.values()
compiling.adopt()
print(job.process, job.finished.is_set())
command = [sys.executable, "-m", "clew.core.compiling", *job.recipe, "ahead"]
subprocess.run(command, env=compiling._environment(), stdin=sys.stdin, stdout=subprocess.DEVNULL, check=True)
compiling.adopt()
print(job.finished.is_set(), job.done)
"""
    environ = environment(tmp_path / "cache")
    command = [sys.executable, "-c", code, str(game)]
    with subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.read().splitlines() == ["None False", f"True {KERNELS}"]


def test_a_new_table_of_a_compiled_game_is_not_looked_through_again(game, tmp_path):
    code = """
import sys, clew
from clew.core import compiling
from clew.core.game import Game, load
game = load(sys.argv[1])
clew.new(game, seed=1)
next(iter(compiling._jobs.values())).finished.wait(120)
asked, job = [], Game._job
Game._job = lambda *arguments: asked.append(1) or job(*arguments)
clew.new(game, seed=2)
print(len(asked))
"""
    done = run(code, game, cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0\n"


# Begins to compile a game, forgets it in the middle, and tells what still went on after that.
FORGET = """
import json, sys, time
from clew.core import compiling
from clew.core.game import load

game = load(sys.argv[1])
job = compiling.compile_in_background(game._job())
while job.process is None:
    time.sleep(0.01)
process = job.process
compiling.forget(game.where)
ended = job.finished.wait(60)
whole = job.done == len(job.kernels)
print(json.dumps([ended, whole, process.poll() is not None, compiling.progress_of(game.where)]))
"""


def test_rules_that_changed_are_compiled_no_further(game, tmp_path):
    done = run(FORGET, game, cache=tmp_path / "cache", PYTHONWARNINGS="always::ResourceWarning")
    assert done.returncode == 0, done.stderr
    ended, whole, process_ended, progress = json.loads(done.stdout)
    assert (ended, whole, process_ended, progress) == (True, False, True, None)
    assert done.stderr == ""
