"""What a chair is sent, made from its view: entries in words, the position, and what everybody knows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from clew.core.commitments import commitment
from clew.core.events import SEATS, Event
from clew.core.game import load
from clew.server.clock import now_ms
from clew.server.ledger import Ledger, Sitter
from clew.server.messages import Ask, ClockRule, Entry, Opened, Position, Result, Seat, Table, Told
from clew.server.store import Row, TableRow

ASKED = {
    "undo": "{by} asks to take the last move back.",
    "takeover": "{by} asks whether a bot may play for {seat}.",
    "rematch": "{by} asks for another game.",
}


def told(events: Sequence[Event]) -> list[Told]:
    """What happened, as messages have it."""
    return [Told(event.kind, event.text, event.rule, event.seat, event.data) for event in events]


def entry(ledger: Ledger, row: Row, chair: int | None) -> Entry:
    """An entry of the log as this chair reads it."""
    found = Entry(row.number, row.at, row.kind, row.seat)
    owner, _, asked = (row.key or "").partition(":")
    if chair is not None and owner == str(chair):
        found.id = asked
    if row.kind == "chat":
        found.text = row.data["text"]
    elif row.number in ledger.taken_back:
        found.taken_back = True
    elif row.kind == "started" and ledger.game is not None:
        found.told = told(ledger.game.events(chair, 0, 1))
    elif row.kind == "move" and ledger.game is not None:
        at = ledger.moves[row.number]
        found.told = told(ledger.game.events(chair, at, at + 1))
        if row.seat == chair:
            found.move = row.data["move"]
    else:
        found.text = _sentence(ledger, row)
    return found


def _sentence(ledger: Ledger, row: Row) -> str:
    who = "" if row.seat is None else ledger.name(row.seat)
    data = row.data
    if row.kind == "asked":
        other = "" if data.get("seat") is None else ledger.name(data["seat"])
        return ASKED[data["what"]].format(by=who, seat=other)
    if row.kind == "over":
        return "Nobody is left: the game is over."
    if row.kind == "timeout" and data["then"] == "bot":
        return f"The time of {who} is up: a bot plays on."
    return {
        "created": "The table is set.",
        "sat": f"{data.get('name', '')} sits down as {SEATS[row.seat or 0]}.",
        "stood": f"{SEATS[row.seat or 0]} gets up.",
        "undone": f"{who} takes the last move back.",
        "agreed": f"{who} agrees.",
        "declined": f"{who} says no.",
        "takeover": f"A bot plays for {who} now.",
        "returned": f"{who} is back.",
        "resigned": f"{who} gives up.",
        "timeout": f"The time of {who} is up.",
        "rematch": "Another game begins, with the seats turned.",
    }[row.kind]


def position(ledger: Ledger, chair: int | None, known: bool) -> Position:
    """How things stand for a chair."""
    if ledger.game is None:
        return Position()
    view = ledger.game.view(chair, known)
    if ledger.status == "over" and view["outcome"] is None:  # it was given up: nobody owes anything
        view["to_move"] = []
    found = Position(view, all_moves=ledger.game.game.listed_in_full)
    if chair is not None and chair in ledger.to_move and ledger.seats[chair].level is None:
        found.moves = [str(move) for move in ledger.game.legal_moves(chair)]
    return found


def with_clocks(now: Position, ledger: Ledger) -> Position:
    """The position with the clocks as they stand at this moment."""
    if ledger.clock is not None:
        now.clocks = ledger.clock.message(now_ms())
    return now


def table(ledger: Ledger, person: str | None, here: Sequence[int] = ()) -> Table:
    """What somebody may know about a table."""
    return _table(ledger.row, ledger.seats, ledger.status, ledger.result, person, ledger.ask, ledger.rematch, here)


def sitters(row: TableRow) -> list[Sitter]:
    """Who sat where when the seats last changed."""
    return [Sitter(**seat) for seat in row.summary["seats"]]


def listed(row: TableRow, person: str | None) -> Table:
    """The same, without the log: for lists."""
    result = row.summary["result"]
    ended = None if result is None else msgspec.convert(result, Result)
    return _table(row, sitters(row), row.status, ended, person, None, row.summary["rematch"], ())


def _table(
    row: TableRow,
    seats: Sequence[Sitter],
    status: str,
    result: Result | None,
    person: str | None,
    ask: Ask | None,
    rematch: str | None,
    here: Sequence[int],
) -> Table:
    yours = [person is not None and sitter.person == person for sitter in seats]
    return Table(
        row.id,
        row.game,
        load(row.game).title,
        row.rules,
        row.options,
        row.players,
        status,
        [
            Seat(SEATS[seat], sitter.kind, sitter.name, sitter.level, yours[seat], seat in here)
            for seat, sitter in enumerate(seats)
        ],
        commitment(row.seed, row.salt),
        row.created,
        private=row.private,
        one_device=row.one_device,
        clock=None if row.clock is None else msgspec.convert(row.clock, ClockRule),
        invite=row.invite if any(yours) else "",
        ask=ask,
        result=result,
        opened=Opened(str(row.seed), row.salt) if status == "over" else None,
        rematch=rematch,
    )


def plain(message: Any) -> Any:
    """A message as plain data."""
    return msgspec.to_builtins(message)
