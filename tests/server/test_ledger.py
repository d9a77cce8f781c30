"""A ledger takes in one entry after the other, whatever is in its log, and nothing that was not written."""

import tracemalloc

import pytest

from clew.core.errors import IllegalMove
from clew.server.ledger import Ledger
from clew.server.store import Row, TableRow

SEATS = [{"kind": "person", "name": name, "person": name} for name in ("Ann", "Bob")]


def table(game="palaces", chats=0):
    """A ledger of a game that has begun, with so much chat."""
    row = TableRow("t", game, 1, {}, 2, False, False, None, 7, "salt", "", 0, "playing", 0, {})
    ledger = Ledger(row)
    ledger.fold(Row(1, 0, "created", None, None, {"seats": SEATS}))
    ledger.fold(Row(2, 0, "started"))
    for number in range(3, 3 + chats):
        ledger.fold(Row(number, 0, "chat", 0, f"0:c{number}", {"text": "Hello!"}))
    return ledger


def move(ledger, name, key="0:m"):
    seat = ledger.to_move[0]
    return Row(ledger.number + 1, 0, "move", seat, key, {"move": name})


def first_move(ledger):
    return str(ledger.game.legal_moves()[0])


def test_an_entry_takes_no_more_memory_after_a_hundred_thousand_others():
    took = []
    for chats in (100, 100_000):
        ledger = table(chats=chats)
        row = move(ledger, first_move(ledger))
        ledger.after(row)  # whatever is made once
        tracemalloc.start()
        after = ledger.after(row)
        took.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert after.number == chats + 3
    assert took[1] < took[0] + 50_000  # a copy of the log has more than a million bytes


def test_what_could_not_be_written_leaves_nothing_behind():
    ledger = table()
    chosen = [str(one) for one in ledger.game.legal_moves()[:2]]
    lost = ledger.after(move(ledger, chosen[0], "0:lost"))
    assert (lost.number, ledger.number) == (3, 2)
    assert [row.kind for row in ledger.rows] == ["created", "started"]
    assert ledger.made_by("0:lost") is None
    after = ledger.after(move(ledger, chosen[1], "0:kept"))
    assert after.made_by("0:lost") is None
    assert after.made_by("0:kept") == 3
    assert [row.key for row in after.rows] == [None, None, "0:kept"]
    assert [str(made) for _, made in after.game.moves] == [chosen[1]]


def test_what_was_refused_leaves_nothing_behind():
    ledger = table()
    with pytest.raises(IllegalMove):
        ledger.after(move(ledger, "-K99", "0:lost"))
    assert ledger.made_by("0:lost") is None
    assert ledger.after(Row(3, 0, "chat", 0, "0:lost", {"text": "Hello!"})).made_by("0:lost") == 3


def test_a_move_is_taken_back_only_from_the_entry_on_that_says_so(pebbles):
    ledger = table(pebbles)
    for number, text in ((3, "take 1"), (4, "take 2")):
        ledger = ledger.after(move(ledger, text, f"{number}"))
    lost = ledger.after(Row(5, 0, "undone", 1))
    assert (lost.move_of(4), ledger.move_of(4)) == (None, 2)
    chat = ledger.after(Row(5, 0, "chat", 0, None, {"text": "Hello!"}))  # the undo was not written
    assert chat.move_of(4) == 2
    back = chat.after(Row(6, 0, "undone", 1)).after(Row(7, 0, "undone", 0))
    assert [back.move_of(number) for number in (3, 4)] == [None, None]
    again = back.after(move(back, "take 1", "8"))
    assert (again.move_of(8), again.game.length) == (1, 1)
