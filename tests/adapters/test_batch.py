"""Many games as arrays: the same games as at a table, the same for any number of threads, and no world leaks."""

import copy
import pickle

import numpy as np
import pytest

import clew
from clew.adapters.buffers import bind
from clew.adapters.spaces import spaces_of
from clew.core.game import load
from clew.core.knowledge import look
from clew.core.observe import layout_of
from clew.core.rng import below, stream


def arrays(env):
    return [env.seat, env.obs, env.mask, env.moves, env.count, env.total, env.reward, env.score, env.done]


def play(env, steps):
    """Random actions; a copy of all arrays after each step."""
    seen = []
    for _ in range(steps):
        env.step(env.sample())
        seen.append([array.copy() for array in arrays(env)])
    return seen


def test_games_are_those_of_tables_with_the_same_seeds(size):
    name, players = size
    n = 1 if name == "aathenuo" else 2  # its moves are worth thinking about
    env = clew.batch(name, n=n, seed=5, players=players, slots=1 << 15)
    rng = stream(1, "choices")
    tables = [clew.new(name, players=players, seed=seed) for seed in env.seeds]
    over = [False] * n
    for _ in range(400):
        written = [env.written(i) for i in range(n)]
        actions = [sorted(choices)[below(rng, len(choices))] for choices in written]
        for i, table in enumerate(tables):
            if over[i]:
                continue
            seat = int(env.seat[i])
            assert seat == table.to_move[0]
            assert sorted(written[i].values()) == sorted(map(str, table.legal_moves(seat)))
            assert len(written[i]) == env.count[i] == env.total[i] == env.mask[i].sum()
            table.play(written[i][actions[i]], seat)
        env.step(actions)
        for i, table in enumerate(tables):
            if not over[i]:
                assert env.done[i] == (table.outcome is not None)
            if not over[i] and table.outcome:
                over[i] = True
                assert tuple(env.score[i]) == table.outcome.scores
                places, others = np.array(table.outcome.places), players - 1
                expected = [((places > place).sum() - (places < place).sum()) / others for place in places]
                assert np.allclose(env.reward[i], expected)
                assert env.seat[i] >= 0  # dealt anew
            elif not over[i]:
                assert not env.reward[i].any()
        if all(over):
            break
    assert all(over)


def test_an_observation_is_what_the_features_of_the_view_add_up_to(size, twins):
    name, players = size
    game = load(name)
    layout, spaces = layout_of(game), spaces_of(game)
    spaces.ready()
    for states, _, seat in twins(name, players, 10):
        views = look(game, states, seat)
        ids, values = np.zeros(layout.most, np.int64), np.zeros(layout.most, np.float32)
        row = np.zeros(layout.size, np.float32)
        count = layout.observe(views[0], ids, values)
        np.add.at(row, ids[:count], values[:count])
        assert np.array_equal(spaces.observation(views), row)


def test_worlds_that_a_seat_cannot_tell_apart_show_it_the_same(size, twins):
    name, players = size
    env = clew.batch(name, n=2, players=players, seed=1)
    buffers, different = env._buffers, 0
    show = bind(env._spaces.kernels.show, buffers, env._scratch[0], "low", "high")
    buffers.actions[:] = 0
    for states, world, seat in twins(name, players, 30):
        buffers.states[0], buffers.states[1] = states[0], world[0]
        show(0, 2)
        assert list(env.seat) == [seat, seat]
        for array in (env.obs, env.mask, env.moves, env.count, env.total):
            assert array[0].tobytes() == array[1].tobytes()
        assert env.written(0) == env.written(1)
        here, there = env.worlds(0, 3), env.worlds(1, 3)
        assert here.states.tobytes() == there.states.tobytes()
        different += states.tobytes() != world.tobytes()
    assert different > 20


def test_the_same_seed_gives_the_same_games_whatever_the_threads():
    one = clew.batch("palaces", n=600, seed=3, threads=1)
    two = clew.batch("palaces", n=600, seed=3, threads=2)
    assert two.threads == 2
    for here, there in zip(play(one, 100), play(two, 100)):
        assert all(map(np.array_equal, here, there))
    other = clew.batch("palaces", n=600, seed=4, threads=2)
    assert not set(one.seeds) & set(other.seeds)
    assert not np.array_equal(one.obs, other.obs)


def test_reset_deals_the_next_games_or_those_of_a_seed():
    env = clew.batch("cardtracks", n=4, seed=3)
    first = env.obs.copy()
    env.reset()
    assert not np.array_equal(env.obs, first)
    play(env, 60)
    env.reset(seed=3)
    assert np.array_equal(env.obs, first)
    assert not env.done.any()
    assert not env.reward.any()


def test_worlds_agree_with_the_view_and_differ_from_each_other():
    env = clew.batch("palaces", n=3, seed=3)
    play(env, 20)
    before = [array.copy() for array in arrays(env)]
    worlds = env.worlds(1, 40)
    assert all(map(np.array_equal, before, arrays(env)))
    assert (worlds.obs == env.obs[1]).all()
    assert len({state.tobytes() for state in worlds.states}) > 30
    assert worlds.states.tobytes() == env.worlds(1, 40).states.tobytes()
    assert worlds.states.tobytes() != env.worlds(1, 40, seed=1).states.tobytes()
    other = env.worlds(1, 5, seat=1 - int(env.seat[1]))
    assert (other.seat == env.seat[1]).all()
    assert len(np.unique(other.obs, axis=0)) > 1  # who is to move holds other cards in each
    play(worlds, 100)
    with pytest.raises(clew.ClewError, match="what its seats know"):
        env.states  # noqa: B018


def test_what_may_not_be_done_is_refused_and_changes_nothing():
    env = clew.batch("palaces", n=3, seed=3)
    before = [array.copy() for array in arrays(env)]
    good = env.sample()
    forbidden = int(np.flatnonzero(~env.mask[1])[0])
    for bad, said in (
        (np.where(np.arange(3) == 1, forbidden, good), r"Action \d+ in environment 1 may not be taken\. .*\(PAL-\d+\)"),
        ([good[0], 240, good[2]], "Action 240 in environment 1 is none of the actions 0 to 239"),
        ([good[0], good[1], -1], "Action -1 in environment 2"),
        (np.array([1 << 63] * 3, np.uint64), "environment 0"),
        (good[:2], r"array of 3 whole numbers.*shape \(2,\)"),
        (good.astype(float), "float64"),
        (good > 0, "bool"),
        (None, "object"),
    ):
        with pytest.raises(clew.ClewError, match=said):
            env.step(bad)
        assert all(map(np.array_equal, before, arrays(env)))
    env.mask[:] = True  # arrays are handed out, but nobody gains by writing to them
    with pytest.raises(clew.IllegalMove, match="environment 1"):
        env.step(np.where(np.arange(3) == 1, forbidden, good))
    env.step(good)


def test_an_index_beyond_a_list_is_refused():
    env = clew.batch("labyrinth", n=2, seed=3)
    with pytest.raises(clew.BadOption, match=f"its list has {env.count[1]} moves"):
        env.step([0, env.count[1]])
    env.count[:] = 500
    with pytest.raises(clew.BadOption, match="its list has"):
        env.step([0, 499])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n": 0}, "n is a whole number from 1"),
        ({"n": True}, "n is a whole number"),
        ({"n": 2, "players": 3}, "for 2 players"),
        ({"n": 2, "threads": 0}, "threads is a whole number"),
        ({"n": 2, "slots": 0}, "number of slots"),
        ({"n": 2, "seed": -1}, "A seed is"),
        ({"n": 2, "options": {"colour": "red"}}, "no option 'colour'"),
    ],
)
def test_a_batch_that_there_cannot_be(settings, said):
    with pytest.raises(clew.BadOption, match=said):
        clew.batch("palaces", **settings)


def test_an_unknown_game():
    with pytest.raises(clew.UnknownGame, match="no game 'chess'"):
        clew.batch("chess", n=1)


def test_a_list_that_is_longer_than_its_slots_is_spread_evenly():
    short, whole = (clew.batch("labyrinth", n=4, seed=9, slots=slots) for slots in (8, 1 << 15))
    for _ in range(20):
        for i in range(4):
            some, all_moves = list(short.written(i).values()), list(whole.written(i).values())
            count = min(8, len(all_moves))
            assert short.total[i] == len(all_moves)
            assert some == [all_moves[j * len(all_moves) // count] for j in range(count)]
            assert (short.moves[i, short.count[i] :] == -1).all()
        chosen = short.sample()
        whole.step([int(short.total[i]) * int(chosen[i]) // int(short.count[i]) for i in range(4)])
        short.step(chosen)


def test_parts_tell_moves_apart_and_have_names():
    env = clew.batch("ariadne", n=1, seed=3)
    names = [part.name for part in env.action_spec.parts]
    assert names == ["form", "card", "cell"]
    for action, text in env.written(0).items():
        form, card, cell = env.moves[0, action]
        told = env.action_spec.parts
        words = {"play": "@", "swap": " swap ", "joker": " joker "}[told[0].names[form]]
        assert told[1].names[card] + words + told[2].names[cell] == text
    palaces = clew.batch("palaces", n=1, seed=3)
    assert all(palaces.action_spec.names[action] == text for action, text in palaces.written(0).items())
    assert len(set(palaces.obs_spec.names)) == palaces.obs_spec.size


def test_other_libraries_take_the_arrays_as_they_are():
    env = clew.batch("palaces", n=4, seed=3)
    for array in (env.obs, env.mask, env.seat, env.reward, env.done, env.count, env.moves):
        taken = np.from_dlpack(array)
        assert array.flags.c_contiguous
        assert taken.size == 0 or np.shares_memory(taken, array)
    held = env.obs
    env.step(env.sample())
    assert held is env.obs


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_batch_is_not_copied_with_kernels_that_go_on_with_the_other_one(copied):
    env = clew.batch("palaces", n=2, seed=1)
    with pytest.raises(clew.ClewError, match="cannot be copied or pickled"):
        copied(env)


def test_a_batch_of_worlds_shows_no_states_of_games_that_it_plays_after_them():
    worlds = clew.batch("palaces", n=1, seed=1).worlds(0, 2)
    assert len(worlds.states) == 2
    worlds.reset(7)
    with pytest.raises(clew.ClewError, match="only imagined worlds"):
        _ = worlds.states


def test_seeds_may_be_numbers_of_numpy():
    assert clew.batch("palaces", n=2, seed=np.int64(5)).seeds == clew.batch("palaces", n=2, seed=5).seeds
