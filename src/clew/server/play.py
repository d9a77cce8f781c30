"""The WebSocket of a chair: hello, then messages until one side goes."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from clew.server import messages as m
from clew.server.acting import NOT_YOURS, act
from clew.server.addresses import address
from clew.server.clock import now_ms
from clew.server.house import Forbidden, House, NotFound, may_enter
from clew.server.identity import COOKIE
from clew.server.limits import Bucket
from clew.server.line import Line
from clew.server.room import Room
from clew.server.store import StoreError
from clew.server.versions import OtherRules
from clew.server.watch import LINES, REFUSED, log

FAULTS = 50  # messages that make no sense, until the connection is closed
HELLO_SECONDS = 20.0
UNREAD = 32  # messages that were read and wait to be done; more wait on the network


async def play(socket: WebSocket, table_id: str) -> None:
    """One connection, from its beginning to its end."""
    house: House = socket.app.state.house
    await socket.accept()
    person = house.signer.read(socket.cookies.get(COOKIE))
    if person is None or house.closing:
        await socket.close(4401 if person is None else 1012)
        return
    line = Line(person, house.chat_bucket(person), address(socket.scope))
    house.lines.add(line)
    LINES.inc()
    sender = asyncio.create_task(send_all(socket, line))
    room = None
    try:
        room = await house.room(table_id)
        await _listen(socket, house, room, line)
    except NotFound as error:
        line.send(m.Error("not_found", str(error)))
        line.close(4404)
    except OtherRules as error:
        line.send(m.Error("other_rules", str(error)))
        line.close(4409)
    except StoreError as error:
        line.send(m.Error("not_now", f"{error} Try again."))
        line.close(1013)
    except (WebSocketDisconnect, asyncio.CancelledError):
        sender.cancel()
    except Exception:
        log.exception("a connection failed", extra={"about": {"table": table_id}})
        line.close(1011)
    finally:
        if room is not None:
            room.leave(line)
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):
            await asyncio.wait_for(sender, 5)
        house.lines.discard(line)
        LINES.dec()


async def send_all(socket: WebSocket, line: Line) -> None:
    """Send what waits, in order, until a number says to close."""
    while True:
        message = await line.waiting.get()
        try:
            if isinstance(message, int):
                await socket.close(message)
                return
            await socket.send_text(message.decode())
        except (WebSocketDisconnect, RuntimeError, OSError):
            return


async def _listen(socket: WebSocket, house: House, room: Room, line: Line) -> None:
    """Do what is asked, one thing after the other. Reading goes on meanwhile: a ping is answered at once."""
    faults = Bucket(0.2, FAULTS)
    wanted: asyncio.Queue[m.FromClient | m.BadMessage | None] = asyncio.Queue()
    reading = asyncio.create_task(_read(socket, house, line, wanted, faults))
    try:
        while (message := await wanted.get()) is not None:
            if line.closed or not await _handle(room, line, message, faults):
                return
            wanted.task_done()
        await reading  # raises what ended it
    finally:
        reading.cancel()


async def _read(
    socket: WebSocket,
    house: House,
    line: Line,
    wanted: asyncio.Queue[m.FromClient | m.BadMessage | None],
    faults: Bucket,
) -> None:
    """Read messages, at a measured pace, and answer pings; None in the queue is the end."""
    rate = house.settings.message_rate
    bucket = Bucket(rate, 4 * rate)
    first = True
    try:
        while (raw := await _receive(socket, line, first)) is not None:
            if len(raw) > m.LARGEST:
                return line.close(4413)
            if not bucket.take():
                REFUSED.labels("rate").inc()
                line.send(m.Error("too_fast", "Too many messages: wait a little."))
                if not faults.take():
                    return line.close(4429)
                await asyncio.sleep(0.2)  # what comes faster waits on the network
                continue
            message: m.FromClient | m.BadMessage
            try:
                message = m.decode(raw)
            except m.BadMessage as error:
                message = error
            if isinstance(message, m.Ping) and not first:
                line.send(m.Pong(message.id, now_ms()))
            else:
                wanted.put_nowait(message)
                if wanted.qsize() >= UNREAD:
                    await wanted.join()
            first = False
    finally:
        wanted.put_nowait(None)


async def _handle(room: Room, line: Line, message: m.FromClient | m.BadMessage, faults: Bucket) -> bool:
    """Do what one message asks for; whether the connection goes on."""
    try:
        if isinstance(message, m.BadMessage):
            raise message
        if isinstance(message, m.Hello):
            await hello(room, line, message)
        elif not line.greeted:
            raise m.BadMessage("no_hello", "A connection begins with a hello.")
        else:
            await act(room, line, message)
    except (m.BadMessage, Forbidden) as error:
        REFUSED.labels("message").inc()
        name = getattr(message, "id", None) or getattr(error, "id", None)
        line.send(m.Error(getattr(error, "code", "forbidden"), str(error), name))
        if not line.greeted:
            line.close(4403 if isinstance(error, Forbidden) or error.code == "not_yours" else 4400)
            return False
        if not faults.take():
            line.close(4429)
            return False
    except StoreError as error:
        line.send(m.Error("not_written", f"{error} Try again.", getattr(message, "id", None)))
        if isinstance(message, m.Hello):  # it was not greeted, and is to come back
            line.close(1013)
            return False
    return True


async def _receive(socket: WebSocket, line: Line, first: bool) -> str | bytes | None:
    """The next message; None when the other side is gone, or says no hello."""
    if socket.client_state is not WebSocketState.CONNECTED or socket.application_state is not WebSocketState.CONNECTED:
        return None
    if first:
        try:
            got = await asyncio.wait_for(socket.receive(), HELLO_SECONDS)
        except TimeoutError:
            line.close(4400)
            return None
    else:
        got = await socket.receive()
    if got["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(got.get("code", 1000))
    text = got.get("text")
    return text if text is not None else got.get("bytes", b"")


async def hello(room: Room, line: Line, message: m.Hello) -> None:
    """Sit down in a chair of one's own, or watch."""
    if message.version != m.PROTOCOL:
        raise m.BadMessage("version", f"This server speaks version {m.PROTOCOL} of the protocol: load the page anew.")
    async with room.lock:
        if room.house.store.shared:  # who sat down at another worker is known there, and may know more than this one
            await room.catch_up()
        seats = room.ledger.seats
        if message.chair is not None:
            if message.chair >= len(seats) or seats[message.chair].person != line.person:
                raise m.BadMessage("not_yours", NOT_YOURS)
        else:
            may_enter(room.ledger.row, seats, line.person, message.invite)
        line.chair, line.known, line.invite, again = message.chair, message.known, message.invite, line.greeted
        line.greeted = True
        await room.greet(line, message.last)
    if not again:
        room.announce()
        room.start()
