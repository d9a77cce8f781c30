"""Who is let in: identities, invitations, foreign sites, limits; and what an error says."""

import asyncio
import contextlib
import stat

import msgspec
import pytest
from servers import open_server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from clew import IllegalMove
from clew.core.errors import ClewError
from clew.server.client import Client, ServerError
from clew.server.identity import BadName, Signer, read_name, read_secret

TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}


async def refused(awaitable, status=None):
    with pytest.raises(ServerError) as caught:
        await awaitable
    assert status is None or caught.value.status == status
    assert str(caught.value).endswith(".")
    assert "Traceback" not in str(caught.value)
    return str(caught.value)


async def code_of(url, table, hello=None, **headers):
    """The code that a WebSocket is closed with."""
    async with connect(f"{url.replace('http', 'ws')}/api/tables/{table}/play", additional_headers=headers) as socket:
        if hello is not None:
            await socket.send(msgspec.json.encode({"type": "hello", "version": 1, **hello}).decode())
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.wait_for(socket.recv(), 10)
        return socket.close_code


async def test_every_request_that_is_refused_says_why(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        wrong = {
            "There is no game 'chess'": {"game": "chess", "seats": [{"who": "me"}, {"who": "open"}]},
            "is for 2 players, not 1": {"game": "palaces", "seats": [{"who": "me"}]},
            "has no option 'colour'": {**TWO, "options": {"colour": "red"}},
            "The option edition is classic": {**TWO, "options": {"edition": "new"}},
            "either move or total": {**TWO, "clock": {}},
            "increment goes with total": {**TWO, "clock": {"move": 30, "increment": 3}},
            "seats.1.level": {"game": "palaces", "seats": [{"who": "me"}, {"who": "bot", "level": 9}]},
            "sits there": {"game": "palaces", "seats": [{"who": "open"}, {"who": "open"}]},
            "unknown field `seed`": {**TWO, "seed": 7},
            "at most 24": {"game": "palaces", "seats": [{"who": "me", "name": "x" * 25}, {"who": "open"}]},
        }
        for text, wish in wrong.items():
            assert text in await refused(ann.post("/api/tables", wish))
        assert (await ann.get("/api/tables/mine"))["tables"] == []
        assert "no such table" in await refused(ann.get("/api/tables/nothing"), 404)
        assert "nothing at this address" in await refused(ann.get("/api/nothing"), 404)
        assert "There is no game" in await refused(ann.get("/api/games/chess/rules"), 404)
        assert "line 1" in await refused(ann.post("/api/replay", {"record": "nonsense"}), 400)
        assert "line 1" in await refused(ann.post("/api/review", {"record": "nonsense"}), 400)
        assert "at least one letter" in await refused(ann.request("PUT", "/api/me", {"name": "  "}), 400)


async def test_the_lobby_is_told_whose_games_these_are_and_for_how_many(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        games = {game["name"]: game for game in (await ann.get("/api/games"))["games"]}
        known = ("author", "age", "minutes", "recommended")
        assert [games["ariadne"][key] for key in known] == ["Rey Alicea", 8, 25, None]
        assert [games["aathenuo"][key] for key in known] == ["", None, None, 4]
        book = (await ann.get("/api/games/labyrinth/rules"))["text"]
        assert book.startswith("# Labyrinth, the card game\n\n*2 to 6 players · from age 7 · by Max J. Kobbert*\n")


async def test_a_seat_is_taken_once(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", TWO)
        people = [await server.person(f"P{i}") for i in range(5)]
        joins = [person.post(f"/api/tables/{table['id']}/join") for person in people]
        done = await asyncio.gather(*joins, return_exceptions=True)
        assert sum(isinstance(one, dict) for one in done) == 1
        assert {str(one) for one in done if not isinstance(one, dict)} == {"No seat is open at this table."}
        again = await ann.post(f"/api/tables/{table['id']}/join")
        assert again["seats"][0]["yours"]


async def test_a_private_table_is_for_those_with_the_invitation(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", {**TWO, "private": True})
        path = f"/api/tables/{table['id']}"
        assert (await bob.get("/api/tables"))["tables"] == []
        for wrong in (bob.get(path), bob.post(f"{path}/join"), bob.post(f"{path}/join", {"invite": "x"})):
            assert "takes an invitation" in await refused(wrong, 403)
        assert await code_of(server.url, table["id"], {}, Cookie=f"clew={bob.cookie}") == 4403
        seen = await bob.get(path, X_Clew_Invite=table["invite"])
        assert "invite" not in seen
        watching = await server.chair(bob, table, None, invite=table["invite"])
        assert watching.table["state"] == "waiting"
        joined = await bob.post(f"{path}/join", {"invite": table["invite"]})
        assert joined["invite"] == table["invite"]


async def test_the_record_of_a_private_table_is_private_too(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, _ = await server.two(private=True)
        await ann.ask("resign")
        eve, path = await server.person("Eve"), f"/api/tables/{table['id']}/record"
        record = await ann.client.get(path)
        for archived in (False, True):
            if archived:
                log = await server.registry.store.entries(table["id"])
                assert await server.registry.store.archive(table["id"], record, log[-1].number)
            assert "takes an invitation" in await refused(eve.get(path), 403)
            assert await eve.get(path, X_Clew_Invite=table["invite"]) == record


async def test_a_bot_waits_a_little_before_it_takes_over(tmp_path):
    async with open_server(tmp_path, absent_seconds=60.0) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", TWO)
        await bob.post(f"/api/tables/{table['id']}/join")
        chair = await server.chair(ann, table, 0)
        with pytest.raises(IllegalMove, match="has only just gone"):
            await chair.ask("takeover", seat=1)


async def test_a_chair_is_for_its_owner(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, _ = await server.two()
        eve = await server.person("Eve")
        for chair in (0, 1, 7):
            assert await code_of(server.url, table["id"], {"chair": chair}, Cookie=f"clew={eve.cookie}") == 4403
        watching = await server.chair(eve, table, None)
        for kind, more in (("move", {"move": "-K1"}), ("resign", {}), ("chat", {"text": "hi"}), ("hint", {})):
            with pytest.raises(ServerError, match="You are watching"):
                await watching.ask(kind, **more)
        assert ann.number == watching.number


async def test_who_is_not_known_does_not_get_in(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, _ = await server.two()
        forged = ann.client.cookie[:-4] + "AAAA"
        assert await code_of(server.url, table["id"]) == 4401
        assert await code_of(server.url, table["id"], Cookie=f"clew={forged}") == 4401
        assert await code_of(server.url, "nothing", Cookie=f"clew={ann.client.cookie}") == 4404
        assert await code_of(server.url, table["id"], {"version": 99}, Cookie=f"clew={ann.client.cookie}") == 4400
        stranger = Client(server.url, cookie=forged)
        assert "Nobody knows you" in await refused(stranger.post("/api/tables", TWO), 401)


async def test_a_client_that_is_sent_away_for_good_does_not_come_back(tmp_path):
    async with open_server(tmp_path) as server:
        table, _, _ = await server.two()
        eve = await server.person("Eve")
        for place, seat, said in (("nothing", None, "There is no such table"), (table["id"], 0, "not yours")):
            with pytest.raises(ServerError, match=said):
                async with asyncio.timeout(10), eve.chair(place, seat):
                    pass


async def test_pages_of_other_sites_change_nothing(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, _ = await server.two()
        cookie = ann.client.cookie
        for origin in ("https://evil.example", "null", server.url.replace("http", "https") + ".evil.example"):
            assert await code_of(server.url, table["id"], Cookie=f"clew={cookie}", Origin=origin) == 4403
            assert "another site" in await refused(ann.client.post("/api/tables", TWO, Origin=origin), 403)
        assert (await ann.client.post("/api/tables", TWO, Origin=server.url))["id"]
        status, _, body = await raw(server.url, "POST", "/api/tables", cookie)
        assert (status, b"X-Clew" in body) == (403, True)


async def raw(url, method, path, cookie="", body=b"{}", length=None):
    host = url.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nCookie: clew={cookie}\r\n"
    head += "X-Clew: 1\r\n" if length else ""
    writer.write(f"{head}Content-Length: {length or len(body)}\r\n\r\n".encode() + body)
    head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), head.decode().lower(), rest


async def test_every_answer_has_the_headers(tmp_path):
    async with open_server(tmp_path) as server:
        for path in ("/", "/api/games", "/api/nothing", "/healthz"):
            _, headers, _ = await raw(server.url, "GET", path)
            assert "content-security-policy: default-src 'none'; script-src 'self';" in headers
            assert "x-content-type-options: nosniff" in headers
        _, headers, _ = await raw(server.url, "GET", "/api/me")
        assert "httponly" in headers
        assert "samesite=lax" in headers


async def test_too_much_is_too_much(tmp_path):
    async with open_server(tmp_path, request_rate=2.0, message_rate=2.0, connections=3, tables_of_one=1) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", TWO)
        assert "1 tables already" in await refused(ann.post("/api/tables", TWO), 409)
        chair = await server.chair(ann, table, 0)
        for i in range(20):
            await chair.say(f'{{"type":"ping","id":"p{i}"}}')
        await chair.until(lambda: any(said.get("code") == "too_fast" for said in chair.seen))
        cookie = {"Cookie": f"clew={ann.cookie}"}
        await asyncio.sleep(1)
        address = f"{server.url.replace('http', 'ws')}/api/tables/{table['id']}/play"
        async with connect(address, additional_headers=cookie), connect(address, additional_headers=cookie):
            assert await code_of(server.url, table["id"], **cookie) == 4429
        while (await raw(server.url, "GET", "/api/games"))[0] != 429:
            pass
        assert (await raw(server.url, "GET", "/healthz"))[0] == 200
        await asyncio.sleep(1)
        status, _, body = await raw(server.url, "POST", "/api/replay", ann.cookie, length=2_000_000)
        assert status == 413
        assert b"at most" in body


async def test_something_that_fails_inside_shows_nothing_of_it(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", TWO)
        monkeypatch.setattr("clew.server.presenter.table", lambda *_: 1 / 0)
        status, _, body = await raw(server.url, "GET", f"/api/tables/{table['id']}", ann.cookie)
        assert status == 500
        assert b"ZeroDivision" not in body
        assert b"went wrong" in body


async def test_figures_and_health(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first = ann if ann.moves else bob
        await first.move(first.moves[0])
        assert (await raw(server.url, "GET", "/metrics"))[0] == 404  # it is not for the public
        figures = await server.figures()
        assert 'clew_moves_total{by="person",game="palaces"}' in figures
        assert "clew_writer_batch_count" in figures
        assert b"true" in (await raw(server.url, "GET", "/healthz"))[2]


def test_an_identity_cannot_be_made_up():
    signer, other = Signer(b"a" * 32), Signer(b"b" * 32)
    cookie = signer.cookie(signer.new())
    assert signer.read(cookie)
    for wrong in (None, "", "x", cookie + "A", cookie[:-1], other.cookie(signer.new()), "." * 66, "é" * 66):
        assert signer.read(wrong) is None


def test_the_secret_is_made_once_and_is_the_owners_alone(tmp_path):
    path = tmp_path / "data" / "secret"
    assert read_secret(path) == read_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (tmp_path / "short").write_text("abc")
    with pytest.raises(ClewError, match="too short"):
        read_secret(tmp_path / "short")


def test_names_are_for_people_to_read():
    assert read_name("  Ann   of  Knossos ") == "Ann of Knossos"
    for wrong in ("", " ", "a\u202eb", "a\x00b", "x" * 25):
        with pytest.raises(BadName):
            read_name(wrong)
