"""Bots choose the same, whether their search is interpreted, compiled, or becomes compiled on the way."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.registry import CPUDispatcher

import clew
from clew.bots.heuristics import heuristics_for
from clew.bots.search import Limits
from clew.core import kernels

CHOOSE = """
import json, sys, clew
name, *views = json.loads(sys.stdin.read())
bot = clew.bot(name, level=3, seed=3, iterations=40)
print(json.dumps([
    [[str(line.move), line.win, line.place, line.error, line.tries] for line in bot.choose(view).alternatives]
    for view in views
]))
"""


def chosen(bot, view, limits=None):
    choice = bot.choose(view, limits)
    return [[str(line.move), line.win, line.place, line.error, line.tries] for line in choice.alternatives]


@pytest.mark.slow
def test_an_interpreted_search_finds_the_same_to_the_last_digit(game, positions):
    # Interpreted, a solver takes long over a full table.
    tables = positions(game, 3, seed=6) if game.listed_in_full else [clew.new(game, seed=6)]
    views = [t.view(t.to_move[0]) for t in tables]
    bot = clew.bot(game, level=3, seed=3, iterations=40)
    done = subprocess.run(
        [sys.executable, "-c", CHOOSE],
        input=json.dumps([game.name, *views]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    compiled = json.loads(json.dumps([chosen(bot, view) for view in views]))
    assert json.dumps(json.loads(done.stdout)) == json.dumps(compiled)  # as text: not a number is equal to itself


@pytest.mark.parametrize("method", ["flat", "tree"])
def test_a_search_that_becomes_compiled_on_the_way_finds_the_same(palaces, positions, method):
    from clew.bots.contestants import contestant

    view = positions(palaces, 1, seed=8)[0]
    view = view.view(view.to_move[0])
    heuristics = heuristics_for(palaces)
    bot = contestant(f"{method}:60", heuristics, 5).bot
    whole = chosen(bot, view)
    kernel = heuristics.kernels.evaluate if method == "flat" else heuristics.kernels.expand
    machine, told = type(kernel), []

    def switch(done, total):
        told.append(kernels.live(kernel))
        if len(told) == 4:
            kernels.go_live([kernel])

    try:
        kernel.__class__ = kernels.Kernel
        assert chosen(bot, view, Limits(progress=switch)) == whole
    finally:
        kernel.__class__ = machine
    assert not told[0]
    assert told[-1]


@pytest.mark.parametrize("wide", [np.int64, np.uint8])
def test_keys_of_moves_are_the_same_interpreted_and_compiled(palaces, wide):
    words = np.random.default_rng(1).integers(0, 256, (20, 3)).astype(wide)
    key_of = heuristics_for(palaces).kernels.key_of
    interpreted = [kernels.interpreted(key_of)(words, i) for i in range(len(words))]
    assert interpreted == [CPUDispatcher.__call__(key_of, words, i) for i in range(len(words))]
    assert len(set(interpreted)) == len(words)
