"""What the bots' kernels do for the lab's, as signatures to be read: those made for the game take their place.

As of a game's own functions in `clew.core.protocol`, so that the stamp of compiled code covers all it depends on.
"""

from __future__ import annotations

from clew.core.kernels import rule
from clew.core.types import Floats, Integers, MoveCode, MoveCodes, State, States, ViewRecord


def determinize(v: ViewRecord, states: States, roots: Integers, n: int, rng: Integers) -> None:
    """Put world number n of those that the view allows into states[1]: see `clew.bots.simulation`."""


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
    """Play on by what the bots know, so many moves or to the end; whether the game is over."""
    return True


def reward_of(
    s: State, seat: int, over: bool, knobs: Floats, weights: Floats, scores: Integers, places: Integers
) -> float:
    """What a world is worth to a seat, from 0 to 1; after it `places` are written if the game is over."""
    return 0.0


def win_share(players: int, seat: int, over: bool, reward: float, places: Integers) -> float:
    """The part of the victory that a seat has."""
    return 0.0


@rule
def not_asked(s: State, seat: int, move: MoveCode) -> int:
    """In place of `refusal`, of games whose moves are no numbers."""
    return 0
