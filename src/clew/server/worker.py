"""One of several worker processes: it takes the connections that the supervisor hands it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from clew.core import compiling
from clew.core.errors import ClewError
from clew.server import ipc
from clew.server.affinity import Affinity
from clew.server.app import App, make_app
from clew.server.forwarding import Peers, Reach
from clew.server.logs import set_up_logs
from clew.server.serve import Server, leave, run
from clew.server.settings import Settings

AGAIN = 0.01  # seconds until something is sent again that the supervisor had no room for
PR_SET_PDEATHSIG = 1  # of Linux: a signal for when the parent is gone


class Worker(Server):
    """Serves the connections that come over a channel; the worker is ready when it says so."""

    def __init__(self, app: App, settings: Settings, supervisor: socket.socket) -> None:
        super().__init__(app, settings)
        self._supervisor = supervisor
        self._internal = uvicorn.Config(
            app.internal,
            http="httptools",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=True,  # they tell where a request came from that another worker passes on
            forwarded_allow_ips="*",
        )
        self._taking: set[asyncio.Task[tuple[asyncio.Transport, asyncio.Protocol]]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._internal.load()
        asyncio.get_running_loop().add_reader(self._supervisor, self._receive)
        ipc.send(self._supervisor, ipc.READY)

    def _receive(self) -> None:
        try:
            kind, _, connection = ipc.receive(self._supervisor)
        except BlockingIOError:
            return
        if not kind:
            os._exit(1)  # the supervisor is gone; what was acknowledged is on disk
        if kind == ipc.CHECK:
            with contextlib.suppress(BlockingIOError):  # then there is enough for the supervisor to hear already
                ipc.send(self._supervisor, ipc.READY)
        if connection is not None:
            config = self.config if kind == ipc.CLIENT else self._internal
            taking = asyncio.get_running_loop().connect_accepted_socket(self._protocol(config), connection)
            task = asyncio.ensure_future(taking)
            self._taking.add(task)
            task.add_done_callback(self._taken)

    def _taken(self, task: asyncio.Task[tuple[asyncio.Transport, asyncio.Protocol]]) -> None:
        self._taking.discard(task)
        with contextlib.suppress(OSError, asyncio.CancelledError):  # who is gone already
            task.result()

    def _protocol(self, config: uvicorn.Config) -> Callable[[], asyncio.Protocol]:
        made: Any = config.http_protocol_class
        return lambda: made(config=config, server_state=self.server_state, app_state=self.lifespan.state)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Only the supervisor ends a worker: Ctrl-C goes to all processes of a terminal, and is for the supervisor."""
        signal.signal(signal.SIGTERM, self.handle_exit)
        yield


def reach(supervisor: socket.socket) -> Reach:
    """Connections to other workers, by way of the supervisor."""

    async def connect(worker: int) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            while True:
                try:
                    ipc.send(supervisor, ipc.REACH, worker, theirs)
                    return ours
                except BlockingIOError:
                    await asyncio.sleep(AGAIN)
                except BaseException:
                    ours.close()
                    raise

    return connect


def die_with(parent: int) -> None:
    """End when the supervisor does, even if this process hangs; elsewhere than on Linux its channel tells."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def main(index: int, workers: int, descriptor: int, parent: int) -> None:
    """Serve until told to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    settings: Settings = pickle.load(sys.stdin.buffer)
    set_up_logs(settings.log_format)
    compiling.share(index, workers)
    supervisor = socket.socket(fileno=descriptor)
    supervisor.setblocking(False)
    app = make_app(settings, Peers(Affinity(index, workers), reach(supervisor)))
    try:
        run(Worker(app, settings, supervisor), [])
    except SystemExit:
        error = app.failed or ClewError("A worker could not start.")
        ipc.tell_failure(supervisor, str(error))
        os._exit(2)
    leave()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
