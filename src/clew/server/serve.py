"""Running the server: a socket, uvicorn, and an end in good order."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator

import uvicorn

from clew.core.errors import ClewError
from clew.server.app import App, make_app
from clew.server.http import SocketProtocol, http_protocol
from clew.server.listener import announce, listen
from clew.server.logs import log
from clew.server.messages import LARGEST
from clew.server.settings import Settings

PING = 20.0  # seconds between two looks whether somebody is still there
SWITCH = 0.001  # seconds after which a thread that has something to write gets its turn
GARBAGE = 20_000  # new things until the first look for garbage
PATIENCE = 5  # seconds for requests under way when the server stops


class Server(uvicorn.Server):
    """Says goodbye before it stops."""

    def __init__(self, app: App, settings: Settings) -> None:
        super().__init__(configure(app, settings))
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            announce(sockets[0])

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal ends the server in good order, and is not raised once more after that."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.started:
            await self._app.registry.drain()
        await super().shutdown(sockets)


def serve(settings: Settings) -> None:
    """Serve until told to stop, in this process alone."""
    bound = listen(settings.host, settings.port)
    app = make_app(settings)
    try:
        run(Server(app, settings), [bound])
    except SystemExit:
        raise app.failed or ClewError("The server could not start.") from None
    log.info("stopped")
    leave()


def configure(app: App, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves an application."""
    return uvicorn.Config(
        app,
        http=http_protocol(settings),
        ws=SocketProtocol,
        ws_max_size=2 * LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the middleware reads them
        timeout_graceful_shutdown=PATIENCE,
    )


def run(server: Server, sockets: list[socket.socket]) -> None:
    """Serve until told to stop; raises SystemExit if it cannot begin."""
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()  # what was imported stays: no need to look through it again and again while people play
    gc.set_threshold(GARBAGE, 20, 50)
    server.run(sockets)


def leave() -> None:
    """End the process: everything is written.

    A thread that still compiles or thinks has nothing to save, and could take a minute.
    """
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)
