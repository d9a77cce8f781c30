"""Everything that a game says at every ply, as short hashes: equal traces are equal games."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from clew.check.sample import patiently
from clew.core import records
from clew.core.errors import IllegalMove
from clew.core.game import Game
from clew.core.protocol import SPECTATOR
from clew.core.rng import stream
from clew.core.table import Table

REFUSALS = 6  # moves of other plies that are tried at each

Trace = dict[str, str]


def short(*parts: Any) -> str:
    """A short hash of bytes, or of plain data."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else json.dumps(part, default=str).encode())
    return digest.hexdigest()


def plies(game: Game, text: str) -> Iterator[Table]:
    """The table of a record before its first move and after each."""
    found = records.parse(text)
    head = text.partition("moves:\n")[0]
    table = records.replay(head + "moves:\n", game)
    yield table
    for _, seat, move in found.moves:
        table.play(move, seat)
        yield table


def trace(game: Game, text: str, seconds: float = math.inf) -> list[Trace]:
    """What there is to know at every ply of a record; of a slow game, at as many as can be done in that time."""
    moves = [move for _, _, move in records.parse(text).moves]
    return [_at(table, moves, ply) for ply, table in enumerate(patiently(plies(game, text), seconds))]


def lasting(table: Table, ply: int) -> Trace:
    """What must stay as it is for a state of the past, whatever is played after it."""
    game, state = table.game, table._states[ply]
    looks = [table._look(chair, ply) for chair in (*range(table.players), SPECTATOR)]
    return {
        "state": short(state.tobytes()),
        "views": short(*(look.tobytes() for look in looks)),
        "legal moves": short(*_legal(table, state[0])),
        "described table": short([game.words.describe(look[0]) for look in looks]),
    }


def _legal(table: Table, s: Any) -> list[Any]:
    found: list[Any] = []
    owing = table.game.kernels.to_move(s)
    for seat in range(table.players):
        if owing >> seat & 1:
            out = table.game.moves(table.game.rules.MOVES)
            count = table.game.kernels.legal(s, seat, out)
            found += [[seat, int(count)], out[:count].tobytes()]
    return found


def _at(table: Table, moves: list[str], ply: int) -> Trace:
    game, s = table.game, table._states[-1][0]
    chairs = (*range(table.players), SPECTATOR)
    imagined, covered = [], []
    for chair in chairs:
        world, look = game.states(1), table._look(chair)
        game.kernels.imagine(look[0], stream(ply, "check trace"), world[0])
        imagined.append(world.tobytes())
        hidden = table._states[-1].copy()
        game.kernels.cover(hidden[0], chair)
        covered.append(hidden.tobytes())
    numbers = np.zeros((2, table.players), np.int64)
    game.kernels.result(s, *numbers)
    return {
        **lasting(table, -1),
        "written moves": short([[str(move) for move in table.legal_moves(seat)] for seat in table.to_move]),
        "events": short([[e.json() for e in table.events(None if c < 0 else c, ply)] for c in chairs]),
        "imagined worlds": short(*imagined),
        "covered states": short(*covered),
        "result": short(numbers.tobytes(), str(table.outcome)),
        "refusals": short([_refusal(table, moves[(ply + 7 * k) % len(moves)]) for k in range(REFUSALS) if moves]),
    }


def _refusal(table: Table, text: str) -> list[str]:
    if not table.to_move:
        return []
    try:
        table.copy().play(text, table.to_move[0])
    except IllegalMove as error:
        return [error.rule, error.reason]
    return ["legal"]


def parting(game: Game, text: str, seconds: float = math.inf) -> str:
    """Whether a state of the past changes while the game goes on: what and where, or an empty string."""
    then = []
    table = None
    for table in patiently(plies(game, text), seconds):
        then.append(lasting(table, -1))
        for seat in table.to_move[:1]:  # a copy that goes its own way must leave its table alone
            table.copy().play(table.legal_moves(seat)[-1], seat)
    assert table is not None
    for ply, past in enumerate(then):
        for part, value in lasting(table, ply).items():
            if value != past[part]:
                return f"at the end of the game the {part} of ply {ply} are not what they were"
    return ""
