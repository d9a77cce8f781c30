"""Requests for tables of other workers: passed on to the worker that a table belongs to.

The supervisor hands a new connection to the right worker. A connection that is kept alive may later ask for a table of
another one, and some questions are for all workers.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import quote

import httptools
import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clew.server.affinity import Affinity, table_in
from clew.server.logs import log
from clew.server.metrics import merge, render
from clew.server.middleware import answer, refuse_socket

PATIENCE = 20.0  # seconds for another worker's answer: it may just be starting again
SOON = 3.0  # seconds for an answer that is worth nothing later
TURNS = "/turns"  # what workers ask each other: whose turn it is at some tables
METRICS = "/metrics"  # and their metrics
FROM_WORKER = "clew.from_worker"  # in the scope of a request of another worker
OWN_AFFAIR = (b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"expect", b"upgrade", b"te")
FORWARDED = (b"x-forwarded-for", b"x-forwarded-proto")

Headers = Iterable[tuple[bytes, bytes]]
Reach = Callable[[int], Awaitable[socket.socket]]
Turns = dict[str, tuple[list[int], int]]  # by table: the seats whose turn it is, and since when


class Unreachable(Exception):
    """Another worker does not answer."""


class Answer:
    """An answer of HTTP, filled in by its parser."""

    def __init__(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""
        self.status = 0
        self.whole = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        self.headers.append((name.lower(), value))

    def on_body(self, part: bytes) -> None:
        """A part of the body."""
        self.body += part

    def on_message_complete(self) -> None:
        """Nothing is missing."""
        self.whole = True


class Peers:
    """The other workers of this machine; a worker alone has none."""

    def __init__(self, affinity: Affinity | None = None, reach: Reach | None = None) -> None:
        self.affinity = affinity or Affinity()
        self.others = [number for number in range(self.affinity.workers) if number != self.affinity.index]
        self._reach = reach

    async def ask(
        self,
        worker: int,
        target: bytes,
        body: bytes = b"",
        method: bytes = b"GET",
        headers: Headers = (),
        patience: float = SOON,
    ) -> Answer:
        """One request to another worker, on a connection of its own."""
        assert self._reach is not None
        try:
            async with asyncio.timeout(patience):
                reader, writer = await asyncio.open_connection(sock=await self._reach(worker))
                try:
                    lines = [b"%s %s HTTP/1.1" % (method, target), b"connection: close"]
                    lines += [b"%s: %s" % header for header in headers]
                    lines += [b"content-length: %d" % len(body), b"", body]
                    writer.write(b"\r\n".join(lines))
                    return await _read(reader)
                finally:
                    writer.close()
        except (OSError, TimeoutError, httptools.HttpParserError) as error:
            raise Unreachable from error

    async def ask_all(self, path: str) -> list[bytes | None]:
        """What all other workers answer at a path; None from each that is not well."""

        async def one(worker: int) -> bytes | None:
            try:
                found = await self.ask(worker, path.encode())
            except Unreachable:
                return None
            return found.body if found.status == 200 else None

        return list(await asyncio.gather(*map(one, self.others)))

    async def metrics(self) -> bytes:
        """The metrics of all workers, as far as they answer."""
        return merge([render(), *filter(None, await self.ask_all(METRICS))])

    async def turns(self, table_ids: Iterable[str], own: Callable[[list[str]], Awaitable[Turns]]) -> Turns:
        """Whose turn it is at tables of all workers, as far as these answer; `own` tells of this one's."""
        wanted: dict[int, list[str]] = {}
        for table_id in table_ids:
            wanted.setdefault(self.affinity.owner(table_id), []).append(table_id)

        async def one(worker: int, ids: list[str]) -> Turns:
            if worker == self.affinity.index:
                return await own(ids)
            try:
                found = await self.ask(worker, TURNS.encode(), msgspec.json.encode(ids), b"POST", patience=PATIENCE)
                return msgspec.json.decode(found.body, type=Turns)
            except (Unreachable, msgspec.MsgspecError):
                log.warning("a worker does not say whose turn it is", extra={"about": {"worker": worker}})
                return {}

        parts = await asyncio.gather(*(one(worker, ids) for worker, ids in wanted.items()))
        return {table_id: turn for part in parts for table_id, turn in part.items()}


async def _read(reader: asyncio.StreamReader) -> Answer:
    made = Answer()
    parser = httptools.HttpResponseParser(made)
    while not made.whole:
        data = await reader.read(1 << 16)
        if not data:
            raise ConnectionResetError("the worker is gone")
        parser.feed_data(data)
    made.status = parser.get_status_code()
    return made


class ForwardingMiddleware:
    """ASGI middleware inside `SecurityMiddleware`: what belongs to another worker goes there."""

    def __init__(self, app: ASGIApp, peers: Peers, behind_proxy: bool) -> None:
        self.app, self.peers = app, peers
        self._behind_proxy = behind_proxy
        self._turn = itertools.count(peers.affinity.index)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self._behind_proxy and scope["type"] == "http":
            send = _closing(send)
        owner = self._owner(scope)
        if owner == self.peers.affinity.index:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await refuse_socket(receive, send, 1012)  # it comes back on a connection that goes to the right worker
        else:
            await self._forward(owner, scope, receive, send)

    def _owner(self, scope: Scope) -> int:
        method = scope.get("method")  # no path of a table answers HEAD
        table_id = table_in(scope["path"])
        if table_id is not None and method != "HEAD":
            return self.peers.affinity.owner(table_id)
        if method == "POST" and scope["path"].endswith("/api/tables"):
            # All workers get as many tables, also if one connection is used for all of them.
            return next(self._turn) % self.peers.affinity.workers
        return self.peers.affinity.index

    async def _forward(self, owner: int, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(receive)
        target = quote(scope["path"]).encode()  # `SecurityMiddleware` has taken a prefix off
        target += b"?" + scope["query_string"] if scope["query_string"] else b""
        headers = [header for header in scope["headers"] if header[0] not in (*OWN_AFFAIR, *FORWARDED)]
        headers.append((b"x-forwarded-proto", scope["scheme"].encode()))
        if scope.get("client"):
            headers.append((b"x-forwarded-for", scope["client"][0].encode()))
        try:
            found = await self.peers.ask(owner, target, body, scope["method"].encode(), headers, PATIENCE)
        except Unreachable:
            return await answer(send, 503, "not_written", "This table is just being opened again: try again.")
        kept = [header for header in found.headers if header[0] not in (*OWN_AFFAIR, b"date")]
        kept.append((b"content-length", str(len(found.body)).encode()))
        await send({"type": "http.response.start", "status": found.status, "headers": kept})
        await send({"type": "http.response.body", "body": found.body})


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _closing(send: Send) -> Send:
    """Close the connection after the answer: a proxy that kept it alive would send requests for any table on it."""

    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), (b"connection", b"close")]}
        await send(message)

    return closing


def from_worker(scope: Scope) -> bool:
    """Whether another worker asks, which wants to know of this one only."""
    return FROM_WORKER in scope


class InternalApp:
    """What a worker serves to the others: the application without its middleware, and what only workers ask."""

    def __init__(self, app: ASGIApp, turns: Callable[[list[str]], Awaitable[Turns]]) -> None:
        self.app, self.turns = app, turns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "http" and scope["path"] == TURNS:
                return await self._turns(receive, send)
            if scope["type"] == "http" and scope["path"] == METRICS:
                return await _send(send, render())
            scope[FROM_WORKER] = True
            await self.app(scope, receive, send)
        except Exception:
            log.exception("a request of another worker failed", extra={"about": {"path": scope.get("path")}})

    async def _turns(self, receive: Receive, send: Send) -> None:
        ids = msgspec.json.decode(await _body(receive), type=list[str])
        found = await self.turns(ids)
        await _send(send, msgspec.json.encode(found))


async def _send(send: Send, body: bytes) -> None:
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
