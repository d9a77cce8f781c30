"""The kit as a pytest plugin: one test for each check of a game, in anybody's repository."""

import os
import subprocess
import sys
from pathlib import Path

from clew.check.checks import CHECKS

JARS = Path(__file__).parent / "jars"


def pytest_run(folder, *arguments, **environment):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-v", *arguments]
    return subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)


def test_each_check_is_a_test(tmp_path):
    arguments = ("--clew-game", os.path.relpath(JARS, tmp_path), "--clew-games", "4")
    done = pytest_run(tmp_path, *arguments, NUMBA_DISABLE_JIT="1")
    for check in CHECKS:
        assert f"clew::jars::{check} PASSED" in done.stdout
    assert done.returncode == 0


def test_a_check_that_fails_says_its_sentence(tmp_path):
    game = tmp_path / "endless"
    game.mkdir()
    for part in JARS.glob("*.*"):
        text = part.read_text().replace("        s.rested[seat] = 1\n", "        pass\n")
        (game / part.name).write_text(text)
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")
    arguments = ("--clew-game", "endless", "--clew-games", "3", "-k", "end or other")
    done = pytest_run(tmp_path, *arguments, NUMBA_DISABLE_JIT="1")
    assert "clew::endless::games end FAILED" in done.stdout
    assert "A game does not go as it must: the game goes on after LONGEST moves (seed " in done.stdout
    assert "test_other.py::test_other PASSED" in done.stdout
    assert done.returncode == 1


def test_an_unknown_game_is_told_in_a_sentence(tmp_path):
    done = pytest_run(tmp_path, "--clew-game", "chess")
    assert "There is no game 'chess'" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_game_nothing_of_weight_is_loaded():
    code = "import sys, clew.check.plugin; assert not {'numba', 'numpy', 'rich'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
