"""What a chair can know: its view, the worlds that the view allows, and whether a move showed it anything."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba.extending import typeof_impl

from clew.core.game import Game
from clew.core.protocol import LEGAL
from clew.core.types import Compiler, Generator, MoveCode, States, ViewRecord, ViewRecords

# `Any` in signatures here: NumPy's record types, and what the compiler asks of a value.


def look(game: Game, states: States, chair: int) -> ViewRecords:
    """What the chair knows of the first state, as a record that began empty."""
    views = game.looks(1)
    game.kernels.view(states[0], chair, views[0])
    return views


def look_round(game: Game, states: States, players: int) -> ViewRecords:
    """What each chair knows of the first state: first somebody who watches, then the seats."""
    views = game.looks(1 + players)
    game.kernels.look_round(states, views)
    return views


class Seen(SimpleNamespace):
    """What a look tells, with plain attributes: words read them many times, and those of a record are slow.

    Compiled rules take it for the record that it stands for, as their wrappers read that from `data`.
    """

    @property
    def data(self) -> Compiler:
        """The bytes of the record."""
        return self._views[0].data


@typeof_impl.register(Seen)  # type: ignore[untyped-decorator]
def _type_of_seen(seen: ViewRecord, context: Any) -> Compiler:
    return typeof_impl(seen._views[0], context)


def plain(views: ViewRecords) -> ViewRecord:
    """A look for the words to read."""
    names = _flat_names(views.dtype)
    if names is None:
        return views[0]  # records in a record would lose their names
    seen = Seen(_views=views)
    vars(seen).update(zip(names, views.item()))
    return seen


@functools.cache
def _flat_names(dtype: Any) -> tuple[str, ...] | None:
    """The names of the fields, if none is a record."""
    return None if any(dtype[name].base.names for name in dtype.names) else tuple(dtype.names)


def dream(game: Game, views: ViewRecords, rng: Generator) -> States:
    """A world at random that the view allows."""
    states = game.blanks(1)
    game.kernels.imagine(views[0], rng, states[0])
    return states


def reveals(game: Game, states: States, seat: int, move: MoveCode, worlds: int, rng: Generator) -> bool:
    """Whether `move` by `seat` tells any chair what it did not know; so many worlds are drawn for each."""
    if game.face(move) >= 0:
        return hidden_move_reveals(game, states, seat, move, worlds, rng)
    return _reveals(game, game.twin(states), game.looks(1), 0, seat, move, worlds, rng)


def may_reveal(game: Game, known: ViewRecords, seat: int, move: MoveCode, worlds: int, rng: Generator) -> bool:
    """Whether it would in one of so many worlds that this view allows, each time looking at as many."""
    if game.face(move) >= 0:
        dreamt = (dream(game, known, rng) for _ in range(worlds))
        return any(hidden_move_reveals(game, states, seat, move, worlds, rng) for states in dreamt)
    return _reveals(game, game.blanks(1), known, worlds, seat, move, worlds, rng)


def hidden_move_reveals(game: Game, states: States, seat: int, move: MoveCode, worlds: int, rng: Generator) -> bool:
    """The same for a move that others do not see: to them it was any of those that look like it.

    So in each world that another chair holds for possible some such move must leave it with the view that it has.
    """
    made = game.twin(states)
    game.kernels.apply(made[0], seat, move)
    for chair in range(-1, int(states[0].players)):
        known, shown = look(game, states, chair), look(game, made, chair).tobytes()
        for _ in range(worlds):
            world = dream(game, known, rng)
            moves = [move] if chair == seat else _alike(game, world, seat, move)
            if not any(_shows(game, world, seat, other, chair) == shown for other in moves):
                return True
    return False


def _alike(game: Game, states: States, seat: int, move: MoveCode) -> list[Any]:
    """The legal moves in a world that others cannot tell from this one."""
    out = game.moves(game.rules.MOVES)
    count = game.kernels.legal(states[0], seat, out)
    return [other for other in out[:count].tolist() if game.face(other) == game.face(move)]


def _shows(game: Game, states: States, seat: int, move: MoveCode, chair: int) -> bytes:
    """What the chair sees after a move, nothing if it may not be made."""
    if game.kernels.refusal(states[0], seat, move) != LEGAL:
        return b""
    after = game.twin(states)
    game.kernels.apply(after[0], seat, move)
    return bytes(look(game, after, chair).tobytes())


def _reveals(
    game: Game,
    states: States,
    known: ViewRecords,
    imagined: int,
    seat: int,
    move: MoveCode,
    worlds: int,
    rng: Generator,
) -> bool:
    world, world_bytes, views, view_bytes = _room(game)
    state_bytes = states.view(np.uint8).reshape(1, -1)
    return bool(
        game.kernels.reveals(
            states, state_bytes, known, imagined, seat, move, worlds, rng, world, world_bytes, views, view_bytes
        )
    )


def _room(game: Game) -> tuple[States, Any, ViewRecords, Any]:
    """Room for one world and three views, each also as bytes: for this thread, to be used again."""
    found: tuple[States, Any, ViewRecords, Any] | None = getattr(game.rooms, "found", None)
    if found is None:
        world, views = game.blanks(1), game.looks(3)
        found = world, world.view(np.uint8).reshape(1, -1), views, views.view(np.uint8).reshape(3, -1)
        game.rooms.found = found
    return found
