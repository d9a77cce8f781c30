"""Work in the background survives whatever happens to it, and says so."""

import asyncio
import logging
from dataclasses import replace

import pytest
from redis.asyncio import Redis
from servers import open_server

from clew.server import background
from clew.server.background import repeat
from clew.server.metrics import BACKGROUND_FAILURES
from clew.server.pubsub import CHANNEL, PubSub
from clew.server.store import StoreError


def failures(task):
    return BACKGROUND_FAILURES.labels(task)._value.get()


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(background, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(background, "LONGEST_WAIT", 0.001)
    monkeypatch.setattr("clew.server.maintenance.EVERY", 0.01)


async def until(condition):
    while not condition():
        await asyncio.sleep(0.005)


async def test_a_task_goes_on_after_any_exception_and_tells_each_kind_once(quick, caplog):
    wrong = [StoreError("The disk is full."), ZeroDivisionError("x"), StoreError("The disk is full."), KeyError("k")]
    done, before = 0, failures("a test")

    async def work():
        nonlocal done
        if wrong:
            raise wrong.pop()
        done += 1

    with caplog.at_level(logging.ERROR, "clew.server"):
        task = asyncio.create_task(repeat("a test", work, 0.001))
        await until(lambda: done > 3)
        assert failures("a test") == before + 4
        said = [record.getMessage() for record in caplog.records if "a test" in record.getMessage()]
        assert len(said) == 3
        assert "a test failed, and goes on: The disk is full." in said
        wrong.append(StoreError("The disk is full."))
        await until(lambda: failures("a test") == before + 5)
        assert len([record for record in caplog.records if "a test" in record.getMessage()]) == 4, "it had worked"
    task.cancel()


@pytest.mark.parametrize("error", [StoreError("gone"), ZeroDivisionError(), OSError(5, "I/O")])
async def test_rounds_go_on_when_the_store_fails_for_a_while(tmp_path, monkeypatch, quick, error):
    async with open_server(tmp_path) as server:
        store = server.registry.store
        before = failures("ringing for clocks")

        async def fails(*_, **__):
            raise error

        with monkeypatch.context() as broken:
            broken.setattr(store, "_read", fails)
            broken.setattr(store, "_write", fails)
            await until(lambda: failures("ringing for clocks") > before + 3)
        _, ann, _ = await server.two(clock={"total": 60})
        await ann.ask("chat", text="still here")
        rung = 0
        due = store.due

        async def counted(*given):
            nonlocal rung
            rung += 1
            return await due(*given)

        monkeypatch.setattr(store, "due", counted)
        await until(lambda: rung > 3)
        server.registry.settings = replace(server.registry.settings, idle_seconds=0)
        server.registry.rooms[ann.table_id].connections.clear()
        await until(lambda: not server.registry.rooms)


async def test_a_worker_goes_on_hearing_the_others_whatever_it_hears(redis):
    heard = []
    one, two = PubSub(redis, heard.append), PubSub(redis, heard.append)
    one.start()
    async with Redis.from_url(redis) as client:
        while not await client.publish(CHANNEL, b"nonsense"):  # until it listens
            await asyncio.sleep(0.01)
        for said in (b"[]", b'{"table":"t"}'):
            await client.publish(CHANNEL, said)
    two.start()
    async with asyncio.timeout(20):
        while {"table": "t", "number": 7} not in heard:
            two.publish(table="t", number=7)
            await asyncio.sleep(0.01)
    await one.close()
    await two.close()
