"""Aathenuo, what the table must look like and how it may be rebuilt, on pictures of layouts."""

import random

import numpy as np
import pytest
from aathenuo_deals import cells, held, laid, lay, lying, not_a_layout, rack, refused, table
from aathenuo_oracle import FACES, STAR, lines, random_layout, valid

from clew.games.aathenuo import layout

rule = pytest.mark.rule


def stars(t):
    """The numbers that each star on the table can stand for."""
    tiles = t.view(None)["table"]["tiles"]
    return {f"{tile['x']},{tile['y']}": tile["can_be"] for tile in tiles if tile["tile"][1] == "*"}


def wrong(error):
    """The cells of all faults."""
    return {f"{x},{y}" for fault in error.faults for x, y in fault["cells"]}


# Sets


@rule("AAT-08")
@rule("AAT-14")
@pytest.mark.parametrize(
    "row",
    [
        "R5 Y5 B5",  # one number, different colours
        "G5 B5 R5 Y5",  # in any order
        "R3 R4 R5",  # one colour, one after the other
        "Y5 Y4 Y3",  # in either direction
        "B1 B2 B3 B4 B5 B6 B7 B8",
        "B8 B7 B6 B5 B4 B3 B2 B1",
        "R* Y5 B5",
        "R3 R* R5",
        "R* R7 R8",
        "R* Y* B*",
        "R* R* R3",
        "R8 R* R6 R*",
    ],
)
def test_these_are_sets_across_and_down(row):
    assert lying(laid(row)) == cells(row)
    assert lying(laid(*row.split())) == cells(*row.split())


@rule("AAT-08")
@rule("AAT-14")
@pytest.mark.parametrize(
    ("row", "broken"),
    [
        ("R5 Y5 R5", "AAT-08"),  # red twice
        ("R5 Y5 B5 R5", "AAT-08"),
        ("R3 R4 Y5", "AAT-08"),  # not one colour
        ("R3 R4 R6", "AAT-08"),  # 5 is left out
        ("R3 R5 R4", "AAT-08"),  # not in order
        ("R3 R4 R4", "AAT-08"),
        ("R3 R4 R3", "AAT-08"),  # up and down again
        ("R7 R8 R1", "AAT-08"),  # no wrap
        ("R2 R1 R8", "AAT-08"),
        ("R5 Y5 B4", "AAT-08"),
        ("R5 R6", "AAT-07"),  # three are needed
        ("R5 Y5", "AAT-07"),
        ("R* Y*", "AAT-07"),
        ("R5", "AAT-07"),
        ("R*", "AAT-07"),
        ("R* R5 Y5", "AAT-08"),  # a star has its own colour
        ("R3 R* R6", "AAT-08"),  # no number fits between
        ("R3 R* R4", "AAT-08"),
        ("R7 R8 R*", "AAT-09"),  # it would have to be a 9
        ("R* R1 R2", "AAT-09"),  # or a 0
        ("R* R8 R*", "AAT-09"),
    ],
)
def test_these_are_none_and_the_refusal_says_where_and_why(row, broken):
    for rows in ([row], row.split()):
        error = not_a_layout(*rows)
        assert error.rule == broken
        last = len(row.split()) - 1
        assert {"0,0", f"{last},0" if len(rows) == 1 else f"0,{last}"} <= wrong(error)


# The grid


@rule("AAT-07")
@rule("AAT-14")
def test_two_sets_that_do_not_touch_are_two_grids():
    assert laid("R3 R4 R5 .. ..", ".. .. .. .. ..", ".. .. B5 B6 B7").to_move == (1,)
    assert laid("R3 R4 R5 .. ..", ".. .. .. B5 ..", ".. .. .. B6 ..", ".. .. .. B7 ..").to_move == (1,)


@rule("AAT-07")
@rule("AAT-14")
def test_a_pair_of_fives_between_two_touching_sets_is_wrong():
    error = not_a_layout("R3 R4 R5 .. ..", ".. .. B5 B6 B7")
    assert error.rule == "AAT-07"
    assert wrong(error) == {"2,0", "2,1"}
    assert error.reason == "The two fives are not a set: three are needed."


@rule("AAT-09")
@rule("AAT-14")
def test_a_star_between_two_sets_cannot_be_a_9():
    error = not_a_layout("R7 R8 R*", ".. .. Y8", ".. .. B8")
    assert error.rule == "AAT-09"
    assert "2,0" in wrong(error)
    assert error.reason.startswith("Red 7–8–star are not a set: a star would have to be a 9")
    assert lying(laid("R6 R7 R*", ".. .. Y8", ".. .. B8")) == cells("R6 R7 R*", ".. .. Y8", ".. .. B8")


@rule("AAT-07")
@pytest.mark.parametrize(
    "rows",
    [
        ("R3 R4 R5", ".. .. B5", ".. .. Y5"),  # a crossing at the ends
        (".. B4 ..", "R3 R4 R5", ".. Y4 .."),  # in the middle
        ("R3 R4 R5", ".. R5 ..", ".. R6 .."),  # two runs of a colour
        ("R5 Y5 B5", ".. R5 ..", ".. G5 .."),  # two groups of a number
        ("R3 R4 R5", "Y3 .. Y5", "B3 B4 B5"),  # a ring
        ("R3 R4 R5", "Y3 Y4 Y5", "B3 B4 B5"),  # a block
        ("R3 R4 R5 R6", "Y3 Y4 Y5 Y6", "B3 B4 B5 B6"),
        ("R3 R4 R5 .. ..", "Y3 Y4 Y5 Y6 Y7", "B3 B4 B5 .. .."),
        ("R3 R4 R5 .. ..", "Y3 .. Y5 .. ..", "B3 B4 B5 B6 B7", ".. .. G5 .. .."),
        ("R3 R2 R1", "Y3 .. Y1", "B3 B2 B1"),  # a ring of falling runs
        ("R3 R* R5", "Y3 .. Y*", "B* B4 B5"),
    ],
)
def test_every_row_and_every_column_is_a_set(rows):
    assert lying(laid(*rows)) == cells(*rows)


@rule("AAT-07")
@pytest.mark.parametrize(
    ("rows", "places"),
    [
        (("R3 R4 R5", "Y6 Y7 Y8"), ["0,0", "1,0", "2,0"]),  # three columns of two
        (("R3 R4", "Y3 Y4"), ["0,0", "0,1", "1,0"]),
        (("R3 R4 R5", "Y3 Y4 Y5", "B3 B4 B6"), ["0,2", "2,0"]),  # the last row and the last column
        (("R3 R4 R5 ..", ".. .. .. Y5"), ["3,1"]),  # a corner is no side
        (("R3 R4 R5 R7 R8",), ["0,0", "4,0"]),  # two sets in one line are one line
        (("R3 R4 R5 B5 B6 B7",), ["0,0", "5,0"]),
    ],
)
def test_a_refused_layout_names_all_that_is_wrong(rows, places):
    error = not_a_layout(*rows)
    assert error.rule in ("AAT-07", "AAT-08")
    assert {*places} <= wrong(error)
    assert all(error.reason.count(fault["text"]) == 1 for fault in error.faults)  # said once, however often it is so
    for fault in error.faults:  # the same as data
        lie = cells(*rows)
        assert [lie[f"{x},{y}"] for x, y in fault["cells"]] == fault["tiles"]


@rule("AAT-07")
def test_nothing_is_said_of_a_line_that_is_right():
    error = not_a_layout("R3 R4 R5 .. ..", ".. .. .. .. ..", "B5 B6 .. Y1 ..")
    assert {"0,2", "3,2"} <= wrong(error)
    assert "0,0" not in wrong(error)
    assert "Red" not in error.reason


# Stars


@rule("AAT-09")
@pytest.mark.parametrize(
    ("rows", "meant"),
    [
        (["R3 R* R5"], {"1,0": [4]}),
        (["R3 R4 R*"], {"2,0": [5]}),
        (["R* R7 R8"], {"0,0": [6]}),
        (["R* Y5 B5"], {"0,0": [5]}),
        (["R* Y* B*"], {"0,0": [1, 2, 3, 4, 5, 6, 7, 8], "1,0": [1, 2, 3, 4, 5, 6, 7, 8], "2,0": list(range(1, 9))}),
        (["R* R* R3"], {"0,0": [1, 5], "1,0": [2, 4]}),
        (["R* R* R2"], {"0,0": [4], "1,0": [3]}),
        (["R* R3 R*"], {"0,0": [2, 4], "2,0": [2, 4]}),
        (["R2 R3 R*", ".. .. Y4", ".. .. B4"], {"2,0": [4]}),  # the same number in both sets
        (["R* R* R3", ".. Y4 ..", ".. B4 .."], {"0,0": [5], "1,0": [4]}),  # the column decides the row
        (["R* R* R3", "Y* .. ..", "B* .. .."], {"0,0": [1, 5], "1,0": [2, 4], "0,1": [1, 5], "0,2": [1, 5]}),
    ],
)
def test_the_table_shows_what_each_star_can_stand_for(rows, meant):
    assert stars(laid(*rows)) == meant


@rule("AAT-09")
def test_a_star_is_the_same_number_in_both_sets():
    error = not_a_layout("R2 R3 R*", ".. .. Y5", ".. .. B5")
    assert error.rule == "AAT-09"
    assert {"0,0", "2,2"} <= wrong(error)  # the row and the column
    assert error.reason.startswith("The red star would have to be 4 in red 2–3–star and 5 in red star,")
    assert not_a_layout("R* R* R3", "Y7 .. ..", "B7 .. ..").rule == "AAT-09"


@rule("AAT-09")
def test_stars_far_apart_can_decide_each_other():
    ring = ["R* Y* B*", "R* .. B*", "R3 Y3 B3"]
    assert stars(laid(*ring, stars=3)) == {"0,0": [1, 5], "1,0": [1, 5], "2,0": [1, 5], "0,1": [2, 4], "2,1": [2, 4]}
    # The red column wants a 1 or a 5 in the first row, the blue one a 5 or, with an 8, a 6.
    agreed = ["R* Y* B*", "R* .. B*", "R3 .. B7"]
    assert stars(laid(*agreed, stars=3)) == {"0,0": [5], "1,0": [5], "2,0": [5], "0,1": [4], "2,1": [6]}
    error = not_a_layout("R* Y* B*", "R* .. B*", "R3 .. B8", stars=3)
    assert error.rule == "AAT-09"
    assert [fault["rule"] for fault in error.faults] == ["AAT-09"]


@rule("AAT-09")
def test_a_star_acts_as_something_else_next_turn():
    t = laid("R3 R4 R*", then="R5 R2")
    assert stars(t) == {"2,0": [5]}
    t.play("R5@2,0 2,0>3,0")
    assert stars(t) == {"3,0": [6]}
    t = laid("R3 R4 R*", then="R1 R2")
    t.play("R1@0,1 R2@1,1 0,0>2,1 1,0>3,1 2,0>4,1")  # the whole run moves down
    assert stars(t) == {"4,1": [5]}
    t = laid("R3 R4 R*", then="R5 Y3 B3")
    t.play("R5@2,0 Y3@0,5 B3@1,5 2,0>2,5")
    assert stars(t) == {"2,5": [3]}


@rule("AAT-09")
@pytest.mark.parametrize("most", [3, 4])
def test_a_table_full_of_stars_is_judged(most):
    """Stars only: rows of groups above rows of groups, so that the columns are runs."""
    rows = ["R* Y* B* G* P* O*"] * 2
    t = laid(*[rows[0]], ".. .. .. .. .. ..", *[rows[1]], colours=6, stars=most)
    assert set(map(tuple, stars(t).values())) == {(1, 2, 3, 4, 5, 6, 7, 8)}


@rule("AAT-07")
@rule("AAT-08")
@rule("AAT-09")
def test_2000_random_layouts_are_judged_as_by_trying_every_number_for_every_star():
    dice = random.Random(4)
    verdicts = [0, 0]
    for _ in range(2000):
        tiles = random_layout(dice, dice.randrange(3, 12), 4, 3, 2)
        if dice.random() < 0.6:
            spoil(tiles, dice)
        listed = sorted(tiles.items())
        dice.shuffle(listed)
        kinds = np.zeros(168, np.int64)
        x, y, masks = kinds.copy(), kinds.copy(), kinds.copy()
        for i, ((column, row), kind) in enumerate(listed):
            kinds[i], x[i], y[i] = kind, column, row
        right = valid(tiles)
        verdicts[right] += 1
        assert layout.valid(len(listed), kinds, x, y) == right, tiles
        assert layout.meanings(len(listed), kinds, x, y, masks) == right, tiles
        faults = np.zeros((layout.FAULTS, layout.FAULT), np.int64)
        assert (layout.faults(len(listed), kinds, x, y, faults) == 0) == right, tiles
        if right:
            for i, (cell, kind) in enumerate(listed):
                if kind % FACES == STAR:
                    could = [n for n in range(STAR) if valid({**tiles, cell: kind - STAR + n})]
                    assert masks[i] == sum(1 << n for n in could), tiles
    assert min(verdicts) > 500


def spoil(tiles, dice):
    """Change, add or take away a tile."""
    cell = dice.choice(sorted(tiles))
    way = dice.random()
    if way < 0.4:
        tiles[cell] = dice.randrange(4 * FACES)
    elif way < 0.6:
        tiles[cell] += STAR - tiles[cell] % FACES
    elif way < 0.8 or len(tiles) < 4:
        tiles[cell[0] + dice.choice([-1, 0, 1]), cell[1] + dice.choice([-1, 1])] = dice.randrange(4 * FACES)
    else:
        del tiles[cell]


# Rebuilding


@rule("AAT-10")
def test_tiles_change_places_all_at_once():
    t = laid("R3 R4 R5", then="R6")
    t.play("R6@-1,0 0,0>2,0 2,0>0,0")
    assert lying(t) == {"-1,0": "R6", "0,0": "R5", "1,0": "R4", "2,0": "R3"}


@rule("AAT-10")
def test_two_grids_are_merged():
    t = laid("R1 R2 R3 .. R5 R6 R7", then="R4")
    t.play("R4@3,0")
    assert lying(t) == cells("R1 R2 R3 R4 R5 R6 R7")
    t = laid("R3 R4 R5 .. Y5 Y6 Y7", then="B5")
    t.play("B5@2,2 4,0>2,1 5,0>3,1 6,0>4,1")
    assert lying(t) == cells("R3 R4 R5 .. ..", ".. .. Y5 Y6 Y7", ".. .. B5 .. ..")


@rule("AAT-10")
def test_a_grid_is_split():
    t = laid("R1 R2 R3 R4 R5 R6", then="R7")
    t.play("R7@3,2 3,0>0,2 4,0>1,2 5,0>2,2")
    assert lying(t) == cells("R1 R2 R3 ..", ".. .. .. ..", "R4 R5 R6 R7")


@rule("AAT-10")
def test_a_table_without_a_partition_lives_from_its_crossing():
    t = laid("R3 R4 R5", ".. .. B5", ".. .. Y5", then="R2 B8")  # five tiles are no two sets side by side
    assert refused(t, "R2@-1,0 2,1>9,9 2,2>9,8").rule == "AAT-07"
    t.play("R2@-1,0")
    assert held(t) == [9, 13]


@rule("AAT-10")
def test_every_tile_in_play_stays_in_play():
    t = laid("R3 R4 R5", then="R6")
    assert "The red 3 and the red 6" in refused(t, "R6@0,0").reason  # it would be covered
    assert "The red 3 and the red 4" in refused(t, "R6@3,0 0,0>1,0").reason
    before, mine = lying(t), rack(t, 1)
    t.play("R6@0,1 0,0>3,1 1,0>2,1 2,0>1,1")
    assert sorted(lying(t).values()) == sorted([*before.values(), "R6"])
    assert sorted([*rack(t, 1), "R6"]) == mine
    for move in ("0,1>rack", "R3@9,9 0,1>", "-R6"):  # there is no way to write it
        assert refused(t, move).rule == "COM-06"


@rule("AAT-05")
@rule("AAT-10")
def test_moving_tiles_alone_is_no_turn():
    t = laid("R3 R4 R5", then="R6")
    assert refused(t, "0,0>2,0 2,0>0,0").rule == "AAT-05"


# The sample game of the source

SAMPLE = [
    lay("Y2 R* B2"),  # the star is a 2
    "R3@1,1 R4@1,2",  # a set down from the star
    "R5@1,3",
    "R3@0,2 1,3>2,2",  # the 5 goes over, and the 4 is in both sets
    "R2@1,0 R7@4,2 1,0>3,2",  # the star makes room and is a 6
    "Y3@4,0 Y2@4,1 Y1@4,2 R5@0,4 3,2>1,4 4,2>2,4",  # star and 7 leave for a set with a 5
]


@rule("AAT-14")
def test_the_sample_game():
    t = table("Y2 R* B2 R2 R7", "R3 R4 R5 Y1 Y2 Y3", "R5", "R3")
    shown = []
    for seat, move in enumerate(SAMPLE):
        assert t.to_move == (seat % 4,)
        t.play(move)
        shown.append(stars(t))
    assert lying(t) == cells("Y2 R2 B2 .. Y3", ".. R3 .. .. Y2", "R3 R4 R5 .. Y1", "", "R5 R* R7")
    assert shown == [{"1,0": [2]}, {"1,0": [2]}, {"1,0": [2]}, {"1,0": [2]}, {"3,2": [6]}, {"1,4": [6]}]
    assert held(t) == [5, 4, 9, 9]
    assert [str(move) for _, move in t.moves] == SAMPLE


@rule("AAT-14")
def test_in_the_sample_game_no_step_may_be_half_done():
    racks = ["Y2 R* B2 R2 R7", "R3 R4 R5 Y1 Y2 Y3", "R5", "R3"]
    half = [
        (1, "R3@1,1", "AAT-07"),  # two in a column
        (2, "R5@1,4", "AAT-07"),  # it touches nothing
        (3, "R3@0,2", "AAT-07"),  # two in a row
        (4, "R2@1,0 R7@4,2", "AAT-07"),  # where the star lies
        (4, "R7@4,2 1,0>3,2", "AAT-07"),  # a gap between Y2 and B2
        (5, "R5@0,4 3,2>1,4", "AAT-07"),  # the 7 is left alone
        (5, "R5@0,4 4,2>2,4 3,2>1,4 2,2>3,4", "AAT-07"),
    ]
    for turns, move, broken in half:
        assert refused(table(*racks, moves=SAMPLE[:turns]), move).rule == broken


def test_the_lines_of_a_layout_are_found_by_the_tests():
    assert sorted(map(len, lines({(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)}))) == [1, 1, 1, 1, 3, 3]
