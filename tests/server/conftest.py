"""Coroutines as tests; servers, databases and a little game that end with them."""

import asyncio
import contextlib
import inspect
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from glob import glob
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
from servers import Process, free_port

from clew.core import game as games

PEBBLES = Path(__file__).parent.parent / "core" / "pebbles"
STORY_SECONDS = float(os.environ.get("CLEW_STORY_SECONDS", "120"))


def pytest_collection_modifyitems(items):
    """The tests of a file go to one worker: they share databases."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group(f"server {item.path.stem}"))


def pytest_pyfunc_call(pyfuncitem):
    """Tests may be coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**wanted), STORY_SECONDS))
    return True


@pytest.fixture
def pebbles(monkeypatch):
    """The smallest game, as a package that somebody installed."""
    package = ModuleType("pebbles_of_the_tests")
    package.__path__, package.__file__ = [str(PEBBLES)], str(PEBBLES / "__init__.py")
    monkeypatch.setitem(sys.modules, package.__name__, package)
    monkeypatch.setattr(games, "_plugged", lambda: {"pebbles": EntryPoint("pebbles", package.__name__, "clew.games")})
    yield "pebbles"
    games.named.cache_clear()


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


class Postgres:
    """A PostgreSQL server that can be stopped and started again, always at the same port."""

    def __init__(self):
        if not tool("initdb"):
            pytest.skip("PostgreSQL is not installed: apt-get install postgresql, or make services as root")
        self.home = Path(tempfile.mkdtemp(prefix="clew-postgres-"))  # not pytest's, where only root may go
        if as_user():
            shutil.chown(self.home, "postgres")
        self.port, self._count = free_port(), 0
        self._run(*as_user(), tool("initdb"), "-D", self.home / "data", "-U", "clew", "-A", "trust", "-N")
        self.start()

    def _run(self, *command):
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd="/")

    def _control(self, *command):
        self._run(*as_user(), tool("pg_ctl"), "-D", self.home / "data", "-w", "-l", self.home / "log", *command)

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.home} -c max_connections=60"
        self._control("-o", options, "start")

    def stop(self):
        self._control("-m", "immediate", "stop")

    def signal(self, number):
        """Send a signal to all of its processes."""
        first = int((self.home / "data" / "postmaster.pid").read_text().split()[0])
        for pid in (first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())):
            os.kill(pid, number)

    def database(self):
        """The address of a new database."""
        self._count += 1
        to = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "clew", "postgres")
        self._run(tool("psql"), *to, "-c", f"CREATE DATABASE test{self._count}")
        return f"postgresql://clew@127.0.0.1:{self.port}/test{self._count}"

    def remove(self):
        with contextlib.suppress(subprocess.CalledProcessError):  # it may be stopped already
            self.stop()
        shutil.rmtree(self.home)


@pytest.fixture(scope="session")
def postgres():
    """Each call of it makes an empty database, on a server that is there for all tests."""
    server = Postgres()
    yield server.database
    server.remove()


@pytest.fixture
def own_postgres():
    """A server for a test that stops it."""
    server = Postgres()
    yield server
    server.remove()


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
