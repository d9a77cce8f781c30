"""Games for OpenSpiel: what needs it is checked in its own environment, all else here."""

import importlib.util
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from two_worlds import CHAIR, two_worlds

import clew
from clew.adapters import openspiel
from clew.adapters.openspiel.deals import all_deals
from clew.adapters.openspiel.positions import LARGEST_TENSOR, Setting, first
from clew.core.errors import BadOption, ClewError
from clew.core.game import load
from clew.core.table import new_from_deal

ROOT = Path(__file__).resolve().parents[2]
LEAP = ROOT / "bench" / "reduced" / "leap"
PEER = ROOT / ".venv-peer" / "bin" / "python"
PROGRAM = Path(__file__).with_name("openspiel_checks.py")
CHECKS = [line.split("(")[0].removeprefix("def ") for line in PROGRAM.read_text().splitlines() if "def check_" in line]


@pytest.fixture(scope="module")
def found():
    """What went wrong in each check, in an environment that has OpenSpiel."""
    python = str(PEER) if PEER.exists() else sys.executable
    if not PEER.exists() and importlib.util.find_spec("pyspiel") is None:
        pytest.skip("OpenSpiel is not installed here: make peer puts it into an environment of its own")
    # A few games: they are over before rules are compiled.
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([python, str(PROGRAM)], capture_output=True, text=True, env=env, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.xdist_group("openspiel")
@pytest.mark.parametrize("check", CHECKS)
def test_with_openspiel(found, check):
    assert len(found) == len(CHECKS) > 5
    assert found[check] == ""


def position(setting, deal):
    states = setting.game.twin(new_from_deal(setting.game, setting.players, None, deal)._dealt)
    setting.game.kernels.start(states[0])
    return first(setting, states)


def known(at, chair):
    """All that OpenSpiel is told of a position for one chair, and for who watches."""
    setting, told = at.setting, []
    for one in (chair, -1):
        tensor = np.zeros(setting.observed, np.float32)
        at.observe(one, tensor)
        told += [repr(at.observation(one)), tensor.tobytes()]
    told.append(at.information_state(chair))
    if setting.remembered <= LARGEST_TENSOR:
        tensor = np.zeros(setting.remembered, np.float32)
        at.remember(chair, tensor)
        told.append(tensor.tobytes())
    return told


@pytest.mark.parametrize("game", clew.games())
def test_two_worlds_that_look_alike_have_the_same_strings_and_tensors(game):
    deals, moves = two_worlds(game)
    setting = Setting(load(game), 2, None)
    worlds = [position(setting, deal) for deal in deals]
    assert worlds[0].states.tobytes() != worlds[1].states.tobytes()
    for seat, move in moves:
        one, other = worlds
        assert known(one, CHAIR) == known(other, CHAIR)
        if one.seat == CHAIR:
            assert one.legal() == other.legal()
        for number, world in enumerate(worlds):
            assert world.seat == seat
            worlds[number] = world.after(next(one for one in world.legal() if world.written(one) == move))
    assert worlds[0].over
    assert known(worlds[0], CHAIR) == known(worlds[1], CHAIR)


def test_each_situation_is_told_from_those_that_came_to_it_in_another_way():
    setting = Setting(load("palaces"), 2, None)
    at = setting.dealt(4)
    codes = {at.written(action): action for action in at.legal()}
    discards = [action for move, action in codes.items() if move.startswith("-")]
    one, other = at.after(discards[0]), at.after(discards[1])
    assert one.information_state(at.seat) != other.information_state(at.seat)
    assert one.information_state(one.seat) != other.information_state(one.seat)  # discards are open


@pytest.mark.usefixtures("interpreted")
def test_deals_are_listed_with_their_exact_odds(tmp_path):
    leap = load(LEAP)
    deals = all_deals(leap, Setting(leap, 2, None).blank)
    assert len(deals) == 24
    assert {chance for _, chance in deals} == {Fraction(1, 24)}
    pebbles = load(ROOT / "tests" / "core" / "pebbles")
    dealt = all_deals(pebbles, Setting(pebbles, 2, None).blank)
    assert sum(chance for _, chance in dealt) == 1
    sampled = {Setting(pebbles, 2, None).dealt(seed).states.tobytes() for seed in range(60)}
    assert sampled <= {state for state, _ in dealt}
    with pytest.raises(ClewError, match="more than 50000 ways"):
        all_deals(load("palaces"), Setting(load("palaces"), 2, None).blank)


def test_results_add_up_to_nothing():
    for players in (2, 3):
        setting = Setting(load("aathenuo"), players, {"hand": 5, "colours": 3, "copies": 1})
        at = setting.dealt(2)
        while not at.over:
            assert at.results() == [0.0] * players
            at = at.after(at.legal()[-1])
        assert sum(at.results()) == pytest.approx(0)
        assert max(at.results()) == 1
        with pytest.raises(ClewError, match="The game is over"):
            at.after(0)


def test_what_makes_no_sense_is_refused():
    for more, said in (({"chance": "coin"}, "chance is seed or deal"), ({"returns": "glory"}, "returns is victory")):
        with pytest.raises(BadOption, match=said):
            Setting(load("palaces"), 2, None, **more)
    at = Setting(load("labyrinth"), 2, None).dealt(1)
    with pytest.raises(ClewError, match="moves here, counted from 0: not 40000"):
        at.after(40_000)


def test_without_openspiel_one_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "clew.adapters.openspiel.games", raising=False)
    with pytest.raises(ClewError, match=r"pip install 'clew\[openspiel\]'"):
        openspiel.register("palaces")
