"""PostgreSQL goes away, starts up, and comes back: nobody is told that the server failed, and everything goes on."""

import asyncio
import contextlib
import signal
import struct

import pytest
from test_middleware import code_of, raw
from test_running import TWO

from clew.server.client import Client, ServerError
from clew.server.clock import now_ms
from clew.server.log_entries import ChatSaid, PlayerSat, TableCreated
from clew.server.store import Alarm, AlreadyWritten, Change, Conflict, StoreError, open_store
from clew.server.store.base import NewTable, TableRow


@contextlib.asynccontextmanager
async def starting_up(port):
    """What PostgreSQL answers while it starts: it is there, and says that it cannot be used yet."""

    async def answer(reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            (length,) = struct.unpack("!i", await reader.readexactly(4))
            await reader.readexactly(length - 4)
            if length == 8:  # a wish for encryption
                writer.write(b"N")
                (length,) = struct.unpack("!i", await reader.readexactly(4))
                await reader.readexactly(length - 4)
            fields = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
            writer.write(b"E" + struct.pack("!i", len(fields) + 4) + fields)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port):
        yield


async def health(server, status):
    """Wait for an answer of /healthz, and what it says."""
    async with asyncio.timeout(60):
        while True:
            found, _, body = await raw(server.url, "GET", "/healthz")
            assert found in (200, 503)
            if found == status:
                return body.decode()
            await asyncio.sleep(0.1)


async def figure(server, name):
    """A figure, 0 if it is not there."""
    lines = (await server.figures()).splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))


async def test_an_outage_is_not_now_and_nothing_stops_for_good(process, own_postgres):
    shared = ("--db", own_postgres.database())
    one, two = process(*shared), process(*shared)
    async with Client(one.url, name="Ann") as ann, Client(two.url, name="Bob") as bob:
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        async with ann.chair(table["id"], 0) as first, bob.chair(table["id"], 1) as second:
            await asyncio.to_thread(own_postgres.stop)
            for away in (contextlib.nullcontext(), starting_up(own_postgres.port)):
                async with away:
                    assert "could not be written now" in await health(one, 503)
                    with pytest.raises(ServerError) as refused:
                        await first.ask("chat", text="lost")
                    assert refused.value.code == "not_written"
                    for request in (ann.get("/api/tables"), ann.post("/api/tables", TWO), ann.get("/api/me")):
                        with pytest.raises(ServerError) as refused:
                            await request
                        assert refused.value.status == 503
                    cookie = {"Cookie": f"clew={ann.cookie}"}
                    assert await code_of(one.url, "another", **cookie) == 1013
                    assert await code_of(one.url, table["id"], {"chair": 0}, **cookie) == 1013
            async with asyncio.timeout(60):
                while not await figure(one, 'clew_background_failures_total{task="looking for entries"}'):
                    await asyncio.sleep(0.1)
            assert await figure(one, "clew_not_written_total") >= 2
            await asyncio.to_thread(own_postgres.start)
            await health(one, 200)
            await health(two, 200)
            await second.ask("chat", text="back again")
            await first.until(lambda: first.log[-1].get("text") == "back again")  # the round looks again
    for server in (one, two):
        assert "failed" not in server.said().replace("failed, and goes on", "")
        assert "Traceback" not in server.said()


def row(name):
    return TableRow(name, "palaces", 1, {}, 2, False, False, None, 7, "ab", "inv", 5, "playing", 5, {"seats": []})


async def test_whatever_is_wrong_with_the_database_is_a_store_error(own_postgres):
    store = await open_store(own_postgres.database())
    await store.create(NewTable(row("t"), [TableCreated(number=1, at=5, seats=[])], {0: "ann"}))
    await asyncio.to_thread(own_postgres.stop)

    async def everything():
        entry = ChatSaid(number=2, at=6, text="")
        for call in (
            lambda: store.append("t", entry),
            lambda: store.append("t", entry, None, Alarm(1, 1)),
            lambda: store.append("t", entry, Change("over", {})),
            lambda: store.create(NewTable(row("next"), [], {})),
            lambda: store.archive("t", "record", 1),
            lambda: store.drop("t", 1),
            lambda: store.set_name("ann", "Ann", 1),
            lambda: store.beat(now_ms()),
            lambda: store.move_alarm("t", Alarm(1, 1), None),
            lambda: store.table("t"),
            lambda: store.counts(),
        ):
            with pytest.raises(StoreError):
                await call()

    await everything()
    async with starting_up(own_postgres.port):
        await everything()
        with pytest.raises(StoreError, match="starting up"):
            await open_store(f"postgresql://clew@127.0.0.1:{own_postgres.port}/test1")
    await asyncio.to_thread(own_postgres.start)
    await store.append("t", ChatSaid(number=2, at=6, text=""), None, Alarm(1, 1))
    assert await store.due(1, 1) == {"t": Alarm(1, 1)}
    await store.close()


async def test_a_database_that_stands_still_is_not_waited_for(own_postgres, monkeypatch):
    monkeypatch.setattr("clew.server.store.postgres.ANSWERING", 0.5)
    monkeypatch.setattr("clew.server.store.postgres.CONNECTING", 0.5)
    store = await open_store(own_postgres.database())
    await store.create(NewTable(row("t"), [TableCreated(number=1, at=5, seats=[])], {}))
    own_postgres.signal(signal.SIGSTOP)
    try:
        for call in (
            lambda: store.append("t", ChatSaid(number=2, at=6, seat=0, key="0:a", text="")),
            lambda: store.append("t", PlayerSat(number=2, at=6, person="bob", name="Bob"), Change("playing", {})),
            lambda: store.table("t"),
            lambda: store.beat(now_ms()),
        ):
            with pytest.raises(StoreError):
                await call()
    finally:
        own_postgres.signal(signal.SIGCONT)
    with contextlib.suppress(Conflict, AlreadyWritten):  # what nobody waited for may have been written all the same
        await store.append("t", ChatSaid(number=2, at=6, seat=0, key="0:a", text=""))
    await store.append("t", ChatSaid(number=3, at=6, text=""))
    assert [one.number for one in await store.entries("t")] == [1, 2, 3]
    await store.close()
