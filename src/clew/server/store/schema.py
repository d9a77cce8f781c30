"""The tables of the database, and every statement that is made to it, written once for both dialects."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    ClauseElement,
    Column,
    ColumnElement,
    Dialect,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    UniqueConstraint,
    and_,
    bindparam,
    func,
    or_,
    select,
    text,
)
from sqlalchemy.sql.compiler import SQLCompiler

from clew.server.data_types import Columns
from clew.server.store.base import HOST, ORIGIN

metadata = MetaData()

Row = tuple[Any, ...]  # Any: of the types that the columns have

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
    Index("tables_by_rules", "status", "game", "rules"),
)
# Old games are looked for among those that are not archived, however many are.
Index(
    "tables_unarchived",
    tables.c.status,
    tables.c.changed,
    sqlite_where=tables.c.record.is_(None),
    postgresql_where=tables.c.record.is_(None),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("key", Text),  # the idempotency key: who wanted it, and the id they gave it
    Column("data", Text, nullable=False),
    UniqueConstraint("table_id", "key", name="entries_once"),
)

chairs = Table(
    "chairs",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),  # or HOST, or ORIGIN
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

# When the first clock of a table runs out, at the earliest: what a round looks for instead of loading tables.
alarms = Table(
    "alarms",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("due", BigInteger, nullable=False),
    Column("remaining", BigInteger, nullable=False),  # milliseconds that a server has to run until then
    Index("alarms_by_due", "due", "remaining"),
)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

ENTRY = ("table_id", "number", "at", "kind", "seat", "key", "data")
MOST_LISTED = 100

_last = "(SELECT max(number) FROM entries WHERE table_id = :id) = :last"
_held = select(chairs.c.table_id).where(chairs.c.person == bindparam("person"))
_mine = _held.where(chairs.c.seat >= 0)
_running = or_(tables.c.status == "waiting", tables.c.status == "playing")


def _listed(*which: ColumnElement[bool]) -> Select[Row]:
    """A page of tables: those that are still played first, then those that changed last."""
    order = (tables.c.status == "over", tables.c.changed.desc(), tables.c.id)
    return select(tables).where(*which).order_by(*order).limit(bindparam("most")).offset(bindparam("skipped"))


def _unfinished(which: Select[tuple[str]]) -> Select[int]:
    """How many of these tables are not over."""
    return select(func.count()).select_from(tables).where(tables.c.id.in_(which), tables.c.status != "over")


def _lobby() -> Select[Row]:
    """A page of the tables that wait for players: first the newest of each person and origin, then the next of each."""
    sitter, other, origin = chairs.alias("sitter"), chairs.alias("other"), chairs.alias("origin")
    first = select(func.min(other.c.seat)).where(other.c.table_id == tables.c.id, other.c.seat >= 0)
    whose = func.coalesce(sitter.c.person, tables.c.id)
    newest = (tables.c.changed.desc(), tables.c.id)
    by_person = (
        select(
            tables.c.id,
            func.coalesce(origin.c.person, tables.c.id).label("origin"),
            func.row_number().over(partition_by=whose, order_by=newest).label("turn"),
        )
        .select_from(tables)
        .outerjoin(sitter, and_(sitter.c.table_id == tables.c.id, sitter.c.seat == first.scalar_subquery()))
        .outerjoin(origin, and_(origin.c.table_id == tables.c.id, origin.c.seat == ORIGIN))
        .where(tables.c.status == "waiting", tables.c.private.is_(False), tables.c.record.is_(None))
        .subquery()
    )
    of_person = by_person.c.turn
    of_origin = func.row_number().over(partition_by=by_person.c.origin, order_by=(of_person, *newest))
    listed = select(tables).join(by_person, by_person.c.id == tables.c.id).order_by(of_person + of_origin, *newest)
    return listed.limit(bindparam("most")).offset(bindparam("skipped"))


STATEMENTS: dict[str, ClauseElement] = {
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
    "waiting": _lobby(),
    "mine": _listed(tables.c.id.in_(_mine)),
    "mine_running": _listed(tables.c.id.in_(_mine), tables.c.status != "over"),
    "mine_over": _listed(tables.c.id.in_(_mine), tables.c.status == "over"),
    "seated": _unfinished(_held),
    "hosted": _unfinished(_held.where(chairs.c.seat == HOST)),
    "unfinished_rules": select(tables.c.game, tables.c.rules).where(_running).distinct(),
    "unfinished": select(tables.c.id)
    .where(_running, tables.c.game == bindparam("game"), tables.c.rules == bindparam("rules"))
    .order_by(tables.c.id)
    .limit(MOST_LISTED)
    .offset(bindparam("skipped")),
    "stale": select(
        tables.c.id,
        select(func.max(entries.c.number)).where(entries.c.table_id == tables.c.id).scalar_subquery().label("last"),
    )
    .where(
        tables.c.status == bindparam("status"),
        tables.c.changed < bindparam("before"),
        tables.c.record.is_(None),
        ~select(entries.c.number)
        .where(entries.c.table_id == tables.c.id, entries.c.at >= bindparam("before"))
        .exists(),
    )
    .order_by(tables.c.changed, tables.c.id)
    .limit(MOST_LISTED)
    .offset(bindparam("skipped")),
    # What is replaced or forgotten is what was looked at: the log still ends there, and nobody was quicker.
    "set_record": text(
        f"UPDATE tables SET record = :record WHERE id = :id AND record IS NULL AND status = 'over' AND {_last}"
    ),
    "drop_table": text(f"DELETE FROM tables WHERE id = :id AND record IS NULL AND {_last}"),
    "drop_entries": text("DELETE FROM entries WHERE table_id = :id AND number <= :last"),
    "drop_chairs": text("DELETE FROM chairs WHERE table_id = :id"),
    "set_alarm": text(
        "INSERT INTO alarms (table_id, due, remaining) VALUES (:table_id, :due, :remaining) "
        "ON CONFLICT (table_id) DO UPDATE SET due = excluded.due, remaining = excluded.remaining"
    ),
    "move_alarm": text(
        "UPDATE alarms SET due = :due, remaining = :remaining WHERE table_id = :table_id AND due = :was"
    ),
    "stop_alarm": text("DELETE FROM alarms WHERE table_id = :table_id AND due = :was"),
    "drop_alarm": text("DELETE FROM alarms WHERE table_id = :table_id"),
    "due": select(alarms)
    .where(alarms.c.due <= bindparam("now"), alarms.c.remaining <= bindparam("awake"))
    .order_by(alarms.c.due, alarms.c.table_id)
    .limit(MOST_LISTED)
    .offset(bindparam("skipped")),
    "beat": text("INSERT INTO heartbeat (id, at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET at = excluded.at"),
    "count": select(tables.c.status, func.count()).group_by(tables.c.status),
}


class Statement:
    """A statement as a text of one dialect, with its parameters in their order."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        done = statement.compile(dialect=dialect)
        assert isinstance(done, SQLCompiler)
        self.sql = str(done)
        self._order = tuple(done.positiontup or ())
        self._fixed = {key: bind.value for key, bind in done.binds.items() if not bind.required}

    def values(self, given: Columns) -> list[Any]:  # Any: as in `Columns`
        """The values to execute it with."""
        return [self._fixed[key] if key in self._fixed else given[key] for key in self._order]


def compiled(dialect: Dialect) -> dict[str, Statement]:
    """Each statement by its name, for this dialect."""
    return {name: Statement(statement, dialect) for name, statement in STATEMENTS.items()}
