"""IPC between the supervisor and a worker over a Unix socket pair: short frames, most with a connection.

A connection is handed over as its file descriptor. Frames have one length, and each is read alone, so a descriptor
comes with the frame that it was sent with.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from typing import NamedTuple

READY = b"r"  # from a worker: it takes connections now; also its answer to a check
FAILED = b"f"  # from a worker: it cannot start; `number` bytes of text follow, which say why
REACH = b"w"  # from a worker, with a connection: for the worker `number`
CLIENT = b"c"  # to a worker, with a connection: somebody from outside
CHECK = b"?"  # to a worker: whether it is still at work
PEER = b"p"  # to a worker, with a connection: another worker

_FRAME = struct.Struct(">cxH")


class Frame(NamedTuple):
    """One message; `kind` is empty when the other side is gone."""

    kind: bytes
    number: int
    connection: socket.socket | None


def send(channel: socket.socket, kind: bytes, number: int = 0, connection: socket.socket | None = None) -> None:
    """Send a frame; raises BlockingIOError when the other side has to read first."""
    frame = _FRAME.pack(kind, number)
    if connection is None:
        channel.send(frame)
    else:
        socket.send_fds(channel, [frame], [connection.fileno()])


def receive(channel: socket.socket) -> Frame:
    """The next frame; raises BlockingIOError when there is none."""
    try:
        frame, descriptors, _, _ = socket.recv_fds(channel, _FRAME.size, 1)
    except ConnectionError:
        frame, descriptors = b"", []
    if len(frame) < _FRAME.size:
        for descriptor in descriptors:
            os.close(descriptor)
        return Frame(b"", 0, None)
    connection = None
    for descriptor in descriptors:
        connection = socket.socket(fileno=descriptor)
        connection.setblocking(False)
    kind, number = _FRAME.unpack(frame)
    return Frame(kind, number, connection)


def tell_failure(channel: socket.socket, why: str) -> None:
    """Tell why a worker cannot start."""
    text = why.encode()[:2000]
    with contextlib.suppress(OSError):
        channel.sendall(_FRAME.pack(FAILED, len(text)) + text)
