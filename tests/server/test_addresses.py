"""Where requests come from: proxies that are believed, networks that are counted, and addresses that nobody has."""

import asyncio
import random

from servers import open_server

from clew.core.errors import IllegalMove
from clew.server import http
from clew.server.addresses import Proxies, network
from clew.server.client import Client, ServerError

TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}


async def statuses(url, forwarded, path="/api/protocol"):
    """What requests through a proxy are answered, for each X-Forwarded-For."""
    found = []
    async with Client(url, name="") as client:
        for hops in forwarded:
            try:
                await client.get(path, X_Forwarded_For=hops)
                found.append(200)
            except ServerError as error:
                found.append(error.status)
    return found


async def test_only_the_hop_of_the_proxy_is_believed(process):
    server = process("--behind-proxy", "--request-rate=0.25")  # two at once
    forged = [f"198.51.100.{i}, 203.0.113.5" for i in range(12)]
    assert (await statuses(server.url, forged)).count(429) >= 6
    others = [f"203.0.113.5, 198.51.100.{i}" for i in range(12)]
    assert await statuses(server.url, others) == [200] * 12


async def test_a_household_of_ipv6_is_one_address(tmp_path):
    async with open_server(tmp_path, behind_proxy=True, request_rate=0.25) as server:
        assert (await statuses(server.url, [f"2001:db8:1:2::{i:x}" for i in range(12)])).count(429) >= 6
        assert await statuses(server.url, [f"2001:db8:1:{i:x}::1" for i in range(3, 9)]) == [200] * 6


async def test_without_a_proxy_nobody_says_where_they_are(tmp_path):
    async with open_server(tmp_path, request_rate=0.25) as server:
        assert (await statuses(server.url, [f"198.51.100.{i}" for i in range(12)])).count(429) >= 6


def client(proxies, peer, *hops, kind="http", proto=None):
    headers = [(b"x-forwarded-for", hop.encode()) for hop in hops]
    headers += [(b"x-forwarded-proto", proto.encode())] if proto else []
    seen = proxies.seen_through({"type": kind, "scheme": "http", "client": (peer, 1), "headers": headers})
    return (seen["client"][0], seen["scheme"]) if proto else seen["client"][0]


def test_hops_are_followed_back_to_the_first_that_is_not_trusted():
    one = Proxies(True)
    assert client(one, "127.0.0.1", "192.0.2.1, 10.0.0.7") == "10.0.0.7"  # its own hop, wherever that leads
    assert client(one, "10.0.0.1", "192.0.2.1", "192.0.2.2") == "192.0.2.2"
    assert client(one, "198.51.100.1", "192.0.2.1") == "198.51.100.1"  # no proxy of ours
    assert client(one, "127.0.0.1") == "127.0.0.1"
    assert client(one, "127.0.0.1", "") == "127.0.0.1"
    assert client(one, "127.0.0.1", "192.0.2.1, nonsense") == "127.0.0.1"
    assert client(one, "::ffff:127.0.0.1", "[2001:db8::1]:443") == "2001:db8::1"
    assert client(one, "", "192.0.2.1:5000") == "192.0.2.1"
    chain = Proxies(False, ("127.0.0.1", "203.0.113.0/24"))
    assert client(chain, "127.0.0.1", "6.6.6.6, 192.0.2.1, 203.0.113.9") == "192.0.2.1"
    assert client(chain, "127.0.0.1", "6.6.6.6, nonsense, 203.0.113.9") == "203.0.113.9"
    assert client(chain, "127.0.0.1", "203.0.113.8, 203.0.113.9") == "203.0.113.8"
    assert client(chain, "10.0.0.1", "192.0.2.1") == "10.0.0.1"
    assert client(Proxies(False), "127.0.0.1", "192.0.2.1") == "127.0.0.1"


def test_the_scheme_is_the_proxys():
    assert client(Proxies(True), "127.0.0.1", "192.0.2.1", proto="https") == ("192.0.2.1", "https")
    assert client(Proxies(True), "127.0.0.1", "192.0.2.1", proto="https", kind="websocket") == ("192.0.2.1", "wss")
    assert client(Proxies(True), "127.0.0.1", "192.0.2.1", proto="javascript") == ("192.0.2.1", "http")
    assert client(Proxies(True), "192.0.2.9", "192.0.2.1", proto="https") == ("192.0.2.9", "http")


def test_networks():
    assert network("fe80::1%eth0") == "fe80::/64"
    assert network("nonsense") == "nonsense"


async def test_who_chats_on_many_connections_says_no_more_than_on_one(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", TWO)
        chairs = [await server.chair(ann, table, 0) for _ in range(9)]
        said = await asyncio.gather(*(chair.ask("chat", text="hello") for chair in chairs), return_exceptions=True)
        refused = [str(one) for one in said if isinstance(one, IllegalMove)]
        assert len(refused) >= 2
        assert all("a lot of chat" in reason for reason in refused)


# Whatever bytes a request has, the answer is not that the server failed.

PATHS = [
    *("/api/tables/%00", "/api/tables/%00/record", "/api/tables/a%00b/play", "/api/games/%00/rules", "/%00", "/t/%00"),
    *("/api/tables/%ff%fe", "/%ff", "/assets/%00.js", "/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc"),
    *("/api/tables/%ED%A0%80", "/api/tables/%0a", "/api/tables/" + "x" * 3000, "/" + "a/" * 2000, "//", "/%2f", "/;"),
    *(
        "/api/tables/mine?state=%00&page=-1",
        "/api/tables/mine?page=" + "9" * 5000,
        "/api/games/palaces/rules?version=1e9",
    ),
    *(
        "/api/tables/mine?state=%ff",
        "/api?%",
        "/?" + "&" * 5000,
        "/api/games/..%2f..%2f/rules",
        "/api/tables/\xff",
        "*",
    ),
    *("http://[", "http://other.example/api/games", "//[", "/api/games#x", "/t/\x7f", "/api/games/%E2%80%AE/rules"),
]
HEADERS = [
    *("Origin: http://[", "Origin: http://[::1", "Origin: http://]", "Origin: \xff\xfe", "Origin:", "Origin: //[x]:y"),
    *("Host: [", "Host: \xff", "Host: a b", "Host: x:99999999", "Cookie: clew=\xff", "Cookie: =;;=", "Cookie: clew"),
    *("Cookie: clew=" + "." * 70, "Cookie: " + "a=b;" * 2000, "X-Clew-Invite: \xff", "X-Clew-Invite: " + "x" * 100),
    *(
        "X-Forwarded-For: [",
        "X-Forwarded-For: ,,,",
        "X-Forwarded-Proto: \xff",
        "Content-Length: -1",
        "Content-Length: x",
    ),
    *(
        "Transfer-Encoding: x",
        "Expect: x",
        "Range: bytes=9-1",
        "Range: bytes=\xff",
        "If-Modified-Since: \xff",
        "Upgrade: h2c",
    ),
    *("Content-Length: 99999999999999999999999", "Access-Control-Request-Method: \xff", "If-None-Match: \xff"),
]
SOCKET = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + "A" * 22 + "=="
)


async def status(url, request):
    """The status that these bytes are answered with; None if the connection is closed without one."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(request.encode("latin-1"))
    try:
        line = await reader.readline()
    except ConnectionError:
        line = b""
    writer.transport.abort()
    return int(line.split()[1]) if line else None


def requests(cookie):
    """Each oddity alone, in requests of all kinds, and then any mixture."""
    rng = random.Random(20)

    def made(method, path, *headers, socket=False):
        kind = SOCKET if socket else "Connection: close\r\nX-Clew: 1"
        cookies = [] if any(header.startswith("Cookie") for header in headers) else [f"Cookie: clew={cookie}"]
        hosts = [] if any(header.startswith("Host") for header in headers) else ["Host: x"]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *hosts, *cookies, kind, *headers, "", "{}"])

    for path in PATHS:
        yield from (made(method, path) for method in ("GET", "POST", "PUT", "OPTIONS"))
        yield made("GET", path, socket=True)
    for header in HEADERS:
        yield from (made("POST", path, header) for path in ("/api/tables", "/api/replay"))
        yield from (made("GET", path, header) for path in ("/", "/api/me", "/api/tables/mine", "/api/tables/x"))
        yield made("GET", "/api/tables/x/play", header, socket=True)
    for _ in range(300):
        junk = "".join(
            chr(rng.choice((0, 9, 13, 32, 34, 37, 58, 91, 127, 160, 255, rng.randrange(256)))) for _ in range(9)
        )
        yield made(
            rng.choice(("GET", "POST", "PUT")), "/api/tables/" + junk, "X-Odd: " + junk, socket=rng.random() < 0.3
        )


async def test_no_bytes_make_the_server_fail(tmp_path, caplog, monkeypatch):
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "IDLE_SECONDS"):
        monkeypatch.setattr(http, name, 0.2)  # some of these are no whole request
    async with open_server(tmp_path, behind_proxy=True) as server:
        ann = await server.person()
        await ann.post("/api/tables", TWO)
        tried = 0
        for request in requests(ann.cookie):
            found = await status(server.url, request)
            assert found is None or found < 500, (found, request)
            tried += 1
        assert tried > 500
        assert await status(server.url, "GET /api/tables/%00 HTTP/1.1\r\nHost: x\r\n\r\n") == 400
        assert await status(server.url, "GET /api/me HTTP/1.1\r\nHost: x\r\nOrigin: http://[\r\n\r\n") == 200
        post = "POST /api/tables HTTP/1.1\r\nHost: x\r\nX-Clew: 1\r\nOrigin: http://[\r\n\r\n"
        assert await status(server.url, post) == 403
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]
