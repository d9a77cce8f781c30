"""The store for several workers: PostgreSQL, where the log's unique key decides who came first."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from clew.server.data_types import Columns
from clew.server.log_entries import LogEntry, to_row
from clew.server.metrics import WRITER_BATCH, WRITER_SECONDS, not_written
from clew.server.store.base import Alarm, AlreadyWritten, Change, Conflict, NewTable, Store, StoreError, to_json
from clew.server.store.migrate import upgrade
from clew.server.store.schema import ENTRY, compiled

Pool = Any  # asyncpg has no types
PgConnection = Any  # the same

SQL = compiled(dialect())  # type: ignore[no-untyped-call]  # of SQLAlchemy
CONNECTIONS = 8
MOST_AT_ONCE = 512
MIGRATING = 0x636C6577  # the number of the lock that one worker has while it brings the tables up to date
GROUP = (
    f"INSERT INTO entries ({', '.join(ENTRY)}) SELECT * FROM unnest"
    "($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[]) "
    "ON CONFLICT DO NOTHING RETURNING table_id, number, key"
)
RUN = "CLEW_RUN"  # in the environment of workers: names the server that they are of
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'clew %' "
    "AND application_name <> current_setting('application_name')"
)
ALARMS = (
    "INSERT INTO alarms (table_id, due, remaining) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) "
    "ON CONFLICT (table_id) DO UPDATE SET due = excluded.due, remaining = excluded.remaining"
)
CONNECTING = 5.0  # seconds for a connection to be made
ANSWERING = 20.0  # seconds for a statement; a server that has stopped without a word is not waited for
# Everything that can come of a database that is away, starting, stopping, full, or not what it was. A number or a key
# that is taken is none of it.
FAILURES = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)

Waiting = tuple[Columns, "Alarm | None", "asyncio.Future[None]"]


class PostgresStore(Store):
    """See `Store`."""

    shared = True

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write_groups(), name="clew-writer")

    @staticmethod
    async def open(address: str) -> PostgresStore:
        """The store at this address, its tables brought up to date."""
        try:
            engine = create_async_engine("postgresql+asyncpg://" + address.split("://", 1)[1])
            async with engine.begin() as connection:
                await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
                await connection.run_sync(upgrade)
            await engine.dispose()
            named = {"application_name": f"clew {os.environ.get(RUN) or secrets.token_hex(6)}"}
            pool = await asyncpg.create_pool(
                address,
                min_size=2,
                max_size=CONNECTIONS,
                timeout=CONNECTING,
                command_timeout=ANSWERING,
                server_settings=named,
            )
        except (ValueError, ArgumentError):  # what it says may quote the password
            raise StoreError(
                "The address of the database is postgresql://USER:PASSWORD@HOST/NAME, odd signs in it written as %XX."
            ) from None
        except (*FAILURES, SQLAlchemyError) as error:
            said = str(getattr(error, "orig", None) or error) or type(error).__name__
            raise StoreError(f"The database cannot be reached: {said.splitlines()[0]}.") from None
        return PostgresStore(pool)

    async def append(
        self, table_id: str, entry: LogEntry, change: Change | None = None, alarm: Alarm | None = None
    ) -> None:
        values = to_row(entry, table_id)
        if change is None:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.put_nowait((values, alarm, waiting))
            await waiting
            return
        try:
            async with self._connection() as connection, connection.transaction():
                await _run(connection, "add_entry", values)
                if alarm is not None:
                    await _run(connection, "set_alarm", {"table_id": table_id, **vars(alarm)})
                await _change(connection, table_id, entry.at, change)
        except asyncpg.UniqueViolationError:
            await self._conflict(values)
        except StoreError as error:
            not_written(1, error)
            raise

    async def create(self, new: NewTable) -> None:
        async with self._connection() as connection, connection.transaction():
            await _create(connection, new)

    async def archive(self, table_id: str, record: str, last: int) -> bool:
        values = {"id": table_id, "record": record, "last": last}
        async with self._connection() as connection, connection.transaction():
            if not await _run(connection, "set_record", values):
                return False
            await _run(connection, "drop_entries", values)
        return True

    async def drop(self, table_id: str, last: int) -> bool:
        values = {"id": table_id, "table_id": table_id, "last": last}
        async with self._connection() as connection, connection.transaction():
            if not await _run(connection, "drop_table", values):
                return False
            for statement in ("drop_entries", "drop_chairs", "drop_alarm"):
                await _run(connection, statement, values)
        return True

    async def move_alarm(self, table_id: str, was: Alarm, alarm: Alarm | None) -> bool:
        statement = "stop_alarm" if alarm is None else "move_alarm"
        values = {"table_id": table_id, "was": was.due, **({} if alarm is None else vars(alarm))}
        async with self._connection() as connection:
            return bool(await _run(connection, statement, values))

    async def beat(self, at: int) -> None:
        async with self._connection() as connection:
            await _run(connection, "beat", {"at": at})

    async def set_name(self, person: str, name: str, at: int) -> None:
        async with self._connection() as connection:
            await _run(connection, "set_person", {"id": person, "name": name, "changed": at})

    async def close(self) -> None:
        while not self._queue.empty():
            await asyncio.sleep(0.01)
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer
        await self._pool.close()

    async def alone(self) -> bool:
        async with self._connection() as connection:
            return not await connection.fetchval(OTHERS)

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[PgConnection]:
        try:
            async with self._pool.acquire(timeout=ANSWERING) as connection:
                yield connection
        except asyncpg.UniqueViolationError:
            raise
        except FAILURES as error:
            raise StoreError(f"The database cannot be used: {type(error).__name__}.") from error

    async def _read(self, statement: str, **values: Any) -> list[Columns]:  # Any: as in `Columns`
        async with self._connection() as connection:
            rows = await connection.fetch(SQL[statement].sql, *SQL[statement].values(values))
            return [dict(row) for row in rows]

    async def _write_groups(self) -> None:
        """Write whatever waits in one statement, which is one commit, and tell all of them."""
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty() and len(batch) < MOST_AT_ONCE:
                batch.append(self._queue.get_nowait())
            try:
                with WRITER_SECONDS.time():
                    await self._write_group(batch)
                WRITER_BATCH.observe(len(batch))
            except Exception as error:
                failed = error if isinstance(error, StoreError) else StoreError("The database cannot be written.")
                left = [waiting for *_, waiting in batch if not waiting.done()]
                not_written(len(left), error)
                for waiting in left:
                    waiting.set_exception(failed)

    async def _write_group(self, batch: list[Waiting]) -> None:
        batch.sort(key=lambda one: one[0]["table_id"])  # two workers that want the same do not block each other
        columns = [[values[name] for values, *_ in batch] for name in ENTRY]
        with_clocks = any(alarm is not None for _, alarm, _ in batch)
        async with (
            self._connection() as connection,
            connection.transaction() if with_clocks else contextlib.nullcontext(),
        ):
            done = _written(batch, await connection.fetch(GROUP, *columns))
            alarms = {values["table_id"]: alarm for (values, alarm, _), was in zip(batch, done) if was and alarm}
            if alarms:
                due, remaining = zip(*((alarm.due, alarm.remaining) for alarm in alarms.values()))
                await connection.execute(ALARMS, list(alarms), list(due), list(remaining))
        for (_, _, waiting), was in zip(batch, done):
            if was and not waiting.done():
                waiting.set_result(None)
        for values, _, waiting in batch:
            if not waiting.done():
                try:
                    await self._conflict(values)
                except (Conflict, AlreadyWritten) as error:
                    waiting.set_exception(error)

    async def _conflict(self, values: Columns) -> None:
        found = await self._read("number_of", **values) if values["key"] else []
        raise AlreadyWritten(found[0]["number"]) if found else Conflict from None


def _written(batch: list[Waiting], rows: list[tuple[str, int, str | None]]) -> list[bool]:
    """Of each entry whether it is one of those that were written: of two with the same number, the first."""
    written = {tuple(row) for row in rows}
    done = []
    for values, *_ in batch:
        one = (values["table_id"], values["number"], values["key"])
        done.append(one in written)
        written.discard(one)
    return done


async def _run(connection: PgConnection, statement: str, values: Columns) -> int:
    """Execute a statement; how many rows it concerned."""
    status = await connection.execute(SQL[statement].sql, *SQL[statement].values(values))
    return int(status.rpartition(" ")[2])


async def _create(connection: PgConnection, new: NewTable) -> None:
    await _run(connection, "add_table", new.row.columns())
    for entry in new.entries:
        await _run(connection, "add_entry", to_row(entry, new.row.id))
    for seat, person in new.chairs.items():
        await _run(connection, "set_chair", {"table_id": new.row.id, "seat": seat, "person": person})
    if new.alarm is not None:
        await _run(connection, "set_alarm", {"table_id": new.row.id, **vars(new.alarm)})


async def _change(connection: PgConnection, table_id: str, at: int, change: Change) -> None:
    summary = to_json(change.summary)
    await _run(connection, "set_status", {"id": table_id, "status": change.status, "changed": at, "summary": summary})
    for seat, person in change.chairs.items():
        statement = "drop_chair" if person is None else "set_chair"
        await _run(connection, statement, {"table_id": table_id, "seat": seat, "person": person})
    if change.status == "over":
        await _run(connection, "drop_alarm", {"table_id": table_id})
    if change.table is not None:
        await _create(connection, change.table)
