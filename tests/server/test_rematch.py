"""Another game: whoever wants one, too, has agreed by saying so."""

import asyncio

import pytest
from servers import open_server

from clew.core.errors import IllegalMove


async def over(server, **wish):
    table, ann, bob = await server.two(**wish)
    await ann.ask("resign")
    await bob.until(lambda: bob.over)
    return table, ann, bob


async def test_both_ask_at_the_same_time_and_are_in_one_game(tmp_path):
    async with open_server(tmp_path) as server:
        for _ in range(5):
            _, ann, bob = await over(server)
            await asyncio.gather(ann.ask("rematch"), bob.ask("rematch"))
            await asyncio.gather(*(chair.until(lambda chair=chair: chair.table.get("rematch")) for chair in (ann, bob)))
            assert ann.table["rematch"] == bob.table["rematch"]
            assert [entry["kind"] for entry in ann.log].count("rematch") == 1
            again = await server.chair(bob.client, {"id": bob.table["rematch"]}, 0)
            assert [seat["name"] for seat in again.table["seats"]] == ["Bob", "Ann"]
        tables = (await ann.client.get("/api/tables/mine"))["tables"]
        assert sum(table["state"] == "playing" for table in tables) == 1


async def test_who_has_given_up_is_asked_all_the_same(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await over(server)
        assert (await bob.ask("rematch"))["kind"] == "asked"
        await ann.until(lambda: ann.table.get("ask"))
        assert ann.table["ask"]["waiting"] == [0]
        assert (await ann.ask("rematch"))["kind"] == "rematch"


async def test_asking_twice_is_not_agreeing(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, _ = await over(server)
        await ann.ask("rematch")
        with pytest.raises(IllegalMove, match="You have not been asked, or have answered"):
            await ann.ask("rematch")
        assert not ann.table.get("rematch")


async def test_three_are_in_it_when_all_have_said_so(tmp_path):
    async with open_server(tmp_path) as server:
        people = [await server.person(name) for name in ("Ann", "Bob", "Cid")]
        seats = [{"who": "me"}, {"who": "open"}, {"who": "open"}]
        table = await people[0].post("/api/tables", {"game": "labyrinth", "seats": seats})
        for person in people[1:]:
            await person.post(f"/api/tables/{table['id']}/join")
        chairs = [await server.chair(person, table, seat) for seat, person in enumerate(people)]
        for chair in chairs:
            await chair.ask("resign")
        await asyncio.gather(*(chair.ask("rematch") for chair in chairs))
        for chair in chairs:
            await chair.until(lambda chair=chair: chair.table.get("rematch"))
        assert [entry["kind"] for entry in chairs[0].log][-3:] == ["asked", "agreed", "rematch"]
