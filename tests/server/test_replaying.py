"""Records looked at again: what each chair knew at the time, whether the deal was kept, what a bot thinks of it."""

import itertools
import json
import random
from collections import Counter

import pytest
from servers import open_server, play_on

import clew
from clew.core.commitments import commitment, lines, verify
from clew.core.errors import BadRecord
from clew.server.client import ServerError


def game(name="palaces", seed=7):
    table, rng = clew.new(name, seed=seed), random.Random(seed)
    views = [[table.view(seat) for seat in range(table.players)] + [table.view(None)]]
    while table.to_move:
        table.play(rng.choice(table.legal_moves(table.to_move[0])), table.to_move[0])
        views.append([table.view(seat) for seat in range(table.players)] + [table.view(None)])
    return table, [[{key: value for key, value in view.items() if key != "known"} for view in step] for step in views]


def committed(table, salt="ab"):
    first, rest = table.record().split("\n", 1)
    return "\n".join([first, *lines(table.seed, salt), "# name 0: Ann", rest])


async def test_a_replay_shows_what_a_chair_knew_and_no_more(tmp_path):
    table, views = game()
    async with open_server(tmp_path) as server:
        ann = await server.person()
        for chair, at in ((0, 0), (1, 1), (None, 2)):
            shown = await ann.post("/api/replay", {"record": table.record(), "chair": chair})
            assert [step["view"] for step in shown["steps"]] == [step[at] for step in views]
            assert [step["move"] for step in shown["steps"][1:]] == [str(move) for _, move in table.moves]
            assert shown["outcome"]["places"] == list(table.outcome.places)
            assert shown["commitment"] is None
        everything = await ann.post("/api/replay", {"record": committed(table), "chair": "all"})
        assert [step["views"] for step in everything["steps"]] == [step[:2] for step in views]
        assert everything["names"] == ["Ann", "Red"]
        assert everything["commitment"]["kept"]
        broken = committed(table).replace("# salt: ab", "# salt: ac")
        assert not (await ann.post("/api/replay", {"record": broken}))["commitment"]["kept"]


@pytest.mark.parametrize("name", clew.games())
async def test_with_everything_open_all_hands_and_the_whole_deal_are_shown(tmp_path, name):
    table, views = game(name)
    async with open_server(tmp_path) as server:
        ann = await server.person()
        shown = await ann.post("/api/replay", {"record": table.record(), "chair": "all"})
        assert shown["deal"] == table.deal_lines()
        assert [step["views"] for step in shown["steps"]] == [step[: table.players] for step in views]
        assert all("view" not in step for step in shown["steps"])
        for chair in (0, None):
            assert (await ann.post("/api/replay", {"record": table.record(), "chair": chair}))["deal"] is None


PILES = {  # the line of the deal from which a seat draws, what is left of it, and what the seat holds
    "palaces": lambda seat, table: ("pile", table["pile"], table["hand"]),
    "labyrinth": lambda seat, table: ("deck", table["deck"], [face["card"] for face in table["hand"]]),
    "aathenuo": lambda seat, table: ("bag", table["bag"], table["rack"]),
    "ariadne": lambda seat, table: (
        f"{table['seats'][seat]['colour']} {table['round']}",
        table["seats"][seat]["deck"],
        table["hand"],
    ),
    "cardtracks": lambda seat, table: (f"deck {seat}", table["deck"], [flip["cards"][seat] for flip in table["flips"]]),
}


@pytest.mark.parametrize("name", clew.games())
def test_the_end_of_a_line_of_the_deal_is_what_is_still_there(name):
    """The page shows hidden piles by this: what was drawn is the beginning, and the first of the rest comes next."""
    table, views = game(name)
    deal, drawn = {line: text.split() for line, text in table.deal_lines().items()}, 0
    for before, after in itertools.pairwise(views):
        for seat in range(table.players):
            (line, left, held), (same, fewer, now) = (
                PILES[name](seat, step[seat]["table"]) for step in (before, after)
            )
            new = Counter(now) - Counter(held)
            if line == same and new:
                assert Counter(deal[line][len(deal[line]) - left : len(deal[line]) - fewer]) >= new
                drawn += new.total()
    assert drawn


async def test_a_bot_judges_the_moves_one_line_each(tmp_path):
    table, _ = game("cardtracks")
    async with open_server(tmp_path) as server:
        ann = await server.person()
        opinions = await ann.post("/api/review", {"record": table.record(), "level": 1})
        found = [json.loads(line) for line in opinions.splitlines()]
        assert [one["move"] for one in found] == [str(move) for _, move in table.moves]
        assert all(0 <= one["win"] <= 1 for one in found)


async def test_the_chances_after_every_move_end_with_the_result(tmp_path):
    table, _ = game("cardtracks")
    async with open_server(tmp_path) as server:
        ann = await server.person()
        for seat in (0, 1):
            lines = await ann.post("/api/forecast", {"record": table.record(), "seat": seat})
            found = [json.loads(line) for line in lines.splitlines()]
            assert [one["number"] for one in found] == list(range(len(table.moves) + 1))
            assert all(one["worlds"] > 0 for one in found[:-1])
            assert found[-1] == {"number": len(table.moves), "chances": [1.0, 0.0], "worlds": 0}
            assert table.outcome.places == (1, 2)
        with pytest.raises(ServerError, match="There is no seat 2"):
            await ann.post("/api/forecast", {"record": table.record(), "seat": 2})


async def test_a_game_that_was_given_up_ends_as_its_record_notes(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        await ann.post(f"/api/tables/{table['id']}/leave", {})
        record = await ann.get(f"/api/tables/{table['id']}/record")
        shown = await ann.post("/api/replay", {"record": record})
        assert (shown["outcome"], shown["given_up"]) == (None, {"places": [2, 1], "ended": "resigned"})
        lines = (await ann.post("/api/forecast", {"record": record})).splitlines()
        assert json.loads(lines[-1])["chances"] == [0.0, 1.0]
        for wrong in ("places 9 9", "places 1", "places 2 1 1"):
            odd = await ann.post("/api/replay", {"record": record.replace("places 2 1", wrong)})
            assert odd["given_up"] is None


async def test_garbage_gets_the_line_that_is_wrong(tmp_path):
    table, _ = game()
    record = table.record()
    async with open_server(tmp_path) as server:
        ann = await server.person()
        for wrong in ("", "\x00", record[:200], record.replace("result: places", "result: places 9"), record + "x\n"):
            with pytest.raises(ServerError) as refused:
                await ann.post("/api/replay", {"record": wrong})
            assert refused.value.status == 400
        with pytest.raises(ServerError, match="There is no seat 5"):
            await ann.post("/api/replay", {"record": record, "chair": 5})


async def test_a_record_from_anybody_runs_no_code_and_finds_no_hole(tmp_path, monkeypatch):
    record = game()[0].record()
    evil = tmp_path / "evil"
    evil.mkdir()
    for part in ("rules.py", "words.py"):
        (evil / part).write_text("from pathlib import Path\nPath(__file__).with_name('ran').touch()\n")
    monkeypatch.chdir(tmp_path)
    names = ("evil", "./evil", "..", ".", "../../tmp", str(evil), "a" * 300, "evil\x00")
    wrong = [record.replace("game: palaces", f"game: {name}") for name in names]
    unseeded = "".join(
        line for line in record.splitlines(keepends=True) if not line.startswith(("seed:", "deal first"))
    )
    wrong += [
        unseeded.replace("moves:", f"deal first: {'1' * 5_000}\nmoves:"),
        record.replace("moves:", f"moves:\n0 {'K' * 900_000}"),
        record.replace("seed: ", f"seed: {'1' * 5_000}"),
    ]
    async with open_server(tmp_path / "server") as server:
        ann = await server.person()
        for text in wrong:
            for path in ("/api/replay", "/api/review", "/api/forecast"):
                with pytest.raises(ServerError) as refused:
                    await ann.post(path, {"record": text})
                assert refused.value.status == 400
                assert str(refused.value).startswith("line ")
                assert len(str(refused.value)) < 400
                assert "Traceback" not in str(refused.value)
        assert not (evil / "ran").exists()
        with pytest.raises(ServerError) as refused:
            await ann.post("/api/replay", {"record": record, "x" * 100_000: 1})
        assert (refused.value.status, len(str(refused.value)) < 400) == (422, True)


async def test_the_deal_was_promised_before_the_first_move(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        chair = await server.chair(ann, table, 0)
        await play_on(chair)
        opened = chair.table["opened"]
        assert commitment(int(opened["seed"]), opened["salt"]) == table["commitment"]
        assert int(opened["seed"]).bit_length() > 200
        record = await ann.get(f"/api/tables/{table['id']}/record")
        assert verify(record) == table["commitment"]
        assert clew.replay(record).seed == int(opened["seed"])
        for wrong in (("# salt: ", "# salt: 0"), ("seed: ", "seed: 1"), ("# commitment: ", "# commitment: 0")):
            with pytest.raises(BadRecord, match="not the one that was promised"):
                verify(record.replace(*wrong))
        with pytest.raises(BadRecord, match="was not committed"):
            verify(clew.new("palaces", seed=7).record())


async def over(server, ann, game="cardtracks"):
    """The record of a game that Ann has played to its end."""
    table = await ann.post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "bot", "level": 1}]})
    await play_on(await server.chair(ann, table, 0))
    return await ann.get(f"/api/tables/{table['id']}/record")


@pytest.mark.parametrize("name", ["cardtracks", "palaces"])
async def test_a_finished_game_is_played_on_from_any_move(tmp_path, name):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        record = await over(server, ann, name)
        before = clew.replay(record)
        for at in (0, 5, len(before.moves) - 1):
            seats = [{"who": "bot", "level": 2}, {"who": "me"}]
            wish = {"game": name, "seats": seats, "continues": {"record": record, "at": at}}
            table = await ann.post("/api/tables", wish)
            assert (table["continued"], table["state"]) == (at, "playing")
            assert [seat["kind"] for seat in table["seats"]] == ["bot", "person"]
            chair = await server.chair(ann, table, 1)
            assert sum(entry["kind"] == "move" for entry in chair.log) >= at
            await play_on(chair)
            again = await ann.get(f"/api/tables/{table['id']}/record")
            after = clew.replay(again)
            assert after.outcome is not None
            assert after.deal_lines() == before.deal_lines()
            assert [*map(str, after.moves)][:at] == [*map(str, before.moves)][:at]
            shown = await ann.post("/api/replay", {"record": again})
            assert (shown["continued"], shown["commitment"]) == (at, None)


async def test_what_cannot_be_played_on_says_why(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        record = await over(server, ann)
        total = len(clew.replay(record).moves)
        two = [{"who": "me"}, {"who": "bot"}]
        unseeded = "".join(line for line in record.splitlines(keepends=True) if not line.startswith("seed:"))
        for more, text in (
            ({"continues": {"record": record, "at": total}}, "There the game is over"),
            ({"continues": {"record": record, "at": total + 9}}, "There the game is over"),
            ({"continues": {"record": unseeded, "at": 3}}, "no seed"),
            ({"continues": {"record": record, "at": 3}, "game": "palaces"}, "The record is of Cardtracks"),
            ({"continues": {"record": record, "at": 3}, "seats": [{"who": "me"}]}, "with 2 players"),
            ({"continues": {"record": record, "at": 3}, "seats": [{"who": "me"}, {"who": "open"}]}, "by bots"),
            ({"continues": {"record": "nonsense", "at": 3}}, "line 1"),
        ):
            with pytest.raises(ServerError, match=text):
                await ann.post("/api/tables", {"game": "cardtracks", "seats": two, **more})


async def test_a_running_game_has_no_record_to_be_played_on_from(tmp_path):
    async with open_server(tmp_path) as server:
        ann = await server.person()
        table = await ann.post("/api/tables", {"game": "palaces", "seats": [{"who": "me"}, {"who": "bot"}]})
        with pytest.raises(ServerError, match="when the game is over"):
            await ann.get(f"/api/tables/{table['id']}/record")


async def test_a_replay_tells_the_legal_moves_at_its_end(tmp_path):
    table = clew.new("palaces", seed=7)
    async with open_server(tmp_path) as server:
        ann = await server.person()
        record = table.record()
        assert (await ann.post("/api/replay", {"record": record, "chair": 0}))["moves"] == [
            *map(str, table.legal_moves(0))
        ]
        for chair in (1, None, "all"):
            assert (await ann.post("/api/replay", {"record": record, "chair": chair}))["moves"] == []


async def test_a_replay_is_told_to_the_player_who_reads_it(tmp_path):
    table = clew.new("palaces", seed=7, names=["Ann", "Cat"])
    for _ in range(4):
        table.play(table.legal_moves()[0])
    async with open_server(tmp_path) as server:
        ann = await server.person()
        for chair in (None, 0, 1, "all"):
            shown = await ann.post("/api/replay", {"record": table.record(), "chair": chair, "you": 1})
            said = " ".join(told["text"] for step in shown["steps"] for told in step["told"])
            assert "You" in said
            assert "Ann" in said
            assert "Cat" not in said
