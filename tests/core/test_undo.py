"""Taking back: what showed nothing goes, what showed anything to anybody stays."""

import shutil
from pathlib import Path

import pytest

import clew
from clew import CannotUndo
from clew.core.knowledge import dream, look
from clew.core.rng import stream

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
    with pytest.raises(CannotUndo, match=r"This move has shown something new to somebody, so it stays\."):
        t.undo(0)
    assert len(t.moves) == 1


def test_what_undo_refuses_is_said_alike_in_all_worlds_and_names_nobody():
    said = set()
    for seed in range(8):  # the coins lie differently
        t = clew.new(PEBBLES, seed=seed, names=["Ann", "Bob"])
        t.play("lift")
        with pytest.raises(CannotUndo) as refused:
            t.undo(0)
        said.add(str(refused.value))
    assert said == {"This move has shown something new to somebody, so it stays."}


def test_undo_is_offered_to_who_moved_last_and_showed_nothing():
    t = clew.new(PEBBLES, seed=1)
    assert not t.may_undo(0)
    t.play("take 1")
    assert (t.may_undo(0), t.may_undo(1)) == (True, False)
    t.play("lift")
    assert (t.may_undo(0), t.may_undo(1)) == (False, False)


def test_whether_undo_is_offered_depends_on_what_the_mover_knew_alone():
    t = clew.new("palaces", seed=5)
    for _ in range(12):
        seat = t.to_move[0]
        t.play(t.legal_moves(seat)[0], seat)
        offered, truth = t.may_undo(seat), t._states[-2]
        for number in range(3):  # any other world that the mover held for possible
            t._states[-2] = dream(t.game, look(t.game, truth, seat), stream(number, "test"))
            assert t.may_undo(seat) == offered
        t._states[-2] = truth


def test_the_last_move_of_a_game_can_be_taken_back_too():
    t = clew.new(PEBBLES, seed=1, options={"heap": 2})
    t.play("take 2")
    assert t.outcome.places == (1, 2)
    t.undo()
    assert t.outcome is None


def test_what_only_a_spectator_learns_counts_as_shown(tmp_path, interpreted):
    glass = tmp_path / "glass"
    shutil.copytree(PEBBLES, glass)
    rules = (glass / "rules.py").read_text()
    cup = "if player == seat or s.lifted[player]:"
    assert cup in rules
    (glass / "rules.py").write_text(rules.replace(cup, "if player == seat or s.lifted[player] or seat < 0 < s.taken:"))
    t = clew.new(str(glass), seed=1)
    t.play("take 1")
    assert not t.may_undo(0)
    with pytest.raises(CannotUndo):
        t.undo()
