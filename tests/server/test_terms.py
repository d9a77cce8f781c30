"""What is settled when a table is set up holds to its end: hints, and whether a bot may play for somebody."""

import pytest
from servers import open_server

from clew.core.errors import IllegalMove


async def test_a_table_can_be_without_hints(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two("cardtracks", hints=False)
        assert table["hints"] is False
        first = ann if ann.moves else bob
        with pytest.raises(IllegalMove, match="plays without hints"):
            await first.ask("hint", level=1)
        await first.ask("resign")
        assert (await ann.client.get(f"/api/tables/{table['id']}"))["hints"] is False


async def test_the_others_read_that_somebody_took_a_hint(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two("cardtracks")
        first, other = (ann, bob) if ann.moves else (bob, ann)
        hinted = await first.ask("hint", level=1)
        assert hinted["type"] == "hinted"
        await other.until(lambda: other.log[-1]["kind"] == "hinted")
        assert "takes a hint" in other.log[-1]["text"]
        assert other.log[-1]["seat"] == first.seat
        assert first.moves, "it is still the same position"
        # Sent again, after a lost connection: one hint, one entry.
        await first.repeat("again", "hint", level=1)
        await first.repeat("again", "hint", level=1)
        assert sum(entry["kind"] == "hinted" for entry in first.log) == 2
        await first.move(hinted["moves"][0]["move"])


async def test_nobody_is_told_of_a_hint_who_plays_alone(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        chair = await server.chair(ann, table, 0)
        await chair.turn()
        await chair.ask("hint", level=1)
        assert "hinted" not in [entry["kind"] for entry in chair.log]


async def test_no_bot_takes_over_where_that_was_not_agreed(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        seats = [{"who": "me"}, {"who": "open"}]
        table = await ann.post("/api/tables", {"game": "palaces", "seats": seats, "stand_in": False})
        assert "stand_in" not in table
        await bob.post(f"/api/tables/{table['id']}/join")
        mine = await server.chair(ann, table, 0)
        with pytest.raises(IllegalMove, match="settled when it was set up"):
            await mine.ask("takeover", seat=1)


async def test_a_table_says_after_how_long_a_bot_may_take_over_and_keeps_to_it(tmp_path):
    async with open_server(tmp_path, absent_seconds=40) as server:
        table, ann, _ = await server.two()
        assert table["stand_in"] == 40
    async with open_server(tmp_path, absent_seconds=0) as server:  # started anew with another setting
        ann.client.addresses = [server.url]
        chair = await server.chair(ann.client, table, 0)
        assert chair.table["stand_in"] == 40
        with pytest.raises(IllegalMove, match="only just gone"):
            await chair.ask("takeover", seat=1)


async def test_the_next_game_is_played_by_the_same_agreement(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two(hints=False, stand_in=False)
        await ann.ask("resign")
        await ann.ask("rematch")
        await bob.ask("rematch")
        again = await server.chair(bob.client, {"id": bob.table["rematch"]}, 0)
        assert again.table["hints"] is False
        assert "stand_in" not in again.table


async def test_undo_is_offered_to_whom_it_can_be_had(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two(pebbles)
        assert not ann.now.get("can_undo")
        await ann.move("take 1")
        await bob.until(lambda: bob.moves)
        assert ann.now["can_undo"]
        assert not bob.now.get("can_undo")
        await bob.move("take 1")
        await ann.until(lambda: ann.moves)
        assert not ann.now.get("can_undo")
        _, ann, bob = await server.two("palaces")
        first = ann if ann.moves else bob
        await first.move(first.moves[0])
        assert not first.now.get("can_undo"), "a card was drawn"
