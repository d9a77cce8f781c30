"""The metrics for Prometheus, at an address of their own: they are not for the public."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

from clew.core.errors import ClewError

PATIENCE = 10.0  # seconds for a request and its answer
TYPE = b"text/plain; version=0.0.4; charset=utf-8"


async def serve_metrics(address: str, render: Callable[[], Awaitable[bytes]]) -> asyncio.Server:
    """Show them at `http://HOST:PORT/metrics`."""

    async def show(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                found = (await reader.readuntil(b"\r\n\r\n")).startswith(b"GET /metrics ")
                status, body = (b"200 OK", await render()) if found else (b"404 Not Found", b"See /metrics.\n")
                head = b"HTTP/1.1 %s\r\ncontent-type: %s\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
                writer.write(head % (status, TYPE, len(body)) + body)
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asked is gone, or asks for nothing
        finally:
            writer.close()

    host, _, port = address.rpartition(":")
    try:
        return await asyncio.start_server(show, host.strip("[]"), int(port))
    except (OSError, OverflowError) as error:
        why = (os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)).lower()
        raise ClewError(f"The figures cannot be shown at {address}: {why}.") from None
