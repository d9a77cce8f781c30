"""Assistants at the table: the SDK's own client plays through the tools, and learns what its chair sees."""

import asyncio
import contextlib
import importlib
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from two_worlds import CHAIR, two_worlds

import clew
from clew.adapters import mcp as door
from clew.adapters.mcp import chair as chairs
from clew.adapters.mcp import serving
from clew.adapters.mcp.chair import LocalChair
from clew.adapters.mcp.guest import read_link
from clew.adapters.mcp.tables import Held, Tables
from clew.adapters.mcp.tools import make_server
from clew.core import commitments
from clew.core.errors import ClewError
from clew.core.game import load
from clew.core.table import Table, new_from_deal

sys.path.append(str(Path(__file__).parents[1] / "server"))
servers = importlib.import_module("servers")

PEBBLES = Path(__file__).parents[1] / "core" / "pebbles"
ANSWERED = {
    "list_games",
    "read_rules",
    "open_table",
    "join_table",
    "leave_table",
    "look",
    "list_moves",
    "hint",
    "history",
}
ANSWERED |= {"record", "replay", "play", "undo", "wait_for_turn"}


def test_a_server_and_its_client_need_no_network():
    async def story():
        async with Client(make_server(Tables())) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == ANSWERED
            found = await call(client, "list_games")
            assert {game["name"] for game in found["games"]} == set(clew.games())
            assert (await call(client, "read_rules", game="palaces"))["text"].startswith("# The Lost Palaces")
            rule = (await call(client, "read_rules", game="palaces", rule="pal-08"))["text"]
            assert rule.startswith("- **PAL-08**")
            assert rule.count("PAL-") == 1

    asyncio.run(story())


async def call(client, tool, **arguments):
    """The data of an answer; its words are in it, too."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content[0].text
    assert answer.structured_content["text"] == answer.content[0].text
    return answer.structured_content


async def refused(client, tool, **arguments):
    """The sentence of a refusal, with its data."""
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error, answer
    assert "\n" not in answer.content[0].text
    return answer.content[0].text, answer.structured_content


async def whole_game(client, game, rng, **wish):
    """Play through the tools to the end, with refused moves on the way; the record."""
    opened = await call(client, "open_table", game=game, level=1, **wish)
    table, state, moves, tries = opened["table"], opened, 0, 0
    assert "seed" not in json.dumps(opened)
    while not state["over"]:
        assert state["your_turn"]
        listed = await call(client, "list_moves", table=table)
        written = rng.choice(listed["moves"])
        if moves < 12:
            tries += await refusals(client, game, table, rng)
        if moves == 3:
            hinted = await call(client, "hint", table=table, level=1)
            assert hinted["moves"][0]["words"] in hinted["text"]
        state = await call(client, "play", table=table, move=written["move"])
        moves += 1
    assert tries >= min(moves, 12)
    assert (await refused(client, "play", table=table, move=written["move"]))[0].startswith("The game is over")
    record = (await call(client, "record", table=table))["record"]
    assert str(clew.replay(record).outcome) in record
    assert commitments.verify(record) == opened["commitment"]
    return record, state


async def refusals(client, game, table, rng):
    """Moves that may not be made change nothing; how many of them named a rule of the game."""
    before = await client.call_tool("look", {"table": table})
    fresh = clew.new(game, seed=rng.randrange(1000))
    named = 0
    for move in ["nonsense", *(str(move) for move in fresh.legal_moves(fresh.to_move[0])[:2])]:
        listed = await call(client, "list_moves", table=table, containing=move)
        if not listed["all"] or any(one["move"] == move for one in listed["moves"]):
            continue
        said, data = await refused(client, "play", table=table, move=move)
        assert data["rule"]
        assert said == f"{data['reason']} ({data['rule']})"
        named += 1
    assert "The record has the whole deal" in (await refused(client, "record", table=table))[0]
    assert await client.call_tool("look", {"table": table}) == before
    return named + 1


@pytest.mark.parametrize("game", clew.games())
def test_a_whole_game_of_each_is_played_through_the_tools(game):
    async def story():
        async with Client(make_server(Tables(seed=5))) as client:
            record, state = await whole_game(client, game, random.Random(5), seat=len(game) % 2, names=["Ann", "Bob"])
            told = await call(client, "replay", record=record, step=1, steps=3, seat=0)
            assert [one["number"] for one in told["told"]] == [1, 2, 3]
            assert told["view"]["seat"] == 0
            assert state["view"]["outcome"]["places"] == list(clew.replay(record).outcome.places)
            assert {"Ann", "Bob"} == set(state["names"])

    asyncio.run(story())


@pytest.mark.slow
def test_a_whole_game_over_standard_input_and_output():
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "clew", "mcp", "--seed", "1"], env=dict(os.environ)
    )

    async def story():
        async with Client(stdio_client(server)) as client:
            assert "nothing else" in client.instructions
            await whole_game(client, "cardtracks", random.Random(1))

    asyncio.run(story())


@pytest.mark.slow
def test_a_whole_game_over_http_on_loopback_alone():
    command = [sys.executable, "-m", "clew", "mcp", "--http", "127.0.0.1:0", "--seed", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        try:
            url = re.search(r"http://127\.0\.0\.1:\d+/mcp", child.stderr.readline())[0]

            async def story():
                async with Client(url) as client:
                    await whole_game(client, "cardtracks", random.Random(2))
                    link = "http://127.0.0.1:9/t/abc#def"
                    assert "--server names those" in (await refused(client, "join_table", link=link))[0]

            asyncio.run(story())
        finally:
            child.terminate()
            child.wait(10)


def test_a_guest_at_a_running_server(tmp_path):
    async def story():
        async with servers.open_server(tmp_path) as server, Client(make_server(Tables())) as client:
            ann = await server.person("Ann")
            seats = [{"who": "me"}, {"who": "open"}]
            table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats, "private": True})
            link = f"{server.url}/t/{table['id']}#{table['invite']}"
            said = await refused(client, "join_table", link=link.replace(table["invite"], "other"))
            assert "This table is private" in said[0]
            joined = await call(client, "join_table", link=link, name="Robin")
            chair = await server.chair(ann, table, 0)
            assert joined["names"] == ["Ann", "Robin"]
            assert "Robin on seat 1" in joined["text"]
            await asyncio.gather(servers.play_on(chair), guest(client, joined["table"]))
            record = (await call(client, "record", table=joined["table"]))["record"]
            assert clew.replay(record).outcome.places == tuple(chair.table["result"]["places"])
            assert "Step" not in (await call(client, "replay", table=joined["table"], steps=2))["text"]
            await call(client, "leave_table", table=joined["table"])
            assert "There is no table" in (await refused(client, "look", table=joined["table"]))[0]

    asyncio.run(asyncio.wait_for(story(), 120))


async def guest(client, table):
    """Play on, the first move of the list each time."""
    state, asked = await call(client, "wait_for_turn", table=table), False
    while not state["over"]:
        if not state["your_turn"]:
            state = await call(client, "wait_for_turn", table=table, seconds=60)
            continue
        listed = await call(client, "list_moves", table=table)
        assert listed["moves"][0]["words"] != listed["moves"][0]["move"]
        if not asked:
            asked = True
            said, data = await refused(client, "play", table=table, move="nonsense")
            assert data["rule"] == "COM-06"
            assert "nonsense" in said
            assert (await call(client, "look", table=table))["view"] == state["view"]
            assert (await call(client, "hint", table=table, level=1))["moves"]
        state = await call(client, "play", table=table, move=listed["moves"][0]["move"])


# Secrecy


class Scripted:
    """A bot that makes the moves it is told to, whatever it sees."""

    def __init__(self, moves):
        self.moves = iter(moves)

    def choose(self, view):
        return next(self.moves)


async def transcript(game, deal, moves):
    """All that the tools answer to a chair in one world, byte by byte, over a whole game."""
    table = new_from_deal(load(game), 2, None, deal)
    chair = LocalChair(table, CHAIR, 1, "luck", "promise")
    chair._bots = {1 - CHAIR: Scripted(move for seat, move in moves if seat != CHAIR)}
    tables, said = Tables(), []
    name = "the-table"
    tables._held[name] = Held(chair)
    said.append((await chair.open()).text)
    async with Client(make_server(tables)) as client:

        async def ask(tool, **arguments):
            answer = await client.call_tool(tool, {"table": name, **arguments})
            said.append(answer.model_dump_json())

        for at, (seat, move) in enumerate(moves):
            if seat != CHAIR:
                continue
            for tool in ("look", "list_moves", "history", "record", "undo", "wait_for_turn", "replay"):
                await ask(tool)
            if at < 8:
                await ask("hint", level=1)
                for other in ["nonsense", *(str(one) for one in clew.new(game, seed=at).legal_moves()[:3])]:
                    with contextlib.suppress(ClewError):
                        table.judge(other, CHAIR)
                        continue
                    await ask("play", move=other)
            await ask("play", move=move)
            before = table.length
            await ask("undo")
            if table.length < before:  # the chair moves again, and what it did showed nobody anything
                await ask("play", move=move)
    assert table.outcome is not None
    return said


@pytest.mark.parametrize("game", clew.games())
def test_two_worlds_that_a_chair_cannot_tell_apart_give_the_same_bytes(game):
    deals, moves = two_worlds(game)
    one, other = (asyncio.run(transcript(game, deal, moves)) for deal in deals)
    assert len(one) > len(moves)
    assert one == other


def test_a_planted_leak_is_caught(monkeypatch):
    honest = Table.view
    deals, moves = two_worlds("palaces")
    monkeypatch.setattr(
        Table, "view", lambda self, *given, **more: honest(self, *given, **more) | {"leak": self.deal_lines()}
    )
    one, other = (asyncio.run(transcript("palaces", deal, moves)) for deal in deals)
    assert one != other


def test_no_assistant_chooses_or_sees_a_deal_it_plays():
    async def story():
        async with Client(make_server(Tables())) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools["open_table"].input_schema["properties"]) == {
                *("game", "players", "options", "seat", "level", "names")
            }
            await call(client, "open_table", game="palaces", level=1)

    asyncio.run(story())
    secrets = [chairs.secret_deal(None, 0) for _ in range(2)]
    assert secrets[0] != secrets[1]
    assert chairs.secret_deal(7, 0) == chairs.secret_deal(7, 0)
    assert len({chairs.secret_deal(seed, number) for seed in (7, 8) for number in range(50)}) == 100
    seed, salt = chairs.secret_deal(7, 0)
    assert seed.bit_length() > 200
    assert len(salt) == 32


def test_the_operators_seed_deals_the_same_games_again():
    async def opened():
        tables = Tables(seed=11)
        first, second = [await tables.open("palaces", None, None, 0, 1, None) for _ in range(2)]
        return [answer.data["commitment"] for _, answer in (first, second)]

    one, other = asyncio.run(opened()), asyncio.run(opened())
    assert one == other
    assert len(set(one)) == 2


# What does not make sense


def test_what_cannot_be_asked_is_refused_in_a_sentence():
    async def story():
        async with Client(make_server(Tables(seed=3, hints=False))) as client:
            opened = await call(client, "open_table", game="palaces", level=1)
            table = opened["table"]
            for tool, arguments, said in (
                ("open_table", {"game": "chess"}, "There is no game 'chess'"),
                ("open_table", {"game": "palaces", "players": 3}, "is for 2 players, not 3"),
                ("open_table", {"game": "palaces", "options": {"speed": 1}}, "has no option 'speed'"),
                ("open_table", {"game": "palaces", "seat": 2}, "There is no seat 2"),
                ("open_table", {"game": "palaces", "seat": 1, "level": 9}, "There is no level 9"),
                ("open_table", {"game": "palaces", "names": ["Ann"]}, "Names are a list of one for each"),
                ("look", {"table": "elsewhere"}, "There is no table 'elsewhere' here"),
                ("list_moves", {"table": table, "page": 7}, "There is no page 7"),
                ("hint", {"table": table}, "Hints are switched off"),
                ("undo", {"table": table}, "take it back"),
                ("replay", {}, "of a table or of a record"),
                ("replay", {"record": "nonsense"}, "A record begins with"),
                ("replay", {"table": table}, "The record has the whole deal"),
                ("read_rules", {"game": "palaces", "rule": "PAL-99"}, "has no rule 'PAL-99'"),
                ("join_table", {"link": "file:///etc/passwd"}, "An invite link looks like"),
                ("join_table", {"link": "http://127.0.0.1:1/t/abc#def"}, "127.0.0.1:1"),
            ):
                assert said in (await refused(client, tool, **arguments))[0]
            assert (await call(client, "look", table=table))["view"] == opened["view"]
            assert (await client.call_tool("play", {"table": table})).is_error  # in the SDK's own manner
            assert (await client.call_tool("deal", {})).is_error

    asyncio.run(story())


def test_a_move_that_showed_nothing_is_taken_back(monkeypatch, interpreted):
    monkeypatch.setattr(LocalChair, "_answer", lambda self: None)  # the other is still thinking

    async def story():
        chair = LocalChair(clew.new(PEBBLES, seed=1), 0, 1, "luck")
        before = await chair.look()
        assert not (await chair.play("take 2")).data["your_turn"]
        assert (await chair.undo()).data == before.data
        await chair.play("lift")
        with pytest.raises(ClewError, match="shown something new"):
            await chair.undo()

    asyncio.run(story())


def test_long_lists_have_pages_and_can_be_searched():
    from clew.adapters.mcp.answers import PAGE, ListedMove, page_of_moves

    moves = [ListedMove(f"m{i}", f"lay {'gold' if i % 50 == 0 else 'stone'} {i}") for i in range(2 * PAGE + 5)]
    pages = [page_of_moves(moves, page, "", True) for page in (1, 2, 3)]
    assert [one["move"] for page in pages for one in page.data["moves"]] == [one.move for one in moves]
    assert [one["move"] for one in page_of_moves(moves, 1, "GOLD", True).data["moves"]] == ["m0", "m50", "m100"]
    assert "there are others" in page_of_moves(moves, 1, "", False).text


def test_finished_tables_make_room_for_new_ones(monkeypatch):
    monkeypatch.setattr("clew.adapters.mcp.tables.MOST", 2)

    async def story():
        tables = Tables()
        for _ in range(2):
            await tables.open("cardtracks", None, None, 0, 1, None)
        with pytest.raises(ClewError, match="none of them is finished"):
            await tables.open("cardtracks", None, None, 0, 1, None)
        first = next(iter(tables._held))
        table = tables.chair(first).table
        while table.to_move:
            table.play(table.legal_moves(table.to_move[0])[0], table.to_move[0])
        await tables.open("cardtracks", None, None, 0, 1, None)
        assert first not in tables._held

    asyncio.run(story())


@pytest.mark.parametrize(
    ("link", "servers", "allowed"),
    [
        ("http://table.example/t/a-b#c", None, True),
        ("http://table.example/t/a-b#c", [], False),
        ("http://table.example:80/t/a-b#c", ["http://table.example"], True),
        ("http://table.example:81/t/a-b#c", ["http://table.example"], False),
        ("https://table.example/under/t/a-b", ["https://table.example/"], True),
        ("http://table.example.evil/t/a-b#c", ["http://table.example"], False),
    ],
)
def test_guests_go_only_to_servers_that_the_operator_allows(link, servers, allowed):
    if allowed:
        assert read_link(link, servers)[0] == link.partition("/t/")[0]
    else:
        with pytest.raises(ClewError, match="not for guests"):
            read_link(link, servers)


def test_only_this_machine_comes_in_unless_it_is_said():
    assert serving.read_address("8900", False) == ("127.0.0.1", 8900)
    assert serving.read_address("localhost:8900", False) == ("127.0.0.1", 8900)
    for text, said in (("0.0.0.0:80", "--public"), ("here:80", "number of a host"), ("127.0.0.1:x", "HOST:PORT")):
        with pytest.raises(ClewError, match=said):
            serving.read_address(text, False)
    assert serving.read_address("0.0.0.0:80", True) == ("0.0.0.0", 80)


def test_without_the_extra_one_sentence_says_so(monkeypatch, capsys):
    from clew.cli import main

    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 2
    assert capsys.readouterr().err == f"{door.MISSING}\n"


def test_help_loads_nothing_of_it():
    code = "import sys; from clew.cli import main; main(['--help']); sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0
