"""A table in use: its ledger, the people connected to it, its bots and its clock.

An entry is decided on the ledger, written by the store, folded in, and only then sent: first to who caused it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clew.core.errors import ClewError, IllegalMove
from clew.server import showing, watch
from clew.server.clock import now_ms
from clew.server.ledger import Ledger
from clew.server.line import Line
from clew.server.messages import PROTOCOL, Event, Presence, Welcome, encode
from clew.server.store import Repeated, Row, StoreError, Taken
from clew.server.store.base import NewTable
from clew.server.watch import log

if TYPE_CHECKING:
    from clew.server.house import House

STEAL = 4.0  # seconds until a worker does what another one should have done
BETWEEN_BOTS = 0.7  # seconds between moves when only bots play
FORGOTTEN = 45.0  # seconds after which another worker's connections do not count any more


@dataclass(frozen=True)
class Deed:
    """What is to be written next."""

    kind: str
    seat: int | None = None
    data: dict[str, Any] = field(default_factory=dict)
    table: NewTable | None = None


Decide = Callable[[Ledger], Deed]


class Room:
    """One table. Whoever changes anything holds `lock`."""

    def __init__(self, house: House, ledger: Ledger) -> None:
        self.house = house
        self.ledger = ledger
        self.id = ledger.row.id
        self.lines: set[Line] = set()
        self.lock = asyncio.Lock()
        self.opened = self.touched = time.monotonic()
        self._left: dict[str, float] = {}  # when the last connection of a person went
        self._elsewhere: dict[str, tuple[float, list[int], int]] = {}  # by worker: when, seats, how many watch
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None

    # Writing

    async def commit(self, decide: Decide, key: str | None = None) -> Row:
        """Write what is decided, tell everybody; raises Repeated if it was done before. The lock is held."""
        while True:
            before = self.ledger
            if key is not None and key in before.keys:
                raise Repeated(before.keys[key])
            try:
                deed = decide(before)
                row = Row(before.number + 1, now_ms(), deed.kind, deed.seat, key, deed.data)
                after = await self.house.bench.do((before.row.game, deed.kind), before.after, row)
            except ClewError:
                if self.house.store.shared and await self.catch_up():
                    continue  # it was refused for what is no longer so
                raise
            try:
                await self.house.store.append(self.id, row, after.change(before, deed.table))
            except Taken:
                await self.catch_up()
                continue
            except Repeated:
                await self.catch_up()
                raise
            self._count(row)
            self.ledger = after
            try:
                await self._tell(row, before)
            finally:  # whatever happens, it is written: the others and the bots go on from there
                self.house.wake(self)
                self._go_on()
            return row

    async def catch_up(self) -> bool:
        """Take in what other workers have written; whether there was anything. The lock is held."""
        rows = await self.house.store.entries(self.id, self.ledger.number)
        for row in rows:
            before = self.ledger
            self.ledger = await self.house.bench.do((before.row.game, row.kind), before.after, row)
            await self._tell(row, before)
        if rows:
            self._arm()
            self._go_on_later()
        return bool(rows)

    async def look(self) -> None:
        """See whether other workers have written something."""
        async with self.lock:
            await self.catch_up()

    def _count(self, row: Row) -> None:
        watch.entries(row.kind).inc()
        if row.kind == "move":
            watch.moves(self.ledger.row.game, "bot" if row.key is None else "person").inc()

    # Telling

    async def greet(self, line: Line, last: int) -> None:
        """Send a chair everything that it has not seen, and from now on what is new. The lock is held."""
        if self.house.store.shared:  # it may have been at another worker, and know more than this one
            await self.catch_up()
        ledger = self.ledger
        since = last if last <= ledger.number else 0

        def build() -> bytes:
            return encode(
                Welcome(
                    PROTOCOL,
                    ledger.number,
                    since,
                    line.chair,
                    showing.table(ledger, line.person, here),
                    showing.with_clocks(showing.position(ledger, line.chair, line.known), ledger),
                    [showing.entry(ledger, row, line.chair) for row in ledger.rows[since:]],
                    watching,
                )
            )

        self.lines.add(line)
        here, watching = self.here()
        line.send(await self.house.bench.do((ledger.row.game, "welcome"), build))
        self.touched = time.monotonic()

    async def _tell(self, row: Row, before: Ledger) -> None:
        if not self.lines:
            return
        ledger, here = self.ledger, self.here()[0]
        moved = row.kind != "chat"
        changed = row.kind not in ("move", "chat") or ledger.status != before.status or ledger.ask != before.ask
        seated = {sitter.person for sitter in ledger.seats} if changed else set()
        groups: dict[Any, list[Line]] = {}
        for line in self.lines:
            person = line.person if line.person in seated else None
            groups.setdefault((line.chair, line.known, person), []).append(line)
        first = sorted(groups, key=lambda group: group[0] != row.seat)

        def build() -> list[bytes]:
            shown: dict[Any, Any] = {}
            made = []
            for chair, known, person in first:
                if (chair, known) not in shown:
                    now = showing.with_clocks(showing.position(ledger, chair, known), ledger) if moved else None
                    shown[chair, known] = (showing.entry(ledger, row, chair), now)
                entry, now = shown[chair, known]
                made.append(encode(Event(entry, now, showing.table(ledger, person, here) if changed else None)))
            return made

        for group, message in zip(first, await self.house.bench.do((ledger.row.game, "tell"), build)):
            for line in groups[group]:
                line.send(message)

    # Who is here

    def here(self) -> tuple[list[int], int]:
        """The seats of the people who are connected, to whichever worker, and how many others watch."""
        seats, watching = self.here_on_this_worker()
        found = set(seats)
        for when, others, more in self._elsewhere.values():
            if time.monotonic() - when < FORGOTTEN:
                found |= set(others)
                watching += more
        return sorted(found), watching

    def here_on_this_worker(self) -> tuple[list[int], int]:
        """The same, of the connections to this process."""
        people = {line.person for line in self.lines}
        seats = [seat for seat, sitter in enumerate(self.ledger.seats) if sitter.person in people]
        seated = {self.ledger.seats[seat].person for seat in seats}
        return seats, sum(line.person not in seated for line in self.lines)

    def leave(self, line: Line) -> None:
        """A connection is gone."""
        self.lines.discard(line)
        self.touched = self._left[line.person] = time.monotonic()
        self.announce()

    def absent(self, seat: int) -> float | None:
        """For how many seconds the person of a seat has been away; None for somebody who is here."""
        if seat in self.here()[0]:
            return None
        return time.monotonic() - self._left.get(self.ledger.seats[seat].person or "", self.opened)

    def announce(self) -> None:
        """Tell everybody who is connected."""
        self._send_presence()
        self.house.wake(self, presence=True)

    def hear(self, worker: str, seats: Iterable[int], watching: int) -> None:
        """Another worker tells who is connected to it."""
        known = self._elsewhere.get(worker)
        self._elsewhere[worker] = (time.monotonic(), list(seats), watching)
        if known is None or known[1:] != self._elsewhere[worker][1:]:
            self._send_presence()

    def _send_presence(self) -> None:
        message = encode(Presence(*self.here()))
        for line in self.lines:
            line.send(message)

    # Bots and clocks

    def start(self) -> None:
        """Go on where the log ends."""
        self._arm()
        if self.ledger.status == "waiting":
            self.house.background(self.begin())
        rows = self.ledger.rows
        if self.house.store.shared and rows and now_ms() - rows[-1].at < 1000 * STEAL:
            self._go_on_later()  # the worker that wrote it is probably at work
        else:
            self._go_on()

    async def begin(self) -> None:
        """Begin the game when no seat is open."""
        async with self.lock:
            with contextlib.suppress(Overtaken):
                await self.commit(_started)

    def _go_on(self) -> None:
        self._arm()
        owing = self.ledger.bots_to_move
        for seat in [seat for seat in self._thinking if seat not in owing]:
            self._thinking.pop(seat).cancel()
        if not self.lines and not self.ledger.people():
            return  # only bots play, and nobody watches
        for seat in owing:
            if seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(seat))

    def _go_on_later(self) -> None:
        if self._later is not None:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(STEAL * random.uniform(1, 1.5), self._go_on)

    async def _think(self, seat: int) -> None:
        house, ledger = self.house, self.ledger
        game, level = ledger.game, ledger.seats[seat].level
        assert game is not None
        assert level is not None
        try:
            if not ledger.people():
                await asyncio.sleep(BETWEEN_BOTS)
            view = await house.bench.do((ledger.row.game, "view"), game.view, seat)
            move = str(await house.thinking.choose(game.game, level, ledger.bot_seed(seat), view))

            def decide(now: Ledger) -> Deed:
                if seat not in now.bots_to_move:
                    raise Overtaken
                return Deed("move", seat, {"move": move})

            async with self.lock:
                self._thinking.pop(seat, None)  # from here on it is not to be cancelled
                await asyncio.shield(self.commit(decide))
        except Overtaken:
            self._go_on()  # it was decided for a position that is no more
        except (IllegalMove, StoreError) as error:
            log.error("a bot's move could not be made: %s", error, extra={"about": {"table": self.id}})
            self._go_on_later()
        except Exception:
            log.exception("a bot failed", extra={"about": {"table": self.id}})
        finally:
            if self._thinking.get(seat) is asyncio.current_task():
                del self._thinking[seat]

    def _arm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        falls = self.ledger.clock.falls() if self.ledger.clock and self.ledger.status == "playing" else None
        if falls is not None:
            wait = max(0.0, (falls[0] - now_ms()) / 1000) + random.uniform(0.001, 0.02)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._ring, falls[1])

    def _ring(self, seat: int) -> None:
        self.house.background(self.time_is_up(seat))

    async def time_is_up(self, seat: int) -> None:
        """Write that a seat's time has run out, if that is so."""
        async with self.lock:
            try:
                await self.commit(lambda ledger: time_out(ledger, seat))
            except Overtaken:
                self._arm()
            except StoreError as error:
                log.error("a timeout could not be written: %s", error, extra={"about": {"table": self.id}})
                self._alarm = asyncio.get_running_loop().call_later(STEAL, self._arm)

    @property
    def idle(self) -> bool:
        """Whether the table can be forgotten until somebody wants it."""
        running = self._alarm is not None or self._thinking or self.lock.locked()
        return not self.lines and not running and time.monotonic() - self.touched > self.house.settings.idle_seconds

    def close(self) -> None:
        """Stop thinking and ringing."""
        for task in self._thinking.values():
            task.cancel()
        for timer in (self._alarm, self._later):
            if timer is not None:
                timer.cancel()


class Overtaken(Exception):
    """What was to be written makes no sense any more."""


def _started(ledger: Ledger) -> Deed:
    if ledger.status != "waiting" or any(sitter.kind == "open" for sitter in ledger.seats):
        raise Overtaken
    return Deed("started")


def time_out(ledger: Ledger, seat: int) -> Deed:
    """A seat's time has run out, if that is so."""
    clock = ledger.clock
    if clock is None or seat not in clock.began or clock.used(seat, now_ms()) < clock.left[seat]:
        raise Overtaken
    return Deed("timeout", seat, {"then": clock.rule.then, "used": clock.left[seat]})
