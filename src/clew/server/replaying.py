"""Records looked at again: step by step from what a chair knew, and judged by a bot."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from clew.bots.review import judge
from clew.core import records
from clew.core.commitments import committed, verify
from clew.core.errors import BadOption, BadRecord
from clew.core.table import Table
from clew.server.messages import Told
from clew.server.showing import told

NAME = re.compile(r"^# name (\d{1,2}): (.{1,40})$", re.M)


class Step(Struct, omit_defaults=True):
    """The opening (number 0), or a move, and how things stood after it."""

    number: int
    told: list[Told]
    seat: int | None = None
    move: str | None = None
    view: dict[str, Any] | None = None
    """What the chair knew."""
    views: list[dict[str, Any]] | None = None
    """What every seat knew, where all were asked for."""


class Committed(Struct):
    """The promise by which the game was dealt, and whether it was kept."""

    hash: str
    kept: bool
    text: str


class Replay(Struct):
    """A whole game."""

    game: str
    title: str
    rules: int
    options: dict[str, int | str]
    players: int
    names: list[str]
    chair: int | str | None
    moves_total: int
    outcome: dict[str, Any] | None
    commitment: Committed | None
    deal: dict[str, str] | None
    """All that was dealt, as a record writes it, where everything is to be open."""
    steps: list[Step]


def replay(text: str, chair: int | str | None) -> Replay:
    """The game of a record, step by step."""
    whole = records.replay(text)
    if isinstance(chair, int) and chair >= whole.players:
        raise BadOption(f"There is no seat {chair} at this table; seats are 0 to {whole.players - 1}.")
    table = afresh(whole)
    steps = [_step(table, chair, 0, None, None)]
    for number, (seat, move) in enumerate(whole.moves, start=1):
        table.make(move, seat)
        steps.append(_step(table, chair, number, seat, str(move)))
    names = dict(NAME.findall(text))
    outcome = whole.view(None)["outcome"]
    return Replay(
        whole.game.name,
        whole.game.title,
        whole.game.version,
        whole.options,
        whole.players,
        [names.get(str(seat), "").strip() for seat in range(whole.players)],
        chair,
        len(steps) - 1,
        outcome,
        _commitment(text),
        whole.deal_lines() if chair == "all" else None,
        steps,
    )


def review(record: Table, level: int, found: Callable[[bytes], None], stop: Callable[[], bool]) -> None:
    """Judge the moves of a game one after the other, and hand over each opinion as a line of JSON."""
    for judged in judge(record, record.moves, level, threads=1):
        found(msgspec.json.encode(judged.json()) + b"\n")
        if stop():
            return


def afresh(table: Table) -> Table:
    """The same table before the first move."""
    return Table(table.game, table.options, table.players, table.seed, table._dealt)


def _step(table: Table, chair: int | str | None, number: int, seat: int | None, move: str | None) -> Step:
    eyes = seat if isinstance(chair, str) else chair  # with everything open, a move is told as its own player saw it
    step = Step(number, told(table.events(eyes, number, number + 1)), seat, move)
    if chair == "all":
        step.views = [_view(table, one) for one in range(table.players)]
    else:
        step.view = _view(table, chair if isinstance(chair, int) else None)
    return step


def _view(table: Table, chair: int | None) -> dict[str, Any]:
    view = table.view(chair)
    del view["known"]
    return view


def _commitment(text: str) -> Committed | None:
    promised = committed(text)
    if promised is None:
        return None
    try:
        verify(text)
    except BadRecord as error:
        return Committed(promised, False, str(error))
    return Committed(promised, True, "Seed and salt fit the commitment, and the seed gives the deal.")
