"""The store in one file: a writer thread in each worker commits in groups, readers read beside it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.dialects import sqlite

from clew.server.data_types import Columns
from clew.server.log_entries import LogEntry, to_row
from clew.server.metrics import WRITER_BATCH, WRITER_SECONDS, not_written
from clew.server.store.base import Alarm, AlreadyWritten, Change, Conflict, NewTable, Store, StoreError, to_json
from clew.server.store.filelock import FileLock
from clew.server.store.migrate import upgrade
from clew.server.store.schema import ENTRY, compiled, metadata

SQL = compiled(sqlite.dialect())
MOST_AT_ONCE = 512  # jobs of one commit
READERS = 2

Result = Any  # of a job: whoever waits for it knows what it finds
Job = Callable[["Database"], Result]
Waiting = tuple["Job | EntryJob", "asyncio.Future[Result]"]


class EntryJob:
    """An entry of a log. Most change nothing else but an alarm: all such of a batch are written by one statement."""

    def __init__(self, table_id: str, entry: LogEntry, change: Change | None, alarm: Alarm | None) -> None:
        self.values = to_row(entry, table_id)
        self.change = change
        self.alarm = None if alarm is None else {"table_id": table_id, **vars(alarm)}

    def __call__(self, connection: Database) -> None:
        try:
            connection.run("add_entry", self.values)
        except sqlite3.IntegrityError:
            found = connection.rows("number_of", self.values) if self.values["key"] else []
            raise AlreadyWritten(found[0]["number"]) if found else Conflict from None
        if self.alarm is not None:
            connection.run("set_alarm", self.alarm)
        if self.change is not None:
            _change(connection, self.values["table_id"], self.values["at"], self.change)


class Database:
    """A connection to the database that knows the statements by name."""

    def __init__(self, path: str) -> None:
        self.raw = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
        self.raw.execute("PRAGMA journal_mode = WAL")
        self.raw.execute("PRAGMA synchronous = FULL")  # a commit that was acknowledged survives the power cut

    def run(self, statement: str, values: Columns) -> sqlite3.Cursor:
        """Execute a statement."""
        return self.raw.execute(SQL[statement].sql, SQL[statement].values(values))

    def rows(self, statement: str, values: Columns) -> list[Columns]:
        """What a statement finds, by the names of the columns."""
        cursor = self.run(statement, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]


class Writer(threading.Thread):
    """Takes whatever waits to be written, writes it in one transaction, and tells all of them when it is on disk."""

    def __init__(self, path: str, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(name="clew-writer", daemon=True)
        self.jobs: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._loop = loop
        self._connection = Database(path)
        self._turn = FileLock(turn_of(path))  # SQLite would look again and again whether another worker is done

    def run(self) -> None:
        """Until None comes out of the queue."""
        going = True
        while going:
            batch: list[Waiting] = []
            found = self.jobs.get()
            with self._turn:  # what comes while another worker writes is written together
                while True:
                    if found is None:
                        going = False
                        break
                    batch.append(found)
                    if len(batch) == MOST_AT_ONCE:
                        break
                    try:
                        found = self.jobs.get_nowait()
                    except queue.Empty:
                        break
                with WRITER_SECONDS.time():
                    results = self._write(batch) if batch else []
            if batch:
                WRITER_BATCH.observe(len(batch))
                with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
                    self._loop.call_soon_threadsafe(_tell, batch, results)
        self._connection.raw.close()
        self._turn.close()

    def _write(self, batch: list[Waiting]) -> list[Result]:
        connection = self._connection
        entries = [job for job, _ in batch if isinstance(job, EntryJob)]
        try:
            simple = [entry for entry in entries if entry.change is None]
            alone = len(simple) == len(batch) and all(entry.alarm is None for entry in simple)
            if alone and self._insert(simple):
                return [None] * len(batch)
            connection.raw.execute("BEGIN IMMEDIATE")
            results = self._together(batch, simple)
            connection.raw.execute("COMMIT")
            return results
        except Exception as error:  # the thread goes on: without it nothing would ever be written again
            with contextlib.suppress(sqlite3.Error):
                connection.raw.execute("ROLLBACK")
            said = error if isinstance(error, sqlite3.Error) else type(error).__name__
            failed = StoreError(f"The database cannot be written: {said}.")
            if entries:
                not_written(len(entries), failed)
            return [failed] * len(batch)

    def _together(self, batch: list[Waiting], simple: list[EntryJob]) -> list[Result]:
        """All simple entries at once, if nothing is in their way, and whatever else there is one by one."""
        if simple and self._insert(simple):
            done = {id(entry) for entry in simple}
            return [None if id(job) in done else self._attempt(job) for job, _ in batch]
        return [self._attempt(job) for job, _ in batch]

    def _insert(self, entries: list[EntryJob]) -> bool:
        """Write them all, or none if one of them stands in the way.

        One statement, a transaction of its own if there is none: each is a moment when this thread has to wait for its
        turn, so few are better.
        """
        places = ", ".join([f"({', '.join('?' * len(ENTRY))})"] * len(entries))
        values = [entry.values[name] for entry in entries for name in ENTRY]
        raw = self._connection.raw
        try:
            raw.execute(f"INSERT INTO entries ({', '.join(ENTRY)}) VALUES {places}", values)
        except sqlite3.IntegrityError:
            return False
        alarms = [SQL["set_alarm"].values(entry.alarm) for entry in entries if entry.alarm is not None]
        if alarms:
            raw.executemany(SQL["set_alarm"].sql, alarms)
        return True

    def _attempt(self, job: Job) -> Result:
        connection = self._connection
        connection.raw.execute("SAVEPOINT job")
        try:
            return job(connection)
        except sqlite3.OperationalError:
            raise  # the disk is full, or gone: that concerns the whole batch
        except Exception as error:
            connection.raw.execute("ROLLBACK TO job")
            return error
        finally:
            connection.raw.execute("RELEASE job")


def _tell(batch: list[Waiting], results: list[Result]) -> None:
    for (_, waiting), result in zip(batch, results):
        if waiting.done():
            continue
        if isinstance(result, Exception):
            waiting.set_exception(result)
        else:
            waiting.set_result(result)


class SqliteStore(Store):
    """See `Store`."""

    shared = False

    def __init__(self, path: str) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._writer = Writer(path, self._loop)
        self._writer.start()
        self._here = threading.local()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="clew-reader")

    @staticmethod
    async def open(path: str) -> SqliteStore:
        """The store in this file, which is made if it is not there: readable by its owner only."""
        await asyncio.to_thread(prepare, path)
        return SqliteStore(path)

    async def append(
        self, table_id: str, entry: LogEntry, change: Change | None = None, alarm: Alarm | None = None
    ) -> None:
        await self._write(EntryJob(table_id, entry, change, alarm))

    async def create(self, new: NewTable) -> None:
        await self._write(lambda connection: _create(connection, new))

    async def archive(self, table_id: str, record: str, last: int) -> bool:
        values = {"id": table_id, "record": record, "last": last}

        def job(connection: Database) -> bool:
            if not connection.run("set_record", values).rowcount:
                return False
            connection.run("drop_entries", values)
            return True

        return bool(await self._write(job))

    async def drop(self, table_id: str, last: int) -> bool:
        values = {"id": table_id, "table_id": table_id, "last": last}

        def job(connection: Database) -> bool:
            if not connection.run("drop_table", values).rowcount:
                return False
            for statement in ("drop_entries", "drop_chairs", "drop_alarm"):
                connection.run(statement, values)
            return True

        return bool(await self._write(job))

    async def move_alarm(self, table_id: str, was: Alarm, alarm: Alarm | None) -> bool:
        statement = "stop_alarm" if alarm is None else "move_alarm"
        values = {"table_id": table_id, "was": was.due, **({} if alarm is None else vars(alarm))}
        return bool(await self._write(lambda connection: connection.run(statement, values).rowcount))

    async def beat(self, at: int) -> None:
        await self._write(lambda connection: connection.run("beat", {"at": at}) and None)

    async def set_name(self, person: str, name: str, at: int) -> None:
        values = {"id": person, "name": name, "changed": at}
        await self._write(lambda connection: connection.run("set_person", values) and None)

    async def close(self) -> None:
        self._writer.jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()

    async def _write(self, job: Job | EntryJob) -> Result:
        waiting: asyncio.Future[Result] = self._loop.create_future()
        self._writer.jobs.put((job, waiting))
        return await waiting

    async def _read(self, statement: str, **values: Any) -> list[Columns]:  # Any: as in `Columns`
        def job() -> list[Columns]:
            try:
                if not hasattr(self._here, "connection"):
                    self._here.connection = Database(self._path)
                found: list[Columns] = self._here.connection.rows(statement, values)
            except sqlite3.Error as error:
                raise unreadable(self._path, error) from error
            return found

        return await self._loop.run_in_executor(self._readers, job)


def _create(connection: Database, new: NewTable) -> None:
    connection.run("add_table", new.row.columns())
    for entry in new.entries:
        connection.run("add_entry", to_row(entry, new.row.id))
    for seat, person in new.chairs.items():
        connection.run("set_chair", {"table_id": new.row.id, "seat": seat, "person": person})
    if new.alarm is not None:
        connection.run("set_alarm", {"table_id": new.row.id, **vars(new.alarm)})


def _change(connection: Database, table_id: str, at: int, change: Change) -> None:
    summary = to_json(change.summary)
    connection.run("set_status", {"id": table_id, "status": change.status, "changed": at, "summary": summary})
    for seat, person in change.chairs.items():
        statement = "drop_chair" if person is None else "set_chair"
        connection.run(statement, {"table_id": table_id, "seat": seat, "person": person})
    if change.status == "over":
        connection.run("drop_alarm", {"table_id": table_id})
    if change.table is not None:
        _create(connection, change.table)


def prepare(path: str) -> None:
    """Make the file if need be, and bring its tables up to date."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(FileLock(turn_of(path))) as lock, lock:  # several workers may start at the same time
            _upgrade(path)
    except OSError as error:
        raise StoreError(f"The database {path} cannot be opened: {(error.strerror or str(error)).lower()}.") from None
    except Exception as error:
        if type(error).__module__.startswith(("sqlalchemy", "sqlite3", "alembic")):
            raise unreadable(path, error) from None
        raise


def _upgrade(path: str) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds the deals of running games
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    with engine.begin() as connection:
        upgrade(connection)
    with engine.begin() as connection:
        for table in metadata.tables:  # damage at the root of one is told now, not to the first who comes
            connection.exec_driver_sql(f"SELECT * FROM {table} LIMIT 1").all()
    engine.dispose()


def turn_of(path: str) -> str:
    """The file whose lock a worker holds while it writes the database."""
    return f"{path}-turn"


def unreadable(path: str, error: Exception) -> StoreError:
    """What is wrong with a database, and what to do."""
    said = str(getattr(error, "orig", error)).splitlines()[0]
    if "not a database" in said:
        return StoreError(
            f"{path} is not a database of Clew, or damaged ({said}): name another, or put a backup there."
        )
    if "malformed" in said or "corrupt" in said:
        return StoreError(
            f"The database {path} is damaged ({said}): put the latest backup in its place, or save what is left of it "
            f"with sqlite3 {path} .recover."
        )
    return StoreError(f"The database {path} cannot be read: {said}.")


def backup(path: str, target: str) -> None:
    """Copy a database that may be in use, as of one moment."""
    if not Path(path).is_file():
        raise StoreError(f"There is no database {path}.")
    if Path(target).exists():
        raise StoreError(f"{target} is there already: choose another name.")
    part = f"{target}.part"
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        os.replace(part, target)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise StoreError(f"The backup failed: {error}.") from None
