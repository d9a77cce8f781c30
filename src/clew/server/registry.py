"""The registry of tables: those in use are rooms in memory, the others are in the store until somebody wants them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from clew.core import compiling, records
from clew.core import table as core
from clew.core.errors import BadOption, ClewError
from clew.core.game import add, load, names
from clew.server import presenter, versions
from clew.server.background import Failures, repeat
from clew.server.bot_pool import BotPool, compile_all, compile_bots
from clew.server.clock import BEAT, STEADY, alarm_time, now_ms
from clew.server.connection import Connection
from clew.server.data_types import JsonObject
from clew.server.forwarding import Peers, Turns
from clew.server.health import Health
from clew.server.identity import Signer, read_name
from clew.server.live_rules import LOOK_EVERY, LiveRules
from clew.server.log_entries import BotSat, GameStarted, LogEntry, MoveMade, PlayerSat, TableCreated
from clew.server.logs import log
from clew.server.messages import Bye, Preparing, Tables, encode
from clew.server.metrics import LOOP_LAG, REBUILD_SECONDS, ROOMS
from clew.server.metrics_server import serve_metrics
from clew.server.offload import WORKERS, Offload
from clew.server.pubsub import PubSub
from clew.server.rate_limits import RateLimiter, TokenBucket
from clew.server.requests import ContinueRecord, CreateTable
from clew.server.room import Decision, Room, Superseded
from clew.server.scheduler import Owner, Quota
from clew.server.seats import Sitter, Terms
from clew.server.settings import Settings
from clew.server.store import Alarm, Store, TableRow
from clew.server.store.base import HOST, ORIGIN, NewTable
from clew.server.table_limits import Busy, NotPossible, TableLimits
from clew.server.table_state import TableState, game_of, may_watch

TELL_EVERY = 0.5  # seconds between two reports on a game that is being compiled
PAGE = 20  # tables on a page of a list
MOST_HINTS = (2, 12)  # at the same time for a person, and for all people of an address
MOST_REVIEWS = (4, 8)
MOST_READ = 8  # records of people who want to look at them, at the same time
BACK = 1500  # milliseconds after which clients come back from a restart
CLEARED_AWAY = "This table was cleared away; its record is kept."
EXPECTED = (Superseded, versions.OtherRules)  # what ends a task in the background without being a fault


class NotFound(ClewError):
    """There is no such table."""


class ClearedAway(NotFound):
    """A table of which there is only the record."""


class Forbidden(ClewError):
    """A table or chair that is not for this person."""


class Registry:
    """The rooms of one worker, and everything that they share."""

    def __init__(self, settings: Settings, store: Store, signer: Signer, peers: Peers | None = None) -> None:
        self.settings, self.store, self.signer = settings, store, signer
        self.peers = peers or Peers()
        self.affinity = self.peers.affinity  # tables of others are never opened here
        self.offload, self.bots = Offload(WORKERS), BotPool(settings.bot_threads)
        self.readers = Offload(1)  # for records that people send: play does not wait for them
        self.reading = 0
        self._chats = RateLimiter(0.5, 6)
        self.limits = TableLimits(settings, store)
        self.hints = Quota(*MOST_HINTS, "Hints are being thought about for you already: wait for one of them.")
        self.reviews = Quota(*MOST_REVIEWS, "Games are being reviewed for you already: wait for one of them.")
        self.health = Health(store)
        self.rooms: dict[str, Room] = {}
        self.connections: set[Connection] = set()
        self.closing = False
        self._metrics_server: asyncio.Server | None = None
        self.pubsub = PubSub(settings.redis, self._received)
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._compiling: dict[str, tuple[int, int]] = {}

    async def start(self) -> None:
        """Begin to work."""
        for path in self.settings.games:
            add(path)
        if self.settings.metrics and self.affinity.index == 0:
            self._metrics_server = await serve_metrics(self.settings.metrics, self.peers.metrics)
        for name in names():
            if not load(name).listed_in_full:  # its moves take a search
                self.offload.slow.add(name)
        await versions.close_outdated(self.store, self.affinity.owns)
        self.pubsub.start()
        self.background(repeat("watching the loop", _watch_loop, 0))
        self.background(repeat("telling of compiling", self._tell_of_compiling, TELL_EVERY))
        self.background(self.offload.in_thread(compile_all))
        if self.settings.games:
            self.background(repeat("watching the files of games", LiveRules(self).look, LOOK_EVERY))

    async def drain(self) -> None:
        """Tell every connection that the server restarts, and wait until they are closed."""
        self.closing = True
        for connection in list(self.connections):
            connection.send(Bye("The server restarts. Your game is safe.", BACK))
            connection.close(1012)
        for _ in range(100):
            if not self.connections:
                break
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Finish what is being written and stop."""
        STEADY.rest()
        if self._metrics_server is not None:
            self._metrics_server.close()
        for room in self.rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bots.close()
        self.offload.close()
        self.readers.close()
        await self.pubsub.close()
        await self.store.close()

    def background(self, work: Coroutine[object, None, object]) -> None:
        """Do something that nobody waits for; if it fails the log and a figure say so."""
        task = asyncio.create_task(work, name=getattr(work, "__name__", "a task").strip("_"))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, EXPECTED):
            Failures(task.get_name()).note(error)

    # Tables

    async def room(self, table_id: str) -> Room:
        """A table, rebuilt from its log if it is not in memory."""
        if table_id in self.rooms:
            self.rooms[table_id].last_used = time.monotonic()
            return self.rooms[table_id]
        if table_id not in self._opening:
            self._opening[table_id] = asyncio.create_task(self._open(table_id))
            self._opening[table_id].add_done_callback(lambda _: self._opening.pop(table_id, None))
        return await asyncio.shield(self._opening[table_id])

    async def _open(self, table_id: str) -> Room:
        row = await self.row(table_id)
        if row.record is not None:
            raise ClearedAway(CLEARED_AWAY)
        versions.check(row)
        begun = time.perf_counter()
        entries = await self.store.entries(table_id)
        if not entries:  # another worker was quicker: there is no table without a log or a record
            raise ClearedAway(CLEARED_AWAY)

        def rebuild() -> TableState:
            state = TableState(row)
            state.rebuilding = True
            for entry in entries:
                state.apply(entry)
            state.rebuilding = False
            return state

        room = Room(self, await self.offload.in_thread(rebuild))
        REBUILD_SECONDS.observe(time.perf_counter() - begun)
        if room.state.dropped_moves:  # the rules were changed while the table was not in memory
            await room.lay_anew()
        self.rooms[table_id] = room
        ROOMS.set(len(self.rooms))
        room.start()
        return room

    def evict(self, room: Room) -> None:
        """Take a table out of memory; it is rebuilt when somebody wants it."""
        room.close()
        for connection in room.connections:
            connection.close(1012)
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    async def row(self, table_id: str) -> TableRow:
        """What the store knows about a table without its log."""
        row = await self.store.table(table_id) if len(table_id) <= 64 and table_id.isascii() else None
        if row is None:
            raise NotFound("There is no such table.")
        return row

    async def record(self, row: TableRow) -> str | None:
        """The record of a game that is over; None for one that never began."""
        if row.record is not None:
            return row.record
        if row.status == "over" and game_of(row) is None:
            entries = await self.store.entries(row.id)
            return versions.record(row, entries) if entries else (await self.row(row.id)).record
        try:
            state = (await self.room(row.id)).state
        except ClearedAway:  # since the row was read
            return (await self.row(row.id)).record
        if state.status != "over":
            raise NotPossible("There is a record when the game is over.")
        return None if state.game is None else await self.offload.in_thread(state.record)

    async def lobby(self, person: str | None, page: int) -> Tables:
        """A page of the tables that wait for players."""
        rows = await self.store.waiting(PAGE + 1, page * PAGE)
        found = [row for row in rows[:PAGE] if game_of(row) is not None]
        return Tables([presenter.listed(row, person) for row in found], len(rows) > PAGE)

    async def mine(self, person: str, state: str, page: int) -> Tables:
        """A page of somebody's tables, with whose turn it is and since when."""
        rows = await self.store.mine(person, state, PAGE + 1, page * PAGE)
        played = [row.id for row in rows[:PAGE] if row.status == "playing" and game_of(row) is not None]
        turns = await self.peers.turns(played, self.turns)
        found = []
        for row in rows[:PAGE]:
            turn, since = turns.get(row.id, ([], row.changed))
            found.append(msgspec.structs.replace(presenter.listed(row, person), turn=turn, since=since))
        return Tables(found, len(rows) > PAGE)

    async def turns(self, table_ids: Iterable[str]) -> Turns:
        """Whose turn it is at some of this worker's tables, and since when."""
        found: Turns = {}
        for table_id in table_ids:
            try:
                state = (await self.room(table_id)).state
                since = (one.at for one in reversed(state.entries) if isinstance(one, MoveMade | GameStarted))
                found[table_id] = list(state.to_move), next(since, state.row.changed)
            except Exception:  # the others are listed all the same
                log.exception("a table could not be opened", extra={"about": {"table": table_id}})
        return found

    async def create(self, owner: Owner, name: str, request: CreateTable) -> Room:
        """Set up a table as somebody asks for it."""
        await self.limits.check_seat(owner.person)
        if request.game not in names():
            raise BadOption(f"There is no game {request.game!r}; there are {', '.join(names())}.")
        game = load(request.game)
        if any(seat.who == "bot" for seat in request.seats):
            await self.offload.in_thread(compile_bots, game)
        options, _ = await self.offload.in_thread(core.set_up, game, len(request.seats), request.options)
        seats = []
        own = sum(seat.who == "me" for seat in request.seats)
        if not own and any(seat.who == "open" for seat in request.seats):
            raise NotPossible("Whoever sets up a table sits there, or lets bots play among themselves.")
        for seat in request.seats:
            if seat.who == "me":
                seats.append(Sitter("person", read_name(seat.name) if seat.name else name, owner.person))
            elif seat.who == "bot":
                seats.append(bot_sitter(seat.level))
            else:
                seats.append(Sitter("open"))
        clock = None if request.clock is None else msgspec.structs.asdict(request.clock)
        invite = secrets.token_urlsafe(16)
        terms = Terms(request.hints, self.settings.absent_seconds if request.stand_in else None)
        new = self._new_table(game.name, game.version, options, seats, request.private, own > 1, clock, invite, terms)
        return await self._set_up(owner, new)

    async def play_on(self, owner: Owner, name: str, request: CreateTable, first: ContinueRecord) -> Room:
        """Set up a table that begins with the first moves of a finished game, whose deal is known."""
        await self.limits.check_seat(owner.person)
        with self.reads():
            whole = await self.readers.in_thread(records.replay, first.record)
        moves = whole.moves[: first.at]
        if whole.seed is None:
            raise NotPossible("This record has no seed, and a table is dealt by one: it cannot be played on.")
        if whole.game.name != request.game or len(request.seats) != whole.players:
            raise NotPossible(f"The record is of {whole.game.title} with {whole.players} players.")
        if request.options or request.clock is not None or any(seat.who == "open" for seat in request.seats):
            raise NotPossible("A game is played on with its own options, without a clock, by you and by bots.")
        if len(whole.moves) <= first.at and whole.outcome is not None:
            raise NotPossible("There the game is over: choose an earlier move.")
        await self.offload.in_thread(compile_bots, whole.game)
        me = Sitter("person", name, owner.person)
        seats = [me if seat.who == "me" else bot_sitter(seat.level) for seat in request.seats]
        own = sum(seat.who == "me" for seat in request.seats)
        new = self._new_table(
            *(whole.game.name, whole.game.version, whole.options, seats, True, own > 1, None),
            secrets.token_urlsafe(16),
            Terms(),
        )
        new = replace(new, row=replace(new.row, seed=whole.seed))
        created = new.entries[0]
        assert isinstance(created, TableCreated)
        created.continued, created.deal_salt = len(moves), whole.salt
        for seat, move in moves:
            made = MoveMade(number=len(new.entries) + 1, at=new.row.created, seat=seat, move=str(move))
            new.entries.append(made)
        return await self._set_up(owner, new)

    async def _set_up(self, owner: Owner, new: NewTable) -> Room:
        """Write a new table, if its owner may have another."""
        bots_alone, origin = not new.chairs, self.signer.origin(owner.address)
        listed = new.row.status == "waiting" and not new.row.private
        if bots_alone:
            created = new.entries[0]
            assert isinstance(created, TableCreated)
            new.chairs[HOST] = created.host = owner.person
        if listed or bots_alone:
            new.chairs[ORIGIN] = origin
        async with self.limits.admit(owner.person, origin, listed, bots_alone):
            await self.store.create(new)
        return await self.room(new.row.id)

    def next_table(self, state: TableState) -> NewTable:
        """The table for another game: everybody moves on by one seat."""
        row = state.row
        turned = [state.seats[(seat - 1) % row.players] for seat in range(row.players)]
        seats = [
            Sitter("person", sitter.name, sitter.person) if sitter.kind == "person" else bot_sitter(sitter.level or 1)
            for sitter in turned
        ]
        game, options = load(row.game), row.options
        if game.version != row.rules:  # it goes on by the present rules, which may have other options
            options, _ = core.set_up(game, row.players, options)
        return self._new_table(
            row.game, game.version, options, seats, row.private, row.one_device, row.clock, row.invite, state.terms
        )

    def _new_table(
        self,
        game: str,
        version: int,
        options: dict[str, int | str],
        seats: list[Sitter],
        private: bool,
        one_device: bool,
        clock: JsonObject | None,
        invite: str,
        terms: Terms,
    ) -> NewTable:
        at = now_ms()
        full = all(seat.kind != "open" for seat in seats)
        row = TableRow(
            self.affinity.new_id(),
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
            {"seats": [vars(seat) for seat in seats], "result": None, "rematch": None, "agreed": vars(terms)},
        )
        entries: list[LogEntry] = [TableCreated(number=1, at=at, seats=seats, agreed=terms, deal_salt=row.salt)]
        if full:
            entries.append(GameStarted(number=2, at=at))
        chairs = {number: seat.person for number, seat in enumerate(seats) if seat.person is not None}
        alarm = None
        if full and clock is not None:  # whoever is to move first has so long
            remaining = 1000 * int(clock["move"] or clock["total"])
            alarm = Alarm(alarm_time() + remaining, remaining)
        return NewTable(row, entries, chairs, alarm)

    async def join(self, room: Room, person: str, name: str, seat: int | None, invite: str) -> None:
        """Sit down; the game begins when no seat is open."""
        if room.state.seats_of(person) and seat is None:
            return
        may_enter(room.state.row, room.state.seats, person, invite)
        await self.limits.check_seat(person)

        def sit(state: TableState) -> Decision:
            mine = state.seats_of(person)
            if mine and seat in (None, *mine):
                raise Superseded
            if mine:
                raise NotPossible("You sit at this table already.")
            free = [number for number, sitter in enumerate(state.seats) if sitter.kind == "open"]
            if not free:
                raise NotPossible("No seat is open at this table.")
            if seat is not None and seat not in free:
                raise NotPossible("That seat is not open.")
            return Decision(PlayerSat(seat=free[0] if seat is None else seat, person=person, name=name))

        async with room.lock:
            with contextlib.suppress(Superseded):
                await room.commit(sit)
        await room.begin()

    async def add_bot(self, room: Room, person: str, seat: int, level: int) -> None:
        """Let a bot play on a seat that is open; the game begins when no seat is."""
        await self.offload.in_thread(compile_bots, load(room.state.row.game))

        def sit(state: TableState) -> Decision:
            if not state.seats_of(person):
                raise Forbidden("Only who sits at a table can add a bot to it.")
            if state.status != "waiting" or seat >= len(state.seats) or state.seats[seat].kind != "open":
                raise NotPossible("That seat is not open.")
            bot = bot_sitter(level)
            return Decision(BotSat(seat=seat, name=bot.name, level=level))

        async with room.lock:
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

    def chat_bucket(self, person: str) -> TokenBucket:
        """How much somebody may say, on all their connections together."""
        return self._chats.bucket(person)

    # Other workers

    def publish(self, room: Room, presence: bool = False) -> None:
        """Publish to other workers that a table has changed, or who is connected to it here."""
        if presence:
            seats, watching = room.present_on_this_worker()
            self.pubsub.publish(table=room.id, seats=seats, watching=watching, at=self.pubsub.worker)
        else:
            self.pubsub.publish(table=room.id, number=room.state.number)

    def _received(self, said: JsonObject) -> None:
        room = self.rooms.get(said["table"])
        if room is None:
            return
        if "number" in said:
            if said["number"] > room.state.number:
                self.background(room.sync())
        else:
            room.presence_elsewhere(said["at"], said["seats"], said["watching"])

    # In the background

    async def _tell_of_compiling(self) -> None:
        """Tell those who wait for a game that is being compiled how far it is."""
        await self.offload.in_thread(compiling.adopt)
        now = compiling.under_way()
        over = {game: (total, total) for game, (_, total) in self._compiling.items() if game not in now}
        self._compiling = now
        for game, progress in (over | now).items():
            message = encode(Preparing(*progress))
            for room in list(self.rooms.values()):
                if room.state.row.game == game:
                    for connection in room.connections:
                        connection.send(message)


async def _watch_loop() -> None:
    STEADY.beat()
    begun = time.perf_counter()
    await asyncio.sleep(BEAT)
    LOOP_LAG.observe(max(0.0, time.perf_counter() - begun - BEAT))


def bot_sitter(level: int) -> Sitter:
    """A bot on a seat."""
    from clew.bots.levels import level as known

    return Sitter("bot", known(level).name, None, level)


def may_enter(row: TableRow, seats: Sequence[Sitter], person: str | None, invite: str) -> None:
    """Refuse those who may not join or watch a private table."""
    if not may_watch(row, seats, person, invite):
        raise Forbidden("This table is private: it takes an invitation.")
