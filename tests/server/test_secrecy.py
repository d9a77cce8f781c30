"""Two tables that a chair cannot tell apart: it receives the same bytes, over a whole game."""

import random

import pytest
from servers import level, normal, open_server
from two_worlds import CHAIR, two_worlds

import clew
from clew.core.errors import IllegalMove
from clew.core.game import load
from clew.core.table import Table, new_from_deal
from clew.server import table_state


async def watched(server, game, deals, moves, monkeypatch, changes):
    """Play the moves at a table dealt so; all that the chair and a spectator receive."""
    dealt = {}

    def deal(state):
        row = state.row
        return dealt.setdefault(row.id, new_from_deal(load(game), row.players, row.options, deals)).copy()

    monkeypatch.setattr(table_state, "deal", deal)
    ann, bob, eve = await server.person("Ann"), await server.person("Bob"), await server.person("Eve")
    ann.recording = eve.recording = True
    table = await ann.post("/api/tables", {"game": game, "seats": [{"who": "me"}, {"who": "open"}]})
    await bob.post(f"/api/tables/{table['id']}/join")
    chairs = [await server.chair(ann, table, 0, changes=changes), await server.chair(bob, table, 1)]
    watcher = await server.chair(eve, table, None, changes=changes)
    await chairs[0].until(lambda: chairs[0].seen and chairs[0].seen[-1] == presence)
    for at, (seat, move) in enumerate(moves):
        await chairs[seat].until(lambda: chairs[seat].moves)  # noqa: B023
        if seat == CHAIR and at < 12:
            await chairs[seat].repeat(f"hint{at}", "hint", level=1)
            noted = f"hint-hint{at}"  # the entry of a hint may come after its answer
            await chairs[seat].until(lambda: any(one.get("id") == noted for one in chairs[seat].log))  # noqa: B023
            await chairs[seat].repeat(f"judge{at}", "judge", parts=["nonsense"])
        await chairs[seat].repeat(f"move{at}", "move", move=move)
        if seat == CHAIR and at < 6:
            await try_undo(chairs, at)
    for chair in (*chairs, watcher):
        await chair.until(lambda: chair.over)  # noqa: B023
    # A hint is thought about while the table is told that it was taken: either may come first.
    in_order = [
        sorted(chair.received, key=lambda raw: raw.startswith('{"type":"hinted"')) for chair in (chairs[0], watcher)
    ]
    return [[normal(raw) for raw in received] for received in in_order]


async def try_undo(chairs, at):
    """Ask to take a move back; the other says no, if it comes to that."""
    try:
        asked = await chairs[CHAIR].repeat(f"undo{at}", "undo")
    except IllegalMove:
        return
    await chairs[1 - CHAIR].repeat(f"no{at}", "answer", ask=asked["number"], yes=False)
    await level(*chairs)


presence = {"type": "presence", "seats": [0, 1], "watching": 1}


async def compare(tmp_path, game, monkeypatch, changes):
    monkeypatch.setattr(table_state.TableState, "bot_seed", lambda self, seat: 1)
    deals, moves = two_worlds(game)
    async with open_server(tmp_path) as server:
        one = await watched(server, game, deals[0], moves, monkeypatch, changes)
        other = await watched(server, game, deals[1], moves, monkeypatch, changes)
    assert len(one[0]) > len(moves)
    assert changes == any('"changes":{' in raw for raw in one[0])
    return one == other


@pytest.mark.parametrize(("game", "changes"), [*((game, True) for game in clew.games()), ("palaces", False)])
async def test_the_bytes_are_the_same_in_two_worlds_that_look_alike(tmp_path, game, changes, monkeypatch):
    assert await compare(tmp_path, game, monkeypatch, changes)


@pytest.mark.parametrize("changes", [True, False])
async def test_a_planted_leak_is_caught(tmp_path, monkeypatch, changes):
    honest = Table.shared_view

    def leaky(self, seat, known=True):
        state = self._states[-1].tobytes()
        return {**honest(self, seat, known), "weight": sum(state) + hash(state)}

    monkeypatch.setattr(Table, "shared_view", leaky)
    assert not await compare(tmp_path, "palaces", monkeypatch, changes)


async def test_a_choice_under_way_is_known_to_its_maker_alone(tmp_path):
    async with open_server(tmp_path) as server:
        rng = random.Random(3)
        for _ in range(20):
            table, ann, bob = await server.two("cardtracks")
            chairs = (ann, bob)
            while not ann.over and len(ann.view["to_move"]) < 2:
                seat = ann.view["to_move"][0]
                await chairs[seat].until(lambda: chairs[seat].moves)  # noqa: B023
                await chairs[seat].move(rng.choice(chairs[seat].moves))
                await level(ann, bob)
            if ann.over:
                continue
            bob.client.recording = True
            choice = next(move for move in ann.moves if move != "keep")
            await ann.move(choice)
            await level(ann, bob)
            assert ann.log[-1]["move"] == choice
            told = bob.log[-1]["told"]
            assert [event["text"] for event in told] == ["Ann has chosen."]
            assert not any(choice in raw for raw in bob.received if '"event"' in raw)
            rows = await server.registry.store.entries(table["id"])
            assert rows[-1].move == choice  # it is on disk, and only there
            return
    raise AssertionError("no choice at the same time came up")
