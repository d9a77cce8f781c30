"""The stack of the server with next to nothing in it, beside it in bench/server.py: an echo, and a relay.

The relay stands between the echo and play: a move is read, written to the log and sent to both chairs, as in play, but
nothing looks at it. What a relay cannot do on this stack, no game can.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import uvicorn
from load import Load, free_port, wait_for
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from clew.server import messages
from clew.server.clock import now_ms
from clew.server.connection import Connection
from clew.server.http import SOCKET, SocketProtocol
from clew.server.log_entries import MoveMade
from clew.server.rate_limits import TokenBucket
from clew.server.store.sqlite import SqliteStore

TEXT = "x" * 100_000
MOVE = '{"type":"move","id":"m%d","move":"K7:a"}'


async def echo(socket: WebSocket) -> None:
    """Send back as much as is asked for."""
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            size = int((await socket.receive_text()).split()[-1])
            await socket.send_text(TEXT[:size])


class Wanted:
    """What a connection of the relay asks for."""

    def __init__(self, connection: Connection) -> None:
        self.queue: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self.receive, self.ready = self.queue.put_nowait, connection.flush

    def lost(self) -> None:
        """The other side is gone."""
        self.queue.put_nowait(None)


class Relay:
    """Tables without a game: the log of play, and its way to the chairs."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.connections: dict[str, list[Connection]] = {}
        self.lengths: dict[str, int] = {}

    async def open(self) -> None:
        """Open the log of a server."""
        self.store = await SqliteStore.open(self.path)

    async def play(self, socket: WebSocket) -> None:
        """One chair: what comes is written, and goes to all of the table as so many bytes as it asked for."""
        await socket.accept()
        table, size = socket.path_params["table"], socket.path_params["size"]
        wire = socket.scope["extensions"][SOCKET]
        connection = Connection("", TokenBucket(1, 1), wire=wire)
        self.connections.setdefault(table, []).append(connection)
        chair, answer = str(len(self.connections[table])), TEXT[:size].encode()
        wanted = Wanted(connection)
        wire.listen(wanted)
        while (raw := await wanted.queue.get()) is not None:
            message: Any = messages.decode(raw)
            number = self.lengths[table] = self.lengths.get(table, 0) + 1
            entry = MoveMade(number=number, at=now_ms(), seat=0, key=f"{chair}:{message.id}", move=message.move)
            await self.store.append(table, entry)
            for other in self.connections[table]:
                other.send(answer)


def serve_bare(port: int, path: str) -> None:
    """The same stack with next to nothing in it."""
    relay = Relay(path)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await relay.open()
        yield

    routes = [WebSocketRoute("/echo", echo), WebSocketRoute("/relay/{table}/{size:int}", relay.play)]
    app = Starlette(routes=routes, lifespan=life)
    uvicorn.run(app, port=port, ws=SocketProtocol, ws_per_message_deflate=False, log_config=None, access_log=False)


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


async def measure_relay(port: int, chairs: int, seconds: float, size: float, server: int) -> dict[str, float]:
    """So many chairs at tables without a game."""
    load, url = Load(server), f"ws://127.0.0.1:{port}/relay/t"
    tasks = [asyncio.create_task(relayed(load, f"{url}{i}/{size:.0f}")) for i in range(chairs // 2)]
    return await load.run(tasks, seconds)


@contextlib.contextmanager
def bare_server(path: str) -> Iterator[tuple[int, int]]:
    """Echo and relay as a process of their own: its port and its number."""
    port = free_port()
    child = subprocess.Popen([sys.executable, __file__, str(port), path])
    try:
        wait_for(port)
        yield port, child.pid
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()


if __name__ == "__main__":
    serve_bare(int(sys.argv[1]), sys.argv[2])
