"""Clocks of tables that are not in memory: the store knows when they run out."""

import asyncio
import sqlite3
from dataclasses import replace

import pytest
from servers import Nonsense, level, open_server, play_on
from test_store import table

from clew.server import clock as clocks
from clew.server.clock import now_ms
from clew.server.log_entries import GameEnded, MoveMade, PlayerSat
from clew.server.maintenance import Maintenance
from clew.server.store import Alarm, Change, Conflict, open_store

HOUR = 3_600_000
ONE_DEVICE = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'clew.db'}"
    return request.getfixturevalue("postgres")()


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("clew.server.maintenance.EVERY", 0.05)


async def test_an_alarm_is_written_with_the_entry_or_not_at_all(address):
    store = await open_store(address)
    await store.create(replace(table("clock", status="playing", clock={"total": 9}), alarm=Alarm(9005, 9000)))
    await store.create(table("none", status="playing"))
    assert await store.due(10**15, HOUR) == {"clock": Alarm(9005, 9000)}
    assert await store.due(9004, HOUR) == await store.due(10**15, 8999) == {}
    await asyncio.gather(
        store.append("clock", MoveMade(number=2, at=9, move=""), None, Alarm(20, 7)),
        store.append("none", MoveMade(number=2, at=9, move="")),
    )
    assert await store.due(20, 7) == {"clock": Alarm(20, 7)}
    with pytest.raises(Conflict):
        await store.append("clock", MoveMade(number=2, at=9, move=""), None, Alarm(1, 1))
    assert await store.due(10**15, HOUR) == {"clock": Alarm(20, 7)}
    assert not await store.move_alarm("clock", Alarm(19, 7), Alarm(30, 7))
    assert await store.move_alarm("clock", Alarm(20, 7), Alarm(30, 7))
    await store.append(
        "clock", PlayerSat(number=3, at=9, person="bob", name="Bob"), Change("playing", {}), Alarm(40, 7)
    )
    assert await store.due(10**15, HOUR) == {"clock": Alarm(40, 7)}
    rematch = replace(table("next", status="playing"), alarm=Alarm(50, 8))
    await store.append("clock", GameEnded(number=4, at=9, ended="abandoned"), Change("over", {}, {}, rematch))
    assert await store.due(10**15, HOUR) == {"next": Alarm(50, 8)}
    assert await store.move_alarm("next", Alarm(50, 8), None)
    assert await store.due(10**15, HOUR) == {}
    await store.close()


def put_forward(monkeypatch, milliseconds):
    """Let it be so much later for this process."""
    monkeypatch.setattr(clocks.STEADY, "_zero", clocks.STEADY._zero - milliseconds / 1000)


def restarted(monkeypatch, began):
    """Let this be another process, that began at that time."""
    monkeypatch.setattr(clocks, "STEADY", clocks.SteadyTime())
    for module in ("handlers", "registry", "room"):
        monkeypatch.setattr(f"clew.server.{module}.STEADY", clocks.STEADY)
    clocks.STEADY.began = began
    monkeypatch.setattr(clocks, "now_ms", clocks.alarm_time)


async def test_time_runs_out_at_a_table_that_has_left_the_memory(tmp_path, monkeypatch, quick):
    async with open_server(tmp_path) as server:
        shown, ann, bob = await server.two(clock={"total": 60, "then": "lose"})
        seat = ann.view["to_move"][0]
        ann.client.addresses = bob.client.addresses = ["http://127.0.0.1:1"]  # nobody comes back
        ann._socket.transport.abort()
        bob._socket.transport.abort()
        server.registry.settings = replace(server.registry.settings, idle_seconds=0)
        while server.registry.rooms:
            await asyncio.sleep(0.01)
        assert (await server.registry.store.table(shown["id"])).status == "playing"
        put_forward(monkeypatch, 61_000)
        while (row := await server.registry.store.table(shown["id"])).status == "playing":
            await asyncio.sleep(0.01)
        assert row.summary["result"] == {"places": [2, 1] if seat == 0 else [1, 2], "ended": "time"}
        while server.registry.rooms:
            await asyncio.sleep(0.01)
        assert await server.registry.store.due(10**15, HOUR) == {}


async def test_a_bot_plays_on_at_a_table_that_is_not_in_memory(tmp_path, monkeypatch, quick):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        monkeypatch.setattr("clew.server.clock.Clock.__init__", short(clocks.Clock.__init__, 300))
        shown = await ann.post("/api/tables", {"game": "palaces", "seats": ONE_DEVICE, "clock": {"total": 60}})
        server.registry.evict(server.registry.rooms[shown["id"]])
        store = server.registry.store
        alarm = (await store.due(10**15, HOUR))[shown["id"]]
        assert alarm.remaining == 60_000
        assert await store.move_alarm(shown["id"], alarm, Alarm(0, 0))  # the clock has less, as it was made shorter
        while [row.kind for row in await store.entries(shown["id"])].count("timeout") < 2:
            await asyncio.sleep(0.01)
        kinds = [row.kind for row in await store.entries(shown["id"])]
        assert "move" in kinds[kinds.index("timeout") :]
        while shown["id"] in server.registry.rooms:  # nobody came: the table leaves at once, not after a minute
            await asyncio.sleep(0.01)


def short(started, left):
    def init(self, rule, players):
        started(self, rule, players)
        self.left = [left] * players

    return init


async def test_the_store_knows_when_the_next_clock_runs_out_after_every_entry(tmp_path):
    async with open_server(tmp_path) as server:
        shown, ann, bob = await server.two(clock={"total": 600, "increment": 3})
        for _ in range(12):
            chair = ann if ann.moves else bob
            await play_on(chair, moves=1)
            await level(ann, bob)
            state = server.registry.rooms[shown["id"]].state
            left = state.clock.left[state.to_move[0]]
            alarm = (await server.registry.store.due(10**15, HOUR))[shown["id"]]
            assert state.entries[-1].at + left - 5 <= alarm.due <= now_ms() + left
            assert alarm.remaining == left
            await chair.ask("chat", text="yours")
            assert (await server.registry.store.due(10**15, HOUR))[shown["id"]] == alarm
        await ann.ask("resign")
        assert await server.registry.store.due(10**15, HOUR) == {}


async def test_nothing_is_loaded_at_the_start_and_time_without_a_server_counts_for_nobody(tmp_path, monkeypatch, quick):
    async with open_server(tmp_path) as server:
        shown, _, _ = await server.two(clock={"total": 60, "increment": 0})
    restarted(monkeypatch, now_ms() + HOUR)
    put_forward(monkeypatch, 30_000)
    async with open_server(tmp_path) as server:
        looked = asyncio.Event()
        due = server.registry.store.due

        async def seen(*given):
            looked.set()
            return await due(*given)

        monkeypatch.setattr(server.registry.store, "due", seen)
        await looked.wait()
        looked.clear()
        await looked.wait()
        assert server.registry.rooms == {}
        assert (await server.registry.store.table(shown["id"])).status == "playing"
        put_forward(monkeypatch, 31_000)
        while "timeout" not in [row.kind for row in await server.registry.store.entries(shown["id"])]:
            await asyncio.sleep(0.01)


async def test_tables_that_cannot_be_opened_are_in_no_other_clocks_way(tmp_path, monkeypatch, pebbles):
    async with open_server(tmp_path) as server:
        store = server.registry.store
        for i in range(120):
            rules = {"game": "no such game"} if i % 2 else {"game": "pebbles", "options": {"heap": 5}}
            new = table(f"broken{i}", **rules, status="playing", clock={"total": 1})
            broken = replace(new, entries=[Nonsense(number=1, at=5)], alarm=Alarm(now_ms() + 10_000, 0))
            await store.create(broken)
        monkeypatch.setattr("clew.server.clock.Clock.__init__", short(clocks.Clock.__init__, 1000))
        ann = await server.person()
        wish = {"game": "pebbles", "seats": ONE_DEVICE, "clock": {"total": 60, "then": "lose"}}
        shown = await ann.post("/api/tables", wish)
        server.registry.evict(server.registry.rooms[shown["id"]])
        put_forward(monkeypatch, 61_000)
        await Maintenance(server.registry).ring()
        while (await store.table(shown["id"])).status == "playing":  # or the server's own round was quicker
            await asyncio.sleep(0.01)
        assert len(await store.due(10**15, HOUR)) == 100, "the others are looked at again later"
        assert await store.due(now_ms() + 61_000, HOUR) == {}


async def test_clocks_that_ran_before_the_upgrade_run_on(tmp_path):
    async with open_server(tmp_path) as server:
        shown, _, _ = await server.two(clock={"total": 600})
    path = tmp_path / "clew.db"
    with sqlite3.connect(path) as connection:  # as the first version left it
        connection.executescript("DROP TABLE alarms; DROP TABLE heartbeat")
        connection.executescript("DROP INDEX tables_by_rules; DROP INDEX tables_unarchived")
        connection.execute("CREATE INDEX tables_by_status ON tables (status, changed)")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()
    store = await open_store(f"sqlite:///{path}")
    assert await store.due(now_ms(), HOUR) == {shown["id"]: Alarm(0, 0)}
    await store.close()
    async with open_server(tmp_path) as server:
        store = server.registry.store
        while (await store.due(now_ms() + 600_000, HOUR))[shown["id"]].remaining != 600_000:  # it is looked at once
            await asyncio.sleep(0.01)
        assert await store.due(now_ms() + 500_000, HOUR) == {}
