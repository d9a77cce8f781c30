"""What is learnt from nothing but the rules: the network, its lessons, its file, and who plays by it."""

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import clew
from clew.bots import learnt as files
from clew.bots import network, strength
from clew.bots.bot import bot
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.learnt import BadLearnt
from clew.bots.training import NAMED, STREAMS, Recipe, Trainer
from clew.cli import main
from clew.core import kernels
from clew.core.errors import BadOption, BadRules
from clew.core.game import load
from clew.core.knowledge import dream, look
from clew.core.protocol import LOOKS
from clew.core.rng import below, stream

pytestmark = pytest.mark.xdist_group("training")  # one worker compiles it, and trains, for all tests
EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = Recipe(hidden=8, second=6, games=2, worlds=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Dunes in a folder of its own, for what is learnt lies beside the rules."""
    folder = tmp_path_factory.mktemp("games") / "dunes"
    shutil.copytree(EXAMPLES / "dunes", folder, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    return folder


@pytest.fixture(scope="module")
def game(folder):
    return load(folder)


def trainer(game, out, **more):
    made = Trainer(game, out, **{"seed": 3, "recipe": SMALL, **more})
    made.ready()
    return made


@pytest.fixture(scope="module")
def trained(game, tmp_path_factory):
    made = trainer(game, tmp_path_factory.mktemp("out") / "dunes.npz")
    made.run(minutes=None, games=640)
    return made


def positions(game, trained, count):
    """States in the middle of games, each with the seat that is to move."""
    rng, out = stream(8, "positions"), game.moves(game.rules.MOVES)
    for _ in range(count):
        states = trained.tables[0].copy()
        game.kernels.deal(states[0], rng)
        game.kernels.start(states[0])
        for _ in range(below(rng, 6)):
            seat = int(game.kernels.mover(states[0]))
            game.kernels.apply(states[0], seat, out[below(rng, game.kernels.quick(states[0], seat, out))])
        yield states, int(game.kernels.mover(states[0]))


# The network


def by_numpy(trained, ids, values):
    """The network once more, part by part, as its docstring has it."""
    shape, weights = trained.shape, trained.weights().astype(np.float64)
    at, wide = shape.constants(NAMED), shape.hidden
    whole = shape.whole
    rows = weights[at["ROWS"] : at["BIASES"]].reshape(-1, wide)
    biases = weights[at["BIASES"] : at["INNER"]].reshape(-1, wide)
    inner = weights[at["INNER"] : at["INNER_BIASES"]].reshape(-1, shape.second)
    of_whole = np.zeros(whole)
    parts = [np.zeros((group.parts, group.size)) for group in shape.layout.groups[1:]]
    for number, value in zip(ids.tolist(), values.tolist()):
        if number < shape.layout.groups[0].size:
            of_whole[number] += value
        elif number >= shape.layout.size:
            of_whole[shape.layout.groups[0].size + number - shape.layout.size] += value
        else:
            k = max(k for k, group in enumerate(shape.layout.groups) if group.first <= number)
            group = shape.layout.groups[k]
            parts[k - 1][divmod(number - group.first, group.size)] += value
    seen, row = [np.maximum(0, of_whole @ rows[:whole] + biases[0])], whole * len(biases)
    for k, part in enumerate(parts, 1):
        told = of_whole @ rows[k * whole : (k + 1) * whole] + biases[k]
        seen.append(np.maximum(0, part @ rows[row : row + part.shape[1]] + told).sum(axis=0))
        row += part.shape[1]
    second = np.maximum(0, np.concatenate(seen) @ inner + weights[at["INNER_BIASES"] : at["OUTER"]])
    outer = weights[at["OUTER"] : at["OUTER_BIASES"]].reshape(-1, network.ANSWERS)
    return 1 / (1 + np.exp(-(second @ outer + weights[at["OUTER_BIASES"] :])))


def features(game, trained, states, seat):
    """What the network gets of a world, and what it answers."""
    at, kernel = trained.shape.constants(NAMED), trained.kernels
    ids, values = np.zeros(at["MOST"], np.int64), np.zeros(at["MOST"], np.float32)
    scores, places = np.zeros((2, 6), np.int64)
    views, weights = game.views(1), trained.weights()
    count = kernel.observe_world(states[0], seat, views, weights, ids, values, scores, places)
    sums, seen = np.zeros(at["SLOTS"] * at["HIDDEN"], np.float32), np.zeros(at["ACROSS"] * at["HIDDEN"], np.float32)
    second, answers = np.zeros(at["SECOND"], np.float32), np.zeros(network.ANSWERS)
    kernel.think(weights, ids, values, count, sums, seen, second, answers)
    return ids[:count], values[:count], answers


def test_the_kernel_computes_the_network(game, trained):
    for states, seat in positions(game, trained, 30):
        ids, values, answers = features(game, trained, states, seat)
        assert answers == pytest.approx(by_numpy(trained, ids, values), abs=1e-5)


def test_un_compiled_it_says_the_same(game, trained):
    plain, weights = kernels.interpreted(trained.kernels.worth), trained.weights()
    for states, seat in positions(game, trained, 12):
        un_compiled = plain(states[0], seat, weights)
        assert float(un_compiled) == pytest.approx(trained.kernels.worth(states[0], seat, weights), abs=1e-6)


def test_playouts_guess_the_same_compiled_or_not(game, trained):
    """Scratch that the compiler frees too early would be written over while a world is imagined."""
    policy, weights, out = trained.kernels.policy, trained.weights(), game.moves(game.rules.MOVES)
    weights[LOOKS] = 12
    for number, (states, seat) in enumerate(positions(game, trained, 60)):
        count = game.kernels.quick(states[0], seat, out)
        chosen = [
            int(choose(states[0], seat, out, count, weights, stream(number)))
            for choose in (policy, kernels.interpreted(policy))
        ]
        views, worlds = game.views(1), game.states(2)
        trained.kernels.guess(states[0], seat, stream(number), views, worlds, 1)
        hoped = [trained.kernels.prior(worlds[1], seat, out[at], weights) for at in chosen]
        assert hoped[0] == pytest.approx(hoped[1], abs=1e-6)  # two may look the same but for their rounding


def test_lessons_go_down_the_slope(game, trained):
    """The step of one lesson is the slope of the surprise, as small differences have it."""
    targets, large, tried = np.array([[0.9, 0.2]]), np.float32(1e8), 0
    for states, seat in positions(game, trained, 60):
        ids, values, _ = features(game, trained, states, seat)
        lessons, weights = np.array([[seat, 0, 0, len(ids)]]), trained.weights().copy()
        squares, before = np.full(len(weights), large, np.float32), weights.copy()
        told = ids.astype(np.int32)
        trained.kernels.learn(1, weights, squares, 1e4, 0.5, lessons, targets, told, values, np.zeros(2))
        step = (before.astype(np.float64) - weights) / 1e4 * np.sqrt(large)
        moved = np.flatnonzero(np.abs(step) > 1e-3)
        if len(moved) < 40:  # few units have anything to say here
            continue
        tried += 1

        def surprise(ids=ids, values=values):
            told = by_numpy(trained, ids, values)
            lost = -(targets[0] * np.log(told) + (1 - targets[0]) * np.log(1 - told))
            return lost[0] + 0.5 * lost[1]

        for k in np.random.default_rng(1).choice(moved, 20, replace=False):
            found = []
            for way in (1e-3, -1e-3):
                trained.mean[k - NAMED] += way
                found.append(surprise())
                trained.mean[k - NAMED] -= way
            assert step[k] == pytest.approx((found[0] - found[1]) / 2e-3, rel=0.05, abs=2e-3)
    assert tried >= 2


# Training


def test_the_same_seed_and_games_give_the_same_numbers_whatever_the_threads(game, tmp_path):
    made = [trainer(game, tmp_path / f"{threads}.npz", threads=threads) for threads in (1, 3)]
    for one in made:
        one.run(minutes=None, games=48)
    assert np.array_equal(made[0].mean, made[1].mean)
    assert made[0].about.games == 48
    other = trainer(game, tmp_path / "other.npz", seed=4)
    other.run(minutes=None, games=48)
    assert not np.array_equal(made[0].mean, other.mean)


def test_going_on_leads_where_one_run_would_have_led(game, tmp_path):
    whole = trainer(game, tmp_path / "whole.npz")
    whole.run(minutes=None, games=64)
    trainer(game, tmp_path / "parts.npz").run(minutes=None, games=32)
    parts = trainer(game, tmp_path / "parts.npz", seed=None)
    assert parts.about.games == 32
    parts.run(minutes=None, games=64)
    assert np.array_equal(whole.mean, parts.mean)
    assert np.array_equal(whole.squares, parts.squares)


def test_what_was_begun_otherwise_is_not_gone_on_with(game, trained):
    with pytest.raises(BadOption, match="was begun with seed 3, not 5"):
        Trainer(game, trained.out, seed=5, recipe=SMALL)
    with pytest.raises(BadOption, match="was begun with options"):
        Trainer(game, trained.out, options={"cost": 10}, recipe=SMALL)


def test_it_learns_to_beat_what_it_was(game, trained):
    fresh = trained.shape.begin(np.random.default_rng(1))
    fresh[: network.HEAD] = trained.mean[: network.HEAD]
    assert strength.against(trained, fresh, deals=200)["before_ci95"][0] > 0.6


def test_looking_at_its_strength_takes_no_longer_than_it_may(game, trained):
    """Ctrl-C must not wait for arenas, and in a long game they would take longer than the training."""
    before, stopped = trained.mean * np.float32(0.5), threading.Event()
    one_each = strength.against(trained, before, deals=STREAMS)
    assert strength.against(trained, before, seconds=0.0) == one_each
    assert strength.against(trained, before, seconds=60.0, stop=stopped, deals=3 * STREAMS) != one_each
    stopped.set()
    assert strength.against(trained, before, stop=stopped) == {}
    assert strength.against_level(trained, 2, stop=stopped) == {}


def test_it_plays_by_what_a_seat_knows(game, trained):
    rng = stream(4, "worlds")
    worker, weights = trained.workers[0], trained.weights()
    for states, seat in positions(game, trained, 30):
        worker.states[0] = trained.tables[0][0]
        choices = []
        for world in (states, dream(game, look(game, states, seat), rng)):
            worker.states[1] = world[0]
            choices.append(int(worker.best(seat, weights, stream(6))))
        assert choices[0] == choices[1]


def test_worlds_that_are_imagined_wrongly_are_told(tmp_path):
    wrong = tmp_path / "masks"
    shutil.copytree(EXAMPLES / "masks", wrong, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    text = (wrong / "rules.py").read_text()
    rule = "\n\n@rule\ndef imagine(v: Any, rng: Any, s: State) -> None:\n    s.turn = 1 - v.turn\n    s.players = 2\n"
    (wrong / "rules.py").write_text(text + rule)
    with pytest.raises(BadRules, match="do not look to a seat like what it saw"):
        trainer(load(wrong), tmp_path / "wrong.npz")
    assert not (tmp_path / "wrong.npz").exists()


# The file


def test_a_file_is_written_whole_or_not_at_all(game, trained, monkeypatch):
    before = trained.out.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadLearnt, match="cannot be written: No space left on device"):
        trained._save()
    assert trained.out.read_bytes() == before
    assert [file.name for file in trained.out.parent.iterdir()] == [trained.out.name]


def changed(trained, path, **about):
    learnt = files.read(trained.out, trained.game)
    learnt.about = replace(learnt.about, **about)
    learnt.save(path)
    return path


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"game": "masks", "fingerprint": "0" * 16}, "was learnt of masks, not of dunes"),
        ({"rules": 7}, "was learnt by rules 7 of dunes, here are 1"),
        ({"fingerprint": "0" * 16}, "declared its state otherwise"),
        ({"hidden": 16}, "declared its state otherwise"),
        ({"hidden": "16"}, "is damaged, or is not what was learnt"),
        ({"hidden": None}, "is damaged, or is not what was learnt"),
        ({"games": "640"}, "is damaged, or is not what was learnt"),
        ({"players": 2}, "is damaged, or is not what was learnt"),
        ({"seconds": None}, "is damaged, or is not what was learnt"),
        ({"format": 9}, "is of format 9"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(trained, tmp_path, about, said):
    with pytest.raises(BadLearnt, match=said):
        files.read(changed(trained, tmp_path / "other.npz", **about), trained.game)


@pytest.mark.parametrize("cut", [0, 1, 100, 0.5, 0.999])
def test_a_truncated_file_is_refused(trained, tmp_path, cut):
    whole = trained.out.read_bytes()
    path = tmp_path / "cut.npz"
    path.write_bytes(whole[: cut if isinstance(cut, int) else int(len(whole) * cut)])
    with pytest.raises(BadLearnt, match="is damaged, or is not what was learnt"):
        files.read(path, trained.game)


def test_a_file_with_any_byte_changed_is_refused_or_read(trained, tmp_path):
    whole, rng, path = trained.out.read_bytes(), stream(9, "bytes"), tmp_path / "changed.npz"
    refused = 0
    for _ in range(300):
        other = bytearray(whole)
        for _ in range(1 + below(rng, 4)):
            other[below(rng, len(other))] = below(rng, 256)
        path.write_bytes(other)
        with contextlib.suppress(BadLearnt):
            files.read(path, trained.game)
            continue
        refused += 1
    assert refused > 100


@pytest.mark.parametrize("lacking", ["net", "squares", "seen"])
def test_a_file_without_what_going_on_needs_is_not_gone_on_with(trained, tmp_path, lacking):
    learnt = files.read(trained.out, trained.game)
    learnt.training[lacking] = np.zeros(3, np.float32)
    learnt.save(tmp_path / "part.npz")
    assert files.read(tmp_path / "part.npz", trained.game).about.games == 640
    with pytest.raises(BadLearnt, match=r"needs: begin anew with --anew, or name another file with --out\.$"):
        Trainer(trained.game, tmp_path / "part.npz", recipe=SMALL)


def test_a_network_goes_on_in_its_own_size(game, trained, tmp_path):
    path = changed(trained, tmp_path / "small.npz")
    going_on = Trainer(game, path)
    assert (going_on.shape.hidden, going_on.shape.second) == (SMALL.hidden, SMALL.second)
    going_on.ready()
    going_on.run(minutes=None, games=656)
    assert files.read(path, game).about.games == 656


def test_a_network_that_learnt_nothing_takes_nobodys_place(game, trained, tmp_path):
    path = changed(trained, tmp_path / "good.npz")
    stopped = threading.Event()
    stopped.set()
    anew = trainer(game, path, anew=True)
    anew.run(stop=stopped)
    assert files.read(path, game).about.games == 640
    unwritten = trainer(game, tmp_path / "new.npz")
    unwritten.run(stop=stopped)
    assert not (tmp_path / "new.npz").exists()


def test_what_another_training_has_written_meanwhile_is_left_alone(game, trained, tmp_path):
    path = changed(trained, tmp_path / "both.npz")
    one, other = (trainer(game, path, seed=None) for _ in range(2))
    other.run(minutes=None, games=672)
    with pytest.raises(BadLearnt, match="was written by somebody else meanwhile"):
        one.run(minutes=None, games=656)
    assert files.read(path, game).about.games == 672


@pytest.mark.parametrize("content", [b"hello", b"PK\x05\x06" + bytes(18), json.dumps({}).encode()])
def test_a_foreign_file_is_refused(game, tmp_path, content):
    (tmp_path / "foreign.npz").write_bytes(content)
    with pytest.raises(BadLearnt, match="is damaged, or is not what was learnt"):
        files.read(tmp_path / "foreign.npz", game)


def test_a_small_file_that_holds_a_lot_is_refused(game, tmp_path):
    np.savez_compressed(tmp_path / "many.npz", weights=np.zeros(files.LARGEST // 4 + 1, np.float32))
    assert (tmp_path / "many.npz").stat().st_size < files.LARGEST // 100
    with pytest.raises(BadLearnt, match="is too large"):
        files.read(tmp_path / "many.npz", game)


# Who plays by it


def test_a_game_plays_by_what_lies_beside_it(folder, game, trained, tmp_path, monkeypatch):
    monkeypatch.setenv("CLEW_DATA", str(tmp_path))
    assert files.place_for(game) == folder / "learnt.npz"
    assert files.place_for(load("palaces")) == files.own_file(load("palaces"))
    shutil.copy(trained.out, folder / "learnt.npz")
    try:
        player = Heuristics(game, learnt=files.find(game))
        assert player.learnt.about.games == 640
        assert {"prior", "worth"} <= player.has
        assert player.method == "flat"
        t = clew.new(folder, seed=2)
        while t.to_move:
            seat = t.to_move[0]
            player = bot(game, level=3, seed=1)
            assert player.heuristics.learnt.about.games == 640
            choice = player.choose(t.view(seat))
            assert 0 <= choice.win <= 1
            t.play(choice, seat)
    finally:
        (folder / "learnt.npz").unlink()


def test_heuristics_of_its_own_go_first_unless_somebody_asks(tmp_path, monkeypatch):
    monkeypatch.setenv("CLEW_DATA", str(tmp_path))
    palaces = load("palaces")
    assert heuristics_for(palaces).learnt is None
    with pytest.raises(clew.core.errors.UnknownBot, match="Nothing was learnt of The Lost Palaces"):
        heuristics_for(palaces, "learnt")


# The command


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CLEW_DATA", str(tmp_path / "data"))

    def run(*arguments):
        code = main(["train", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("wrong", ["0", "-3", "nan", "inf", "1e9"])
def test_a_time_that_is_none_is_refused(command, folder, wrong):
    code, _, said = command(folder, "--minutes", wrong)
    assert code == 2
    assert said.count("\n") == 1
    assert "Training takes more than 0 minutes" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "There is no game"),
        (["masks/"], "There is no game"),
        (["cardtracks", "--players", "5"], "is for 2 players"),
        (["palaces", "-o", "edition=last"], "edition"),
        (["palaces", "--out", "/proc/nothing/learnt.npz"], "cannot be written"),
        (["palaces", "--out", "/tmp"], "is a folder"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(command, arguments, said):
    code, out, error = command(*arguments, "--games", "1")
    assert code == 2
    assert out == ""
    assert said in error
    assert error.count("\n") <= 2  # one may say that something is compiled


def test_training_from_the_command_line(command, folder, tmp_path):
    code, out, _ = command(folder, "--games", 16, "--seed", 1, "--out", tmp_path / "m.npz", "--json")
    assert code == 0
    about = json.loads(out)
    assert about["games"] == 16
    assert about["file"] == str(tmp_path / "m.npz")
    code, out, _ = command(folder, "--games", 32, "--out", tmp_path / "m.npz")
    assert code == 0
    assert "Going on with" in out
    assert "Learnt from 32 games, seed 1" in out


def test_ctrl_c_keeps_what_is_learnt(folder, tmp_path):
    out = tmp_path / "kept.npz"
    command = [sys.executable, "-m", "clew", "train", str(folder), "--minutes", "30", "--out", str(out)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while not out.exists() and child.poll() is None:  # it is written when its strength was looked at
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=120)
    assert child.returncode == 0
    assert "Learnt from" in said
    assert files.read(out, load(folder)).about.games >= 16
