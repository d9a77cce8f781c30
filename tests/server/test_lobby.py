"""The order of the lobby, on SQLite and on PostgreSQL."""

import pytest

from clew.server.log_entries import TableCreated
from clew.server.store import TableRow, open_store
from clew.server.store.base import ORIGIN, NewTable


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'clew.db'}"
    return request.getfixturevalue("postgres")()


def waiting(name, person, origin, at):
    row = TableRow(name, "palaces", 1, {}, 2, False, False, None, 1, "ab", "inv", at, "waiting", at, {"seats": []})
    chairs = {1: person} if origin is None else {0: person, ORIGIN: origin}
    return NewTable(row, [TableCreated(number=1, at=at, seats=[])], chairs)


async def test_everybody_has_a_turn_in_the_lobby(address):
    """First the newest table of each person and each origin; those of before origins were noted count by person."""
    store = await open_store(address)
    tables = [("a1", "ann", "here", 1), ("b1", "bob", "there", 2), ("o1", "old", None, 3), ("o2", "old", None, 4)]
    tables += [(f"e{i}", "eve", "there", 10 + i) for i in range(3)]
    for one in tables:
        await store.create(waiting(*one))
    assert [row.id for row in await store.waiting()] == ["e2", "o2", "a1", "o1", "b1", "e1", "e0"]
    assert [row.id for row in await store.waiting(2, 1)] == ["o2", "a1"]
    assert await store.seated("there") == 4
    assert [row.id for row in await store.mine("there")] == []
    await store.close()
