"""The benchmark measures what it says, and its C program is a second opinion on the rules of Lost Palaces."""

import io
import json
import shutil

import pytest
from rich.console import Console

from clew import bench
from clew.core.game import load

FIGURES = {
    "moves_per_s",
    "games_per_s",
    "moves_per_game",
    "threads2_ratio",
    "state_bytes",
    "copy_ns",
    "legal_us",
    "view_us",
    "imagine_us",
    "python_call_us",
    "c_moves_per_s",
    "ratio_to_c",
}

pytestmark = pytest.mark.xdist_group("bench")  # one worker compiles it, in C and as kernels, for all tests
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")


@pytest.fixture(scope="module")
def workspace():
    game = load("palaces")
    game.ready()
    game.specialise(bench)
    return bench.Workspace(game)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return bench.build_c("palaces", tmp_path_factory.mktemp("c"))


@needs_gcc
@pytest.mark.parametrize(("games", "seed"), [(20_000, 1), (1, 2), (500, 3), (500, 1 << 100)])
def test_c_and_the_kernels_play_the_same_games(workspace, program, games, seed):
    workspace.reseed(seed)
    moves = workspace.play(games)
    checksum, *scores = workspace.totals.tolist()
    c = bench.run_c(program, games, seed)
    assert (c["games"], c["moves"], c["scores"], c["checksum"]) == (games, moves, scores, checksum)


@needs_gcc
def test_other_random_numbers_are_other_games(program):
    assert bench.run_c(program, 100, 1)["checksum"] != bench.run_c(program, 100, 2)["checksum"]


def test_the_figures_of_a_game():
    figures = bench.measure(["palaces"], seconds=0.01)
    found = figures["games"]["palaces"]
    assert set(found) >= FIGURES
    assert all(found[key] > 0 for key in FIGURES - {"c_moves_per_s", "ratio_to_c"})
    assert 80 < found["moves_per_game"] <= load("palaces").rules.LONGEST
    if shutil.which("gcc"):
        assert found["ratio_to_c"] > 0
    assert json.loads(json.dumps(figures)) == figures
    assert "random play" in shown(figures)


@pytest.mark.parametrize("lacking", ["gcc", "source"])
def test_without_the_yardstick_the_reason_is_told(monkeypatch, tmp_path, lacking):
    if lacking == "gcc":
        monkeypatch.setattr(shutil, "which", lambda name: None)
    else:
        monkeypatch.setattr(bench, "SOURCES", tmp_path)
    figures = bench.measure(["palaces"], seconds=0.01)
    found = figures["games"]["palaces"]
    assert found["c_moves_per_s"] is None
    assert found["ratio_to_c"] is None
    assert found["why_no_c"].startswith("There is no ")
    assert "ratio to C" not in shown(figures)


@needs_gcc
def test_a_c_program_with_other_rules_is_no_yardstick(monkeypatch, tmp_path):
    other = (bench.SOURCES / "palaces.c").read_text().replace("{0, -20, -15, -10,", "{0, -20, -15, -5,")
    (tmp_path / "palaces.c").write_text(other)
    monkeypatch.setattr(bench, "SOURCES", tmp_path)
    found = bench.measure(["palaces"], seconds=0.01)["games"]["palaces"]
    assert found["ratio_to_c"] is None
    assert "other rules" in found["why_no_c"]


def test_two_threads_share_no_cache_line(workspace):
    other = bench.Workspace(load("palaces"))
    for mine in written(workspace):
        for theirs in written(other):
            assert mine.stop + bench.PADDING <= theirs.start or theirs.stop + bench.PADDING <= mine.start


@pytest.mark.slow
def test_how_long_a_new_process_takes():
    assert 0 < bench._first_prompt("palaces") < 120
    assert 0 < bench._cold_compile("palaces") < 300


def shown(figures):
    console = Console(width=100, file=io.StringIO())
    console.print(bench.render(figures))
    return console.file.getvalue()


def written(workspace):
    """Where in memory the kernels write for a workspace."""
    for array in (
        workspace.states,
        workspace.views,
        workspace.out,
        workspace.rng,
        workspace.scores,
        workspace.places,
        workspace.totals,
    ):
        yield range(array.ctypes.data, array.ctypes.data + array.nbytes)
