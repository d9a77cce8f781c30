"""Lists of tables: one's own, page by page, with whose turn it is, since when, and how it ended."""

import pytest
from servers import Nonsense, level, open_server

from clew.server.client import ServerError
from clew.server.clock import now_ms
from clew.server.maintenance import Maintenance
from clew.server.registry import PAGE


async def give_up(person, table):
    await person.post(f"/api/tables/{table['id']}/leave", {})


async def test_a_running_game_tells_whose_turn_it_is_and_since_when(tmp_path):
    async with open_server(tmp_path) as server:
        _, *chairs = await server.two("palaces")
        people = [chair.client for chair in chairs]
        since = 1_600_000_000_000
        for _ in range(4):
            listed = [(await who.get("/api/tables/mine?state=running"))["tables"][0] for who in people]
            (turn,) = chairs[0].view["to_move"]
            assert [one["turn"] for one in listed] == [[turn], [turn]]
            assert listed[0]["since"] == listed[1]["since"] >= since
            since = listed[0]["since"]
            await chairs[turn].move(chairs[turn].moves[0])
            await level(*chairs)
        await chairs[0].ask("chat", text="Hello")
        assert (await people[0].get("/api/tables/mine"))["tables"][0]["since"] >= since


async def test_a_table_that_waits_has_no_turn(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]})
        listed = (await ann.get("/api/tables/mine?state=running"))["tables"][0]
        assert (listed["state"], listed.get("turn", [])) == ("waiting", [])


async def test_all_finished_games_are_listed_page_by_page(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        made = []
        for _ in range(PAGE + 3):
            made.append(await ann.post("/api/tables", {"game": "cardtracks", "seats": seats}))
            await give_up(ann, made[-1])
        running = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        first = await ann.get("/api/tables/mine?state=over")
        second = await ann.get("/api/tables/mine?state=over&page=1")
        third = await ann.get("/api/tables/mine?state=over&page=2")
        assert [len(page["tables"]) for page in (first, second, third)] == [PAGE, 3, 0]
        assert [page.get("more", False) for page in (first, second, third)] == [True, False, False]
        listed = [table["id"] for page in (first, second) for table in page["tables"]]
        assert sorted(listed) == sorted(table["id"] for table in made)
        ended = [table["since"] for page in (first, second) for table in page["tables"]]
        assert ended == sorted(ended, reverse=True)
        assert all(table["result"]["places"] == [2, 1] for table in first["tables"])
        assert [table["id"] for table in (await ann.get("/api/tables/mine?state=running"))["tables"]] == [running["id"]]
        everything = (await ann.get("/api/tables/mine"))["tables"]
        assert everything[0]["id"] == running["id"]
        assert len(everything) == PAGE


async def test_a_table_that_cannot_be_opened_does_not_hide_the_others(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]  # no bot, which could write at the same time
        tables = [await ann.post("/api/tables", {"game": "cardtracks", "seats": seats}) for _ in range(2)]
        for room in server.registry.rooms.values():
            room.close()
        server.registry.rooms.clear()
        store = server.registry.store
        number = len(await store.entries(tables[0]["id"])) + 1
        await store.append(tables[0]["id"], Nonsense(number=number, at=now_ms()))
        listed = (await ann.get("/api/tables/mine?state=running"))["tables"]
        assert {one["id"] for one in listed} == {one["id"] for one in tables}


async def test_a_game_whose_log_was_cleared_away_is_still_listed(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        await give_up(ann, table)
        await Maintenance(server.registry)._archive(table["id"], (await server.registry.room(table["id"])).state.number)
        listed = (await ann.get("/api/tables/mine?state=over"))["tables"]
        assert [one["id"] for one in listed] == [table["id"]]
        assert (await ann.get(f"/api/tables/{table['id']}/record")).startswith("clew-record 1")


@pytest.mark.parametrize("query", ["state=odd", "page=-1", "page=x", "page=99999999999"])
async def test_a_page_that_cannot_be_is_refused(tmp_path, query):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        with pytest.raises(ServerError) as refused:
            await ann.get(f"/api/tables/mine?{query}")
        assert refused.value.status == 422


async def test_who_waits_can_add_a_bot_or_give_the_table_up(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person(), await server.person()
        seats = [{"who": "me"}, {"who": "open"}, {"who": "open"}]
        table = await ann.post("/api/tables", {"game": "labyrinth", "seats": seats})
        path = f"/api/tables/{table['id']}"
        with pytest.raises(ServerError, match="Only who sits"):
            await bob.post(f"{path}/bots", {"seat": 1})
        with pytest.raises(ServerError, match="not open"):
            await ann.post(f"{path}/bots", {"seat": 0})
        with pytest.raises(ServerError, match="not open"):
            await ann.post(f"{path}/bots", {"seat": 9})
        chair = await server.chair(ann, table, 0)
        shown = await ann.post(f"{path}/bots", {"seat": 2, "level": 4})
        assert (shown["state"], shown["seats"][2]["kind"], shown["seats"][2]["level"]) == ("waiting", "bot", 4)
        shown = await ann.post(f"{path}/bots", {"seat": 1, "level": 1})
        assert shown["state"] == "playing"
        await chair.turn()
        assert "Fox sits down." in [entry.get("text") for entry in chair.log]
        other = await ann.post("/api/tables", {"game": "labyrinth", "seats": seats})
        assert (await ann.post(f"/api/tables/{other['id']}/leave", {}))["state"] == "over"
        assert other["id"] not in [one["id"] for one in (await bob.get("/api/tables"))["tables"]]
