"""The presenter: what a chair is sent, made from its view. Log entries in words, the position, the table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from clew.core.cast import Cast
from clew.core.commitments import commitment
from clew.core.events import SEATS, Event
from clew.server.messages import Ask, ClockRule, Entry, Opened, Position, Result, Seat, Table, Told
from clew.server.store import Row, TableRow
from clew.server.table_state import GUEST, Sitter, TableState, Terms, names_of
from clew.server.versions import CLOSED, present

ASKED = {
    "undo": "{asks} to take the last move back.",
    "takeover": "{asks} whether a bot may play for {seat}.",
    "rematch": "{asks} for another game.",
}


def told(events: Sequence[Event]) -> list[Told]:
    """What happened, as messages have it."""
    return [Told(event.kind, event.text, event.rule, event.seat, event.data) for event in events]


def entry(state: TableState, row: Row, chair: int | None) -> Entry:
    """An entry of the log as this chair reads it."""
    found = Entry(row.number, row.at, row.kind, row.seat)
    owner, _, asked = (row.key or "").partition(":")
    if chair is not None and owner == str(chair):
        found.id = asked
    if row.kind == "chat":
        found.text = row.data["text"]
    elif row.kind == "started" and state.game is not None:
        found.told = told(state.game.events(chair, 0, 1, you=not state.row.one_device))
    elif row.kind == "move" and state.game is not None:
        at = state.move_of(row.number)
        if at is None:
            found.taken_back = True
            return found
        found.told = told(state.game.events(chair, at, at + 1, you=not state.row.one_device))
        if row.seat == chair:
            found.move = row.data["move"]
    else:
        found.text = _sentence(state, row, chair)
    return found


def _sentence(state: TableState, row: Row, chair: int | None) -> str:
    cast, data, seat = state.cast(chair), row.data, row.seat or 0
    if row.kind == "asked":
        other = "" if data.get("seat") is None else cast.whom(data["seat"])
        return ASKED[data["what"]].format(asks=cast.does(seat, "ask"), seat=other)
    if row.kind in ("sat", "stood"):
        return _coming_and_going(state, row, chair)
    if row.kind == "over":
        closed = "The server has newer rules of this game: it was closed, and its record is kept."
        return closed if data["ended"] == CLOSED else "Nobody is left: the game is over."
    if row.kind == "timeout" and data["then"] == "bot":
        return f"{cast.whose(seat)} time is up: a bot plays on."
    return {
        "created": f"The table is set. {_agreed(state)}".strip(),
        "bot_sat": f"{cast.does(seat, 'sit')} down.",
        "undone": f"{cast.does(seat, 'take')} the last move back.",
        "agreed": f"{cast.does(seat, 'agree')}.",
        "declined": f"{cast.does(seat, 'say')} no.",
        "takeover": f"A bot plays for {cast.whom(seat)} now.",
        "returned": f"{cast.does(seat, 'be')} back.",
        "resigned": f"{cast.does(seat, 'give')} up.",
        "timeout": f"{cast.whose(seat)} time is up.",
        "rematch": "Another game begins, with the seats turned.",
        "hinted": f"{cast.does(seat, 'take')} a hint.",
    }[row.kind]


def _coming_and_going(state: TableState, row: Row, chair: int | None) -> str:
    """Who sat down or got up: not always the one who has the seat now."""
    seat = row.seat or 0
    came = [one for one in state.rows if one.kind == "sat" and one.seat == seat and one.number <= row.number]
    data = came[-1].data if came else row.data or state.rows[0].data["seats"][seat]
    cast = state.cast(chair)
    if state.seats[seat].person != data["person"]:
        given = "" if data["name"] == GUEST else data["name"]
        cast = Cast([given or SEATS[seat] if one == seat else name for one, name in enumerate(cast.names)])
    return f"{cast.does(seat, 'sit')} down." if row.kind == "sat" else f"{cast.does(seat, 'get')} up."


def _agreed(state: TableState) -> str:
    """What holds at a table of several people."""
    if state.row.one_device or sum(sitter.kind != "bot" for sitter in state.seats) < 2:
        return ""
    hints = "Hints are allowed." if state.terms.hints else "There are no hints."
    if state.terms.stand_in is None:
        return f"If somebody is away, the table waits. {hints}"
    seconds = math.ceil(state.terms.stand_in)
    return f"If somebody is away for {seconds} seconds, the others may agree to let a bot play on. {hints}"


def position(state: TableState, chair: int | None, known: bool) -> Position:
    """How things stand for a chair."""
    if state.game is None:
        return Position()
    view = state.game.shared_view(chair, known)
    if state.status == "over" and view["outcome"] is None:  # it was given up: nobody owes anything
        view["to_move"] = []
    found = Position(view, all_moves=state.game.game.listed_in_full)
    if chair is not None and chair in state.to_move and state.seats[chair].level is None:
        found.moves = [str(move) for move in state.game.legal_moves(chair)]
    if chair is not None and state.status == "playing" and state.seats[chair].level is None:
        found.can_undo = state.game.may_undo(chair)
    return found


def with_clocks(now: Position, state: TableState) -> Position:
    """The position with the clocks as they stand at this moment."""
    if state.clock is not None:
        now.clocks = state.clock.message()
    return now


def table(state: TableState, person: str | None, here: Sequence[int] = ()) -> Table:
    """What somebody may know about a table."""
    row, ask, agreed = state.row, state.ask, state.terms
    found = _table(row, state.seats, state.status, state.result, person, ask, state.rematch, here, agreed)
    found.continued = state.continued
    return found


def sitters(row: TableRow) -> list[Sitter]:
    """Who sat where when the seats last changed."""
    return [Sitter(**seat) for seat in row.summary["seats"]]


def listed(row: TableRow, person: str | None) -> Table:
    """The same, without the log: for lists."""
    result = row.summary["result"]
    ended = None if result is None else msgspec.convert(result, Result)
    agreed = Terms(**row.summary.get("agreed", {}))
    return _table(row, sitters(row), row.status, ended, person, None, row.summary["rematch"], (), agreed)


def _table(
    row: TableRow,
    seats: Sequence[Sitter],
    status: str,
    result: Result | None,
    person: str | None,
    ask: Ask | None,
    rematch: str | None,
    here: Sequence[int],
    agreed: Terms,
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
        hints=agreed.hints,
        stand_in=None if agreed.stand_in is None else math.ceil(agreed.stand_in),
        invite=row.invite if any(yours) else "",
        ask=ask,
        result=result,
        opened=Opened(str(row.seed), row.salt) if status == "over" else None,
        rematch=rematch,
    )
