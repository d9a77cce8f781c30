"""Garbage on the wire: the server stays up, games stay as they are, and at the next table people play on.

CLEW_HOSTILE=100000 sends so many messages; without it there are some hundreds.
"""

import asyncio
import json
import os
import random
import string

from servers import level, open_server, play_on
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

import clew

BURST = 8
MESSAGES = int(os.environ.get("CLEW_HOSTILE", "400"))
KINDS = ("hello", "move", "judge", "hint", "chat", "resign", "leave", "undo", "takeover", "return", "rematch", "answer")
FIELDS = ("id", "move", "parts", "level", "text", "seat", "ask", "yes", "chair", "last", "version", "invite", "known")


def value(rng, depth=0):
    """Something that JSON can say."""
    made = [
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: rng.choice((0, 1, -1, 7, 2**31, 2**63, 2**64, -(2**70), 1e308, -0.0)),
        lambda: "".join(rng.choices(string.printable + "é€😀\u202e\x00", k=rng.randrange(40))),
        lambda: rng.choice(("0", "1", "-K1", ">2", "keep", "draw", "../../etc/passwd", "' OR 1=1 --", "<script>")),
        lambda: [value(rng, depth + 1) for _ in range(rng.randrange(4))],
        lambda: {rng.choice(FIELDS): value(rng, depth + 1) for _ in range(rng.randrange(4))},
    ]
    return rng.choice(made[: None if depth < 3 else 5])()


def hostile(rng, honest):
    """One message that nobody should send."""
    kind = rng.randrange(9)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return rng.randbytes(rng.randrange(200)).decode("latin-1")
    if kind == 2:
        return json.dumps(value(rng))
    if kind == 3:
        return json.dumps({"type": rng.choice(KINDS), **{rng.choice(FIELDS): value(rng) for _ in range(3)}})
    if kind == 4:
        return json.dumps({"type": "move", "id": f"{rng.getrandbits(40):x}", "move": rng.choice(honest["moves"])})
    if kind == 5:  # other people's chairs
        return json.dumps({"type": "hello", "version": 1, "chair": rng.randrange(3), "last": rng.randrange(9)})
    if kind == 6:  # ids that were used
        return json.dumps(
            {"type": rng.choice(("move", "resign", "chat")), "id": rng.choice(honest["ids"]), "move": "x"}
        )
    if kind == 7:
        return rng.choice(("[" * 5000, '{"a":' * 5000, '"' + "x" * rng.choice((100, 70_000, 140_000)) + '"'))
    return json.dumps({"type": rng.choice(KINDS), "id": "x" * rng.randrange(80), "seat": 0, "ask": 1, "yes": True})


async def attack(url, cookie, rng, honest, count):
    """Have so many messages read by the server, coming back whenever the door is shut; all that was received.

    After each burst a hello is answered, so that nothing counts which only lies in a buffer.
    """
    received, handled = [], 0
    while handled < count:
        try:
            headers = {"Cookie": f"clew={cookie}"}
            async with connect(
                url, additional_headers=headers, compression=None, max_size=None, close_timeout=1
            ) as socket:
                if rng.random() < 0.9:
                    await socket.send('{"type":"hello","version":1}')
                while handled < count:
                    handled += 1
                    for _ in range(BURST):
                        await socket.send(hostile(rng, honest))
                    await socket.send('{"type":"hello","version":1}')
                    while not received or '"welcome"' not in received[-1]:
                        received.append(await socket.recv())
                    received.pop()
                    handled += BURST - 1
        except (ConnectionClosed, InvalidMessage, OSError, TimeoutError):
            pass
    return received


async def test_nothing_hostile_changes_a_game_or_stops_the_server(tmp_path):
    async with open_server(tmp_path) as server:
        table, ann, bob = await server.two()
        first = ann if ann.moves else bob
        await first.repeat("used", "move", move=first.moves[0])
        await level(ann, bob)
        room = server.registry.rooms[table["id"]]
        before = room.state.number, room.state.game.record(), ann.view, bob.view
        honest = {"moves": [*ann.moves, *bob.moves], "ids": ["used"]}
        eve = await server.person("Eve")
        url = f"{server.url.replace('http', 'ws')}/api/tables/{table['id']}/play"
        attacks = [
            asyncio.create_task(attack(url, eve.cookie, random.Random(i), honest, MESSAGES // 3)) for i in range(3)
        ]
        played = 0
        while not all(task.done() for task in attacks):  # at the next table
            _, cid, dan = await server.two("cardtracks")
            played += sum(await asyncio.gather(play_on(cid), play_on(dan)))
        received = [raw for task in attacks for raw in task.result()]
        assert played > 10
        # The game is where it was, and its people can go on.
        assert (room.state.number, room.state.game.record()) == before[:2]
        assert (ann.view, bob.view) == before[2:]
        await asyncio.gather(play_on(ann), play_on(bob))
        assert ann.table["result"] == bob.table["result"]
        assert clew.replay(await ann.client.get(f"/api/tables/{table['id']}/record")).outcome
        # Nobody who watches was sent a hand, and errors are sentences.
        assert len(received) > MESSAGES / 20
        hidden = before[2]["table"]["hand"]
        assert hidden
        for raw in received:
            message = json.loads(raw)
            if message["type"] == "welcome":
                assert not message["now"]["view"]["table"]["hand"]
                assert "moves" not in message["now"]
            if message["type"] == "error":
                assert message["text"].endswith(".")
                assert "Traceback" not in message["text"]
