"""Servers for the tests: one in this process, or as a process of its own that can be killed."""

import asyncio
import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time

import uvicorn

from clew.server.app import make_app
from clew.server.client import Client
from clew.server.http import SocketProtocol, http_protocol
from clew.server.log_entries import Entry
from clew.server.metrics import render
from clew.server.settings import Settings

FAST = {
    "message_rate": 0,
    "request_rate": 0,
    "connections": 10_000,
    "tables_of_one": 10_000,
    "bot_threads": 1,
    "absent_seconds": 0,
}


class Nonsense(Entry, tag="nonsense"):
    """An entry that no server can read."""


class LocalServer:
    """A server in this process, and the people who go there."""

    def __init__(self, app, url, stack):
        self.app, self.url, self._stack = app, url, stack
        self.registry = app.state.registry

    async def person(self, name="Ann"):
        return await self._stack.enter_async_context(Client(self.url, name=name))

    async def figures(self):
        return render().decode()

    async def chair(self, person, table, seat, **more):
        return await self._stack.enter_async_context(person.chair(table["id"], seat, **more))

    async def two(self, game="palaces", **wish):
        """A table of two people, and their chairs."""
        ann, bob = await self.person("Ann"), await self.person("Bob")
        table = await ann.post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "open"}], **wish})
        await bob.post(f"/api/tables/{table['id']}/join", {"invite": table["invite"]})
        return table, await self.chair(ann, table, 0), await self.chair(bob, table, 1)


@contextlib.asynccontextmanager
async def open_server(folder, **settings):
    """A server in this process, as long as the block lasts."""
    chosen = Settings(data=folder, **{**FAST, **settings})
    app = make_app(chosen)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        more = {"log_config": None, "proxy_headers": False, "timeout_graceful_shutdown": 2}
        config = uvicorn.Config(app, http=http_protocol(chosen), ws=SocketProtocol, **more)
        server = uvicorn.Server(config)
        server.capture_signals = contextlib.nullcontext
        task = asyncio.create_task(server.serve([bound]))
        while not server.started:
            assert not task.done(), task
            await asyncio.sleep(0.01)
        try:
            async with contextlib.AsyncExitStack() as stack:
                yield LocalServer(app, f"http://127.0.0.1:{bound.getsockname()[1]}", stack)
        finally:
            await app.state.registry.drain()
            server.should_exit = True
            await task


async def play_on(chair, rng=None, moves=10_000):
    """Make moves, the first of the list or any, until the game is over; how many."""
    rng = rng or random.Random(1)
    made = 0
    while made < moves:
        await chair.turn()
        if chair.over:
            break
        await chair.move(rng.choice(chair.moves))
        made += 1
    return made


async def level(*chairs):
    """Wait until each chair knows as much as the one that knows most."""
    number = max(chair.number for chair in chairs)
    for chair in chairs:
        await chair.until(lambda chair=chair: chair.number >= number)


class Process:
    """`clew serve` as a process that can be killed and started again, always at the same port."""

    def __init__(self, folder, *arguments, port=None):
        self.folder, self.arguments = folder, arguments
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.metrics = f"127.0.0.1:{free_port()}"
        self.child = None

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        limits = ("--message-rate=0", "--request-rate=0", "--connections=10000", "--tables=10000", "--workers=1")
        command = [sys.executable, "-m", "clew", "serve", "--port", str(self.port), "--data", str(self.folder), *limits]
        command += ["--metrics", self.metrics]
        self.log = open(self.folder / "log", "ab")  # noqa: SIM115
        self.child = subprocess.Popen(
            [*command, *self.arguments], stdout=self.log, stderr=self.log, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self.child.poll() is None, (self.folder / "log").read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text())

    def end(self, number=signal.SIGKILL):
        self.child.send_signal(number)
        code = self.child.wait(30)
        self.log.close()
        return code

    def said(self):
        return (self.folder / "log").read_text()

    async def figures(self):
        return await Client(f"http://{self.metrics}").get("/metrics")


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def normal(raw):
    """A message without what differs between any two tables: ids and times."""
    raw = re.sub(r'"(id|invite|commitment|seed|salt|rematch)":"[^"]*"', r'"\1":""', raw)
    return re.sub(r'"(at|created)":\d+', r'"\1":0', raw)
