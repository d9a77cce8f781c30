"""What a chair can know: views and worlds as bytes, and whether a move showed anything to anybody."""

from __future__ import annotations

from typing import Any

from clew.core.kernels import template
from clew.core.protocol import LEGAL, apply, imagine, refusal, view

__all__ = ["dream", "look", "reveals"]


@template
def look(states: Any, i: int, seat: int, views: Any, view_bytes: Any, j: int) -> None:
    """Write what the chair knows of states[i] into views[j], beginning with nothing."""
    for b in range(view_bytes.shape[1]):
        view_bytes[j, b] = 0
    view(states[i], seat, views[j])


@template
def dream(views: Any, j: int, rng: Any, states: Any, state_bytes: Any, i: int) -> None:
    """Write a world that views[j] allows into states[i], beginning with nothing."""
    for b in range(state_bytes.shape[1]):
        state_bytes[i, b] = 0
    imagine(views[j], rng, states[i])


@template
def reveals(
    states: Any, state_bytes: Any, views: Any, view_bytes: Any, seat: int, move: Any, chair: int, rng: Any, n: int
) -> bool:
    """Whether `move` by `seat` in states[0] tells the chair anything that it did not know.

    It does if in some world that the chair holds for possible the move would have been refused, or would have left
    the chair with another view. Worlds are drawn n times: what shows in a share p of them is missed with
    probability (1 - p)^n. states[1] and views[0 .. 2] are overwritten.
    """
    look(states, 0, chair, views, view_bytes, 0)
    for world in range(n + 1):
        if world == 0:
            states[1] = states[0]
        else:
            dream(views, 0, rng, states, state_bytes, 1)
            if refusal(states[1], seat, move) != LEGAL:
                return True
        apply(states[1], seat, move)
        shown = 2 if world else 1
        look(states, 1, chair, views, view_bytes, shown)
        for b in range(view_bytes.shape[1]):
            if view_bytes[shown, b] != view_bytes[1, b]:
                return True
    return False
