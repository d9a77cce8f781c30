"""What is done from time to time: evict idle tables, see to clocks that ran out, sync with other workers, archive."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from clew.server import versions
from clew.server.background import Failures, repeat
from clew.server.clock import alarm_time, awake_for, now_ms
from clew.server.log_entries import GameEnded
from clew.server.metrics import ROOMS, TABLES
from clew.server.registry import NotFound, Registry
from clew.server.room import Decision, Room, Superseded
from clew.server.store import Alarm, StoreError
from clew.server.table_state import TableState, game_of

EVERY = 2.0  # seconds between two rounds
PRESENCE = 15.0  # seconds between two reminders of who is connected
CLEARING = 600.0  # seconds between two looks for old tables
OPEN_DAYS = 2  # a table that waits for players so long is cleared away
MOST_RUNG = 200  # tables that are in memory only because their clocks have run out
RING_AGAIN = 60_000  # milliseconds until a clock is looked at again where it could not be seen to
DAY = 86_400_000


class Maintenance:
    """The rounds of one worker. Each is a task of its own, and goes on after any failure."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._looking, self._ringing = Failures("looking for entries"), Failures("ringing for clocks")
        self._clearing = Failures("clearing away")
        self._rung: dict[Room, float] = {}  # tables that are here for a clock, and when they were opened

    def start(self) -> None:
        """Begin with all rounds."""
        rounds: list[tuple[str, Callable[[], Awaitable[None]], float]] = [
            ("evicting idle tables", self.evict_idle, EVERY),
            ("ringing for clocks", self.ring, EVERY),
            ("reminding of presence", self.remind, PRESENCE),
            ("counting tables", self.count, CLEARING),
            ("clearing away", self.clear_away, CLEARING),
        ]
        if self.registry.store.shared:
            rounds.append(("looking for entries", self.look, EVERY))
        for task, work, pause in rounds:
            self.registry.background(repeat(task, work, pause))

    async def evict_idle(self) -> None:
        """Tables that nobody uses leave the memory."""
        for room in [room for room in self.registry.rooms.values() if room.idle]:
            self.registry.evict(room)
        ROOMS.set(len(self.registry.rooms))

    async def look(self) -> None:
        """Take in what other workers wrote at tables where somebody is connected here."""
        for room in list(self.registry.rooms.values()):
            if room.connections and not room.lock.locked():
                try:
                    await room.sync()
                except StoreError:
                    raise
                except Exception as error:  # the other tables shall not wait for it
                    self._looking.note(error, table=room.id)

    async def remind(self) -> None:
        """Tell the other workers who is connected to this one."""
        for room in list(self.registry.rooms.values()):
            if room.connections:
                self.registry.publish(room, presence=True)

    async def count(self) -> None:
        """How many tables there are, for the metrics."""
        counts = await self.registry.store.counts()
        for status in ("waiting", "playing", "over"):
            TABLES.labels(status).set(counts.get(status, 0))

    # Clocks

    async def ring(self) -> None:
        """Have time run out at tables that are not in memory: only those are opened where a clock is due."""
        store = self.registry.store
        for room in [room for room in self._rung if not room.busy]:
            self._put_back(room, self._rung.pop(room))
        passed = 0
        while len(self._rung) < MOST_RUNG and (due := await store.due(alarm_time(), awake_for(), passed)):
            for table_id, alarm in due.items():
                # Whoever moves the alarm sees to it. If that fails it rings again, and is in nobody's way until then.
                later = Alarm(alarm_time() + RING_AGAIN, 0)
                if not self.registry.affinity.owns(table_id) or not await store.move_alarm(table_id, alarm, later):
                    passed += 1
                    continue
                try:
                    await self._ring(table_id, later)
                except StoreError:
                    raise
                except versions.OtherRules:
                    pass
                except NotFound:
                    await store.move_alarm(table_id, later, None)
                except Exception as error:  # the other tables shall not wait for it
                    self._ringing.note(error, table=table_id)

    async def _ring(self, table_id: str, alarm: Alarm) -> None:
        async with self._visit(table_id) as room:
            if self.registry.store.shared:
                await room.sync()
            falls = room.state.alarm
            if falls is None or falls.due > alarm_time():  # there has been a move since, or a bot's turn is not timed
                await self.registry.store.move_alarm(table_id, alarm, falls)
            else:
                await room.ring()

    @contextlib.asynccontextmanager
    async def _visit(self, table_id: str) -> AsyncIterator[Room]:
        """A table that is in memory only for this, unless somebody else wants it, too."""
        known = self.registry.rooms.get(table_id)
        room = known or await self.registry.room(table_id)
        last_used = room.last_used
        try:
            yield room
        finally:
            if known is None and room.busy:
                self._rung[room] = last_used  # a bot has to move: that comes first
            elif known is None:
                self._put_back(room, last_used)

    def _put_back(self, room: Room, last_used: float) -> None:
        if not room.connections and room.last_used == last_used:
            self.registry.evict(room)

    # Old tables

    async def clear_away(self) -> None:
        """Keep old tables as records, and forget those that nobody came to."""
        await versions.close_outdated(self.registry.store, self.registry.affinity.owns)
        kept = now_ms() - int(self.registry.settings.archive_days * DAY)
        await self._clear("waiting", now_ms() - OPEN_DAYS * DAY, self._drop)
        await self._clear("playing", kept, self._abandon)
        await self._clear("over", kept, self._archive)

    async def _clear(self, status: str, before: int, clear: Callable[[str, int], Awaitable[bool]]) -> None:
        """See to this worker's tables with this status where nothing has happened since; pass by what has to stay."""
        stayed = 0
        while found := await self.registry.store.stale(status, before, stayed):
            for table_id, last in found.items():
                if not self.registry.affinity.owns(table_id):
                    stayed += 1
                    continue
                try:
                    stayed += not await clear(table_id, last)
                except StoreError:
                    raise
                except NotFound:
                    pass  # another worker has cleared it away
                except Exception as error:  # the others shall not wait for it
                    stayed += 1
                    self._clearing.note(error, table=table_id)

    async def _drop(self, table_id: str, last: int) -> bool:
        return table_id not in self.registry.rooms and await self.registry.store.drop(table_id, last)

    async def _abandon(self, table_id: str, last: int) -> bool:
        def over(state: TableState) -> Decision:
            if state.number != last:
                raise Superseded
            return Decision(GameEnded(ended="abandoned"))

        try:
            async with self._visit(table_id) as room:
                if room.connections:
                    return False
                async with room.lock:
                    await room.commit(over)
        except versions.OtherRules:
            await versions.end(self.registry.store, table_id, "abandoned")
        except Superseded:
            return False
        return True

    async def _archive(self, table_id: str, last: int) -> bool:
        row = await self.registry.row(table_id)
        if game_of(row) is None:
            return await self._keep(table_id, versions.record(row, await self.registry.store.entries(table_id)), last)
        async with self._visit(table_id) as room:
            state = room.state
            if room.connections or state.number != last:
                return False
            record = None if state.game is None else await self.registry.offload.in_thread(state.record)
            done = await self._keep(table_id, record, last)
            if done:
                self.registry.evict(room)
            return done

    async def _keep(self, table_id: str, record: str | None, last: int) -> bool:
        if record is None:  # the game never began
            return await self.registry.store.drop(table_id, last)
        return await self.registry.store.archive(table_id, record, last)
