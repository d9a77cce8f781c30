"""What a connection is sent follows from whose the chair is now, not from what was so when it said hello."""

import pytest
from servers import level, open_server

from clew.server.client import ServerError
from clew.server.clock import now_ms
from clew.server.http import SocketProtocol
from clew.server.log_entries import PlayerSat

THREE = {"game": "labyrinth", "seats": [{"who": "me"}, {"who": "open"}, {"who": "open"}]}


async def leave_by_message(chair, table):
    await chair.ask("leave")


async def leave_by_rest(chair, table):
    await chair.client.post(f"/api/tables/{table['id']}/leave")


async def sit_elsewhere(chair, table):
    await leave_by_rest(chair, table)
    await chair.client.post(f"/api/tables/{table['id']}/join", {"seat": 2, "invite": table["invite"]})


def shown(chair):
    """Whether a chair was sent a position of the game, whole or what changed in it."""
    return any('"view":{' in raw or '"changes":{' in raw for raw in chair.received)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("leave", [leave_by_message, leave_by_rest, sit_elsewhere])
async def test_who_left_a_chair_hears_nothing_more_in_it(tmp_path, leave, private):
    async with open_server(tmp_path) as server:
        ann, bob, cid, dan = [await server.person(name) for name in ("Ann", "Bob", "Cid", "Dan")]
        table = await ann.post("/api/tables", {**THREE, "private": private})
        invite = {"invite": table["invite"]}
        await bob.post(f"/api/tables/{table['id']}/join", {"seat": 1, **invite})
        bob.recording = True
        old, second = await server.chair(bob, table, 1), await server.chair(bob, table, 1)
        await leave(old, table)
        await cid.post(f"/api/tables/{table['id']}/join", {"seat": 1, **invite})
        if leave is not sit_elsewhere:
            await dan.post(f"/api/tables/{table['id']}/join", {"seat": 2, **invite})
        first, new = await server.chair(ann, table, 0), await server.chair(cid, table, 1)
        await new.until(lambda: new.view)
        await first.ask("chat", text="hello")
        await level(first, new)
        for ghost in (old, second):
            with pytest.raises(ServerError, match="You have left this chair"):
                await ghost.until(lambda ghost=ghost: shown(ghost))
            assert not shown(ghost)
            assert not any('"kind":"started"' in raw for raw in ghost.received)


async def test_who_left_a_private_table_does_not_go_on_watching(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", {**THREE, "private": True})
        await bob.post(f"/api/tables/{table['id']}/join", {"invite": table["invite"]})
        watching = await server.chair(bob, table, None)
        invited = await server.chair(bob, table, None, invite=table["invite"])
        await bob.post(f"/api/tables/{table['id']}/leave")
        await invited.until(lambda: invited.log[-1]["kind"] == "stood")
        with pytest.raises(ServerError, match="You have left"):
            await watching.until(lambda: watching.log[-1]["kind"] == "stood")


async def test_whose_a_chair_is_is_asked_at_every_send(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        room = server.registry.rooms[table["id"]]
        hers = next(connection for connection in room.connections if connection.chair == ann.seat)
        written, write = [], SocketProtocol.write
        monkeypatch.setattr(SocketProtocol, "write", lambda self, frames: (written.append(self), write(self, frames)))
        wire = hers._wire
        await bob.ask("chat", text="hello")
        await level(ann, bob)
        assert wire in written
        written.clear()
        hers.person = "somebody else"
        room.send(hers, ann.seat, b"{}")
        await bob.ask("chat", text="hello again")
        await bob.until(lambda: bob.log[-1].get("text") == "hello again")
        assert written
        assert wire not in written


async def test_who_sat_down_at_another_worker_is_welcome_here(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", THREE)
        mine = await server.chair(ann, table, 0)
        monkeypatch.setattr(server.registry.store, "shared", True)  # as if several workers used it
        person = server.registry.signer.read(bob.cookie)
        sat = PlayerSat(number=mine.number + 1, at=now_ms(), seat=1, person=person, name="Bob")
        await server.registry.store.append(table["id"], sat)
        his = await server.chair(bob, table, 1)
        assert his.table["seats"][1]["yours"]
