"""The presenter: what a chair is sent of a table. Log entries tell themselves; see `log_entries`."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import msgspec

from clew.bots.heuristics import learnt_of
from clew.core.changes import change
from clew.core.commitments import commitment
from clew.core.events import SEATS
from clew.core.game import Game
from clew.core.types import Json
from clew.server.data_types import JsonObject
from clew.server.log_entries import LogEntry
from clew.server.messages import Ask, ClockRule, MoveWords, Opened, Position, Result, Seat, Table, encode
from clew.server.seats import Sitter, Terms, names_of
from clew.server.store import TableRow
from clew.server.table_state import TableState
from clew.server.versions import present

MOST_WORDS = 200  # moves that are sent in words, too


def position(state: TableState, chair: int | None, known: bool) -> Position:
    """How things stand for a chair."""
    found = _owed(state, chair)
    if state.game is not None:
        found.view = _view(state, chair, known)
    return found


def changed(news: News, chair: int | None, known: bool) -> Position:
    """The same for somebody who was told how things stood before this."""
    before, state = news.before, news.state
    if before.game is None or state.game is None or before.game.game is not state.game.game:
        return position(state, chair, known)
    found = _owed(state, chair)
    if known or before.status != state.status or not state.game.shares:
        found.changes = change(_view(before, chair, known), _view(state, chair, known))
        return found
    was, now = before.game.own(chair), state.game.own(chair)
    table = {key: part for key, part in news.shared_changes.items() if key not in now} | change(was, now)
    found.changes = {"table": table} if table else {}
    if before.to_move != state.to_move:
        found.changes["to_move"] = [state.to_move]
    return found


class News:
    """An entry, the state before and after it, and what changed for everybody."""

    def __init__(self, entry: LogEntry, before: TableState, state: TableState) -> None:
        self.entry, self.before, self.state = entry, before, state
        self.changes_table = entry.changes_table or state.status != before.status or state.ask != before.ask

    @functools.cached_property
    def shared_changes(self) -> Json:
        """What changed in the table that all chairs see."""
        was, now = self.before.game, self.state.game
        assert was is not None
        assert now is not None
        found: Json = change(was.public, now.public)
        return found


def _view(state: TableState, chair: int | None, known: bool) -> JsonObject:
    """What a chair knows; shared with others, so not to be changed."""
    assert state.game is not None
    view: JsonObject = state.game.shared_view(chair, known)
    if not state.game.game.ours:
        view = msgspec.json.decode(encode(view))  # it may hold what is plain data only when it is written
    if state.status == "over" and view["outcome"] is None:  # it was given up: nobody owes anything
        view = {**view, "to_move": []}
    return view


def _owed(state: TableState, chair: int | None) -> Position:
    """What a chair may do, without what it sees."""
    if state.game is None:
        return Position()
    found = Position(all_moves=state.game.game.listed_in_full, seat_fields=seat_fields(state.game.game, chair))
    if chair is not None and chair in state.to_move and state.seats[chair].level is None:
        if state.game.game.ours:
            found.moves = state.game.written_moves(chair)
        else:
            moves = state.game.legal_moves(chair)
            found.moves = [str(move) for move in moves]
            if len(moves) <= MOST_WORDS:
                found.words = [
                    MoveWords(state.game.say(move, chair).short, state.game.game.pieces_in(move.code)) for move in moves
                ]
    if chair is not None and state.status == "playing" and state.seats[chair].level is None:
        found.can_undo = state.game.may_undo(chair)
    return found


def seat_fields(game: Game, chair: int | None) -> dict[str, int]:
    """The fields of a view that are numbers of seats, where the page has no board of its own for the game."""
    declared = None if game.ours else getattr(game.words, "seat_fields", None)
    return {} if declared is None else declared(chair)


def with_clocks(now: Position, state: TableState) -> Position:
    """The position with the clocks as they stand at this moment."""
    if state.clock is not None:
        now.clocks = state.clock.message()
    return now


def table(state: TableState, person: str | None, here: Sequence[int] = ()) -> Table:
    """What somebody may know about a table."""
    row, ask, terms = state.row, state.ask, state.terms
    found = _table(row, state.seats, state.status, state.result, person, ask, state.rematch, here, terms)
    found.continued = state.continued
    bots = any(sitter.level is not None for sitter in state.seats)
    found.learnt = bots and state.game is not None and learnt_of(state.game.game) is not None
    return found


def sitters(row: TableRow) -> list[Sitter]:
    """Who sat where when the seats last changed."""
    return [Sitter(**seat) for seat in row.summary["seats"]]


def listed(row: TableRow, person: str | None) -> Table:
    """The same, without the log: for lists."""
    result = row.summary["result"]
    ended = None if result is None else msgspec.convert(result, Result)
    terms = Terms(**row.summary.get("agreed", {}))
    return _table(row, sitters(row), row.status, ended, person, None, row.summary["rematch"], (), terms)


def _table(
    row: TableRow,
    seats: Sequence[Sitter],
    status: str,
    result: Result | None,
    person: str | None,
    ask: Ask | None,
    rematch: str | None,
    here: Sequence[int],
    terms: Terms,
) -> Table:
    game = present(row.game)
    names = names_of(seats)
    yours = [person is not None and sitter.person == person for sitter in seats]
    return Table(
        row.id,
        row.game,
        row.game if game is None else game.title,
        row.rules,
        row.options,
        row.players,
        status,
        [
            Seat(SEATS[seat], sitter.kind, names[seat], sitter.level, yours[seat], seat in here)
            for seat, sitter in enumerate(seats)
        ],
        commitment(row.seed, row.salt),
        row.created,
        private=row.private,
        one_device=row.one_device,
        clock=None if row.clock is None else msgspec.convert(row.clock, ClockRule),
        hints=terms.hints,
        stand_in=None if terms.stand_in is None else math.ceil(terms.stand_in),
        invite=row.invite if any(yours) else "",
        ask=ask,
        result=result,
        opened=Opened(str(row.seed), row.salt) if status == "over" else None,
        rematch=rematch,
    )
