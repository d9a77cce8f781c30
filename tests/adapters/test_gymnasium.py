"""Gymnasium's own checks, and what they do not check: opponents, ends, many games at once, errors."""

import functools

import gymnasium
import numpy as np
import pytest
from gymnasium import error
from gymnasium.utils.env_checker import check_env, data_equivalence

import clew
import clew.adapters.gymnasium  # registers the games
from clew.core.game import load

IDS = {name: f"clew/{name.title()}-v{load(name).version}" for name in clew.games()}
make = functools.partial(gymnasium.make, IDS["palaces"])


@pytest.mark.parametrize("name", IDS)
@pytest.mark.filterwarnings("error:::gymnasium")
def test_the_check_of_gymnasium(name, capsys):
    check_env(gymnasium.make(IDS[name]).unwrapped)


def test_every_game_is_registered_with_the_version_of_its_rules():
    assert {key for key in gymnasium.registry if key.startswith("clew/")} == set(IDS.values())


@pytest.mark.parametrize(
    ("name", "opponents"), [("cardtracks", "random"), ("labyrinth", "random"), ("palaces", "greedy")]
)
def test_many_games_are_the_same_as_one_and_one(name, opponents):
    many = gymnasium.make_vec(IDS[name], num_envs=3, opponents=opponents)
    single = [gymnasium.make(IDS[name], opponents=opponents) for _ in range(3)]
    seen, _ = many.reset(seed=11)
    expected = [env.reset(seed=11 + i)[0] for i, env in enumerate(single)]
    assert many.observation_space.contains(seen)
    ended = 0
    for step in range(70):
        actions = many.action_space.sample()
        if step == 30:
            actions[1] = int(np.flatnonzero(seen["action_mask"][1] == 0)[0])  # loses the second game
        seen, rewards, done, cut, info = many.step(actions)
        assert not cut.any()
        for i, env in enumerate(single):
            expected[i], reward, over, _, told = env.step(int(actions[i]))
            assert (reward, over) == (rewards[i], done[i])
            if over:
                ended += 1
                assert data_equivalence(info["final_obs"][i], expected[i])
                final = {key: info["final_info"][key][i] for key in told}
                assert final.pop("illegal", "").replace(" in environment 1", "") == told.pop("illegal", "")
                assert final == told
                expected[i], _ = env.reset()
            assert data_equivalence({key: rows[i] for key, rows in seen.items()}, expected[i])
    assert ended >= 3


def test_the_player_moves_when_the_others_have():
    for seat in (0, 1):
        env = make(opponents="level:1", seat=seat).unwrapped
        for seed in range(3):
            _, info = env.reset(seed=seed)
            against = env._against
            assert info["seat"] == against.mine[0] == against.buffers.seats[0] == seat
    seats = set()
    env = make()
    env.reset(seed=1)
    for _ in range(12):
        seats.add(env.reset()[1]["seat"])
    assert seats == {0, 1}


def test_the_end_of_a_game_is_told_once():
    env = make()
    seen, _ = env.reset(seed=5)
    for _ in range(42):
        seen, reward, over, cut, info = env.step(env.action_space.sample())
        if over:
            break
        assert reward == 0
        assert "score" not in info
    assert over
    assert not cut
    assert reward in (-1, 0, 1)
    assert not seen["action_mask"].any()
    assert seen["observation"].any()
    scores = env.unwrapped._against.buffers.score[0]
    assert info["score"] == scores[info["seat"]]
    assert reward == np.sign(scores[info["seat"]] - scores[1 - info["seat"]])
    with pytest.raises(error.ResetNeeded, match=r"reset\(\)"):
        env.unwrapped.step(0)
    cut = gymnasium.make(IDS["palaces"], max_episode_steps=3)
    cut.reset(seed=5)
    assert [cut.step(cut.action_space.sample())[3] for _ in range(3)] == [False, False, True]


def test_several_opponents_sit_in_order_after_the_player():
    env = gymnasium.make(IDS["labyrinth"], players=3, opponents=["random", "greedy"], seat=2).unwrapped
    env.reset(seed=1)
    assert [bot is None for bot in env._against._bots] == [True, False]
    over = False
    while not over:
        _, _, over, _, _ = env.step(env.action_space.sample())


def test_an_illegal_move_loses_or_is_an_error():
    env = make()
    seen, _ = env.reset(seed=5)
    forbidden = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, reward, over, cut, info = env.step(forbidden)
    assert (reward, over, cut) == (-1, True, False)
    assert "(PAL-" in info["illegal"]
    strict = make(illegal="raise")
    strict.reset(seed=5)
    with pytest.raises(error.InvalidAction, match=r"may not be taken.*\(PAL-"):
        strict.step(forbidden)
    strict.step(strict.action_space.sample())
    many = gymnasium.make_vec(IDS["palaces"], num_envs=2, illegal="raise")
    many.reset(seed=5)
    with pytest.raises(error.InvalidAction, match="240 in environment 1"):
        many.step(np.array([many.action_space.sample()[0], 240]))


def test_what_is_wrong_is_said_in_the_manner_of_gymnasium():
    env = make().unwrapped
    with pytest.raises(error.ResetNeeded):
        env.step(0)
    env.reset(seed=5)
    for bad in (240, -1, 0.5, "K3"):
        with pytest.raises(error.InvalidAction, match="not in the action space"):
            env.step(bad)
    many = gymnasium.make_vec(IDS["palaces"], num_envs=2)
    with pytest.raises(error.ResetNeeded):
        many.step(np.zeros(2, np.int64))
    many.reset()
    for bad in (np.zeros(3, np.int64), np.zeros(2)):
        with pytest.raises(error.InvalidAction, match="Actions are an array of 2 whole numbers"):
            many.step(bad)
    with pytest.raises(error.Error, match="3 seeds"):
        many.reset(seed=[1, 2, 3])
    for settings, said in (
        ({"opponents": "level:9"}, "no level 9"),
        ({"opponents": "cheat.py"}, "no opponent"),
        ({"opponents": ["random", "random"]}, "1 opponents, not 2"),
        ({"seat": 2}, "A seat is"),
        ({"players": 3}, "for 2 players"),
    ):
        with pytest.raises(clew.ClewError, match=said):
            make(**settings)
    with pytest.raises(error.Error, match="lose or raise"):
        make(illegal="ignore")


def test_the_player_sees_the_same_in_worlds_that_it_cannot_tell_apart(twins, same):
    here, there = (make(seat=0, render_mode="ansi").unwrapped for _ in range(2))
    for states, world, seat in twins("palaces", 2, 15):
        seen = []
        for env, state in ((here, states), (there, world)):
            env.reset(seed=1)
            against = env._against
            against.mine[0], against.buffers.states[0], against.buffers.actions[0] = seat, state[0], 0
            against._show(0, 1)
            seen.append((env._seen(), env.render()))
        assert same(seen[0][0], seen[1][0])
        assert seen[0][1] == seen[1][1]
        assert "your hand" in seen[0][1]
