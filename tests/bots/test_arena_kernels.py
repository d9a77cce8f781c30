"""Games inside the kernels are, move for move, those of bots that are asked one by one."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from clew.bots.arena import Arena, deal_seed
from clew.bots.bouts import Deal, WholeGames, play_by_moves
from clew.bots.heuristics import heuristics_for
from clew.core import kernels

EXAMPLES = Path(__file__).parents[2] / "examples"
SEED = 5


def games_of(arena):
    """The same deals in both ways, with the bots in the order of the arena."""
    never = threading.Event()
    for number in range(arena.deals):
        deal = Deal(arena.game, arena.options, arena.blank, deal_seed(arena.seed, number), number % arena.players)
        bots = [arena.bots[seat % len(arena.bots)] for seat in range(arena.players)]
        yield arena._whole_games.play(bots, deal, never), play_by_moves(bots, deal, never)


def plain(moves):
    """Moves to be compared, those that are records by their bytes."""
    return [(seat, np.asarray(move).tobytes()) for seat, move in moves]


def same(arena):
    """Whether all deals of an arena go the same way twice; how many moves that were."""
    moves = 0
    for whole, single in games_of(arena):
        assert plain(whole.moves) == plain(single.moves)
        assert (whole.places, whole.ending) == (single.places, single.ending)
        moves += len(whole.moves)
    return moves


@pytest.mark.parametrize("bots", ["level:2,level:3", "greedy,random", "level:1,greedy"])
def test_every_game_goes_the_same_way(game, bots):
    few = 2 if game.name in ("aathenuo", "ariadne") else 8
    assert same(Arena(game, bots.split(","), few, seed=SEED)) > 20


@pytest.mark.parametrize(("name", "players"), [("labyrinth", 3), ("labyrinth", 6), ("aathenuo", 3)])
def test_so_it_does_with_more_players(name, players):
    bots = ["level:2", "greedy", "random"]
    assert same(Arena(name, bots, 2 * players, players=players, seed=SEED)) > 20


@pytest.mark.parametrize("bots", ["tree:60,tree:90", "tree:60,flat:60", "tree:200:widen=1.0,random"])
def test_so_it_does_by_a_tree(palaces, bots):
    assert same(Arena(palaces, bots.split(","), 4, seed=SEED)) > 20


@pytest.mark.parametrize("name", ["dunes", "courtiers", "masks"])
def test_so_it_does_in_a_game_without_heuristics(name):
    assert same(Arena(str(EXAMPLES / name), ["level:2", "level:1"], 4, seed=SEED)) > 5


def test_a_secret_choice_is_drawn_alike():
    assert same(Arena("cardtracks", ["level:2", "level:6"], 40, seed=SEED)) > 200


INTERPRETED = """
import json, sys, threading
import numpy as np
from clew.bots.arena import Arena, deal_seed
from clew.bots.bouts import Deal, play_by_moves
name, bots, players, ways = json.loads(sys.argv[1])
arena = Arena(name, bots, 2, seed=5, players=players)
deal = Deal(arena.game, arena.options, arena.blank, deal_seed(5, 0), 0)
seated = [arena.bots[seat % len(arena.bots)] for seat in range(arena.players)]
play = {"whole": arena._whole_games.play, "single": play_by_moves}
print(json.dumps([
    [[seat, np.asarray(move).tobytes().hex()] for seat, move in play[way](seated, deal, threading.Event()).moves]
    for way in ways
]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bots", "players"),
    [
        ("palaces", ["flat:6", "tree:6"], 2),
        ("cardtracks", ["level:2", "level:1"], 2),
        ("labyrinth", ["greedy", "random"], 3),
    ],
)
def test_interpreted_games_are_those_of_machine_code(name, bots, players):
    found = []
    for switch, ways in (("0", ["whole"]), ("1", ["whole", "single"])):
        asked = json.dumps([name, bots, players, ways])
        env = {**os.environ, "NUMBA_DISABLE_JIT": switch, "CLEW_COMPILE": "ahead"}
        done = subprocess.run(
            [sys.executable, "-c", INTERPRETED, asked], capture_output=True, text=True, check=True, env=env
        )
        found += json.loads(done.stdout)
    assert found[0] == found[1] == found[2]
    assert len(found[0]) > 10


# In the arena


def results(arena):
    """What came of it, in any order of the games."""
    return arena.standings(), arena.by_seat(), arena.moves_a_game(), arena.endings


@pytest.mark.parametrize("threads", [1, 3])
def test_an_arena_comes_to_the_same_both_ways(palaces, threads):
    arenas = [
        Arena(palaces, ["level:1", "greedy", "random"], 8, seed=2, threads=count, whole=whole)
        for count, whole in ((threads, True), (1, False))
    ]
    assert all(arena.run() for arena in arenas)
    assert results(arenas[0]) == results(arenas[1])


def test_records_are_the_same_both_ways(palaces, tmp_path):
    for whole in (True, False):
        Arena(palaces, ["level:1", "random"], 4, seed=2, records=tmp_path / str(whole), whole=whole).run()
    texts = [sorted((file.name, file.read_text()) for file in (tmp_path / way).iterdir()) for way in ("True", "False")]
    assert len(texts[0]) == 4
    assert texts[0] == texts[1]


def test_games_move_into_the_kernels_as_soon_as_these_are_compiled(palaces, monkeypatch):
    ways, play = [], WholeGames.play
    monkeypatch.setattr(WholeGames, "play", lambda *given: ways.append("whole") or play(*given))
    monkeypatch.setattr("clew.bots.arena.play_by_moves", lambda *given: ways.append("moves") or play_by_moves(*given))
    kernel = heuristics_for(palaces).kernels.play_on
    machine = type(kernel)
    try:
        kernel.__class__ = kernels.Kernel
        arena = Arena(palaces, ["greedy", "random"], 40, seed=2)
        kernel.__class__ = kernels.Kernel
        arena.run(lambda done, total: kernels.go_live([kernel]))
    finally:
        kernel.__class__ = machine
    assert {"moves", "whole"} == set(ways)
    assert ways == sorted(ways, key=["moves", "whole"].index)


def test_a_decision_too_long_for_a_kernel_and_a_bot_from_a_file_are_asked_move_by_move(palaces, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, moves):\n    return moves[0]\n")
    arena = Arena(palaces, ["flat:1000000", str(file), "level:6"], 2, seed=1)
    assert [WholeGames.can([bot]) for bot in arena.bots] == [False, False, True]


def test_a_bot_is_asked_with_a_view_and_never_with_a_state(palaces):
    asked = []

    class Watched:
        name, plan = "watched", None

        def move(self, decision):
            asked.append(decision)
            return arena.bots[0].move(decision)

    arena = Arena(palaces, ["greedy", "random"], 2, seed=1)
    deal = Deal(palaces, arena.options, arena.blank, 1, 0)
    play_by_moves([Watched(), Watched()], deal, threading.Event())
    assert all(decision.views.dtype == palaces.view_type for decision in asked)
    assert all(set(vars(decision)) == {"game", "views", "luck", "shown", "said"} for decision in asked)
    assert all(decision.shown is None for decision in asked)


def test_ctrl_c_is_heard_within_a_game(palaces):
    stop = threading.Event()
    arena = Arena(palaces, ["level:6", "level:6"], 2, seed=1, whole=True)
    threading.Timer(0.3, stop.set).start()
    assert not arena.run(stop=stop)


def test_the_figures_of_an_arena(palaces):
    arena = Arena(palaces, ["level:1", "random"], 40, seed=1)
    arena.run()
    found = arena.json()
    assert [row["seat"] for row in found["seats"]] == [0, 1]
    assert sum(row["win_rate"] for row in found["seats"]) == pytest.approx(1)
    assert set(found["endings"]) == set(palaces.endings)
    assert sum(found["endings"].values()) == 40
    lengths = found["lengths"]
    assert lengths["min"] <= lengths["quartiles"][1] <= lengths["max"] <= palaces.rules.LONGEST
    assert lengths["min"] <= lengths["mean"] <= lengths["max"]


def test_bots_that_know_different_things_take_turns_in_their_kernels(palaces):
    arena = Arena(palaces, ["level:2", "level:1@nothing", "random"], 4, seed=SEED)
    assert same(arena) > 20
    arenas = [Arena(palaces, ["flat:20@nothing", "greedy"], 6, seed=2, threads=n, whole=n == 3) for n in (3, 1)]
    assert all(arena.run() for arena in arenas)
    assert results(arenas[0]) == results(arenas[1])
