"""boardgame.io's own server as the peer of bench/server.py: in memory, with a card game for two that has secrets.

Its clients are spoken for by the same generator as ours: a chair sends a move when it is its turn, and the move counts
when the new state comes back to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from load import Load, ahead, free_port, wait_for
from websockets.asyncio.client import connect

HOME = Path(__file__).parent / "boardgameio"
HOW = "boardgame.io is not installed: `make bench-server`, or npm ci in bench/boardgameio."
GAME = "paths"
EVENT = f"42/{GAME},"  # what stands before an event of socket.io in a namespace


class Hand(msgspec.Struct):
    hand: list[str] = []


class Table(msgspec.Struct):
    players: dict[str, Hand] = {}


class Context(msgspec.Struct):
    currentPlayer: str
    gameover: Any = None


class State(msgspec.Struct):
    """As much of a state as a chair needs."""

    G: Table
    ctx: Context
    number: int = msgspec.field(name="_stateID")


class Sync(msgspec.Struct):
    state: State


_update = msgspec.json.Decoder(tuple[str, str, State, msgspec.Raw]).decode
_sync = msgspec.json.Decoder(tuple[str, str, Sync]).decode


def installed() -> bool:
    """Whether the peer can be run."""
    return (HOME / "node_modules" / "boardgame.io").is_dir()


@contextlib.contextmanager
def server() -> Iterator[tuple[int, int]]:
    """The server as a process of its own: its port and its number."""
    port = free_port()
    command = ["node", "server.cjs", str(port)]
    environment = {**os.environ, "NODE_ENV": "production"}
    child = subprocess.Popen(command, cwd=HOME, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port, child.pid
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()


def _post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    url = f"http://127.0.0.1:{port}/games/{GAME}{path}"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def set_up(port: int) -> tuple[str, list[str]]:
    """A match of two people: its id, and what lets each of them in."""
    match = _post(port, "/create", {"numPlayers": 2})["matchID"]
    joined = [_post(port, f"/{match}/join", {"playerID": str(seat), "playerName": f"P{seat}"}) for seat in range(2)]
    return match, [one["playerCredentials"] for one in joined]


async def slot(load: Load, port: int, matches: list[tuple[str, list[str]]], rng: random.Random) -> None:
    """Two chairs, match after match: those set up before, as long as there are any."""
    while True:
        match, secrets = matches.pop() if matches else await asyncio.to_thread(set_up, port)
        await asyncio.gather(*(play(load, port, match, seat, secrets[seat], rng) for seat in range(2)))


async def play(load: Load, port: int, match: str, seat: int, secret: str, rng: random.Random) -> None:
    """Move whenever it is this chair's turn, until the match is over."""
    url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
    me, sent = str(seat), 0.0
    async with connect(url, compression=None, max_size=None) as socket:
        async for raw in socket:
            if raw == "2":  # a ping of engine.io
                await socket.send("3")
                continue
            if raw.startswith("0"):
                await socket.send(f"40/{GAME},")
                continue
            if raw.startswith("40"):
                await socket.send(EVENT + json.dumps(["sync", match, me, secret]))
                continue
            body = raw[len(EVENT) :]
            if body.startswith('["update"'):
                state = _update(body)[2]
                if load.measuring:
                    load.received += 1
                    load.size += len(raw)
                    if sent:
                        load.latencies.append(time.perf_counter() - sent)
                sent = 0.0
            elif body.startswith('["sync"'):
                state = _sync(body)[2].state
            else:
                continue  # who is connected
            if state.ctx.gameover is not None:
                return
            if state.ctx.currentPlayer == me:
                index = rng.randrange(len(state.G.players[me].hand))
                payload = {"type": "play", "args": [index], "playerID": me, "credentials": secret}
                action = {"type": "MAKE_MOVE", "payload": payload}
                sent = time.perf_counter()
                await socket.send(EVENT + json.dumps(["update", action, state.number, match, me]))


async def measure(port: int, chairs: int, seconds: float, server: int) -> dict[str, float]:
    """So many chairs playing."""
    load = Load(server)
    matches = [await asyncio.to_thread(set_up, port) for _ in range(ahead(chairs, seconds))]
    tasks = [asyncio.create_task(slot(load, port, matches, random.Random(i))) for i in range(chairs // 2)]
    return await load.run(tasks, seconds)
