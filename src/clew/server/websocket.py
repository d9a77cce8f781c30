"""The WebSocket endpoint of a table: hello, then messages until one side goes."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from clew.server import messages as m
from clew.server.addresses import address
from clew.server.clock import now_ms
from clew.server.connection import Connection
from clew.server.handlers import NOT_YOURS, handle
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


async def serve_socket(socket: WebSocket, table_id: str) -> None:
    """One connection, from its beginning to its end."""
    registry: Registry = socket.app.state.registry
    await socket.accept()
    person = registry.signer.read(socket.cookies.get(COOKIE))
    if person is None or registry.closing:
        await socket.close(4401 if person is None else 1012)
        return
    connection = Connection(person, registry.chat_bucket(person), address(socket.scope))
    registry.connections.add(connection)
    CONNECTIONS.inc()
    sender = asyncio.create_task(send_all(socket, connection))
    room = None
    try:
        room = await registry.room(table_id)
        await _listen(socket, registry, room, connection)
    except NotFound as error:
        connection.send(m.Error("not_found", str(error)))
        connection.close(4404)
    except OtherRules as error:
        connection.send(m.Error("other_rules", str(error)))
        connection.close(4409)
    except StoreError as error:
        connection.send(m.Error("not_now", f"{error} Try again."))
        connection.close(1013)
    except (WebSocketDisconnect, asyncio.CancelledError):
        sender.cancel()
    except Exception:
        log.exception("a connection failed", extra={"about": {"table": table_id}})
        connection.close(1011)
    finally:
        if room is not None:
            room.leave(connection)
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):
            await asyncio.wait_for(sender, 5)
        registry.connections.discard(connection)
        CONNECTIONS.dec()


async def send_all(socket: WebSocket, connection: Connection) -> None:
    """Send what waits, in order, until a number says to close."""
    while True:
        message = await connection.waiting.get()
        try:
            if isinstance(message, int):
                await socket.close(message)
                return
            await socket.send_text(message.decode())
        except (WebSocketDisconnect, RuntimeError, OSError):
            return


async def _listen(socket: WebSocket, registry: Registry, room: Room, connection: Connection) -> None:
    """Do what is asked, one thing after the other. Reading goes on meanwhile: a ping is answered at once."""
    faults = TokenBucket(0.2, FAULTS)
    wanted: asyncio.Queue[m.FromClient | m.BadMessage | None] = asyncio.Queue()
    reading = asyncio.create_task(_read(socket, registry, connection, wanted, faults))
    try:
        while (message := await wanted.get()) is not None:
            if connection.closed or not await _handle(room, connection, message, faults):
                return
            wanted.task_done()
        await reading  # raises what ended it
    finally:
        reading.cancel()


async def _read(
    socket: WebSocket,
    registry: Registry,
    connection: Connection,
    wanted: asyncio.Queue[m.FromClient | m.BadMessage | None],
    faults: TokenBucket,
) -> None:
    """Read messages, at a measured pace, and answer pings; None in the queue is the end."""
    rate = registry.settings.message_rate
    bucket = TokenBucket(rate, 4 * rate)
    first = True
    try:
        while (raw := await _receive(socket, connection, first)) is not None:
            if len(raw) > m.LARGEST:
                return connection.close(4413)
            if not bucket.take():
                REFUSED.labels("rate").inc()
                connection.send(m.Error("too_fast", "Too many messages: wait a little."))
                if not faults.take():
                    return connection.close(4429)
                await asyncio.sleep(0.2)  # what comes faster waits on the network
                continue
            message: m.FromClient | m.BadMessage
            try:
                message = m.decode(raw)
            except m.BadMessage as error:
                message = error
            if isinstance(message, m.Ping) and not first:
                connection.send(m.Pong(message.id, now_ms()))
            else:
                wanted.put_nowait(message)
                if wanted.qsize() >= UNREAD:
                    await wanted.join()
            first = False
    finally:
        wanted.put_nowait(None)


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


async def _receive(socket: WebSocket, connection: Connection, first: bool) -> str | bytes | None:
    """The next message; None when the other side is gone, or says no hello."""
    if socket.client_state is not WebSocketState.CONNECTED or socket.application_state is not WebSocketState.CONNECTED:
        return None
    if first:
        try:
            got = await asyncio.wait_for(socket.receive(), HELLO_SECONDS)
        except TimeoutError:
            connection.close(4400)
            return None
    else:
        got = await socket.receive()
    if got["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(got.get("code", 1000))
    text: str | None = got.get("text")
    return text if text is not None else bytes(got.get("bytes", b""))


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
        connection.chair, connection.known, connection.invite, again = (
            message.chair,
            message.known,
            message.invite,
            connection.greeted,
        )
        connection.greeted = True
        await room.welcome(connection, message.last)
    if not again:
        room.announce_presence()
        room.start()
