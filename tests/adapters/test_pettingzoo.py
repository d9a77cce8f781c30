"""PettingZoo's own checks for all games, and what they do not check: secrecy, errors, the end."""

import subprocess
import sys
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import clew
from clew.adapters import pettingzoo
from clew.core.game import load

CYCLES = {"aathenuo": 4}  # its moves are worth thinking about
NOT_IN_TURN = {"aathenuo", "cardtracks"}  # a player may have two moves in a row: cycles do not count moves of each


def play(env, moves):
    """Random moves of the agents that are to move."""
    for _ in range(moves):
        if any(env.terminations.values()):
            return
        env.step(env.action_space(env.agent_selection).sample())


@pytest.mark.filterwarnings("ignore:Observation")  # is a dictionary, as in all games with a mask
def test_the_checks_of_pettingzoo(size):
    name, players = size
    make = partial(pettingzoo.env, name, players=players)
    api_test(make(), num_cycles=CYCLES.get(name, 60))
    seed_test(make, num_cycles=CYCLES.get(name, 60))
    render_test(make)
    parallel = partial(pettingzoo.parallel_env, name, players=players)
    if name not in NOT_IN_TURN:
        max_cycles_test(SimpleNamespace(env=make, parallel_env=parallel))
    assert make().metadata["name"] == f"clew_{name}_v{load(name).version}"


def test_an_agent_sees_the_same_in_worlds_that_it_cannot_tell_apart(size, twins, same):
    name, players = size
    here, there = (pettingzoo.env(name, players=players, render_mode="ansi") for _ in range(2))
    for number, (states, world, seat) in enumerate(twins(name, players, 12)):
        agent, seen = f"player_{seat}", []
        for env, state in ((here, states), (there, world)):
            env.reset(seed=1)
            env._chair = seat
            env._buffers.states[0] = state[0]
            env._show(0, 1)
            env._select()
            seen.append((env.observe(agent), env.written(), env.render()))
        assert same(seen[0][0], seen[1][0])
        assert seen[0][1:] == seen[1][1:]
        if number == 0:
            here.render_mode = there.render_mode = "rgb_array"
            assert np.array_equal(here.render(), there.render())
            here.render_mode = there.render_mode = "ansi"


def test_who_watches_is_shown_nobodys_hand():
    env = pettingzoo.env("palaces", render_mode="ansi")
    env.reset(seed=7)
    assert "your hand" not in env.render()
    own = pettingzoo.env("palaces", render_mode="ansi", render_seat=0)
    own.reset(seed=7)
    assert "your hand" in own.render()


def test_a_game_is_that_of_a_table_with_the_same_seed():
    env, table = pettingzoo.env("cardtracks"), clew.new("cardtracks", seed=7)
    env.reset(seed=7)
    while table.to_move:
        action, text = max(env.written().items())
        table.play(text, int(env.agent_selection[-1]))
        env.step(action)
    assert all(env.terminations.values())
    scores = tuple(env.infos[agent]["score"] for agent in env.agents)
    assert scores == table.outcome.scores
    assert sum(env.rewards.values()) == 0
    while env.agents:
        env.step(None)
    assert not env.written()


def test_an_observation_stays_as_it_was_and_others_owe_nothing():
    env = pettingzoo.env("labyrinth", players=3)
    env.reset(seed=7)
    first = env.agent_selection
    seen = env.observe(first)
    kept = {name: array.copy() for name, array in seen.items()}
    assert env.observation_space(first).contains(seen)
    env.step(0)
    assert all(np.array_equal(seen[name], kept[name]) for name in seen)
    waits = env.observe(first)
    assert env.observation_space(first).contains(waits)
    assert not waits["action_mask"].any()
    assert (waits["moves"] == -1).all()
    assert not np.array_equal(waits["observation"], seen["observation"])


def test_what_may_not_be_done_is_said_in_the_manner_of_pettingzoo():
    env = pettingzoo.env("palaces")
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(AssertionError, match="reset"):
            call()
    with pytest.raises(AttributeError):
        env.agents  # noqa: B018
    env.reset(seed=7)
    agent = env.agent_selection
    before = env.observe(agent)
    for bad in (240, -1, 1.5, None, "K3"):
        with pytest.raises(AssertionError, match="not in its action space"):
            env.step(bad)
    forbidden = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(clew.IllegalMove, match=r"may not be taken.*\(PAL-"):
        env.step(forbidden)
    assert np.array_equal(env.observe(agent)["observation"], before["observation"])
    assert env.agent_selection == agent
    play(env, 100)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    listed = pettingzoo.env("labyrinth")
    listed.reset(seed=7)
    with pytest.raises(clew.BadOption, match="the list has"):
        listed.step(511)
    for settings in ({"render_mode": "film"}, {"max_cycles": 0}, {"render_seat": 2}, {"players": 9}):
        with pytest.raises(clew.BadOption):
            pettingzoo.env("palaces", **settings)


def test_pettingzoos_wrapper_ends_a_game_with_an_illegal_move():
    env = TerminateIllegalWrapper(pettingzoo.env("palaces"), illegal_reward=-1)
    env.reset(seed=7)
    observation, *_ = env.last()
    agent = env.agent_selection
    env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert env.terminations[agent]
    assert env.rewards[agent] == -1


def test_a_sample_is_a_legal_move_and_may_be_masked():
    env = pettingzoo.env("palaces")
    env.reset(seed=7)
    agent = env.agent_selection
    space, mask = env.action_space(agent), env.observe(agent)["action_mask"]
    assert {int(space.sample()) for _ in range(200)} <= set(np.flatnonzero(mask))
    one = np.zeros_like(mask)
    one[np.flatnonzero(mask)[-1]] = 1
    assert space.sample(one) == one.argmax()


def test_cycles_truncate():
    env = pettingzoo.env("palaces", max_cycles=3)
    env.reset(seed=7)
    play(env, 6)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    env.reset()
    assert not any(env.truncations.values())


def test_an_image_is_the_table_in_colours():
    env = pettingzoo.env("palaces", render_mode="rgb_array")
    env.reset(seed=7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        image = env.render()
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    assert image.shape[1] > 600
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 10
    play(env, 1)
    assert not np.array_equal(image, env.render())


WITHOUT = """
import sys
class Nothing:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
import clew, clew.cli
assert "gymnasium" not in sys.modules and "pettingzoo" not in sys.modules
try:
    __import__("clew.adapters." + sys.argv[1])
except ImportError as missing:
    print(missing)
"""


@pytest.mark.parametrize("extra", ["pettingzoo", "gymnasium"])
def test_a_missing_extra_is_named(extra):
    done = subprocess.run([sys.executable, "-c", WITHOUT, extra], capture_output=True, text=True)
    assert f"pip install clew[{extra}]" in done.stdout, done.stderr
