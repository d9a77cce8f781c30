"""What must hold with OpenSpiel itself: a program for the environment that has it, which is not that of the tests.

Each function that begins with `check_` is one check; the program prints as JSON what went wrong in each, or nothing.
"""

import contextlib
import importlib
import io
import json
import random
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms import expected_game_score
from open_spiel.python.algorithms.exploitability import exploitability
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.policy import UniformRandomPolicy

import clew
from clew.adapters.openspiel import register

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
bench = importlib.import_module("exploitability")
GAMES = ("clew_palaces", "clew_cardtracks", "clew_ariadne", "clew_aathenuo", "clew_labyrinth")


def kuhn(folder):
    """Leap with three bulls, which is a game whose value everybody knows."""
    (name,) = register(bench.reduced(bench.LEAP, {"BULLS = 4": "BULLS = 3"}, Path(folder)))
    return pyspiel.load_game(f"{name}(chance=deal,returns=score)")


def refused(said, work, *arguments):
    """Whether something is refused with this sentence."""
    sentence = ""
    try:
        work(*arguments)
    except ValueError as error:
        sentence = str(error)
    assert sentence, arguments
    assert said in sentence, sentence


def dealt(game, seed):
    state, luck = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes())
        state.apply_action(luck.choices(outcomes, odds)[0])
    return state


def check_random_simulation():
    for name in (*GAMES, "clew_labyrinth(players=4)", "clew_aathenuo(players=3)", "clew_cardtracks(tracks=4)"):
        pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def check_moves_and_results_are_those_of_a_table():
    for name in GAMES:
        state, luck = dealt(pyspiel.load_game(name), 3), random.Random(1)
        seed = int.from_bytes(bytes(state.history()), "big")
        table = clew.new(name.removeprefix("clew_"), seed=seed)
        while not state.is_terminal():
            seat = state.current_player()
            assert seat == table.to_move[0]
            said = sorted(state.action_to_string(seat, action) for action in state.legal_actions())
            assert said == sorted(map(str, table.legal_moves(seat)))
            action = luck.choice(state.legal_actions())
            table.make(state.action_to_string(seat, action), seat)
            state.apply_action(action)
        places = table.outcome.places
        expected = [0.0, 0.0] if places == (1, 1) else [1.0 if place == 1 else -1.0 for place in places]
        assert state.returns() == expected


def check_a_resampled_state_looks_the_same_and_is_another():
    for name in GAMES:
        game = pyspiel.load_game(name)
        state, luck = dealt(game, 5), random.Random(2)
        tensors = game.get_type().provides_information_state_tensor
        different = 0
        for _ in range(24):
            if state.is_terminal():
                break
            me = state.current_player()
            world = state.resample_from_infostate(me, luck.random)
            assert world.information_state_string(me) == state.information_state_string(me)
            assert world.observation_string(me) == state.observation_string(me)
            assert world.observation_tensor(me) == state.observation_tensor(me)
            if tensors:
                assert world.information_state_tensor(me) == state.information_state_tensor(me)
            assert world.legal_actions() == state.legal_actions()
            assert world.current_player() == me
            different += world.at.states.tobytes() != state.at.states.tobytes()
            world.apply_action(world.legal_actions()[0])
            state.apply_action(luck.choice(state.legal_actions()))
        assert different > 10, name
        refused("no history", world.serialize)


def check_tensors_have_the_shapes_that_are_declared():
    for name in ("clew_palaces", "clew_cardtracks"):
        game = pyspiel.load_game(name)
        state = dealt(game, 1)
        assert game.observation_tensor_shape() == [len(state.observation_tensor(0))]
        public = game.make_observer(pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.NONE), {})
        assert public is not None
        kind = pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS)
        refused("There is no observation of all hands", game.make_py_observer, kind)
    palaces = pyspiel.load_game("clew_palaces")
    state = dealt(palaces, 1)
    first = np.array(state.information_state_tensor(0))
    assert palaces.information_state_tensor_shape() == [len(first)]
    me = state.current_player()
    state.apply_action(state.legal_actions()[0])
    assert np.array(state.information_state_tensor(me)).sum() > first.sum()


def check_information_states_have_perfect_recall():
    """Whoever is in one did and saw the same before, and has the same moves; there are as many as there must be."""
    with tempfile.TemporaryDirectory() as folder:
        game = kuhn(folder)
        found, ways = {}, []

        def walk(state, odds, past):
            if state.is_terminal():
                ways.append(odds)
                return
            if state.is_chance_node():
                for action, chance in state.chance_outcomes():
                    walk(state.child(action), odds * chance, past)
                return
            seat, key = state.current_player(), state.information_state_string()
            known = seat, past[seat], tuple(state.legal_actions()), state.observation_string()
            assert found.setdefault(key, known) == known
            for action in state.legal_actions():
                mine = (*past[seat], (key, action))
                walk(state.child(action), odds, {**past, seat: mine})

        walk(game.new_initial_state(), 1.0, {0: (), 1: ()})
        assert len(found) == 12  # three bulls, and four moments to choose
        assert len({known[0] for known in found.values()}) == 2
        assert abs(sum(chance for _, chance in game.new_initial_state().chance_outcomes()) - 1) < 1e-12
        assert len(ways) == 6 * 5


def check_cfr_finds_the_value_that_is_known():
    """Kuhn's poker is worth a loss of 1/18 to the first player, and who plays at random can be beaten by 11/24."""
    with tempfile.TemporaryDirectory() as folder:
        game = kuhn(folder)
        assert abs(exploitability(game, UniformRandomPolicy(game)) - 11 / 24) < 1e-9
        policy = bench.best_play(game, 150)
        assert exploitability(game, policy) < 0.005
        value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
        assert abs(value[0] + 1 / 18) < 0.005
        assert abs(sum(value)) < 1e-9


def check_cfr_on_the_reduced_games():
    with tempfile.TemporaryDirectory() as folder:
        (masks,) = register(
            bench.reduced(ROOT / "examples" / "masks", {**bench.SMALLER, "NUMBERS = 9": "NUMBERS = 2"}, Path(folder))
        )
        game = pyspiel.load_game(f"{masks}(chance=deal)")
        assert len(game.deals) == 3
        assert abs(sum(chance for _, chance in game.deals) - 1) < 1e-12
        assert sorted(round(6 * chance) for _, chance in game.deals) == [1, 1, 4]
        assert exploitability(game, bench.best_play(game, 40)) < 0.01
        weak = exploitability(game, bench.bots_policy(game, 1, 2))
        assert weak >= 0


def check_openspiels_own_bot_plays():
    game = pyspiel.load_game("clew_palaces")
    luck = np.random.RandomState(1)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, luck), 2.0, 12, random_state=luck)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, luck.random_sample))
    state = dealt(game, 2)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def check_what_makes_no_sense_is_refused():
    for text, said in (
        ("clew_palaces(chance=coin)", "The parameter chance is seed or deal"),
        ("clew_palaces(returns=glory)", "The parameter returns is victory or score"),
        ("clew_palaces(players=5)", "is for 2 players, not 5"),
        ("clew_palaces(edition=new)", "The option edition is classic"),
        ("clew_palaces(chance=deal)", "more than 50000 ways"),
    ):
        refused(said, pyspiel.load_game, text)
    state = dealt(pyspiel.load_game("clew_palaces"), 1)
    before = str(state)
    for action in (100_000, next(one for one in range(240) if one not in state.legal_actions())):
        refused("", state.apply_action, action)
        assert str(state) == before
    assert register("palaces") == ("clew_palaces",)  # again does no harm


def main():
    register()
    found = {}
    for name, check in list(globals().items()):
        if name.startswith("check_"):
            said = io.StringIO()
            try:
                with contextlib.redirect_stdout(said):
                    check()
                found[name] = ""
            except Exception:
                found[name] = traceback.format_exc()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
