"""The server's log: as text for people, or one JSON object a line."""

from __future__ import annotations

import json
import logging
import time
import traceback

from clew.core.errors import BadRules
from clew.server.data_types import JsonObject

log = logging.getLogger("clew.server")


def text(record: logging.LogRecord) -> str:
    """What a line says; of others than this server the first line, as asyncio quotes what failed in the next ones."""
    said = record.getMessage()
    return said if record.name == log.name else said.partition("\n")[0]


def trace(error: BaseException | None) -> str:
    """Where something failed and by what kind of error; not in its own words, which may tell what a game hides.

    What this server says itself tells nothing hidden.
    """
    from clew.server.store.base import StoreError

    lines: list[str] = []
    while error is not None:
        own_words = f": {error}" if isinstance(error, OSError | StoreError | BadRules) else ""
        lines[:0] = [*traceback.format_tb(error.__traceback__), f"{type(error).__qualname__}{own_words}\n"]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "".join(lines).rstrip()


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: JsonObject = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "text": text(record),
            **getattr(record, "about", {}),
        }
        if record.exc_info:
            line["trace"] = trace(record.exc_info[1])
        return json.dumps(line)


class TextLines(logging.Formatter):
    """For people."""

    def format(self, record: logging.LogRecord) -> str:
        about = " ".join(f"{key}={value}" for key, value in getattr(record, "about", {}).items())
        line = f"{time.strftime('%H:%M:%S')} {text(record)}{f' ({about})' if about else ''}"
        return f"{line}\n{trace(record.exc_info[1])}" if record.exc_info else line


def set_up_logs(kind: str, level: str = "info") -> None:
    """Send the log to standard error, as `text` or as `json`."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    log.handlers[:] = [handler]
    log.setLevel(level.upper())
    log.propagate = False
    for other in ("uvicorn.error", "alembic", "asyncio", "asyncpg"):  # the store says what is wrong, and once
        logging.getLogger(other).handlers[:] = [handler]
        logging.getLogger(other).setLevel("CRITICAL" if other != "asyncio" else "ERROR")
        logging.getLogger(other).propagate = False
