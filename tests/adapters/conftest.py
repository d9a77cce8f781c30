"""Positions, and the same positions in other worlds that a seat holds for possible."""

import numpy as np
import pytest

from clew.core.game import load
from clew.core.knowledge import dream, look
from clew.core.rng import below, stream
from clew.core.table import set_up

SIZES = [("palaces", 2), ("cardtracks", 2), ("ariadne", 2), ("labyrinth", 2), ("labyrinth", 6), ("aathenuo", 4)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]} for {size[1]}")
def size(request):
    return request.param


@pytest.fixture
def twins():
    """States of random games with the seat that is to move, and other worlds with the same view for it."""

    def twins(name, players, count, seed=1):
        game, rng = load(name), stream(seed, "twins")
        kernels, out, found = game.kernels, game.moves(game.rules.MOVES), 0
        while found < count:
            states = set_up(game, players, None)[1].copy()
            kernels.deal(states[0], rng)
            kernels.start(states[0])
            while (seat := int(kernels.mover(states[0]))) >= 0 and found < count:
                if below(rng, 6) == 0:
                    world = dream(game, look(game, states, seat), rng)
                    found += 1
                    yield states.copy(), world, seat
                kernels.apply(states[0], seat, out[below(rng, kernels.quick(states[0], seat, out))])

    return twins


@pytest.fixture
def same():
    """Whether two observations are the same to the byte."""

    def same(one, other):
        return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)

    return same
