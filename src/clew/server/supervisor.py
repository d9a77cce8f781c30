"""One command, several worker processes: each table belongs to one of them, and its connections are handed to it.

The supervisor accepts connections, looks at the first line of the request without taking it (MSG_PEEK), and passes the
connection itself to a worker: nothing that is played goes through this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import pickle
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

from clew.core.errors import ClewError
from clew.server import ipc
from clew.server.affinity import Affinity, table_in
from clew.server.configuration import unknown
from clew.server.file_limits import raise_file_limit
from clew.server.listener import announce, listen
from clew.server.logs import log, set_up_logs
from clew.server.settings import Settings
from clew.server.store import SQLITE
from clew.server.store.lock import lock_database

FIRST_LINE = 10.0  # seconds that somebody has to send the first line of a request
LONGEST_LINE = 4096  # bytes that are looked at; a path is at their beginning
REST = 0.05  # seconds until something is tried again
AT_ONCE = 64  # connections that are accepted in one go
BACKLOG = 4096  # connections that wait for a worker which is being started again
SHORT_LIFE = 10.0  # seconds; a worker that lives no longer has something wrong with it
FIRST_BACK_OFF, LONGEST_BACK_OFF = 0.5, 30.0  # seconds
RUN = secrets.token_hex(6)
CHECK_EVERY = 10.0  # seconds between two looks whether the workers are at work
MOST_UNANSWERED = 6  # such looks, until a worker is taken for hung
FAREWELL = 15.0  # seconds that workers have to end in good order


def run(settings: Settings) -> None:
    """Serve until told to stop: in this process, or by as many workers as are asked for."""
    set_up_logs(settings.log_format)
    for name in unknown():
        log.warning("%s is no setting of the server", name)
    raise_file_limit()
    if settings.address.startswith(SQLITE):
        lock_database(settings.address.removeprefix(SQLITE))  # until the process ends
    if settings.workers == 1:
        from clew.server.serve import serve

        return serve(settings)
    if not hasattr(socket, "send_fds"):
        raise ClewError("Several workers need Unix sockets: start with --workers 1.")
    with listen(settings.host, settings.port) as bound:
        why = asyncio.run(Supervisor(settings, bound).run())
    if why:
        raise ClewError(why)
    log.info("stopped")


class Supervisor:
    """Starts the workers, gives them connections, and starts them again when they end."""

    def __init__(self, settings: Settings, bound: socket.socket) -> None:
        self._bound = bound
        self._affinity = Affinity(workers=settings.workers)
        self._waiting: dict[socket.socket, float] = {}  # connections without a first line yet: until when
        self._turn = itertools.cycle(range(settings.workers))
        self._accepting = False
        self._stopping = asyncio.Event()
        self._failed = ""
        share = replace(settings, bot_threads=max(1, settings.bot_threads // settings.workers))
        self._workers = [Worker(index, share, self) for index in range(settings.workers)]

    async def run(self) -> str:
        """Until a signal comes, or a worker cannot start: then why."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        for worker in self._workers:
            worker.start()
        while not self.stopping:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), CHECK_EVERY)
            for worker in self._workers:
                worker.check()
        loop.remove_reader(self._bound)
        self._bound.close()
        for connection in list(self._waiting):
            self._drop(connection)
        await asyncio.gather(*(worker.end() for worker in self._workers))
        return self._failed

    def _stop(self) -> None:
        if self._stopping.is_set():  # somebody is in a hurry
            for worker in self._workers:
                worker.kill()
        self._stopping.set()

    def started(self) -> None:
        """A worker is ready; when all are for the first time, connections are accepted."""
        if not self._accepting and not self.stopping and all(worker.ready for worker in self._workers):
            self._accepting = True
            asyncio.get_running_loop().add_reader(self._bound, self._accept)
            self._look_at_clock()
            announce(self._bound)

    def failed(self, why: str) -> None:
        """A worker could not even start for the first time: that is the end of all."""
        self._failed = why
        self._stopping.set()

    def hand(self, worker: int, kind: bytes, connection: socket.socket) -> None:
        """Give a connection to a worker."""
        if worker < len(self._workers):
            self._workers[worker].hand(kind, connection)

    @property
    def stopping(self) -> bool:
        """Whether everything is being ended."""
        return self._stopping.is_set()

    # Connections

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, _ = self._bound.accept()
            except BlockingIOError:
                return
            except OSError:  # no descriptor is left: who has waited longest without a word has to go
                if not self._waiting:
                    return
                self._drop(next(iter(self._waiting)))
                continue
            connection.setblocking(False)
            self._waiting[connection] = time.monotonic() + FIRST_LINE
            asyncio.get_running_loop().add_reader(connection, self._look, connection)
            self._look(connection)

    def _look(self, connection: socket.socket) -> None:
        """See whom a connection is for, if its first line is there."""
        if connection not in self._waiting:
            return
        try:
            head = connection.recv(LONGEST_LINE, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            head = b""
        if not head:
            return self._drop(connection)
        line, ended, _ = head.lstrip(b"\r\n").partition(b"\n")
        loop = asyncio.get_running_loop()
        loop.remove_reader(connection)
        if ended or len(head) == LONGEST_LINE:
            del self._waiting[connection]
            table_id = table_in(path_of(line))
            worker = next(self._turn) if table_id is None else self._affinity.owner(table_id)
            self.hand(worker, ipc.CLIENT, connection)
        else:  # what is there stays there, and would wake us up again and again
            loop.call_later(REST, self._look_again, connection)

    def _look_again(self, connection: socket.socket) -> None:
        if connection in self._waiting:
            asyncio.get_running_loop().add_reader(connection, self._look, connection)

    def _look_at_clock(self) -> None:
        now = time.monotonic()
        for connection in list(itertools.takewhile(lambda one: self._waiting[one] < now, self._waiting)):
            self._drop(connection)
        asyncio.get_running_loop().call_later(1, self._look_at_clock)

    def _drop(self, connection: socket.socket) -> None:
        del self._waiting[connection]
        asyncio.get_running_loop().remove_reader(connection)
        connection.close()


def path_of(line: bytes) -> str:
    """The path in the first line of a request, as the application will read it.

    >>> path_of(b"GET /api/tables/%6dine?page=1 HTTP/1.1")
    '/api/tables/mine'
    """
    words = line.split(None, 2)
    target = words[1] if len(words) > 1 else b""
    return unquote_to_bytes(target.split(b"?", 1)[0]).decode("latin-1")


class Worker:
    """A worker process, and what waits for it while there is none."""

    def __init__(self, index: int, settings: Settings, supervisor: Supervisor) -> None:
        self.ready = False
        self._index, self._settings, self._supervisor = index, settings, supervisor
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._backlog: deque[tuple[bytes, socket.socket]] = deque()
        self._resting = False
        self._was_ready = False
        self._unanswered = 0  # looks whether it is at work
        self._began = 0.0
        self._back_off = 0.0

    def start(self) -> None:
        """Start the process."""
        if self._supervisor.stopping:
            return
        self._channel, theirs = socket.socketpair()
        self._channel.setblocking(False)
        self._began = time.monotonic()
        numbers = (self._index, self._settings.workers, theirs.fileno(), os.getpid())
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "clew.server.worker", *map(str, numbers)],
                stdin=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                env=_environment(),
            )
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self._process.stdin as pipe:
            pickle.dump(self._settings, pipe)  # not as arguments, which everybody can see: there may be a password
        asyncio.get_running_loop().add_reader(self._channel, self._receive)

    def hand(self, kind: bytes, connection: socket.socket) -> None:
        """Give it a connection, at once or when it is there again."""
        self._backlog.append((kind, connection))
        if len(self._backlog) > BACKLOG:
            self._backlog.popleft()[1].close()
        if not self._resting:
            self._flush()

    def _flush(self) -> None:
        self._resting = False
        while self.ready and self._backlog:
            kind, connection = self._backlog[0]
            try:
                assert self._channel is not None
                ipc.send(self._channel, kind, connection=connection)
            except OSError:  # it has to read first, or it is dead: then the next one gets it
                self._resting = True
                asyncio.get_running_loop().call_later(REST, self._flush)
                return
            self._backlog.popleft()
            connection.close()

    def _receive(self) -> None:
        assert self._channel is not None
        try:
            kind, number, connection = ipc.receive(self._channel)
        except BlockingIOError:
            return
        if kind == ipc.READY:
            self.ready = self._was_ready = True
            self._unanswered = 0
            self._supervisor.started()
            self._flush()
        elif kind == ipc.REACH and connection is not None:
            self._supervisor.hand(number, ipc.PEER, connection)
        elif kind == ipc.FAILED:
            self._complain(self._channel.recv(number).decode(errors="replace"))
        else:
            self._gone()

    def _complain(self, why: str) -> None:
        if self._was_ready:
            log.error("a worker cannot start: %s", why, extra={"about": {"worker": self._index}})
        else:
            self._supervisor.failed(why)

    def _gone(self) -> None:
        """The process has ended: start another at once, or a little later if the last one did not live long."""
        assert self._channel is not None
        assert self._process is not None
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._channel)
        self._channel.close()
        self.ready = False
        self._process.kill()  # if it has closed its channel and goes on all the same
        code = self._process.wait()
        if self._supervisor.stopping:
            return
        if not self._was_ready:
            return self._supervisor.failed(f"The server could not start: a worker ended with code {code}.")
        wait = self._back_off if time.monotonic() - self._began < SHORT_LIFE else 0.0
        self._back_off = min(LONGEST_BACK_OFF, 2 * wait or FIRST_BACK_OFF)
        about = {"worker": self._index, "code": code, "after": wait}
        log.info("a worker has ended and is started again", extra={"about": about})
        loop.call_later(wait, self.start)

    def check(self) -> None:
        """Ask whether it is at work, and kill one that has not said so for long: it may hold what others wait for.

        Looks are counted, not seconds: after a pause of the whole machine nobody is late.
        """
        if not self.ready or self._channel is None:
            return
        if self._unanswered == MOST_UNANSWERED:
            log.error("a worker does not answer and is ended", extra={"about": {"worker": self._index}})
            return self.kill()
        self._unanswered += 1
        with contextlib.suppress(OSError):
            ipc.send(self._channel, ipc.CHECK)

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()

    async def end(self) -> None:
        """End it in good order."""
        if self._process is None:
            return
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, FAREWELL)
        self._process.kill()
        await asyncio.to_thread(self._process.wait)


def _environment() -> dict[str, str]:
    """This process's environment, with the same modules and a name for the server that the workers are of."""
    here = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join([str(here), *(path for path in sys.path if path)])
    return {**os.environ, "PYTHONPATH": paths, "CLEW_RUN": RUN}
