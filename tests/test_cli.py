"""The command line as a process of its own: exit codes, streams, pipes and signals."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import clew
from clew.core.game import load

CLEW = (sys.executable, "-m", "clew")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    table = clew.new("palaces", seed=7)
    while table.to_move:
        table.play(table.legal_moves()[0])
    whole = table.record()
    (folder / "whole.clew").write_text(whole)
    (folder / "truncated.clew").write_text(whole[:-60])
    (folder / "wrong.clew").write_text(whole.replace("result: places", "result: places 9"))
    (folder / "garbage.clew").write_bytes(bytes(range(256)))
    for name in clew.games():
        load(name).ready()  # so that no command has to announce the compiler

    def run(*arguments, typed="", **environment):
        known = {**os.environ, "CLEW_DATA": str(folder / "data"), "COLUMNS": "80", **environment}
        return subprocess.run([*CLEW, *arguments], input=typed, capture_output=True, text=True, cwd=folder, env=known)

    return run


WRONG = (
    ("play", "chess"),
    ("play", "palaces", "--option", "colour=red"),
    ("play", "cardtracks", "--option", "track_length=99"),
    ("play", "palaces", "--players", "3"),
    ("replay", "missing.clew"),
    ("replay", "truncated.clew"),
    ("replay", "wrong.clew"),
    ("replay", "garbage.clew"),
    ("replay", "--dance"),
)


def test_an_error_is_one_sentence_and_exit_2(run):
    with ThreadPoolExecutor(2) as pool:
        for arguments, done in zip(WRONG, pool.map(lambda wrong: run(*wrong), WRONG), strict=True):
            assert (done.returncode, done.stdout) == (2, ""), arguments
            assert done.stderr.count("\n") == 1, (arguments, done.stderr)
            assert "Traceback" not in done.stderr


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from clew.cli import main; main(['--help']); sys.exit(bool({'numpy', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0
    assert "Example: clew play palaces" in done.stdout


def test_json_is_all_that_a_program_gets(run):
    done = run("replay", "whole.clew", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["verified"] is True


def test_a_reader_who_leaves_early_hears_nothing(run):
    for command in ("rules palaces", "--help"):
        line = f"{sys.executable} -m clew {command} | true"
        assert subprocess.run(line, shell=True, capture_output=True, text=True).stderr == ""


def test_a_terminal_without_the_signs_still_shows_the_game(run):
    done = run("play", "palaces", "--against", "random", typed="1\nß\n", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Saved in" in done.stdout


def test_ctrl_c_leaves_quietly(run, tmp_path):
    child = subprocess.Popen(
        [*CLEW, "play", "palaces", "--against", "random", "--seed", "9"],  # the random mover begins
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env={**os.environ, "CLEW_DATA": str(tmp_path)},
    )
    while b"Discard" not in child.stdout.readline():
        pass
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert (child.returncode, err) == (0, b"")
    assert b"Saved in" in out


def test_ctrl_c_again_and_again_leaves_what_the_arena_knows(run, tmp_path):
    command = [*CLEW, "arena", "palaces", "--bots", "greedy,random", "--games", "90000", "--seed", "1", "--json"]
    child = subprocess.Popen(
        [*command, "--records", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while child.poll() is None and len(list(tmp_path.glob("*.clew"))) < 20:
        time.sleep(0.05)
    for _ in range(12):
        child.send_signal(signal.SIGINT)
        time.sleep(0.003)
    out, _ = child.communicate(timeout=60)
    assert 10 <= json.loads(out)["games"] < 90000


def test_the_help_tells_each_command_in_a_whole_sentence(run):
    listed = run("--help").stdout.partition("Commands:")[2].strip().partition("\n\n")[0].splitlines()
    assert len(listed) > 10
    assert all(line.endswith(".") and "..." not in line for line in listed), listed


def test_a_wrong_opponent_is_told_what_play_knows(run):
    said = run("play", "palaces", "--against", "dog").stderr
    assert "random or person" in said
    assert "greedy" not in said
