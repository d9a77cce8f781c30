"""The store: what is written is there, once, in order; on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
import stat

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from servers import open_server, play_on
from sqlalchemy import create_engine

import clew
from clew.server.client import ServerError
from clew.server.clock import now_ms
from clew.server.log_entries import ChatSaid, MoveMade, PlayerSat, TableCreated
from clew.server.maintenance import Maintenance
from clew.server.store import AlreadyWritten, Change, Conflict, StoreError, TableRow, open_store
from clew.server.store.base import NewTable
from clew.server.store.schema import metadata


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'clew.db'}"
    return request.getfixturevalue("postgres")()


def table(name="t", **changes):
    row = TableRow(
        name, "palaces", 1, {"edition": "classic"}, 2, False, False, None, 2**255 + 1, "ab", "inv", 5, "waiting", 5,
        {"seats": []},
    )  # fmt: skip
    return NewTable(TableRow(**{**vars(row), **changes}), [TableCreated(number=1, at=5, seats=[])], {0: "ann"})


async def test_a_number_is_taken_once_and_a_key_counts_once(address):
    store = await open_store(address)
    await store.create(table())
    moves = [MoveMade(number=2, at=9, seat=0, key=f"0:{i}", move=str(i)) for i in range(20)]
    done = await asyncio.gather(*(store.append("t", row) for row in moves), return_exceptions=True)
    assert sum(one is None for one in done) == 1
    assert sum(isinstance(one, Conflict) for one in done) == 19
    written = (await store.entries("t", 1))[0]
    assert written == moves[done.index(None)]
    with pytest.raises(AlreadyWritten) as repeated:
        await store.append("t", MoveMade(number=3, at=9, seat=0, key=written.key, move=""))
    assert repeated.value.number == 2
    await store.append("t", MoveMade(number=3, at=9, seat=1, move=""))
    await store.append("t", MoveMade(number=4, at=9, seat=1, move=""))
    assert [row.number for row in await store.entries("t")] == [1, 2, 3, 4]
    await store.close()


async def test_an_entry_and_what_it_changes_are_written_together_or_not_at_all(address):
    store = await open_store(address)
    await store.create(table())
    change = Change("playing", {"seats": [1]}, {0: None, 1: "bob"}, table("next"))
    with pytest.raises(Conflict):
        await store.append("t", PlayerSat(number=1, at=9, seat=1, person="bob", name="Bob"), change)
    assert (await store.table("t")).status == "waiting"
    assert await store.table("next") is None
    await store.append("t", PlayerSat(number=2, at=9, seat=1, person="bob", name="Bob"), change)
    assert ((await store.table("t")).status, (await store.table("t")).changed) == ("playing", 9)
    assert {row.id for row in await store.mine("ann")} == {"next"}
    assert {row.id for row in await store.mine("bob")} == {"t"}
    assert await store.seated("bob") == 1
    await store.close()


async def test_lists_show_what_they_should(address):
    store = await open_store(address)
    await store.create(table("open", changed=7))
    await store.create(table("private", private=True))
    await store.create(table("clock", status="playing", clock={"total": 9}))
    await store.create(table("over", status="over"))
    assert [row.id for row in await store.waiting()] == ["open"]
    assert (await store.table("clock")).seed == 2**255 + 1
    assert [row.id for row in await store.mine("ann")][-1] == "over"
    assert await store.counts() == {"waiting": 2, "playing": 1, "over": 1}
    assert await store.stale("over", 6) == {"over": 1}
    assert await store.stale("over", 6, skipped=1) == {}
    assert await store.stale("over", 5) == {}
    await store.append("over", ChatSaid(number=2, at=50, text=""))
    assert await store.stale("over", 6) == {}
    assert not await store.archive("over", "made from one entry", 1)
    assert await store.archive("over", "the record", 2)
    assert not await store.archive("over", "another", 2)
    assert not await store.drop("over", 2)
    assert (await store.table("over")).record == "the record"
    assert await store.entries("over") == []
    assert not await store.drop("open", 2)
    assert await store.drop("open", 1)
    assert await store.table("open") is None
    await store.set_name("ann", "Ann", 1)
    await store.set_name("ann", "Anna", 2)
    assert (await store.name("ann"), await store.name("bob")) == ("Anna", "")
    await store.close()


async def test_what_is_written_survives_reopening(address):
    store = await open_store(address)
    await store.create(table())
    await store.append("t", ChatSaid(number=2, at=6, seat=0, key="0:a", text="héllo 😀"))
    await store.close()
    store = await open_store(address)
    assert (await store.entries("t", 1))[0].text == "héllo 😀"
    await store.close()


async def test_the_steps_lead_to_the_tables_that_the_statements_are_for(tmp_path):
    await (await open_store(f"sqlite:///{tmp_path / 'clew.db'}")).close()
    with create_engine(f"sqlite:///{tmp_path / 'clew.db'}").connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    assert stat.S_IMODE((tmp_path / "clew.db").stat().st_mode) == 0o600


async def test_a_failing_job_harms_no_other(tmp_path):
    store = await open_store(f"sqlite:///{tmp_path / 'clew.db'}")
    await store.create(table())
    done = await asyncio.gather(
        store.append("t", ChatSaid(number=2, at=6, text="")),
        store._write(lambda connection: connection.run("no such statement", {})),
        store.append("t", ChatSaid(number=3, at=6, text="")),
        return_exceptions=True,
    )
    assert [type(one) for one in done] == [type(None), KeyError, type(None)]
    assert len(await store.entries("t")) == 3
    rows = [ChatSaid(number=4, at=6, text=""), ChatSaid(number=4, at=6, text=""), ChatSaid(number=5, at=6, text="")]
    done = await asyncio.gather(*(store.append("t", row) for row in rows), return_exceptions=True)
    assert [type(one) for one in done] == [type(None), Conflict, type(None)]
    assert [row.number for row in await store.entries("t")] == [1, 2, 3, 4, 5]
    await store.close()


async def test_a_full_disk_is_said_and_changes_nothing(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first = ann if ann.moves else bob
        writer = server.registry.store._writer

        def full(entries):
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(writer, "_insert", full)
        with pytest.raises(ServerError, match="disk is full"):
            await first.repeat("again", "move", move=first.moves[0])
        monkeypatch.undo()
        entry = await first.repeat("again", "move", move=first.moves[0])
        assert entry["kind"] == "move"


async def test_databases_that_cannot_be_used_are_refused_in_one_sentence(tmp_path):
    (tmp_path / "garbage").write_bytes(b"garbage" * 1000)
    for address in ("mysql://h/x", f"sqlite:///{tmp_path}", f"sqlite:///{tmp_path / 'garbage'}"):
        with pytest.raises(StoreError) as refused:
            await open_store(address)
        assert str(refused.value).endswith(".")


async def test_old_tables_become_records(tmp_path):
    async with open_server(tmp_path, archive_days=0) as server:
        ann = await server.person()
        seats = [{"who": "me", "name": "A"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        async with ann.chair(table["id"], 0) as chair:
            await play_on(chair)
            before = await ann.get(f"/api/tables/{table['id']}/record")
        alone = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]  # no bot makes a move meanwhile
        left = await ann.post("/api/tables", {"game": "cardtracks", "seats": alone})
        async with asyncio.timeout(20):  # until both have begun or ended a moment ago
            while left["id"] not in await server.registry.store.stale("playing", now_ms()):
                await asyncio.sleep(0.01)
            while table["id"] not in await server.registry.store.stale("over", now_ms()):
                await asyncio.sleep(0.01)
        server.registry.rooms[table["id"]].connections.clear()
        await Maintenance(server.registry).clear_away()
        assert await server.registry.store.entries(table["id"]) == []
        assert await ann.get(f"/api/tables/{table['id']}/record") == before
        assert (await ann.get(f"/api/tables/{table['id']}"))["state"] == "over"
        assert clew.replay(before).outcome
        forgotten = await ann.get(f"/api/tables/{left['id']}")
        assert forgotten["result"]["ended"] == "abandoned"
