"""A ping is answered at once, whatever else the connection is waiting for."""

import asyncio

from servers import open_server


async def test_a_ping_is_answered_while_a_move_is_still_being_made(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        first = ann if ann.moves else bob
        room = server.registry.rooms[table["id"]]
        async with room.lock:  # whatever keeps the table busy
            move = asyncio.create_task(first.move(first.moves[0]))
            await asyncio.sleep(0.05)
            answer = await asyncio.wait_for(first.ask("ping"), 5)
            assert answer["type"] == "pong"
            assert not move.done()
        assert (await move)["kind"] == "move"


async def test_what_is_asked_is_done_in_order(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first = ann if ann.moves else bob
        for i in range(5):
            await first.say(f'{{"type":"chat","id":"c{i}","text":"{i}"}}')
        await first.until(lambda: sum(entry["kind"] == "chat" for entry in first.log) == 5)
        assert [entry["text"] for entry in first.log if entry["kind"] == "chat"] == list("01234")


async def test_what_was_sent_before_the_connection_went_is_still_done(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        first, other = (ann, bob) if ann.moves else (bob, ann)
        room = server.registry.rooms[table["id"]]
        async with room.lock:
            await first.say(f'{{"type":"move","id":"last","move":"{first.moves[0]}"}}')
            await asyncio.sleep(0.05)
            await first._socket.close()
            await asyncio.sleep(0.05)
        await other.until(lambda: other.log[-1]["kind"] == "move")
        await first.until(lambda: first.log[-1].get("id") == "last")
        assert sum(entry["kind"] == "move" for entry in other.log) == 1


async def test_a_heartbeat_is_within_the_limits_of_a_connection(tmp_path):
    async with open_server(tmp_path, message_rate=25.0) as server:
        _, ann, _ = await server.two()
        for _ in range(60):
            assert (await ann.ask("ping"))["type"] == "pong"
        assert not any(said["type"] == "error" for said in ann.seen)
