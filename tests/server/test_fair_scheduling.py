"""A person's opponent answers whatever else bots think about, counted by what was decided in between."""

import asyncio
import contextlib
import json
import threading
from functools import partial
from itertools import pairwise

import pytest
from servers import open_server
from websockets.asyncio.client import connect

import clew
from clew import IllegalMove
from clew.server.client import Client, ServerError

WATCHED = 30
AGAINST_A_BOT = [{"who": "me"}, {"who": "bot", "level": 1}]
STRONG = [{"who": "bot", "level": 6}, {"who": "bot", "level": 6}]


async def metric(server, name):
    """A figure of the metrics, over all its labels or with those given."""
    lines = (await server.figures()).splitlines()
    found = [float(line.split()[-1]) for line in lines if line.startswith((f"{name} ", f"{name}{{"))]
    assert found, name
    return sum(found)


def game(moves=200):
    """The record of a game, played by the first moves that there are."""
    table = clew.new("palaces", seed=3)
    while table.outcome is None and len(table.moves) < moves:
        table.play(table.legal_moves()[0])
    return table.record()


@contextlib.contextmanager
def no_thread_is_free(server):
    """The one thread for bots is held as long as the block lasts."""
    free = threading.Event()
    server.registry.bots._pool.submit(free.wait)
    try:
        yield
    finally:
        free.set()


async def test_watched_tables_of_strong_bots_do_not_keep_a_persons_opponent_waiting(process):
    server = process("--bot-threads=1")
    async with contextlib.AsyncExitStack() as stack:
        eve, ann = [await stack.enter_async_context(Client(server.url, name=name)) for name in ("Eve", "Ann")]
        tables = [await eve.post("/api/tables", {"game": "ariadne", "seats": STRONG}) for _ in range(WATCHED)]
        watching = [await stack.enter_async_context(eve.chair(table["id"], None)) for table in tables]
        seats = [{"who": "me"}, {"who": "bot", "level": 3}]
        table = await ann.post("/api/tables", {"game": "palaces", "seats": seats})
        chair = await stack.enter_async_context(ann.chair(table["id"], 0))
        while await metric(server, "clew_bot_queue") < 2 * WATCHED / 3:
            await asyncio.sleep(0.05)
        answers = []
        while len(answers) < 3:
            await chair.turn()
            await chair.move(chair.moves[0])
            await chair.turn()
            moves = [entry for entry in chair.log if entry["kind"] == "move"]
            answers = [(one, other) for one, other in pairwise(moves) if (one["seat"], other["seat"]) == (0, 1)]
        decided = [entry["at"] for other in watching for entry in other.log if entry["kind"] == "move"]
        for asked, answer in answers:  # by the server's own time of each entry
            assert sum(asked["at"] < at <= answer["at"] for at in decided) <= WATCHED // 3
        assert await metric(server, 'clew_bot_queue{purpose="watched"}') > WATCHED / 3
        assert await metric(server, 'clew_bot_wait_seconds_count{purpose="opponent"}') >= len(answers)


async def lines_of_a_review(server, record, found):
    """Have a game reviewed, and note every line of the answer as it comes."""
    body = json.dumps({"record": record, "level": 5}).encode()
    reader, writer = await asyncio.open_connection(*server.url.removeprefix("http://").split(":"))
    head = f"POST /api/review HTTP/1.1\r\nHost: {server.url.removeprefix('http://')}\r\nX-Clew: 1\r\n"
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    try:
        async for line in reader:
            found += [line] if line.startswith(b"{") else []
    finally:
        writer.close()


async def test_a_review_makes_way_for_a_persons_opponent(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person("Ann")
        table = await ann.post("/api/tables", {"game": "palaces", "seats": AGAINST_A_BOT})
        chair = await server.chair(ann, table, 0)
        record, found = game(), []
        reviews = [asyncio.create_task(lines_of_a_review(server, record, found)) for _ in range(2)]
        while not found:
            await asyncio.sleep(0.01)
        for _ in range(3):
            await chair.turn()
            await chair.move(chair.moves[0])
        await chair.turn()
        assert len(found) < clew.replay(record).length  # neither of them is at its end
        for review in reviews:
            review.cancel()


async def test_a_hint_is_not_behind_those_of_another_address(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        answered = []

        async def begin(name):
            """A chair that owes a move, for a person of its own."""
            person = await server.person(name)
            table = await person.post("/api/tables", {"game": "palaces", "seats": AGAINST_A_BOT})
            chair = await server.chair(person, table, 0)
            await chair.turn()
            return chair

        async def hint(chair):
            await chair.ask("hint", level=5)
            answered.append(chair)

        eves = [await begin(f"Eve {i}") for i in range(10)]
        monkeypatch.setattr("clew.server.client.connect", partial(connect, local_addr=("127.0.0.2", 0)))
        ann = await begin("Ann")
        with no_thread_is_free(server):
            hints = []
            for waiting, chair in enumerate((*eves, ann)):
                hints.append(asyncio.create_task(hint(chair)))
                while await metric(server, "clew_bot_queue") <= waiting:
                    await asyncio.sleep(0)
        await asyncio.gather(*hints)
        assert answered.index(ann) <= 2


async def test_a_person_has_two_hints_at_once_on_however_many_connections(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        chairs = []
        for _ in range(3):
            table = await ann.post("/api/tables", {"game": "palaces", "seats": AGAINST_A_BOT})
            chairs.append(await server.chair(ann, table, 0))
            await chairs[-1].turn()
        with no_thread_is_free(server):
            hints = []
            for chair in chairs[:2]:
                hints.append(asyncio.create_task(chair.ask("hint", level=1)))
                await asyncio.sleep(0)
                await chair.ask("judge", parts=[chair.moves[0]])  # is answered when the hint before it is under way
            with pytest.raises(IllegalMove, match="wait for one of them"):
                await asyncio.wait_for(chairs[2].ask("hint", level=1), 20)
        assert all(hint["moves"] for hint in await asyncio.gather(*hints))
        assert (await chairs[2].ask("hint", level=1))["moves"]


async def test_a_person_has_a_few_reviews_at_once(tmp_path):
    async with open_server(tmp_path) as server:
        ann, record = await server.person(), game(6)
        with no_thread_is_free(server):
            reviews = [asyncio.create_task(ann.post("/api/review", {"record": record, "level": 1})) for _ in range(5)]
            done, waiting = await asyncio.wait(reviews, timeout=20, return_when=asyncio.FIRST_COMPLETED)
            assert [type(one.exception()) for one in done] == [ServerError]
            assert [one.exception().status for one in done] == [429]
        assert all(len(text.splitlines()) == 6 for text in await asyncio.gather(*waiting))
        assert len((await ann.post("/api/forecast", {"record": record})).splitlines()) == 7


async def test_a_hint_that_fails_is_answered_and_another_can_be_asked_for(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", {"game": "palaces", "seats": AGAINST_A_BOT})
        chair = await server.chair(ann, table, 0)
        await chair.turn()

        async def fail(*arguments):
            raise RuntimeError("out of order")

        with monkeypatch.context() as broken:
            broken.setattr(server.registry.bots, "choose", fail)
            with pytest.raises(IllegalMove, match="No hint could be found"):
                await asyncio.wait_for(chair.ask("hint", level=1), 20)
        assert (await chair.ask("hint", level=1))["moves"]
