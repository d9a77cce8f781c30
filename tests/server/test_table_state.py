"""The state of a table takes one entry after the other, whatever is in its log, and nothing that was not written."""

import tracemalloc

import pytest

from clew.core.errors import IllegalMove
from clew.server.log_entries import ChatSaid, GameStarted, MoveMade, MoveUndone, TableCreated
from clew.server.seats import Sitter
from clew.server.store import TableRow
from clew.server.table_state import TableState

SEATS = [Sitter("person", name, name) for name in ("Ann", "Bob")]


def table(game="palaces", chats=0):
    """The state of a table whose game has begun, with so much chat."""
    row = TableRow("t", game, 1, {}, 2, False, False, None, 7, "salt", "", 0, "playing", 0, {})
    state = TableState(row)
    state.apply(TableCreated(number=1, at=0, seats=SEATS))
    state.apply(GameStarted(number=2, at=0))
    for number in range(3, 3 + chats):
        state.apply(ChatSaid(number=number, at=0, seat=0, key=f"0:c{number}", text="Hello!"))
    return state


def move(state, name, key="0:m"):
    seat = state.to_move[0]
    return MoveMade(number=state.number + 1, at=0, seat=seat, key=key, move=name)


def first_move(state):
    return str(state.game.legal_moves()[0])


def test_an_entry_takes_no_more_memory_after_a_hundred_thousand_others():
    took = []
    for chats in (100, 100_000):
        state = table(chats=chats)
        row = move(state, first_move(state))
        state.after(row)  # whatever is made once
        tracemalloc.start()
        after = state.after(row)
        took.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert after.number == chats + 3
    assert took[1] < took[0] + 50_000  # a copy of the log has more than a million bytes


def test_what_could_not_be_written_leaves_nothing_behind():
    state = table()
    chosen = [str(one) for one in state.game.legal_moves()[:2]]
    lost = state.after(move(state, chosen[0], "0:lost"))
    assert (lost.number, state.number) == (3, 2)
    assert [entry.kind for entry in state.entries] == ["created", "started"]
    assert state.number_of_key("0:lost") is None
    after = state.after(move(state, chosen[1], "0:kept"))
    assert after.number_of_key("0:lost") is None
    assert after.number_of_key("0:kept") == 3
    assert [entry.key for entry in after.entries] == [None, None, "0:kept"]
    assert [str(made) for _, made in after.game.moves] == [chosen[1]]


def test_what_was_refused_leaves_nothing_behind():
    state = table()
    with pytest.raises(IllegalMove):
        state.after(move(state, "-K99", "0:lost"))
    assert state.number_of_key("0:lost") is None
    assert state.after(ChatSaid(number=3, at=0, seat=0, key="0:lost", text="Hello!")).number_of_key("0:lost") == 3


def test_a_move_is_taken_back_only_from_the_entry_on_that_says_so(pebbles):
    state = table(pebbles)
    for number, text in ((3, "take 1"), (4, "take 2")):
        state = state.after(move(state, text, f"{number}"))
    lost = state.after(MoveUndone(number=5, at=0, seat=1))
    assert (lost.move_of(4), state.move_of(4)) == (None, 2)
    chat = state.after(ChatSaid(number=5, at=0, seat=0, text="Hello!"))  # the undo was not written
    assert chat.move_of(4) == 2
    back = chat.after(MoveUndone(number=6, at=0, seat=1)).after(MoveUndone(number=7, at=0, seat=0))
    assert [back.move_of(number) for number in (3, 4)] == [None, None]
    again = back.after(move(back, "take 1", "8"))
    assert (again.move_of(8), again.game.length) == (1, 1)
