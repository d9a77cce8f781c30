"""What chairs are sent is made from a part that is alike for all: it is the view of each, byte for byte."""

import json
import random
from pathlib import Path

import pytest

import clew
from clew.core.game import names

PEBBLES = str(Path(__file__).parent / "pebbles")


@pytest.mark.parametrize("game", [*names(), PEBBLES])
def test_a_shared_view_is_the_view_of_each_chair_all_game_long(game):
    t = clew.new(game, seed=5)
    rng = random.Random(5)
    while True:
        for chair in (*range(t.players), None):
            assert json.dumps(t.shared_view(chair)) == json.dumps(t.view(chair))
        if not t.to_move:
            break
        seat = rng.choice(t.to_move)
        t.make(rng.choice(t.legal_moves(seat)), seat)


def test_what_is_alike_is_made_once_and_not_kept_for_the_next_position():
    t = clew.new("palaces", seed=7)
    first, other = t.shared_view(0)["table"], t.shared_view(1)["table"]
    assert first["paths"] is other["paths"]
    assert first["hand"] != other["hand"]
    t.play("-K3")
    assert t.shared_view(1)["table"]["discards"] == ["K3"]
    assert t.view(0)["table"]["paths"] is not t.view(1)["table"]["paths"]  # `view` gives what may be changed
