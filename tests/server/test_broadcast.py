"""What a move costs the server: what is alike for all is made once, and what nobody sees is not made."""

from collections import Counter

import pytest
from servers import open_server

from clew.core.game import load
from clew.core.table import Table


@pytest.fixture
def work(monkeypatch):
    """How often the dear parts of telling are done."""
    done = Counter()
    words = load("palaces").words

    def counted(where, name):
        function = getattr(where, name)

        def count(*arguments, **more):
            done[name] += 1
            return function(*arguments, **more)

        monkeypatch.setattr(where, name, count)

    for name in ("describe", "tell"):
        counted(words, name)
    counted(Table, "written_moves")
    return done


async def test_the_table_is_described_once_for_all_chairs_and_all_who_watch(tmp_path, work):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two("palaces")
        eve = await server.person("Eve")
        watching = [await server.chair(eve, table, None) for _ in range(5)]
        await ann.until(lambda: ann.view)
        mover = (ann, bob)[ann.view["to_move"][0]]
        await mover.turn()
        work.clear()
        entry = await mover.move(mover.moves[0])
        for chair in (ann, bob, *watching):
            await chair.until(lambda chair=chair: chair.log[-1]["number"] == entry["number"])
        assert work == {"describe": 1, "tell": 3, "written_moves": 1}  # the words differ: you, the other, a watcher


async def test_moves_are_looked_for_only_if_somebody_sees_them(tmp_path, work):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]})
        await bob.post(f"/api/tables/{table['id']}/join")
        first = await server.chair(ann, table, 0)
        await first.until(lambda: first.view)
        if not first.moves:
            async with bob.chair(table["id"], 1) as other:
                await other.move(other.moves[0])
            await first.turn()
        work.clear()
        await first.move(first.moves[0])
        await first.until(lambda: first.view["to_move"] == [1])
        assert work["written_moves"] == 0
