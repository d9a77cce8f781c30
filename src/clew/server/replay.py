"""Records looked at again: step by step from what a chair knew, and judged by a bot."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from clew.bots.review import review_moves, standings
from clew.bots.search import Limits, Progress
from clew.core import records
from clew.core.commitments import committed, verify
from clew.core.errors import BadOption, BadRecord
from clew.core.table import Table
from clew.server.data_types import JsonObject
from clew.server.messages import Told, told
from clew.server.presenter import seat_fields

CONTINUED = re.compile(r"^# continued: (\d{1,6}) moves of another game$", re.M)
GIVEN_UP = re.compile(r"^# ended: (\w{1,20}); places (\d{1,2}(?: \d{1,2}){0,19})$", re.M)


class Step(Struct, omit_defaults=True):
    """The opening (number 0), or a move, and how things stood after it."""

    number: int
    told: list[Told]
    seat: int | None = None
    move: str | None = None
    view: JsonObject | None = None
    """What the chair knew."""
    views: list[JsonObject] | None = None
    """What every seat knew, where all were asked for."""


class Committed(Struct):
    """The promise by which the game was dealt, and whether it was kept."""

    hash: str
    kept: bool
    text: str


class GivenUp(Struct):
    """The end of a game that was not played to its end, as its record notes it."""

    places: list[int]
    ended: str


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
    outcome: JsonObject | None
    given_up: GivenUp | None
    commitment: Committed | None
    continued: int | None
    """So many moves are those of another game, which was played on from there."""
    moves: list[str]
    """The legal moves of the chair after the last move, in a game that lists them in full."""
    deal: dict[str, str] | None
    """All that was dealt, as a record writes it, where everything is to be open."""
    steps: list[Step]
    seat_fields: dict[str, int] = {}
    """The fields of the views' tables that are numbers of seats, as a position at a table has them."""


def replay(text: str, chair: int | str | None, you: int | None = None) -> Replay:
    """The game of a record, step by step; told to the player of seat `you`, if one of them reads it."""
    whole = records.replay(text)
    for asked in (chair, you):
        if isinstance(asked, int):
            check_seat(whole, asked)
    table, game = whole.afresh(), whole.game
    steps = [_step(table, chair, you, 0, None, None)]
    for number, (seat, move) in enumerate(whole.moves, start=1):
        table.make(move, seat)
        steps.append(_step(table, chair, you, number, seat, str(move)))
    outcome = whole.view(None)["outcome"]
    return Replay(
        game.name,
        game.title,
        game.version,
        whole.options,
        whole.players,
        list(whole.names),
        chair,
        len(steps) - 1,
        outcome,
        given_up(text, whole),
        _commitment(text),
        None if (noted := CONTINUED.search(text)) is None else int(noted[1]),
        [str(move) for move in whole.legal_moves(chair)] if isinstance(chair, int) and game.listed_in_full else [],
        whole.deal_lines() if chair == "all" else None,
        steps,
        seat_fields(game, None if chair is None else 0),
    )


def review(record: Table, level: int, progress: Progress) -> Iterator[bytes]:
    """Judge the moves of a game one after the other, each opinion as a line of JSON."""
    for reviewed in review_moves(record, record.moves, level, Limits(progress=progress)):
        yield msgspec.json.encode(reviewed.json()) + b"\n"


def forecast(record: Table, seat: int, ended: GivenUp | None, progress: Progress) -> Iterator[bytes]:
    """How the game stood after every move, as one seat could know it, each as a line of JSON."""
    for standing in standings(record, seat, None if ended is None else ended.places, progress):
        yield msgspec.json.encode(standing.json()) + b"\n"


def check_seat(table: Table, seat: int) -> None:
    """Refuse a seat that the game does not have."""
    if seat >= table.players:
        raise BadOption(f"There is no seat {seat} at this table; seats are 0 to {table.players - 1}.")


def given_up(text: str, table: Table) -> GivenUp | None:
    """How a game ended that was not played to its end; None for any other."""
    noted = GIVEN_UP.search(text)
    if noted is None or table.outcome is not None:
        return None
    places = [int(place) for place in noted[2].split()]
    if len(places) != table.players or 1 not in places:
        return None
    return GivenUp(places, noted[1])


def _step(
    table: Table, chair: int | str | None, you: int | None, number: int, seat: int | None, move: str | None
) -> Step:
    eyes = seat if isinstance(chair, str) else chair  # with everything open, a move is told as its own player saw it
    step = Step(number, told(table.events(eyes, number, number + 1, reader=you)), seat, move)
    if chair == "all":
        step.views = [_view(table, one) for one in range(table.players)]
    else:
        step.view = _view(table, chair if isinstance(chair, int) else None)
    return step


def _view(table: Table, chair: int | None) -> JsonObject:
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
    return Committed(promised, True, "Seed and salt fit the commitment, and the deal comes from them.")
