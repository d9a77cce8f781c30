"""The tables of the database, and every statement that is made to it, written once for both dialects."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    func,
    select,
    text,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("one_device", Boolean, nullable=False),
    Column("clock", Text),
    Column("seed", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("invite", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    # What a list of tables shows, kept in step with the log in the same transaction.
    Column("status", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("summary", Text, nullable=False),
    Column("record", Text),  # of a table whose log was archived
    Index("tables_by_status", "status", "changed"),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("key", Text),  # who wanted it, and the id they gave it
    Column("data", Text, nullable=False),
    UniqueConstraint("table_id", "key", name="entries_once"),
)

chairs = Table(
    "chairs",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Text, nullable=False),
    Index("chairs_by_person", "person"),
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
)

ENTRY = ("table_id", "number", "at", "kind", "seat", "key", "data")
MOST_LISTED = 100

_mine = select(chairs.c.table_id).where(chairs.c.person == bindparam("person"))

STATEMENTS: dict[str, Any] = {
    "add_table": tables.insert(),
    "add_entry": entries.insert().values({name: bindparam(name) for name in ENTRY}),
    "set_chair": text(
        "INSERT INTO chairs (table_id, seat, person) VALUES (:table_id, :seat, :person) "
        "ON CONFLICT (table_id, seat) DO UPDATE SET person = excluded.person"
    ),
    "drop_chair": text("DELETE FROM chairs WHERE table_id = :table_id AND seat = :seat"),
    "set_status": text("UPDATE tables SET status = :status, changed = :changed, summary = :summary WHERE id = :id"),
    "set_person": text(
        "INSERT INTO people (id, name, changed) VALUES (:id, :name, :changed) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, changed = excluded.changed"
    ),
    "person": select(people.c.name).where(people.c.id == bindparam("id")),
    "table": select(tables).where(tables.c.id == bindparam("id")),
    "entries": select(entries)
    .where(entries.c.table_id == bindparam("table_id"), entries.c.number > bindparam("after"))
    .order_by(entries.c.number),
    "number_of": select(entries.c.number).where(
        entries.c.table_id == bindparam("table_id"), entries.c.key == bindparam("key")
    ),
    "waiting": select(tables)
    .where(tables.c.status == "waiting", tables.c.private.is_(False))
    .order_by(tables.c.changed.desc())
    .limit(MOST_LISTED),
    "mine": select(tables)
    .where(tables.c.id.in_(_mine), tables.c.record.is_(None))
    .order_by(tables.c.status == "over", tables.c.changed.desc())
    .limit(MOST_LISTED),
    "seated": select(func.count()).select_from(tables).where(tables.c.id.in_(_mine), tables.c.status != "over"),
    "with_clock": select(tables.c.id).where(tables.c.status == "playing", tables.c.clock.is_not(None)),
    "stale": select(tables.c.id)
    .where(
        tables.c.status == bindparam("status"),
        tables.c.changed < bindparam("before"),
        tables.c.record.is_(None),
        ~select(entries.c.number)
        .where(entries.c.table_id == tables.c.id, entries.c.at >= bindparam("before"))
        .exists(),
    )
    .limit(MOST_LISTED),
    "set_record": text("UPDATE tables SET record = :record WHERE id = :id"),
    "drop_entries": text("DELETE FROM entries WHERE table_id = :id"),
    "drop_chairs": text("DELETE FROM chairs WHERE table_id = :id"),
    "drop_table": text("DELETE FROM tables WHERE id = :id"),
    "count": select(tables.c.status, func.count()).group_by(tables.c.status),
}


class Statement:
    """A statement as a text of one dialect, with its parameters in their order."""

    def __init__(self, statement: Any, dialect: Any) -> None:
        done = statement.compile(dialect=dialect)
        self.sql = str(done)
        self._order = tuple(done.positiontup or ())
        self._fixed = {key: bind.value for key, bind in done.binds.items() if not bind.required}

    def values(self, given: dict[str, Any]) -> list[Any]:
        """The values to execute it with."""
        return [self._fixed[key] if key in self._fixed else given[key] for key in self._order]


def compiled(dialect: Any) -> dict[str, Statement]:
    """Each statement by its name, for this dialect."""
    return {name: Statement(statement, dialect) for name, statement in STATEMENTS.items()}
