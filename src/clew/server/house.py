"""The house: all tables, those in use in memory, the others in the store until somebody wants them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

from clew.core import table as core
from clew.core.errors import BadOption, ClewError
from clew.core.game import load, names
from clew.server.clock import now_ms
from clew.server.identity import Signer, read_name
from clew.server.ledger import Ledger, Sitter
from clew.server.limits import Bucket
from clew.server.line import Line
from clew.server.messages import Bye
from clew.server.room import Deed, Overtaken, Room
from clew.server.settings import Settings
from clew.server.store import Row, Store, TableRow
from clew.server.store.base import NewTable
from clew.server.thinking import WORKERS, Bench, Thinking
from clew.server.waking import Waking
from clew.server.watch import LOOP_LAG, REBUILD_SECONDS, ROOMS, TABLES, log

EVERY = 2.0  # seconds between two rounds through the house
PRESENCE = 15.0  # seconds between two reminders of who is connected
OPEN_DAYS = 2  # a table that waits for players so long is cleared away
MOST_READ = 8  # records of people who want to look at them, at the same time
BACK = 1500  # milliseconds after which clients come back from a restart


class NotFound(ClewError):
    """There is no such table."""


class Forbidden(ClewError):
    """A table or chair that is not for this person."""


class Unfit(ClewError):
    """Something that cannot be done at this table now."""


class Busy(ClewError):
    """Too much at once."""


class House:
    """Everything that one worker holds."""

    def __init__(self, settings: Settings, store: Store, signer: Signer) -> None:
        self.settings, self.store, self.signer = settings, store, signer
        self.bench, self.thinking = Bench(WORKERS), Thinking(settings.bot_threads)
        self.readers = Bench(1)  # for records that people send: play does not wait for them
        self.reading = 0
        self.rooms: dict[str, Room] = {}
        self.lines: set[Line] = set()
        self.closing = False
        self.waking = Waking(settings.redis, self._heard)
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Begin to work: clocks that were running run on."""
        for name in names():
            if not load(name).listed_in_full:  # its moves take a search
                self.bench.slow.add(name)
        self.waking.start()
        self.background(self._rounds())
        self.background(self._watch_loop())
        self.background(self.bench.aside(_warm))
        for table_id in await self.store.with_clock():
            self.background(self.room(table_id))

    async def farewell(self) -> None:
        """Tell everybody that the server stops for a moment."""
        self.closing = True
        for line in list(self.lines):
            line.send(Bye("The server restarts. Your game is safe.", BACK))
            line.close(1012)
        for _ in range(100):
            if not self.lines:
                break
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Finish what is being written and stop."""
        for room in self.rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinking.close()
        self.bench.close()
        self.readers.close()
        await self.waking.close()
        await self.store.close()

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that nobody waits for; if it fails the log says so."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Overtaken):
            log.error("something failed in the background", exc_info=error)

    # Tables

    async def room(self, table_id: str) -> Room:
        """A table, rebuilt from its log if it is not in memory."""
        if table_id in self.rooms:
            self.rooms[table_id].touched = time.monotonic()
            return self.rooms[table_id]
        if table_id not in self._opening:
            self._opening[table_id] = asyncio.create_task(self._open(table_id))
            self._opening[table_id].add_done_callback(lambda _: self._opening.pop(table_id, None))
        return await asyncio.shield(self._opening[table_id])

    async def _open(self, table_id: str) -> Room:
        row = await self.row(table_id)
        if row.record is not None:
            raise NotFound("This table was cleared away; its record is kept.")
        begun = time.perf_counter()
        rows = await self.store.entries(table_id)

        def rebuild() -> Ledger:
            ledger = Ledger(row)
            for one in rows:
                ledger.fold(one)
            return ledger

        room = Room(self, await self.bench.aside(rebuild))
        REBUILD_SECONDS.observe(time.perf_counter() - begun)
        self.rooms[table_id] = room
        ROOMS.set(len(self.rooms))
        room.start()
        return room

    async def row(self, table_id: str) -> TableRow:
        """What the store knows about a table without its log."""
        row = await self.store.table(table_id) if len(table_id) <= 64 and table_id.isascii() else None
        if row is None:
            raise NotFound("There is no such table.")
        return row

    async def create(self, person: str, name: str, wish: Any) -> Room:
        """Set up a table as somebody wishes it."""
        if await self.store.seated(person) >= self.settings.tables_of_one:
            raise Unfit(f"You sit at {self.settings.tables_of_one} tables already: finish or leave one.")
        if wish.game not in names():
            raise BadOption(f"There is no game {wish.game!r}; there are {', '.join(names())}.")
        game = load(wish.game)
        options, _ = await self.bench.aside(core.set_up, game, len(wish.seats), wish.options)
        seats = []
        own = sum(seat.who == "me" for seat in wish.seats)
        if not own and any(seat.who == "open" for seat in wish.seats):
            raise Unfit("Whoever sets up a table sits there, or lets bots play among themselves.")
        for seat in wish.seats:
            if seat.who == "me":
                seats.append(Sitter("person", read_name(seat.name) if seat.name else name, person))
            elif seat.who == "bot":
                seats.append(bot_sitter(seat.level))
            else:
                seats.append(Sitter("open"))
        clock = None if wish.clock is None else wish.clock.model_dump()
        invite = secrets.token_urlsafe(16)
        new = self._new_table(game.name, game.version, options, seats, wish.private, own > 1, clock, invite)
        await self.store.create(new)
        return await self.room(new.row.id)

    def next_table(self, ledger: Ledger) -> NewTable:
        """The table for another game: everybody moves on by one seat."""
        row = ledger.row
        turned = [ledger.seats[(seat - 1) % row.players] for seat in range(row.players)]
        seats = [
            Sitter("person", sitter.name, sitter.person) if sitter.kind == "person" else bot_sitter(sitter.level or 1)
            for sitter in turned
        ]
        version = load(row.game).version
        return self._new_table(
            row.game, version, row.options, seats, row.private, row.one_device, row.clock, row.invite
        )

    def _new_table(
        self,
        game: str,
        version: int,
        options: dict[str, Any],
        seats: list[Sitter],
        private: bool,
        one_device: bool,
        clock: dict[str, Any] | None,
        invite: str,
    ) -> NewTable:
        at = now_ms()
        full = all(seat.kind != "open" for seat in seats)
        row = TableRow(
            secrets.token_urlsafe(16),
            game,
            version,
            options,
            len(seats),
            private,
            one_device,
            clock,
            secrets.randbits(256),
            secrets.token_hex(16),
            invite,
            at,
            "playing" if full else "waiting",
            at,
            {"seats": [vars(seat) for seat in seats], "result": None, "rematch": None},
        )
        rows = [Row(1, at, "created", None, None, {"seats": row.summary["seats"]})]
        if full:
            rows.append(Row(2, at, "started"))
        chairs = {number: seat.person for number, seat in enumerate(seats) if seat.person is not None}
        return NewTable(row, rows, chairs)

    async def join(self, room: Room, person: str, name: str, seat: int | None, invite: str) -> None:
        """Sit down; the game begins when no seat is open."""
        if room.ledger.seats_of(person) and seat is None:
            return
        may_enter(room.ledger.row, room.ledger.seats, person, invite)
        if await self.store.seated(person) >= self.settings.tables_of_one:
            raise Unfit(f"You sit at {self.settings.tables_of_one} tables already: finish or leave one.")

        def sit(ledger: Ledger) -> Deed:
            mine = ledger.seats_of(person)
            if mine and seat in (None, *mine):
                raise Overtaken
            if mine:
                raise Unfit("You sit at this table already.")
            free = [number for number, sitter in enumerate(ledger.seats) if sitter.kind == "open"]
            if not free:
                raise Unfit("No seat is open at this table.")
            if seat is not None and seat not in free:
                raise Unfit("That seat is not open.")
            return Deed("sat", free[0] if seat is None else seat, {"person": person, "name": name})

        async with room.lock:
            with contextlib.suppress(Overtaken):
                await room.commit(sit)
        await room.begin()

    @contextlib.contextmanager
    def reads(self) -> Iterator[None]:
        """Somebody's record is being read: so many at once, and no more."""
        if self.reading >= MOST_READ:
            raise Busy("Many records are being read just now: try again in a moment.")
        self.reading += 1
        try:
            yield
        finally:
            self.reading -= 1

    def chat_bucket(self) -> Bucket:
        """How much somebody may say."""
        return Bucket(0.5, 6)

    # Other workers

    def wake(self, room: Room, presence: bool = False) -> None:
        """Tell other workers that a table has changed, or who is connected to it here."""
        if presence:
            seats, watching = room.here_on_this_worker()
            self.waking.tell(table=room.id, seats=seats, watching=watching, at=self.waking.worker)
        else:
            self.waking.tell(table=room.id, number=room.ledger.number)

    def _heard(self, said: dict[str, Any]) -> None:
        room = self.rooms.get(said["table"])
        if room is None:
            return
        if "number" in said:
            if said["number"] > room.ledger.number:
                self.background(room.look())
        else:
            room.hear(said["at"], said["seats"], said["watching"])

    # Rounds

    async def _rounds(self) -> None:
        """From time to time: forget idle tables, look for what other workers wrote, clear away old tables."""
        reminded = cleared = 0.0
        while True:
            await asyncio.sleep(EVERY)
            now = time.monotonic()
            for room in [room for room in self.rooms.values() if room.idle]:
                room.close()
                del self.rooms[room.id]
            ROOMS.set(len(self.rooms))
            if self.store.shared:
                for room in list(self.rooms.values()):
                    if room.lines and not room.lock.locked():
                        await room.look()
            if now - reminded > PRESENCE:
                reminded = now
                for room in list(self.rooms.values()):
                    if room.lines:
                        self.wake(room, presence=True)
            if now - cleared > 600:
                cleared = now
                for status, count in (await self.store.counts()).items():
                    TABLES.labels(status).set(count)
                try:
                    await self.clear_away()
                except Exception:
                    log.exception("old tables could not be cleared away")

    async def clear_away(self) -> None:
        """Keep old tables as records, and forget those that nobody came to."""
        day = 86_400_000
        for table_id in await self.store.stale("waiting", now_ms() - OPEN_DAYS * day):
            if table_id not in self.rooms:
                await self.store.drop(table_id)
        before = now_ms() - int(self.settings.archive_days * day)
        for table_id in await self.store.stale("playing", before):
            room = await self.room(table_id)
            if not room.lines:
                async with room.lock:
                    await room.commit(lambda _: Deed("over", None, {"ended": "abandoned"}))
        for table_id in await self.store.stale("over", before):
            room = await self.room(table_id)
            if not room.lines:
                if room.ledger.game is None:
                    await self.store.drop(table_id)
                else:
                    await self.store.archive(table_id, room.ledger.record())
                room.close()
                del self.rooms[table_id]

    async def _watch_loop(self) -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.5)
            LOOP_LAG.observe(max(0.0, time.perf_counter() - begun - 0.5))


def _warm() -> None:
    """Have the rules of all games compiled: the first one to play shall not wait."""
    for name in names():
        load(name).ready()


def bot_sitter(level: int) -> Sitter:
    """A bot on a seat."""
    from clew.bots.levels import level as known

    return Sitter("bot", known(level).name, None, level)


def may_enter(row: TableRow, seats: Sequence[Sitter], person: str | None, invite: str) -> None:
    """Refuse those who may not join or watch a private table."""
    if not row.private or (person is not None and any(sitter.person == person for sitter in seats)):
        return
    if not secrets.compare_digest(invite.encode(), row.invite.encode()):
        raise Forbidden("This table is private: it takes an invitation.")
