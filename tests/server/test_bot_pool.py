"""Slow work in threads: what is more urgent is done in the midst of what has begun, and changes nothing of it."""

import asyncio
import threading

import pytest

import clew
from clew.core.game import load
from clew.server.bot_pool import BotPool
from clew.server.scheduler import Owner, Purpose

ANN, EVE = Owner("2.2.2.2", "ann"), Owner("1.1.1.1", "eve")


@pytest.fixture
def one_thread():
    bots = BotPool(1)
    yield bots
    bots.close()


async def test_long_work_gives_way_in_the_midst(one_thread):
    order, begun, go_on = [], threading.Event(), threading.Event()

    def long():
        order.append("begun")
        begun.set()
        go_on.wait()
        one_thread.yield_to_urgent()
        order.append("done")

    review = asyncio.create_task(one_thread.run(Purpose.REVIEW, EVE, long))
    await asyncio.to_thread(begun.wait)
    others = [
        asyncio.create_task(one_thread.run(purpose, ANN, lambda purpose=purpose: order.append(purpose)))
        for purpose in (Purpose.REVIEW, Purpose.WATCHED, Purpose.HINT, Purpose.OPPONENT)
    ]
    await asyncio.sleep(0)  # they are submitted
    go_on.set()
    await asyncio.gather(review, *others)
    assert order == ["begun", Purpose.OPPONENT, Purpose.HINT, Purpose.WATCHED, "done", Purpose.REVIEW]


async def test_a_search_that_was_interrupted_makes_the_same_choice(one_thread):
    table = clew.new("palaces", seed=5)
    game, view = load("palaces"), table.view(table.to_move[0])
    alone = clew.bot("palaces", level=5, seed=9).choose(view)
    search = asyncio.create_task(one_thread.choose(Purpose.WATCHED, EVE, game, 5, 9, view))
    between = 0
    while not search.done():
        await one_thread.choose(Purpose.OPPONENT, ANN, game, 1, 1, view)
        between += not search.done()
    chosen = await search
    assert between
    assert (str(chosen), chosen.alternatives, chosen.worlds) == (str(alone), alone.alternatives, alone.worlds)


async def test_a_failure_in_the_midst_is_its_owners_alone(one_thread):
    begun, go_on = threading.Event(), threading.Event()

    def long():
        begun.set()
        go_on.wait()
        one_thread.yield_to_urgent()
        return "done"

    watched = asyncio.create_task(one_thread.run(Purpose.WATCHED, EVE, long))
    await asyncio.to_thread(begun.wait)
    failing = asyncio.create_task(one_thread.run(Purpose.OPPONENT, ANN, lambda: 1 / 0))
    await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(ZeroDivisionError):
        await failing
    assert await watched == "done"


async def test_what_nobody_waits_for_any_more_is_not_begun(one_thread):
    begun, go_on, done = threading.Event(), threading.Event(), []
    first = asyncio.create_task(one_thread.run(Purpose.HINT, EVE, lambda: (begun.set(), go_on.wait())))
    await asyncio.to_thread(begun.wait)
    second = asyncio.create_task(one_thread.run(Purpose.HINT, EVE, lambda: done.append("second")))
    third = asyncio.create_task(one_thread.run(Purpose.HINT, EVE, lambda: done.append("third")))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(first, third)
    assert done == ["third"]


async def test_who_thinks_alone_has_all_threads_but_not_in_the_midst_of_another(monkeypatch):
    """The threads of the outer search wait for the inner one, also when nobody waits for the outer any more."""
    begun, go_on, threads = threading.Event(), threading.Event(), {}

    class Fake:
        def __init__(self, level):
            self.level = level

        def choose(self, view, limits):
            threads[self.level] = limits.threads
            if self.level == 6:
                begun.set()
                go_on.wait()
                limits.progress(1, 2)

    monkeypatch.setattr("clew.server.bot_pool.bot", lambda game, level, seed: Fake(level))
    bots = BotPool(2)
    only = threading.Event()
    bots._pool.submit(only.wait)  # the other thread is taken
    outer = asyncio.create_task(bots.choose(Purpose.WATCHED, EVE, load("palaces"), 6, 1, {}))
    await asyncio.to_thread(begun.wait)
    inner = asyncio.create_task(bots.choose(Purpose.OPPONENT, ANN, load("palaces"), 3, 1, {}))
    await asyncio.sleep(0)
    outer.cancel()
    await asyncio.sleep(0)
    go_on.set()
    await inner
    only.set()
    bots.close()
    assert threads == {6: 2, 3: 1}
