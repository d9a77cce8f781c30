"""The store for several workers: PostgreSQL, where the log's unique key decides who came first."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.ext.asyncio import create_async_engine

from clew.server.store.base import Change, NewTable, Repeated, Row, Store, StoreError, Taken, plain
from clew.server.store.migrate import upgrade
from clew.server.store.schema import ENTRY, compiled
from clew.server.watch import WRITER_BATCH, WRITER_SECONDS

SQL = compiled(dialect())
CONNECTIONS = 8
MOST_AT_ONCE = 512
MIGRATING = 0x636C6577  # the number of the lock that one worker has while it brings the tables up to date
GROUP = (
    f"INSERT INTO entries ({', '.join(ENTRY)}) SELECT * FROM unnest"
    "($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[]) "
    "ON CONFLICT DO NOTHING RETURNING table_id, number, key"
)

Waiting = tuple[dict[str, Any], "asyncio.Future[None]"]


class PostgresStore(Store):
    """See `Store`."""

    shared = True

    def __init__(self, pool: Any) -> None:
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
            pool = await asyncpg.create_pool(address, min_size=2, max_size=CONNECTIONS)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreError(f"The database cannot be reached: {said}.") from None
        return PostgresStore(pool)

    async def append(self, table_id: str, row: Row, change: Change | None = None) -> None:
        values = row.columns(table_id)
        if change is None:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.put_nowait((values, waiting))
            await waiting
            return
        async with self._connection() as connection:
            try:
                async with connection.transaction():
                    await _run(connection, "add_entry", values)
                    await _change(connection, table_id, row.at, change)
            except asyncpg.UniqueViolationError:
                await self._conflict(connection, values)

    async def create(self, new: NewTable) -> None:
        async with self._connection() as connection, connection.transaction():
            await _create(connection, new)

    async def archive(self, table_id: str, record: str) -> None:
        async with self._connection() as connection, connection.transaction():
            await _run(connection, "set_record", {"id": table_id, "record": record})
            await _run(connection, "drop_entries", {"id": table_id})

    async def drop(self, table_id: str) -> None:
        async with self._connection() as connection, connection.transaction():
            for statement in ("drop_entries", "drop_chairs", "drop_table"):
                await _run(connection, statement, {"id": table_id})

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

    @contextlib.asynccontextmanager
    async def _connection(self) -> Any:
        try:
            async with self._pool.acquire() as connection:
                yield connection
        except (OSError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError) as error:
            raise StoreError(f"The database cannot be reached: {type(error).__name__}.") from error

    async def _read(self, statement: str, **values: Any) -> list[dict[str, Any]]:
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
                for _, waiting in batch:
                    if not waiting.done():
                        waiting.set_exception(failed)

    async def _write_group(self, batch: list[Waiting]) -> None:
        async with self._connection() as connection:
            columns = [[values[name] for values, _ in batch] for name in ENTRY]
            written = {tuple(row) for row in await connection.fetch(GROUP, *columns)}
            for values, waiting in batch:
                if waiting.done():
                    continue
                # Two of one batch can want the same number: the first has it.
                if (one := (values["table_id"], values["number"], values["key"])) in written:
                    written.discard(one)
                    waiting.set_result(None)
                    continue
                try:
                    await self._conflict(connection, values)
                except (Taken, Repeated) as error:
                    waiting.set_exception(error)

    async def _conflict(self, connection: Any, values: dict[str, Any]) -> None:
        found = values["key"] and await connection.fetchval(SQL["number_of"].sql, *SQL["number_of"].values(values))
        raise Repeated(found) if found else Taken from None


async def _run(connection: Any, statement: str, values: dict[str, Any]) -> None:
    await connection.execute(SQL[statement].sql, *SQL[statement].values(values))


async def _create(connection: Any, new: NewTable) -> None:
    await _run(connection, "add_table", new.row.columns())
    for row in new.rows:
        await _run(connection, "add_entry", row.columns(new.row.id))
    for seat, person in new.chairs.items():
        await _run(connection, "set_chair", {"table_id": new.row.id, "seat": seat, "person": person})


async def _change(connection: Any, table_id: str, at: int, change: Change) -> None:
    summary = plain(change.summary)
    await _run(connection, "set_status", {"id": table_id, "status": change.status, "changed": at, "summary": summary})
    for seat, person in change.chairs.items():
        statement = "drop_chair" if person is None else "set_chair"
        await _run(connection, statement, {"table_id": table_id, "seat": seat, "person": person})
    if change.table is not None:
        await _create(connection, change.table)
