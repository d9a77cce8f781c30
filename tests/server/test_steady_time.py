"""Clocks run by steady time: no jump of the computer's clock and no pause of the server takes time or gives it."""

import asyncio
import signal
import time

import pytest
from servers import open_server

from clew.server.client import Client
from clew.server.clock import BEAT, PAUSE, SteadyTime, made_at

HOUR = 3600 * 10**9


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
async def test_a_jump_of_the_computers_clock_neither_takes_time_nor_gives_it(tmp_path, monkeypatch, jump):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(clock={"total": 600, "then": "lose"})
        first, other = (ann, bob) if ann.moves else (bob, ann)
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + jump)
        await first.move(first.moves[0])
        await other.until(lambda: other.moves)
        left = other.now["clocks"]["left"]
        assert 590_000 < left[first.seat] < 600_000
        monkeypatch.setattr(time, "time_ns", real)
        await other.move(other.moves[0])
        assert not other.over
        clock = server.registry.rooms[table["id"]].state.clock
        assert 590_000 < clock.left[other.seat] < 600_000
        rows = await server.registry.store.entries(table["id"])
        assert abs(rows[-2].at - rows[-1].at) > 3_500_000  # the log says what the clock on the wall said


async def test_a_table_that_was_out_of_memory_goes_by_steady_time_too(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(clock={"total": 600, "then": "lose"})
        first = ann if ann.moves else bob
        await first.move(first.moves[0])
        room = server.registry.rooms.pop(table["id"])
        room.close()
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + HOUR)
        again = await server.chair(await server.person("Eve"), table, None)
        assert min(again.now["clocks"]["left"]) > 590_000
        await again.client.get(f"/api/tables/{table['id']}")
        assert not again.over


def test_a_pause_counts_for_nobody():
    now = [100.0]
    steady = SteadyTime(lambda: now[0])
    steady.beat()
    now[0] += BEAT
    steady.beat()
    assert steady.now() == 500
    now[0] += BEAT + PAUSE  # a little late is not a pause
    assert steady.now() == 2000
    now[0] += 30  # whoever looks first finds it
    assert steady.now() == 2000
    steady.beat()
    now[0] += BEAT
    assert steady.now() == 2500
    steady.rest()
    now[0] += 30
    assert steady.now() == 32_500


def test_what_another_process_wrote_goes_by_the_computers_clock():
    assert made_at(time.time_ns() // 10**6 + 5_000_000, ("another", 1)) >= 0


async def test_a_move_sent_while_the_server_was_stopped_does_not_lose_on_time(process):
    server = process()
    async with Client(server.url, name="Ann") as ann, Client(server.url, name="Bob") as bob:
        seats = [{"who": "me"}, {"who": "open"}]
        table = await ann.post("/api/tables", {"game": "palaces", "seats": seats, "clock": {"move": 5, "then": "lose"}})
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as one, bob.chair(table["id"], 1) as two:
            await one.until(lambda: one.view)
            await two.until(lambda: two.view)
            first = one if one.moves else two
            server.child.send_signal(signal.SIGSTOP)
            try:
                move = asyncio.create_task(first.move(first.moves[0]))
                await asyncio.sleep(5.5)  # longer than there is time for a move
            finally:
                server.child.send_signal(signal.SIGCONT)
            assert (await move)["kind"] == "move"
            assert not first.over
