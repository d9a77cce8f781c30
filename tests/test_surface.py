"""The surface of the library: every wrong argument gets one sentence of Clew's own, and the surface shows itself."""

import functools
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import clew
from clew import BadOption, BadRecord, BadView, IllegalMove, UnknownBot, UnknownGame
from clew.core.errors import quoted

HUGE = 10**5000  # Python refuses to write it, and so pytest cannot name a test by it
each = functools.partial(pytest.mark.parametrize, ids=quoted)


@pytest.fixture(scope="module")
def table():
    return clew.new("palaces", seed=7)


@pytest.fixture(scope="module")
def ant():
    return clew.bot("palaces", level=1, seed=1)


def refused(kind, ask, *arguments, **named):
    """The sentence with which something is refused."""
    with pytest.raises(kind) as error:
        ask(*arguments, **named)
    assert type(error.value) is kind
    said = str(error.value)
    assert said.isprintable()
    assert len(said) < 300
    return said


@each("name", [None, b"palaces", [], {}, 7, HUGE, "a" * 300, "./" + "a" * 300, Path("a" * 300), "a\0"])
def test_what_names_no_game(name):
    assert refused(UnknownGame, clew.new, name).startswith("There is no game ")
    assert refused(UnknownGame, clew.bot, name).startswith("There is no game ")
    text = clew.new("palaces", seed=7).record()
    if name is not None:  # the game that the record names
        assert refused(UnknownGame, clew.replay, text, name).startswith("There is no game ")


@each(
    ("arguments", "said"),
    [
        ({"options": 5}, "Options are given by their names, as in {'name': value}, not as 5."),
        ({"options": 0}, "Options are given by their names, as in {'name': value}, not as 0."),
        ({"options": {"edition"}}, "Options are given by their names, as in {'name': value}, not as <set>."),
        ({"options": [("edition", "classic")]}, "not as <list>."),
        ({"options": {5: "classic"}}, "has no option 5; it has edition."),
        ({"options": {"edition": HUGE}}, "The option edition is classic, not <number of about 5001 digits>."),
        ({"options": {"edition": ["classic"]}}, "The option edition is classic, not <list>."),
        ({"options": {"x" * 900_000: 1}}, "has no option 'xxxx"),
        ({"players": HUGE}, "is for 2 players, not <number of about 5001 digits>."),
        ({"players": "2"}, "is for 2 players, not '2'."),
        ({"players": 2.0}, "is for 2 players, not 2.0."),
        ({"seed": HUGE}, "A seed is a whole number from 0 to 2^256 - 1, not <number of about 5001 digits>."),
        ({"seed": "7" * 900_000}, "A seed is a whole number from 0 to 2^256 - 1, not '7777"),
    ],
)
def test_tables_that_cannot_be(arguments, said):
    assert said in refused(BadOption, clew.new, "palaces", **arguments)


@each("value", [HUGE, -HUGE, "9" * 5000, " 4", "+4", "4_", "٤", 4.0, None, True, [4]])
def test_numbers_that_an_option_does_not_have(value):
    said = refused(BadOption, clew.new, "cardtracks", options={"tracks": value})
    assert said.startswith("The option tracks is a whole number from 2 to 5, not ")


@each("text", [None, [], 7, b"clew-record 1", HUGE])
def test_what_is_no_record(text):
    assert refused(BadRecord, clew.replay, text).startswith("A record is its text, or the Path of its file, not ")


@each(
    ("arguments", "kind", "said"),
    [
        ({"level": HUGE}, UnknownBot, "There is no level <number of about 5001 digits>"),
        ({"level": [3]}, UnknownBot, "There is no level <list>"),
        ({"seconds": "1"}, BadOption, "more than 0 seconds and at most a day, not '1'."),
        ({"seconds": 10**400}, BadOption, "at most a day, not <number of about 401 digits>."),
        ({"seconds": float("nan")}, BadOption, "at most a day, not nan."),
        ({"seconds": True}, BadOption, "at most a day, not True."),
        ({"iterations": HUGE}, BadOption, "The number of iterations is a whole number from 1 to 10000000"),
        ({"iterations": 2.5}, BadOption, "The number of iterations is a whole number from 1 to 10000000, not 2.5."),
        ({"threads": 10**9}, BadOption, "The number of threads is a whole number from 1 to 1024, not 1000000000."),
        ({"threads": "2"}, BadOption, "The number of threads is a whole number from 1 to 1024, not '2'."),
        ({"seed": HUGE}, BadOption, "A seed is"),
    ],
)
def test_bots_that_cannot_be(arguments, kind, said):
    assert said in refused(kind, clew.bot, "palaces", **arguments)


@each(
    ("arguments", "said"),
    [
        ({"threads": 0}, "The number of threads"),
        ({"seconds": -1}, "A bot thinks for more than 0 seconds"),
        ({"stop": True}, "What stops a bot is a threading.Event, not True."),
        ({"progress": 5}, "What hears of the progress is a function, not 5."),
    ],
)
def test_limits_that_cannot_be(arguments, said):
    assert said in refused(BadOption, clew.Limits, **arguments)


@each("limits", [5, "1", {}, object()])
def test_what_is_no_limit(table, ant, limits):
    assert refused(BadOption, ant.choose, table.view(0), limits).startswith("The limits of a search are Limits(...)")


@each(
    ("changed", "said"),
    [
        ({"seat": 7}, "There is no seat 7 in The Lost Palaces."),
        ({"seat": HUGE}, "There is no seat <number of about 5001 digits> in The Lost Palaces."),
        ({"seat": -1}, "There is no seat -1 in The Lost Palaces."),
        ({"seat": "0"}, "There is no seat '0' in The Lost Palaces."),
        ({"seat": False}, "There is no seat False in The Lost Palaces."),
        ({"to_move": 5}, "The seats that owe a move are a list of numbers, not 5."),
        ({"to_move": ["0"]}, "The seats that owe a move are a list of numbers, not <list>."),
        ({"game": HUGE}, "This is a view of <number of about 5001 digits>, and the bot plays palaces."),
        ({"game": "x" * 900_000}, ", and the bot plays palaces."),
        ({"rules": [1]}, "The view is of rules <list> of The Lost Palaces; here are rules 1."),
        ({"rules": HUGE}, "The view is of rules <number of about 5001 digits> of The Lost Palaces"),
        ({"known": 5}, "What the view says is known cannot be read."),
        ({"known": "ß"}, "What the view says is known cannot be read."),
        ({"known": b""}, "What the view says is known cannot be read."),
    ],
)
def test_views_that_cannot_be(table, ant, changed, said):
    assert said in refused(BadView, ant.choose, table.view(0) | changed)


@each("view", [None, 5, "view", [], {}, {"known": ""}])
def test_what_is_no_view(ant, view):
    assert refused(BadView, ant.choose, view) == "A bot is shown a view, as Table.view(seat) gives it."


@each("seat", [HUGE, -HUGE, 2, "0", 0.0, True, [0], b"0"])
def test_seats_that_are_not_there(table, seat):
    twin = table.copy()
    twin.play("-K3")
    asked = [twin.view, twin.legal_moves, twin.events, twin.undo, twin.check_undo, lambda seat: twin.draft([], seat)]
    asked += [lambda seat, ask=ask: ask("-P1", seat) for ask in (twin.play, twin.make, twin.judge)]
    for ask in asked:
        assert refused(BadOption, ask, seat).startswith("There is no seat ")
    assert twin.length == 1


@each("move", [None, 5, HUGE, b"-K3", ["-K3"], clew.Move(5, 0)])
def test_moves_that_are_no_text(table, move):
    for ask in (table.play, table.make, table.judge):
        said = refused(IllegalMove, ask, move, 0)
        assert said.startswith("A move is text as a record has it, not ")
        assert said.endswith("(COM-06)")
    assert table.length == 0


@pytest.mark.parametrize("name", clew.games())
def test_a_long_move_is_not_said_again(name):
    t = clew.new(name, seed=7)
    for text in ("K" * 900_000, "K" * 7_900, "!" * 7_900, "\x1b[31m" * 50, "\u2028" * 90):
        assert refused(IllegalMove, t.play, text, t.to_move[0]).endswith("(COM-06)")
    assert t.length == 0


def test_a_move_is_made_by_who_owes_it(table):
    twin = table.copy()
    assert str(twin.make("-K3")) == "-K3"
    assert twin.moves[0][0] == 0


@each("number", [-1, -HUGE, True, "1", 1.0, [1]])
def test_numbers_that_no_event_has(table, number):
    for arguments in ((0, number), (0, 0, number), (None, number)):
        assert refused(BadOption, table.events, *arguments).startswith("Events are numbered from 0, the opening; ")


def test_numbers_that_no_event_has_yet(table):
    assert table.events(0, HUGE) == table.events(0, 1, HUGE) == []
    assert len(table.events(0, 0, HUGE)) == 1


@each("known", [1, None, "yes", [True]])
def test_whether_a_view_carries_what_is_known(table, known):
    assert refused(BadOption, table.view, 0, known).startswith("Whether a view carries what is known is True or False")


@each("parts", [None, 5, "draw", {"R1@0,0"}, [5], [None], ["R1@0,0", b"R2@1,0"], iter(["R1@0,0"])])
def test_plays_in_the_making_that_are_none(table, parts):
    for t in (table, clew.new("aathenuo", seed=7)):
        assert refused(IllegalMove, t.draft, parts).endswith("(COM-06)")


def test_a_long_part_of_a_play_is_not_said_again():
    t = clew.new("aathenuo", seed=7)
    assert refused(IllegalMove, t.draft, ["x" * 7_900], 0).startswith("'xxxxx")
    assert refused(IllegalMove, t.draft, ["x" * 900_000], 0).startswith("A move has at most")


def test_nothing_played_is_nothing_to_take_back(table):
    for ask in (table.undo, table.check_undo, table.retract):
        assert refused(clew.CannotUndo, ask) == "Nothing has been played yet."


def test_all_errors_are_of_one_family():
    errors = [getattr(clew, name) for name in clew.__all__ if isinstance(getattr(clew, name), type)]
    errors = [kind for kind in errors if issubclass(kind, Exception)]
    assert {clew.BadView, clew.UnknownBot, clew.BadOption, clew.BadRecord} < set(errors)
    assert all(issubclass(kind, clew.ClewError) for kind in errors)
    assert issubclass(clew.ClewError, ValueError)


def test_the_surface_shows_itself():
    assert set(clew.__all__) <= set(dir(clew))
    shown = pydoc.render_doc(clew, renderer=pydoc.plaintext)
    for name in clew.__all__:
        assert name in shown
    assert "new(name:" in shown
    assert "class Table" in shown


def test_asking_what_there_is_loads_no_compiler():
    code = "import sys, clew; dir(clew); sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
