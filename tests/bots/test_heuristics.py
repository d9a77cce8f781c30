"""What the heuristics of a game says of positions that need no search, and how its weights are fitted."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from clew.bots.heuristics import heuristics_for
from clew.core.game import load
from clew.games.aathenuo.tiles import TILE


@pytest.fixture(scope="module")
def fit():
    spec = importlib.util.spec_from_file_location("fit", Path(__file__).parents[2] / "bench" / "fit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def worth(*racks, places=None):
    """The evaluation of Aathenuo for the first seat."""
    game = load("aathenuo")
    states = game.blank({option.name: option.default for option in game.options}, len(racks))
    for seat, rack in enumerate(racks):
        for name in rack.split():
            states[0].rack[seat, TILE.codes[name]] += 1
    states[0].place[: len(racks)] = places or 0
    heuristics = heuristics_for(game)
    return heuristics.kernels.worth(states[0], 0, heuristics.weights)


def test_equal_racks_are_worth_half():
    assert worth("R1 Y5", "B1 G5") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("R1", "R1 Y5"),  # fewer tiles
        ("R1 R2", "R1 R5"),  # the next of its colour
        ("R1 B1", "R1 B4"),  # the same number
        ("R1 R*", "R1 B4"),  # a star waits for nothing
        ("R1 R2", "R1 R1"),  # a second of a kind is no mate
        ("R8 Y8", "R8 Y1"),  # the end of a colour is not beside the beginning of the next
    ],
)
def test_a_rack_is_worth_more_the_sooner_it_may_be_empty(better, worse):
    assert worth(better, worse) > 0.5 > worth(worse, better)
    assert worth(better, worse) + worth(worse, better) == pytest.approx(1)


def test_one_tile_less_counts_more_when_few_are_left():
    assert worth("R1", "R1 Y5") > worth("R1 Y5 B3 G7", "R1 Y5 B3 G7 R3")


def test_who_is_out_has_left_the_others_behind():
    assert worth("", "R1", places=(1, 0)) == 1
    assert worth("R1", "", places=(0, 1)) == 0
    assert worth("", "", "R1", places=(2, 1, 0)) == 0.5


def test_a_fit_finds_the_weights_that_made_the_ends(fit):
    rng = np.random.default_rng(1)
    features, made = rng.standard_normal((20_000, 2)), np.array([0.0, 0.8, -0.3])

    def expected(weights):
        return 1 / (1 + np.exp(-(features @ weights[1:])))

    got = (rng.random(len(features)) < expected(made)).astype(float)
    moments = SimpleNamespace(heuristics=SimpleNamespace(weights=np.array([7.0, 0.1, 0.1])), expected=expected, got=got)
    found = fit.fitted(moments, [1, 2], np.ones(len(got), bool))
    assert found == pytest.approx([7.0, 0.8, -0.3], abs=0.06)
    assert fit.surprise(expected(found), got) < fit.surprise(expected(moments.heuristics.weights), got)
    assert fit.surprise(np.full(4, 0.5), np.array([0.0, 1.0, 0.5, 1.0])) == pytest.approx(np.log(2))


def test_moments_of_games(fit):
    moments = fit.Moments(heuristics_for(load("aathenuo")), games=2, seed=3)
    assert set(moments.number) == {0, 1}
    assert set(moments.got) <= {0.0, 0.5, 1.0}
    for number in range(2):  # whoever had the last move is out, and was so at each turn before
        its = [(moments.seats[k], moments.got[k]) for k in np.flatnonzero(moments.number == number)]
        assert all(got == (seat == its[-1][0]) for seat, got in its)
    assert len(moments.expected(moments.heuristics.weights)) == len(moments.got)
