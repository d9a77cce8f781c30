"""`clew mcp`: the tools on standard input and output, or by streamable HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import signal
import socket
import sys
from collections.abc import Sequence

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from clew.adapters.mcp import PORT
from clew.adapters.mcp.tables import Tables
from clew.adapters.mcp.tools import make_server
from clew.core.errors import ClewError, quoted
from clew.core.game import add
from clew.core.seeds import read_seed


def serve(
    http: str | None, public: bool, games: Sequence[str], servers: Sequence[str] | None, seed: int | None, hints: bool
) -> None:
    """Serve until the assistant leaves or Ctrl-C."""
    address = None if http is None else read_address(http, public)
    if public and address is None:
        raise ClewError("--public is for --http: standard input has one reader only.")
    if seed is not None:
        read_seed(seed)
    for path in games:
        add(path)
    # Over HTTP whoever reaches this port could go to any server by it.
    allowed = servers or (None if address is None else [])
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(Tables(seed, hints, allowed), address, public))


async def _serve(tables: Tables, address: tuple[str, int] | None, public: bool) -> None:
    server = make_server(tables)
    try:
        if address is None:
            # A thread waits for standard input, and nothing can end that; there is nothing to be lost here.
            signal.signal(signal.SIGINT, lambda *_: os._exit(130))
            await server.run_stdio_async()
        else:
            with listening(*address) as bound:
                # A page in a browser must not reach it by a name of its own that leads here (DNS rebinding).
                open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False) if public else None
                app = server.streamable_http_app(host=address[0], transport_security=open_to_all)
                shown = f"[{address[0]}]" if ":" in address[0] else address[0]
                print(f"Assistants come in at http://{shown}:{bound.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
                config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
                await uvicorn.Server(config).serve([bound])
    finally:
        await tables.close()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there, or the sentence why there is none."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ClewError(f"Nothing can listen on {host}:{port}: {(error.strerror or str(error)).lower()}.") from None


def read_address(text: str, public: bool) -> tuple[str, int]:
    """HOST:PORT, :PORT or PORT; the host must be this machine alone, if it is not said to be for others.

    >>> read_address("8900", False), read_address("[::1]:8900", False), read_address("0.0.0.0:80", True)
    (('127.0.0.1', 8900), ('::1', 8900), ('0.0.0.0', 80))
    """
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 1 << 16):
        raise ClewError(f"--http wants HOST:PORT, such as 127.0.0.1:{PORT}, not {quoted(text)}.")
    if host == "localhost":
        host = "127.0.0.1"
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise ClewError(f"--http wants the number of a host, such as 127.0.0.1, not {quoted(host)}.") from None
    if not loopback and not public:
        raise ClewError(f"{host} can be reached by others, who would play at no cost to them: --public allows that.")
    return host, int(port)
