"""How many tables a person and an address can have, and what of them the lobby shows first."""

import asyncio
import functools

import pytest
from servers import open_server

from clew.server.client import Client, ServerError
from clew.server.registry import PAGE

OPEN = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}
BOTS = {"game": "palaces", "seats": [{"who": "bot", "level": 1}, {"who": "bot", "level": 1}]}


@pytest.fixture
def elsewhere(monkeypatch):
    """Makes somebody who comes from another address."""

    class Elsewhere(Client):
        async def request(self, *arguments, **headers):
            with monkeypatch.context() as patch:
                there = functools.partial(asyncio.open_connection, local_addr=("127.0.0.2", 0))
                patch.setattr(asyncio, "open_connection", there)
                return await super().request(*arguments, **headers)

    return lambda server: Elsewhere(server.url, name="Bob")


async def refused(awaitable, status):
    with pytest.raises(ServerError) as caught:
        await awaitable
    assert caught.value.status == status
    return str(caught.value)


async def test_tables_of_bots_alone_count_for_who_sets_them_up(tmp_path):
    async with open_server(tmp_path, tables_of_one=60) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        made = await asyncio.gather(*(ann.post("/api/tables", BOTS) for _ in range(10)), return_exceptions=True)
        tables = [one for one in made if not isinstance(one, Exception)]
        assert len(tables) == 3
        assert "bots play alone for you" in await refused(ann.post("/api/tables", BOTS), 409)
        assert (await ann.get("/api/tables/mine"))["tables"] == []
        await bob.post("/api/tables", BOTS)
        await ann.post("/api/tables", OPEN)
        await bob.post(f"/api/tables/{tables[0]['id']}/leave")  # is not his to end
        assert "bots play alone for you" in await refused(ann.post("/api/tables", BOTS), 409)
        ended = await ann.post(f"/api/tables/{tables[0]['id']}/leave")
        assert (ended["state"], ended["result"]["ended"]) == ("over", "abandoned")
        await ann.post("/api/tables", BOTS)


async def test_tables_of_bots_alone_are_among_all_that_a_person_has(tmp_path):
    async with open_server(tmp_path, tables_of_one=2) as server:
        ann = await server.person()
        await ann.post("/api/tables", BOTS)
        await ann.post("/api/tables", {**OPEN, "private": True})
        assert "2 tables already" in await refused(ann.post("/api/tables", OPEN), 409)


async def test_a_new_identity_is_no_way_around_the_limit_of_an_address(tmp_path, elsewhere):
    async with open_server(tmp_path, tables_of_one=6) as server:
        guests = [await server.person(f"Guest{i}") for i in range(4)]
        first = await guests[0].post("/api/tables", OPEN)
        await guests[1].post("/api/tables", BOTS)
        for wish in (OPEN, BOTS):
            assert "from your address" in await refused(guests[2].post("/api/tables", wish), 429)
        async with elsewhere(server) as bob:
            await bob.post("/api/tables", OPEN)
            await bob.post(f"/api/tables/{first['id']}/join")  # now it is full, and not open any more
        await guests[2].post("/api/tables", OPEN)
        assert "from your address" in await refused(guests[3].post("/api/tables", OPEN), 429)
        await guests[3].post("/api/tables", {**OPEN, "private": True})  # is not in anybody's way


async def test_tables_of_one_address_are_set_up_at_a_measured_pace(tmp_path):
    async with open_server(tmp_path, tables_of_one=2, request_rate=50.0) as server:
        made = 0

        async def one_after_the_other():
            nonlocal made
            while True:
                guest = await server.person(f"Guest{made}")
                await guest.post("/api/tables", {**OPEN, "private": True})
                made += 1

        assert "Many tables were set up from your address" in await refused(one_after_the_other(), 429)
        assert made >= 10


async def test_three_identities_do_not_fill_the_lobby(tmp_path, elsewhere):
    async with open_server(tmp_path, tables_of_one=60) as server:
        async with elsewhere(server) as bob:
            table = await bob.post("/api/tables", OPEN)
        guests = [await server.person(f"Guest{i}") for i in range(3)]
        for guest in guests:
            asked = (guest.post("/api/tables", OPEN) for _ in range(40))
            await asyncio.gather(*asked, return_exceptions=True)
        first = await guests[0].get("/api/tables")
        assert table["id"] in [one["id"] for one in first["tables"][:2]]
        assert (len(first["tables"]), first["more"]) == (PAGE, True)
        second = await guests[0].get("/api/tables?page=1")
        assert (len(second["tables"]), second["more"]) == (1, False)
        assert await refused(guests[0].get("/api/tables?page=-1"), 422)
