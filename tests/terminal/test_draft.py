"""A play typed in parts: added to, taken back, refused, ended; seen by its player only and never saved."""

import io
import re

import pytest
from rich.console import Console

import clew
from clew.core.game import load
from clew.core.moves import Move
from clew.terminal import show

KINDS = [f"{colour}{face}" for colour in "RYB" for face in "12345678*"]
RACKS = ("R3 R4 R5 B5 Y7", "R1 R6 R8 B2 Y4")  # Red has no play before Blue has laid the run
RUN = "R3@0,0 R4@1,0 R5@2,0"


@pytest.fixture
def table(tmp_path):
    """A record with few tiles, Blue to move, lent to the terminal."""

    def table(racks=RACKS, options="", moves=""):
        bag = [tile for tile in KINDS if tile not in " ".join(racks).split()]
        path = tmp_path / "lent.clew"
        path.write_text(f"""clew-record 1
game: aathenuo
rules: {load("aathenuo").version}
options: colours=3 copies=1 stars=1 hand=5 {options}
players: 2
deal drawoff 1: R8 R1
deal rack 0: {racks[0]}
deal rack 1: {racks[1]}
deal bag: {" ".join(bag)}
moves:
{moves}""")
        return path

    return table


@pytest.fixture
def blue(run, table):
    """What Blue sees while typing these lines, and then everything."""

    def blue(*lines, **position):
        done = run("play", "--resume", table(**position), "--against", "person", lines=["", *lines])
        assert (done.code, done.err) == (0, "")
        return " ".join(done.out.split())

    return blue


def moves(data):
    (path,) = data.glob("*.clew")
    return [str(move) for _, move in clew.replay(path.read_text()).moves]


def test_a_play_is_typed_in_parts_and_ended(blue, data):
    said = blue("R3@0,0", "r4@1,0 R5@2,0", "end", "quit")
    assert said.count("Not yet:") == 1
    assert said.count("This can be played") == 1
    assert moves(data) == [RUN]


def test_a_play_typed_whole_waits_for_the_end_of_the_turn(blue, data):
    said = blue(RUN, "quit")
    assert "This can be played" in said
    assert not list(data.glob("*.clew"))


def test_a_play_can_be_ended_on_its_own_line(blue, data):
    blue(f"{RUN} END", "quit")
    assert moves(data) == [RUN]


@pytest.mark.rule("AAT-11")
def test_the_last_line_is_taken_back_then_everything(blue, data):
    said = blue("R3@0,0", "B5@1,0", "back", "R4@1,0", "Y7@2,0", "undo", "R5@2,0", "end", "quit")
    assert "B5@1,0 is taken back." in said
    assert "Y7@2,0 is taken back." in said
    assert moves(data) == [RUN]
    said = blue("R3@5,5", "R4@6,5", "clear", "back", "clear", "end", "quit")
    assert said.count("You have laid nothing in this turn.") == 3


def test_a_tile_laid_in_this_turn_can_be_moved_on(blue, data):
    blue("R3@0,0 R4@1,0 R5@−3,0", "-3,0>2,0", "end", "quit")
    assert moves(data) == [RUN]


def test_a_part_that_cannot_be_done_changes_nothing(blue, data):
    said = blue("R3@0,0", "R6@1,0", "R4@0,0", "4,4>5,5", "R4@100,0", "nonsense", "R4@1,0 R5@2,0 end", "quit")
    assert said.count("(AAT-") >= 4
    assert "(COM-06)" in said
    assert moves(data) == [RUN]


def test_a_turn_that_cannot_end_says_all_that_is_wrong(blue, data):
    said = blue("R3@0,0 R4@1,0 Y7@5,5", "end", "quit")
    assert said.count("Not yet:") == 2
    last = said.split("Not yet:")[-1]
    assert "Red 3–4 are not a set" in last
    assert "The yellow 7 is in no set" in last
    assert not list(data.glob("*.clew"))


def test_what_is_new_and_what_is_wrong_is_marked(blue):
    said = blue(RUN, "R3@0,0", "clear", RUN, "B5@5,0", "quit")
    assert "+R3+R4+R5" in said
    assert "!B5" in said


def test_a_hint_is_shown_and_not_played(blue, data):
    said = blue("hint", "quit")
    assert "1 plays it." in said
    assert not list(data.glob("*.clew"))
    hinted = clew.replay((data.parent.parent / "lent.clew").read_text()).legal_moves(0)[0]
    assert str(hinted) in said
    blue("hint", "1", "quit")
    assert moves(data) == [str(hinted)]


def test_plays_are_listed_only_when_asked_for(blue):
    assert "@" not in blue("quit").replace("R3@2,0", "")
    assert RUN.split()[0][:3] in blue("moves", "quit")


def test_who_has_a_play_may_not_draw_and_is_not_told_which(blue, data):
    said = blue("draw", "quit")
    assert "(AAT-06)" in said
    assert "? AAT-06 shows the rule." in said
    assert "@" not in said.replace("R3@2,0", "")
    assert not list(data.glob("*.clew"))


def test_with_a_play_begun_nothing_else_is_done_at_once(blue, data):
    said = blue("R3@0,0", "draw", "1", "quit", options="must_play=free")
    assert said.count("You have begun a play") == 2
    assert not list(data.glob("*.clew"))
    said = blue("draw", "quit", options="must_play=free")
    assert moves(data) == ["draw"]


def test_who_has_no_play_is_told_to_draw(blue, data):
    said = blue("hint", "draw", "quit", racks=RACKS[::-1])
    assert said.count("No play was found for you: draw.") == 2
    assert moves(data) == ["draw"]


def test_a_draft_is_not_saved_and_that_is_said(blue, data):
    assert "not ended is not saved" in blue("R3@0,0", "save", "quit")
    (path,) = data.glob("*.clew")
    assert path.read_text().endswith("moves:\n")
    assert "not ended is not saved" in blue("R3@0,0")  # Ctrl-D
    assert "not ended" not in blue("R3@0,0", "clear", "quit")


def test_the_curtain_hides_the_draft(run, table):
    lines = ["", "Y7@7,7", "clear", RUN, "end", "", "", "table", "back", "quit"]
    done = run("play", "--resume", table(), "--against", "person", lines=lines)
    blue, red = re.split("Red, take the keyboard", done.out)
    assert "Y7" in blue
    assert "You have laid nothing in this turn." in red
    assert "Y7" not in red
    assert "7,7" not in red


def test_a_move_taken_back_before_the_curtain_leaves_no_draft(blue, data):
    said = blue(RUN, "end", "hint", "undo", "end", "quit")
    assert "It is not your turn." in said
    assert "Taken back: " in said or "something new" in said


def test_the_help_tells_how_plays_are_typed(blue):
    said = blue("?", "quit")
    for word in ("R3@2,0 the red 3 from your rack goes to 2,0", "1,1>4,1", "back ", "clear ", "end ", "hint "):
        assert word in said
    assert "the move as it is written" not in said


def test_long_moves_are_folded_under_their_beginning():
    long = " ".join(f"{kind}@{x},-10" for x, kind in enumerate(KINDS, start=10))
    console = Console(file=io.StringIO(), width=80)
    console.print(show.moves(load("aathenuo"), [Move("R1@0,0", None), Move(long, None)], ["1", "2"], 80))
    first, second, *folded = console.file.getvalue().splitlines()
    assert first.startswith("1 tile ")
    assert second.startswith("27 tiles ")
    assert max(map(len, [first, second, *folded])) <= 80
    margin = second.index("R1@")
    assert {line[:margin].strip() for line in folded} == {""}
    assert " ".join([second[margin:], *folded]).split() == long.split()


def test_a_rule_is_shown_with_its_pictures(run):
    ring = ["R3 R4 R5", "Y3    Y5", "B3 B4 B5"]
    assert all(line in run("rules", "aathenuo", "aat-07").out for line in ring)
    assert "    R2 R3 R*     a 4 in both" in run("rules", "aathenuo", "aat-09").out
