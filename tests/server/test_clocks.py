"""Time: kept by the server, rebuilt from the log, and what happens when it is up."""

import asyncio

import pytest
from houses import level, open_house, play_on

from clew import IllegalMove
from clew.server import clock as clocks
from clew.server.clock import Clock
from clew.server.messages import ClockRule


def test_a_total_goes_down_and_is_added_to():
    clock = Clock(ClockRule(total=60, increment=5), 2)
    now = clocks.AWAKE_SINCE + 1000
    clock.owe([0], now)
    assert clock.falls() == (now + 60_000, 0)
    assert clock.message(now + 10_000).left == [50_000, 60_000]
    clock.spend(0, clock.used(0, now + 10_000))
    clock.owe([1], now + 10_000)
    assert clock.left == [55_000, 60_000]
    assert clock.message(now + 10_000).running == [1]


def test_time_for_a_move_begins_anew_each_time():
    clock = Clock(ClockRule(move=30), 2)
    now = clocks.AWAKE_SINCE + 1000
    clock.owe([0, 1], now)
    clock.spend(0, 20_000)
    clock.owe([1], now + 20_000)
    assert clock.falls() == (now + 30_000, 1)  # who still owes keeps the time that runs
    clock.owe([0, 1], now + 25_000)
    assert clock.left[0] == 30_000


def test_time_while_the_server_was_down_counts_for_nobody():
    clock = Clock(ClockRule(total=60), 2)
    clock.owe([0], clocks.AWAKE_SINCE - 3_600_000)
    assert clock.used(0, clocks.AWAKE_SINCE + 500) == 500


async def two_with_a_clock(house, monkeypatch, left, **clock):
    """A table where each has only so many milliseconds."""
    started = Clock.__init__

    def short(self, rule, players):
        started(self, rule, players)
        self.left = [left] * players

    monkeypatch.setattr(Clock, "__init__", short)
    return await house.two(clock=clock)


async def test_a_bot_plays_on_when_the_time_is_up(tmp_path, monkeypatch):
    async with open_house(tmp_path) as house:
        _, ann, bob = await two_with_a_clock(house, monkeypatch, 400, total=60)
        seat = ann.view["to_move"][0]
        slow, other = (ann, bob) if seat == 0 else (bob, ann)
        assert slow.now["clocks"]["running"] == [seat]
        await slow.until(lambda: slow.log[-1]["kind"] != "started")
        assert slow.log[3]["kind"] == "timeout"
        assert slow.table["seats"][seat]["level"] == 3
        await slow.ask("return")
        await other.until(lambda: "level" not in other.table["seats"][seat])


async def test_or_the_seat_loses(tmp_path, monkeypatch):
    async with open_house(tmp_path) as house:
        _, ann, bob = await two_with_a_clock(house, monkeypatch, 300, total=60, then="lose")
        seat = ann.view["to_move"][0]
        await ann.until(lambda: ann.over)
        assert ann.table["result"] == {"places": [2, 1] if seat == 0 else [1, 2], "ended": "time"}
        with pytest.raises(IllegalMove, match="The game is over"):
            await bob.move("-K1")


async def test_clocks_are_the_same_after_a_restart(tmp_path):
    async with open_house(tmp_path) as house:
        table, ann, bob = await house.two(clock={"total": 600, "increment": 1})
        await asyncio.gather(play_on(ann, moves=3), play_on(bob, moves=3))
        await level(ann, bob)
        before = house.house.rooms[table["id"]].ledger.clock.left[:]
        person, number = ann.client, ann.number
    async with open_house(tmp_path) as house:
        person.addresses = [house.url]
        while table["id"] not in house.house.rooms:  # running clocks are looked after from the start
            await asyncio.sleep(0.01)
        chair = await house.chair(person, table, 0)
        assert house.house.rooms[table["id"]].ledger.clock.left == before
        assert chair.number == number
        assert chair.now["clocks"]["left"][0] <= before[0]
