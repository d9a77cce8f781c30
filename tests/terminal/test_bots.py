"""Bots in the other seats."""

import re

import pytest

ANT = ("play", "palaces", "--against", "level:1", "--seed", "3")


def test_a_whole_game_against_a_bot(run):
    done = run(*ANT, lines=["1"] * 300)
    assert done.code == 0, done.err
    assert "Blue is a person, Red is the Ant (level 1)." in done.out
    assert "the end" in done.out
    assert re.search(r"^You (play|discard) ", done.out, re.M)
    assert "Ant draws a card." in " ".join(done.out.split())
    assert not re.search(r"\b(Blue|Red) (plays|draws|discards|wins)\b", done.out)


def test_bots_of_a_level_have_different_names(run):
    done = run("play", "labyrinth", "--players", "4", "--against", "level:1", "--seed", "3", lines=["quit"])
    said = " ".join(done.out.split())
    assert "Red is the Ant (level 1), Gold is the Grey Ant (level 1), Green is the Old Ant (level 1)." in said


def test_the_same_seed_is_the_same_game(run):
    first, second = (run(*ANT, lines=["1"] * 20).out.splitlines() for _ in range(2))
    assert first[:-1] == second[:-1]  # the last line tells where the game was saved


def test_a_bot_is_remembered_by_the_save(run):
    run(*ANT, lines=["1", "quit"])
    done = run("play", "--resume", lines=["1", "quit"])
    assert "Red is the Ant (level 1)." in done.out


def test_a_bot_is_chosen_from_the_menu(run):
    done = run("play", "palaces", "--seed", "3", lines=["3", "2", "quit"])
    assert "2  the Mouse" in done.out
    assert "Red is the Mouse (level 2)." in done.out


@pytest.mark.parametrize(("who", "said"), [("level:7", "There is no level 7"), ("wizard", "There is no bot 'wizard'")])
def test_nobody_of_that_name(run, who, said):
    done = run("play", "palaces", "--against", who)
    assert done.code == 2
    assert said in done.err


def test_a_hint_tells_moves_with_their_chances_and_plays_nothing(run):
    done = run("play", "palaces", "--against", "random", "--seed", "3", lines=["hint", "hint", "quit"])
    first, second = [part.split("So says the Owl")[0] for part in done.out.split("Blue> ")[1:3]]
    assert first == second
    assert first.count("to win, give or take") == 3
    assert len(re.findall(r"(?:play|discard) (?:Knossos|Malia|Phaistos|Zakros|Ariadne|the Minotaur)", first)) == 3
    assert first.strip().split()[0] in done.out.split("Blue> ")[0]
