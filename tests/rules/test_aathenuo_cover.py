"""What is secret at Aathenuo, by hand, against what the rules declare: views, and worlds imagined from them."""

import random

import pytest
from covers.aathenuo import cover

import clew
from clew.core.game import load
from clew.core.rng import stream

OPTIONS = {"colours": 3, "copies": 2, "stars": 2, "hand": 5}


def seen(game, states, chair):
    views = game.views(1)
    game.kernels.view(states[0], chair, views[0])
    return views


def covered(states, chair):
    hidden = states.copy()
    cover(hidden[0], chair)
    return hidden


@pytest.mark.rule("AAT-04")
@pytest.mark.parametrize("seed", range(20))
def test_what_is_covered_by_hand_is_neither_seen_nor_known(seed):
    game, rng, dice = load("aathenuo"), stream(seed, "covered"), random.Random(seed)
    table = clew.new("aathenuo", players=2 + seed % 3, seed=seed, options={**OPTIONS, "must_play": "free"})
    while True:
        states = table._states[-1]
        for chair in range(-1, table.players):
            view, world = seen(game, states, chair), game.states(1)
            assert seen(game, covered(states, chair), chair).tobytes() == view.tobytes()
            game.kernels.imagine(view[0], rng, world[0])
            assert covered(world, chair).tobytes() == covered(states, chair).tobytes()
        if not table.to_move:
            break
        table.play(dice.choice(table.legal_moves()))


@pytest.mark.rule("AAT-13")
def test_racks_that_lie_open_at_the_end_are_not_covered():
    game, rng = load("aathenuo"), stream(1, "covered")
    states = game.states(2)
    states[:1] = game.blank({option.name: option.default for option in game.options} | OPTIONS, 2)
    while states[1].ended != game.rules.PASSES:
        game.kernels.random_games(1, states, rng, game.moves(game.rules.MOVES))
    assert covered(states[1:], -1)[0].rack.tobytes() == states[1].rack.tobytes()
    assert seen(game, states[1:], -1)[0].rack.tobytes() == states[1].rack.tobytes()
