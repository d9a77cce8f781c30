"""The value net: the kernels compute what was learnt in training, from nothing that is secret."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from clew.bots import value_net
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.core.errors import ClewError
from clew.core.knowledge import dream
from clew.core.rng import stream

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture(scope="module")
def learn():
    spec = importlib.util.spec_from_file_location("learn", BENCH / "learn.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def noted(game, world, seat):
    parts, part, whole = game.heuristics.VALUE_NET[:3]
    seen = np.zeros((value_net.SIDES, parts, part)), np.zeros(whole)
    game.heuristics.features(world[0], seat, *seen)
    return seen


def test_the_kernel_computes_the_network_of_the_lessons(palaces, positions, learn):
    heuristics = heuristics_for(palaces)
    network = learn.Network(palaces.heuristics.VALUE_NET, np.random.default_rng(1))
    network.read(heuristics.weights[heuristics.named :])
    for t in positions(palaces, 40):
        for seat in range(2):
            parts, whole = noted(palaces, t._states[-1], seat)
            expected, _ = network.expect(parts[None], whole[None])
            assert heuristics.kernels.worth(t._states[-1][0], seat, heuristics.weights) == pytest.approx(
                expected[0], abs=1e-6
            )


def test_features_tell_only_what_the_seat_knows(palaces, positions):
    rng = stream(1, "worlds")
    for t in positions(palaces, 40):
        for seat in range(2):
            known = noted(palaces, t._states[-1], seat)
            other = noted(palaces, dream(palaces, t._look(seat), rng), seat)
            assert all(np.array_equal(a, b) for a, b in zip(known, other))


def test_lessons_teach(palaces, learn):
    found = learn.by_policy(palaces, 6000, seed=3)
    rng = np.random.default_rng(3)
    network = learn.Network(palaces.heuristics.VALUE_NET, rng)
    assert learn.fit(network, found, 3, rng) > 0.25


def test_a_gradient_is_the_slope(learn):
    rng = np.random.default_rng(5)
    network = learn.Network((2, 3, 2, 4, 5), rng)
    parts, whole, rewards = rng.random((7, 2, 2, 3)), rng.random((7, 2)), rng.random(7)

    def loss():
        expected, _ = network.expect(parts, whole)
        return -np.mean(rewards * np.log(expected) + (1 - rewards) * np.log(1 - expected))

    for array, slope in zip(network.arrays, network.gradient(parts, whole, rewards)):
        at = tuple(rng.integers(size) for size in array.shape)
        kept, step = array[at], 1e-6
        array[at] = kept + step
        above = loss()
        array[at] = kept - step
        below = loss()
        array[at] = kept
        assert slope[at] == pytest.approx((above - below) / (2 * step), abs=1e-6)


def test_an_evaluation_of_the_wrong_size_is_refused(palaces, monkeypatch):
    monkeypatch.setattr(palaces.heuristics, "VALUE_NET", (4, 19, 15, 2, 2))
    with pytest.raises(ClewError, match=r"needs a value net of \d+ numbers in value_net.npy"):
        Heuristics(palaces)
