"""Time: kept by the server, rebuilt from the log, and what happens when it is up."""

import asyncio

import pytest
from servers import level, open_server, play_on

from clew import IllegalMove
from clew.server import clock as clocks
from clew.server.clock import Clock
from clew.server.messages import ClockRule
from clew.server.room import Room


def test_a_total_goes_down_and_is_added_to():
    clock = Clock(ClockRule(total=60, increment=5), 2)
    clock.owe([0], 1000)
    assert clock.falls() == (61_000, 0)
    clock.spend(0, clock.used(0, 11_000))
    clock.owe([1], 11_000)
    assert clock.left == [55_000, 60_000]
    assert clock.message().running == [1]


def test_time_for_a_move_begins_anew_each_time():
    clock = Clock(ClockRule(move=30), 2)
    clock.owe([0, 1], 1000)
    clock.spend(0, 20_000)
    clock.owe([1], 21_000)
    assert clock.falls() == (31_000, 1)  # who still owes keeps the time that runs
    clock.owe([0, 1], 26_000)
    assert clock.left[0] == 30_000


def test_a_bot_in_the_chair_earns_nothing_and_a_move_taken_back_neither():
    clock = Clock(ClockRule(total=60, increment=5), 2)
    clock.spend(0, 0, earns=False)
    assert clock.left[0] == 60_000
    clock.spend(0, 1000)
    clock.take_back(0)
    assert clock.left[0] == 59_000


def test_time_while_the_server_was_down_counts_for_nobody():
    began = clocks.STEADY.began
    assert clocks.made_at(began - 3_600_000, None) == clocks.made_at(began, None) <= 1


async def two_with_a_clock(server, monkeypatch, left, **clock):
    """A table where each has only so many milliseconds."""
    started = Clock.__init__

    def short(self, rule, players):
        started(self, rule, players)
        self.left = [left] * players

    monkeypatch.setattr(Clock, "__init__", short)
    return await server.two(clock=clock)


async def slow_and_other(server, monkeypatch, left, **clock):
    """Who owes the first move and lets the time run out, and who does not."""
    _, ann, bob = await two_with_a_clock(server, monkeypatch, left, **clock)
    slow, other = (ann, bob) if ann.view["to_move"] == [0] else (bob, ann)
    assert slow.now["clocks"]["running"] == [slow.seat]
    await slow.until(lambda: any(entry["kind"] == "timeout" for entry in slow.log))
    return slow, other


async def test_a_bot_plays_on_when_the_time_is_up_to_the_end(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        slow, other = await slow_and_other(server, monkeypatch, 400, total=60)
        assert slow.log[3]["kind"] == "timeout"
        assert slow.table["seats"][slow.seat]["level"] == 3
        assert slow.now["clocks"]["left"][slow.seat] == 0
        with pytest.raises(IllegalMove, match="Your time is up: a bot plays on for you"):
            await slow.ask("return")
        await other.until(lambda: other.moves)


async def test_with_an_increment_there_is_one_for_who_comes_back_after_the_bots_move(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        think, asked = server.registry.bots.choose, asyncio.Event()

        async def wait(*arguments):
            await asked.wait()
            return await think(*arguments)

        monkeypatch.setattr(server.registry.bots, "choose", wait)
        slow, other = await slow_and_other(server, monkeypatch, 400, total=60, increment=7)
        with pytest.raises(IllegalMove, match="the bot makes it, then you can take your chair back"):
            await slow.ask("return")
        asked.set()
        await slow.until(lambda: slow.log[-1]["kind"] == "move")
        await slow.ask("return")
        assert slow.now["clocks"]["left"][slow.seat] == 7000
        await other.until(lambda: "level" not in other.table["seats"][slow.seat])


async def test_time_for_a_move_is_there_again_for_the_next_one(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        slow, _ = await slow_and_other(server, monkeypatch, 400, move=60)
        await slow.until(lambda: slow.log[-1]["kind"] == "move")
        await slow.ask("return")
        assert slow.now["clocks"]["left"][slow.seat] == 60_000


async def test_a_bot_that_stands_in_does_not_give_the_used_time_back(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        wish = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}], "clock": {"total": 600}}
        table = await ann.post("/api/tables", wish)
        await bob.post(f"/api/tables/{table['id']}/join")
        room = await server.registry.room(table["id"])
        seat = room.state.to_move[0]
        mine = await server.chair((bob, ann)[seat], table, 1 - seat)
        room.state.clock.began[seat] -= 100_000  # so long it has been thinking
        await mine.ask("takeover", seat=seat, level=1)
        assert 400_000 < mine.now["clocks"]["left"][seat] <= 500_000


async def test_a_move_that_comes_too_late_is_refused_and_the_timeout_does_not_acknowledge_it(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        monkeypatch.setattr(Room, "_set_timer", lambda self: None)  # the move comes before the alarm
        _, ann, bob = await two_with_a_clock(server, monkeypatch, 1, total=60, then="lose")
        slow = ann if ann.moves else bob
        with pytest.raises(IllegalMove, match=r"^Your time is up\.$"):
            await slow.repeat("late", "move", move=slow.moves[0])
        await slow.until(lambda: slow.over)
        assert slow.log[-1]["kind"] == "timeout"
        assert "id" not in slow.log[-1]


async def test_or_the_seat_loses(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        _, ann, bob = await two_with_a_clock(server, monkeypatch, 300, total=60, then="lose")
        seat = ann.view["to_move"][0]
        await ann.until(lambda: ann.over)
        assert ann.table["result"] == {"places": [2, 1] if seat == 0 else [1, 2], "ended": "time"}
        with pytest.raises(IllegalMove, match="The game is over"):
            await bob.move("-K1")


async def test_clocks_are_the_same_after_a_restart(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(clock={"total": 600, "increment": 1})
        await asyncio.gather(play_on(ann, moves=3), play_on(bob, moves=3))
        await level(ann, bob)
        before = server.registry.rooms[table["id"]].state.clock.left[:]
        person, number = ann.client, ann.number
    async with open_server(tmp_path) as server:
        person.addresses = [server.url]
        assert table["id"] not in server.registry.rooms  # nobody has come, and no clock has run out
        chair = await server.chair(person, table, 0)
        assert server.registry.rooms[table["id"]].state.clock.left == before
        assert chair.number == number
        assert chair.now["clocks"]["left"][0] <= before[0]
