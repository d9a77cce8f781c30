"""Bodies of requests: refused by their size, read strictly, and never on the event loop when they are large."""

import asyncio
import json
import threading

import pytest
from servers import open_server

from clew.server import http, request_body

JUNK = json.dumps({f"k{i}": 1 for i in range(90_000)}, separators=(",", ":")).encode()  # 1 MB
TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Answered requests whose body never ends are given up at once."""
    monkeypatch.setattr(http, "IDLE_SECONDS", 0.2)


async def send(url, method, path, cookie, *parts, **headers):
    """Send a request as it stands; status and error."""
    host = url.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", "X-Clew: 1", f"Cookie: clew={cookie}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    for part in parts:
        writer.write(part)
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(body)["error"]


async def test_a_body_too_large_for_its_address_is_not_read(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", TWO)
        for method, path in (("PUT", "/api/me"), ("POST", "/join"), ("POST", "/bots")):
            path = path if path.startswith("/api") else f"/api/tables/{table['id']}{path}"
            status, error = await send(server.url, method, path, ann.cookie, JUNK, Content_Length=len(JUNK))
            assert (status, error["code"]) == (413, "too_large"), path
            assert error["text"] == "A request to this address has at most 16384 bytes."
            # It is enough to name the size, or to send it in pieces that come to more.
            assert (await send(server.url, method, path, ann.cookie, Content_Length=20_000))[0] == 413
            chunks = [b"4000\r\n" + JUNK[:0x4000] + b"\r\n"] * 2
            assert (await send(server.url, method, path, ann.cookie, *chunks, Transfer_Encoding="chunked"))[0] == 413
        assert (await ann.get("/api/me"))["name"] == "Ann"


async def test_records_have_room_and_are_read_beside_the_event_loop(tmp_path, monkeypatch):
    decode, read = request_body._decode, []

    def noted(decoder, raw):
        read.append((len(raw) > request_body.SMALL, threading.current_thread() is not threading.main_thread()))
        return decode(decoder, raw)

    monkeypatch.setattr(request_body, "_decode", noted)
    async with open_server(tmp_path) as server:
        ann = await server.person()
        for path in ("/api/tables", "/api/replay", "/api/review", "/api/forecast"):
            status, error = await send(server.url, "POST", path, ann.cookie, JUNK, Content_Length=len(JUNK))
            assert (status, error["code"]) == (422, "bad_shape")
            assert error["text"] == "The body: Object contains unknown field `k0`."  # the others were not looked at
            assert (await send(server.url, "POST", path, ann.cookie, Content_Length=1_200_000))[0] == 413
        status, _ = await send(server.url, "POST", "/api/tables", "", JUNK, Content_Length=len(JUNK))
        assert status == 401  # whoever is not known is not read at all
    assert [aside for large, aside in read if large] == [True] * 4
    assert not any(aside for large, aside in read if not large)


WRONG = [
    (b"", "The body: Input data was truncated."),
    (b"\xff", "The body: JSON is malformed: invalid character (byte 0)."),
    (b'{"game": "\xff"}', "The body: it is not UTF-8."),
    (b"[" * 5000, "The body: Expected `object`, got `array`."),
    (b'{"game": ' + b"[" * 5000, "game: Expected `str`, got `array`."),
    (b'{"game": "palaces", "seats": []}', "seats: Expected `array` of length >= 1."),
    (
        b'{"game": "palaces", "seats": [{"who": "me"}, {"who": "bot", "level": true}]}',
        "seats.1.level: Expected `int`",
    ),
    (b'{"game": "palaces", "seats": [{"who": "me"}], "options": {"a": {}}}', "options: Expected `int | str`"),
    (b'{"game": "palaces", "seats": [{"who": "me"}], "options": {"a": 9%b}}' % (b"9" * 4000), "options: "),
    (b'{"game": "palaces", "seats": [{"who": "me"}], "clock": {}}', "clock: A clock has either move or total."),
    (
        b'{"game": "palaces", "seats": [{"who": "me"}], "%b": 1}' % (b"x" * 9000),
        "The body: Object contains unknown",
    ),
]


async def test_a_body_that_makes_no_sense_is_told_where(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        for body, text in WRONG:
            status, error = await send(server.url, "POST", "/api/tables", ann.cookie, body, Content_Length=len(body))
            assert (status, error["code"]) == (422, "bad_shape")
            assert error["text"].startswith(text)
            assert error["text"].endswith(".")
            assert len(error["text"]) <= 300


async def test_a_body_that_breaks_off_is_no_fault_of_the_server(tmp_path, caplog):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        host, port = server.url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, port)
        head = f"POST /api/replay HTTP/1.1\r\nHost: x\r\nX-Clew: 1\r\nCookie: clew={ann.cookie}\r\n"
        writer.write(f"{head}Content-Length: 1000\r\n\r\nx".encode())
        await asyncio.sleep(0.1)
        writer.transport.abort()
        assert (await ann.get("/api/me"))["name"] == "Ann"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
