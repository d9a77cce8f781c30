"""What a chair can know: its view, the worlds that the view allows, and whether a move showed it anything."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numba.extending import typeof_impl

from clew.core.game import Game
from clew.core.protocol import LEGAL


def look(game: Game, states: Any, chair: int) -> Any:
    """What the chair knows of the first state, as a record that began empty."""
    views = np.frombuffer(bytearray(game.rules.VIEW.itemsize), game.view_type)
    game.kernels.view(states[0], chair, views[0])
    return views


class Seen(SimpleNamespace):
    """What a look tells, with plain attributes: words read them many times, and those of a record are slow.

    Compiled rules take it for the record that it stands for, as their wrappers read that from `data`.
    """

    @property
    def data(self) -> Any:
        """The bytes of the record."""
        return self._views[0].data


@typeof_impl.register(Seen)  # type: ignore[untyped-decorator]
def _type_of_seen(seen: Any, context: Any) -> Any:
    return typeof_impl(seen._views[0], context)


def plain(views: Any) -> Any:
    """A look for the words to read."""
    dtype = views.dtype
    if any(dtype[name].base.names for name in dtype.names):
        return views[0]  # records in a record would lose their names
    return Seen(_views=views, **dict(zip(dtype.names, views.item())))


def dream(game: Game, views: Any, rng: Any) -> Any:
    """A world at random that the view allows."""
    states = game.states(1)
    game.kernels.imagine(views[0], rng, states[0])
    return states


def reveals(game: Game, states: Any, seat: int, move: Any, chair: int, worlds: int, rng: Any) -> bool:
    """Whether `move` by `seat` tells the chair anything that it did not know.

    It does if in some world that the chair holds for possible the move would have been refused, or would have left
    the chair with another view. So many worlds are drawn: what shows in a share p of them is missed with probability
    (1 - p)^worlds.
    """
    known = look(game, states, chair)
    after = states.copy()
    game.kernels.apply(after[0], seat, move)
    shown = look(game, after, chair).tobytes()
    for _ in range(worlds):
        world = dream(game, known, rng)
        if game.kernels.refusal(world[0], seat, move) != LEGAL:
            return True
        game.kernels.apply(world[0], seat, move)
        if look(game, world, chair).tobytes() != shown:
            return True
    return False
