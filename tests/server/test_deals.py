"""Tables are dealt by ChaCha20 from seed and salt, and those of older releases as before: from the seed alone."""

import contextlib
import re
import sqlite3

import pytest
from servers import level, open_server

import clew
from clew import BadRecord
from clew.cli import main
from clew.core.commitments import commitment, verify
from clew.server import versions
from clew.server.client import Client
from clew.server.log_entries import GameStarted, TableCreated
from clew.server.store import TableRow

TWO = [{"who": "me", "name": "Ann"}, {"who": "me", "name": "Bob"}]
BOT = [{"who": "me"}, {"who": "bot", "level": 1}]
GENERATOR = re.compile(r"^generator: chacha20 ([0-9a-f]{32})$", re.M)


async def given_up(server, ann, table, moves=6):
    """The record of a game of two chairs after some moves, when one has given up; and the chair."""
    chairs = [await server.chair(ann, table, seat) for seat in (0, 1)]
    for _ in range(moves):
        await level(*chairs)
        mover = next(chair for chair in chairs if chair.moves)
        await mover.move(mover.moves[0])
    await chairs[0].ask("resign")
    return await ann.get(f"/api/tables/{table['id']}/record"), chairs[0]


async def played_on(server, ann, record):
    """The record of a game that begins with four moves of another one, and the row of its table."""
    wish = {"game": "palaces", "seats": BOT, "continues": {"record": record, "at": 4}}
    table = await ann.post("/api/tables", wish)
    await (await server.chair(ann, table, 0)).ask("resign")
    return await ann.get(f"/api/tables/{table['id']}/record"), await server.registry.store.table(table["id"])


async def test_a_table_is_dealt_from_its_seed_and_its_salt(tmp_path, capsys):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", {"game": "ariadne", "seats": TWO})
        record, chair = await given_up(server, ann, table)
    opened = chair.table["opened"]
    assert GENERATOR.search(record)[1] == opened["salt"]
    dealt = clew.replay(record)
    assert (str(dealt.seed), dealt.salt) == (opened["seed"], opened["salt"])
    assert clew.new("ariadne", seed=dealt.seed).deal_lines() != dealt.deal_lines()
    assert clew.new("ariadne", seed=dealt.seed, salt=dealt.salt).deal_lines() == dealt.deal_lines()

    file = tmp_path / "game.clew"
    file.write_text(record)
    assert main(["replay", str(file), "--verify"]) == 0
    assert table["commitment"] in capsys.readouterr().out.replace("\n", "")
    other = ("0" if dealt.salt[0] != "0" else "1") + dealt.salt[1:]
    in_the_header = record.replace(f"chacha20 {dealt.salt}", f"chacha20 {other}")
    promise = (f"# commitment: {table['commitment']}", f"# commitment: {commitment(dealt.seed, other)}")
    everywhere = record.replace(dealt.salt, other).replace(*promise)
    for tampered in (in_the_header, everywhere, GENERATOR.sub("# nothing", record)):
        file.write_text(tampered)
        assert main(["replay", str(file), "--verify"]) == 2
        assert "is not what the seed deals" in capsys.readouterr().err
    for tampered in (in_the_header, record.replace(f"# salt: {dealt.salt}", f"# salt: {other}")):
        with pytest.raises(BadRecord, match="not the one that was promised"):
            verify(tampered)


async def test_a_table_of_an_older_release_goes_on_as_it_was_dealt(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", {"game": "palaces", "seats": TWO})
    with contextlib.closing(sqlite3.connect(tmp_path / "clew.db")) as database, database:
        database.execute("UPDATE tables SET seed = '7'")
        database.execute("""UPDATE entries SET data = json_remove(data, '$.deal_salt') WHERE kind = 'created'""")
    async with open_server(tmp_path) as server, Client(server.url, cookie=ann.cookie) as ann:
        record, chair = await given_up(server, ann, table)
        assert "generator:" not in record
        assert "deal hand 0: Z1 P3 P8 ZX ZA K3 M5 K4\n" in record  # as in docs/example.clew
        assert clew.replay(record).salt is None
        assert verify(record) == commitment(7, chair.table["opened"]["salt"])
        continued, _ = await played_on(server, ann, record)
        assert "generator:" not in continued
        assert clew.replay(continued).deal_lines() == clew.replay(record).deal_lines()
        await chair.ask("rematch")
        await chair.until(lambda: chair.table.get("rematch"))
        after, _ = await given_up(server, ann, {"id": chair.table["rematch"]})
        assert GENERATOR.search(after)


async def test_a_game_that_is_played_on_keeps_the_generator_of_its_record(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", {"game": "palaces", "seats": TWO})
        record, _ = await given_up(server, ann, table)
        again, row = await played_on(server, ann, record)
        assert GENERATOR.search(again)[1] == GENERATOR.search(record)[1]
        assert clew.replay(again).deal_lines() == clew.replay(record).deal_lines()
        assert "# commitment" not in again
        assert row.salt not in record  # it gives the bot its numbers, and nobody knows them


@pytest.mark.parametrize(
    ("created", "line"), [({}, ""), ({"deal_salt": None}, ""), ({"deal_salt": "ab"}, "generator: chacha20 ab\n")]
)
def test_a_record_from_the_log_alone_names_the_generator(created, line):
    seats = [{"kind": "person", "name": "Ann", "person": "ann"}, {"kind": "bot", "level": 2}]
    summary = {"seats": seats, "result": {"places": [2, 1], "ended": "resigned"}, "rematch": None}
    row = TableRow("t", "gone", 1, {}, 2, False, False, None, 7, "ab", "inv", 5, "over", 5, summary)
    record = versions.record(row, [TableCreated(number=1, at=5, seats=[], **created), GameStarted(number=2, at=5)])
    assert f"seed: 7\n{line}moves:\n" in record
    assert verify(record) == commitment(7, "ab")
    continued = versions.record(
        row, [TableCreated(number=1, at=5, seats=[], continued=3, **created), GameStarted(number=2, at=5)]
    )
    assert "# commitment" not in continued
