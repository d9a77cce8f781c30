"""Servers of several workers on both databases: workers are killed, and servers share a database."""

import asyncio
import sys
from pathlib import Path

import pytest
from servers import level, play_on

from clew.server.client import Client

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "bench"))
import kill

TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}


async def test_two_servers_of_two_workers_each_serve_one_table(process, postgres, redis):
    shared = ("--workers=2", "--db", postgres(), "--redis", redis)
    one, two = process(*shared), process(*shared)  # in one folder, so with one secret
    async with Client(one.url, name="Ann") as ann, Client(two.url, name="Bob") as bob:
        for _ in range(3):
            table_id = (await ann.post("/api/tables", TWO))["id"]
            await bob.post(f"/api/tables/{table_id}/join")
            async with ann.chair(table_id, 0) as first, bob.chair(table_id, 1) as second:
                await asyncio.gather(play_on(first, moves=5), play_on(second, moves=5))
                await level(first, second)
                assert [entry["number"] for entry in first.log] == [entry["number"] for entry in second.log]


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_is_lost_when_workers_are_killed_one_at_a_time(tmp_path, request, database):
    db = "" if database == "sqlite" else request.getfixturevalue("postgres")()
    run = asyncio.run(
        kill.run_all(tmp_path, tables=6, kills=2, workers=1, db=db, redis="", seed=3, pause=0.5, processes=2)
    )
    assert run.faults == []
    assert run.kills == 2
    assert run.acknowledged > 50
    assert not any("Traceback" in log.read_text() for log in tmp_path.glob("*.log"))
