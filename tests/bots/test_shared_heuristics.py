"""Threads that ask for the heuristics of a game at the same time get the same: only one is told when it is compiled."""

import threading
from concurrent.futures import ThreadPoolExecutor

from clew.bots import heuristics


def test_two_threads_share_the_heuristics_of_a_game(monkeypatch):
    made, second = [], threading.Event()

    class Slow:
        def __init__(self, game, learnt):
            made.append(game)
            if len(made) == 2:
                second.set()
            second.wait(0.3)  # for another thread to come in between, if it can

    monkeypatch.setattr(heuristics, "Heuristics", Slow)
    monkeypatch.setattr(heuristics, "learnt_of", lambda game: None)
    game = object()
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(heuristics.heuristics_for, [game, game])
    assert one is other
    assert made == [game]
