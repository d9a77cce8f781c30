"""The cache of compiled rules: never stale, safe for two processes, content without a writable folder."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import clew
from clew.core import cache as kernel_cache
from clew.core.game import load
from clew.core.parsing import parse

PEBBLES = Path(__file__).parent / "pebbles"
PACKAGE = Path(clew.__file__).parent
PLAY = """
import sys, clew
from clew.core.game import load
game = load(sys.argv[1])
game.ready()
t = clew.new(game, seed=1)
t.play("take 1")
print(t.view(0)["table"], [str(move) for move in t.legal_moves()])
"""


def start(game, cache, home=None, **extra):
    path = str(home or PACKAGE.parent)
    env = {**os.environ, "CLEW_CACHE": str(cache), "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0", **extra}
    return subprocess.Popen(
        [sys.executable, "-c", PLAY, str(game)], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def run(*args, **kwargs):
    process = start(*args, **kwargs)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip(), err


@pytest.fixture
def game(tmp_path):
    return Path(shutil.copytree(PEBBLES, tmp_path / "pebbles"))


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.mark.slow
def test_what_compiles_says_so_and_does_it_once(game, cache):
    out, err = run(game, cache)
    assert "['lift', 'take 1', 'take 2', 'take 3']" in out
    assert err.startswith("Compiling pebbles")
    assert run(game, cache) == (out, "")


@pytest.mark.slow
def test_warming_compiles_the_rules_once(game, cache):
    env = {**os.environ, "CLEW_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-m", "clew", "warm", str(game)]
    done = subprocess.run(command, env=env, text=True, capture_output=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "Pebbles: compiled.\n")
    rules, bots = done.stderr.splitlines()
    assert rules == "Compiling the rules of Pebbles, once ..."
    assert bots.startswith("Compiling pebbles tree bots")


@pytest.mark.slow
def test_a_change_in_a_callee_of_another_file_is_noticed(game, cache):
    # The limit moves to a second file, so that `rules.py`, which Numba would look at, stays as it is.
    text = (game / "rules.py").read_text()
    (game / "rules.py").write_text(
        text.replace("min(3, s.heap - s.taken)", "most(s.heap - s.taken)").replace(
            "from clew.core import LEGAL", "from .limit import most\nfrom clew.core import LEGAL"
        )
    )
    limit = "from clew.core import rule\n\n\n@rule\ndef most(left):\n    return min({}, left)\n"
    (game / "limit.py").write_text(limit.format(3))
    assert "'take 3'" in run(game, cache)[0]
    (game / "limit.py").write_text(limit.format(2))
    out, err = run(game, cache)
    assert "'take 3'" not in out
    assert "Compiling" in err


def test_an_import_below_a_rule_is_part_of_the_stamp(tmp_path):
    (tmp_path / "late.py").write_text("MOST = 3\n")
    (tmp_path / "__init__.py").touch()
    rules = "from clew.core import rule\n\n\n@rule\ndef most():\n    return MOST\n\n\nfrom .late import MOST\n"
    (tmp_path / "rules.py").write_text(rules)
    code = "import sys; sys.path.insert(0, sys.argv[1]); from {0}.rules import most; print(most._cache.cache_path)"
    command = [sys.executable, "-c", code.format(tmp_path.name), str(tmp_path.parent)]
    folders = []
    for line in ("MOST = 3\n", "MOST = 2\n"):
        (tmp_path / "late.py").write_text(line)
        folders.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert folders[0] != folders[1]


@pytest.mark.slow
def test_a_rule_apart_is_called_by_name_and_found_again(game, cache):
    text = (game / "rules.py").read_text()
    (game / "rules.py").write_text(
        text.replace("min(3, s.heap - s.taken)", "most(int(s.heap - s.taken))").replace(
            "from clew.core import LEGAL", "from .limit import most\nfrom clew.core import LEGAL"
        )
    )
    (game / "limit.py").write_text(
        "from clew.core import no_inline\n\n\n@no_inline\ndef most(left):\n    return min(2, left)\n"
    )
    out, _ = run(game, cache)
    assert "'take 2'" in out
    assert "'take 3'" not in out
    assert run(game, cache) == (out, "")
    entries = list(cache.glob("*/limit.most*"))
    assert entries
    for entry in entries:  # its callers know a name that is gone: they are compiled again, too
        entry.unlink()
    assert run(game, cache)[0] == out
    assert run(game, cache)[0] == out
    assert run(game, cache, NUMBA_DISABLE_JIT="1")[0] == out


@pytest.mark.slow
def test_a_change_in_the_engine_is_noticed(tmp_path, game, cache):
    home = tmp_path / "lib"
    shutil.copytree(PACKAGE, home / "clew", ignore=shutil.ignore_patterns("__pycache__"))
    coins = run(game, cache, home)[0]
    rng = home / "clew" / "core" / "rng.py"
    assert "return product >> 32" in rng.read_text()
    rng.write_text(rng.read_text().replace("return product >> 32", "return n - 1 - (product >> 32)"))
    assert run(game, cache, home)[0] != coins


@pytest.mark.slow
def test_two_processes_at_once_both_play_and_compile_one_after_the_other(game, cache):
    processes = [start(game, cache) for _ in range(2)]
    ends = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], ends
    assert ends[0][0] == ends[1][0] != ""
    assert run(game, cache) == (ends[0][0].strip(), "")


@pytest.mark.slow
def test_without_a_writable_folder_it_still_plays_and_leaves_nothing_behind(tmp_path, game):
    # A file where the folder should be: nobody can write there, root neither.
    blocked = tmp_path / "blocked"
    blocked.touch()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    out, err = run(game, blocked / "cache", TMPDIR=str(scratch))
    assert "'take 1'" in out
    assert "Compiling" in err
    assert list(scratch.iterdir()) == []


@pytest.mark.slow
def test_a_read_only_install_is_not_written_to(tmp_path, game, cache):
    home = tmp_path / "lib"
    shutil.copytree(PACKAGE, home / "clew", ignore=shutil.ignore_patterns("__pycache__"))
    before = sorted(home.rglob("*"))
    run(game, cache, home, PYTHONDONTWRITEBYTECODE="1")
    assert sorted(home.rglob("*")) == before
    assert not list(game.rglob("*.nbi"))


@pytest.mark.slow
def test_a_damaged_cache_is_repaired(game, cache):
    out, _ = run(game, cache)
    damaged = list(cache.rglob("*.nb[ci]"))
    assert damaged
    for file in damaged:
        file.write_bytes(file.read_bytes()[:20])
    assert run(game, cache)[0] == out


def test_the_switches_of_the_compiler_are_part_of_the_stamp(monkeypatch):
    plain = kernel_cache.stamp("clew.core.rng")
    monkeypatch.setattr(kernel_cache.config, "BOUNDSCHECK", 1)
    assert kernel_cache.stamp("clew.core.rng") != plain


@pytest.mark.parametrize("name", clew.games())
def test_words_pictures_and_other_games_are_no_part_of_the_stamp_and_all_rules_are(name):
    covered = kernel_cache.sources(load(name).rules.__name__)
    package = f"clew.games.{name}"
    assert f"{package}.rules" in covered
    for other in ("words", "notation", "telling", "saying", "judging", "picture", "shapes", "heuristics"):
        assert f"{package}.{other}" not in covered
    assert all(module.startswith((package, "clew.core.")) for module in covered)
    assert {"clew.core.kernels", "clew.core.cache", "clew.core.derive", "clew.core.rng"} <= set(covered)
    assert not {"clew.core.table", "clew.core.records", "clew.core.events"} & set(covered)


def test_all_files_with_rules_that_a_game_calls_are_part_of_the_stamp():
    covered = kernel_cache.sources(load("aathenuo").rules.__name__)
    for part in ("bag", "embed", "inplace", "layout", "rearrange", "solver", "tiles", "tilings"):
        assert f"clew.games.aathenuo.{part}" in covered


def test_what_a_bot_searches_with_is_stamped_by_its_game_too():
    from clew.bots.heuristics import heuristics_for

    evaluate = heuristics_for(load("palaces")).kernels.evaluate
    covered = kernel_cache.sources(*evaluate.py_func.modules)
    assert {
        "clew.bots.flat",
        "clew.bots.simulation",
        "clew.games.palaces.rules",
        "clew.games.palaces.heuristics",
    } <= set(covered)
    assert "clew.games.palaces.words" not in covered
    assert "clew.bots.bot" not in covered


def test_folders_that_nobody_used_for_long_are_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: tmp_path)
    old, new, foreign = tmp_path / ("a" * 20), tmp_path / ("b" * 20), tmp_path / "letters"
    for folder in (old, new, foreign):
        folder.mkdir()
    for folder in (old, foreign):
        os.utime(folder, (0, 0))
    kernel_cache._drop_unused()
    assert not old.exists()
    assert new.exists()
    assert foreign.exists()


def test_sources_are_parsed_by_many_threads_at_once():
    """Python 3.11 itself fails where two threads make trees: "AST constructor recursion depth mismatch"."""
    source = Path(kernel_cache.__file__).read_bytes()
    with ThreadPoolExecutor(8) as pool:
        trees = list(pool.map(lambda _: parse(source), range(120)))
    assert len({len(tree.body) for tree in trees}) == 1
