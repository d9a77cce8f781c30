"""The server as a process: killed, stopped, backed up, and several of them at once."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from servers import play_on

from clew.core.errors import IllegalMove
from clew.server.client import Client

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "bench"))
import kill

TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}


def nothing_is_lost(run, kills):
    assert run.faults == []
    assert run.kills == kills
    assert run.acknowledged > 50
    assert run.resumed >= kills


@pytest.mark.slow
def test_nothing_is_lost_when_the_server_is_killed(tmp_path):
    run = asyncio.run(kill.run_all(tmp_path, tables=8, kills=2, workers=1, db="", redis="", seed=1, pause=0.5))
    nothing_is_lost(run, 2)
    assert not any("Traceback" in log.read_text() for log in tmp_path.glob("*.log"))


@pytest.mark.slow
def test_nothing_is_lost_when_one_of_two_workers_is_killed(tmp_path, postgres, redis):
    run = asyncio.run(
        kill.run_all(tmp_path, tables=5, kills=2, workers=2, db=postgres(), redis=redis, seed=2, pause=0.5)
    )
    nothing_is_lost(run, 2)
    assert not any("Traceback" in log.read_text() for log in tmp_path.glob("*.log"))


async def test_a_signal_ends_it_in_good_order_and_clients_come_back(process):
    server = process("--log-format", "json")
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            await asyncio.gather(play_on(first, moves=3), play_on(second, moves=3))
            code = await asyncio.to_thread(server.end, signal.SIGTERM)
            assert code == 0
            assert any(said["type"] == "bye" for said in first.seen)
            await asyncio.to_thread(server.start)
            await asyncio.gather(play_on(first), play_on(second))
            assert first.connections == second.connections == 2
            assert first.table["result"] == second.table["result"]
    for line in server.said().splitlines():
        if not line.startswith(("Clew is at", "Compiling")):
            assert {"at", "level", "text"} <= set(json.loads(line))
        assert table["invite"] not in line
        assert ann.cookie not in line


async def test_how_long_a_bot_waits_is_for_the_operator_to_say(process):
    for seconds, answer in (("0", "A bot plays for Red now."), ("600", "Red has only just gone: wait a little.")):
        server = process("--absent", seconds, folder=f"absent-{seconds}")
        async with Client(server.url) as host, Client(server.url) as guest:  # without names they are their colours
            table = await host.post("/api/tables", TWO)
            await guest.post(f"/api/tables/{table['id']}/join")
            async with host.chair(table["id"], 0) as chair:
                try:
                    await chair.ask("takeover", seat=1)
                    said = next(entry["text"] for entry in chair.log if entry["kind"] == "takeover")
                except IllegalMove as refused:
                    said = refused.reason
                assert said == answer


async def test_a_backup_is_whole_while_the_server_writes(process, tmp_path):
    server = process()
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            playing = asyncio.gather(play_on(first), play_on(second))
            copy = tmp_path / "copy.db"
            command = [sys.executable, "-m", "clew", "backup", str(copy), "--data", str(server.folder)]
            done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stderr
            await playing
            again = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
            assert again.returncode == 2
            assert "is there already" in again.stderr
    with sqlite3.connect(copy) as database:
        numbers = [row[0] for row in database.execute("SELECT number FROM entries ORDER BY number")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers


async def test_two_workers_serve_one_table(process, postgres, redis):
    shared = ("--db", postgres(), "--redis", redis)
    one, two = process(*shared), process(*shared)  # in one folder, so with one secret
    async with Client(one.url, name="Ann") as ann, Client(two.url, name="Bob") as bob:
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            await first.until(lambda: any(said.get("seats") == [0, 1] for said in first.seen))
            await asyncio.gather(play_on(first), play_on(second))
            assert first.table["result"] == second.table["result"]
            told = [[entry["number"] for entry in chair.log] for chair in (first, second)]
            assert told[0] == told[1]


async def test_two_workers_hear_each_other_without_redis_too(process, postgres):
    shared = ("--db", postgres())
    one, two = process(*shared), process(*shared)
    async with Client(one.url, name="Ann") as ann, Client(two.url, name="Bob") as bob:
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            await second.ask("chat", text="hello")
            await first.until(lambda: first.log[-1].get("text") == "hello")


async def test_a_worker_that_is_behind_reads_on_before_it_refuses(process, postgres):
    shared = ("--db", postgres())  # nobody wakes the other worker up: it looks by itself every two seconds
    one, two = process(*shared), process(*shared)
    async with Client(one.url, name="Ann") as ann, Client(two.url, name="Bob") as bob:
        table = await ann.post("/api/tables", {**TWO, "game": "palaces"})
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            chairs = [first, second]
            for chair in chairs:
                await chair.until(lambda chair=chair: chair.table["state"] == "playing")
            mover = chairs[second.view["to_move"][0]]
            other = chairs[1 - mover.seat]
            for _ in range(6):
                hand = other.view["table"]["hand"]
                await mover.turn()
                await mover.move(mover.moves[0])
                answer = await other.move(f"-{hand[0]}")  # it has not been told that it is its turn
                assert answer["kind"] == "move"
                assert answer["seat"] == other.seat


async def test_a_bot_of_a_dead_worker_plays_on_at_another(process, postgres):
    shared = ("--db", postgres())
    one, two = process(*shared), process(*shared)
    async with Client(one.url, name="Ann") as ann, Client(two.url, name="Eve") as eve:
        wish = {"game": "palaces", "seats": [{"who": "me"}, {"who": "bot", "level": 6}]}
        table = await ann.post("/api/tables", wish)
        async with ann.chair(table["id"], 0) as chair, eve.chair(table["id"], None) as watching:
            await chair.turn()
            made = await chair.move(chair.moves[0])
            await asyncio.to_thread(one.end)  # while the bot thinks
            await watching.until(lambda: watching.number > made["number"])
            assert [watching.log[-1]["kind"], watching.log[-1]["seat"]] == ["move", 1]
