"""What people do at a table: moves, refusals, coming back, taking back, giving up, playing again."""

import asyncio
import re

import pytest
from servers import level, open_server, play_on

import clew
from clew import IllegalMove
from clew.server.client import ServerError
from clew.server.log_entries import PlayerSat
from clew.server.room import Decision


async def test_two_people_play_a_game_while_somebody_watches(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        eve = await server.chair(await server.person("Eve"), table, None)
        await asyncio.gather(play_on(ann), play_on(bob))
        await eve.until(lambda: eve.over)
        assert ann.table["result"] == bob.table["result"] == eve.table["result"]
        assert [entry["number"] for entry in eve.log] == list(range(1, len(eve.log) + 1))
        assert all(not entry.get("move") and not entry.get("id") for entry in eve.log)
        record = await ann.client.get(f"/api/tables/{table['id']}/record")
        played = clew.replay(record)
        assert list(played.outcome.places) == ann.table["result"]["places"]
        assert len(played.moves) == sum(entry["kind"] == "move" for entry in eve.log)
        assert f"# commitment: {table['commitment']}" in record
        assert "# name 1: Bob" in record


async def test_no_record_before_the_end_and_no_secret_in_the_table(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, _ = await server.two()
        with pytest.raises(ServerError, match="There is a record when the game is over"):
            await ann.client.get(f"/api/tables/{table['id']}/record")
        row = server.registry.rooms[table["id"]].state.row
        for shown in (ann.table, await ann.client.get("/api/tables/mine"), table):
            assert str(row.seed) not in str(shown)
            assert row.salt not in str(shown)


async def test_a_refused_move_names_its_rule_and_changes_nothing(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first, other = (ann, bob) if ann.moves else (bob, ann)
        before = first.number, first.view
        for chair, move, rule in ((first, "K99", "COM-06"), (first, "", "COM-06"), (other, "-K1", "COM-08")):
            with pytest.raises(IllegalMove) as refused:
                await chair.move(move)
            assert refused.value.rule == rule
            assert refused.value.reason.endswith(".")
        await first.ask("ping")
        assert (first.number, first.view) == before


async def test_a_move_sent_twice_is_made_once(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first = ann if ann.moves else bob
        move = first.moves[0]
        entry = await first.repeat("once", "move", move=move)
        again = await first.repeat("once", "move", move=move)
        assert again == {"type": "ack", "id": "once", "number": entry["number"]}
        assert await first.repeat("once", "chat", text="something else") == again
        await first.ask("ping")
        assert first.number == entry["number"]


async def test_the_same_id_of_another_chair_is_another_thing(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        one = await ann.repeat("hello", "chat", text="Good evening")
        two = await bob.repeat("hello", "chat", text="Good evening, too")
        assert two["number"] == one["number"] + 1


async def test_who_comes_back_gets_what_was_missed(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        eve = await server.person("Eve")
        async with eve.chair(table["id"], None) as before:
            seen = before.number
        first = ann if ann.moves else bob
        await first.move(first.moves[0])
        await first.ask("chat", text="your turn")
        async with eve.chair(table["id"], None) as after:
            assert after.log[:seen] == before.log
            missed = after.log[seen:]
        after._hello["last"] = seen
        late = await server.chair(eve, table, None)
        late.number, late.log = seen, []
        await late.say(f'{{"type":"hello","version":1,"last":{seen}}}')
        await late.until(lambda: late.connections == 2)
        assert late.log == missed
        assert [entry["kind"] for entry in missed] == ["move", "chat"]
        await late.say('{"type":"hello","version":1,"last":1000000}')
        await late.until(lambda: late.connections == 3)
        assert late.log == after.log  # a number beyond the log: everything anew


async def test_a_table_that_nobody_uses_leaves_the_memory_and_comes_back(tmp_path, monkeypatch):
    monkeypatch.setattr("clew.server.maintenance.EVERY", 0.05)
    async with open_server(tmp_path, idle_seconds=0) as server:
        ann = await server.person()
        wish = {"game": "palaces", "seats": [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]}
        table = await ann.post("/api/tables", wish)
        seat = 0
        async with ann.chair(table["id"], 0) as chair:
            seat = chair.view["to_move"][0]
        async with ann.chair(table["id"], seat) as chair:
            await chair.move(chair.moves[0])
            before = chair.view, chair.log
        while server.registry.rooms:
            await asyncio.sleep(0.05)
        async with ann.chair(table["id"], seat) as chair:
            assert chair.view == before[0]
            assert [entry["told"] for entry in chair.log if "told" in entry] == [
                entry["told"] for entry in before[1] if "told" in entry
            ]


async def test_a_game_begins_also_if_the_server_went_down_just_before(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]})
        room = server.registry.rooms.pop(table["id"])
        async with room.lock:
            await room.commit(
                lambda _: Decision(PlayerSat(seat=1, person=server.registry.signer.read(bob.cookie), name="Bob"))
            )
        chair = await server.chair(ann, table, 0)
        await chair.until(lambda: chair.table["state"] == "playing")


async def test_one_device_is_handed_over_by_another_hello(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me", "name": "Ann"}, {"who": "me", "name": "Bob"}]
        table = await ann.post("/api/tables", {"game": "palaces", "seats": seats})
        assert table["one_device"]
        chair = await server.chair(ann, table, 0)
        hands = [chair.view["table"]["hand"]]
        ann.recording = True
        await chair.say('{"type":"hello","version":1,"chair":1}')
        await chair.until(lambda: chair.connections == 2)
        hands.append(chair.view["table"]["hand"])
        assert hands[0] != hands[1]
        assert "hand" in chair.received[-1]
        assert not any(
            f'"{card}"' in raw.split('"unseen"')[0] for raw in chair.received for card in set(hands[0]) - set(hands[1])
        )


async def test_a_draft_is_judged_without_being_played(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two("aathenuo")
        first = ann if ann.moves else bob
        number, rack = first.number, first.view["table"]["rack"]
        lone = await first.ask("judge", parts=[f"{rack[0]}@0,0"])
        assert not lone["playable"]
        assert lone["faults"][0]["rule"] == "AAT-07"
        assert lone["faults"][0]["cells"] == [[0, 0]]
        assert len(lone["draft"]["rack"]) == len(rack) - 1
        nothing = await first.ask("judge", parts=["Q9@0,0"])
        assert (nothing["playable"], nothing["rule"]) == (False, "COM-06")
        play = next((move for move in first.moves if "@" in move), None)
        if play:
            assert (await first.ask("judge", parts=[play]))["playable"]
        assert first.number == number


async def test_a_whole_move_is_judged_in_other_games(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first, other = (ann, bob) if ann.moves else (bob, ann)
        good = await first.ask("judge", parts=[first.moves[0]])
        assert (good["playable"], good["move"]) == (True, first.moves[0])
        assert (await first.ask("judge", parts=["K99"]))["rule"] == "COM-06"
        assert (await other.ask("judge", parts=["-K1"]))["rule"] == "COM-08"


async def test_a_hint_weighs_the_moves(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first, other = (ann, bob) if ann.moves else (bob, ann)
        hint = await first.ask("hint", level=2)
        assert hint["moves"][0]["move"] in first.moves
        assert 0 <= hint["moves"][0]["win"] <= 1
        chances = [move["win"] for move in hint["moves"]]
        assert chances == sorted(chances, reverse=True)
        for move in hint["moves"]:
            assert re.match(r"(play |discard )?(Knossos|Malia|Phaistos|Zakros|Ariadne|the Minotaur)", move["said"])
            assert re.match(r"play |discard ", move["told"])
        with pytest.raises(IllegalMove, match="It is not your turn"):
            await other.ask("hint", level=2)


async def test_everybody_has_one_name_in_seats_entries_and_record(tmp_path):
    async with open_server(tmp_path) as server:
        ann, other, guest = await server.person("Ann"), await server.person("Ann"), await server.person("")
        seats = [
            {"who": "me"},
            {"who": "bot", "level": 3},
            {"who": "bot", "level": 3},
            {"who": "open"},
            {"who": "open"},
        ]
        table = await ann.post("/api/tables", {"game": "labyrinth", "seats": seats})
        for person in (other, guest):
            await person.post(f"/api/tables/{table['id']}/join", {"invite": table["invite"]})
        names = ["Ann", "Cat", "Grey Cat", "Ann 2", "Wine"]
        chair = await server.chair(ann, table, 0)
        second = await server.chair(other, table, 3)
        watching = await server.chair(await server.person("Eve"), table, None)
        assert [seat["name"] for seat in chair.table["seats"]] == names
        assert [entry["text"] for entry in chair.log if entry["kind"] == "sat"] == [
            "Ann 2 sits down.",
            "Wine sits down.",
        ]
        assert [entry["text"] for entry in second.log if entry["kind"] == "sat"] == ["You sit down.", "Wine sits down."]
        await chair.ask("resign")
        await level(chair, second, watching)
        gave_up = [[e["text"] for e in reader.log if e["kind"] == "resigned"] for reader in (chair, second, watching)]
        assert gave_up == [["You give up."], ["Ann gives up."], ["Ann gives up."]]
        said = " ".join(told["text"] for entry in watching.log for told in entry.get("told", []))
        assert re.match(rf"({'|'.join(names)}) begins?\.", said)
        assert not re.search(r"\b[Yy]our?\b|\b(Blue|Red|Gold|Green)\b", said)
        listed = next(one for one in (await ann.get("/api/tables/mine"))["tables"] if one["id"] == table["id"])
        assert [seat["name"] for seat in listed["seats"]] == names


async def test_you_is_said_to_the_one_who_reads_and_not_where_several_share_a_device(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        first, other = (ann, bob) if ann.moves else (bob, ann)
        name = "Ann" if first is ann else "Bob"
        card = next(move for move in first.moves if move.startswith("-"))
        await first.move(card)
        await level(ann, bob)
        assert first.log[-1]["told"][0]["text"].startswith("You discard ")
        assert other.log[-1]["told"][0]["text"].startswith(f"{name} discards ")
        with pytest.raises(IllegalMove, match=r"It is (Ann|Bob)'s turn, not yours"):
            await first.ask("move", move=card)
        person = await server.person()
        seats = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]
        shared = await server.chair(person, await person.post("/api/tables", {"game": "palaces", "seats": seats}), 0)
        assert shared.log[-1]["told"][0]["text"] in ("A begins.", "B begins.")


async def test_a_bot_plays_on_its_own(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "bot", "level": 1}, {"who": "me"}, {"who": "bot", "level": 2}]
        chair = await server.chair(ann, await ann.post("/api/tables", {"game": "labyrinth", "seats": seats}), 1)
        assert [seat["name"] for seat in chair.table["seats"]] == ["Ant", "Ann", "Mouse"]
        await play_on(chair)
        assert chair.table["result"]["scores"]


async def test_what_showed_nothing_is_taken_back_if_the_other_agrees(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(pebbles)
        start = ann.view
        await ann.move("take 1")
        asked = await ann.ask("undo")
        await bob.until(lambda: bob.table.get("ask"))
        assert bob.table["ask"] == {"number": asked["number"], "what": "undo", "by": 0, "waiting": [1]}
        with pytest.raises(IllegalMove, match="You have not been asked"):
            await ann.ask("answer", ask=asked["number"], yes=True)
        assert (await bob.ask("answer", ask=asked["number"], yes=True))["kind"] == "undone"
        await ann.until(lambda: ann.view == start)
        assert "ask" not in ann.table
        eve = await server.chair(await server.person("Eve"), table, None)
        moved = next(entry for entry in eve.log if entry["kind"] == "move")
        assert moved["taken_back"]
        assert "told" not in moved
        await ann.move("lift")
        with pytest.raises(IllegalMove, match="This move has shown something new to somebody, so it stays"):
            await ann.ask("undo")


async def test_who_says_no_or_moves_on_ends_the_asking(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two(pebbles)
        await ann.move("take 1")
        asked = await ann.ask("undo")
        with pytest.raises(IllegalMove, match="Something else waits"):
            await ann.ask("undo")
        assert (await bob.ask("answer", ask=asked["number"], yes=False))["kind"] == "declined"
        await ann.ask("undo")
        await bob.until(lambda: bob.table.get("ask"))
        await bob.move("take 1")
        assert "ask" not in bob.table
        with pytest.raises(IllegalMove, match="Nobody waits for that answer"):
            await bob.ask("answer", ask=asked["number"], yes=True)


async def test_a_bot_takes_over_for_who_is_absent_and_gives_the_chair_back(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        table = await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]})
        await bob.post(f"/api/tables/{table['id']}/join")
        mine = await server.chair(ann, table, 0)
        async with bob.chair(table["id"], 1):
            await mine.until(lambda: any(said.get("seats") == [0, 1] for said in mine.seen))
            with pytest.raises(IllegalMove, match="Bob is here"):
                await mine.ask("takeover", seat=1, level=1)
        await mine.until(lambda: mine.seen[-1].get("seats") == [0])
        assert (await mine.ask("takeover", seat=1, level=1))["kind"] == "takeover"
        await play_on(mine, moves=3)
        his = await server.chair(bob, table, 1)
        assert his.table["seats"][1]["level"] == 1
        assert his.moves == []
        with pytest.raises(IllegalMove, match="A bot plays in your chair"):
            await his.move("-K1")
        await his.ask("return")
        assert "level" not in his.table["seats"][1]
        await asyncio.gather(play_on(mine), play_on(his))


async def test_others_are_asked_before_a_bot_takes_over(tmp_path):
    async with open_server(tmp_path) as server:
        people = [await server.person(name) for name in ("Ann", "Bob", "Cid")]
        seats = [{"who": "me"}, {"who": "open"}, {"who": "open"}]
        table = await people[0].post("/api/tables", {"game": "labyrinth", "seats": seats})
        for person in people[1:]:
            await person.post(f"/api/tables/{table['id']}/join")
        ann, bob = await server.chair(people[0], table, 0), await server.chair(people[1], table, 1)
        asked = await ann.ask("takeover", seat=2, level=2)
        assert asked["kind"] == "asked"
        await bob.until(lambda: bob.table.get("ask"))
        await bob.ask("answer", ask=asked["number"], yes=True)
        assert bob.table["seats"][2] == {"colour": "Gold", "kind": "person", "name": "Cid", "level": 2}


async def test_giving_up_ends_a_game_of_two_and_opens_the_deal(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        await ann.ask("resign")
        await bob.until(lambda: bob.over)
        assert bob.table["result"] == {"places": [2, 1], "ended": "resigned"}
        assert bob.table["opened"]["salt"]
        assert bob.view["to_move"] == []
        with pytest.raises(IllegalMove, match="The game is over"):
            await bob.move("-K1")
        record = await bob.client.get(f"/api/tables/{table['id']}/record")
        assert clew.replay(record).outcome is None
        assert "# ended: resigned; places 2 1" in record


async def test_a_larger_table_plays_on_without_who_gave_up(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        seats = [{"who": "me"}, {"who": "open"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "labyrinth", "seats": seats})
        await bob.post(f"/api/tables/{table['id']}/join")
        mine, his = await server.chair(ann, table, 0), await server.chair(bob, table, 1)
        await his.ask("leave")
        with pytest.raises(IllegalMove, match="You have given up"):
            await his.ask("return")
        await play_on(mine)
        assert mine.table["result"]["scores"]


async def test_another_game_begins_with_the_seats_turned(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(private=True, clock={"total": 600})
        with pytest.raises(IllegalMove, match="The game is not over"):
            await ann.ask("rematch")
        await ann.ask("resign")
        asked = await ann.ask("rematch")
        await bob.until(lambda: bob.table.get("ask"))
        await bob.ask("answer", ask=asked["number"], yes=True)
        await ann.until(lambda: ann.table.get("rematch"))
        again = await server.chair(bob.client, {"id": bob.table["rematch"]}, 0)
        assert [seat["name"] for seat in again.table["seats"]] == ["Bob", "Ann"]
        assert (again.table["private"], again.table["clock"]["total"]) == (True, 600)
        assert again.table["commitment"] != table["commitment"]
        with pytest.raises(IllegalMove, match="The next game is set up already"):
            await ann.ask("rematch")


async def test_chat_has_its_limits(tmp_path):
    async with open_server(tmp_path) as server:
        _, ann, bob = await server.two()
        await ann.ask("chat", text="<b>hi</b>\u0007 ")
        await bob.until(lambda: bob.log[-1]["kind"] == "chat")
        assert bob.log[-1]["text"] == "<b>hi</b>"
        with pytest.raises(ServerError, match="right shape"):
            await ann.ask("chat", text="x" * 501)
        with pytest.raises(IllegalMove, match="nothing to say"):
            await ann.ask("chat", text="\u0007")
        said = await asyncio.gather(*(ann.ask("chat", text=f"spam {i}") for i in range(10)), return_exceptions=True)
        refused = [str(error) for error in said if isinstance(error, IllegalMove)]
        assert 0 < len(refused) < 10
        assert "That is a lot of chat" in refused[0]
