"""The arena: its arithmetic, its paired deals, and bots that misbehave."""

import json
import math
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import clew
from clew.bots import arena as arena_module
from clew.bots import ratings
from clew.bots.arena import Arena
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.learnt import BadLearnt
from clew.cli import main
from clew.core.errors import UnknownBot
from clew.core.game import load

PEBBLES = Path(__file__).parents[1] / "core" / "pebbles"

BAD_BOTS = {
    "illegal": ("def choose(view):\n    return 'K7'\n", "is no legal move"),
    "nonsense": ("def choose(view):\n    return 42\n", "'42' is no legal move"),
    "raises": (
        "def choose(view):\n    raise KeyError('hand')\n",
        "raises.py lost a game: KeyError: 'hand' (raises.py:2).",
    ),
    "hangs": ("import time\ndef choose(view):\n    time.sleep(60)\n", "did not answer within 1 s"),
    "quits": ("import os\ndef choose(view):\n    os._exit(3)\n", "its process ended"),
}
NO_BOTS = {
    "chose": ("def chose(view, moves):\n    return moves[0]\n", "nor a function choose(view, moves).\n"),
    "broken": ("\ndef choose(view)\n", "broken.py cannot be loaded: SyntaxError: expected ':' (broken.py:2).\n"),
    "missing": ("import nowhere_at_all\n", "No module named 'nowhere_at_all' (missing.py:1).\n"),
    "level": ("import clew\nbot = clew.bot('palaces', level=9)\n", "(level.py:2).\n"),
    "leaves": ("import os\nos._exit(3)\n", "leaves.py cannot be loaded: its process ended.\n"),
}
GOOD_BOT = """
import clew
print("a bot may print")
class Bot:
    def choose(self, view):
        return clew.bot(view["game"], level=1, seed=1).choose(view)
bot = Bot()
"""


@pytest.fixture(autouse=True)
def _compiled(palaces):
    pass


# Arithmetic


def test_an_interval_covers_the_truth_95_times_in_a_hundred():
    import random

    chance = random.Random(1)
    covered = 0
    for _ in range(400):
        deals = [(float(chance.random() < 0.7) + float(chance.random() < 0.7)) / 2 for _ in range(60)]
        _, low, high = ratings.interval(deals)
        covered += low <= 0.7 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_paired_deals_that_cancel_out_are_more_certain():
    _, low, high = ratings.interval([0.5] * 90 + [1.0] * 10)
    _, low2, high2 = ratings.interval([1.0] * 55 + [0.0] * 45)
    assert high - low < (high2 - low2) / 2


@pytest.mark.parametrize(("share", "points"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.36, -100)])
def test_elo(share, points):
    assert ratings.elo(share) == pytest.approx(points, abs=1)


def test_a_walk_over_has_a_finite_elo():
    assert ratings.elo(1.0) == -ratings.elo(0.0) == ratings.FARTHEST
    assert all(map(math.isfinite, ratings.ratings({(0, 1): (50, 0)}, 2)))


def test_ratings_explain_the_results():
    points = {
        (a, b): (100 / (1 + 10 ** ((b - a) * -0.25)), 100 / (1 + 10 ** ((b - a) * 0.25))) for a, b in [(0, 1), (1, 2)]
    }
    first, second, third = ratings.ratings(points, 3)
    assert first - second == pytest.approx(100, abs=5)
    assert second - third == pytest.approx(100, abs=5)


# Contests


def test_equal_bots_share_the_deals_exactly():
    arena = Arena("palaces", ["greedy", "greedy"], 20, seed=3)
    assert arena.run()
    assert arena.games == 20
    assert arena.standings()[0]["win_rate"] + arena.standings()[1]["win_rate"] == pytest.approx(1)


def test_the_same_seed_gives_the_same_contest_whatever_the_threads():
    found = [Arena("palaces", ["level:1", "greedy"], 12, seed=3, threads=threads) for threads in (1, 2)]
    for arena in found:
        arena.run()
    assert found[0].standings() == found[1].standings()


def test_better_bots_win():
    arena = Arena("palaces", ["level:2", "random"], 30, seed=1)
    arena.run()
    (pair,) = arena.pairs()
    assert pair["ci95"][0] > 0.7


def test_three_players_rotate_through_all_seats():
    arena = Arena("labyrinth", ["greedy", "random"], 9, players=3, seed=1)
    arena.run()
    assert arena.games == 9
    assert arena.standings()[0]["place"] < arena.standings()[1]["place"]


def test_more_bots_than_seats_play_a_round_robin():
    arena = Arena("palaces", ["greedy", "level:1", "random"], 8, seed=1)
    arena.run()
    assert len(arena.pairs()) == 3
    assert arena.games == 24
    rated = {row["name"]: row["elo"] for row in arena.standings()}
    assert rated["random"] == min(rated.values())


def test_ctrl_c_leaves_what_is_known():
    arena = Arena("palaces", ["greedy", "random"], 4000, seed=1)

    def interrupt(done, total):
        if done > 20:
            raise KeyboardInterrupt

    assert not arena.run(interrupt)
    assert 20 < arena.games < 4000
    assert arena.standings()[0]["win_rate"] > 0.9


def test_ctrl_c_twice_leaves_it_too(monkeypatch):
    class Impatient(ThreadPoolExecutor):
        def shutdown(self, *given, **settings):
            super().shutdown(*given, **settings)
            raise KeyboardInterrupt

    monkeypatch.setattr(arena_module, "ThreadPoolExecutor", Impatient)
    test_ctrl_c_leaves_what_is_known()


def test_records_can_be_replayed(tmp_path):
    Arena("palaces", ["greedy", "random"], 4, seed=1, records=tmp_path).run()
    records = sorted(tmp_path.glob("*.clew"))
    assert [record.name for record in records[:2]] == ["greedy-random-00001-1.clew", "greedy-random-00001-2.clew"]
    assert len(records) == 4
    assert all(clew.replay(record.read_text()).outcome for record in records)


def test_records_of_bots_with_a_path_in_their_name_lie_in_the_folder(tmp_path):
    arena = Arena("palaces", ["greedy", "random"], 2, seed=1, records=tmp_path, whole=False)
    arena.bots[0].name = "level:1@/tmp/x y/learnt.npz"
    assert arena.run()
    assert [record.name for record in sorted(tmp_path.iterdir())] == [
        "level1@-tmp-x-y-learnt.npz-random-00001-1.clew",
        "level1@-tmp-x-y-learnt.npz-random-00001-2.clew",
    ]


# Bots of others


@pytest.mark.parametrize("name", BAD_BOTS)
def test_a_bot_that_fails_loses_and_the_run_goes_on(name, tmp_path):
    source, said = BAD_BOTS[name]
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    arena = Arena("palaces", [str(path), "random"], 2, seed=1, patience=1 if name == "hangs" else 20)
    assert arena.run()
    assert arena.games == len(arena.faults) == 2
    assert said in arena.faults[0]
    assert arena.standings()[0]["win_rate"] == 0


@pytest.mark.parametrize("name", NO_BOTS)
def test_a_file_without_a_bot_is_refused_before_the_first_game(name, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(Arena, "run", lambda *_: pytest.fail("played first"))
    source, said = NO_BOTS[name]
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    assert main(["arena", "palaces", "--bots", f"{path},random", "--games", "2"]) == 2
    error = capfd.readouterr().err
    assert error.endswith(said)
    assert error.count("\n") == 1


def test_a_fault_is_told_once_with_what_it_cost(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text("def choose(view, moves):\n    return view['hand'][0]\n")
    command = ["arena", "palaces", "--bots", f"{path},random", "--games", "4", "--seed", "1"]
    assert main(command) == 1  # all games were lost so
    told = capsys.readouterr().out
    assert "4 games were lost by faults:\n  mine.py lost 4 games: KeyError: 'hand' (mine.py:2).\n" in told
    assert main([*command, "--json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 4


def test_an_arena_in_which_some_games_were_played_to_the_end_is_no_failure(tmp_path, capsys):
    path = tmp_path / "second.py"
    path.write_text("def choose(view, moves):\n    return moves[0] if view['seat'] else 'nonsense'\n")
    command = ["arena", "palaces", "--bots", f"{path},random", "--games", "2", "--seed", "1"]
    assert main(command) == 0
    assert (
        "1 game was lost by a fault:\n  second.py lost a game: 'nonsense' is no legal move" in capsys.readouterr().out
    )


def test_a_bot_from_a_file_plays_like_any_other(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(GOOD_BOT)
    arena = Arena("palaces", [str(path), "random"], 2, seed=1, patience=60)
    arena.run()
    assert not arena.faults
    assert arena.standings()[0]["win_rate"] > 0.5


@pytest.mark.parametrize(
    "source",
    [
        "def choose(view, moves):\n    assert all(type(move) is str for move in moves)\n    return moves[-1]\n",
        "class Mine:\n    def choose(self, view, moves=()):\n        return moves[-1]\nbot = Mine()\n",
    ],
)
def test_a_bot_from_a_file_is_given_the_legal_moves_as_they_are_written(source, tmp_path):
    path = tmp_path / "last.py"
    path.write_text(source)
    arena = Arena("palaces", [str(path), "random"], 2, seed=1, patience=60, records=tmp_path / "records")
    assert arena.run()
    assert not arena.faults
    for number, record in enumerate(sorted((tmp_path / "records").glob("*.clew"))):
        played = clew.replay(record.read_text())
        again = played.afresh()
        for seat, move in played.moves:
            if seat == number % 2:
                assert move == again.legal_moves(seat)[-1]
            again.play(move, seat)


def test_the_engines_own_bot_may_be_offered_by_a_file(tmp_path):
    path = tmp_path / "ant.py"
    path.write_text("import clew\nbot = clew.bot('palaces', level=1, seed=1)\n")
    arena = Arena("palaces", [str(path), "random"], 2, seed=1, patience=60)
    assert arena.run()
    assert not arena.faults


# The command


def test_the_command_prints_json(capsys):
    assert main(["arena", "palaces", "--bots", "greedy,random", "--games", "6", "--seed", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in found["bots"]] == ["greedy", "random"]
    assert all(set(row) >= {"name", "win_rate", "ci95"} for row in found["bots"])


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("level:9,random", "There is no level 9"),
        ("level:9", "There is no level 9"),
        ("wizard,random", "There is no bot 'wizard'"),
        ("random", "two bots or more"),
        ("nowhere.py,random", "the file does not exist"),
        ("flat:x,random", "is not METHOD:PLAYOUTS"),
        ("tree:50:colour=3,random", "is not METHOD:PLAYOUTS"),
        ("flat:5:method=foo,random", "is not METHOD:PLAYOUTS"),
        ("flat,random", "is not METHOD:PLAYOUTS"),
        ("tree:0,random", "'tree:0': playouts can be from 1 to 10,000,000, not 0."),
        ("tree:-50,random", "'tree:-50': playouts can be from 1 to 10,000,000, not -50."),
        ("tree:0@nothing,random", "'tree:0': playouts can be from 1 to"),
        ("flat:50:candidates=-1,random", "candidates can be from 0 to"),
        ("flat:50:depth=-3,random", "depth can be from -2 to"),
        ("flat:50:lean=nan,random", "lean can be from 0 to"),
    ],
)
def test_bots_that_do_not_exist_are_told_before_anything_is_compiled(bots, said, capsys, monkeypatch):
    monkeypatch.setattr(Heuristics, "ready", lambda heuristics: pytest.fail("compiled first"))
    assert main(["arena", "palaces", "--bots", bots, "--games", "2"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_what_is_not_there_to_be_known_is_told_by_its_whole_name(tmp_path, monkeypatch):
    monkeypatch.setenv("CLEW_DATA", str(tmp_path))
    with pytest.raises(BadLearnt, match=r"There is no file my\+net\.npz\."):
        heuristics_for(load("palaces"), "both+my+net.npz")
    with pytest.raises(UnknownBot, match=f"clew train {re.escape(str(PEBBLES))} does that"):
        heuristics_for(load(str(PEBBLES)), "learnt")


def test_a_review_tells_the_curve_and_the_turning_points(tmp_path, capsys):
    Arena("palaces", ["random", "random"], 2, seed=1, records=tmp_path).run()
    record = min(tmp_path.glob("*.clew"))
    assert main(["replay", str(record), "--review", "--level", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["moves"]) == len(clew.replay(record.read_text()).moves)
    assert all(0 <= move["win"] <= 1 for move in found["moves"])
    assert found["turning_points"]
    assert main(["replay", str(record), "--review", "--level", "1", "--upto", "4"]) == 0
    assert "chance to win" in capsys.readouterr().out
