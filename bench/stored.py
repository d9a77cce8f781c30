"""What a past costs a server: python bench/stored.py [--tables 100000] [--moves 1000000] [--json].

Three databases are made (SQLite), and a server is started on each: an empty one; one of a month, with so many moves in
finished games, of which some are old enough to be archived; one with so many games under way that nobody plays, each
with a clock, of which some run out. Figures: seconds until it answers; memory then, and after half a minute; how soon
the old games were archived, or the clocks seen to; the first look at an old table; p50 and p99 of a move in a new game.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from kill import Worker

import clew
from clew.server.client import Client
from clew.server.clock import now_ms
from clew.server.log_entries import GameStarted, LogEntry, MoveMade, TableCreated
from clew.server.seats import Sitter
from clew.server.store import Alarm, TableRow, open_store
from clew.server.store.base import NewTable

DAY = 86_400_000
WEEK = 7 * DAY
LATER = 30.0  # seconds after which the memory is measured again
DUE = 100  # old games that are to be archived, and clocks that run out
PEOPLE = 1000
MOVES = 200  # in new games
WISH = {"game": "palaces", "seats": [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]}


def game() -> clew.Table:
    """The game that was played at all stored tables: one seed gives one deal, so the same moves are legal."""
    table, rng = clew.new("palaces", seed=1), random.Random(1)
    while table.outcome is None:
        table.make(rng.choice(table.legal_moves()), table.to_move[0])
    return table


def stored(played: clew.Table, number: int, at: int, moves: int, clock: dict[str, Any] | None, used: int) -> NewTable:
    """A table with so many moves of that game, as of this time; who moves next has used so much of its time."""
    over = moves == len(played.moves)
    people = [f"person{(2 * number + seat) % PEOPLE}" for seat in range(2)]
    seats = [Sitter("person", "AB"[seat], person) for seat, person in enumerate(people)]
    result = {"places": [1, 2], "ended": "score", "scores": [9, 3]} if over else None
    summary = {"seats": [vars(seat) for seat in seats], "result": result, "rematch": None, "agreed": {}}
    row = TableRow(
        *(f"table{number}", "palaces", played.game.version, played.options, 2, False, False, clock, 1, "ab", "invite"),
        *(at, "over" if over else "playing", at, summary),
    )
    entries: list[LogEntry] = [TableCreated(number=1, at=at, seats=seats), GameStarted(number=2, at=at)]
    for i, (seat, move) in enumerate(played.moves[:moves]):
        spent = used // (moves // 2) if clock and seat == played.moves[moves][0] else 0
        entries.append(MoveMade(number=3 + i, at=at, seat=seat, key=f"{seat}:{i}", move=str(move), used=spent))
    alarm = Alarm(at + WEEK - used, WEEK - used) if clock else None
    return NewTable(row, entries, dict(enumerate(people)), alarm)


def month(played: clew.Table, moves: int) -> Iterator[NewTable]:
    """Finished games of the last thirty days, and some that are older."""
    games = moves // len(played.moves)
    for i in range(games):
        age = 31 * DAY if i < DUE else 29 * DAY * i // games
        yield stored(played, i, now_ms() - age, len(played.moves), None, 0)


def clocks(played: clew.Table, tables: int) -> Iterator[NewTable]:
    """Games under way with a week for each seat, of which some have a second left."""
    clock = {"move": None, "total": WEEK // 1000, "increment": 0, "then": "lose"}
    for i in range(tables):
        yield stored(played, i, now_ms() - DAY, 10, clock, WEEK - 1000 if i < DUE else DAY)


async def write(folder: Path, tables: Iterator[NewTable]) -> None:
    """Make a database of them."""
    store = await open_store(f"sqlite:///{folder / 'clew.db'}")
    while page := list(islice(tables, 500)):
        await asyncio.gather(*(store.create(new) for new in page))
    await store.close()


def memory(server: Worker) -> float:
    """What the process has in memory, in megabytes."""
    assert server.child is not None
    lines = Path(f"/proc/{server.child.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def measure(folder: Path, past: Iterator[NewTable] | None, left: str) -> dict[str, float]:
    """Start a server with a past and look at it; `left` counts what it has still to see to."""
    if past is not None:
        await write(folder, past)
    begun = time.perf_counter()
    server = Worker(folder).start()
    try:
        await Client(server.url).get("/healthz")  # it listens before it can answer
        found = {"start, s": time.perf_counter() - begun, "memory at the start, MB": memory(server)}
        found["file, MB"] = (folder / "clew.db").stat().st_size / 1e6
        with closing(sqlite3.connect(folder / "clew.db")) as database:
            while database.execute(left).fetchone()[0]:
                await asyncio.sleep(0.1)
        found["seen to, s"] = time.perf_counter() - begun
        await asyncio.sleep(max(0.0, LATER - (time.perf_counter() - begun)))
        found["memory later, MB"] = memory(server)
        async with Client(server.url, name="Ann") as ann:
            found["health, ms"] = await timed(lambda: ann.get("/healthz"))
            if past:
                found["an old table, ms"] = await timed(lambda: ann.get(f"/api/tables/table{DUE + 1}"))
            took = [one async for one in moves(ann)]
            found["move p50, ms"] = statistics.median(took)
            found["move p99, ms"] = statistics.quantiles(took, n=100)[-1]
    finally:
        server.end()
    return found


async def moves(person: Client) -> AsyncIterator[float]:
    """Play new games; how long each move took until it was on disk, in milliseconds."""
    made = 0
    while made < MOVES:
        table = await person.post("/api/tables", WISH)
        async with person.chair(table["id"], 0) as first, person.chair(table["id"], 1) as second:
            while not first.over and made < MOVES:
                chair = (first, second)[first.view["to_move"][0]]
                await chair.turn()
                yield await timed(lambda chair=chair: chair.move(chair.moves[0]))  # type: ignore[misc]
                made += 1
                await first.until(lambda chair=chair: first.number >= chair.number)


async def timed(work: Callable[[], Any]) -> float:
    """How many milliseconds something takes."""
    begun = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - begun)


ARCHIVED = "SELECT count(*) FROM tables WHERE record IS NULL AND changed < 1000 * (strftime('%s', 'now') - 30 * 86400)"
RUNG = "SELECT count(*) FROM alarms WHERE remaining <= 1000"


async def run(folder: Path, tables: int, played_moves: int) -> dict[str, dict[str, float]]:
    """All three."""
    played, found = game(), {}
    pasts = {
        "empty": (None, "SELECT 0"),
        f"a month, {played_moves:,} moves": (month(played, played_moves), ARCHIVED),
        f"{tables:,} clocks": (clocks(played, tables), RUNG),
    }
    for number, (name, (past, left)) in enumerate(pasts.items()):
        (folder / str(number)).mkdir()
        found[name] = await measure(folder / str(number), past, left)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(Path(folder), asked.tables, asked.moves))
    if asked.json:
        print(json.dumps(found, indent=1))
        return
    figures = list(dict.fromkeys(figure for column in found.values() for figure in column))
    print("| | " + " | ".join(found) + " |\n|---|" + "---:|" * len(found))
    for figure in figures:
        print(f"| {figure} | " + " | ".join(f"{c[figure]:,.1f}" if figure in c else "–" for c in found.values()) + " |")


if __name__ == "__main__":
    main()
