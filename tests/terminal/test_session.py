"""Whole games at one keyboard, typed line by line."""

import re

import pytest

import clew
from clew.core.table import Table
from clew.terminal import saves
from clew.terminal.screen import Screen
from clew.terminal.session import match

# The first line opens the first curtain; then a move, passing on, and the next curtain. A blank line at the prompt
# does nothing, so the same lines serve where a seat moves twice.
TWO_PEOPLE = ["", *["1", "", ""] * 200]
MOVER_FIRST = ("play", "palaces", "--against", "random", "--seed", "7")


def finished(data):
    (path,) = (data / "finished").iterdir()
    return path


@pytest.mark.parametrize("game", clew.games())
def test_a_whole_game_against_the_random_mover(run, data, game):
    done = run("play", game, "--against", "random", "--seed", "3", lines=["1"] * 300)
    assert (done.code, done.err) == (0, "")
    table = clew.replay(finished(data).read_text())
    assert table.outcome
    assert f"The record is in {finished(data)}" in " ".join(done.out.split())
    for seat, score in enumerate(table.outcome.scores):
        assert re.search(
            rf"{table.outcome.places[seat]}\. {clew.core.SEATS[seat]} +{score}".replace("-", "−"), done.out
        )


@pytest.mark.parametrize("game", clew.games())
def test_a_whole_game_between_people_who_see_nothing_of_each_other(run, data, game, monkeypatch):
    asked = []  # the curtains, and whose knowledge was looked at between them
    for name in ("view", "events", "legal_moves"):
        original = getattr(Table, name)
        monkeypatch.setattr(
            Table,
            name,
            lambda t, seat, *rest, original=original, **more: asked.append(seat) or original(t, seat, *rest, **more),
        )
    original_curtain = Screen.curtain
    monkeypatch.setattr(Screen, "curtain", lambda s, name: asked.append(name) or original_curtain(s, name))

    done = run("play", game, "--against", "person", "--seed", "3", lines=TWO_PEOPLE)

    assert done.code == 0
    seated, turns = None, 0
    for who in asked:
        if isinstance(who, str):
            seated, turns = clew.core.SEATS.index(who), turns + 1
        else:
            assert who is None or who == seated  # None is what everybody may know
    assert turns > 2
    assert clew.replay(finished(data).read_text()).outcome


def test_no_hand_is_printed_for_the_other_seat(run, data):
    done = run("play", "palaces", "--against", "person", "--seed", "3", lines=TWO_PEOPLE)
    played = clew.replay(finished(data).read_text())
    table = clew.new("palaces", seed=3)
    pages = re.split(r"(Blue|Red), take the keyboard", done.out)[1:]
    assert len(pages) == 2 * len(played.moves)
    for name, page, (seat, move) in zip(pages[::2], pages[1::2], played.moves, strict=True):
        assert clew.core.SEATS[seat] == name
        hand = set(table.view(seat)["table"]["hand"])
        table.play(move, seat)
        hand |= set(table.view(seat)["table"]["hand"])
        page = page.split("the end ─")[0]
        offered = set(re.findall(r"\d+ -?([KMPZ](?:10|\d|A|X))(?::[at])?\b", page))
        drawn = set(re.findall(rf"{name} draws (\w+)\.", page))
        assert offered | drawn <= hand
        assert offered
        assert page.count("your hand") == 1
        other = clew.core.SEATS[1 - seat]
        assert not re.search(rf"{other} draws [KMPZ]", page)


def test_a_choice_made_at_once_is_made_behind_the_curtain(run, data):
    done = run("play", "cardtracks", "-o", "track_length=2", "--against", "person", "--seed", "3", lines=TWO_PEOPLE)
    table = clew.replay(finished(data).read_text())
    assert [(seat, str(move)) for seat, move in table.moves[-2:]] == [(0, "keep"), (1, "keep")]
    choices = [page for page in done.out.split("take the keyboard") if "keep" in page]
    assert len(choices) >= 2
    assert not re.search(r"chose (keep|spare)", choices[-1].split("the end ─")[0])


def test_leaving_and_going_on_is_the_same_game(run, data):
    first = run(*MOVER_FIRST, lines=["1", "2"])  # then Ctrl-D
    (path,) = data.glob("*.clew")
    assert first.code == 0
    assert f"Saved in {path}" in " ".join(first.out.split())
    before = clew.replay(path.read_text())
    assert saves.seats(path.read_text()) == {0: "person", 1: "random"}

    second = run("play", "--resume", lines=["1", "quit"])
    assert second.code == 0
    after = clew.replay(path.read_text())
    assert after.moves[: len(before.moves)] == before.moves
    assert len(after.moves) == len(before.moves) + 2
    assert after.seed == before.seed == 7
    assert list(data.glob("*.clew")) == [path]


def test_the_menu_offers_the_games_that_wait(run, data):
    run(*MOVER_FIRST, lines=["1", "quit"])
    (data / "damaged.clew").write_text("clew-record 1\nga")
    number = len(clew.games()) + 1
    done = run("play", lines=["0", str(number + 1), str(number), "quit"])
    assert "go on with palaces, 2 moves" in done.out
    assert done.out.count(f"A number from 1 to {number}, or quit.") == 2
    assert "Saved in" in done.out


def test_the_menu_takes_a_number_or_a_name(run):
    for chosen in (str(clew.games().index("palaces") + 1), "Palaces"):
        done = run("play", "--seed", "7", lines=[chosen, "1", "quit"])
        assert (done.code, done.err) == (0, "")
        assert "Blue is a person, Red is a random mover." in done.out
    assert run("play", lines=["quit"]).code == 0
    assert run("play").code == 0


def test_a_record_from_elsewhere_is_only_lent(run, data, tmp_path):
    record = clew.new("palaces", seed=7).record()
    lent = tmp_path / "lent.clew"
    lent.write_text(record)
    done = run("play", "--resume", lent, "--against", "random", lines=["1", "quit"])
    assert done.code == 0
    assert lent.read_text() == record
    assert len(list(data.glob("*-palaces.clew"))) == 1


def test_a_refused_move_teaches_the_rule(run):
    table = clew.new("palaces", seed=7)
    card = next(str(move)[1:] for move in table.legal_moves(0) if str(move)[0] == "-")
    done = run(*MOVER_FIRST, lines=[card.lower(), "? pal-07", "nonsense", "99", "0", "quit"])
    assert "(PAL-07)" in done.out
    assert "? PAL-07 shows the rule." in done.out
    assert "An Ariadne card cannot start a path" in " ".join(done.out.split())
    assert "'nonsense' is not a move" in done.out
    assert "? COM-06" not in done.out
    assert done.out.count("In the list are the moves 1 to ") == 2


def test_the_commands(run, data, tmp_path):
    mine = tmp_path / "mine.clew"
    taken = tmp_path / "taken.txt"
    taken.write_text("a shopping list")
    lines = ["1", "?", "? nothing", "log", "moves", "undo", "save", f"save {mine}", f"save {mine}", f"save {taken}"]
    done = run(*MOVER_FIRST, lines=[*lines, f"save {tmp_path / 'no' / 'where'}", "QUIT"])
    said = " ".join(done.out.split())
    assert "Your turn PAL-06 to PAL-16" in said
    assert "The Lost Palaces has no rule 'nothing'" in said
    assert said.count("You begin.") == 2
    assert "only Red can take it back" in said
    assert said.count(f"Saved in {mine} ") == 2
    assert clew.replay(mine.read_text()).moves == clew.replay(next(data.glob("*.clew")).read_text()).moves
    assert "exists and is not a record" in said
    assert taken.read_text() == "a shopping list"
    assert f"{tmp_path / 'no' / 'where'} cannot be written: no such file or directory." in said
    assert not list(data.glob(".saving-*"))


def test_people_may_take_a_move_back_before_the_curtain_falls(run):
    done = run("play", "palaces", "--against", "person", "--seed", "7", lines=["", "1", "undo", "1", "", "", "quit"])
    assert "something new to somebody, so it stays." in " ".join(done.out.split())


def test_play_goes_on_where_nothing_can_be_saved(run, data):
    data.parent.mkdir()
    data.write_text("a file where the folder should be")
    done = run(*MOVER_FIRST, lines=["1", "1", "save", "quit"])
    said = " ".join(done.out.split())
    assert (done.code, done.err) == (0, "")
    assert said.count("The game cannot be saved") == 1
    assert "This game could not be saved." in said


def test_capitals_and_blanks_do_not_matter():
    legal = clew.new("palaces", seed=7).legal_moves(0)
    for move in legal:
        assert match(f" {str(move).lower()} ", legal) == move
        assert match(str(move).upper().replace(":", " : "), legal) == move
    assert match("K99", legal) is None
