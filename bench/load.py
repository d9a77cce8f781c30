"""The load generator of bench/server.py: chairs that play, chairs that listen, and what was measured."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from kill import Worker
from websockets.asyncio.client import connect

from clew.server.client import Client

WARM_UP = 2.0  # seconds
CHANGES = True  # whether chairs ask for what has changed only, as the page does
AHEAD = 4  # games that a pair of chairs may play in a second, and tables that are set up for it before the clock runs


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until somebody listens there."""
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"Nobody listens at port {port}.")


def main_thread(process: int) -> float:
    """Seconds of the processor that the main thread of a process has taken; 0 where Linux does not tell."""
    try:
        return int(Path(f"/proc/{process}/task/{process}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0


def ahead(chairs: int, seconds: float, game: str = "palaces") -> int:
    """How many tables to set up, so that hardly any is while the clock runs; the games of others take longer."""
    return int((AHEAD if game == "palaces" else 1) * (WARM_UP + seconds) * chairs / 2)


class Entry(msgspec.Struct):
    number: int
    id: str | None = None


class Now(msgspec.Struct):
    moves: list[str] = []


class Seen(msgspec.Struct):
    """As much of a message as the generator needs."""

    type: str
    id: str | None = None  # of an acknowledgement
    entry: Entry | None = None
    now: Now | None = None
    table: Any = None


decode = msgspec.json.Decoder(Seen).decode


class Load:
    """What was measured, and what it took the main thread of the server's process, if that is known."""

    def __init__(self, server: int = 0) -> None:
        self.server = server
        self.latencies: list[float] = []
        self.received = 0
        self.size = 0  # bytes
        self.measuring = False
        self.seconds = self.busy = self.served = 0.0  # by the clock; of the processor, by the generator and the server

    @contextlib.contextmanager
    def measured(self) -> Iterator[None]:
        """What happens in this block counts."""
        begun, busy, served = time.perf_counter(), time.process_time(), main_thread(self.server)
        self.measuring = True
        yield
        self.measuring = False
        self.served += main_thread(self.server) - served
        self.seconds += time.perf_counter() - begun
        self.busy += time.process_time() - busy

    def figures(self) -> dict[str, float]:
        """Per second, and in milliseconds; `generator` is its share of one core, and no figure counts if that is 1.

        `thread_us`, the microseconds of the server's main thread for a move, varies least where the machine is busy.
        """
        found = sorted(self.latencies)
        if not found:
            return {"per_s": 0.0}
        return {
            "per_s": len(found) / self.seconds,
            "messages_per_s": (len(found) + self.received) / self.seconds,
            "p50_ms": 1000 * found[len(found) // 2],
            "p99_ms": 1000 * found[int(len(found) * 0.99)],
            "bytes": self.size / max(1, self.received),
            "generator": self.busy / self.seconds,
            **({"thread_us": 1e6 * self.served / len(found)} if self.served else {}),
        }

    async def run(self, tasks: list[asyncio.Task[None]], seconds: float) -> dict[str, float]:
        """Let it go for a while."""
        await asyncio.sleep(WARM_UP)
        with self.measured():
            await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        for error in done:
            if isinstance(error, Exception):
                print(f"a client failed: {error!r}", file=sys.stderr)
        return self.figures()


def headers(client: Client) -> dict[str, Any]:
    return {"additional_headers": {"Cookie": f"clew={client.cookie}"}, "compression": None, "max_size": None}


async def two_people(url: str) -> list[Client]:
    """Two people who have been there."""
    clients = []
    for name in ("Ann", "Bob"):
        async with Client(url, name=name) as client:
            clients.append(client)
    return clients


async def set_up(clients: list[Client], game: str) -> str:
    """A table of two people; its id."""
    table = await clients[0].post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "open"}]})
    await clients[1].post(f"/api/tables/{table['id']}/join")
    return str(table["id"])


async def slot(load: Load, clients: list[Client], game: str, tables: list[str], rng: random.Random) -> None:
    """Two chairs, game after game: at tables set up before, as long as there are any."""
    while True:
        await one_game(load, clients, tables.pop() if tables else await set_up(clients, game), rng)


async def one_game(load: Load, clients: list[Client], table_id: str, rng: random.Random, last: int = 0) -> None:
    """Both chairs of a table until its game is over; they have seen the log up to the entry `last`."""
    async with contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(await chair(client, table_id)) for client in clients]
        tasks = [asyncio.create_task(play(load, one, seat, rng, last)) for seat, one in enumerate(sockets)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()


async def play(load: Load, socket: Any, seat: int, rng: random.Random, last: int = 0) -> None:
    """Move whenever there is something to move."""
    await socket.send(json.dumps({"type": "hello", "version": 1, "chair": seat, "last": last, "changes": CHANGES}))
    count, sent = 0, 0.0
    async for raw in socket:
        seen = decode(raw)
        if load.measuring and seen.type == "event":
            load.received += 1
            load.size += len(raw)
        if sent and (seen.type == "ack" or (seen.entry is not None and seen.entry.id is not None)):
            if load.measuring:
                load.latencies.append(time.perf_counter() - sent)
            sent = 0.0
        if seen.table is not None and seen.table.get("state") == "over":
            return
        if seen.now is not None and seen.now.moves:
            count += 1
            sent = time.perf_counter()
            move = rng.choice(seen.now.moves)
            await socket.send(f'{{"type":"move","id":"m{count}","move":{json.dumps(move)}}}')


async def chair(client: Client, table_id: str) -> Any:
    """A connection to a table."""
    url = f"{client.addresses[0].replace('http', 'ws')}/api/tables/{table_id}/play"
    return await connect(url, **headers(client))


async def measure_play(
    url: str, game: str, chairs: int, seconds: float, thinking: int, connected: int = 0, server: int = 0
) -> dict[str, float]:
    """So many chairs playing, bots thinking at other tables, and more connections that only listen."""
    load, clients, listeners = Load(server), await two_people(url), []
    for _ in range(max(0, connected - chairs) // 2):
        table_id = await set_up(clients, game)
        for seat in range(2):
            listeners.append(await chair(clients[seat], table_id))
            await listeners[-1].send(json.dumps({"type": "hello", "version": 1, "chair": seat}))
    tables = [await set_up(clients, game) for _ in range(ahead(chairs, seconds, game))]
    tasks = [asyncio.create_task(slot(load, clients, game, tables, random.Random(i))) for i in range(chairs // 2)]
    tasks += [asyncio.create_task(busy(clients[0])) for _ in range(thinking)]
    try:
        return await load.run(tasks, seconds)
    finally:
        await asyncio.gather(*(one.close() for one in listeners), return_exceptions=True)


async def measure_watched(url: str, game: str, watching: int, games: int, server: int = 0) -> dict[str, float]:
    """Two who play as fast as they can, game after game, and so many who watch each of them."""
    load, clients, rng = Load(server), await two_people(url), random.Random(1)
    async with Client(url, name="Eve") as eve:
        for _ in range(games):
            table_id = await set_up(clients, game)
            sockets = [await chair(eve, table_id) for _ in range(watching)]
            for one in sockets:
                await one.send(json.dumps({"type": "hello", "version": 1, "changes": CHANGES}))
                await one.recv()
            readers = [asyncio.create_task(listen(load, one)) for one in sockets]
            with load.measured():
                await one_game(load, clients, table_id, rng)
            await asyncio.gather(*(one.close() for one in sockets))
            await asyncio.gather(*readers, return_exceptions=True)
    return load.figures()


async def listen(load: Load, socket: Any) -> None:
    """Count what comes."""
    async for raw in socket:
        if load.measuring:
            load.received += 1
            load.size += len(raw)


async def measure_long(worker: Worker, folder: Path, game: str, entries: int, games: int) -> dict[str, float]:
    """Games at tables whose logs have so many entries already, most of them chat."""
    load, clients, rng = Load(), await two_people(worker.url), random.Random(1)
    tables = [await set_up(clients, game) for _ in range(games)]
    worker.end(signal.SIGTERM)
    with contextlib.closing(sqlite3.connect(folder / "clew.db")) as database:
        for table_id in tables:
            (last,) = database.execute("SELECT max(number) FROM entries WHERE table_id = ?", (table_id,)).fetchone()
            rows = [(table_id, n, 0, "chat", 0, f"0:c{n}", '{"text":"Hello!"}') for n in range(last + 1, entries + 1)]
            names = "table_id, number, at, kind, seat, key, data"
            database.executemany(f"INSERT INTO entries ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        database.commit()
    worker.start()
    for table_id in tables:
        async with await chair(clients[0], table_id) as first:  # who waits until the log has been read
            await first.send(json.dumps({"type": "hello", "version": 1, "chair": 0, "last": entries}))
            await first.recv()
            with load.measured() if table_id != tables[0] else contextlib.nullcontext():  # the first warms up
                await one_game(load, clients, table_id, rng, entries)
    return load.figures()


async def busy(client: Client) -> None:
    """A table where two strong bots play, watched so that they do."""
    while True:
        wish = {"game": "palaces", "seats": [{"who": "bot", "level": 6}, {"who": "bot", "level": 6}]}
        table = await client.post("/api/tables", wish)
        socket = await chair(client, table["id"])
        async with socket:
            await socket.send('{"type":"hello","version":1}')
            async for raw in socket:
                seen = decode(raw)
                if seen.table is not None and seen.table.get("state") == "over":
                    break
