"""The lab for the page: figures as they settle, bounded, stopped with who waits, and off where others come."""

import asyncio
import json
import subprocess
import sys

import pytest
from servers import open_server

import clew
from clew.core.game import load
from clew.lab.simulation import Play
from clew.server.client import ServerError
from clew.server.configuration import read
from clew.server.lab import switched_on
from clew.server.settings import Settings

SHORT = {"game": "cardtracks", "levels": ["random"], "games": 150, "seed": 5}
LONG = {"game": "cardtracks", "levels": ["level:3"], "games": 20_000}


def lines(answer):
    return [json.loads(line) for line in answer.splitlines()]


async def test_figures_settle_as_more_games_are_played(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        assert (await ann.get("/api/lab"))["on"]
        found = [line for line in lines(await ann.post("/api/lab", SHORT)) if "report" in line]
        assert [line["report"]["runs"][0]["games"] for line in found] == [40, 120, 150]
        assert [line["final"] for line in found] == [False, False, True]
        assert found[-1]["words"]["sentences"]
        assert "sums" not in found[-1]["report"]["runs"][0]
        alone = clew.lab("cardtracks", 150, seed=5, bots="random", measures=["seats"]).json()["runs"][0]["measures"]
        assert alone[0] in found[-1]["report"]["runs"][0]["measures"]


async def test_two_variants_are_compared_side_by_side(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        vary = {"option": "track_length", "values": [5, 4]}
        found = lines(await ann.post("/api/lab", {**SHORT, "vary": vary}))[-1]
        (one,) = found["report"]["comparisons"]
        assert (one["base"], one["other"], one["games"]) == (5, 4, 150)
        assert len(found["words"]["changes"]) == 1


async def test_a_game_behind_a_figure_is_dealt_and_played_again(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        asked = {"game": "cardtracks", "level": "level:1", "number": 7, "seed": 5}
        text = await ann.post("/api/lab/record", asked)
        assert text == Play(load("cardtracks"), None, {}, 5, "level:1").record(7)


@pytest.mark.parametrize(
    ("wish", "status", "said"),
    [
        ({"game": "chess"}, 404, "There is no game"),
        ({"game": "./examples/kites"}, 404, "There is no game"),  # whose code would be run
        ({"games": 0}, 422, "games"),
        ({"games": 10**9}, 422, "games"),
        ({"levels": ["level:9"]}, 422, "levels"),
        ({"levels": []}, 422, "levels"),
    ],
)
async def test_what_cannot_be_played_is_refused_before_a_process_is_made(tmp_path, monkeypatch, wish, status, said):
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)
    async with open_server(tmp_path) as server:
        ann = await server.person()
        with pytest.raises(ServerError) as refused:
            await ann.post("/api/lab", {**SHORT, **wish})
        assert refused.value.status == status
        assert said in str(refused.value)


async def test_an_option_that_there_is_not_is_told_in_a_sentence(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        (said,) = lines(await ann.post("/api/lab", {**SHORT, "options": {"nonsense": 1}}))
        assert "nonsense" in said["error"]


async def test_it_plays_for_one_at_a_time_and_stops_when_nobody_waits(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        body = json.dumps(LONG).encode()
        where = server.url.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*where.split(":"))
        head = f"POST /api/lab HTTP/1.1\r\nHost: {where}\r\nX-Clew: 1\r\nCookie: clew={ann.cookie}\r\n"
        writer.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        while not (await reader.readline()).startswith(b"{"):
            assert not reader.at_eof()
        with pytest.raises(ServerError, match="in use") as refused:
            await ann.post("/api/lab", SHORT)
        assert refused.value.status == 429
        writer.close()
        for _ in range(100):
            try:
                assert lines(await ann.post("/api/lab", {**SHORT, "games": 1}))[-1]["final"]
                return
            except ServerError:
                await asyncio.sleep(0.1)
        pytest.fail("The lab went on without anybody.")


def test_the_process_ends_with_the_server():
    child = subprocess.Popen([sys.executable, "-m", "clew.lab.live"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    more = {"folders": [], "players": None, "options": {}, "seed": 1, "seconds": 600, "threads": 1, "vary": None}
    child.stdin.write(json.dumps({**LONG, **more}).encode() + b"\n")
    child.stdin.flush()
    assert child.stdout.readline()
    child.stdin.close()
    assert child.wait(30) == 0


async def test_it_can_be_switched_off(tmp_path):
    async with open_server(tmp_path, lab=False) as server:
        ann = await server.person()
        assert not (await ann.get("/api/lab"))["on"]
        for path, asked in (
            ("/api/lab", SHORT),
            ("/api/lab/record", {"game": "cardtracks", "level": "random", "number": 0}),
        ):
            with pytest.raises(ServerError, match="switched off") as refused:
                await ann.post(path, asked)
            assert refused.value.status == 404


def test_it_is_on_where_only_this_machine_can_reach_the_server():
    assert switched_on(Settings())
    assert switched_on(Settings(host="::1"))
    for settings in ({"host": "0.0.0.0"}, {"host": "192.168.1.5"}, {"behind_proxy": True}, {"root_path": "/clew"}):
        assert not switched_on(Settings(**settings))
        assert switched_on(Settings(**settings, lab=True))
    assert not switched_on(Settings(lab=False))
    assert read({}, None, {"CLEW_LAB": "false"}).lab is False
    assert read({"lab": True}, None, {}).lab is True
