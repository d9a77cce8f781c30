"""Views and imagined worlds of Ariadne's Thread against a second statement of what each chair does not know."""

import importlib.util
import random
from pathlib import Path

import pytest

import clew
from clew.core.knowledge import dream, look
from clew.core.rng import stream

SPEC = importlib.util.spec_from_file_location("ariadne_cover", Path(__file__).parent / "covers" / "ariadne.py")
COVER = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(COVER)

TABLES = ({}, {"rounds": 1, "max_rounds": 1}, {"rounds": 3, "thread_min": 3}, {"rounds": 1, "face_down": "colour"})


def covered(game, states, chair):
    """A copy without what the chair does not know."""
    states = game.twin(states)
    COVER.cover(states[0], chair)
    return states


@pytest.mark.rule("ARI-19")
@pytest.mark.parametrize("seed", range(20))
def test_a_chair_is_shown_and_imagines_nothing_but_what_it_knows(seed):
    t = clew.new("ariadne", seed=seed, options=TABLES[seed % len(TABLES)])
    chance, rng = random.Random(seed), stream(seed, "imagined worlds")
    while True:
        states = t._states[-1]
        for chair in (-1, 0, 1):
            known, hidden = look(t.game, states, chair), covered(t.game, states, chair)
            assert look(t.game, hidden, chair).tobytes() == known.tobytes()
            assert covered(t.game, dream(t.game, known, rng), chair).tobytes() == hidden.tobytes()
        if not t.to_move:
            return
        t.play(chance.choice(t.legal_moves()))
