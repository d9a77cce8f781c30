"""Old games become records: one of several workers does it, from what the log still says, and none is lost."""

import asyncio

import pytest
from servers import Nonsense, open_server
from test_store import table

import clew
from clew.server.client import Client
from clew.server.clock import now_ms
from clew.server.log_entries import ChatSaid
from clew.server.maintenance import Maintenance
from clew.server.store import Conflict, open_store

AGAIN = 60
ONE_DEVICE = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'clew.db'}"
    return request.getfixturevalue("postgres")()


async def test_of_two_workers_that_archive_at_once_one_does_it(address):
    one, two = await open_store(address), await open_store(address)
    for i in range(AGAIN):
        await one.create(table(f"t{i}", status="over"))
        done = await asyncio.gather(
            one.archive(f"t{i}", "by one", 1),
            two.archive(f"t{i}", "by two", 1),
            one.drop(f"t{i}", 0),
            two.archive(f"t{i}", "of an empty log", 0),
        )
        assert sorted(done) == [False, False, False, True]
        assert (await one.table(f"t{i}")).record == ("by one" if done[0] else "by two")
        assert await two.entries(f"t{i}") == []
        assert not await two.drop(f"t{i}", 1)
        assert not await two.drop(f"t{i}", 0)
    await one.close()
    await two.close()


async def test_a_log_that_goes_on_is_not_archived(address):
    one, two = await open_store(address), await open_store(address)
    for i in range(AGAIN):
        await one.create(table(f"t{i}", status="over"))
        done, written = await asyncio.gather(
            one.archive(f"t{i}", "record", 1),
            two.append(f"t{i}", ChatSaid(number=2, at=6, text="")),
            return_exceptions=True,
        )
        assert done in (True, False)
        assert written is None or isinstance(written, Conflict)
        if not done:
            assert [row.number for row in await one.entries(f"t{i}")] == [1, 2]
        assert (await one.table(f"t{i}")).record == ("record" if done else None)
    await one.close()
    await two.close()


async def test_no_game_is_lost_when_two_servers_clear_away_together(tmp_path, postgres, pebbles):
    address, games = postgres(), []
    more = {"db": address, "archive_days": 0}
    async with open_server(tmp_path, **more) as first, open_server(tmp_path, **more) as second:
        one, two = Maintenance(first.registry), Maintenance(second.registry)
        async with Client(first.url, name="Ann") as ann:
            for _ in range(20):
                wish = {"game": "pebbles", "seats": ONE_DEVICE, "options": {"heap": 2}}
                games.append((await ann.post("/api/tables", wish))["id"])
                async with ann.chair(games[-1], 0) as chair:
                    await chair.move("take 2")
            while set(games) - set(await first.registry.store.stale("over", now_ms())):
                await asyncio.sleep(0.01)
            await asyncio.gather(one.clear_away(), two.clear_away())
            for game in games:
                assert (await first.registry.store.table(game)).record is not None
                assert await first.registry.store.entries(game) == []
                assert clew.replay(await ann.get(f"/api/tables/{game}/record")).outcome
                assert (await ann.get(f"/api/tables/{game}"))["result"]["scores"] == [1, 0]


@pytest.mark.parametrize("rules_are_here", [True, False])
async def test_a_worker_that_finds_the_log_gone_does_not_take_the_game_for_one_that_never_began(
    tmp_path, postgres, pebbles, monkeypatch, rules_are_here
):
    more = {"db": postgres(), "archive_days": 0}
    async with open_server(tmp_path, **more) as first, open_server(tmp_path, **more) as second:
        ann = await first.person()
        game = (await ann.post("/api/tables", {"game": "pebbles", "seats": ONE_DEVICE, "options": {"heap": 2}}))["id"]
        async with ann.chair(game, 0) as chair:
            await chair.move("take 2")
        store = second.registry.store
        while game not in await store.stale("over", now_ms()):
            await asyncio.sleep(0.01)
        entries = store.entries

        async def read_late(*given):  # the other worker archives just before
            monkeypatch.setattr(store, "entries", entries)
            await Maintenance(first.registry).clear_away()
            return await entries(*given)

        monkeypatch.setattr(store, "entries", read_late)
        if not rules_are_here:
            monkeypatch.setattr("clew.server.maintenance.game_of", lambda _: None)
        await Maintenance(second.registry).clear_away()
        assert clew.replay(await ann.get(f"/api/tables/{game}/record")).outcome
        assert (await store.table(game)).status == "over"
        assert game not in second.registry.rooms


async def test_more_tables_that_cannot_be_cleared_away_than_a_page_has_stop_nothing(tmp_path, pebbles):
    async with open_server(tmp_path, archive_days=0) as server:
        store = server.registry.store
        for i in range(120):
            await store.create(table(f"broken{i}", game="pebbles", options={"heap": 5}, status="over", changed=1))
            await store.append(f"broken{i}", Nonsense(number=2, at=1))
        ann = await server.person()
        wish = {"game": "pebbles", "seats": ONE_DEVICE, "options": {"heap": 2}}
        game = (await ann.post("/api/tables", wish))["id"]
        async with ann.chair(game, 0) as chair:
            await chair.move("take 2")
        server.registry.rooms[game].connections.clear()
        while now_ms() <= (await store.entries(game))[-1].at:
            await asyncio.sleep(0.001)
        await Maintenance(server.registry).clear_away()
        assert (await store.table(game)).record is not None
        assert (await store.table("broken1")).record is None


async def test_a_table_that_was_just_put_away_is_not_played_at(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        game = await ann.post("/api/tables", {"game": "pebbles", "seats": ONE_DEVICE})
        room = server.registry.rooms[game["id"]]
        chair = await server.chair(ann, game, 0)
        server.registry.evict(room)  # a moment after somebody has come
        await chair.until(lambda: chair.connections == 2)
        assert server.registry.rooms[game["id"]] is not room
        assert (await chair.move("take 1"))["kind"] == "move"
