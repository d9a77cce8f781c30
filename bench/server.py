"""How much play a server takes, next to others in the same run: python bench/server.py [--quick] [--json].

The server and the load generator beside it. Chairs make legal moves as fast as they are acknowledged, which means on
disk. Beside it, each alone and in turns:

- a bare WebSocket echo of the same stack, which answers with as many bytes as play does;
- the relay between the two, where a move is read, written to the log and sent to both chairs, but nothing looks at it;
- boardgame.io's own server, in memory, with a card game for two that has secrets (`make bench-server` installs it).

Figures: moves/s, messages/s (in and out of the server), p50 and p99 of a move in milliseconds, bytes of a message to
a chair, and the share of a core that the generator took. Then: the other games, many connections, bots of level 6
thinking on all cores, 1 to 1,000 who watch one table, long logs, memory of an idle table and an idle connection.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import boardgameio
import uvloop
from bare import bare_server, measure_echo, measure_relay
from kill import Worker
from load import chair, measure_long, measure_play, measure_watched

from clew.core.game import names
from clew.server.client import Client

WATCHING = (1, 100, 1000)
LOGS = (100, 100_000)


def memory(pid: int) -> int:
    """Resident bytes of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def measure_memory(worker: Worker, game: str, count: int) -> dict[str, float]:
    """Bytes of a table that waits in memory, and of a connection that only listens."""
    assert worker.child is not None
    async with Client(worker.url, name="Ann") as ann:
        wish = {"game": game, "seats": [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]}
        tables = [await ann.post("/api/tables", wish) for _ in range(20)]
        before = memory(worker.child.pid)
        tables = [await ann.post("/api/tables", wish) for _ in range(count)]
        with_tables = memory(worker.child.pid)
        sockets = [await chair(ann, table["id"]) for table in tables]
        for one in sockets:
            await one.send('{"type":"hello","version":1,"chair":0}')
            await one.recv()
        with_lines = memory(worker.child.pid)
        await asyncio.gather(*(one.close() for one in sockets))
    return {"table_bytes": (with_tables - before) / count, "connection_bytes": (with_lines - with_tables) / count}


def started(folder: Path, db: str, workers: int) -> Worker:
    folder.mkdir(exist_ok=True)
    arguments = [*(["--db", db] if db else []), *([f"--workers={workers}"] if workers else [])]
    return Worker(folder, *arguments, "--idle", "3600", f"--bot-threads={os.cpu_count()}").start()


def median(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The round in the middle."""
    middle = statistics.median_low([one["per_s"] for one in rounds])
    return next(one for one in rounds if one["per_s"] == middle)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each figure")
    parser.add_argument("--game", default="palaces")
    parser.add_argument("--db", action="append", default=[], help="besides SQLite: postgresql://...")
    parser.add_argument("--workers", type=int, default=0, help="processes of the server; by default its own")
    parser.add_argument("--chairs", type=int, default=50, help="that play")
    parser.add_argument("--connected", type=int, default=1000, help="chairs, in the run with many")
    parser.add_argument("--rounds", type=int, default=3, help="of play and the others in turns; the median counts")
    parser.add_argument("--quick", action="store_true", help="only these rounds")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found: dict[str, Any] = {}

    def show(name: str, figures: dict[str, float]) -> None:
        found[name] = figures
        if not asked.json:
            print(f"{name:<34}", ", ".join(f"{key} {value:,.2f}" for key, value in figures.items()), flush=True)

    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        for number, db in enumerate(["", *asked.db]):
            home = Path(folder) / str(number)
            worker = started(home, db, asked.workers)
            try:
                compare(asked, worker, "postgresql" if db else "sqlite", folder, show)
                if not asked.quick:
                    more(asked, worker, "postgresql" if db else "sqlite", show)
            finally:
                worker.end(signal.SIGTERM)
        if not asked.quick:
            for entries in LOGS:
                home = Path(folder) / f"log{entries}"
                worker = started(home, "", 0)
                try:
                    show(f"log of {entries} entries", uvloop.run(measure_long(worker, home, asked.game, entries, 4)))
                finally:
                    worker.end(signal.SIGTERM)
            worker = started(Path(folder) / "memory", "", 0)
            try:
                show("memory", uvloop.run(measure_memory(worker, asked.game, 500)))
            finally:
                worker.end(signal.SIGTERM)
    if asked.json:
        print(json.dumps(found, indent=2))
    return 0


def compare(asked: Any, worker: Worker, kind: str, folder: str, show: Any) -> None:
    """Play next to the others, in turns; the servers that wait take no time."""
    assert worker.child is not None
    chairs, seconds, process = asked.chairs, asked.seconds, worker.child.pid if asked.workers in (0, 1) else 0
    rounds: dict[str, list[dict[str, float]]] = {"play": [], "echo": [], "relay": [], "peer": []}
    if not boardgameio.installed():
        print(boardgameio.HOW, file=sys.stderr)
    for turn in range(asked.rounds):
        full = uvloop.run(measure_play(worker.url, asked.game, chairs, seconds, 0, server=process))
        rounds["play"].append(full)
        if boardgameio.installed():
            with boardgameio.server() as (port, peer):
                rounds["peer"].append(uvloop.run(boardgameio.measure(port, chairs, seconds, peer)))
        with bare_server(f"{folder}/{kind}{turn}.db") as (port, bare):
            rounds["echo"].append(uvloop.run(measure_echo(port, chairs, seconds, full["bytes"])))
            rounds["relay"].append(uvloop.run(measure_relay(port, chairs, seconds, full["bytes"], bare)))
    middle = {name: median(found) for name, found in rounds.items() if found}
    show(f"echo, {chairs} connections", middle["echo"])
    show(f"relay, {chairs} chairs", middle["relay"])
    if "peer" in middle:
        show(f"boardgame.io, {chairs} chairs", middle["peer"])
    show(f"{kind}, {chairs} chairs", middle["play"])
    for name in ("echo", "relay"):
        ratio = middle["play"]["messages_per_s"] / middle[name]["messages_per_s"]
        show(f"{kind}, ratio to the {name}", {"messages": ratio})
    if "peer" in middle:
        ratios = [play["per_s"] / peer["per_s"] for play, peer in zip(rounds["play"], rounds["peer"])]
        show(f"{kind}, ratio to boardgame.io", {"moves": statistics.median(ratios), "least": min(ratios)})


def more(asked: Any, worker: Worker, kind: str, show: Any) -> None:
    """The other games, many connections, bots that think, and many who watch."""
    assert worker.child is not None
    url, process = worker.url, worker.child.pid if asked.workers in (0, 1) else 0
    chairs, seconds = asked.chairs, asked.seconds
    for game in names():
        if game != asked.game:
            played = uvloop.run(measure_play(url, game, chairs, seconds, 0, server=process))
            show(f"{kind}, {game}, {chairs} chairs", played)
    many = uvloop.run(measure_play(url, asked.game, chairs, seconds, 0, asked.connected))
    show(f"{kind}, {asked.connected} connected", many)
    calm = uvloop.run(measure_play(url, asked.game, 4, seconds, 0))
    show(f"{kind}, 4 chairs", calm)
    full = uvloop.run(measure_play(url, asked.game, 4, seconds, 2 * (os.cpu_count() or 1)))
    show(f"{kind}, 4 chairs, bots thinking", full)
    show(f"{kind}, p99 with bots / without", {"ratio": full["p99_ms"] / calm["p99_ms"]})
    for watching in WATCHING:
        show(f"{kind}, {watching} watching", uvloop.run(measure_watched(url, asked.game, watching, 2, process)))


if __name__ == "__main__":
    sys.exit(main())
