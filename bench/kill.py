"""Kill the server again and again while people play, and see that nothing is lost.

    python bench/kill.py --tables 200 --kills 20
    python bench/kill.py --workers 2 --db postgresql://clew@127.0.0.1/clew --redis redis://127.0.0.1
    python bench/kill.py --processes 2

With --workers there are several servers. With --processes each server has so many worker processes, and these are
killed one at a time; the server itself starts them again.

Every acknowledged move must be in the log exactly once and in order, every client must come back by itself, every
finished record must replay. Exit code 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import clew
from clew.core.errors import ClewError, IllegalMove
from clew.server.client import Chair, Client
from clew.server.log_entries import MoveMade
from clew.server.store import open_store

UNLIMITED = ("--message-rate=0", "--request-rate=0", "--connections=100000", "--tables=100000", "--bot-threads=1")


def children(parent: int) -> list[int]:
    """The worker processes of a server."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, above = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(above) == parent and state != "Z" and b"clew.server.worker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


class Worker:
    """`clew serve` as a process that can be killed and started again, always at the same port."""

    def __init__(self, folder: Path, *arguments: str, processes: int = 1) -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            self.port = bound.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"worker-{self.port}.log"
        self._command = [sys.executable, "-m", "clew", "serve", "--port", str(self.port), "--data", str(folder)]
        self._command += [*UNLIMITED, "--workers", str(processes), *arguments]
        self._processes = processes
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> Worker:
        """Start, and wait until it listens."""
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(self._command, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.child.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            time.sleep(0.05)
        raise ClewError(f"The server did not start:\n{self.log.read_text()[-2000:]}")

    def kill_and_start(self, rng: random.Random) -> None:
        """Kill the server and start it again, or kill one of its workers and wait until there is another."""
        if self._processes == 1:
            self.end()
            self.start()
            return
        assert self.child is not None
        killed = rng.choice(children(self.child.pid))
        os.kill(killed, signal.SIGKILL)
        while killed in (now := children(self.child.pid)) or len(now) < self._processes:
            time.sleep(0.02)

    def end(self, number: int = signal.SIGKILL) -> int:
        """Send a signal and wait for the end."""
        assert self.child is not None
        self.child.send_signal(number)
        return self.child.wait(60)


@dataclass
class Run:
    """What happened, and what is wrong with it."""

    kills: int = 0
    tables: int = 0
    finished: int = 0
    acknowledged: int = 0
    resumed: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)
    moves: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)  # by table: number, key, move


async def sit_and_play(run: Run, chair: Chair, rng: random.Random, stop: asyncio.Event) -> None:
    """Make moves as fast as the server takes them, and note what it acknowledged."""
    acknowledged = run.moves.setdefault(chair.table_id, [])
    while not stop.is_set():
        await chair.turn()
        if chair.over:
            return
        move, name = rng.choice(chair.moves), f"{rng.getrandbits(64):x}"
        try:
            entry = await chair.repeat(name, "move", move=move)
        except IllegalMove as error:
            run.faults.append(f"{chair.table_id}: {move} was refused: {error}")
            return
        acknowledged.append((entry["number"], f"{chair.seat}:{name}", move))
        run.acknowledged += 1


async def one_table(run: Run, clients: list[Client], game: str, rng: random.Random, stop: asyncio.Event) -> None:
    """Games at one table after the other, until told to stop."""
    ann, bob = clients
    while not stop.is_set():
        try:
            table = await ann.post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "open"}]})
            await bob.post(f"/api/tables/{table['id']}/join")
        except (OSError, ClewError, ValueError, IndexError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.2)  # the server is just being killed; a request that was lost is made anew
            continue
        run.tables += 1
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            people = asyncio.gather(*(sit_and_play(run, chair, rng, stop) for chair in (first, second)))
            told = asyncio.create_task(stop.wait())
            await asyncio.wait([people, told], return_when=asyncio.FIRST_COMPLETED)
            deadline = time.monotonic() + 30
            while (first.asking or second.asking) and time.monotonic() < deadline:
                await asyncio.sleep(0.02)  # let what was sent be acknowledged
            if first.asking or second.asking:
                run.faults.append(f"{table['id']}: a move is not acknowledged")
            if people.done() and people.exception() is not None:
                run.faults.append(f"{table['id']}: a client failed: {people.exception()!r}")
            people.cancel()
            told.cancel()
            await asyncio.gather(people, told, return_exceptions=True)
            run.resumed += first.connections + second.connections - 2
            for chair in (first, second):
                numbers = [entry["number"] for entry in chair.log]
                if numbers != list(range(1, len(numbers) + 1)):
                    run.faults.append(f"{table['id']}: seat {chair.seat} has read {numbers}")


async def killing(run: Run, workers: list[Worker], kills: int, rng: random.Random, pause: float) -> None:
    """Kill a worker at a random time when people are playing again, start it again, and so on."""
    while run.kills < kills:
        await going_on(run)
        await asyncio.sleep(rng.uniform(0.0, pause))
        await asyncio.to_thread(rng.choice(workers).kill_and_start, rng)
        run.kills += 1


async def going_on(run: Run) -> None:
    """Wait until people are playing."""
    before, deadline = run.acknowledged, time.monotonic() + 60
    while run.acknowledged < before + 20 and time.monotonic() < deadline:
        await asyncio.sleep(0.02)


async def verify(run: Run, address: str, client: Client) -> None:
    """Hold what the clients were told against what is in the log."""
    store = await open_store(address)
    for table_id, acknowledged in run.moves.items():
        rows = {row.number: row for row in await store.entries(table_id)}
        if sorted(rows) != list(range(1, len(rows) + 1)):
            run.faults.append(f"{table_id}: the log has {sorted(rows)}")
        keys = [row.key for row in rows.values() if row.key]
        if len(keys) != len(set(keys)):
            run.faults.append(f"{table_id}: something is in the log twice")
        for number, key, move in acknowledged:
            row = rows.get(number)
            if not isinstance(row, MoveMade) or (row.key, row.move) != (key, move):
                run.faults.append(f"{table_id}: entry {number} should be {key} {move}, and is {row}")
        table = await store.table(table_id)
        if table is not None and table.status == "over":
            run.finished += 1
            record = await client.get(f"/api/tables/{table_id}/record")
            try:
                made = [(str(seat), str(move)) for seat, move in clew.replay(record).moves]
            except ClewError as error:
                run.faults.append(f"{table_id}: the record does not replay: {error}")
                continue
            logged = sorted((str(r.seat), r.move) for r in rows.values() if isinstance(r, MoveMade))
            if sorted(made) != logged:
                run.faults.append(f"{table_id}: record and log differ")
    await store.close()


async def run_all(
    folder: Path,
    tables: int,
    kills: int,
    workers: int,
    db: str,
    redis: str,
    seed: int,
    pause: float = 1.0,
    processes: int = 1,
) -> Run:
    """The whole test."""
    rng, run, stop = random.Random(seed), Run(), asyncio.Event()
    address = db or f"sqlite:///{folder / 'clew.db'}"
    more = ["--db", address, *(["--redis", redis] if redis else [])]
    servers = [Worker(folder, *more, processes=processes).start() for _ in range(workers)]
    begun = time.monotonic()
    try:
        urls = [server.url for server in servers]
        games = clew.games()
        clients = []
        for _ in range(2):
            async with Client(*urls, name=f"Player {len(clients)}") as client:
                clients.append(client)
        playing = [
            asyncio.create_task(one_table(run, clients, games[i % len(games)], random.Random(seed + i), stop))
            for i in range(tables)
        ]
        await killing(run, servers, kills, rng, pause)
        await going_on(run)
        stop.set()
        for error in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(error, Exception):
                run.faults.append(f"a client failed: {error!r}")
        run.seconds = time.monotonic() - begun
        await verify(run, address, clients[0])
    finally:
        for server in servers:
            if server.child is not None and server.child.poll() is None:
                server.end(signal.SIGTERM)
    return run


def report(run: Run) -> dict[str, Any]:
    """The figures."""
    return {name: value for name, value in vars(run).items() if name not in ("moves", "faults")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=1, help="servers")
    parser.add_argument("--processes", type=int, default=1, help="worker processes of each server")
    parser.add_argument("--db", default="")
    parser.add_argument("--redis", default="")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--pause", type=float, default=3.0, help="about so many seconds between two kills")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clew-kill-") as folder:
        run = asyncio.run(run_all(Path(folder), **vars(asked)))
        for log in Path(folder).glob("*.log"):
            if "Traceback" in log.read_text():
                run.faults.append(f"{log.read_text()[-3000:]}")
    print(f"seed {asked.seed}:", ", ".join(f"{value:.0f} {name}" for name, value in report(run).items()))
    for fault in run.faults[:20]:
        print(fault)
    print("Nothing was lost." if not run.faults else f"{len(run.faults)} faults.")
    return 1 if run.faults else 0


if __name__ == "__main__":
    sys.exit(main())
