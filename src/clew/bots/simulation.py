"""One simulation: determinize a view, play that world out, and say what it is worth to each seat."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.playouts import mover, playout
from clew.core.protocol import apply, imagine, policy, quick, result, worth
from clew.core.rng import WORD, next32
from clew.core.types import Floats, Integers, MoveCodes, State, States, ViewRecord

KNOBS = ("lean", "comfort", "explore", "widen", "power")
LEAN, COMFORT, EXPLORE, WIDEN, POWER = range(len(KNOBS))
TALLIES = ("tries", "reward", "squares", "wins", "places")
TRIES, REWARD, SQUARES, WINS, PLACES = range(len(TALLIES))

TO_THE_END = -1  # as a depth: by the game's policy; a depth of UNIFORM is at random, to the end
UNIFORM = -2
BETTER = 1  # -1 in a game in which the lowest score wins
BLANK, WORLD, TRIAL, REPLY, NEXT = range(5)  # the states of a search; the last two are for a look ahead
WARM_UP = 10  # numbers thrown away until two worlds whose seeds look alike have nothing in common


@template
def determinize(v: ViewRecord, states: States, roots: Integers, n: int, rng: Integers) -> None:
    """Put world number n of those that the view allows into states[1], whose empty state is states[0].

    The random numbers depend on `roots` and n alone, so the world and the luck in its playouts are the same whichever
    thread comes to it, and for every candidate.
    """
    rng[0] = roots[0] ^ ((n * 0x9E3779B1) & WORD)
    rng[1] = roots[1] ^ ((n * 0x85EBCA6B) & WORD)
    rng[2] = roots[2] ^ n
    rng[3] = roots[3]
    for _ in range(WARM_UP):
        next32(rng)
    states[1] = states[0]
    imagine(v, rng, states[1])


@template
def rollout(
    s: State,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
) -> bool:
    """Play on by the policy, so many moves or to the end; whether the game is over.

    What it does not use is for the look ahead that takes its place where a game has no policy.
    """
    if depth == UNIFORM:
        playout(s, rng, out)
        return True
    seat = mover(s)
    while seat >= 0 and depth != 0:
        apply(s, seat, out[policy(s, seat, out, quick(s, seat, out), weights, rng)])
        depth -= 1
        seat = mover(s)
    return seat < 0


@template
def reward_of(
    s: State, seat: int, over: bool, knobs: Floats, weights: Floats, scores: Integers, places: Integers
) -> float:
    """What a world is worth to a seat, from 0 to 1: its place first, a little for the lead, which decides ties.

    After this `places[seat]` says the place, and `scores` the scores, if the game is over.
    """
    if not over:
        return worth(s, seat, weights)
    result(s, scores, places)
    behind = 0.0
    lead = BETTER * scores[seat]
    if s.players > 1:
        best = -(1 << 62)
        for other in range(s.players):
            if other != seat:
                best = max(best, BETTER * scores[other])
                behind += 1.0 if places[other] > places[seat] else 0.5 if places[other] == places[seat] else 0.0
        behind /= s.players - 1
        lead -= best
    reward: float = (1.0 - knobs[LEAN]) * behind + knobs[LEAN] * (0.5 + 0.5 * lead / (abs(lead) + knobs[COMFORT]))
    return reward


@template
def win_share(players: int, seat: int, over: bool, reward: float, places: Integers) -> float:
    """The part of the victory that a seat has: shared with all who are first, too."""
    if not over:
        return reward
    if places[seat] != 1:
        return 0.0
    equals = 0
    for other in range(players):
        equals += places[other] == 1
    return 1.0 / equals


@template
def add_playout(row: Floats, players: int, seat: int, over: bool, reward: float, places: Integers) -> None:
    """Add a playout to the tally's row of the move that it began with."""
    row[TRIES] += 1.0
    row[REWARD] += reward
    row[SQUARES] += reward * reward
    row[WINS] += win_share(players, seat, over, reward, places)
    row[PLACES] += places[seat] if over else 1.0 + (1.0 - reward) * (players - 1)
