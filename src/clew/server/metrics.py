"""Metrics for Prometheus."""

from __future__ import annotations

import functools

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.utils import floatToGoString

from clew.server.logs import log

REGISTRY = CollectorRegistry()
_QUICK = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

ROOMS = Gauge("clew_rooms", "Tables in memory.", registry=REGISTRY)
TABLES = Gauge("clew_tables", "Tables in the database.", ["status"], registry=REGISTRY)
CONNECTIONS = Gauge("clew_connections", "WebSocket connections.", registry=REGISTRY)
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
BOT_QUEUE = Gauge("clew_bot_queue", "Decisions that wait for a thread.", ["purpose"], registry=REGISTRY)
BOT_BUSY = Gauge("clew_bot_busy", "Decisions being made.", registry=REGISTRY)
BOT_SECONDS = Histogram("clew_bot_seconds", "For one decision.", ["purpose"], buckets=_QUICK, registry=REGISTRY)
BOT_WAIT_SECONDS = Histogram(
    "clew_bot_wait_seconds", "From a question to its thread.", ["purpose"], buckets=_QUICK, registry=REGISTRY
)
BACKGROUND_FAILURES = Counter(
    "clew_background_failures", "Failures of work in the background, which went on.", ["task"], registry=REGISTRY
)
NOT_WRITTEN = Counter("clew_not_written", "Entries that could not be written.", registry=REGISTRY)
LOOP_LAG = Histogram("clew_loop_lag_seconds", "How late the event loop is.", buckets=_QUICK, registry=REGISTRY)

OF_ALL = ("clew_tables",)  # what every worker reads from the database that all of them share


@functools.cache
def entries(kind: str) -> Counter:
    """The counter of one kind of entry: finding it anew each time would cost more than counting."""
    return ENTRIES.labels(kind)


@functools.cache
def moves(game: str, by: str) -> Counter:
    """The counter of the moves in a game, by persons or bots."""
    return MOVES.labels(game, by)


def not_written(entries: int, error: Exception) -> None:
    """Note that entries were refused by the database: whoever wanted them is told to try again."""
    NOT_WRITTEN.inc(entries)
    log.error("%s", error, extra={"about": {"entries": entries}})


def render() -> bytes:
    """All metrics, in the text format of Prometheus."""
    return generate_latest(REGISTRY)


def _number(value: float) -> str:
    return str(floatToGoString(value))  # type: ignore[no-untyped-call]  # of prometheus_client


def merge(pages: list[bytes]) -> bytes:
    """The metrics of several workers as those of one: sums, and for what all of them count the largest."""
    families: dict[str, tuple[list[str], dict[str, float]]] = {}
    for page in pages:
        family = ""
        for line in page.decode().splitlines():
            if line.startswith("#"):
                family = line.split(" ", 3)[2]
                about, samples = families.setdefault(family, ([], {}))
                if line not in about:
                    about.append(line)
                continue
            sample, _, value = line.rpartition(" ")
            known = samples.get(sample, 0.0)
            alike = family.endswith("_created") or family in OF_ALL
            samples[sample] = max(known, float(value)) if alike else known + float(value)
    lines = []
    for about, samples in families.values():
        lines += [*about, *(f"{sample} {_number(value)}" for sample, value in samples.items())]
    return "\n".join([*lines, ""]).encode()
