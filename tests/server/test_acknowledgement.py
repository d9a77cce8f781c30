"""A move is acknowledged when it is on disk, before anything is looked at that its maker may not know."""

import asyncio
import threading

import msgspec
import pytest
from servers import level, open_server

import clew
from clew import IllegalMove
from clew.core.game import load
from clew.core.table import Table, new, new_from_deal
from clew.server import table_state
from clew.server.broadcast import Broadcast
from clew.server.client import ServerError
from clew.server.http import SocketProtocol

GAME = "aathenuo"
LOOKS = ("view", "shared_view", "own", "legal_moves", "written_moves", "events", "may_undo")


class Noted:
    """A game's kernels, noting each call."""

    def __init__(self, kernels, done):
        self._kernels, self._done = kernels, done

    def __getattr__(self, name):
        kernel = getattr(self._kernels, name)

        def call(*arguments):
            self._done.append((name, *(argument for argument in arguments[1:] if isinstance(argument, int))))
            return kernel(*arguments)

        return call


def note_work(monkeypatch, server, name):
    """Everything that is done from now on, in order: by the engine, by the store, and messages as they are sent."""
    done = []

    def note(look):
        real = getattr(Table, look)

        def noted(self, *arguments, **named):
            done.append((look, arguments[0]))
            return real(self, *arguments, **named)

        monkeypatch.setattr(Table, look, noted)

    for look in LOOKS:
        note(look)
    game = load(name)
    monkeypatch.setattr(game, "kernels", Noted(game.kernels, done))
    append, write = server.registry.store.append, SocketProtocol.write

    async def appended(*arguments):
        done.append(("write",))
        await append(*arguments)

    def sent(self, frames):
        done.append(("send", msgspec.json.decode(frames[frames.index(b'{"type"') :])["type"]))
        write(self, frames)

    monkeypatch.setattr(server.registry.store, "append", appended)
    monkeypatch.setattr(SocketProtocol, "write", sent)
    return done


def two_deals():
    """Two deals that differ in one tile of seat 0, which seat 1 cannot know; and seat 1 begins."""
    table = new(GAME, seed=5)
    assert table.to_move == (1,)
    lines = {key: text.split() for key, text in table.deal_lines().items()}
    rack, bag = lines["rack 0"], lines["bag"]
    swapped = {**lines, "rack 0": [bag[-1], *rack[1:]], "bag": [*bag[:-1], rack[0]]}
    assert rack[0] != bag[-1]
    return [{key: " ".join(tiles) for key, tiles in deal.items()} for deal in (lines, swapped)]


async def work_of_a_move(server, name, monkeypatch, then_undo=False):
    """What is done from a move's arrival to its acknowledgement; or to the refusal to take it back after that."""
    _, ann, bob = await server.two(name)
    first = ann if ann.moves else bob
    await first.ask("ping")
    with monkeypatch.context() as patched:
        done = note_work(patched, server, name)
        await first.move(first.moves[0])
        until = next(i for i, what in enumerate(done) if what[0] == "send")
        assert done[until] == ("send", "ack")
        before, then = done[:until], done[until + 1 :]
        assert ("write",) in before
        assert not any(what[0] in (*LOOKS, "listed", "legal", "look_round") for what in before)
        assert ("may_undo", first.seat) in then
        if then_undo:
            await level(ann, bob)
            await first.ask("ping")
            done.clear()
            with pytest.raises(IllegalMove, match="shown something new to somebody"):
                await first.ask("undo")
            return done[: done.index(("send", "refused"))]
    return before


@pytest.mark.parametrize("name", clew.games())
async def test_a_move_is_acknowledged_before_anybody_is_told_of_it(tmp_path, name, monkeypatch):
    async with open_server(tmp_path) as server:
        for _ in range(2):  # the second time it is known to be quick, and done where the messages are sent
            await work_of_a_move(server, name, monkeypatch)


@pytest.mark.parametrize("then_undo", [False, True])
async def test_the_same_work_lies_before_it_in_two_worlds(tmp_path, monkeypatch, then_undo):
    worlds = []
    async with open_server(tmp_path) as server:
        for deal in two_deals():
            dealt = new_from_deal(load(GAME), 2, {}, deal)
            monkeypatch.setattr(table_state, "deal", lambda row, dealt=dealt: dealt.copy())
            worlds.append(await work_of_a_move(server, GAME, monkeypatch, then_undo))
    assert worlds[0] == worlds[1]


async def test_nobody_waits_for_the_search_of_the_next_players_moves(tmp_path, monkeypatch):
    search, begun, go_on = Table.written_moves, threading.Event(), threading.Event()

    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(GAME)
        first, other = (ann, bob) if ann.moves else (bob, ann)
        eve = await server.chair(await server.person("Eve"), table, None)

        def long_search(self, seat):
            if seat == other.seat:
                begun.set()
                go_on.wait(30)
            return search(self, seat)

        monkeypatch.setattr(Table, "written_moves", long_search)
        try:
            made = await asyncio.wait_for(first.move(first.moves[0]), 20)
            await asyncio.wait_for(eve.until(lambda: eve.number == made["number"]), 20)
            while not begun.is_set():
                await asyncio.sleep(0.01)
            said = await asyncio.wait_for(first.ask("chat", text="your turn"), 20)
            again = await asyncio.wait_for(server.chair(first.client, table, first.seat), 20)
            assert again.number == said["number"]
            assert other.number < made["number"]
        finally:
            go_on.set()
        await other.until(lambda: other.moves)
        await other.until(lambda: other.number == again.number)
        assert [entry["number"] for entry in other.log] == list(range(1, other.number + 1))


async def test_a_client_notices_if_what_was_acknowledged_is_lost(tmp_path, monkeypatch):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first = ann if ann.moves else bob
        append = server.registry.store.append

        async def forget(table_id, row, change=None, alarm=None):
            await append("another table", row)

        monkeypatch.setattr(server.registry.store, "append", forget)
        monkeypatch.setattr(Broadcast, "tell", lambda self, news: None)  # the connection goes before the event comes
        moving = asyncio.create_task(first.move(first.moves[0]))
        await first.until(lambda: first._written)
        server.registry.rooms.clear()  # the server starts anew from its log
        await first._socket.close()
        with pytest.raises(ServerError, match="lost what it had acknowledged"):
            await moving
