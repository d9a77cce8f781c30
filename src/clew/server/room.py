"""A room is a table in memory: its state, the people connected to it, its bots and its clock.

An entry is decided on the state, written by the store, and acknowledged to who caused it. Only then is anything worked
out that depends on hidden parts: each chair is told of it by a task of its own, for which no other chair waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from clew.core import author
from clew.core.errors import ClewError, IllegalMove
from clew.core.game import added, load
from clew.server import metrics, presenter
from clew.server.broadcast import Broadcast
from clew.server.clock import STEADY, now_ms
from clew.server.connection import Connection, frame
from clew.server.log_entries import GameStarted, LogEntry, MoveMade, RulesChanged, Timeout
from clew.server.logs import log
from clew.server.messages import PROTOCOL, Error, Presence, ToClient, Welcome, encode
from clew.server.presenter import News
from clew.server.scheduler import Owner, Purpose
from clew.server.store import AlreadyWritten, Conflict, StoreError
from clew.server.store.base import NewTable
from clew.server.table_state import RulesFailed, TableState

if TYPE_CHECKING:
    from clew.server.registry import Registry

STEAL = 4.0  # seconds until a worker does what another one should have done
BETWEEN_BOTS = 0.7  # seconds between moves when only bots play
LONGEST_WAIT = 60.0  # seconds until a bot that fails again and again is asked once more
BOT_TROUBLE = "bot"  # the code of the error that tells why a bot cannot go on
FEW = 16  # connections that are told at once who comes and goes
PRESENCE_RATE = 1000  # messages a second and table that tell more of them
REMINDED = 20.0  # seconds after which every worker has told who is connected to it
FORGOTTEN = 45.0  # seconds after which another worker's connections do not count any more


class Decision(NamedTuple):
    """What is to be written next: an entry, and with it perhaps a new table."""

    entry: LogEntry
    table: NewTable | None = None


Decide = Callable[[TableState], Decision]


class Room:
    """One table. Whoever changes anything holds `lock`."""

    def __init__(self, registry: Registry, state: TableState) -> None:
        self.registry = registry
        self.state = state
        self.id = state.row.id
        self.connections: set[Connection] = set()
        self.lock = asyncio.Lock()
        self.opened = self.last_used = time.monotonic()
        self._closed = False
        self.broadcast = Broadcast(self)
        self._people: Counter[str] = Counter()  # how many connections each person has
        self._left: dict[str, float] = {}  # when the last connection of a person went
        self._other_workers: dict[str, tuple[float, list[int], int]] = {}  # by worker: when, seats, how many watch
        self._bot_tasks: dict[int, asyncio.Task[None]] = {}
        self._failures = 0  # of bots, one after the other
        self._trouble = ""  # why a bot cannot go on
        self._clock_timer: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._presence: asyncio.TimerHandle | None = None

    # Writing

    async def commit(
        self, decide: Decide, key: str | None = None, written: Callable[[LogEntry], None] | None = None
    ) -> LogEntry:
        """Write what is decided, call `written`, tell everybody; raises AlreadyWritten if it was done before.

        The lock is held.
        """
        self._check_open()
        while True:
            before = self.state
            if key is not None and (done := before.number_of_key(key)) is not None:
                raise AlreadyWritten(done)
            try:
                entry, table = decide(before)
                entry.number, entry.at, entry.key = before.number + 1, now_ms(), key
                if before.row.clock:
                    entry.steady = STEADY.stamp()
                after = await self.registry.offload.run((before.row.game, entry.kind), before.after, entry)
            except ClewError:
                if self.registry.store.shared and await self.catch_up():
                    continue  # it was refused for what is no longer so
                raise
            try:
                change, alarm = after.change(before, table), after.new_alarm(before)
                await self.registry.store.append(self.id, entry, change, alarm)
            except Conflict:
                await self.catch_up()
                continue
            except AlreadyWritten:
                await self.catch_up()
                raise
            self._count(entry)
            if written is not None:
                written(entry)
            self._advance(entry, after)
            self.registry.publish(self)
            self._go_on()
            return entry

    def _check_open(self) -> None:
        """Refuse what comes to a table that has just left the memory: it would not see what is written there."""
        if self._closed:
            raise StoreError("This table was being put away.")

    async def catch_up(self) -> bool:
        """Take in what other workers have written; whether there was anything. The lock is held."""
        entries = await self.registry.store.entries(self.id, self.state.number)
        for entry in entries:
            kind = (self.state.row.game, entry.kind)
            self._advance(entry, await self.registry.offload.run(kind, self.state.after, entry))
        if entries:
            self._set_timer()
            self._go_on_later()
        return bool(entries)

    async def sync(self) -> None:
        """See whether other workers have written something."""
        async with self.lock:
            await self.catch_up()

    def _advance(self, entry: LogEntry, after: TableState) -> None:
        """The table is as an entry on disk makes it."""
        before, self.state = self.state, after
        if entry.changes_position:
            self._trouble = ""
        if before.seats != after.seats:
            self._close_unentitled()
        self.broadcast.tell(News(entry, before, after))

    def _count(self, entry: LogEntry) -> None:
        metrics.entries(entry.kind).inc()
        if isinstance(entry, MoveMade):
            metrics.moves(self.state.row.game, "bot" if entry.key is None else "person").inc()

    async def lay_anew(self, error: str = "") -> None:
        """Go on by rules that were changed, or tell why that cannot be."""
        async with self.lock:
            with contextlib.suppress(Superseded):
                await self.commit(lambda state: _rules_changed(state, error))
        if error:
            for connection in self.connections:
                connection.send(Error("rules", error))

    # Sending

    async def welcome(self, connection: Connection, last: int) -> None:
        """Send a chair everything that it has not seen, and from now on what is new. The lock is held."""
        self._check_open()
        state = self.state
        since = last if last <= state.number else 0

        def build() -> bytes:
            return encode(
                Welcome(
                    PROTOCOL,
                    state.number,
                    since,
                    connection.chair,
                    presenter.table(state, connection.person, here),
                    presenter.with_clocks(presenter.position(state, connection.chair, connection.known), state),
                    [entry.tell(state, connection.chair) for entry in state.entries[since:]],
                    watching,
                )
            )

        connection.number = state.number  # what is still being told up to here, the welcome tells
        self._add(connection)
        here, watching = self.present()
        self.send(connection, connection.chair, await self.registry.offload.run((state.row.game, "welcome"), build))
        if self._trouble:
            self.send(connection, connection.chair, Error(BOT_TROUBLE, self._trouble))
        self.last_used = time.monotonic()

    def send(self, connection: Connection, chair: int | None, message: ToClient | bytes) -> None:
        """Send what was made for a chair, if the connection still looks from there and is still entitled to."""
        if self.looks(connection, chair):
            connection.send(message)

    def looks(self, connection: Connection, chair: int | None) -> bool:
        """Whether a connection looks from a chair, and is entitled to, as the seats are now."""
        return connection in self.connections and connection.chair == chair and connection.entitled(self.state)

    def _close_unentitled(self) -> None:
        """Close the connections that look from where their person may not look any more."""
        for connection in [connection for connection in self.connections if not connection.entitled(self.state)]:
            self._remove(connection)
            connection.send(Error("not_yours", "You have left this chair."))
            connection.close(4403)

    # Presence

    def present(self) -> tuple[list[int], int]:
        """The seats of the people who are connected, to whichever worker, and how many others watch."""
        seats, watching = self.present_on_this_worker()
        found = set(seats)
        for when, others, more in self._other_workers.values():
            if time.monotonic() - when < FORGOTTEN:
                found |= set(others)
                watching += more
        return sorted(found), watching

    def present_on_this_worker(self) -> tuple[list[int], int]:
        """The same, of the connections to this process."""
        seats = [seat for seat, sitter in enumerate(self.state.seats) if sitter.person in self._people]
        seated = {self.state.seats[seat].person for seat in seats}
        return seats, len(self.connections) - sum(self._people[person] for person in seated if person is not None)

    def _add(self, connection: Connection) -> None:
        if connection not in self.connections:
            self.connections.add(connection)
            self._people[connection.person] += 1

    def _remove(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.discard(connection)
            self._people[connection.person] -= 1
            if not self._people[connection.person]:
                del self._people[connection.person]

    def leave(self, connection: Connection) -> None:
        """A connection is gone."""
        self._remove(connection)
        self.last_used = self._left[connection.person] = time.monotonic()
        self.announce_presence()

    def absent(self, seat: int) -> float | None:
        """For how many seconds the person of a seat has been away; None for somebody who is here."""
        if seat in self.present()[0]:
            return None
        return time.monotonic() - self._left.get(self.state.seats[seat].person or "", self.opened)

    async def knows_who_is_present(self) -> bool:
        """Whether a connection to another worker would be known: all have told of theirs, or there is no other."""
        store, since = self.registry.store, self.registry.pubsub.listening_since
        heard = since is not None and time.monotonic() - max(since, self.opened) > REMINDED
        return not store.shared or heard or await store.alone()

    def announce_presence(self) -> None:
        """Tell everybody who is connected, here and at other workers."""
        self._send_presence()
        self.registry.publish(self, presence=True)

    def presence_elsewhere(self, worker: str, seats: Iterable[int], watching: int) -> None:
        """Another worker tells who is connected to it."""
        known = self._other_workers.get(worker)
        self._other_workers[worker] = (time.monotonic(), list(seats), watching)
        if known is None or known[1:] != self._other_workers[worker][1:]:
            self._send_presence()

    def _send_presence(self) -> None:
        """At once while there are few to be told; else so many a second, however many come and go."""
        if len(self.connections) <= FEW:
            self._send_presence_now()
        elif self._presence is None:
            wait = max(0.25, len(self.connections) / PRESENCE_RATE)
            self._presence = asyncio.get_running_loop().call_later(wait, self._send_presence_now)

    def _send_presence_now(self) -> None:
        if self._presence is not None:
            self._presence.cancel()
            self._presence = None
        framed = frame(encode(Presence(*self.present())))
        for connection in self.connections:
            connection.send_frame(framed)

    # Bots and clocks

    def start(self) -> None:
        """Go on where the log ends."""
        self._set_timer()
        if self.state.status == "waiting":
            self.registry.background(self.begin())
        if self.registry.store.shared and now_ms() - self.state.at < 1000 * STEAL:
            self._go_on_later()  # the worker that wrote it is probably at work
        else:
            self._go_on()

    async def begin(self) -> None:
        """Begin the game when no seat is open."""
        async with self.lock:
            with contextlib.suppress(Superseded):
                await self.commit(_started)

    def _go_on(self) -> None:
        if self._closed:
            return
        self._set_timer()
        owing = self.state.bots_to_move
        for seat in [seat for seat in self._bot_tasks if seat not in owing]:
            self._bot_tasks.pop(seat).cancel()
        if not self.connections and not self.state.people():
            return  # only bots play, and nobody watches
        for seat in owing:
            if seat not in self._bot_tasks:
                self._bot_tasks[seat] = asyncio.create_task(self._think(seat))

    def _go_on_later(self, wait: float = STEAL) -> None:
        if self._later is not None:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(wait * random.uniform(1, 1.5), self._go_on)

    async def _think(self, seat: int) -> None:
        registry, state = self.registry, self.state
        game, level, due = state.game, state.seats[seat].level, state.due[seat]
        assert game is not None
        assert level is not None
        try:
            if not state.people():
                await asyncio.sleep(BETWEEN_BOTS)
            view = await registry.offload.run((state.row.game, "view"), game.view, seat)
            job = (*self._for_whom(), game.game, level, state.bot_seed(seat), view)
            move = str(await registry.bots.choose(*job))

            def decide(now: TableState) -> Decision:
                if seat not in now.bots_to_move or now.due[seat] != due:
                    raise Superseded
                return Decision(MoveMade(seat=seat, move=move))

            async with self.lock:
                self._bot_tasks.pop(seat, None)  # from here on it is not to be cancelled
                await asyncio.shield(self.commit(decide))
            self._failures = 0
        except Superseded:
            self._go_on()  # it was decided for a position that is no more
        except Exception as error:
            self._bot_failed(seat, error)
        finally:
            if self._bot_tasks.get(seat) is asyncio.current_task():
                del self._bot_tasks[seat]

    def _bot_failed(self, seat: int, error: Exception) -> None:
        """Note it, tell those who wait, and ask again after a while, each time a longer one."""
        about, game = {"about": {"table": self.id}}, self.state.row.game
        told = ""
        if isinstance(error, StoreError):  # that is no fault of the bot's
            log.error("a bot's move could not be written: %s", error, extra=about)
        elif isinstance(error, IllegalMove):  # its words may tell what is hidden
            told = f"its move was refused ({error.rule})."
            log.error("a bot's move was refused (%s)", error.rule, extra=about)
        elif isinstance(error, RulesFailed) or added(game):
            told = str(error if isinstance(error, RulesFailed) else author.told(error, load(game).folder, playing=True))
            log.error("a bot: %s", told, extra=about, exc_info=None if isinstance(error, RulesFailed) else error)
        else:
            told = "the server's log says why."
            log.error("a bot failed", exc_info=error, extra=about)
        if told:
            self._trouble = f"{self.state.names[seat]} cannot go on: {told} The bot will try again."
            for connection in self.connections:
                connection.send(Error(BOT_TROUBLE, self._trouble))
        self._go_on_later(min(STEAL * 2**self._failures, LONGEST_WAIT))
        self._failures += 1

    def _for_whom(self) -> tuple[Purpose, Owner]:
        """Why a bot thinks here, and whose turn it takes: of somebody who plays and is connected, or who watches."""
        playing = [self.state.seats[seat].person or "" for seat in self.state.people()]
        if not playing:
            return Purpose.WATCHED, min((connection.owner for connection in self.connections), default=Owner(""))
        here = [connection.owner for connection in self.connections if connection.person in playing]
        return Purpose.OPPONENT, min(here, default=Owner("", playing[0]))

    def _set_timer(self) -> None:
        if self._clock_timer is not None:
            self._clock_timer.cancel()
            self._clock_timer = None
        falls = self.state.clock.falls() if self.state.clock and self.state.status == "playing" else None
        if falls is not None:
            wait = max(0.0, (falls[0] - STEADY.now()) / 1000) + random.uniform(0.001, 0.02)
            self._clock_timer = asyncio.get_running_loop().call_later(wait, self._ring, falls[1])

    def _ring(self, seat: int) -> None:
        self.registry.background(self.time_is_up(seat))

    async def time_is_up(self, seat: int) -> None:
        """Write that a seat's time has run out, if that is so."""
        async with self.lock:
            if self._closed:
                return  # whoever has the table now, or the next round, sees to it
            try:
                await self.commit(lambda state: time_out(state, seat))
            except Superseded:
                self._set_timer()
            except StoreError as error:
                log.error("a timeout could not be written: %s", error, extra={"about": {"table": self.id}})
                self._clock_timer = asyncio.get_running_loop().call_later(STEAL, self._set_timer)

    async def ring(self) -> None:
        """See whether the next clock has run out."""
        falls = self.state.clock.falls() if self.state.clock else None
        if falls is not None:
            await self.time_is_up(falls[1])

    @property
    def busy(self) -> bool:
        """Whether something is being done at the table. A clock that runs is not: the store knows when it rings."""
        return bool(self._bot_tasks) or self.lock.locked()

    @property
    def idle(self) -> bool:
        """Whether the table can be forgotten until somebody wants it."""
        return (
            not self.connections
            and not self.busy
            and time.monotonic() - self.last_used > self.registry.settings.idle_seconds
        )

    def close(self) -> None:
        """Stop the bots and the timers, for good."""
        self._closed = True
        for task in self._bot_tasks.values():
            task.cancel()
        for timer in (self._clock_timer, self._later, self._presence):
            if timer is not None:
                timer.cancel()


class Superseded(Exception):
    """What was to be written makes no sense any more."""


def _started(state: TableState) -> Decision:
    if state.status != "waiting" or any(sitter.kind == "open" for sitter in state.seats):
        raise Superseded
    return Decision(GameStarted())


def _rules_changed(state: TableState, error: str) -> Decision:
    if state.status != "playing":
        raise Superseded
    return Decision(RulesChanged(error=error))


def time_out(state: TableState, seat: int) -> Decision:
    """A seat's time has run out, if that is so."""
    clock = state.clock
    if clock is None or seat not in clock.began or clock.used(seat, STEADY.now()) < clock.left[seat]:
        raise Superseded
    return Decision(Timeout(seat=seat, then=clock.rule.then))
