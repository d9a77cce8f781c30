"""How much play a server takes, next to a bare WebSocket echo of the same stack: python bench/server.py [--json].

One server process, and the load generator beside it. Chairs make legal moves as fast as they are acknowledged, which
means on disk; the echo answers with as many bytes as play does. Figures: moves/s, messages/s (in and out of the
server), p50 and p99 of a move in milliseconds, the ratio of messages/s to the echo's; the same with bots of level 6
thinking on all cores; memory of an idle table and an idle connection.

Between the echo and play stands the relay: a move is read, written to the log and sent to both chairs, as in play, but
nothing looks at it. What a relay cannot do on this stack, no game can.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
import uvloop
from kill import Worker
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from clew.server import messages
from clew.server.client import Client
from clew.server.clock import now_ms
from clew.server.limits import Bucket
from clew.server.line import Line
from clew.server.play import send_all
from clew.server.store import Row
from clew.server.store.sqlite import SqliteStore

WARM_UP = 2.0  # seconds
AHEAD = 6  # tables that are set up for each pair of chairs before the clock runs


class Entry(msgspec.Struct):
    number: int
    id: str | None = None


class Now(msgspec.Struct):
    moves: list[str] = []


class Seen(msgspec.Struct):
    """As much of a message as the generator needs."""

    type: str
    entry: Entry | None = None
    now: Now | None = None
    table: Any = None


decode = msgspec.json.Decoder(Seen).decode


class Load:
    """What was measured."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.received = 0
        self.size = 0  # bytes
        self.measuring = False

    def figures(self, seconds: float) -> dict[str, float]:
        """Per second, and in milliseconds."""
        found = sorted(self.latencies)
        if not found:
            return {"per_s": 0.0}
        return {
            "per_s": len(found) / seconds,
            "messages_per_s": (len(found) + self.received) / seconds,
            "p50_ms": 1000 * found[len(found) // 2],
            "p99_ms": 1000 * found[int(len(found) * 0.99)],
            "bytes": self.size / max(1, self.received),
        }

    async def run(self, tasks: list[asyncio.Task[None]], seconds: float) -> dict[str, float]:
        """Let it go for a while."""
        await asyncio.sleep(WARM_UP)
        self.measuring = True
        await asyncio.sleep(seconds)
        self.measuring = False
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        for error in done:
            if isinstance(error, Exception):
                print(f"a client failed: {error!r}", file=sys.stderr)
        return self.figures(seconds)


def headers(client: Client) -> dict[str, Any]:
    return {"additional_headers": {"Cookie": f"clew={client.cookie}"}, "compression": None, "max_size": None}


async def set_up(clients: list[Client], game: str) -> str:
    """A table of two people; its id."""
    table = await clients[0].post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "open"}]})
    await clients[1].post(f"/api/tables/{table['id']}/join")
    return str(table["id"])


async def slot(load: Load, clients: list[Client], game: str, tables: list[str], rng: random.Random) -> None:
    """Two chairs, game after game: at tables set up before, as long as there are any."""
    while True:
        table_id = tables.pop() if tables else await set_up(clients, game)
        url = f"{clients[0].addresses[0].replace('http', 'ws')}/api/tables/{table_id}/play"
        async with contextlib.AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(connect(url, **headers(client))) for client in clients]
            tasks = [asyncio.create_task(play(load, one, seat, rng)) for seat, one in enumerate(sockets)]
            try:
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()


async def play(load: Load, socket: Any, seat: int, rng: random.Random) -> None:
    """Move whenever there is something to move."""
    await socket.send(json.dumps({"type": "hello", "version": 1, "chair": seat}))
    count, sent = 0, 0.0
    async for raw in socket:
        seen = decode(raw)
        if load.measuring and seen.type == "event":
            load.received += 1
            load.size += len(raw)
        if seen.entry is not None and seen.entry.id is not None and load.measuring and sent:
            load.latencies.append(time.perf_counter() - sent)
        if seen.table is not None and seen.table.get("state") == "over":
            return
        if seen.now is not None and seen.now.moves:
            count += 1
            sent = time.perf_counter()
            move = rng.choice(seen.now.moves)
            await socket.send(f'{{"type":"move","id":"m{count}","move":{json.dumps(move)}}}')


async def idle_chair(client: Client, table_id: str) -> Any:
    """A connection that only listens."""
    url = f"{client.addresses[0].replace('http', 'ws')}/api/tables/{table_id}/play"
    return await connect(url, **headers(client))


async def measure_play(
    url: str, game: str, chairs: int, seconds: float, thinking: int, connected: int = 0
) -> dict[str, float]:
    """So many chairs playing, bots thinking at other tables, and more connections that only listen."""
    load, clients = Load(), []
    for name in ("Ann", "Bob"):
        async with Client(url, name=name) as client:
            clients.append(client)
    listeners = []
    for _ in range(max(0, connected - chairs) // 2):
        table_id = await set_up(clients, game)
        for seat in range(2):
            listeners.append(await idle_chair(clients[seat], table_id))
            await listeners[-1].send(json.dumps({"type": "hello", "version": 1, "chair": seat}))
    tables = [await set_up(clients, game) for _ in range(AHEAD * chairs // 2)]
    tasks = [asyncio.create_task(slot(load, clients, game, tables, random.Random(i))) for i in range(chairs // 2)]
    tasks += [asyncio.create_task(busy(clients[0])) for _ in range(thinking)]
    try:
        return await load.run(tasks, seconds)
    finally:
        await asyncio.gather(*(one.close() for one in listeners), return_exceptions=True)


async def busy(client: Client) -> None:
    """A table where two strong bots play, watched so that they do."""
    while True:
        wish = {"game": "palaces", "seats": [{"who": "bot", "level": 6}, {"who": "bot", "level": 6}]}
        table = await client.post("/api/tables", wish)
        socket = await idle_chair(client, table["id"])
        async with socket:
            await socket.send('{"type":"hello","version":1}')
            async for raw in socket:
                seen = decode(raw)
                if seen.table is not None and seen.table.get("state") == "over":
                    break


# The echo and the relay

TEXT = "x" * 100_000
MOVE = '{"type":"move","id":"m%d","move":"K7:a"}'


async def echo(socket: WebSocket) -> None:
    """Send back as much as is asked for."""
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            size = int((await socket.receive_text()).split()[-1])
            await socket.send_text(TEXT[:size])


class Relay:
    """Tables without a game: the log of play, and its way to the chairs."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: dict[str, list[Line]] = {}
        self.lengths: dict[str, int] = {}

    async def open(self) -> None:
        """Open the log of a server."""
        self.store = await SqliteStore.open(self.path)

    async def play(self, socket: WebSocket) -> None:
        """One chair: what comes is written, and goes to all of the table as so many bytes as it asked for."""
        await socket.accept()
        table, size = socket.path_params["table"], socket.path_params["size"]
        line = Line("", Bucket(1, 1))
        self.lines.setdefault(table, []).append(line)
        chair = str(len(self.lines[table]))
        sender, answer = asyncio.create_task(send_all(socket, line)), TEXT[:size].encode()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message: Any = messages.decode(await socket.receive_text())
                number = self.lengths[table] = self.lengths.get(table, 0) + 1
                row = Row(number, now_ms(), "move", 0, f"{chair}:{message.id}", {"move": message.move})
                await self.store.append(table, row)
                for other in self.lines[table]:
                    other.send(answer)
        sender.cancel()


def serve_bare(port: int, path: str) -> None:
    """The same stack with next to nothing in it."""
    relay = Relay(path)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await relay.open()
        yield

    routes = [WebSocketRoute("/echo", echo), WebSocketRoute("/relay/{table}/{size:int}", relay.play)]
    app = Starlette(routes=routes, lifespan=life)
    uvicorn.run(app, port=port, ws="websockets-sansio", ws_per_message_deflate=False, log_config=None, access_log=False)


async def echoed(load: Load, url: str, text: str) -> None:
    async with connect(url, compression=None, max_size=None) as socket:
        while True:
            begun = time.perf_counter()
            await socket.send(text)
            answer = await socket.recv()
            if load.measuring:
                load.latencies.append(time.perf_counter() - begun)
                load.received += 1
                load.size += len(answer)


async def measure_echo(port: int, connections: int, seconds: float, size: float) -> dict[str, float]:
    """So many connections, each sending a message as long as a move and waiting for so many bytes to come back."""
    load, text = Load(), f"{MOVE % 123} {size:.0f}"
    url = f"ws://127.0.0.1:{port}/echo"
    return await load.run([asyncio.create_task(echoed(load, url, text)) for _ in range(connections)], seconds)


async def relayed(load: Load, url: str) -> None:
    """Two chairs that send in turns, each when it has seen what the other sent."""
    async with contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(url, compression=None, max_size=None)) for _ in range(2)]
        count = 0
        while True:
            mover, other = sockets[count % 2], sockets[1 - count % 2]
            count += 1
            begun = time.perf_counter()
            await mover.send(MOVE % count)
            answers = [await mover.recv()]
            took = time.perf_counter() - begun
            answers.append(await other.recv())
            if load.measuring:
                load.latencies.append(took)
                load.received += 2
                load.size += sum(map(len, answers))


async def measure_relay(port: int, chairs: int, seconds: float, size: float, tables: str) -> dict[str, float]:
    """So many chairs at tables without a game."""
    load, url = Load(), f"ws://127.0.0.1:{port}/relay/{tables}"
    tasks = [asyncio.create_task(relayed(load, f"{url}{i}/{size:.0f}")) for i in range(chairs // 2)]
    return await load.run(tasks, seconds)


@contextlib.contextmanager
def bare_server(folder: str) -> Iterator[int]:
    """Echo and relay as a process of their own."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
    child = subprocess.Popen([sys.executable, __file__, "--bare", str(port), f"{folder}/relay.db"])
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()


# Memory


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
        sockets = [await idle_chair(ann, table["id"]) for table in tables]
        for one in sockets:
            await one.send('{"type":"hello","version":1,"chair":0}')
            await one.recv()
        with_lines = memory(worker.child.pid)
        await asyncio.gather(*(one.close() for one in sockets))
    return {"table_bytes": (with_tables - before) / count, "connection_bytes": (with_lines - with_tables) / count}


def started(folder: Path, db: str) -> Worker:
    folder.mkdir(exist_ok=True)
    return Worker(folder, *(["--db", db] if db else []), "--idle", "3600", f"--bot-threads={os.cpu_count()}").start()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each figure")
    parser.add_argument("--game", default="palaces")
    parser.add_argument("--db", action="append", default=[], help="besides SQLite: postgresql://...")
    parser.add_argument("--chairs", type=int, default=50, help="that play")
    parser.add_argument("--connected", type=int, default=1000, help="chairs, in the run with many")
    parser.add_argument("--rounds", type=int, default=3, help="of echo and play in turns; the median counts")
    parser.add_argument("--quick", action="store_true", help="only echo and play")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bare", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.bare:
        serve_bare(int(asked.bare[0]), asked.bare[1])
        return 0
    found: dict[str, Any] = {}

    def show(name: str, figures: dict[str, float]) -> None:
        found[name] = figures
        if not asked.json:
            print(f"{name:<34}", ", ".join(f"{key} {value:,.2f}" for key, value in figures.items()), flush=True)

    def go(work: Any) -> Any:
        return uvloop.run(work)

    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder, bare_server(folder) as port:
        for number, db in enumerate(["", *asked.db]):
            kind = "postgresql" if db else "sqlite"
            worker = started(Path(folder) / str(number), db)
            try:
                url, rounds = worker.url, []
                for turn in range(asked.rounds):
                    full = go(measure_play(url, asked.game, asked.chairs, asked.seconds, 0))
                    bare = go(measure_echo(port, asked.chairs, asked.seconds, full["bytes"]))
                    relay = go(measure_relay(port, asked.chairs, asked.seconds, full["bytes"], f"{kind}{turn}-"))
                    rounds.append((full["messages_per_s"] / bare["messages_per_s"], bare, relay, full))
                middle = statistics.median_low([ratio for ratio, *_ in rounds])
                _, bare, relay, full = next(one for one in rounds if one[0] == middle)
                show(f"echo, {asked.chairs} connections", bare)
                show(f"relay, {asked.chairs} chairs", relay)
                show(f"{kind}, {asked.chairs} chairs", full)
                show(f"{kind}, ratio to the echo", {"messages": middle})
                show("relay, ratio to the echo", {"messages": relay["messages_per_s"] / bare["messages_per_s"]})
                if asked.quick:
                    continue
                many = go(measure_play(url, asked.game, asked.chairs, asked.seconds, 0, asked.connected))
                show(f"{kind}, {asked.connected} connected", many)
                calm = go(measure_play(url, asked.game, 4, asked.seconds, 0))
                show(f"{kind}, 4 chairs", calm)
                full = go(measure_play(url, asked.game, 4, asked.seconds, 2 * (os.cpu_count() or 1)))
                show(f"{kind}, 4 chairs, bots thinking", full)
                show(f"{kind}, p99 with bots / without", {"ratio": full["p99_ms"] / calm["p99_ms"]})
            finally:
                worker.end(signal.SIGTERM)
        if not asked.quick:
            worker = started(Path(folder) / "memory", "")
            try:
                show("memory", go(measure_memory(worker, asked.game, 500)))
            finally:
                worker.end(signal.SIGTERM)
    if asked.json:
        print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
