"""What an operator can see: figures for Prometheus, and lines for the log."""

from __future__ import annotations

import functools
import json
import logging
import time
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
_QUICK = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

ROOMS = Gauge("clew_rooms", "Tables in memory.", registry=REGISTRY)
TABLES = Gauge("clew_tables", "Tables in the database.", ["status"], registry=REGISTRY)
LINES = Gauge("clew_connections", "WebSocket connections.", registry=REGISTRY)
MOVES = Counter("clew_moves", "Moves on disk.", ["game", "by"], registry=REGISTRY)
REFUSED = Counter("clew_refused", "Messages refused.", ["why"], registry=REGISTRY)
ENTRIES = Counter("clew_entries", "Entries on disk.", ["kind"], registry=REGISTRY)
MOVE_SECONDS = Histogram(
    "clew_move_seconds", "From a move's arrival to its acknowledgement.", buckets=_QUICK, registry=REGISTRY
)
REBUILD_SECONDS = Histogram("clew_rebuild_seconds", "To rebuild a table.", buckets=_QUICK, registry=REGISTRY)
REQUEST_SECONDS = Histogram("clew_request_seconds", "REST requests.", ["status"], buckets=_QUICK, registry=REGISTRY)
WRITER_BATCH = Histogram(
    "clew_writer_batch", "Entries of one commit.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512), registry=REGISTRY
)
WRITER_SECONDS = Histogram("clew_writer_seconds", "For one commit.", buckets=_QUICK, registry=REGISTRY)
BOT_QUEUE = Gauge("clew_bot_queue", "Decisions that wait for a thread.", registry=REGISTRY)
BOT_BUSY = Gauge("clew_bot_busy", "Decisions being made.", registry=REGISTRY)
BOT_SECONDS = Histogram("clew_bot_seconds", "For one decision.", buckets=_QUICK, registry=REGISTRY)
LOOP_LAG = Histogram("clew_loop_lag_seconds", "How late the event loop is.", buckets=_QUICK, registry=REGISTRY)

log = logging.getLogger("clew.server")


@functools.cache
def entries(kind: str) -> Counter:
    """The counter of one kind of entry: finding it anew each time would cost more than counting."""
    return ENTRIES.labels(kind)


@functools.cache
def moves(game: str, by: str) -> Counter:
    """The counter of the moves in a game, by persons or bots."""
    return MOVES.labels(game, by)


def metrics() -> bytes:
    """All figures, as Prometheus reads them."""
    return generate_latest(REGISTRY)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "text": record.getMessage(),
            **getattr(record, "about", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


class TextLines(logging.Formatter):
    """For people."""

    def format(self, record: logging.LogRecord) -> str:
        about = " ".join(f"{key}={value}" for key, value in getattr(record, "about", {}).items())
        line = f"{time.strftime('%H:%M:%S')} {record.getMessage()}{f' ({about})' if about else ''}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up_logs(kind: str, level: str = "info") -> None:
    """Send the log to standard error, as `text` or as `json`."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    log.handlers[:] = [handler]
    log.setLevel(level.upper())
    log.propagate = False
    for other in ("uvicorn.error", "alembic", "asyncio"):
        logging.getLogger(other).handlers[:] = [handler]
        logging.getLogger(other).setLevel("CRITICAL" if other != "asyncio" else "ERROR")
        logging.getLogger(other).propagate = False


def say(text: str, **about: Any) -> None:
    """A line in the log: what, and about which table or address; never a secret."""
    log.info(text, extra={"about": about})
