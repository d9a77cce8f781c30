"""Connections that hold a place and ask for nothing: the server closes them and answers the others."""

import asyncio
import contextlib
import resource
from pathlib import Path

import pytest
from servers import open_server

from clew.server import http
from clew.server.client import Client, ServerError
from clew.server.file_limits import MOST_FILES

HEAD = b"GET /api/games HTTP/1.1\r\nHost: x\r\n"
POST = b"PUT /api/me HTTP/1.1\r\nHost: x\r\nX-Clew: 1\r\nContent-Length: 100\r\n\r\n"
WHOLE = HEAD + b"\r\n"


@pytest.fixture
def impatient(monkeypatch):
    """Limits that a test can wait for."""
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "IDLE_SECONDS", "STALL_SECONDS"):
        monkeypatch.setattr(http, name, 0.3)


@contextlib.asynccontextmanager
async def connections(server, count, said=b""):
    """Connections that have sent so much and no more."""
    host, port = server.url.removeprefix("http://").split(":")
    made = [await asyncio.open_connection(host, port) for _ in range(count)]
    try:
        for _, writer in made:
            writer.write(said)
        yield [reader for reader, _ in made]
    finally:
        for _, writer in made:
            writer.close()


async def answer(reader):
    """The status of an answer, which is read to its end."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
    await reader.readexactly(length)
    return int(head.split()[1])


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET",
        HEAD,
        b"\r\n\r\n",
        POST,
        POST.replace(b"Content-Length: 100", b"Transfer-Encoding: chunked") + b"1\r\n",
    ],
)
async def test_who_sends_no_whole_request_is_disconnected(tmp_path, impatient, said):
    async with open_server(tmp_path) as server, connections(server, 300, said) as idle:
        ann = await server.person()
        assert len((await ann.get("/api/games"))["games"]) == 5
        for reader in idle:
            await reader.read()  # returns when the server has closed the connection


async def test_a_connection_is_kept_between_two_requests_but_not_for_ever(tmp_path, impatient):
    async with open_server(tmp_path) as server:
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, port)
        for _ in range(3):
            writer.write(WHOLE)
            assert await answer(reader) == 200
        writer.write(b"\r\n")  # a sign of life, and no request
        assert await reader.read() == b""


async def test_an_answer_and_a_game_take_the_time_that_they_take(tmp_path, impatient):
    async with open_server(tmp_path) as server:
        waiting = server.registry.store.waiting

        async def slowly(*asked, **more):
            await asyncio.sleep(1)
            return await waiting(*asked, **more)

        server.registry.store.waiting = slowly
        _, ann, _ = await server.two()
        assert (await ann.client.get("/api/tables"))["tables"] == []
        await ann.ask("chat", text="hello")
        assert ann.connections == 1


async def test_an_address_holds_so_many_connections(tmp_path):
    async with open_server(tmp_path, connections=5) as server:
        async with connections(server, 5), connections(server, 1) as more:
            assert b"429" in await more[0].readline()
            assert (await more[0].read()).endswith(b"Too many connections: close some.\n")
            host, port = server.url.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, port, local_addr=("127.0.0.2", 0))
            writer.write(WHOLE)
            assert await answer(reader) == 200  # others are none the worse for it
            writer.close()
        while True:  # until the server has heard that they are gone
            async with connections(server, 1, WHOLE) as again:
                if await answer(again[0]) == 200:
                    break


async def test_a_proxy_holds_any_number_of_connections(tmp_path):
    behind = open_server(tmp_path, connections=5, behind_proxy=True)
    async with behind as server, connections(server, 20), connections(server, 1, WHOLE) as more:
        assert await answer(more[0]) == 200


async def test_files_are_kept_back_for_the_database(tmp_path, monkeypatch):
    monkeypatch.setattr(http, "files_allowed", lambda: 20)
    async with open_server(tmp_path) as server, connections(server, 10), connections(server, 1) as more:
        assert b"429" in await more[0].readline()


async def test_a_head_or_a_body_without_end_is_not_kept(tmp_path):
    async with open_server(tmp_path) as server:
        head = HEAD + b"X-Long: " + b"x" * 1_000_000
        body = POST.replace(b": 100", b": 100000000") + b"x" * 8_000_000
        for said, status in ((head, b"431"), (body, b"401")):
            async with connections(server, 1, said) as endless:
                with contextlib.suppress(ConnectionError):  # what was still on its way may cost the answer
                    found = await endless[0].read()
                    assert status in found[:15]


async def test_who_does_not_read_the_answers_is_disconnected(tmp_path, impatient, monkeypatch):
    gone, leave = asyncio.Event(), http.ConnectionLimits.leave
    monkeypatch.setattr(http.ConnectionLimits, "leave", lambda self, who: (leave(self, who), gone.set()))
    async with open_server(tmp_path) as server:
        host, port = server.url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, port, limit=1024)
        writer.transport.pause_reading()
        writer.write(WHOLE * 2000)  # the answers have more than any buffer holds
        await gone.wait()
        writer.transport.abort()


async def test_the_limit_of_files_is_raised_at_the_start_and_told(process):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        server = process()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    limits = Path(f"/proc/{server.child.pid}/limits").read_text()
    soft = next(line.split()[3] for line in limits.splitlines() if line.startswith("Max open files"))
    assert soft == str(min(before[1], MOST_FILES))
    assert f"{soft} files and connections can be open" in server.said()
    async with Client(server.url) as ann:
        assert (await ann.get("/healthz"))["ok"]


async def test_a_client_does_not_send_again_what_is_too_large(process):
    server = process()
    async with Client(server.url, name="Ann") as ann:
        table = await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]})
        for size, code in ((70_000, "4413"), (140_000, "1009")):
            async with ann.chair(table["id"], 0) as chair:
                with pytest.raises(ServerError) as refused:
                    await asyncio.wait_for(chair.ask("chat", text="x" * size), 20)
                assert refused.value.code == code
