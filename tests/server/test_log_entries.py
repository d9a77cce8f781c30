"""Log entries: the form in which the database keeps them, also those of older releases, and the form of a move."""

import pytest
from servers import open_server

from clew.core.game import load
from clew.server.log_entries import (
    KINDS,
    Asked,
    BotTookOver,
    ChatSaid,
    GameEnded,
    MoveMade,
    PlayerSat,
    PlayerStood,
    TableCreated,
    Timeout,
    from_row,
    to_row,
)
from clew.server.log_entries import Entry as LogEntryBase
from clew.server.messages import Entry
from clew.server.seats import Sitter, Terms

ANN = Sitter("person", "Ann", "ann")
BOT = Sitter("bot", "Mia", None, 3)
ANN_STORED = '{"kind":"person","name":"Ann","person":"ann","level":null,"resigned":false}'
BOT_STORED = '{"kind":"bot","name":"Mia","person":null,"level":3,"resigned":false}'

# As the first release has written them: the kind, the seat and the data of a row.
STORED = [
    (("created", None, '{"seats":[]}'), TableCreated(seats=[])),
    (
        (
            "created",
            None,
            f'{{"seats":[{ANN_STORED},{BOT_STORED}],"agreed":{{"hints":false,"stand_in":null}},"deal_salt":"ab"}}',
        ),
        TableCreated(seats=[ANN, BOT], agreed=Terms(False, None), deal_salt="ab"),
    ),
    (("sat", 1, '{"person":"ann","name":"Ann"}'), PlayerSat(seat=1, person="ann", name="Ann")),
    (("stood", 1, '{"steady":["a1",5]}'), PlayerStood(seat=1, steady=("a1", 5))),
    (
        ("move", 0, '{"move":"K7:a","used":9,"steady":["a1",5]}'),
        MoveMade(seat=0, move="K7:a", used=9, steady=("a1", 5)),
    ),
    (("chat", 0, '{"text":"Hello!"}'), ChatSaid(seat=0, text="Hello!")),
    (("asked", 0, '{"what":"undo","waiting":[1]}'), Asked(seat=0, what="undo", waiting=[1])),
    (
        ("asked", 0, '{"what":"takeover","seat":1,"level":3,"waiting":[2]}'),
        Asked(seat=0, what="takeover", about=1, level=3, waiting=[2]),
    ),
    (("takeover", 1, '{"level":3,"used":0}'), BotTookOver(seat=1, level=3)),
    (("timeout", 1, '{"then":"lose"}'), Timeout(seat=1, then="lose")),
    (("over", None, '{"ended":"abandoned"}'), GameEnded(ended="abandoned")),
]


@pytest.mark.parametrize(("stored", "entry"), STORED)
def test_an_entry_of_an_older_release_is_read(stored, entry):
    kind, seat, data = stored
    entry.number, entry.at, entry.key = 7, 5, "1:x"
    row = {"table_id": "t", "number": 7, "at": 5, "kind": kind, "seat": seat, "key": "1:x", "data": data}
    assert from_row(row) == entry
    assert from_row(to_row(entry, "t")) == entry


def test_an_entry_is_written_as_older_releases_read_it():
    entry = Asked(number=7, at=5, seat=0, key="0:x", what="takeover", about=1, level=3, waiting=[2], steady=("a1", 5))
    data = '{"steady":["a1",5],"what":"takeover","waiting":[2],"seat":1,"level":3}'
    row = {"table_id": "t", "number": 7, "at": 5, "kind": "asked", "seat": 0, "key": "0:x", "data": data}
    assert to_row(entry, "t") == row


def test_the_protocol_names_every_kind():
    assert all(kind in Entry.__doc__ for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_says_how_it_is_told(kind):
    """The base has no sentence: an entry without one would break whatever connection reads it."""
    assert kind.sentence is not LogEntryBase.sentence or kind.tell is not LogEntryBase.tell


async def test_the_log_keeps_a_move_as_the_engine_writes_it(tmp_path, pebbles, monkeypatch):
    parsed = []

    def parse(text, v):
        parsed.append(text)
        return int(text.split()[-1])

    monkeypatch.setattr(load(pebbles).words, "parse", parse)
    async with open_server(tmp_path) as server:
        table, *chairs = await server.two(pebbles)
        await chairs[0].until(lambda: chairs[0].view)
        mover = chairs[chairs[0].view["to_move"][0]]
        await mover.turn()
        entry = await mover.move("please take  2")
        assert entry["move"] == "take 2"
        assert (await server.registry.store.entries(table["id"]))[-1].move == "take 2"
    assert parsed == ["please take  2"]  # once, on its way to the disk and to the chairs


async def test_who_set_up_a_table_with_a_clock_and_got_up_is_told_by_name(tmp_path):
    async with open_server(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        seats = [{"who": "me"}, {"who": "open"}, {"who": "open"}]
        table = await ann.post("/api/tables", {"game": "aathenuo", "seats": seats, "clock": {"total": 600}})
        await bob.post(f"/api/tables/{table['id']}/join")
        await ann.post(f"/api/tables/{table['id']}/leave")
        chair = await server.chair(bob, table, 1)
        assert [entry["text"] for entry in chair.log][1:] == ["You sit down.", "Ann gets up."]
