"""A game that is only a folder somewhere, without a picture: all that the terminal does works for it, too."""

from pathlib import Path

import pytest

import clew
from clew.core.game import load

PEBBLES = Path(__file__).parents[1] / "core" / "pebbles"
NUMBERS = Path(__file__).parent / "numbers"  # whose moves are written like numbers and commands
PEOPLE = ("play", PEBBLES, "--against", "person", "--seed", "3")


@pytest.fixture(scope="module", autouse=True)
def _pebbles():
    load(str(PEBBLES)).ready()


def test_a_game_without_a_picture_is_played_from_a_plain_one(run, data):
    done = run("play", PEBBLES, "--against", "random", "--seed", "3", lines=["1"] * 60)
    assert (done.code, done.err) == (0, "")
    assert "heap" in done.out
    (path,) = (data / "finished").iterdir()
    told = run("replay", path, "--game", PEBBLES)
    assert told.code == 0
    assert "Checked: " in told.out
    refused = run("replay", path)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "There is no game 'pebbles'" in refused.err
    assert "--game PATH" in refused.err


def test_the_heading_tells_the_options_that_were_chosen(run):
    chosen = run("play", PEBBLES, "--against", "random", "--seed", "3", "--option", "heap=7", lines=["quit"])
    assert "Pebbles, heap 7: Blue" in chosen.out
    usual = run("play", PEBBLES, "--against", "random", "--seed", "3", lines=["quit"])
    assert "Pebbles: Blue" in usual.out


def test_a_game_in_a_folder_is_gone_on_with(run, data):
    run("play", PEBBLES, "--against", "random", "--seed", "3", lines=["1", "quit"])
    done = run("play", PEBBLES, "--resume", lines=["quit"])
    assert (done.code, done.err) == (0, "")
    assert "Saved in" in done.out
    refused = run("play", "--resume", next(data.glob("*.clew")))
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "clew play PATH --resume" in refused.err


def test_people_may_take_a_move_back_before_the_curtain_falls(run, data):
    done = run(*PEOPLE, lines=["", "TAKE 2", "log", "undo", "take  1", "", "", "quit"])
    assert "Taken back: take 2." in done.out
    (path,) = data.glob("*.clew")
    assert [line for line in path.read_text().splitlines() if "take" in line] == ["0 take 1"]


def test_a_move_of_the_other_cannot_be_taken_back(run):
    done = run(*PEOPLE, lines=["", "take 1", "", "", "undo", "quit"])
    assert "The last move is Blue's: only Blue can take it back." in done.out


def test_a_game_without_heuristics_has_hints_too(run):
    done = run(*PEOPLE, lines=["", "?", "hint", "take 1", "hint", "", "quit"])
    assert "  hint          what a good player would do" in done.out
    assert "to win, give or take" in done.out
    assert "You have no move to make now." in done.out


# Moves that look like something else: Blue's hand is 1 6 8 9


def first_move(run, data, *lines):
    run("play", NUMBERS, "--against", "random", "--seed", "3", lines=[*lines, "quit"])
    (path,) = data.glob("*.clew")
    record = path.read_text()
    path.unlink()
    return str(clew.replay(record, load(str(NUMBERS))).moves[0][1])


@pytest.mark.parametrize("written", ["6", "-6", "?6", "? 6", "hint", "Undo"])
def test_a_legal_move_as_it_is_written_goes_before_numbers_and_commands(written, run, data):
    assert first_move(run, data, written) == written.replace(" ", "")


def test_a_list_of_moves_that_are_numbers_has_letters(run, data):
    done = run("play", NUMBERS, "--against", "random", "--seed", "3", lines=["?", "7", "quit"])
    assert "a) 1     b) 6     c) 8     d) 9" in done.out
    assert "  a to n        the move that stands there in the list" in done.out
    assert "You do not hold 7. (NUM-01)" in done.out
    assert first_move(run, data, "b") == "6"
    assert first_move(run, data, "L)") == "?9"


def test_commands_that_are_no_moves_stay_commands(run):
    done = run("play", NUMBERS, "--against", "random", "--seed", "3", lines=["? num-04", "undo", "?", "quit"])
    assert "After four turns the higher sum wins." in done.out
    assert "Nothing has been played yet." in done.out
    assert "Now a move of yours, so no command: hint." in done.out
