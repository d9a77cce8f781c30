"""A table of any game: whose turn it is, what is refused, what is told, what can be taken back."""

import json

import pytest

import clew
from clew import BadOption, CannotUndo, IllegalMove, UnknownGame

rule = pytest.mark.rule


def everything(t):
    """All that anybody can see of a table, and its truth."""
    chairs = [*range(t.players), None]
    return t.record(), [t.view(c) for c in chairs], [t.events(c) for c in chairs], t.to_move, t.outcome


def finished(seed=5):
    t = clew.new("palaces", seed=seed)
    while t.to_move:
        t.play(t.legal_moves()[-1])
    return t


@rule("COM-01")
def test_the_same_five_things_give_the_same_game():
    one, two = finished(), finished()
    assert everything(one) == everything(two)
    assert clew.new("palaces", seed=5).record() != clew.new("palaces", seed=6).record()


@rule("COM-01")
def test_a_seed_deals_the_same_forever():
    lines = clew.new("palaces", seed=7).deal_lines()
    assert lines["first"] == "0"
    assert lines["hand 0"] == "Z1 P3 P8 ZX ZA K3 M5 K4"
    assert lines["hand 1"] == "P1 MX P2 M4 P6 Z9 Z6 P4"
    assert lines["pile"].startswith("M9 PX K4 K7 Z2 PA M6 M9 M5 M10")
    assert lines["finds K"] == "F15 R S S S"


def test_without_a_seed_every_table_is_another():
    assert clew.new("palaces").record() != clew.new("palaces").record()


@rule("COM-08")
def test_a_seat_moves_only_when_it_owes_a_move():
    t = clew.new("palaces", seed=7)
    before = everything(t)
    with pytest.raises(IllegalMove, match=r"It is Blue's turn, not yours. \(COM-08\)"):
        t.play("-P1", 1)
    assert t.legal_moves(1) == []
    assert everything(t) == before


@rule("COM-08")
def test_after_the_end_nobody_moves():
    t = finished()
    before = everything(t)
    for seat in (0, 1, None):
        with pytest.raises(IllegalMove, match="The game is over") as error:
            t.play("-K1", seat)
        assert error.value.rule == "COM-08"
        assert t.legal_moves(seat) == []
    assert t.to_move == ()
    assert everything(t) == before


@rule("COM-03")
@rule("COM-06")
@pytest.mark.parametrize("text", ["", "K", "K77", "K7:x", "-K7:a", "k7", "K7 K7", "٧", "K7:a\n0 K8", "x" * 10_000])
def test_what_is_not_a_move_is_refused_and_changes_nothing(text):
    t = clew.new("palaces", seed=7)
    before = everything(t)
    with pytest.raises(IllegalMove) as error:
        t.play(text)
    assert error.value.rule == "COM-06"
    assert "\n" not in error.value.reason
    assert everything(t) == before


@rule("COM-03")
def test_a_refusal_names_the_rule_and_says_why():
    t = clew.new("palaces", seed=7)
    with pytest.raises(IllegalMove) as error:
        t.play("ZA")
    assert error.value.rule == "PAL-07"
    assert error.value.reason.startswith("You have no pawn on the path to Zakros")
    assert str(error.value).endswith("(PAL-07)")


@rule("COM-06")
def test_every_legal_move_is_read_back_from_its_written_form():
    t = clew.new("palaces", seed=9)
    while t.to_move:
        moves = t.legal_moves()
        assert len(set(map(str, moves))) == len(moves)
        for move in moves[:: max(1, len(moves) // 3)]:
            twin = t.copy()
            twin.play(str(move))
            assert twin.moves[-1][1] == move
        t.play(moves[len(t.moves) % len(moves)])


@rule("COM-04")
def test_who_asks_and_how_often_changes_nothing():
    t = clew.new("palaces", seed=7)
    before = everything(t)
    assert t.legal_moves() == t.legal_moves(0) == t.copy().legal_moves(0)
    assert everything(t) == before


@rule("COM-05")
def test_every_game_ends_within_the_longest_that_its_rules_name():
    for seed in range(20):
        t = clew.new("palaces", seed=seed)
        while t.to_move:
            t.play(t.legal_moves()[seed % len(t.legal_moves())])
        assert len(t.moves) <= t.game.rules.LONGEST


@rule("COM-02")
def test_a_view_is_plain_data():
    t = clew.new("palaces", seed=7)
    for chair in (0, 1, None):
        view = t.view(chair)
        assert json.loads(json.dumps(view)) == view
        assert "seed" not in view


def test_a_copy_goes_its_own_way():
    t = clew.new("palaces", seed=7)
    before = everything(t)
    t.copy().play(t.legal_moves()[0])
    assert everything(t) == before


def test_events_can_be_read_from_any_point():
    t = clew.new("palaces", seed=7)
    t.play("K3:a")
    t.play("-P1")
    told = [str(event) for event in t.events(0)]
    assert told[0] == "Blue begins."
    assert [str(event) for event in t.events(0, since=2)] == ["Red discards Phaistos 1.", "Red draws a card."]
    assert json.dumps([event.json() for event in t.events(0)])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"players": 3}, "The Lost Palaces is for 2 players, not 3."),
        ({"players": True}, "The Lost Palaces is for 2 players, not True."),
        ({"options": {"edition": "gold"}}, "The option edition is classic, not 'gold'."),
        ({"options": {"colour": "red"}}, "The Lost Palaces has no option 'colour'; it has edition."),
        ({"seed": -1}, r"A seed is a whole number from 0 to 2\^256 - 1, not -1."),
        ({"seed": "7"}, r"A seed is a whole number from 0 to 2\^256 - 1, not '7'."),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(BadOption, match=sentence):
        clew.new("palaces", **arguments)


@pytest.mark.parametrize("name", ["chess", "", "palaces/", "../palaces", "rules", "Palaces"])
def test_an_unknown_game_is_refused(name):
    with pytest.raises(UnknownGame, match="There is no game"):
        clew.new(name)


@pytest.mark.parametrize("seat", [2, -1, "0", True])
def test_an_unknown_seat_is_refused(seat):
    t = clew.new("palaces", seed=7)
    for ask in (t.view, t.legal_moves, t.events, lambda seat: t.play("-K3", seat)):
        with pytest.raises(BadOption, match="There is no seat"):
            ask(seat)


def test_a_move_that_showed_something_stays():
    t = clew.new("palaces", seed=7)
    with pytest.raises(CannotUndo, match=r"Nothing has been played yet\."):
        t.undo(0)
    t.play("-K3")
    before = everything(t)
    with pytest.raises(CannotUndo, match=r"This move has shown something new to somebody, so it stays\."):
        t.undo(0)
    with pytest.raises(CannotUndo, match="The last move is Blue's"):
        t.undo(1)
    assert everything(t) == before
