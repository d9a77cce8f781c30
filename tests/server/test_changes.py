"""Who asks for changes is sent what has changed in the view, and knows the same as who is sent everything."""

import asyncio
import functools
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import level, open_server

import clew
from clew.core.changes import applied, change

KEYS = st.sampled_from("abcd")
PLAIN = st.recursive(
    st.none() | st.integers(0, 3) | st.text("xy", max_size=2),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN, PLAIN)
def test_a_change_leads_from_one_value_to_the_other_and_spoils_neither(was, now):
    before = json.dumps([was, now])
    found = json.loads(json.dumps(change(was, now)))
    assert applied(was, found) == now
    assert json.dumps([was, now]) == before


@given(PLAIN, PLAIN)
def test_the_protocol_tells_how_a_change_is_made(was, now):
    assert in_the_protocol()["applied"](was, json.loads(json.dumps(change(was, now)))) == now


@functools.cache
def in_the_protocol():
    """What is defined by the lines of Python in the page about the protocol."""
    page = (Path(__file__).parents[2] / "docs/protocol.md").read_text()
    scope = {}
    exec(page.split("```python\n")[1].split("```")[0], scope)
    return scope


def test_what_stays_is_not_said_again():
    was = {"hand": ["K3", "M4"], "paths": [{"step": 1, "cards": ["Z1"]}, {"step": 0, "cards": []}], "pile": 40}
    now = {"hand": ["K3", "M9"], "paths": [{"step": 1, "cards": ["Z1"]}, {"step": 1, "cards": ["P2"]}], "pile": 39}
    assert change(was, now) == {
        "hand": {"1": ["M9"]},
        "paths": {"1": {"step": [1], "cards": [["P2"]]}},
        "pile": [39],
    }


def text(now):
    return json.dumps({**now, "clocks": None}, sort_keys=True)


def sent(chair):
    """The positions in the events that a chair was sent, as they came."""
    came = [json.loads(raw) for raw in chair.received if raw.startswith('{"type":"event"')]
    return [event["now"] for event in came if "now" in event]


@pytest.mark.parametrize("game", clew.games())
async def test_both_know_the_same_all_game_long(tmp_path, game):
    rng = random.Random(4)
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two(game)
        eve = await server.person("Eve")
        ann.client.recording = eve.recording = True
        pairs = [
            [await server.chair(person, table, seat, changes=changes, known=known) for changes in (True, False)]
            for person, seat, known in ((ann.client, 0, False), (ann.client, 0, True), (eve, None, False))
        ]
        for move in range(40):
            mover = next((chair for chair in (ann, bob) if chair.moves), None)
            if mover is None:
                break
            await mover.move(rng.choice(mover.moves))
            if move % 10 == 3:
                await mover.ask("chat", text="nothing changes")
            if move % 10 == 5:  # a connection that breaks is told everything, and changes from there on
                await pairs[0][0]._socket.close()
            await level(ann, bob, *(chair for pair in pairs for chair in pair))
            for changed, whole in pairs:
                assert text(changed.now) == text(whole.now)
        if not ann.over:
            await ann.ask("resign")
        await level(ann, bob, *(chair for pair in pairs for chair in pair))
        for changed, whole in pairs:
            assert text(changed.now) == text(whole.now)
            assert changed.now["view"]["to_move"] == []
            assert all("changes" in now and "view" not in now for now in sent(changed))
            assert all("view" in now and "changes" not in now for now in sent(whole))
        sizes = [[len(json.dumps(sent(chair))) for chair in pair] for pair in (pairs[0], pairs[2])]
        assert all(changed < 0.7 * whole for changed, whole in sizes)


async def test_after_a_move_was_taken_back_and_a_chair_changed_both_know_the_same(tmp_path, pebbles):
    async with open_server(tmp_path) as server:
        ann = await server.person("Ann")
        two = [{"who": "me", "name": "A"}, {"who": "me", "name": "B"}]
        table = await ann.post("/api/tables", {"game": "pebbles", "seats": two, "options": {"heap": 10}})
        changed, whole = [await server.chair(ann, table, 0, changes=changes) for changes in (True, False)]
        await whole.move("take 1")
        await whole.ask("undo")
        await level(changed, whole)
        assert text(changed.now) == text(whole.now)
        assert changed.view["table"]["heap"] == 10
        await whole.move("take 2")
        second = await server.chair(ann, table, 1, changes=True)
        for chair in (changed, whole):  # handed over: the same connection looks from another chair
            chair.seat, chair.number = 1, 0
            chair._hello |= {"chair": 1}
            await chair.say(json.dumps({**chair._hello, "last": 0}))
            await chair.until(lambda chair=chair: chair.now["view"]["seat"] == 1)
        await second.move("take 1")
        await level(changed, whole, second)
        assert text(changed.now) == text(whole.now) == text(second.now)
        assert changed.view["table"]["heap"] == 7


async def test_who_does_not_ask_for_changes_is_sent_everything(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        ann.client.recording = True
        old = await server.chair(ann.client, table, 0, changes=False)
        del old._hello["changes"]
        await old._socket.close()
        await old.until(lambda: old.connections == 2)
        mover = ann if ann.moves else bob
        await mover.move(mover.moves[0])
        await asyncio.wait_for(level(ann, bob, old), 30)
        assert all("view" in now for now in sent(old))
