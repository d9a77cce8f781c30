"""Views that come back: those that tables of this process gave out are known again, all others are checked.

Compiled rules do not notice an index out of range. So what a view from outside says is known reaches them only if a
game can lead to it: the fields are within their bounds, and a world imagined from it by rules that are not compiled is
a possible one and gives the same view. `possible.py` of a game says what is possible; a game of somebody's own, whose
compiled rules check every index, can do without.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import importlib
import threading
from types import ModuleType

import numpy as np

from clew.core.declare import option_bounds
from clew.core.errors import BadView, UnknownGame
from clew.core.events import SEATS
from clew.core.game import Game
from clew.core.kernels import checked, interpreted
from clew.core.rng import stream
from clew.core.types import States, ViewRecord, ViewRecords

REMEMBERED = 10_000  # views that were given out last

Bounds = dict[str, tuple[int, int]]

_given_out: dict[tuple[Game, bytes], bool] = {}  # whether the seat owed a move, by the game and a hash of the view
_one_at_a_time = threading.Lock()


def give_out(game: Game, views: ViewRecords, owes: bool) -> str:
    """What a chair knows as text for its view, noted so that it is known again."""
    known = views.tobytes()
    key = game, _hash(known)
    with _one_at_a_time:
        _given_out.pop(key, None)  # the last one given out is the last to be forgotten
        _given_out[key] = owes
        if len(_given_out) > REMEMBERED:
            del _given_out[next(iter(_given_out))]
    return base64.b64encode(known).decode()


def read_known(game: Game, seat: int, known: ViewRecords) -> ViewRecords:
    """The record of a view in which this seat owes a move, out of what the view says is known."""
    if not isinstance(known, str):
        raise BadView("What the view says is known cannot be read.")
    size = game.view_type.itemsize
    try:
        raw = base64.b64decode(known[: 2 * size + 4], validate=True)  # and no more than can be right
    except (ValueError, binascii.Error) as error:
        raise BadView("What the view says is known cannot be read.") from error
    if len(raw) != size:
        raise BadView("What the view says is known has not the size of this game's views.")
    views = np.frombuffer(bytearray(raw), game.view_type)
    if int(views[0].seat) != seat:
        raise BadView(f"The view is said to be {SEATS[seat]}'s and is another seat's.")
    owes = _given_out.get((game, _hash(raw)))
    if not (_owes(game, views) if owes is None else owes):
        raise BadView(f"No game of {game.title} leads to this view with a move that {SEATS[seat]} owes.")
    return views


def _hash(known: bytes) -> bytes:
    return hashlib.blake2b(known, digest_size=16).digest()


# Views from outside


def _owes(game: Game, views: ViewRecords) -> bool:
    """Whether a game can lead to this view, with a move that its seat owes."""
    declared = _declared(game)
    if declared is None and not checked(game.rules.legal):
        raise BadView(f"{game.title} has no possible.py, so that its bots take only views of tables in this process.")
    bounds = bounds_of(game, declared)
    if not _within(views, bounds) or not _fits(game, views[0]):
        return False
    imagine, view, to_move = (interpreted(getattr(game.rules, name)) for name in ("imagine", "view", "to_move"))
    possible = interpreted(declared.possible) if declared else lambda s, again: True
    seat, worlds, again, shown = int(views[0].seat), game.states(1), game.states(1), game.views(1)
    try:
        with np.errstate(all="ignore"):
            imagine(views[0], stream(0, "a view from outside"), worlds[0])
            if not _within(worlds, bounds) or not possible(worlds[0], again[0]):
                return False
            view(worlds[0], seat, shown[0])
            return shown.tobytes() == views.tobytes() and bool(to_move(worlds[0]) >> seat & 1)
    except Exception:  # whatever rules do with what cannot be
        return False


def bounds_of(game: Game, module: ModuleType | None) -> Bounds:
    """The bounds of the fields that all games have, of those declared with their kinds, and of `possible.py`."""
    codes = {option.name: option_bounds(option) for option in game.options}
    declared = game.rules.State.bounds() if hasattr(game.rules, "State") else {}
    return {
        "players": game.players,
        "seat": (0, game.players[1] - 1),
        **codes,
        **declared,
        **getattr(module, "BOUNDS", {}),
    }


def _within(records: States, bounds: Bounds) -> bool:
    return all(
        bounds[name][0] <= records[name].min() and records[name].max() <= bounds[name][1]
        for name in records.dtype.names
        if name in bounds
    )


def _fits(game: Game, v: ViewRecord) -> bool:
    """Whether there is such a table."""
    options = {option.name: option.value(int(getattr(v, option.name))) for option in game.options}
    refuse = getattr(game.rules, "refuse_table", None)
    return v.seat < v.players and not (refuse and refuse(options, int(v.players)))


@functools.cache
def _declared(game: Game) -> ModuleType | None:
    """What the game says of its possible states, if it does."""
    if not (game.folder / "possible.py").is_file():
        return None
    module = importlib.import_module(f"{game.rules.__package__}.possible")
    known = bounds_of(game, module)
    for name in (*game.rules.STATE.names, *game.rules.VIEW.names):
        if name not in known:
            raise UnknownGame(f"{module.__file__}: neither the field {name} nor BOUNDS says what is possible there.")
    return module
