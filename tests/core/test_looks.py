"""What the words read: plain attributes, the same values as the record's, and good for compiled rules, too."""

import random
from pathlib import Path

import numpy as np
import pytest

import clew
from clew import IllegalMove
from clew.core import rule
from clew.core.knowledge import plain
from clew.core.protocol import SPECTATOR

JARS = str(Path(__file__).parent.parent / "check" / "jars")


@rule
def doubled(v):
    return 2 * v.players


@pytest.mark.parametrize("game", clew.games())
def test_every_field_has_the_value_of_the_record(game):
    table = clew.new(game, seed=3)
    for _ in range(6):
        table.play(table.legal_moves()[0])
    for chair in (0, 1, SPECTATOR):
        views = table._look(chair)
        seen = plain(views)
        for name in views.dtype.names:
            assert np.array_equal(getattr(seen, name), views[0][name]), name
        assert table.game.words.describe(seen) == table.game.words.describe(views[0])


def test_a_compiled_rule_takes_it_for_the_record():
    table = clew.new("palaces", seed=3)
    assert doubled(table._seen(0)) == doubled(table._look(0)[0]) == 4


def test_words_may_ask_the_rules():
    table, rng = clew.new(JARS, seed=3), random.Random(3)
    while table.to_move:
        seat = table.to_move[0]
        assert table.play(rng.choice(table.legal_moves(seat)), seat)
    assert table.view(0)["table"]["seats"]


def test_records_within_a_record_stay_what_they_are():
    inner = np.dtype([("x", np.int64)])
    views = np.zeros(1, np.dtype([("players", np.int64), ("cell", inner, (2,))])).view(np.recarray)
    assert plain(views).cell["x"].tolist() == [0, 0]


def test_looks_are_those_of_the_table_as_it_is():
    table = clew.new("palaces", seed=3)
    before = table.view(0), table.view(1), table.to_move
    twin = table.copy()
    twin.play(twin.legal_moves()[0])
    assert (table.view(0), table.view(1), table.to_move) == before
    assert twin.view(0) != before[0]
    twin.retract()
    assert (twin.view(0), twin.view(1), twin.to_move) == before


def test_judging_says_what_playing_would_and_changes_nothing():
    table = clew.new("palaces", seed=7)
    before = table.record()
    assert str(table.judge(" -K3 ", 0)) == "-K3"
    for move, seat, reason in (("K99", 0, "COM-06"), ("K3", 1, "COM-08")):
        with pytest.raises(IllegalMove) as judged:
            table.judge(move, seat)
        with pytest.raises(IllegalMove) as played:
            table.play(move, seat)
        assert str(judged.value) == str(played.value)
        assert judged.value.rule == reason
    assert table.record() == before
    assert table.draft(["-K3"], 0) is None


def test_events_of_one_move():
    table = clew.new("palaces", seed=7)
    for _ in range(4):
        table.play(table.legal_moves()[0])
    told = [table.events(None, i, i + 1) for i in range(table.length + 1)]
    assert [event for events in told for event in events] == table.events(None)
