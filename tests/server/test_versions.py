"""An upgrade of the rules: old games go on by their own rules, or are closed; nothing is replayed by others."""

import asyncio
import contextlib
import re
import shutil
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest
from conftest import PEBBLES
from servers import Nonsense, open_server
from test_middleware import code_of, refused

import clew
import clew.core.commitments
from clew import IllegalMove
from clew.core import game as games
from clew.server import versions
from clew.server.client import Client, ServerError
from clew.server.clock import now_ms
from clew.server.log_entries import ChatSaid, GameStarted, MoveMade, MoveUndone, RulesChanged, TableCreated
from clew.server.maintenance import Maintenance
from clew.server.store import TableRow, open_store
from clew.server.store.base import NewTable


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'clew.db'}"
    return request.getfixturevalue("postgres")()


def write_rules(folder, version):
    """Pebbles by rules of a version; from the second on one takes at most two, of at most ten."""
    shutil.copytree(PEBBLES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "rules.py").read_text().replace("RULES = 1\n", f"RULES = {version}\n")
    if version > 1:
        text = text.replace("min(3, ", "min(2, ").replace('("heap", 5, 1, 20,', '("heap", 5, 1, 10,')
    (folder / "rules.py").write_text(text)


@pytest.fixture
def install(monkeypatch, tmp_path, interpreted):
    """Puts Pebbles by rules of a version in place of those before, as an upgrade of its package; None removes it."""
    monkeypatch.setattr(games, "HOME", tmp_path / "nothing")  # no other game is compiled beside it
    count = 0

    def install(version, *kept):
        nonlocal count
        count += 1
        package = ModuleType(f"pebbles_upgraded_{count}")
        folder = tmp_path / package.__name__
        games.named.cache_clear()
        if version is None:
            monkeypatch.setattr(games, "_plugged", dict)
            return
        write_rules(folder, version)
        for older in kept:
            write_rules(folder / f"rules_{older}", older)
            (folder / f"rules_{older}" / "rules.md").write_text("# Pebbles as it was\n")
        package.__path__, package.__file__ = [str(folder)], str(folder / "__init__.py")
        monkeypatch.setitem(sys.modules, package.__name__, package)
        point = EntryPoint("pebbles", package.__name__, "clew.games")
        monkeypatch.setattr(games, "_plugged", lambda: {"pebbles": point})

    yield install
    games.named.cache_clear()
    for name in [name for name in sys.modules if name.startswith("pebbles_upgraded_")]:
        del sys.modules[name]


@contextlib.asynccontextmanager
async def serving(tmp_path, address, cookie="", **settings):
    """A server with this database, and Ann, who may have been there before."""
    async with (
        open_server(tmp_path / "server", db=address, **settings) as server,
        Client(server.url, name="Ann", cookie=cookie) as ann,
    ):
        yield server, ann


async def three_tables(server, ann):
    """A game that goes on, in which a move was taken back; a table that waits; a game that is over."""
    two = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]
    running = await ann.post("/api/tables", {"game": "pebbles", "seats": two, "options": {"heap": 10}})
    async with ann.chair(running["id"], 0) as chair:
        await chair.move("take 1")
        await chair.ask("undo")
        await chair.move("take 2")
    waiting = await ann.post("/api/tables", {"game": "pebbles", "seats": [{"who": "me"}, {"who": "open"}]})
    over = await ann.post("/api/tables", {"game": "pebbles", "seats": two, "options": {"heap": 2}})
    async with ann.chair(over["id"], 0) as chair:
        await chair.move("take 2")
    return running["id"], waiting["id"], over["id"]


async def logs(server, tables):
    """All that is stored of tables."""
    store = server.registry.store
    return [(await store.table(table), await store.entries(table)) for table in tables]


def without_deal(record):
    return re.sub(r"^deal .*\n", "", record, flags=re.M)


async def test_a_table_by_rules_still_to_come_is_refused_in_one_sentence_and_left_alone(tmp_path, address, install):
    install(99)
    async with serving(tmp_path, address) as (server, ann):
        tables = running, waiting, over = await three_tables(server, ann)
        shown = await ann.get(f"/api/tables/{over}")
        record = await ann.get(f"/api/tables/{over}/record")
        before = await logs(server, tables)
    install(1)
    async with serving(tmp_path, address, ann.cookie) as (server, ann):
        said = "This table is for rules 99 of Pebbles, and this server has rules 1: it cannot be played here."
        for table in (running, waiting):
            assert await refused(ann.get(f"/api/tables/{table}"), 409) == said
            assert await refused(ann.post(f"/api/tables/{table}/join"), 409) == said
            assert await refused(ann.post(f"/api/tables/{table}/leave"), 409) == said
            assert await refused(ann.get(f"/api/tables/{table}/record"), 409) == said
            assert await code_of(server.url, table, {"chair": 0}, Cookie=f"clew={ann.cookie}") == 4409
            with pytest.raises(ServerError, match=said):
                async with ann.chair(table, 0):
                    pass
        assert await ann.get(f"/api/tables/{over}") == {**shown, "seats": [without_here(s) for s in shown["seats"]]}
        assert await ann.get(f"/api/tables/{over}/record") == without_deal(record)
        with pytest.raises(ServerError, match=r"by rules 99 of Pebbles, .*: its result and its record are kept"):
            async with ann.chair(over, 0):
                pass
        assert (await ann.get("/api/tables"))["tables"] == []
        mine = {table["id"]: table for table in (await ann.get("/api/tables/mine"))["tables"]}
        assert [mine[table]["state"] for table in tables] == ["playing", "waiting", "over"]
        assert {(table["title"], table["rules"]) for table in mine.values()} == {("Pebbles", 99)}
        await Maintenance(server.registry).clear_away()
        assert await logs(server, tables) == before
    install(99)
    async with serving(tmp_path, address, ann.cookie) as (server, ann):
        async with ann.chair(running, 1) as chair:
            assert chair.view["table"]["heap"] == 8
            await chair.move("take 1")
        assert await ann.get(f"/api/tables/{over}/record") == record
        assert clew.replay(without_deal(record)).record() == re.sub("^# (?!name).*\n", "", record, flags=re.M)


def without_here(seat):
    return {key: value for key, value in seat.items() if key != "here"}


async def test_a_game_by_older_rules_that_are_gone_is_closed_and_keeps_its_record(tmp_path, address, install):
    install(1)
    async with serving(tmp_path, address) as (server, ann):
        running, waiting, over = await three_tables(server, ann)
        record = await ann.get(f"/api/tables/{over}/record")
        numbers = [len(rows) for _, rows in await logs(server, (running, waiting, over))]
    install(2)
    async with serving(tmp_path, address, ann.cookie, tables_of_one=1) as (server, ann):
        for table in (running, waiting):
            shown = await ann.get(f"/api/tables/{table}")
            assert (shown["state"], shown["result"]["ended"], shown["rules"]) == ("over", "rules", 1)
            with pytest.raises(ServerError, match=r"by rules 1 of Pebbles, .*: the game was closed, and its record"):
                async with ann.chair(table, 0):
                    pass
        closed = await ann.get(f"/api/tables/{running}/record")
        assert closed.endswith("moves:\n0 take 2\n")
        assert {"rules: 1", "options: heap=10", "# name 0: A", "# ended: rules; places 1 1"} <= set(closed.splitlines())
        assert clew.core.commitments.verify(closed) == (await ann.get(f"/api/tables/{running}"))["commitment"]
        assert "never began" in await refused(ann.get(f"/api/tables/{waiting}/record"), 409)
        assert await ann.get(f"/api/tables/{over}/record") == without_deal(record)
        assert "needs rules 1" in await refused(ann.post("/api/replay", {"record": closed}), 400)
        after = [len(rows) for _, rows in await logs(server, (running, waiting, over))]
        assert after == [numbers[0] + 1, numbers[1] + 1, numbers[2]]
        fresh = await ann.post("/api/tables", {"game": "pebbles", "seats": [{"who": "me"}, {"who": "bot"}]})
        assert fresh["rules"] == 2, "tables that were closed do not count as those where she sits"
    install(1)
    assert clew.replay(closed).view(1)["table"]["heap"] == 8


async def test_a_game_goes_on_by_the_older_rules_that_its_folder_keeps(tmp_path, address, install):
    install(1)
    async with serving(tmp_path, address) as (server, ann):
        running, waiting, _ = await three_tables(server, ann)
    install(2, 1)
    async with serving(tmp_path, address, ann.cookie) as (server, ann):
        bob = await server.person("Bob")
        await bob.post(f"/api/tables/{waiting}/join")
        async with ann.chair(waiting, 0) as chair:
            assert chair.view["rules"] == 1
            assert chair.moves == ["lift", "take 1", "take 2", "take 3"]
        assert (await ann.get("/api/games/pebbles/rules?version=1"))["text"].startswith("# Pebbles as it was")
        assert (await ann.get("/api/games/pebbles/rules"))["rules"] == 2
        assert await refused(ann.get("/api/games/pebbles/rules?version=3"), 404) == "Rules 3 of Pebbles are not here."
        async with ann.chair(running, 1) as chair:
            await chair.move("take 3")
            await chair.ask("resign")
            await chair.ask("rematch")
            await chair.until(lambda: "rematch" in chair.table)
        record = await ann.get(f"/api/tables/{running}/record")
        assert "rules: 1\n" in record
        assert "deal coin 0:" in record
        steps = (await ann.post("/api/replay", {"record": record}))["steps"]
        assert [step.get("move") for step in steps] == [None, "take 2", "take 3"]
        async with ann.chair(chair.table["rematch"], 0) as chair:
            assert (chair.table["rules"], chair.view["rules"]) == (2, 2)
            assert chair.moves == ["lift", "take 1", "take 2"]


async def test_no_game_is_closed_for_kept_rules_that_have_to_be_mended(tmp_path, install):
    install(1)
    async with serving(tmp_path, "") as (server, ann):
        running, _, _ = await three_tables(server, ann)
    install(2, 1)
    rules = next(tmp_path.glob("pebbles_upgraded_2/rules_1/rules.py"))
    rules.write_text(rules.read_text().replace("RULES = 1", "RULES = 2"))
    async with serving(tmp_path, "", ann.cookie) as (_, ann):
        assert "cannot be played here" in await refused(ann.get(f"/api/tables/{running}"), 409)


async def test_a_rematch_that_the_present_rules_do_not_allow_is_refused(tmp_path, install):
    install(1)
    seats = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]
    async with serving(tmp_path, "") as (_, ann):
        table = await ann.post("/api/tables", {"game": "pebbles", "seats": seats, "options": {"heap": 15}})
    install(2, 1)
    async with serving(tmp_path, "", ann.cookie) as (_, ann), ann.chair(table["id"], 0) as chair:
        await chair.ask("resign")
        with pytest.raises(IllegalMove, match=r"rules have changed since: The option heap is .* 1 to 10, not 15\.$"):
            await chair.ask("rematch")
        assert (await chair.ask("chat", text="Pity."))["kind"] == "chat"


async def test_clearing_away_goes_on_past_tables_that_cannot_be_opened(tmp_path, address, install):
    install(99)
    async with serving(tmp_path, address) as (server, ann):
        running, waiting, over = await three_tables(server, ann)
        record = await ann.get(f"/api/tables/{over}/record")
    install(1)
    async with serving(tmp_path, address, ann.cookie) as (server, ann):
        store = server.registry.store
        _, _, broken = await three_tables(server, ann)
        await store.append(broken, Nonsense(number=len(await store.entries(broken)) + 1, at=now_ms()))
        left, _, ended = await three_tables(server, ann)
        server.registry.rooms.clear()
        server.registry.settings = replace(
            server.registry.settings, archive_days=0
        )  # what the server does by itself is done
        await wait_for_stale(store, left, ended)
        await Maintenance(server.registry).clear_away()
        await wait_for_stale(store, None, running)
        await wait_for_stale(store, None, left)
        await Maintenance(server.registry).clear_away()
        assert (await store.table(broken)).record is None
        assert (await store.table(over)).record == without_deal(record)
        assert "deal coin 0:" in (await store.table(ended)).record
        for table in (running, left):
            row = await store.table(table)
            assert row.summary["result"]["ended"] == "abandoned"
            assert "\n# ended: abandoned; places 1 1\n" in row.record
            assert await store.entries(table) == []
            assert await ann.get(f"/api/tables/{table}/record") == row.record
        assert (await store.table(running)).record.endswith("moves:\n0 take 2\n")
        assert (await store.table(waiting)).status == "waiting"


async def wait_for_stale(store, playing, over):
    """Until a moment has passed since the last entry of tables that are played, and that are over."""
    async with asyncio.timeout(20):
        for state, table in (("playing", playing), ("over", over)):
            while table and table not in await store.stale(state, now_ms()):
                await asyncio.sleep(0.01)


async def test_tables_of_a_game_that_is_not_installed_any_more_are_listed_by_its_name(tmp_path, install):
    install(1)
    async with serving(tmp_path, "") as (server, ann):
        running, waiting, over = await three_tables(server, ann)
        record = await ann.get(f"/api/tables/{over}/record")
    install(None)
    async with serving(tmp_path, "", ann.cookie) as (server, ann):
        mine = (await ann.get("/api/tables/mine"))["tables"]
        assert {table["id"] for table in mine} == {running, waiting, over}
        assert {table["title"] for table in mine} == {"pebbles"}
        said = "This table is for the game pebbles, and this server does not have it: it cannot be played here."
        assert await refused(ann.get(f"/api/tables/{running}"), 409) == said
        assert (await ann.get(f"/api/tables/{over}"))["result"]["scores"] == [1, 0]
        assert await ann.get(f"/api/tables/{over}/record") == without_deal(record)


async def test_a_clock_by_rules_that_are_not_here_does_not_ring(tmp_path, install, caplog):
    install(99)
    seats = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]
    async with serving(tmp_path, "") as (server, ann):
        table = await ann.post("/api/tables", {"game": "pebbles", "seats": seats, "clock": {"total": 10}})
    install(1)
    async with serving(tmp_path, "", ann.cookie) as (server, ann):
        await refused(ann.get(f"/api/tables/{table['id']}"), 409)
        assert (await server.registry.store.table(table["id"])).status == "playing"
    assert not [record for record in caplog.records if record.exc_info]


def a_table(**changes):
    row = TableRow(
        "t", "pebbles", 1, {"heap": 5}, 2, False, False, None, 7, "ab", "inv", 5, "playing", 5,
        {"seats": [{"kind": "person", "name": "Ann", "person": "ann"}, {"kind": "bot", "level": 2}], "result": None,
         "rematch": None},
    )  # fmt: skip
    return TableRow(**{**vars(row), **changes})


async def test_two_workers_close_a_game_once(address):
    store = await open_store(address)
    await store.create(
        NewTable(a_table(), [TableCreated(number=1, at=5, seats=[]), GameStarted(number=2, at=5)], {0: "ann"})
    )
    await asyncio.gather(*(versions.end(store, "t", "rules") for _ in range(8)))
    assert [row.kind for row in await store.entries("t")] == ["created", "started", "over"]
    row = await store.table("t")
    assert (row.status, row.summary["result"]) == ("over", {"places": [1, 1], "ended": "rules"})
    assert (await store.unfinished_rules(), await store.seated("ann")) == ([], 0)
    await store.close()


def test_a_record_from_the_log_has_the_moves_that_were_left_each_on_its_line():
    result = {"places": [2, 1], "ended": "resigned"}
    row = a_table(status="over", summary={**a_table().summary, "result": result})
    moves = ["take 1", "take\u2028 2\n", "take 3"]
    rows = [TableCreated(number=1, at=5, seats=[]), GameStarted(number=2, at=5)]
    rows += [MoveMade(number=3 + i, at=5, seat=i % 2, move=move) for i, move in enumerate(moves)]
    rows += [
        MoveUndone(number=6, at=5, seat=0),
        ChatSaid(number=7, at=5, seat=0, text=""),
        MoveMade(number=8, at=5, seat=0, move="lift"),
    ]
    assert versions.record(row, rows) == (
        "clew-record 1\n"
        f"# commitment: {clew.core.commitments.commitment(7, 'ab')}\n"
        "# salt: ab\n# seat 0: person\n# seat 1: level:2\n# ended: resigned; places 2 1\n"
        "# name 0: Ann\n# name 1: Red\n"
        "game: pebbles\nrules: 1\noptions: heap=5\nplayers: 2\nseed: 7\nmoves:\n0 take 1\n1 take 2\n0 lift\n"
    )
    assert versions.record(row, rows[:1]) is None


def test_a_record_from_the_log_leaves_out_moves_that_changed_rules_did_not_keep():
    row = a_table(status="over", summary={**a_table().summary, "result": {"places": [2, 1], "ended": "resigned"}})
    rows = [TableCreated(number=1, at=5, seats=[]), GameStarted(number=2, at=5)]
    rows += [MoveMade(number=3 + i, at=5, seat=i % 2, move=f"take {i}") for i in range(3)]
    rows += [
        RulesChanged(number=6, at=5, moves=3, error="a mistake"),
        RulesChanged(number=7, at=5, moves=3, kept=1),
        MoveMade(number=8, at=5, seat=1, move="lift"),
    ]
    assert versions.record(row, rows).endswith("moves:\n0 take 0\n1 lift\n")
