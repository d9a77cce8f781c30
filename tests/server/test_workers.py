"""One server of several worker processes: each table belongs to one, and nobody outside can tell."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import sys
import time
from pathlib import Path

import pytest
from servers import Process, level, play_on

from clew.server import supervisor
from clew.server.affinity import Affinity
from clew.server.client import Client
from clew.server.listener import listen
from clew.server.settings import Settings

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "bench"))
import kill

TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}
owner = Affinity(workers=2).owner


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One for all tests that leave it as it was."""
    made = Process(tmp_path_factory.mktemp("workers") / "server", "--workers=2").start()
    yield made
    made.end()


async def tables(ann, bob, each=2):
    """Tables of two people, so many of each worker's."""
    made = {0: [], 1: []}
    while any(len(ids) < each for ids in made.values()):
        table = await ann.post("/api/tables", TWO)
        made[owner(table["id"])].append(table["id"])
        await bob.post(f"/api/tables/{table['id']}/join")
    return [table_id for ids in made.values() for table_id in ids[:each]]


async def moves_made(server):
    """As the server counts them."""
    found = re.search(r'clew_moves_total\{by="person",game="palaces"\} (\S+)', await server.figures())
    return float(found[1]) if found else 0


async def play(ann, bob, table_id, moves=10_000):
    """Both chairs of a table; how many moves were made, and how often each had to connect."""
    async with ann.chair(table_id, 0) as first, bob.chair(table_id, 1) as second:
        made = await asyncio.gather(play_on(first, moves=moves), play_on(second, moves=moves))
        await level(first, second)
        return sum(made), (first.connections, second.connections), first.log


def gone(pid):
    """Whether a process has ended, also if nobody has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(holds):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def test_tables_of_all_workers_are_played_through_one_address(server):
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        ids, before = await tables(ann, bob), await moves_made(server)
        done = await asyncio.gather(*(play(ann, bob, table_id, moves=10) for table_id in ids))
        assert all(connections == (1, 1) for _, connections, _ in done)
        assert await moves_made(server) - before == sum(moves for moves, _, _ in done) >= 40


async def test_a_connection_that_is_kept_alive_reaches_the_tables_of_all_workers(server):
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        made = []
        while {owner(table["id"]) for table in made} != {0, 1}:
            made.append(await ann.post("/api/tables", {**TWO, "private": True}))
    headers = {"Cookie": f"clew={bob.cookie}", "X-Clew": "1", "Content-Type": "application/json"}

    def requests():
        connection = http.client.HTTPConnection("127.0.0.1", server.port)

        def ask(method, path, body=None, **more):
            connection.request(method, path, body and json.dumps(body), {**headers, **more})
            answer = connection.getresponse()
            found = json.loads(answer.read())
            assert len(answer.headers.get_all("date")) == 1
            assert answer.headers.get_all("x-frame-options") == ["DENY"]
            return answer.status, found

        status, _ = ask("GET", "/api/me")
        used = connection.sock
        assert status == 200
        for table in made:
            path = f"/api/tables/{table['id']}"
            assert ask("GET", path)[0] == 403
            assert ask("GET", path.replace(table["id"], f"%{ord(table['id'][0]):x}{table['id'][1:]}"))[0] == 403
            assert ask("GET", path, **{"X-Clew-Invite": table["invite"]})[1]["id"] == table["id"]
            assert ask("POST", f"{path}/join", {"invite": table["invite"]})[1]["state"] == "playing"
            assert ask("POST", f"{path}/join", {"seat": "x"})[0] == 422
        assert {owner(ask("POST", "/api/tables", TWO)[1]["id"]) for _ in range(2)} == {0, 1}
        assert connection.sock is used
        connection.close()

    await asyncio.to_thread(requests)


async def test_a_socket_on_a_connection_to_another_worker_is_sent_away_to_come_back(server):
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        one, other = await tables(ann, bob, each=1)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    head = f" HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: clew={ann.cookie}\r\n"
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    writer.write(f"GET /api/tables/{one}{head}\r\n".encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(int(re.search(rb"content-length: (\d+)", answer)[1]))
    writer.write(f"GET /api/tables/{other}/play{head}{upgrade}\r\n".encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    assert await reader.readexactly(4) == b"\x88\x02" + (1012).to_bytes(2)
    writer.close()


async def test_behind_a_proxy_no_connection_is_kept_for_tables_of_other_workers(process):
    server = process("--workers=2", "--behind-proxy")

    def ask():
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/api/games")
        return connection.getresponse().getheader("connection")

    assert await asyncio.to_thread(ask) == "close"


async def test_my_tables_are_those_of_all_workers_with_whose_turn_it_is(server):
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        ids = await tables(ann, bob)
        turns = {}
        for number, table_id in enumerate(ids):
            await play(ann, bob, table_id, moves=number)
            async with ann.chair(table_id, 0) as chair:
                turns[table_id] = chair.view["to_move"]
        for person in (ann, bob, ann, bob):  # whichever worker is asked
            listed = {table["id"]: table["turn"] for table in (await person.get("/api/tables/mine"))["tables"]}
            assert {table_id: listed[table_id] for table_id in ids} == turns


async def test_a_worker_that_is_killed_comes_back_with_every_move_and_the_other_goes_on(server):
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        ids = await tables(ann, bob, each=1)
        workers = kill.children(server.child.pid)
        victim = next(
            pid for pid in workers if f"worker\0{owner(ids[0])}\0" in Path(f"/proc/{pid}/cmdline").read_text()
        )
        async with (
            ann.chair(ids[0], 0) as first,
            bob.chair(ids[0], 1) as second,
            ann.chair(ids[1], 0) as third,
            bob.chair(ids[1], 1) as fourth,
        ):
            chairs = (first, second, third, fourth)
            await asyncio.gather(*(play_on(chair, moves=3) for chair in chairs))
            os.kill(victim, signal.SIGKILL)
            await asyncio.gather(*(play_on(chair) for chair in chairs))
            await level(first, second)
            await level(third, fourth)
            assert [chair.connections for chair in chairs] == [2, 2, 1, 1]
        assert (await ann.get("/healthz"))["ok"]
        assert [(await ann.get(f"/api/tables/{table_id}"))["state"] for table_id in ids] == ["over", "over"]
    with sqlite3.connect(server.folder / "clew.db") as database:
        for chair in chairs:
            rows = database.execute("SELECT number, kind FROM entries WHERE table_id = ? ORDER BY 1", [chair.table_id])
            assert list(rows) == [(entry["number"], entry["kind"]) for entry in chair.log]
    assert "a worker has ended and is started again" in server.said()


async def test_what_two_workers_write_to_one_file_is_all_there(server):
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        ids = await tables(ann, bob, each=6)
        done = await asyncio.gather(*(play(ann, bob, table_id, moves=25) for table_id in ids))
    with sqlite3.connect(server.folder / "clew.db") as database:
        for table_id, (_, _, log) in zip(ids, done):
            rows = database.execute("SELECT number, kind FROM entries WHERE table_id = ? ORDER BY number", [table_id])
            assert list(rows) == [(entry["number"], entry["kind"]) for entry in log]
    assert "Traceback" not in server.said()


async def test_the_server_is_not_well_while_a_worker_does_not_answer(server):
    async with Client(server.url, name="Ann") as ann:
        stopped = kill.children(server.child.pid)[0]

        def ask(path):
            """On a connection to the worker that goes on."""
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
            connection.request("GET", path, headers={"Cookie": f"clew={ann.cookie}"})
            return connection.getresponse().status

        assert ask("/healthz") == 200
        os.kill(stopped, signal.SIGSTOP)
        try:
            first, second = (asyncio.create_task(asyncio.to_thread(ask, "/healthz")) for _ in range(2))
            done, waiting = await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
            assert [task.result() for task in done] == [503]
        finally:
            os.kill(stopped, signal.SIGCONT)
        assert [await task for task in waiting] == [200]


async def test_a_request_may_come_in_pieces_and_idle_connections_are_in_nobodys_way(server):
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for piece in (b"\r\nGE", b"T /api/ga", b"mes HTTP/1.1\r", b"\nHost: x\r\nConnection: close\r\n\r\n"):
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.02)
    assert (await reader.readline()).split()[1] == b"200"
    writer.close()
    for one in idle:
        one.close()


async def test_a_worker_that_hangs_is_ended_and_another_is_started(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "CHECK_EVERY", 0.1)
    monkeypatch.setattr(supervisor, "MOST_UNANSWERED", 50)
    settings = Settings(port=0, data=tmp_path, workers=2)
    with listen(settings.host, 0) as bound:
        made = supervisor.Supervisor(settings, bound)
        running = asyncio.create_task(made.run())
        async with Client(f"http://127.0.0.1:{bound.getsockname()[1]}", name="Ann") as ann:
            assert (await ann.get("/healthz"))["ok"]
            before = kill.children(os.getpid())
            os.kill(before[0], signal.SIGSTOP)
            while before[0] in (now := kill.children(os.getpid())) or len(now) < 2:
                await asyncio.sleep(0.02)
            assert before[1] in now
            while (await asyncio.gather(ann.get("/healthz"), return_exceptions=True))[0] != {"ok": True}:
                pass
        made._stop()
        assert await running == ""


def test_workers_end_with_the_supervisor(process):
    server = process("--workers=2")
    wait_until(lambda: "Clew is at" in server.said())
    workers = kill.children(server.child.pid)
    assert len(workers) == 2
    server.end()
    wait_until(lambda: all(map(gone, workers)))


async def test_ctrl_c_ends_all_of_them_in_good_order(process):
    server = process("--workers=2")
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        ids = await tables(ann, bob)
        workers = kill.children(server.child.pid)
        async with ann.chair(ids[0], 0) as first, ann.chair(ids[-1], 0) as second:
            for pid in (*workers, server.child.pid):  # as a terminal does
                os.kill(pid, signal.SIGINT)
            assert await asyncio.to_thread(server.child.wait, 30) == 0
            assert all(map(gone, workers))
            for chair in (first, second):  # at tables of both
                assert any(said["type"] == "bye" for said in chair.seen)
    assert server.said().count("Clew is at") == 1
    assert "Traceback" not in server.said()


def test_what_keeps_a_worker_from_starting_is_said_once(process, tmp_path):
    (tmp_path / "broken.db").write_text("not a database" * 100)
    server = process("--workers=2", "--db", f"sqlite:///{tmp_path / 'broken.db'}")
    assert server.child.wait(60) == 2
    assert server.said().count("is not a database of Clew") == 1
    assert "Traceback" not in server.said()
