"""The view and the imagined worlds of Labyrinth, against a cover written by hand."""

import importlib.util
import random
from pathlib import Path

import pytest

import clew
from clew.core.game import load
from clew.core.knowledge import dream, look
from clew.core.rng import stream

SPEC = importlib.util.spec_from_file_location("labyrinth_cover", Path(__file__).parent / "covers" / "labyrinth.py")
covering = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(covering)


def covered(states, chair):
    hidden = states.copy()
    covering.cover(hidden[0], chair)
    return hidden


@pytest.mark.rule("LAB-12")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_chair_knows_what_is_not_covered_and_no_more(players):
    game, rng = load("labyrinth"), stream(players, "test")
    for seed in range(4):
        dice = random.Random(seed)
        t = clew.new("labyrinth", players=players, seed=seed, options={"hand": 1 + seed})
        while t.to_move:
            states = t._states[-1]
            for chair in (-1, *range(players)):
                known, hidden = look(game, states, chair), covered(states, chair)
                assert look(game, hidden, chair).tobytes() == known.tobytes()
                assert covered(dream(game, known, rng), chair).tobytes() == hidden.tobytes()
            t.play(dice.choice(t.legal_moves()))
