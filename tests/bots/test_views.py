"""Views that come back to a bot: those from here are known again, those from outside are checked before all else.

CLEW_TAMPERED=20000 tries so many changed views of each game, without it 1,000.
"""

import base64
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tampering import setting

import clew
from clew.core import views
from clew.core.game import load
from clew.core.kernels import interpreted

TAMPERED = int(os.environ.get("CLEW_TAMPERED", "1000"))
PEBBLES = Path(__file__).parent.parent / "core" / "pebbles"
UNCHECKED = "has no possible.py, so that its bots take only views of tables in this process"


@pytest.fixture
def forgetful(monkeypatch):
    """Nothing is known again: every view comes from outside."""
    monkeypatch.setattr(views, "REMEMBERED", 0)
    monkeypatch.setattr(views, "_given_out", {})


@pytest.fixture
def unchecked(monkeypatch):
    """Nothing can be checked: only what is known again gets through."""
    monkeypatch.setattr(views, "_declared", lambda game: None)


def changed(view, **fields):
    """A view with some fields of its record set to something else."""
    records = np.frombuffer(bytearray(base64.b64decode(view["known"])), load(view["game"]).rules.VIEW)
    for name, (at, value) in fields.items():
        records[name][(0, *at)] = value
    return view | {"known": base64.b64encode(records.tobytes()).decode()}


@pytest.mark.parametrize("seed", [1, 2])
def test_a_true_view_passes_whoever_brings_it(game, forgetful, seed):
    """From tables of all kinds at all times, by the seats that owe a move and by no other."""
    rng, asked = random.Random(seed), 0
    while asked < 12:
        table = setting(game, rng)
        while table.to_move:
            if rng.randrange(12) == 0:
                asked += 1
                for seat in range(table.players):
                    known = table.view(seat)["known"]
                    if seat in table.to_move:
                        views.read_known(game, seat, known)
                    else:
                        with pytest.raises(clew.BadView, match=f"No game of {game.title} leads to this view"):
                            views.read_known(game, seat, known)
            seat = rng.choice(table.to_move)
            table.make(rng.choice(table.legal_moves(seat)), seat)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_state_of_a_game_is_possible(game, seed):
    rng = random.Random(f"possible {seed}")
    declared, table = views._declared(game), setting(game, rng)
    possible, bounds = interpreted(declared.possible), views.bounds_of(game, declared)
    states = [table._states[0]]
    while table.to_move:
        seat = rng.choice(table.to_move)
        table.make(rng.choice(table.legal_moves(seat)), seat)
        states.append(table._states[-1])
    for state in [*rng.sample(states, min(20, len(states))), states[0], states[-1]]:
        assert views._within(state, bounds)
        assert possible(state[0], game.states(1)[0])


def test_views_from_here_are_known_again(game, unchecked):
    table = clew.new(game, seed=1)
    seat = table.to_move[0]
    bot = clew.bot(game, level=1, seed=1)
    shown = json.loads(json.dumps(table.view(seat)))
    assert bot.choose(shown) in table.legal_moves(seat)
    table.make(bot.choose(shown), seat)
    assert bot.choose(shown)  # it was true once
    with pytest.raises(clew.BadView, match=UNCHECKED):
        bot.choose(changed(shown, players=((), 3)))


def test_only_so_many_views_are_known_again(palaces, unchecked, monkeypatch):
    monkeypatch.setattr(views, "REMEMBERED", 3)
    monkeypatch.setattr(views, "_given_out", {})
    bot = clew.bot(palaces, level=1, seed=1)
    shown = [table.view(table.to_move[0]) for table in (clew.new(palaces, seed=seed) for seed in range(5))]
    for old in shown[:2]:
        with pytest.raises(clew.BadView, match=UNCHECKED):
            bot.choose(old)
    assert all(bot.choose(new) for new in shown[2:])


def test_what_is_known_again_is_known_with_who_owes_a_move(palaces):
    table = clew.new(palaces, seed=7)
    idle = table.view(1)
    with pytest.raises(clew.BadView, match="No game of The Lost Palaces leads to this view with a move that Red owes"):
        clew.bot(palaces, level=1, seed=1).choose(idle | {"to_move": [1]})


def test_a_choice_is_the_same_from_outside(game, forgetful):
    table = clew.new(game, seed=3)
    seat = table.to_move[0]
    assert str(clew.bot(game, level=2, seed=5).choose(table.view(seat))) in map(str, table.legal_moves(seat))


@pytest.mark.parametrize(
    "fields",
    [
        {"turns": ((), 84)},
        {"turns": ((), -1)},
        {"players": ((), 3)},
        {"edition": ((), 1)},
        {"first": ((), 1)},
        {"hand": ((3,), 48)},
        {"hand": ((3,), -1)},
        {"hand": ((slice(0, 3),), 0)},  # three of a card that is there twice
        {"statues": ((0,), 10)},  # the next find would be the eleventh
        {"statues": ((0,), 1)},
        {"step": ((0, 0), 9)},
        {"pawn": ((0, 0), 2)},
        {"finds": ((0, 0), 1)},
        {"log": ((0,), 3)},
        {"log": ((83,), 3)},
        {"pile_count": ((), 83)},
        {"points": ((0, 0), 5)},
        {"ended": ((), 1)},
    ],
    ids=str,
)
def test_a_view_that_no_game_leads_to(palaces, fields):
    view = clew.new(palaces, seed=7).view(0)
    with pytest.raises(clew.BadView, match="No game of The Lost Palaces leads to this view"):
        clew.bot(palaces, level=1, seed=1).choose(changed(view, **fields))


def test_changed_bytes_are_refused_or_true(game):
    """No crash, no hang, no error of others: in a process of its own, where a crash is seen."""
    script = Path(__file__).with_name("tampering.py")
    done = subprocess.run(
        [sys.executable, script, game.name, str(TAMPERED), "1"], capture_output=True, text=True, timeout=60 + TAMPERED
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["refused"] + found["chose"] == TAMPERED
    assert found["refused"] > TAMPERED / 2


# Games of others


def pebbles(folder, **changes):
    """The little game in a folder of its own, some files changed or left out."""
    shutil.copytree(PEBBLES, folder)
    for name, change in changes.items():
        file = folder / f"{name}.py"
        text = change(file.read_text())
        file.write_text(text) if text else file.unlink()
    return load(folder)


def opening(game, taken=0):
    """What its first player knows, with so many taken from a heap of five."""
    records = np.zeros(1, game.rules.VIEW)
    records["players"], records["heap"], records["coin"], records["taken"] = 2, 5, (1, 0), taken
    return base64.b64encode(records.tobytes()).decode()


def test_a_game_in_a_folder_is_checked_too():
    game = load(PEBBLES)
    assert views.read_known(game, 0, opening(game, taken=4))[0].taken == 4
    for taken in (5, 6):  # all of them, and more
        with pytest.raises(clew.BadView, match="No game of Pebbles leads to this view"):
            views.read_known(game, 0, opening(game, taken))


def test_a_game_of_ones_own_need_not_say_what_is_possible(tmp_path):
    game = pebbles(tmp_path / "pebbles", possible=lambda text: "")
    assert views.read_known(game, 0, opening(game, taken=4))[0].taken == 4
    with pytest.raises(clew.BadView, match="No game of Pebbles leads to this view"):
        views.read_known(game, 0, opening(game, taken=5))


def test_bounds_are_for_every_field(tmp_path):
    game = pebbles(tmp_path / "pebbles", possible=lambda text: text.replace('"lifted": (0, 1), ', ""))
    with pytest.raises(clew.UnknownGame, match=r"possible\.py: neither the field lifted nor BOUNDS"):
        views.read_known(game, 0, opening(game))
