"""Bots for games that nobody thought of: without heuristics, with moves that are records, and un-compiled rules."""

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import clew
from clew.bots.arena import Arena
from clew.core.game import load

CORE = Path(__file__).parents[1] / "core"
CHOOSE = """
import json, sys, clew
name, *views = json.loads(sys.stdin.read())
bot = clew.bot(name, level=1, seed=3, iterations=20)
print([str(bot.choose(view)) for view in views])
"""


def handfuls(folder):
    """Pebbles with moves that are records, made as the engine's own test makes it."""
    made = folder / "handfuls"
    made.mkdir()
    for name, changes in runpy.run_path(str(CORE / "test_record_moves.py"))["CHANGES"].items():
        text = (CORE / "pebbles" / name).read_text()
        for old, new in changes:
            text = text.replace(old, new)
        (made / name).write_text(text)
    return load(str(made))


def test_a_file_of_heuristics_by_its_old_name_is_told_the_new_one(tmp_path):
    folder = tmp_path / "pebbles"
    shutil.copytree(CORE / "pebbles", folder)
    (folder / "sense.py").write_text("")
    with pytest.raises(clew.UnknownGame, match=r"sense\.py is called heuristics\.py now: rename it\.$"):
        clew.bot(folder, level=1)


def test_moves_that_are_records(tmp_path):
    game = handfuls(tmp_path)
    t = clew.new(game, seed=1, options={"heap": 6})
    choice = clew.bot(game, level=4, seed=1, iterations=8000).choose(t.view(0))
    assert choice in t.legal_moves(0)
    t.play(choice, 0)
    left = t.view(1)["table"]["heap"]
    assert left == 4 or str(choice) == "lift"  # a multiple of four loses, unless a cup is lifted
    contest = Arena(game, ["flat:50", "random"], 20, seed=1)
    assert contest.run()
    assert not contest.faults
    assert contest.standings()[0]["win_rate"] > 0.5


FEWER = """

LISTED_IN_FULL = False


@rule
def quick(s, seat, out):
    \"\"\"All moves.\"\"\"
    count = 0
    for move in range(MOVES):
        if refusal(s, seat, move) == LEGAL:
            out[count] = move
            count += 1
    return count


@rule
def legal(s, seat, out):
    \"\"\"A choice of them: taking one pebble, and lifting.\"\"\"
    count = 0
    for move in (1, LIFT):
        if refusal(s, seat, move) == LEGAL:
            out[count] = move
            count += 1
    return count
"""


def test_a_tree_begins_with_the_moves_that_are_listed_and_goes_on_with_quick_ones(tmp_path):
    folder = tmp_path / "fewer"
    shutil.copytree(CORE / "pebbles", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "rules.py").write_text((folder / "rules.py").read_text() + FEWER)
    contest = Arena(load(folder), ["tree:60", "random"], 12, seed=1)
    assert contest.run()
    assert contest.games == 12


def test_rules_that_are_not_compiled_make_the_same_choices(palaces, positions):
    views = [t.view(t.to_move[0]) for t in positions(palaces, 3, seed=6)]
    said = [
        subprocess.run(
            [sys.executable, "-c", CHOOSE],
            input=json.dumps(["palaces", *views]),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
        ).stdout
        for switch in ("0", "1")
    ]
    assert said[0] == said[1]
