"""How long a person waits for a bot's answer while others keep the bots busy.

    python bench/fairness.py [--seconds 10] [--level 3] [--threads 2]

One server, one person against a bot of level 3. The time runs from sending a move to the bot's answer: idle, with 90
watched tables where bots of level 6 play alone, with 100 chairs that ask for hints of level 6 again and again, and with
two reviews of level 5. All come from one address, each chair that asks for hints as somebody else.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kill import Worker

import clew
from clew.bots.heuristics import heuristics_for
from clew.core.errors import ClewError
from clew.core.game import load
from clew.server.client import Client

GAME = "palaces"
FEWEST = 3  # answers, however long they take


async def answers(client: Client, level: int, seconds: float) -> list[float]:
    """Play games against a bot; from each move to the bot's next one, in milliseconds."""
    found: list[float] = []
    end = time.perf_counter() + seconds
    while True:
        table = await client.post(
            "/api/tables", {"game": GAME, "seats": [{"who": "me"}, {"who": "bot", "level": level}]}
        )
        async with client.chair(table["id"], 0) as chair:
            while not chair.over:
                await chair.turn()
                if time.perf_counter() > end and len(found) >= FEWEST:
                    return found
                begun, number = time.perf_counter(), chair.number
                await chair.move(chair.moves[0])
                await chair.turn()
                if any(entry["seat"] == 1 for entry in chair.log[number:] if entry["kind"] == "move"):
                    found.append(1000 * (time.perf_counter() - begun))


Count = Callable[[], int]  # how much the others have had done


async def nobody(url: str, stack: contextlib.AsyncExitStack) -> Count:
    """No others."""
    return lambda: 0


async def watched(url: str, stack: contextlib.AsyncExitStack, count: int = 90) -> Count:
    """Tables where strong bots play alone, and somebody who watches them all: moves."""
    eve = await stack.enter_async_context(Client(url, name="Eve"))
    chairs = []
    for _ in range(count):
        seats = [{"who": "bot", "level": 6}, {"who": "bot", "level": 6}]
        table = await eve.post("/api/tables", {"game": GAME, "seats": seats})
        chairs.append(await stack.enter_async_context(eve.chair(table["id"], None)))
    return lambda: sum(chair.number for chair in chairs)


async def hints(url: str, stack: contextlib.AsyncExitStack, count: int = 100) -> Count:
    """People who ask for hints, one after the other, and again when one is refused: hints."""
    found = []

    async def ask(chair: Any) -> None:
        while True:
            with contextlib.suppress(ClewError):
                found.append(await chair.ask("hint", level=6))
            await asyncio.sleep(0.1)

    for i in range(count):
        guest = await stack.enter_async_context(Client(url, name=f"Guest {i}"))
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        table = await guest.post("/api/tables", {"game": GAME, "seats": seats})
        chair = await stack.enter_async_context(guest.chair(table["id"], 0))
        await chair.turn()
        start(stack, ask(chair))
    return lambda: len(found)


async def reviews(url: str, stack: contextlib.AsyncExitStack, count: int = 2) -> Count:
    """People who have a game reviewed, and then again: whole reviews."""
    found = []
    table = clew.new(GAME, seed=3)
    while table.outcome is None:
        table.play(table.legal_moves()[0])

    async def ask(guest: Client) -> None:
        while True:
            found.append(await guest.post("/api/review", {"record": table.record(), "level": 5}))

    for i in range(count):
        start(stack, ask(await stack.enter_async_context(Client(url, name=f"Guest {i}"))))
    await asyncio.sleep(0.2)
    return lambda: len(found)


def start(stack: contextlib.AsyncExitStack, work: Any) -> None:
    """Do something until the stack is left."""
    task = asyncio.create_task(work)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


LOADS: dict[str, Any] = {
    "idle": nobody,
    "90 watched tables of level 6 (moves)": watched,
    "100 chairs that ask for hints of level 6 (hints)": hints,
    "two reviews of level 5 (whole reviews)": reviews,
}


async def measure(url: str, level: int, seconds: float) -> dict[str, dict[str, float]]:
    """The figures for each load."""
    figures: dict[str, dict[str, float]] = {}
    async with Client(url, name="Ann") as ann:
        await answers(ann, level, 3.0)  # until everything is loaded
        for name, others in LOADS.items():
            async with contextlib.AsyncExitStack() as stack:
                count = await others(url, stack)
                before = count()
                found = sorted(await answers(ann, level, seconds))
                done = count() - before
            median, late = statistics.median(found), found[min(len(found) - 1, round(0.95 * len(found)))]
            idle = figures.get("idle", {"median_ms": median, "p95_ms": late})
            figures[name] = {
                "answers": len(found),
                "median_ms": median,
                "p95_ms": late,
                "median_to_idle": median / idle["median_ms"],
                "p95_to_idle": late / idle["p95_ms"],
                "others": done,
            }
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each load")
    parser.add_argument("--level", type=int, default=3, help="of the bot that a person plays against")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="that bots think in")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    heuristics_for(load(GAME)).ready()  # compiled, if need be, before the server starts
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        worker = Worker(Path(folder), f"--bot-threads={asked.threads}").start()
        try:
            figures = asyncio.run(measure(worker.url, asked.level, asked.seconds))
        finally:
            worker.end(signal.SIGTERM)
    if asked.json:
        json.dump(figures, sys.stdout, indent=2)
        return
    print("| others | done for them | answers | median, ms | p95, ms | median to idle | p95 to idle |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, found in figures.items():
        times = f"{found['median_ms']:.1f} | {found['p95_ms']:.1f}"
        ratios = f"{found['median_to_idle']:.1f} | {found['p95_to_idle']:.1f}"
        print(f"| {name} | {found['others']} | {found['answers']} | {times} | {ratios} |")


if __name__ == "__main__":
    main()
