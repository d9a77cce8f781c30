"""Servers for the tests: one in this process, or as a process of its own that can be killed."""

import asyncio
import contextlib
import inspect
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from glob import glob
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
import uvicorn

from clew.core import game as games
from clew.server.app import make_app
from clew.server.client import Client
from clew.server.settings import Settings

PEBBLES = Path(__file__).parent.parent / "core" / "pebbles"
STORY_SECONDS = 20
FAST = {
    "message_rate": 0,
    "request_rate": 0,
    "connections": 10_000,
    "tables_of_one": 10_000,
    "bot_threads": 1,
    "absent_seconds": 0,
}


def pytest_pyfunc_call(pyfuncitem):
    """Tests may be coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**wanted), STORY_SECONDS))
    return True


class House:
    """A server in this process, and the people who go there."""

    def __init__(self, app, url, stack):
        self.app, self.url, self._stack = app, url, stack
        self.house = app.state.house

    async def person(self, name="Ann"):
        return await self._stack.enter_async_context(Client(self.url, name=name))

    async def chair(self, person, table, seat, **more):
        return await self._stack.enter_async_context(person.chair(table["id"], seat, **more))

    async def two(self, game="palaces", **wish):
        """A table of two people, and their chairs."""
        ann, bob = await self.person("Ann"), await self.person("Bob")
        table = await ann.post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "open"}], **wish})
        await bob.post(f"/api/tables/{table['id']}/join", {"invite": table["invite"]})
        return table, await self.chair(ann, table, 0), await self.chair(bob, table, 1)


@contextlib.asynccontextmanager
async def open_house(folder, **settings):
    """A server in this process, as long as the block lasts."""
    app = make_app(Settings(data=folder, **{**FAST, **settings}))
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, ws="websockets-sansio", log_config=None, timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        server.capture_signals = contextlib.nullcontext
        task = asyncio.create_task(server.serve([bound]))
        while not server.started:
            assert not task.done(), task
            await asyncio.sleep(0.01)
        try:
            async with contextlib.AsyncExitStack() as stack:
                yield House(app, f"http://127.0.0.1:{bound.getsockname()[1]}", stack)
        finally:
            await app.state.house.farewell()
            server.should_exit = True
            await task


@pytest.fixture
def pebbles(monkeypatch):
    """The smallest game, as a package that somebody installed."""
    package = ModuleType("pebbles_of_the_tests")
    package.__path__, package.__file__ = [str(PEBBLES)], str(PEBBLES / "__init__.py")
    monkeypatch.setitem(sys.modules, package.__name__, package)
    monkeypatch.setattr(games, "_plugged", lambda: {"pebbles": EntryPoint("pebbles", package.__name__, "clew.games")})
    yield "pebbles"
    games.load.cache_clear()


async def play_on(chair, rng=None, moves=10_000, hasty=True):
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


class Process:
    """`clew serve` as a process that can be killed and started again, always at the same port."""

    def __init__(self, folder, *arguments, port=None):
        self.folder, self.arguments = folder, arguments
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.child = None

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        limits = ("--message-rate=0", "--request-rate=0", "--connections=10000", "--tables=10000")
        command = [sys.executable, "-m", "clew", "serve", "--port", str(self.port), "--data", str(self.folder), *limits]
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


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


@pytest.fixture
def process(tmp_path):
    """Makes servers that end with the test."""
    made = []

    def make(*arguments, folder="server", port=None):
        made.append(Process(tmp_path / folder, *arguments, port=port))
        return made[-1].start()

    yield make
    for one in made:
        if one.child.poll() is None:
            one.end()


# PostgreSQL and Redis, from Debian's packages (`make services`), on loopback and in a temporary folder


def tool(name):
    """A program of PostgreSQL's or Redis', wherever Debian puts it."""
    found = sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name)


def as_user():
    """PostgreSQL does not run as root: its own user does."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """The address of an empty PostgreSQL server; each call of it makes a database."""
    if not tool("initdb"):
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql, or make services as root")
    home = Path(subprocess.check_output(["mktemp", "-d", "/tmp/clew-postgres-XXXXXX"], text=True).strip())
    if as_user():
        shutil.chown(home, "postgres")
    data, port = home / "data", free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True, "cwd": "/"}
    subprocess.run([*as_user(), tool("initdb"), "-D", data, "-U", "clew", "-A", "trust", "-N"], **quiet)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {home} -c max_connections=60"
    control = [*as_user(), tool("pg_ctl"), "-D", data, "-w", "-l", home / "log"]
    subprocess.run([*control, "-o", options, "start"], **quiet)
    count = 0

    def database():
        nonlocal count
        count += 1
        sql = f"CREATE DATABASE test{count}"
        subprocess.run([tool("psql"), "-h", "127.0.0.1", "-p", str(port), "-U", "clew", "postgres", "-c", sql], **quiet)
        return f"postgresql://clew@127.0.0.1:{port}/test{count}"

    yield database
    subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
    shutil.rmtree(home)


@pytest.fixture(scope="session")
def redis(tmp_path_factory):
    """The address of a Redis server."""
    if not tool("redis-server"):
        pytest.skip("Redis is not installed: apt-get install redis-server, or make services as root")
    port = free_port()
    command = [tool("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    child = subprocess.Popen([*command, "--dir", tmp_path_factory.mktemp("redis")], stdout=subprocess.DEVNULL)
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}"
    child.terminate()
    child.wait(10)


def normal(raw):
    """A message without what differs between any two tables: ids and times."""
    raw = re.sub(r'"(id|invite|commitment|seed|salt|rematch)":"[^"]*"', r'"\1":""', raw)
    return re.sub(r'"(at|created)":\d+', r'"\1":0', raw)
