"""A bot knows what its seat knows: worlds that a seat cannot tell apart give the same choice.

Such worlds have equal views by definition, and a bot is shown nothing else. So what can be tested is that views hold no
more than they should, however a world was come by, and that a bot has no other source.
"""

import json
import os
import subprocess
import sys

import clew
from clew.bots.search import Limits
from clew.core.knowledge import dream
from clew.core.rng import stream

POSITIONS = 200


def twin_of(t, seat, number):
    """The same table in another world that the seat holds for possible."""
    twin = t.copy()
    views = t._look(seat)
    twin._states = [*t._states[:-1], dream(t.game, views, stream(number, "twin"))]
    return twin


def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_choice(game, positions):
    bot = clew.bot(game, level=1, seed=5)
    different = 0
    for number, t in enumerate(positions(game, POSITIONS)):
        seat = t.to_move[0]
        twin = twin_of(t, seat, number)
        different += twin._states[-1].tobytes() != t._states[-1].tobytes()
        assert bot.choose(twin.view(seat)) == bot.choose(t.view(seat))
    assert different > POSITIONS * 0.9


def test_the_same_public_moves_in_both_worlds_leave_the_same_choice(game, positions):
    bot = clew.bot(game, level=1, seed=5)
    compared = 0
    for number, t in enumerate(positions(game, POSITIONS, seed=2)):
        chair = (t.to_move[0] + 1) % t.players  # who waits holds many worlds for possible
        if chair in t.to_move:
            continue
        twin = twin_of(t, chair, number)
        seat = t.to_move[0]
        for move in sorted(set(t.legal_moves(seat)) & set(twin.legal_moves(seat)), key=str)[:3]:
            here, there = t.copy(), twin.copy()
            here.play(move, seat)
            there.play(move, seat)
            if chair in here.to_move and here.view(chair) == there.view(chair):
                compared += 1
                assert bot.choose(here.view(chair)) == bot.choose(there.view(chair))
    # In Cardtracks every move turns over new cards, in Aathenuo a play shows tiles that another world has in the bag:
    # two worlds soon show which one they are.
    assert compared > 3 or game.name == "cardtracks"


def test_a_bot_sees_a_view_and_never_a_state(game, positions):
    bot = clew.bot(game, level=2, seed=5)
    for t in positions(game, 10, seed=3):
        seat = t.to_move[0]
        view = t.view(seat)
        chosen = bot.choose(view)
        for states in t._states:
            states.view("u1")[:] = 0  # the table is swept clean behind the view
        assert bot.choose(json.loads(json.dumps(view))) == chosen


def test_the_choice_does_not_depend_on_the_number_of_threads(game, positions):
    bot = clew.bot(game, level=3, seed=5)
    for t in positions(game, 4, seed=4):
        view = t.view(t.to_move[0])
        one, two, three = (bot.choose(view, Limits(threads=count)) for count in (1, 2, 3))
        assert one == two == three
        assert [a.win for a in one.alternatives] == [a.win for a in two.alternatives]


ASK = """
import json, sys, clew
print(clew.bot(sys.argv[1], level=3, seed=9).choose(json.loads(sys.stdin.read())))
"""


def test_another_process_makes_the_same_choice(palaces, positions):
    for t in positions(palaces, 2, seed=5):
        view = t.view(t.to_move[0])
        done = subprocess.run(
            [sys.executable, "-c", ASK, "palaces"],
            input=json.dumps(view),
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": "77"},
        )
        assert done.stdout.strip() == str(clew.bot("palaces", level=3, seed=9).choose(view)), done.stderr


def test_another_seed_may_make_another_choice(palaces, positions):
    (t,) = positions(palaces, 1, seed=8)
    view = t.view(t.to_move[0])
    assert len({str(clew.bot("palaces", level=1, seed=seed).choose(view)) for seed in range(30)}) > 1
