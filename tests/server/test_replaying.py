"""Records looked at again: what each chair knew at the time, whether the deal was kept, what a bot thinks of it."""

import itertools
import json
import random
from collections import Counter

import pytest
from houses import open_house, play_on

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
    async with open_house(tmp_path) as house:
        ann = await house.person()
        for chair, at in ((0, 0), (1, 1), (None, 2)):
            shown = await ann.post("/api/replay", {"record": table.record(), "chair": chair})
            assert [step["view"] for step in shown["steps"]] == [step[at] for step in views]
            assert [step["move"] for step in shown["steps"][1:]] == [str(move) for _, move in table.moves]
            assert shown["outcome"]["places"] == list(table.outcome.places)
            assert shown["commitment"] is None
        everything = await ann.post("/api/replay", {"record": committed(table), "chair": "all"})
        assert [step["views"] for step in everything["steps"]] == [step[:2] for step in views]
        assert everything["names"] == ["Ann", ""]
        assert everything["commitment"]["kept"]
        broken = committed(table).replace("# salt: ab", "# salt: ac")
        assert not (await ann.post("/api/replay", {"record": broken}))["commitment"]["kept"]


@pytest.mark.parametrize("name", clew.games())
async def test_with_everything_open_all_hands_and_the_whole_deal_are_shown(tmp_path, name):
    table, views = game(name)
    async with open_house(tmp_path) as house:
        ann = await house.person()
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
    async with open_house(tmp_path) as house:
        ann = await house.person()
        opinions = await ann.post("/api/review", {"record": table.record(), "level": 1})
        found = [json.loads(line) for line in opinions.splitlines()]
        assert [one["move"] for one in found] == [str(move) for _, move in table.moves]
        assert all(0 <= one["win"] <= 1 for one in found)


async def test_garbage_gets_the_line_that_is_wrong(tmp_path):
    table, _ = game()
    record = table.record()
    async with open_house(tmp_path) as house:
        ann = await house.person()
        for wrong in ("", "\x00", record[:200], record.replace("result: places", "result: places 9"), record + "x\n"):
            with pytest.raises(ServerError) as refused:
                await ann.post("/api/replay", {"record": wrong})
            assert refused.value.status == 400
        with pytest.raises(ServerError, match="There is no seat 5"):
            await ann.post("/api/replay", {"record": record, "chair": 5})
        path = record.replace("game: palaces", "game: ../../tmp")
        with pytest.raises(ServerError, match="There is no game"):
            await ann.post("/api/replay", {"record": path})


async def test_the_deal_was_promised_before_the_first_move(tmp_path):
    async with open_house(tmp_path) as house:
        ann = await house.person()
        seats = [{"who": "me"}, {"who": "bot", "level": 1}]
        table = await ann.post("/api/tables", {"game": "cardtracks", "seats": seats})
        chair = await house.chair(ann, table, 0)
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
