"""Tables that are dealt by a known seed, put into the store of a server that runs.

Whoever sets up a table over the wire cannot choose its seed. Pictures and tests of the page want the same cards every
time, so they write the table where the server keeps its tables, log and all; the server finds it as if it had been
played there. Its bots play the same every time, too: their seeds come from its id and salt.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import clew
from clew.bots.levels import level as level_of
from clew.core.game import load
from clew.server.clock import now_ms
from clew.server.identity import Signer, read_secret
from clew.server.log_entries import from_row
from clew.server.seats import Sitter
from clew.server.store import TableRow, open_store
from clew.server.store.base import NewTable
from clew.server.table_state import TableState


def known(*what: object) -> str:
    """The same 22 signs for the same thing: an id as the server gives them out."""
    digest = hashlib.sha256(repr(what).encode()).digest()
    return base64.urlsafe_b64encode(digest)[:22].decode()


def cookie_of(data: Path, person: str) -> str:
    """What the browser of somebody keeps, at the server with this folder."""
    return Signer(read_secret(data / "secret")).cookie(person)


def bot(level: int) -> Sitter:
    """A bot on a seat."""
    return Sitter("bot", level_of(level).name, None, level)


def whole_game(
    game: str, players: int, seed: int, level: int = 2, options: dict[str, Any] | None = None
) -> list[tuple[int, str]]:
    """The moves of a game between quick bots, each with its seat."""
    table = clew.new(game, players=players, seed=seed, options=options)
    player = clew.bot(game, level=level, seed=seed)
    moves = []
    while table.to_move:
        seat = table.to_move[0]
        move = str(player.choose(table.view(seat)))
        table.play(move, seat)
        moves.append((seat, move))
    return moves


def dealt(
    game: str,
    sitters: Sequence[Sitter],
    seed: int,
    moves: Iterable[tuple[int, str]] = (),
    options: dict[str, Any] | None = None,
    more: Iterable[tuple[str, int, dict[str, Any]]] = (),
) -> NewTable:
    """A table where these moves were made, and `more`: entries of other kinds; open seats make it wait."""
    moves, at = list(moves), now_ms()
    rules = load(game)
    name = known(game, [sitter.name for sitter in sitters], seed, moves, options)
    set_up = clew.new(game, players=len(sitters), seed=seed, options=options).options
    summary: dict[str, Any] = {"seats": [vars(sitter) for sitter in sitters], "result": None, "rematch": None}
    salt = hashlib.md5(name.encode()).hexdigest()
    row = TableRow(
        *(name, game, rules.version, dict(set_up), len(sitters), False, False, None),
        *(seed, salt, known("invite", name), at, "waiting", at, summary),
    )
    kinds: list[tuple[str, int | None, dict[str, Any]]] = [("created", None, {"seats": summary["seats"]})]
    if all(sitter.kind != "open" for sitter in sitters):
        kinds += [("started", None, {}), *(("move", seat, {"move": move}) for seat, move in moves), *more]
    entries = [
        from_row({"number": number, "at": at, "kind": kind, "seat": seat, "key": None, "data": json.dumps(data)})
        for number, (kind, seat, data) in enumerate(kinds, 1)
    ]
    state = TableState(row)
    for entry in entries:
        state.apply(entry)
    chairs = {seat: sitter.person for seat, sitter in enumerate(sitters) if sitter.person is not None}
    return NewTable(replace(row, status=state.status, summary=state.summary()), entries, chairs)


async def keep(data: Path, tables: Iterable[NewTable], names: dict[str, str] | None = None) -> None:
    """Write tables, and how people want to be called, into the store of the server with this folder."""
    store = await open_store(f"sqlite:///{data / 'clew.db'}")
    for person, name in (names or {}).items():
        await store.set_name(person, name, now_ms())
    for table in tables:
        await store.create(table)
    await store.close()


def keep_apart(data: Path, tables: Iterable[NewTable], names: dict[str, str] | None = None) -> None:
    """The same for who is in a loop already, as Playwright's callers are."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, keep(data, tables, names)).result()
