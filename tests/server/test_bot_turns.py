"""A bot's choice is for one position; whatever goes wrong, the bot is asked again, and no log tells a secret."""

import asyncio
import json
import logging

from servers import open_server

from clew.core.errors import BadRules
from clew.server import logs
from clew.server import room as rooms
from clew.server.clock import now_ms
from clew.server.log_entries import MoveMade, MoveUndone


class Thinker:
    """Decides when the test says so."""

    def __init__(self, server):
        self.asked = asyncio.Queue()
        server.registry.bots.choose = self.choose

    async def choose(self, purpose, owner, game, level, seed, view):
        answer = asyncio.get_running_loop().create_future()
        self.asked.put_nowait((view, answer))
        return await answer


async def table_with_a_bot(server, game):
    ann = await server.person("Ann")
    table = await ann.post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "bot", "level": 1}]})
    return table, await server.chair(ann, table, 0)


async def test_a_choice_made_for_an_older_position_is_not_written(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        thinker = Thinker(server)
        table, ann = await table_with_a_bot(server, pebbles)
        room, store = server.registry.rooms[table["id"]], server.registry.store
        number = (await ann.move("take 1"))["number"]
        _, late = await thinker.asked.get()
        await store.append(table["id"], MoveUndone(number=number + 1, at=now_ms(), seat=0))  # by another worker
        await store.append(table["id"], MoveMade(number=number + 2, at=now_ms(), seat=0, move="take 3"))
        await room.sync()
        late.set_result("lift")
        view, answer = await thinker.asked.get()
        assert view["table"]["heap"] == 2
        answer.set_result("take 2")
        await ann.until(lambda: ann.over)
        rows = await store.entries(table["id"], number + 2)
        assert [entry.move for entry in rows] == ["take 2"]


async def test_talk_does_not_make_a_bot_think_again(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        thinker = Thinker(server)
        _, ann = await table_with_a_bot(server, pebbles)
        await ann.move("take 1")
        _, answer = await thinker.asked.get()
        await ann.ask("chat", text="well?")
        answer.set_result("take 1")
        await ann.until(lambda: ann.log[-1]["seat"] == 1)
        assert thinker.asked.empty()


async def test_a_bot_that_failed_is_asked_again_and_nothing_hidden_is_logged(tmp_path, pebbles, monkeypatch, caplog):
    monkeypatch.setattr(rooms, "STEAL", 0.01)
    monkeypatch.setattr(rooms.Room._go_on_later, "__defaults__", (0.01,))
    async with open_server(tmp_path) as server:
        thinker = Thinker(server)
        _, ann = await table_with_a_bot(server, pebbles)
        await ann.move("take 1")
        for trouble in (KeyError("the coin shows heads"), "the coin shows heads", KeyError("the coin shows heads")):
            _, answer = await asyncio.wait_for(thinker.asked.get(), 20)
            if isinstance(trouble, str):
                answer.set_result(trouble)  # refused, with these words
            else:
                answer.set_exception(trouble)
        _, answer = await asyncio.wait_for(thinker.asked.get(), 20)
        answer.set_result("take 1")
        await ann.until(lambda: ann.log[-1]["seat"] == 1)
    said = [logs.JsonLines().format(record) for record in caplog.records]
    said += [logs.TextLines().format(record) for record in caplog.records]
    assert any("a bot failed" in line and "KeyError" in line for line in said)
    assert any("a bot's move was refused (COM-06)" in line for line in said)
    assert not any("heads" in line for line in said)


async def test_who_waits_is_told_why_a_bot_cannot_go_on_and_so_is_the_log(tmp_path, pebbles, monkeypatch, caplog):
    monkeypatch.setattr(rooms.Room._go_on_later, "__defaults__", (0.01,))
    monkeypatch.setattr(rooms, "STEAL", 0.01)
    monkeypatch.setattr(rooms, "added", lambda name: True)  # as if its folder were given to the server
    why = "rules.py:57: index 9 is out of bounds in `s.hand[seat, 9]`: an index is wrong."
    async with open_server(tmp_path) as server:
        thinker = Thinker(server)
        table, ann = await table_with_a_bot(server, pebbles)
        await ann.move("take 1")
        _, answer = await asyncio.wait_for(thinker.asked.get(), 20)
        answer.set_exception(BadRules(why))
        name = server.registry.rooms[table["id"]].state.names[1]
        told = {"type": "error", "code": "bot", "text": f"{name} cannot go on: {why} The bot will try again."}
        await ann.until(lambda: told in ann.seen)
        bob = await server.chair(await server.person("Ann again"), table, None)
        await bob.until(lambda: told in bob.seen)  # who comes later is told, too
        _, answer = await asyncio.wait_for(thinker.asked.get(), 20)
        answer.set_result("take 1")
        await ann.until(lambda: ann.log[-1]["seat"] == 1)
        assert server.registry.rooms[table["id"]]._trouble == ""
    (record,) = (record for record in caplog.records if "a bot" in record.getMessage())
    assert logs.TextLines().format(record).splitlines()[-1] == f"BadRules: {why}"
    assert json.loads(logs.JsonLines().format(record))["text"] == f"a bot: {why}"


def test_a_fault_is_logged_without_its_own_words():
    def fails():
        try:
            {}["the coin shows heads"]
        except KeyError as error:
            raise ValueError("heads") from error

    for kind in (logs.JsonLines(), logs.TextLines()):
        try:
            fails()
        except ValueError as error:
            record = logging.LogRecord("clew.server", 40, "", 0, "it failed", (), (ValueError, error, None))
        line = kind.format(record)
        assert 'heads"]' in line.replace("\\", "")  # the code that failed
        assert "KeyError" in line
        assert "ValueError" in line
        assert ": heads" not in line
        record = logging.LogRecord("asyncio", 40, "", 0, "never retrieved\nfuture: KeyError('heads')", (), None)
        assert "heads" not in kind.format(record)
    disk = OSError(28, "No space left on device")
    record = logging.LogRecord("clew.server", 40, "", 0, "it failed", (), (OSError, disk, None))
    assert "No space left" in logs.TextLines().format(record)
