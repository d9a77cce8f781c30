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
from houses import Process, free_port

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
    games.load.cache_clear()


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
    home = Path(tempfile.mkdtemp(prefix="clew-postgres-"))  # not pytest's, where only root may go
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
