"""Views and imagined worlds of Cardtracks against what is secret, as `covers` says it by hand."""

import random

import pytest
from covers.cardtracks import cover

import clew
from clew.core.game import load
from clew.core.rng import stream

OPTIONS = [{}, {"tracks": 2, "track_length": 2}, {"tracks": 5, "track_length": 3, "lanes": "shared"}, {"tracks": 4}]


def positions(seed):
    """All states of a random game, each as an array of one."""
    t = clew.new("cardtracks", seed=seed, options=OPTIONS[seed % len(OPTIONS)])
    rng = random.Random(seed)
    while True:
        states = t.game.states(1)
        states.view("u1")[:] = bytearray(t._states[-1].tobytes())
        yield states
        if not t.to_move:
            return
        seat = rng.choice(t.to_move)
        t.play(rng.choice(t.legal_moves(seat)), seat)


def view_of(states, chair):
    views = load("cardtracks").views(1)
    load("cardtracks").kernels.view(states[0], chair, views[0])
    return views


@pytest.mark.rule("CAR-14")
@pytest.mark.parametrize("seed", range(20))
def test_a_chair_sees_all_but_what_is_covered_and_imagines_only_that(seed):
    game, rng = load("cardtracks"), stream(seed, "test")
    for states in positions(seed):
        for chair in (0, 1, -1):
            covered, worlds = states.copy(), game.states(1)
            cover(covered[0], chair)
            views = view_of(states, chair)
            assert view_of(covered, chair).tobytes() == views.tobytes()
            game.kernels.imagine(views[0], rng, worlds[0])
            cover(worlds[0], chair)
            assert worlds.tobytes() == covered.tobytes()
