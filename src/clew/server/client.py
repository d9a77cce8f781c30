"""A small client: it comes back by itself after a lost connection, and never makes a move twice.

>>> async def example():
...     async with Client("http://127.0.0.1:8000", name="Ann") as ann:
...         table = await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "bot"}]})
...         async with ann.chair(table["id"], 0) as chair:
...             while not chair.over:
...                 await chair.turn()
...                 await chair.move(chair.moves[0])
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

from clew.core.changes import applied
from clew.core.errors import ClewError, IllegalMove
from clew.server.data_types import JsonObject, JsonValue
from clew.server.messages import PROTOCOL

FIRST_WAIT, LONGEST_WAIT = 0.1, 3.0  # seconds before coming back
FOR_GOOD = (1009, 4400, 4401, 4403, 4404, 4409, 4413)  # close codes after which coming back is no use


class ServerError(ClewError):
    """What the server says against a request: `status` of HTTP, or 0, and `code`."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status, self.code = status, code


class Client:
    """Somebody at a server: an identity, and requests in its name."""

    def __init__(self, *addresses: str, name: str = "", cookie: str = "") -> None:
        self.addresses = [address.rstrip("/") for address in addresses]
        self.name = name
        self.cookie = cookie
        self.recording = False  # whether chairs keep every message as it came, in `received`

    async def __aenter__(self) -> Client:
        if not self.cookie:
            await self.get("/api/me")
            if self.name:
                await self.request("PUT", "/api/me", {"name": self.name})
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def get(self, path: str, **headers: str) -> JsonValue:
        """Ask for something."""
        return await self.request("GET", path, None, **headers)

    async def post(self, path: str, body: JsonValue = None, **headers: str) -> JsonValue:
        """Have something done."""
        return await self.request("POST", path, {} if body is None else body, **headers)

    async def request(self, method: str, path: str, body: JsonValue = None, **headers: str) -> JsonValue:
        """One request on a connection of its own; JSON as data, anything else as text."""
        address = urlsplit(random.choice(self.addresses))
        safe = address.scheme == "https"
        port = address.port or (443 if safe else 80)
        reader, writer = await asyncio.open_connection(address.hostname, port, ssl=safe or None, limit=1 << 24)
        try:
            sent = b"" if body is None else msgspec.json.encode(body)
            lines = [
                f"{method} {address.path}{path} HTTP/1.1",
                f"Host: {address.netloc}",
                "Connection: close",
                "X-Clew: 1",
            ]
            lines += [f"Cookie: clew={self.cookie}"] if self.cookie else []
            lines += [f"{key.replace('_', '-')}: {value}" for key, value in headers.items()]
            lines += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + sent)
            status, found, text = await _read(reader)
        finally:
            writer.close()
        for cookie in found.get("set-cookie", []):
            if cookie.startswith("clew="):
                self.cookie = cookie.split(";")[0].removeprefix("clew=")
        json = found.get("content-type", [""])[0].startswith("application/json")
        data: JsonValue = msgspec.json.decode(text) if json else text.decode()
        if status >= 400:
            error = data["error"] if json else {"code": "failed", "text": f"The server answered {status}."}
            raise ServerError(status, error["code"], error["text"])
        return data

    @contextlib.asynccontextmanager
    async def chair(
        self, table_id: str, seat: int | None, invite: str = "", known: bool = False, changes: bool = True
    ) -> AsyncIterator[Chair]:
        """A chair at a table, None to watch; connected as long as the block lasts."""
        chair = Chair(self, table_id, seat, invite, known, changes)
        keeper = asyncio.create_task(chair.keep())
        try:
            await chair.settled()
            yield chair
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)


async def _read(reader: asyncio.StreamReader) -> tuple[int, dict[str, list[str]], bytes]:
    status = int((await reader.readline()).split()[1])
    headers: dict[str, list[str]] = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers.setdefault(name.lower(), []).append(value.strip())
    if headers.get("transfer-encoding", [""])[0] != "chunked":
        return status, headers, await reader.read()
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    return status, headers, body


class Chair:
    """A chair as its owner knows it, kept up to date."""

    def __init__(
        self, client: Client, table_id: str, seat: int | None, invite: str, known: bool, changes: bool
    ) -> None:
        self.client, self.table_id, self.seat = client, table_id, seat
        self.number = 0
        self.log: list[JsonObject] = []
        self.table: JsonObject = {}
        self.now: JsonObject = {}
        self.connections = 0
        self.received: list[str | bytes] = []
        self.seen: list[JsonObject] = []  # messages that are not events: presence, errors, ...
        self._hello = {"type": "hello", "version": PROTOCOL, "chair": seat, "invite": invite}
        self._hello |= {"known": known, "changes": changes}
        self._pending: dict[str, tuple[JsonObject, asyncio.Future[JsonObject]]] = {}
        self._written: dict[int, JsonObject] = {}  # acknowledged: by the number of the entry that is still to come
        self._changed = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._failed: Exception | None = None

    @property
    def view(self) -> JsonObject:
        """What the chair knows."""
        view: JsonObject = self.now.get("view") or {}
        return view

    @property
    def moves(self) -> list[str]:
        """The legal moves, written."""
        moves: list[str] = self.now.get("moves") or []
        return moves

    @property
    def asking(self) -> bool:
        """Whether something was sent that is not answered yet."""
        return bool(self._pending)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.table.get("state") == "over")

    async def settled(self) -> None:
        """Wait for the first welcome."""
        await self.until(lambda: self.connections > 0)

    async def turn(self) -> None:
        """Wait until this chair owes a move, or the game is over."""
        await self.until(lambda: bool(self.moves) or self.over)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is so."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._failed is not None or condition())
        if self._failed is not None and not condition():
            raise self._failed

    async def move(self, move: str) -> JsonObject:
        """Make a move; returns its entry when it is on the server's disk, raises IllegalMove when it is refused."""
        return await self.ask("move", move=move)

    async def ask(self, kind: str, **fields: JsonValue) -> JsonObject:
        """Send a message with a new id; its answer, across any number of lost connections."""
        return await self.repeat(secrets.token_urlsafe(9), kind, **fields)

    async def repeat(self, name: str, kind: str, **fields: JsonValue) -> JsonObject:
        """The same with an id of one's own choice."""
        message = {"type": kind, "id": name, **fields}
        waiting: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._pending[name] = (message, waiting)
        if self._failed is not None:
            raise self._failed
        await self._send(message)
        try:
            answer = await waiting
        finally:
            self._pending.pop(name, None)
        if answer.get("type") == "refused":
            raise IllegalMove(answer.get("rule", ""), answer["reason"], answer.get("faults", ()))
        if answer.get("type") == "error":
            raise ServerError(0, answer["code"], answer["text"])
        return answer

    async def say(self, raw: str | bytes) -> None:
        """Send anything at all."""
        assert self._socket is not None
        await self._socket.send(raw)

    async def _send(self, message: JsonObject) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):  # it is sent again after the next welcome
                await self._socket.send(msgspec.json.encode(message).decode())

    async def keep(self) -> None:
        """Stay connected until the end of the block."""
        wait = FIRST_WAIT
        while self._failed is None:
            try:
                address = random.choice(self.client.addresses).replace("http", "ws", 1)
                async with connect(
                    f"{address}/api/tables/{self.table_id}/play",
                    additional_headers={"Cookie": f"clew={self.client.cookie}"},
                    max_size=1 << 24,
                    compression=None,
                    ping_interval=None,
                    open_timeout=10,
                ) as socket:
                    self._socket = socket
                    await self._send({**self._hello, "last": self.number})
                    with contextlib.suppress(ConnectionClosed):  # with any code but 1000 and 1001
                        async for raw in socket:
                            wait = FIRST_WAIT
                            await self._take(raw)
                    if socket.close_code in FOR_GOOD:
                        for ack in self._written.values():  # such as of having left
                            self._answer(ack["id"], ack)
                        said = next((m["text"] for m in reversed(self.seen) if m["type"] == "error"), "Sent away.")
                        await self._give_up(ServerError(0, str(socket.close_code), said))
            except (OSError, ConnectionClosed, InvalidHandshake, WebSocketException, TimeoutError):
                pass
            except Exception as error:
                await self._give_up(error)
            self._socket = None
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(2 * wait, LONGEST_WAIT)

    async def _give_up(self, error: Exception) -> None:
        async with self._changed:
            self._failed = error
            self._changed.notify_all()
        for _, waiting in self._pending.values():
            if not waiting.done():
                waiting.set_exception(error)

    async def _take(self, raw: str | bytes) -> None:
        if self.client.recording:
            self.received.append(raw)
        message = msgspec.json.decode(raw)
        kind = message["type"]
        if kind == "welcome":
            await self._welcome(message)
        elif kind == "event":
            await self._event(message)
        elif kind == "ack" and message["number"] > self.number:
            self._written[message["number"]] = message
        elif message.get("id") in self._pending:
            self._answer(message["id"], message)
        else:
            self.seen.append(message)
        async with self._changed:
            self._changed.notify_all()

    async def _welcome(self, message: JsonObject) -> None:
        if message["since"] < self.number:
            self.log.clear()
        self.log += message["log"]
        self.number, self.table, self.now = message["number"], message["table"], message["now"]
        self.connections += 1
        for entry in message["log"]:
            self._answer(entry.get("id"), entry)
        if any(number > self.number for number in self._written):
            await self._give_up(ServerError(0, "lost", "The server has lost what it had acknowledged."))
        self._written.clear()
        for pending, _ in list(self._pending.values()):
            await self._send(pending)

    async def _event(self, message: JsonObject) -> None:
        entry = message["entry"]
        if entry["number"] != self.number + 1:
            await self._send({**self._hello, "last": self.number})
            return
        self.number = entry["number"]
        self.log.append(entry)
        self.now = self._position(message["now"]) if "now" in message else self.now
        self.table = message.get("table") or self.table
        self._written.pop(self.number, None)
        self._answer(entry.get("id"), entry)

    def _position(self, now: JsonObject) -> JsonObject:
        """A new position, whole: an event may say what has changed in the view."""
        if "changes" in now:
            now["view"] = applied(self.view, now.pop("changes"))
        return now

    def _answer(self, name: str | None, answer: JsonObject) -> None:
        if name in self._pending and not self._pending[name][1].done():
            self._pending[name][1].set_result(answer)
