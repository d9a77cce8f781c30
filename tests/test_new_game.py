"""`clew new-game` writes a game that is whole, and every command takes its path."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import clew
from clew.check import check_game
from clew.check.kit import ENVIRONMENTS
from clew.cli import main
from clew.core.game import load
from clew.new_game import write

pytestmark = pytest.mark.xdist_group("new game")  # one worker compiles it for all tests
LEAST = "rules.md, rules.py, test_rising.py"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a new game in it, whose rules are compiled."""
    folder = tmp_path_factory.mktemp("home")
    write("rising", folder)
    load(folder / "rising").ready()
    return folder


@pytest.fixture
def run(home, monkeypatch, capsys):
    """Run a command in that folder."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("CLEW_DATA", str(home / "data"))
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_it_is_written_under_its_own_name(home):
    folder = home / "rising"
    assert ", ".join(sorted(file.name for file in folder.glob("*.*"))) == LEAST
    text = "".join(file.read_text() for file in folder.glob("*.*"))
    assert "starter" not in text.lower()
    assert "STA-" not in text
    assert (load(folder).title, load(folder).name) == ("Rising", "rising")
    assert len((folder / "rules.py").read_text().splitlines()) <= 90


def test_it_keeps_what_every_game_must(home):
    report = check_game(home / "rising", 60, patience=2.0)
    assert report.ok, report


def test_its_own_tests_pass_with_those_of_the_kit(home):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--clew-game", ".", "--clew-games", "20"]
    done = subprocess.run(command, cwd=home / "rising", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


def test_it_says_what_to_do_next(run, home):
    code, out, err = run("new-game", "tide", "--in", "more/games")
    assert (code, err) == (0, "")
    assert "  clew play ./more/games/tide\n" in out
    assert (home / "more" / "games" / "tide" / "rules.py").is_file()
    assert (home / "more" / "games" / "tide" / "test_tide.py").is_file()


@pytest.mark.parametrize("name", ["Rising", "two words", "1st", "a", "", "../up", "x" * 31, "größe"])
def test_a_name_that_cannot_be_gets_one_sentence(run, name):
    code, out, err = run("new-game", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "cannot be the name of a game" in err


def test_nothing_is_overwritten(run, home):
    before = (home / "rising" / "rules.py").read_bytes()
    assert run("new-game", "rising") == (2, "", "rising is there already; nothing was written.\n")
    assert (home / "rising" / "rules.py").read_bytes() == before
    assert run("new-game", "palaces")[2] == "There is a game 'palaces' already; choose another name.\n"
    (home / "file").touch()
    assert run("new-game", "tides", "--in", "file") == (2, "", "file/tides cannot be written: Not a directory.\n")


def test_source_prints_what_was_made_and_not_what_was_written(run):
    code, out, _ = run("source", "./rising")
    assert code == 0
    assert [one.name for one in ast.parse(out).body] == ["start", "view", "cover", "imagine", "legal", "result"]
    assert run("source", "palaces")[0] == 0


def paths(home):
    return ["./rising", "rising/", "./rising/", f"{home}/rising", "rising/rules.py", "../" + home.name + "/rising"]


def test_every_command_takes_a_path(run, tmp_path, monkeypatch, interpreted):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # for the processes of the kit
    monkeypatch.setitem(ENVIRONMENTS, "bounds", ENVIRONMENTS["plain"])
    home, record = tmp_path, tmp_path / "one.clew"
    monkeypatch.chdir(home)
    table = clew.new(write("rising", home), seed=1)
    while table.to_move:
        table.play(table.legal_moves()[0])
    record.write_text(table.record())
    for path in paths(home):
        assert run("rules", path, "RIS-01")[0] == 0, path
    for path in ("./rising", f"{home}/rising/"):
        assert run("replay", record, "--game", path)[0] == 0
        assert run("warm", path)[0] == 0
        assert run("arena", path, "--bots", "random,random", "--games", "2", "--threads", "1")[0] == 0
        assert run("bench", path, "--seconds", "0.01")[0] == 0
    assert run("check", "./rising", "--games", "2")[0] in (0, 1)  # so few games prove little


def test_a_game_is_played_by_its_path(home):
    command = [sys.executable, "-m", "clew", "play", ".", "--against", "random", "--seed", "3"]
    env = {**os.environ, "CLEW_DATA": str(home / "data")}
    typed = "a\n" * 40  # the first of the list, which has letters where moves are written as numbers
    done = subprocess.run(command, cwd=home / "rising", input=typed, capture_output=True, text=True, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The record is in" in done.stdout


def test_a_folder_may_be_a_package(home, tmp_path):
    folder = write("pack", tmp_path)
    (folder / "__init__.py").write_text('"""A package."""\n\nWORD = "package"\n')
    with (folder / "rules.py").open("a") as rules:
        rules.write('\n\nfrom . import WORD\n\nBLURB = f"A {WORD}."\n')
    assert load(folder / "__init__.py") is load(folder)
    assert load(folder).blurb == "A package."


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("./nothing", "There is no game at './nothing': it is no folder."),
        ("rising", "There is no game 'rising'; a folder is written with a slash: ./rising."),
        ("./rising/rules.md", "There is no game at './rising/rules.md': it is no folder."),
        (".", "is not a game: it has no rules.py."),
    ],
)
@pytest.mark.parametrize("command", ["rules", "play", "check", "warm", "source", "arena"])
def test_a_path_without_a_game_gets_one_sentence(run, command, path, told):
    code, out, err = run(command, path)
    assert (code, out) == (2, "")
    assert err.endswith(f"{told}\n")
    assert err.count("\n") == 1


def test_an_authors_mistake_is_one_sentence_and_exit_2(run, tmp_path: Path):
    folder = write("wrong", tmp_path)
    text = (folder / "rules.py").read_text()
    (folder / "rules.py").write_text(text.replace("s.last = ", "s.lats = "))
    line = text[: text.index("s.last = ")].count("\n") + 1
    for command in ("check", "play", "warm", "source", "rules"):
        told = f"rules.py:{line}: a state has no field 'lats'; did you mean 'last'?\n"
        assert run(command, folder) == (2, "", told)


def test_what_fails_in_the_middle_of_a_game_is_told_with_its_line(run, tmp_path: Path, interpreted):
    folder = write("wrong", tmp_path)
    text = (folder / "rules.py").read_text()
    (folder / "rules.py").write_text(text.replace("HAND, card_of(move)) < 0", "HAND, card_of(s)) < 0"))
    line = text[: text.index("HAND, card_of(move)) < 0")].count("\n") + 1
    code, _, err = run("play", folder, "--against", "random")
    assert code == 2
    assert err.startswith(f"rules.py:{line}: TypeError: ")
    assert err.count("\n") == 1
