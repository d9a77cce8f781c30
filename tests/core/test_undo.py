"""Taking back: what showed nothing goes, what showed anything to anybody stays."""

from pathlib import Path

import pytest

import clew
from clew import CannotUndo

PEBBLES = str(Path(__file__).parent / "pebbles")


def test_a_move_that_showed_nothing_is_taken_back_without_a_trace():
    t = clew.new(PEBBLES, seed=1)
    before = t.record(), t.view(0), t.view(1), t.view(None), t.to_move
    t.play("take 2")
    assert str(t.undo(0)) == "take 2"
    assert (t.record(), t.view(0), t.view(1), t.view(None), t.to_move) == before
    t.play("take 1")
    assert [str(move) for _, move in t.moves] == ["take 1"]


def test_moves_are_taken_back_one_by_one_by_whoever_made_them():
    t = clew.new(PEBBLES, seed=1)
    t.play("take 1")
    t.play("take 2")
    with pytest.raises(CannotUndo, match=r"The last move is Red's: only Red can take it back\."):
        t.undo(0)
    t.undo(1)
    t.undo(0)
    assert t.moves == ()


def test_a_shown_secret_stays_shown():
    t = clew.new(PEBBLES, seed=1)
    t.play("lift")
    with pytest.raises(CannotUndo, match=r"lift has shown Red something new, so it stays\."):
        t.undo(0)
    assert len(t.moves) == 1


def test_the_last_move_of_a_game_can_be_taken_back_too():
    t = clew.new(PEBBLES, seed=1, options={"heap": 2})
    t.play("take 2")
    assert t.outcome.places == (1, 2)
    t.undo()
    assert t.outcome is None


def test_what_only_a_spectator_learns_counts_as_shown(monkeypatch):
    from clew.core import table

    asked = []
    reveals = table.reveals
    monkeypatch.setattr(table, "reveals", lambda *args: asked.append(args[4]) or reveals(*args))
    t = clew.new(PEBBLES, seed=1)
    t.play("take 1")
    t.undo()
    assert asked == [0, 1, -1]
