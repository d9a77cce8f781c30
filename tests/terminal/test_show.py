"""What a person is shown: pictures, lists of moves, results."""

import io
import random
from pathlib import Path

import pytest
from rich.console import Console

import clew
from clew.core.game import load
from clew.core.moves import Move
from clew.terminal import show

PEBBLES = Path(__file__).parents[1] / "core" / "pebbles"  # a game without a picture, in a folder of its own
MASKS = Path(__file__).parents[2] / "examples" / "masks"  # whose view is derived, seat by seat


def printed(thing, width=80):
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    console.print(thing)
    return console.file.getvalue()


NAMES = ("Somebody with a long name", "Quiet Minotaur")


@pytest.mark.parametrize("game", clew.games())
def test_a_picture_fits_into_80_columns_for_every_chair(game):
    chance = random.Random(3)
    table = clew.new(game, seed=3)
    while table.to_move:
        table.play(chance.choice(table.legal_moves(table.to_move[0])), table.to_move[0])
        if len(table.moves) % 10 == 0 or not table.to_move:
            for chair in (None, *range(table.players)):
                wide = printed(show.picture(table.game, table.view(chair), NAMES), width=200)
                assert max(len(line.rstrip()) for line in wide.splitlines()) <= 80


def test_the_palaces_at_a_glance():
    text = f"""clew-record 1
game: palaces
rules: {load("palaces").version}
seed: 3
moves:
"""
    table = clew.replay(text)
    first = table.to_move[0]
    start = next(move for move in table.legal_moves(first) if str(move).endswith(":t"))
    table.play(start, first)
    name, card = clew.core.SEATS[first], str(start).split(":")[0]
    watched = printed(show.picture(table.game, table.view(None), table.names))
    assert f"{name[0]}T" in watched
    assert card in watched
    assert "−40" in watched
    assert "your hand" not in watched
    own = printed(show.picture(table.game, table.view(first), table.names))
    assert "your hand" in own


def test_any_view_can_be_laid_out():
    text = printed(
        show.plain(
            {
                "deck_left": 3,
                "nothing": None,
                "open": True,
                "row": ["K7", "P3"],
                "empty": [],
                "seats": [{"name": "Blue", "cards": [1, 2]}, {"name": "Red", "cards": []}],
                "deep": [{"name": "a", "lanes": [{"x": 1}, {"x": 2}]}, {"name": "b", "lanes": [[1, 2], [3]]}],
            }
        )
    )
    for words in ("deck left  3", "nothing    –", "open       yes", "row        K7 P3", "Blue  1 2", "Red   –", "3"):
        assert words in text


def test_the_seats_of_a_derived_view_have_the_names_of_the_players():
    table = clew.new(str(MASKS), seed=3, names=["Ann", "Red"])
    own = printed(show.picture(table.game, table.view(0), table.names))
    assert "Ann (Blue, you)  laid" in own
    assert "Red              laid" in own
    assert "you" not in printed(show.picture(table.game, table.view(None), table.names))


def test_a_flat_table_of_seats_has_a_column_with_their_names():
    view = {"seat": 1, "table": {"hand": ["K7"], "seats": [{"points": 3}, {"points": 5}]}}
    said = printed(show.picture(load(str(PEBBLES)), view, NAMES)).splitlines()
    assert [line.split() for line in said] == [
        ["hand", "K7"],
        ["seats", "name", "points"],
        ["Somebody", "…", "(Blue)", "3"],
        ["Quiet", "Min…", "(Red,", "you)", "5"],
    ]


def test_what_is_told_of_the_own_seat_is_told_once():
    table = clew.new(str(MASKS), seed=3)
    first, second = (printed(show.picture(table.game, table.view(seat), table.names)) for seat in (None, 0))
    assert first.count("mask  ") == second.count("mask  ") == 2


def test_many_moves_are_cut_short_and_counted():
    game = load(str(PEBBLES))
    legal = [Move(f"take {number}", number) for number in range(1, 501)]
    numbers = [str(number) for number in range(1, 501)]
    short = printed(show.moves(game, legal, numbers, 80, lines=4))
    assert short.count("\n") == 5
    assert "and 480 more: 'moves' lists them all" in short
    assert "500 take 500" in printed(show.moves(game, legal, numbers, 80))


def test_a_result_says_what_a_score_is_made_of():
    view = {
        "players": 2,
        "outcome": {"places": [2, 1], "scores": [-5, 30], "ended": "pile"},
        "table": {"seats": [{"points": {"steps": -20, "rare_finds": 15}}, {}]},
    }
    said = printed(show.result(view, ("Ann", "Grey Cat")))
    assert said == "1. Grey Cat 30\n2. Ann      −5 = steps −20 + rare finds 15\n"


def test_far_apart_grids_of_aathenuo_are_drawn_without_the_empty_cells_between():
    cells = {"R3": (-40, 0), "R4": (-39, 0), "R*": (-38, 0), "B5": (50, 60), "Y5": (50, 61), "G5": (50, 62)}
    tiles = [{"tile": tile, "x": x, "y": y, "can_be": [5]} for tile, (x, y) in cells.items()]
    seats = [{"name": name, "tiles": 2, "colours": {"R": 2}, "place": 0, "rack": None} for name in ("Blue", "Red")]
    table = {"tiles": tiles, "bag": 7, "rack": ["Y*", "R7", "Y1"], "seats": seats}
    drawn = printed(show.picture(load("aathenuo"), {"seat": 0, "to_move": [1], "table": table}, NAMES)).splitlines()
    columns, rows = drawn[4].split(), [line.split()[0] for line in drawn[5:14]]
    assert columns == ["-41", "-40", "-39", "-38", "-37", "┆", "49", "50", "51"]
    assert rows == ["-1", "0", "1", "┄", "59", "60", "61", "62", "63"]
    assert drawn[6].split() == ["0", "·", "R3", "R4", "R*", "·", "┆", "·", "·", "·"]
    assert "R* at -38,0 is 5" in drawn[15]
    assert drawn[18].split() == ["R7", "Y1", "Y*"]
