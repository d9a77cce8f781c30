"""Who is here: told to everybody at a bounded cost, and not guessed where it cannot be known."""

import asyncio
import json

import pytest
from servers import open_server

from clew import IllegalMove
from clew.server.connection import Connection
from clew.server.rate_limits import TokenBucket

TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}
MANY = 1000


async def test_a_thousand_watchers_come_and_go_at_a_cost_that_grows_with_their_number(tmp_path, monkeypatch):
    told = []

    def send_frame(self, framed):
        message = json.loads(framed[framed.index(b'{"type"') :])
        if message["type"] == "presence":
            told.append(message)

    async with open_server(tmp_path) as server:
        ann = await server.person("Ann")
        table = await ann.post("/api/tables", TWO)
        room = await server.registry.room(table["id"])
        monkeypatch.setattr(Connection, "send_frame", send_frame)
        connections = [Connection(f"somebody {i}", TokenBucket(0, 0)) for i in range(MANY)]
        for connection in connections:
            async with room.lock:
                await room.welcome(connection, 0)
            room.announce_presence()
        while not told or told[-1]["watching"] < MANY:
            await asyncio.sleep(0.01)
        assert len(told) < 20 * MANY
        for connection in connections:
            room.leave(connection)
        assert len(told) < 20 * MANY
        assert told[-1] == {"type": "presence", "seats": [], "watching": 1}


async def test_a_person_is_here_until_the_last_connection_is_gone(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        eve = await server.person("Eve")
        async with bob.client.chair(table["id"], 1), bob.client.chair(table["id"], None), eve.chair(table["id"], None):
            await ann.until(lambda: ann.seen[-1:] == [{"type": "presence", "seats": [0, 1], "watching": 1}])
        await ann.until(lambda: ann.seen[-1:] == [{"type": "presence", "seats": [0, 1], "watching": 0}])


async def test_no_bot_takes_the_chair_of_somebody_who_may_be_at_another_worker(tmp_path, postgres):
    database = postgres()
    async with open_server(tmp_path, db=database) as one:
        ann, bob = await one.person("Ann"), await one.person("Bob")
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        async with open_server(tmp_path, db=database) as two:
            bob.addresses = [two.url]
            mine, _ = await one.chair(ann, table, 0), await two.chair(bob, table, 1)
            with pytest.raises(IllegalMove, match="It is not known whether Bob is here"):
                await mine.ask("takeover", seat=1, level=1)
            assert "level" not in mine.table["seats"][1]
        assert (await mine.ask("takeover", seat=1, level=1))["kind"] == "takeover"  # there is no other worker any more


async def test_with_redis_it_is_known_after_all_workers_have_told(tmp_path, postgres, redis, monkeypatch):
    database = postgres()
    async with (
        open_server(tmp_path, db=database, redis=redis) as one,
        open_server(tmp_path, db=database, redis=redis) as two,
    ):
        ann, bob = await one.person("Ann"), await one.person("Bob")
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        mine = await one.chair(ann, table, 0)
        bob.addresses = [two.url]
        while one.registry.pubsub.listening_since is None or two.registry.pubsub.listening_since is None:
            await asyncio.sleep(0.01)
        with pytest.raises(IllegalMove, match="It is not known whether Bob is here"):
            await mine.ask("takeover", seat=1, level=1)
        monkeypatch.setattr("clew.server.room.REMINDED", 0.0)  # as if enough time had passed
        async with bob.chair(table["id"], 1):
            await mine.until(lambda: any(said.get("seats") == [0, 1] for said in mine.seen))
            with pytest.raises(IllegalMove, match="Bob is here"):
                await mine.ask("takeover", seat=1, level=1)
        await mine.until(lambda: mine.seen[-1].get("seats") == [0])
        assert (await mine.ask("takeover", seat=1, level=1))["kind"] == "takeover"
