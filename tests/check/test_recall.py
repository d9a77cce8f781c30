"""Perfect recall: views from which the chair's past cannot be told are found, and fail a game that promised it."""

import shutil
from pathlib import Path

import pytest

from clew.check import check_game

HOME = Path(__file__).parent
pytestmark = pytest.mark.usefixtures("interpreted")
PROMISE = "\nPERFECT_RECALL = True\n"


def checked(game, home, old="", new="", promised=True):
    """The verdict on a copy of a game with other rules."""
    folder = home / game
    shutil.copytree(HOME / game, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "rules.py").read_text()
    assert old in text
    (folder / "rules.py").write_text((text.replace(old, new) if old else text) + (PROMISE if promised else ""))
    (found,) = check_game(str(folder), 12, only=["recall"]).checks
    return found


def test_a_game_whose_views_tell_everything_keeps_its_promise(tmp_path):
    found = checked("tokens", tmp_path)
    assert found.ok
    assert found.detail.startswith("Promised, and no two histories merged: ")
    assert "pairs of histories would have been missed with probability" in found.detail


def test_a_view_that_forgets_the_order_of_moves_does_not(tmp_path):
    found = checked("jars", tmp_path)
    assert not found.ok
    assert found.detail.startswith("PERFECT_RECALL is promised, but ")
    assert "in either order leave the same view" in found.detail
    assert found.record.startswith("clew-record 1\n")


def test_nor_does_a_view_that_forgets_what_it_showed(tmp_path):
    forget = "    v.shown = s.shown\n    if s.shown[1] > 0:\n        v.shown[0] = 0\n"
    found = checked("tokens", tmp_path, "    v.shown = s.shown\n", forget)
    assert not found.ok
    assert "it is the same" in found.detail


def test_nor_one_that_forgets_what_was_dealt(tmp_path):
    forget = "            v.own[i] = s.hand[seat, i] if s.shown[0] == 0 else 0\n"
    found = checked("tokens", tmp_path, "            v.own[i] = s.hand[seat, i]\n", forget)
    assert not found.ok
    assert "later nothing tells of it" in found.detail or "it is the same" in found.detail


def test_a_game_that_promises_nothing_is_told_what_merges(tmp_path):
    found = checked("jars", tmp_path, promised=False)
    assert found.ok
    assert found.detail.startswith("Not promised: ")
    assert "in either order leave the same view (seed " in found.detail


def test_and_may_keep_it_all_the_same(tmp_path):
    found = checked("tokens", tmp_path, promised=False)
    assert found.ok
    assert found.detail.startswith("Not promised, and no two histories merged: ")
