"""Perfect recall: a view from which the chair's past cannot be told is found, or declared."""

import shutil
from pathlib import Path

import pytest

from clew.check import check_game
from clew.core import kernels

HOME = Path(__file__).parent
DECLARED = "PERFECT_RECALL = False"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setattr(kernels, "jitted", lambda: False)


def checked(game, home, old="", new=""):
    """The verdict on a copy of a game with other rules."""
    folder = home / game
    shutil.copytree(HOME / game, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "rules.py").read_text()
    assert old in text
    (folder / "rules.py").write_text(text.replace(old, new) if old else text)
    (found,) = check_game(str(folder), 12, only=["recall"]).checks
    return found


def test_a_game_whose_views_tell_everything_keeps_it(tmp_path):
    found = checked("tokens", tmp_path)
    assert found.ok
    assert "No two histories merged" in found.detail
    assert "pairs of histories would have been missed with probability" in found.detail


def test_a_view_that_forgets_the_order_of_moves_does_not(tmp_path):
    found = checked("jars", tmp_path, DECLARED, "")
    assert not found.ok
    assert "in either order leave the same view; PERFECT_RECALL = False would say so" in found.detail
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


def test_a_game_may_say_that_it_does_not_keep_it(tmp_path):
    found = checked("jars", tmp_path)
    assert found.ok
    assert found.detail.startswith("Declared not to be kept (PERFECT_RECALL = False), and so it is: ")


def test_and_may_keep_it_all_the_same(tmp_path):
    found = checked("tokens", tmp_path, 'ENDINGS = ("shown",)\n', f'ENDINGS = ("shown",)\n{DECLARED}\n')
    assert found.ok
    assert found.detail.startswith("Declared not to be kept, but no two histories merged: ")
