"""What a table asks of the rules for one move, in one call each: a call from Python takes longer than what it does."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.protocol import LEGAL, apply, ending, imagine, legal, refusal, to_move, view
from clew.core.types import Generator, MoveCode, MoveCodes, Numbers, States, ViewRecords

__all__ = ["listed", "look_round", "make", "reveals"]


@template
def make(states: States, after: States, seat: int, move: MoveCode, numbers: Numbers) -> int:
    """Make a move in after[0], from states[0]; the reason against it, or LEGAL.

    The numbers are those of `to_move` and `ending` after it.
    """
    reason = refusal(states[0], seat, move)
    if reason == LEGAL:
        after[0] = states[0]
        apply(after[0], seat, move)
        numbers[0] = to_move(after[0])
        numbers[1] = ending(after[0])
    return int(reason)


@template
def listed(states: States, seat: int, out: MoveCodes) -> int:
    """List the legal moves of a seat in states[0]; how many. A record as an argument costs more than an array."""
    return int(legal(states[0], seat, out))


@template
def look_round(states: States, views: ViewRecords) -> None:
    """Write what each chair knows of states[0] into the empty views: first who watches, then seat by seat."""
    for i in range(len(views)):
        view(states[0], i - 1, views[i])


@template
def reveals_to(
    chair: int,
    states: States,
    seat: int,
    move: MoveCode,
    n: int,
    rng: Generator,
    worlds: States,
    world_bytes: Numbers,
    views: ViewRecords,
    view_bytes: Numbers,
) -> bool:
    """Whether a move in states[0] tells the chair anything that it did not know.

    It does if in some world that the chair holds for possible the move would have been refused, or would have left
    the chair with another view. So many worlds are drawn: what shows in a share p of them is missed with probability
    (1 - p)^n.
    """
    view_bytes[:] = 0
    view(states[0], chair, views[0])
    worlds[0] = states[0]
    apply(worlds[0], seat, move)
    view(worlds[0], chair, views[1])
    for _ in range(n):
        world_bytes[:] = 0
        imagine(views[0], rng, worlds[0])
        if refusal(worlds[0], seat, move) != LEGAL:
            return True
        apply(worlds[0], seat, move)
        view_bytes[2] = 0
        view(worlds[0], chair, views[2])
        for b in range(view_bytes.shape[1]):
            if view_bytes[1, b] != view_bytes[2, b]:
                return True
    return False


@template
def reveals(
    states: States,
    state_bytes: Numbers,
    known: ViewRecords,
    i: int,
    seat: int,
    move: MoveCode,
    n: int,
    rng: Generator,
    worlds: States,
    world_bytes: Numbers,
    views: ViewRecords,
    view_bytes: Numbers,
) -> bool:
    """Whether a move in states[0] tells any chair what it did not know, looking at n worlds for each.

    If i is not 0, the states are as many worlds that known[0] allows, drawn one after the other. `worlds` and `views`
    are room for one and three; what is called bytes is the memory of the argument before it.
    """
    for _ in range(max(i, 1)):
        if i > 0:
            state_bytes[:] = 0
            imagine(known[0], rng, states[0])
        if refusal(states[0], seat, move) != LEGAL or reveals_to(
            seat, states, seat, move, n, rng, worlds, world_bytes, views, view_bytes
        ):
            return True
        for chair in range(-1, states[0].players):
            if chair != seat and reveals_to(chair, states, seat, move, n, rng, worlds, world_bytes, views, view_bytes):
                return True
    return False
