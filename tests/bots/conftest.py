"""Bots that are compiled once for all tests, and positions of all games to ask them about."""

import pytest

import clew
from clew.bots.heuristics import heuristics_for
from clew.core.game import load
from clew.core.rng import below, stream


@pytest.fixture(params=clew.games())
def game(request):
    found = load(request.param)
    heuristics_for(found).ready()
    return found


@pytest.fixture
def palaces():
    found = load("palaces")
    heuristics_for(found).ready()
    return found


@pytest.fixture
def positions():
    """Tables of a game at random moments of random play."""

    def positions(game, count, seed=1):
        rng = stream(seed, "positions")
        found = []
        while len(found) < count:
            t = clew.new(game, seed=below(rng, 1 << 30))
            while t.to_move and len(found) < count:
                if below(rng, 4) == 0:
                    found.append(t.copy())
                seat = t.to_move[below(rng, len(t.to_move))]
                moves = t.legal_moves(seat)
                t.play(moves[below(rng, len(moves))], seat)
        return found

    return positions
