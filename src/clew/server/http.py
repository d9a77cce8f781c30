"""HTTP connections: one that sends nothing, too slowly or without end is closed, and nobody holds too many."""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from typing import Any, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from clew.server.addresses import Proxies, network
from clew.server.file_limits import files_allowed
from clew.server.settings import Settings

HEAD_SECONDS = 10.0  # for the head of a request, from its first byte or from the beginning of the connection
BODY_SECONDS = 60.0  # for its body
IDLE_SECONDS = 5.0  # between an answer and the next request, or the rest of a body that nobody reads
STALL_SECONDS = 30.0  # without a byte being read of what waits to be sent
LARGEST_HEAD = 32_768  # bytes
LARGEST_REQUEST = 4_000_000  # bytes on the wire, whatever becomes of them
SOCKET = "clew.socket"  # where a WebSocket's scope has its protocol, among the extensions
OPEN = State.OPEN
KEPT_BACK = 256  # files for the database, for logs and for whoever is being refused


class ConnectionLimits:
    """How many HTTP connections there may be, and how many each address has; the middleware counts WebSockets."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections
        self._most_of_all = max(files_allowed() - KEPT_BACK, files_allowed() // 2)
        self._proxies = Proxies(settings.behind_proxy, settings.trusted_proxies)
        self._open: Counter[str] = Counter()

    def enter(self, host: str, of_all: int) -> str | None:
        """Who the new connection counts for, or None if it is one too many; a trusted proxy may have any number."""
        who = "" if self._proxies.trust(host) else network(host)
        if of_all > self._most_of_all or (who and self._open[who] >= self._most):
            return None
        self._open[who] += 1
        return who

    def leave(self, who: str) -> None:
        """A connection that was counted is gone."""
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's, with limits of time, size and number for each connection."""

    def __init__(self, limits: ConnectionLimits, **more: Any) -> None:  # Any: for uvicorn's own
        super().__init__(**more)
        self._limits = limits
        self._counted: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._in_head = self._in_body = self._last = False
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._counted = self._limits.enter(self.client[0] if self.client else "", len(self.connections))
        if self._counted is None:
            self._refuse(429, "Too many connections: close some.\n")
        else:
            self._close_after(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    # Reading

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)
        if self._in_head and self._received > LARGEST_HEAD:
            self._refuse(431, "The head of the request is too large.\n")
        elif self._in_body and self._received > LARGEST_REQUEST:
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._received = True, 0
        self._close_after(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        self._in_head, self._in_body = False, True
        self._close_after(BODY_SECONDS)
        super().on_headers_complete()
        if self.cycle is not None and not self.cycle.keep_alive:
            # An answer that comes before the end of the body would be lost if the connection were closed with it.
            self._last = self.cycle.keep_alive = True

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_body = False
        self._stop_timer()  # an answer takes the time that it takes
        if self._last and self.cycle.response_complete:
            self._close()
        elif self._last:
            self.cycle.keep_alive = False
        else:
            self._idle_if_done()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_writing()
        elif self._last and self._in_body:
            self._close_after(IDLE_SECONDS)
        else:
            self._idle_if_done()

    def _idle_if_done(self) -> None:
        answered = self.cycle is not None and self.cycle.response_complete
        if answered and not self._in_head and not self._in_body:
            self._close_after(IDLE_SECONDS)

    def handle_websocket_upgrade(self) -> None:
        self._let_go()
        if self.url.isascii():
            super().handle_websocket_upgrade()
        socket: Any = self.transport.get_protocol()
        if socket is self or not socket.handshake_initiated:  # it cannot read the head, and would wait for ever
            self.send_400_response("Invalid HTTP request received.")

    def _close_after(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Writing: whoever does not read what they asked for is not waited for

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_watching()

    def _watch_writing(self) -> None:
        self._stop_watching()
        self._writing = self.loop.call_later(STALL_SECONDS, self._stalled, self.transport.get_write_buffer_size())

    def _stalled(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._watch_writing()
        else:
            self.transport.abort()

    def _stop_watching(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    # The end

    def _close(self) -> None:
        self.transport.close()
        self._watch_writing()

    def _refuse(self, status: int, text: str) -> None:
        head = f"HTTP/1.1 {status} Refused\r\ncontent-type: text/plain\r\ncontent-length: {len(text)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n{text}".encode())
        self._close()

    def _let_go(self) -> None:
        self._stop_timer()
        self._stop_watching()
        if self._counted is not None:
            self._limits.leave(self._counted)
            self._counted = None


class Listener(Protocol):
    """Whoever a WebSocket's messages are for."""

    def receive(self, message: str | bytes) -> None:
        """A message has come."""

    def lost(self) -> None:
        """The other side is gone."""

    def ready(self) -> None:
        """More can be written."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, for a listener: messages go there and frames out at once, with no task or queue of ASGI between.

    Who answers no ping is not waited for.
    """

    def __init__(self, *given: Any, **more: Any) -> None:  # Any: for uvicorn's own
        super().__init__(*given, **more)
        self.ready = True
        self._listener: Listener | None = None

    async def run_asgi(self) -> None:
        extensions: Any = self.scope["extensions"]
        extensions[SOCKET] = self
        await super().run_asgi()

    def listen(self, listener: Listener) -> None:
        """From now on everything goes to this listener; what came before, too."""
        self._listener = listener
        while not self.queue.empty():
            came: Any = self.queue.get_nowait()
            if came["type"] == "websocket.disconnect":
                listener.lost()
            else:
                text = came.get("text")
                listener.receive(came["bytes"] if text is None else text)
        self.go_on_reading()

    def write(self, frames: bytes) -> None:
        """Write frames, if the other side is still there."""
        if self.conn.state is OPEN and not self.transport.is_closing():
            self.transport.write(frames)

    def stop_reading(self) -> None:
        """Let what comes wait on the network."""
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def go_on_reading(self) -> None:
        """Read again."""
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        if self._listener is None or self.close_sent:
            return super().send_receive_event_to_app()
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self.curr_msg_data_type == "bytes":
            self._listener.receive(bytes(data))
        else:
            try:
                text = data.decode()
            except UnicodeDecodeError:
                return super().send_receive_event_to_app()  # which says so and closes
            self._listener.receive(text)
        self.frames = []

    def handle_close(self, event: Any) -> None:
        super().handle_close(event)
        self._lose()

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self._lose()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._lose()

    def shutdown(self) -> None:
        super().shutdown()
        self._lose()

    def _lose(self) -> None:
        if self._listener is not None:
            self._listener.lost()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.ready = False

    def resume_writing(self) -> None:
        super().resume_writing()
        self.ready = True
        if self._listener is not None:
            self._listener.ready()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.loop.call_later(STALL_SECONDS, self.transport.abort)


def http_protocol(settings: Settings) -> type[asyncio.Protocol]:
    """What uvicorn makes for each connection of one server."""
    made: Any = functools.partial(HttpProtocol, ConnectionLimits(settings))  # uvicorn calls it as it would a class
    protocol: type[asyncio.Protocol] = made
    return protocol
