"""The one file of the database: one server has it, and /healthz says whether a move could be written to it."""

import asyncio
import contextlib
import resource
import signal
import sqlite3
import subprocess
import sys

import pytest
from servers import open_server
from test_outage import figure, health

from clew.server.client import Client, ServerError
from clew.server.store import StoreError
from clew.server.store.lock import lock_database

ONE_DEVICE = {"game": "palaces", "seats": [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]}
SMALL = 8192  # bytes, that a file may have; the log of this database has more


async def test_a_second_server_on_the_same_file_is_refused_and_told_who_has_it(process):
    server = process()
    second = subprocess.run(
        [sys.executable, "-m", "clew", "serve", "--port", "0", "--data", server.folder],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode != 0
    assert f"in use by process {server.child.pid}: one server at a time" in second.stderr
    assert "Traceback" not in second.stderr
    async with Client(server.url, name="Ann") as ann:
        assert (await ann.post("/api/tables", ONE_DEVICE))["state"] == "playing"
    server.end(signal.SIGKILL)
    server.start()  # a server that was killed leaves no lock behind


def test_a_lock_is_of_the_file_by_whatever_name(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").symlink_to(tmp_path / "here")
    lock_database(str(tmp_path / "here" / "clew.db"))
    for name in ("here/clew.db", "there/clew.db", "here/../there/clew.db"):
        with pytest.raises(StoreError, match=r"in use by process \d+"):
            lock_database(str(tmp_path / name))
    lock_database(str(tmp_path / "here" / "other.db"))
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened"):
        lock_database(str(tmp_path / "file" / "clew.db"))


async def test_a_full_disk_is_seen_by_the_health_check_the_log_and_the_figures(process):
    server = process()
    limits = resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE)
    async with Client(server.url, name="Ann") as ann:
        table = await ann.post("/api/tables", ONE_DEVICE)
        async with ann.chair(table["id"], 0) as chair:
            assert '"ok":true' in await health(server, 200)
            resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, (SMALL, limits[1]))
            assert "A move could not be written now" in await health(server, 503)
            with pytest.raises(ServerError, match="cannot be written"):
                await chair.repeat("same", "chat", text="hello")
            assert await figure(server, "clew_not_written_total") >= 1
            assert "The database cannot be written" in server.said()
            resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, limits)
            await health(server, 200)
            assert (await chair.repeat("same", "chat", text="hello"))["kind"] == "chat"


async def test_a_locked_database_is_seen_by_the_health_check_in_time(process):
    server = process()
    await health(server, 200)
    with contextlib.closing(sqlite3.connect(server.folder / "clew.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "the database does not answer" in await health(server, 503)
        other.execute("ROLLBACK")
    await health(server, 200)


async def test_many_who_ask_for_the_health_cost_one_write_a_second(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        beats, health, beat = 0, server.registry.health, server.registry.store.beat

        async def counted(at):
            nonlocal beats
            beats += 1
            await beat(at)

        monkeypatch.setattr(server.registry.store, "beat", counted)
        await asyncio.gather(*(health.check() for _ in range(100)))
        assert beats == 1
        monkeypatch.setattr("clew.server.health.SHARED", 0)
        await health.check()
        assert beats == 2
