"""What bots do in a game of which only the rules are known: their playouts look ahead for points."""

from pathlib import Path

import numpy as np
import pytest

import clew
from clew.bots.arena import Arena
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.levels import LEVELS, plan_for
from clew.bots.simulation import TO_THE_END, UNIFORM
from clew.core.game import load
from clew.core.kernels import interpreted
from clew.core.rng import stream

ROOT = Path(__file__).parents[2]
PEBBLES = ROOT / "tests" / "core" / "pebbles"
RIVAL = "a4 a5 a6 b5 c3 c4"


@pytest.fixture(scope="module")
def dunes():
    return load(str(ROOT / "examples" / "dunes"))


def dealt(dunes, hand):
    """A table at which the first player holds this hand."""
    held = {*hand.split(), *RIVAL.split()}
    pile = [f"{colour}{value}" for colour in "abcd" for value in range(2, 10) if f"{colour}{value}" not in held]
    deal = [f"deal hand 0: {hand}", f"deal hand 1: {RIVAL}", f"deal pile: {' '.join(pile)}"]
    lines = ["clew-record 1", "game: dunes", "rules: 1", "players: 2", *deal, "moves:", ""]
    return clew.replay("\n".join(lines), dunes)


def most_promising(dunes, t):
    """The moves that a playout may make, as they are written."""
    found, states, out = set(), dunes.states(5), dunes.moves(2 * dunes.rules.MOVES)
    kernel = interpreted(heuristics_for(dunes).kernels.most_promising)
    states[1] = t._states[-1][0]
    count = dunes.kernels.legal(states[1], 0, out)
    scores, places = np.zeros((2, 2), np.int64)
    for first in range(count):
        at = kernel(states[1], 0, out, count, first, states, stream(1), scores, places)
        found.add(str(dunes.words.write(out[at], t._look(0)[0])))
    return found


def test_a_playout_begins_what_will_pay_with_its_lowest_card(dunes):
    assert most_promising(dunes, dealt(dunes, "a2 a7 a8 a9 b3 d3")) == {"a2"}


def test_a_playout_begins_nothing_that_will_not_pay(dunes):
    moves = most_promising(dunes, dealt(dunes, "b2 b3 b6 c2 d2 d3"))
    assert moves
    assert all(move.startswith("-") for move in moves)


def test_only_what_cannot_be_searched_to_the_end_is_looked_ahead_in(dunes, tmp_path):
    plans = [plan_for(heuristics_for(dunes), level) for level in LEVELS]
    assert [plan.method for plan in plans] == ["flat"] * 6
    assert [plan.depth for plan in plans] == [UNIFORM] * 2 + [TO_THE_END] * 4
    assert plans[4].iterations < LEVELS[4].iterations
    small = plan_for(heuristics_for(load(str(PEBBLES))), LEVELS[4])
    assert (small.method, small.depth, small.iterations) == ("tree", UNIFORM, LEVELS[4].iterations)
    wide = plan_for(Heuristics(load("ariadne"), written=False, usual=False), LEVELS[4])
    assert (wide.method, wide.depth) == ("tree", UNIFORM)


def test_a_game_with_heuristics_does_not_look_ahead():
    for name in clew.games():
        assert not heuristics_for(load(name)).looks_ahead


def test_looking_ahead_beats_playouts_at_random(dunes):
    heuristics_for(dunes).ready()  # un-compiled it would take minutes
    contest = Arena(dunes, ["flat:40", "flat:400:depth=-2"], 8, seed=1)
    assert contest.run()
    assert contest.standings()[0]["win_rate"] > 0.6
