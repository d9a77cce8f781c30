"""The socket that the server listens at."""

from __future__ import annotations

import socket

from clew.core.errors import ClewError


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


def announce(bound: socket.socket) -> None:
    """Say where the server is."""
    host, port = bound.getsockname()[:2]
    named = f"[{host}]" if ":" in host else host
    print(f"Clew is at http://{named}:{port} (Ctrl-C stops it)", flush=True)
