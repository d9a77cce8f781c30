"""Tables by rules that this server does not have: how they end, and what is kept of them. Nothing is replayed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from clew.core import records
from clew.core.errors import ClewError, UnknownGame
from clew.core.game import Game, added, load
from clew.core.moments import Outcome
from clew.server.clock import now_ms
from clew.server.log_entries import (
    RULES_GONE,
    GameEnded,
    GameStarted,
    LogEntry,
    MoveMade,
    MoveUndone,
    RulesChanged,
    TableCreated,
)
from clew.server.logs import log
from clew.server.messages import Result
from clew.server.seats import Sitter, names_of
from clew.server.store import Change, Conflict, Store, StoreError, TableRow
from clew.server.store.base import ORIGIN
from clew.server.table_state import annotated, game_of


class OtherRules(ClewError):
    """A table that cannot be shown or played here, as its rules are not here."""


def present(name: str) -> Game | None:
    """A game by its present rules; None for one that is not installed any more."""
    try:
        return load(name)
    except UnknownGame:
        return None


def check(row: TableRow) -> None:
    """Refuse a table by rules that are not here."""
    if game_of(row) is not None:
        return
    game, over = present(row.game), row.status == "over"
    needed = f"rules {row.rules} of {game.title}" if game else f"the game {row.game}"
    here = f"has rules {game.version}" if game else "does not have it"
    if not over:
        raise OtherRules(f"This table is for {needed}, and this server {here}: it cannot be played here.")
    closed = (row.summary["result"] or {}).get("ended") == RULES_GONE
    kept = "the game was closed, and its record is kept" if closed else "its result and its record are kept"
    raise OtherRules(f"This game was played by {needed}, and this server {here}: {kept}.")


def outdated(name: str, rules: int) -> bool:
    """Whether a game has gone on to newer rules and has not kept these.

    A table by rules still to come is for another worker, or for this one after its upgrade: it is left alone.
    """
    try:
        game = load(name)
        if added(name):  # in the making: its tables go on by the rules of the moment
            return False
        return rules < game.version and game.in_version(rules) is None
    except UnknownGame:  # not installed, or kept in a folder that has to be mended: nothing is closed for that
        return False


async def close_outdated(store: Store, owns: Callable[[str], bool]) -> None:
    """End this worker's games that nobody can go on with, as they are by older rules that are gone."""
    for game, rules in await store.unfinished_rules():
        stayed = 0
        while outdated(game, rules) and (tables := await store.unfinished(game, rules, stayed)):
            own = list(filter(owns, tables))
            stayed += len(tables) - len(own)
            done = await asyncio.gather(*(end(store, table_id, RULES_GONE) for table_id in own), return_exceptions=True)
            for table_id, failed in zip(own, done):
                about = {"about": {"table": table_id}}
                if failed is None:
                    log.warning("a game was closed: its rules are not here any more", extra=about)
                elif isinstance(failed, StoreError):
                    raise failed
                else:
                    stayed += 1
                    log.error("a game could not be closed", exc_info=failed, extra=about)


async def end(store: Store, table_id: str, ended: str) -> None:
    """Write that a game is over which this server cannot rebuild."""
    while True:
        entries = await store.entries(table_id)
        row = await store.table(table_id)  # after the log: what comes between takes the number
        if row is None or row.status == "over":
            return
        result = msgspec.to_builtins(Result([1] * row.players, ended))
        entry = GameEnded(number=entries[-1].number + 1 if entries else 1, at=now_ms(), ended=ended)
        try:
            return await store.append(
                table_id, entry, Change("over", {**row.summary, "result": result}, {ORIGIN: None})
            )
        except Conflict:
            continue


def record(row: TableRow, entries: Sequence[LogEntry]) -> str | None:
    """The record of a game that is over, from its log alone; None for one that never began.

    There are no lines for the deal, which takes the rules: seed and salt give it. Moves stand as the log has them, in
    the order in which they came: that some were chosen at the same time is for the rules to say.
    """
    if not any(isinstance(entry, GameStarted) for entry in entries):
        return None
    moves: list[tuple[int, str]] = []
    for entry in entries:
        if isinstance(entry, MoveMade):
            moves.append((entry.who, " ".join(entry.move.split())))  # older logs have it as it was sent
        elif isinstance(entry, MoveUndone):
            moves.pop()
        elif isinstance(entry, RulesChanged) and entry.kept is not None:
            del moves[entry.kept :]
    result = msgspec.convert(row.summary["result"], Result)
    outcome = None if result.scores is None else Outcome(tuple(result.places), tuple(result.scores), result.ended)
    seats = [Sitter(**seat) for seat in row.summary["seats"]]
    created = entries[0]
    assert isinstance(created, TableCreated)
    text = records.lay_out(
        *(row.game, row.rules, row.options, row.players, row.seed, created.deal_salt),
        *({}, moves, outcome, names_of(seats)),
    )
    return annotated(text, row, seats, None if outcome else result, created.continued)
