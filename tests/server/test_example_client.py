"""The client in examples/ plays whole games against real servers, also such as are killed and behave badly."""

import asyncio
import importlib.util
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from servers import play_on
from websockets.asyncio.server import serve

from clew.server.client import FOR_GOOD, Client

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "client.py"
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
FINAL = {int(code) for code in re.findall(r"^\| (\d{4}) \|.*\| \*\*final\*\*.*\|$", PROTOCOL, re.M)}


def run(*arguments):
    return subprocess.run([sys.executable, EXAMPLE, *arguments], capture_output=True, text=True, timeout=60)


def loaded():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("example_client", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_has_a_hundred_lines_at_most():
    assert len(EXAMPLE.read_text().splitlines()) <= 100


def test_all_clients_hold_for_final_what_the_protocol_says():
    page = (ROOT / "web" / "src" / "lib" / "table.svelte.ts").read_text()
    of_the_page = re.search(r"^const FINAL = new Set\(\[(.*)\]\);$", page, re.M).group(1)
    assert len(FINAL) > 5
    assert loaded().FINAL == set(FOR_GOOD) == set(map(int, of_the_page.split(","))) == FINAL


def test_it_plays_a_whole_game_against_a_bot(process):
    server = process()
    done = run(server.url, "palaces")
    assert done.returncode == 0, done.stderr
    assert re.search(rf"^Place [12] at {server.url}/t/\S+\.$", done.stdout.splitlines()[-1])
    assert "You " in done.stdout


def test_what_the_server_refuses_is_told(process):
    server = process()
    done = run(server.url, "chess")
    assert done.returncode == 1
    assert "There is no game 'chess'" in done.stderr
    done = run(f"{server.url}/t/nowhere#x")
    assert done.returncode == 1
    assert "no such table" in done.stderr


async def test_it_plays_on_when_the_server_is_killed_and_when_it_restarts(process):
    server = process()
    async with Client(server.url, name="Ann") as ann:
        wish = {"game": "cardtracks", "seats": [{"who": "me"}, {"who": "open"}], "private": True}
        table = await ann.post("/api/tables", wish)
        link = f"{server.url}/t/{table['id']}"
        command = (sys.executable, EXAMPLE, f"{link}#{table['invite']}")
        child = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        async with ann.chair(table["id"], 0) as chair:
            for end in (signal.SIGKILL, signal.SIGTERM):
                await play_on(chair, moves=4)
                await asyncio.to_thread(server.end, end)
                await asyncio.to_thread(server.start)
            await play_on(chair)
            said = (await child.communicate())[0].decode().splitlines()
    assert child.returncode == 0
    assert said[-1] == f"Place {chair.table['result']['places'][1]} at {link}."
    assert sum("shuffle a deck" in line for line in said) == 1  # it came back for what it had missed, and no more


# A server that does as the test says


TABLE = {"id": "t", "state": "playing", "seats": [{"yours": True}]}
OVER = {**TABLE, "state": "over", "result": {"places": [1]}}


def entry(number, move=None):
    return {"number": number, "at": 0, "kind": "move", **({"id": move["id"]} if move else {})}


class Script:
    """One connection as the server sees it."""

    def __init__(self, socket):
        self.socket = socket

    async def say(self, kind, **fields):
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def hear(self, kind):
        message = json.loads(await self.socket.recv())
        assert message["type"] == kind, message
        return message

    async def welcome(self, last, log, moves):
        assert (await self.hear("hello"))["last"] == last
        number = log[-1]["number"] if log else last
        await self.say("welcome", since=last, number=number, log=log, table=TABLE, now={"moves": moves}, here=0)


async def play_against(*scripts):
    """Let the example play against one script a connection; what went wrong in them is raised."""
    left, faults = list(scripts), []

    async def connected(socket):
        try:
            await left.pop(0)(Script(socket))
        except Exception as error:
            faults.append(error)
            await socket.close(4400)

    async with serve(connected, "127.0.0.1", 0) as server:
        client = loaded().Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        try:
            await client.play(TABLE)
        finally:
            assert not faults, faults
    assert not left
    return client


async def test_a_move_keeps_its_id_until_its_entry_is_seen():
    sent = []

    async def not_written_then_a_gap(script):
        await script.welcome(0, [entry(1)], ["a", "b"])
        sent.append(await script.hear("move"))
        await script.say("error", code="not_written", text="The disk is full. Try again.", id=sent[0]["id"])
        assert await script.hear("move") == sent[0]
        await script.say("event", entry=entry(3))
        assert (await script.hear("hello"))["last"] == 1
        await script.socket.close(1011)

    async def written_but_not_told(script):
        await script.welcome(1, [], ["a", "b"])
        assert await script.hear("move") == sent[0]
        await script.say("ack", id=sent[0]["id"], number=2)
        await script.socket.close(1012)

    async def told(script):
        await script.welcome(1, [entry(2, sent[0])], ["c"])
        sent.append(await script.hear("move"))
        assert (sent[1]["move"], sent[1]["id"] == sent[0]["id"]) == ("c", False)
        await script.say("bye", text="The server restarts.", back=10)
        await script.socket.close(1012)

    async def not_now(script):
        await script.say("error", code="not_now", text="The database is away. Try again.")
        await script.socket.close(1013)

    async def over(script):
        await script.welcome(2, [], ["c"])
        assert await script.hear("move") == sent[1]
        await script.say("error", code="too_fast", text="Too many messages: wait a little.")
        assert await script.hear("move") == sent[1]
        await script.say("event", entry=entry(3, sent[1]), table=OVER, now={})

    client = await play_against(not_written_then_a_gap, written_but_not_told, told, not_now, over)
    assert (client.last, client.pending, client.moves) == (3, None, [])


@pytest.mark.parametrize("code", sorted(FINAL))
async def test_a_final_close_code_is_final(code):
    async def close(script):
        await script.hear("hello")
        await script.socket.close(code)

    with pytest.raises(SystemExit, match=str(code)):
        await play_against(close)
