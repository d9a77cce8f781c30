"""Everything in the README is true: its examples are run, its commands exist, its links lead somewhere."""

import doctest
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def consoles():
    """The commands in the console blocks, each with what it is said to print."""
    for block in re.findall(r"```console\n(.*?)```", README, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def matches(shown, printed):
    """Whether the lines shown are those printed, a line of three dots standing for any number of lines."""
    lines = [re.escape(" ".join(line.split())) for line in shown.splitlines() if line.strip()]
    pattern = "".join(r"(?:.*\n)*?" if line == r"\.\.\." else line + r"\n" for line in lines)
    text = "".join(" ".join(line.split()) + "\n" for line in printed.splitlines() if line.strip())
    return re.fullmatch(pattern, text) is not None


def test_the_python_examples_run():
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted > 8
    assert failed == 0


@pytest.mark.parametrize(("command", "shown"), list(consoles()))
def test_a_command_prints_what_is_shown(command, shown, tmp_path):
    env = {**os.environ, "COLUMNS": "100", "CLEW_DATA": str(tmp_path), "NO_COLOR": "1"}
    words = shlex.split(command)
    assert words[0] == "clew"
    done = subprocess.run(
        [sys.executable, "-m", "clew", *words[1:]],
        cwd=tmp_path if words[1] == "new-game" else ROOT,
        env=env, input="quit\n", capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert matches(shown, done.stdout), done.stdout


def test_a_wrong_example_would_be_noticed():
    assert matches("a\n...\nc\n", "a\nb\nb\nc\n")
    assert not matches("a\n...\nd\n", "a\nb\nc\n")


@pytest.mark.skipif(
    not (ROOT / ".venv").exists() or (ROOT / ".venv").is_symlink(),
    reason="make would have to set up first, which make test does; and it changes no environment of somebody else",
)
def test_make_play_serves_the_games(tmp_path):
    env = {**os.environ, "CLEW_DATA": str(tmp_path)}
    command = ["make", "play", "PORT=0"]
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        said = next(line for line in child.stdout if "Clew is at" in line)
        with urlopen(re.search(r"http://\S+", said).group() + "/api/games", timeout=60) as answer:
            titles = [game["title"] for game in json.load(answer)["games"]]
        assert {"The Lost Palaces", "Cardtracks"} <= set(titles)
    finally:
        os.killpg(child.pid, signal.SIGTERM)
        child.communicate(timeout=30)


@pytest.mark.parametrize("stamps", [(), (".has-uv",), (".has-uv", ".has-dev")])
def test_setting_up_changes_no_environment_that_is_linked(tmp_path, stamps):
    """As in a second working copy that borrows the environment of the first."""
    lent, copy = tmp_path / "lent", tmp_path / "copy"
    lent.mkdir()
    for stamp in (*stamps, "precious"):
        (lent / stamp).touch()
    copy.mkdir()
    for name in ("Makefile", "pyproject.toml", *(path.name for path in ROOT.glob("requirements*.lock"))):
        shutil.copy(ROOT / name, copy)  # newer than the stamps
    (copy / ".venv").symlink_to(lent)
    for target in ("setup", "play"):
        done = subprocess.run(["make", target], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 2
        assert ".venv is a link to another environment, which setting up would change." in done.stderr, done.stderr
    assert sorted(path.name for path in lent.iterdir()) == sorted((*stamps, "precious"))


def test_make_test_is_what_ci_runs():
    plan = subprocess.run(["make", "-n", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for tool in ("ruff check", "ruff format --check", "mypy", "pytest"):
        assert tool in plan
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_links_lead_somewhere():
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
