"""The WebSocket endpoint of a table: hello, then messages until one side goes."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect

from clew.server import messages as m
from clew.server.addresses import address
from clew.server.clock import now_ms
from clew.server.connection import Connection
from clew.server.handlers import NOT_YOURS, handle
from clew.server.http import SOCKET, SocketProtocol
from clew.server.identity import COOKIE
from clew.server.logs import log
from clew.server.metrics import CONNECTIONS, REFUSED
from clew.server.rate_limits import TokenBucket
from clew.server.registry import Forbidden, NotFound, Registry, may_enter
from clew.server.room import Room
from clew.server.store import StoreError
from clew.server.versions import OtherRules

FAULTS = 50  # messages that make no sense, until the connection is closed
HELLO_SECONDS = 20.0
UNREAD = 32  # messages that were read and wait to be done; more wait on the network
TOO_FAST = 0.2  # seconds in which nothing is read of who sends too fast


async def serve_socket(socket: WebSocket, table_id: str) -> None:
    """One connection, from its beginning to its end."""
    registry: Registry = socket.app.state.registry
    await socket.accept()
    person = registry.signer.read(socket.cookies.get(COOKIE))
    if person is None or registry.closing:
        await socket.close(4401 if person is None else 1012)
        return
    wire: SocketProtocol = socket.scope["extensions"][SOCKET]
    connection = Connection(person, registry.chat_bucket(person), address(socket.scope), wire)
    session = Session(connection, wire, registry.settings.message_rate)
    registry.connections.add(connection)
    CONNECTIONS.inc()
    room = None
    try:
        room = await registry.room(table_id)
        await session.serve(room)
    except NotFound as error:
        connection.send(m.Error("not_found", str(error)))
        connection.close(4404)
    except OtherRules as error:
        connection.send(m.Error("other_rules", str(error)))
        connection.close(4409)
    except StoreError as error:
        connection.send(m.Error("not_now", f"{error} Try again."))
        connection.close(1013)
    except asyncio.CancelledError:
        pass
    except Exception:
        log.exception("a connection failed", extra={"about": {"table": table_id}})
        connection.close(1011)
    finally:
        session.end()
        if room is not None:
            room.leave(connection)
        if connection.code is not None:
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await asyncio.wait_for(connection.flushed(), 5)
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                await socket.close(connection.code)
        registry.connections.discard(connection)
        CONNECTIONS.dec()


class Session:
    """What a connection asks for, read at a measured pace and done one thing after the other.

    Reading goes on while something is being done: a ping is answered at once.
    """

    def __init__(self, connection: Connection, wire: SocketProtocol, rate: float) -> None:
        self._connection, self._wire = connection, wire
        self._faults = TokenBucket(0.2, FAULTS)
        self._bucket = TokenBucket(rate, 4 * rate)
        self._wanted: deque[m.FromClient | m.BadMessage | None] = deque()  # None is the end
        self._waiter: asyncio.Future[None] | None = None
        self._unread: deque[str | bytes] = deque()  # what came while nothing is to be read
        self._full = self._slowed = False  # why nothing is read
        self._first = True
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(HELLO_SECONDS, connection.close, 4400)
        connection.finished = self.lost
        wire.listen(self)

    async def serve(self, room: Room) -> None:
        """Do what is asked, until one side goes."""
        while (message := await self._next()) is not None:
            if self._connection.closed or not await _handle(room, self._connection, message, self._faults):
                return
            if self._full and not self._wanted:
                self._full = False
                self._go_on()

    def end(self) -> None:
        """Nothing is read any more."""
        self._timer.cancel()
        self._unread.clear()

    # What the protocol calls

    def receive(self, message: str | bytes) -> None:
        """A message has come."""
        if self._full or self._slowed:
            self._unread.append(message)
        elif not self._connection.closed:
            self._read(message)

    def lost(self) -> None:
        """The other side is gone, or is to go: what it asked for before that is still done."""
        self._want(None)

    def ready(self) -> None:
        """More can be written."""
        self._connection.flush()

    # Reading

    def _read(self, raw: str | bytes) -> None:
        connection = self._connection
        if len(raw) > m.LARGEST:
            return connection.close(4413)
        if not self._bucket.take():
            REFUSED.labels("rate").inc()
            connection.send(m.Error("too_fast", "Too many messages: wait a little."))
            if not self._faults.take():
                return connection.close(4429)
            self._slowed = True
            self._wire.stop_reading()
            asyncio.get_running_loop().call_later(TOO_FAST, self._speed_up)
            return
        try:
            message = m.decode(raw)
        except m.BadMessage as error:
            self._want(error)
        else:
            if isinstance(message, m.Ping) and not self._first:
                connection.send(m.Pong(message.id, now_ms()))
            else:
                self._want(message)
        if self._first:
            self._first = False
            self._timer.cancel()
        if len(self._wanted) >= UNREAD:
            self._full = True  # what comes from now on waits, at last on the network
            self._wire.stop_reading()

    def _want(self, message: m.FromClient | m.BadMessage | None) -> None:
        self._wanted.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _next(self) -> m.FromClient | m.BadMessage | None:
        if not self._wanted:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._wanted.popleft()

    def _speed_up(self) -> None:
        self._slowed = False
        self._go_on()

    def _go_on(self) -> None:
        while self._unread and not (self._full or self._slowed or self._connection.closed):
            self._read(self._unread.popleft())
        if not (self._full or self._slowed):
            self._wire.go_on_reading()


async def _handle(
    room: Room, connection: Connection, message: m.FromClient | m.BadMessage, faults: TokenBucket
) -> bool:
    """Do what one message asks for; whether the connection goes on."""
    name = None if isinstance(message, m.Hello) else message.id
    try:
        if isinstance(message, m.BadMessage):
            raise message
        if isinstance(message, m.Hello):
            await hello(room, connection, message)
        elif not connection.greeted:
            raise m.BadMessage("no_hello", "A connection begins with a hello.")
        elif not isinstance(message, m.Ping):  # which was answered where it was read
            await handle(room, connection, message)
    except (m.BadMessage, Forbidden) as error:
        REFUSED.labels("message").inc()
        code = error.code if isinstance(error, m.BadMessage) else "forbidden"
        connection.send(m.Error(code, str(error), name))
        if not connection.greeted:
            connection.close(4403 if code in ("forbidden", "not_yours") else 4400)
            return False
        if not faults.take():
            connection.close(4429)
            return False
    except StoreError as error:
        connection.send(m.Error("not_written", f"{error} Try again.", name))
        if isinstance(message, m.Hello):  # it was not greeted, and is to come back
            connection.close(1013)
            return False
    return True


async def hello(room: Room, connection: Connection, message: m.Hello) -> None:
    """Sit down in a chair of one's own, or watch."""
    if message.version != m.PROTOCOL:
        raise m.BadMessage("version", f"This server speaks version {m.PROTOCOL} of the protocol: load the page anew.")
    async with room.lock:
        if room.registry.store.shared:  # who sat down at another worker is known there, and may know more than this one
            await room.catch_up()
        seats = room.state.seats
        if message.chair is not None:
            if message.chair >= len(seats) or seats[message.chair].person != connection.person:
                raise m.BadMessage("not_yours", NOT_YOURS)
        else:
            may_enter(room.state.row, seats, connection.person, message.invite)
        again = connection.greeted
        connection.chair, connection.invite = message.chair, message.invite
        connection.known, connection.changes = message.known, message.changes
        connection.greeted = True
        await room.welcome(connection, message.last)
    if not again:
        room.announce_presence()
        room.start()
