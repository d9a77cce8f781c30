"""Whole games between two ways to weigh moves, inside the kernels: what weights are tuned by."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, deal, legal, policy, prior, result, start
from clew.core.rng import below
from clew.core.types import Floats, Integers, MoveCodes, State, States


@template
def greedy(s: State, seat: int, out: MoveCodes, count: int, weights: Floats, rng: Integers) -> int:
    """The index of the move that looks best; any of them if several do."""
    best, equals = 0, 0
    most = 0.0
    for i in range(count):
        look = prior(s, seat, out[i], weights)
        if i == 0 or look > most:
            best, most, equals = i, look, 1
        elif look == most:
            equals += 1
            if below(rng, equals) == 0:
                best = i
    return best


@template
def play_matches(
    n: int,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Floats,
    rivals: Floats,
    by_policy: bool,
    scores: Integers,
    places: Integers,
) -> float:
    """Play n deals from the blank states[0] once in each seat for `weights`, all others having `rivals`.

    The moves are the greedy ones, or by `policy`. How many of the others `weights` left behind, 1 being all.
    """
    total = 0.0
    players = int(states[0].players)
    for _ in range(n):
        states[1] = states[0]
        deal(states[1], rng)
        start(states[1])
        for seat in range(players):
            states[2] = states[1]
            s = states[2]
            turn = mover(s)
            while turn >= 0:
                own = weights if turn == seat else rivals
                count = legal(s, turn, out)
                if by_policy:
                    at = policy(s, turn, out, count, own, rng)
                else:
                    at = greedy(s, turn, out, count, own, rng)
                apply(s, turn, out[at])
                turn = mover(s)
            result(s, scores, places)
            for other in range(players):
                if other != seat:
                    ahead = 1.0 if places[other] > places[seat] else 0.5 if places[other] == places[seat] else 0.0
                    total += ahead / (players - 1)
    return total / (n * players)
