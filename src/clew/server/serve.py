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
from typing import Any

import uvicorn

from clew.core.errors import ClewError
from clew.server.app import make_app
from clew.server.messages import LARGEST
from clew.server.settings import Settings
from clew.server.watch import log, set_up_logs

PING = 20.0  # seconds between two looks whether somebody is still there
SWITCH = 0.001  # seconds after which a thread that has something to write gets its turn
GARBAGE = 20_000  # new things until the first look for garbage
PATIENCE = 5  # seconds for requests under way when the server stops


class Server(uvicorn.Server):
    """Says goodbye before it stops."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            named = f"[{host}]" if ":" in host else host
            print(f"Clew is at http://{named}:{port} (Ctrl-C stops it)", flush=True)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal ends the server in good order, and is not raised once more after that."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: Any = None) -> None:
        house = getattr(self.config.app.state, "house", None)  # type: ignore[union-attr]
        if house is not None:
            await house.farewell()
        await super().shutdown(sockets)


def serve(settings: Settings) -> None:
    """Serve until told to stop."""
    set_up_logs(settings.log_format)
    sys.setswitchinterval(SWITCH)
    bound = listen(settings.host, settings.port)
    app = make_app(settings)
    gc.collect()
    gc.freeze()  # what was imported stays: no need to look through it again and again while people play
    gc.set_threshold(GARBAGE, 20, 50)
    config = uvicorn.Config(
        app,
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=2 * LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="*" if settings.behind_proxy else None,
        timeout_graceful_shutdown=PATIENCE,
    )
    server = Server(config)
    try:
        server.run([bound])
    except SystemExit:
        raise getattr(app.state, "failed", None) or ClewError("The server could not start.") from None
    log.info("stopped")
    # Everything is written. A thread that still compiles or thinks has nothing to save, and could take a minute.
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or one sentence why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(2048)
    except (OSError, OverflowError) as error:
        bound.close()
        why = getattr(error, "strerror", None) or str(error)
        raise ClewError(f"Nothing can listen at {host}, port {port}: {why.lower()}.") from None
    bound.setblocking(False)
    return bound
