"""A network that can fail: a TCP proxy that stops passing bytes, and later passes them on."""

from __future__ import annotations

import contextlib
import socket
import threading


class Proxy:
    """Passes every byte between a browser and a server, until it is frozen; nothing is closed, nothing is lost."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.flows = threading.Event()
        self.flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def freeze(self) -> None:
        """From now on nothing gets through, in either direction; new connections are taken and hear nothing."""
        self.flows.clear()

    def thaw(self, lost: bool = False) -> None:
        """Pass on what was held back, also of connections that were given up; or lose it, with its connections."""
        if lost:
            self._end(self._open[1:])
        self.flows.set()

    def close(self) -> None:
        self._end(self._open)
        self.flows.set()

    def _end(self, which: list[socket.socket]) -> None:
        for one in which:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                self._open += [near, far]
                for source, goal in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(source, goal), daemon=True).start()

    def _pass(self, source: socket.socket, goal: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self.flows.wait()
                goal.sendall(data)
            self.flows.wait()
            goal.shutdown(socket.SHUT_WR)
