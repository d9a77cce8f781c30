"""A table in use: its ledger, the people connected to it, its bots and its clock.

An entry is decided on the ledger, written by the store, and acknowledged to who caused it. Only then is anything worked
out that depends on hidden parts: each chair is told of it by a task of its own, for which no other chair waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clew.core.errors import ClewError, IllegalMove
from clew.server import showing, watch
from clew.server.clock import STEADY, now_ms
from clew.server.ledger import Ledger
from clew.server.line import Line
from clew.server.messages import PROTOCOL, Error, Event, Presence, Welcome, encode
from clew.server.scheduler import Owner, Purpose
from clew.server.store import Repeated, Row, StoreError, Taken
from clew.server.store.base import NewTable
from clew.server.watch import log

if TYPE_CHECKING:
    from clew.server.house import House

STEAL = 4.0  # seconds until a worker does what another one should have done
BETWEEN_BOTS = 0.7  # seconds between moves when only bots play
LONGEST_WAIT = 60.0  # seconds until a bot that fails again and again is asked once more
ASIDE = ("chat", "hinted")  # entries that change neither the position nor the table
FEW = 16  # connections that are told at once who comes and goes
PRESENCE_RATE = 1000  # messages a second and table that tell more of them
REMINDED = 20.0  # seconds after which every worker has told who is connected to it
FORGOTTEN = 45.0  # seconds after which another worker's connections do not count any more


@dataclass(frozen=True)
class Deed:
    """What is to be written next."""

    kind: str
    seat: int | None = None
    data: dict[str, Any] = field(default_factory=dict)
    table: NewTable | None = None


Decide = Callable[[Ledger], Deed]
News = tuple[Row, Ledger, Ledger]  # an entry, and the ledger before and after it


class Room:
    """One table. Whoever changes anything holds `lock`."""

    def __init__(self, house: House, ledger: Ledger) -> None:
        self.house = house
        self.ledger = ledger
        self.id = ledger.row.id
        self.lines: set[Line] = set()
        self.lock = asyncio.Lock()
        self.opened = self.touched = time.monotonic()
        self._closed = False
        self._untold: dict[int | None, deque[News]] = {}  # by chair, while it is being told of something
        self._people: Counter[str] = Counter()  # how many connections each person has
        self._left: dict[str, float] = {}  # when the last connection of a person went
        self._elsewhere: dict[str, tuple[float, list[int], int]] = {}  # by worker: when, seats, how many watch
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._failures = 0  # of bots, one after the other
        self._alarm: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._presence: asyncio.TimerHandle | None = None

    # Writing

    async def commit(self, decide: Decide, key: str | None = None, written: Callable[[Row], None] | None = None) -> Row:
        """Write what is decided, call `written`, tell everybody; raises Repeated if it was done before.

        The lock is held.
        """
        self._check_open()
        while True:
            before = self.ledger
            if key is not None and (done := before.made_by(key)) is not None:
                raise Repeated(done)
            try:
                deed = decide(before)
                data = {**deed.data, "steady": STEADY.stamp()} if before.row.clock else deed.data
                row = Row(before.number + 1, now_ms(), deed.kind, deed.seat, key, data)
                after = await self.house.bench.do((before.row.game, deed.kind), before.after, row)
            except ClewError:
                if self.house.store.shared and await self.catch_up():
                    continue  # it was refused for what is no longer so
                raise
            try:
                change, alarm = after.change(before, deed.table), after.new_alarm(before)
                await self.house.store.append(self.id, row, change, alarm)
            except Taken:
                await self.catch_up()
                continue
            except Repeated:
                await self.catch_up()
                raise
            self._count(row)
            if written is not None:
                written(row)
            self._advance(row, after)
            self.house.wake(self)
            self._go_on()
            return row

    def _check_open(self) -> None:
        """Refuse what comes to a table that has just left the memory: it would not see what is written there."""
        if self._closed:
            raise StoreError("This table was being put away.")

    async def catch_up(self) -> bool:
        """Take in what other workers have written; whether there was anything. The lock is held."""
        rows = await self.house.store.entries(self.id, self.ledger.number)
        for row in rows:
            self._advance(row, await self.house.bench.do((self.ledger.row.game, row.kind), self.ledger.after, row))
        if rows:
            self._arm()
            self._go_on_later()
        return bool(rows)

    async def look(self) -> None:
        """See whether other workers have written something."""
        async with self.lock:
            await self.catch_up()

    def _advance(self, row: Row, after: Ledger) -> None:
        """The table is as an entry on disk makes it."""
        before, self.ledger = self.ledger, after
        if before.seats != after.seats:
            self._dismiss()
        self._tell((row, before, after))

    def _count(self, row: Row) -> None:
        watch.entries(row.kind).inc()
        if row.kind == "move":
            watch.moves(self.ledger.row.game, "bot" if row.key is None else "person").inc()

    # Telling

    async def greet(self, line: Line, last: int) -> None:
        """Send a chair everything that it has not seen, and from now on what is new. The lock is held."""
        self._check_open()
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

        line.number = ledger.number  # what is still being told up to here, the welcome tells
        self._add(line)
        here, watching = self.here()
        self.send(line, line.chair, await self.house.bench.do((ledger.row.game, "welcome"), build))
        self.touched = time.monotonic()

    def send(self, line: Line, chair: int | None, message: Any) -> None:
        """Send what was made for a chair, if the line still looks from there and is still entitled to."""
        if line in self.lines and line.chair == chair and line.entitled(self.ledger):
            line.send(message)

    def _dismiss(self) -> None:
        """Close the connections that look from where their person may not look any more."""
        for line in [line for line in self.lines if not line.entitled(self.ledger)]:
            self._remove(line)
            line.send(Error("not_yours", "You have left this chair."))
            line.close(4403)

    def _tell(self, news: News) -> None:
        """Have all chairs told of an entry, each after what it has not heard yet."""
        row, _, ledger = news
        chairs = {line.chair for line in self.lines}
        free = []
        for chair in sorted(chairs, key=lambda chair: (chair != row.seat, chair in ledger.to_move)):
            if chair in self._untold:
                self._untold[chair].append(news)
            else:
                self._untold[chair] = deque([news])
                free.append(chair)
        if ledger.row.game in self.house.bench.slow:  # no chair waits for another
            for chair in free:
                self.house.background(self._tell_chair(chair))
        elif free:
            self.house.background(self._tell_chairs(free))

    async def _tell_chairs(self, chairs: Sequence[int | None]) -> None:
        await asyncio.sleep(0)  # uvloop writes at the end of a turn: the acknowledgement leaves in this one
        for chair in chairs:
            await self._tell_chair(chair)

    async def _tell_chair(self, chair: int | None) -> None:
        untold = self._untold[chair]
        try:
            while untold:
                await self._tell_entry(chair, *untold.popleft())
        except Exception:
            log.exception("an entry could not be told", extra={"about": {"table": self.id}})
            for line in self.lines:
                if line.chair == chair:
                    line.close(1011)  # it comes back, and says what it has seen
        finally:
            del self._untold[chair]

    async def _tell_entry(self, chair: int | None, row: Row, before: Ledger, ledger: Ledger) -> None:
        moved = row.kind not in ASIDE
        changed = row.kind not in ("move", *ASIDE) or ledger.status != before.status or ledger.ask != before.ask
        seated = {sitter.person for sitter in ledger.seats} if changed else set()
        groups: dict[Any, list[Line]] = {}
        for line in self.lines:
            if line.chair == chair and line.number < row.number:
                groups.setdefault((line.known, line.person if line.person in seated else None), []).append(line)
        if not groups:
            return
        here = self.here()[0] if changed else []

        def build() -> list[bytes]:
            entry = showing.entry(ledger, row, chair)
            now = {
                known: showing.with_clocks(showing.position(ledger, chair, known), ledger) if moved else None
                for known in {known for known, _ in groups}
            }
            return [
                encode(Event(entry, now[known], showing.table(ledger, person, here) if changed else None))
                for known, person in groups
            ]

        made = await self.house.bench.do((ledger.row.game, "tell"), build)
        for ((known, _), lines), message in zip(groups.items(), made):
            for line in lines:
                if line.number < row.number and line.known == known:  # it may have said hello again meanwhile
                    line.number = row.number
                    self.send(line, chair, message)

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
        seats = [seat for seat, sitter in enumerate(self.ledger.seats) if sitter.person in self._people]
        seated = {self.ledger.seats[seat].person for seat in seats}
        return seats, len(self.lines) - sum(self._people[person] for person in seated if person is not None)

    def _add(self, line: Line) -> None:
        if line not in self.lines:
            self.lines.add(line)
            self._people[line.person] += 1

    def _remove(self, line: Line) -> None:
        if line in self.lines:
            self.lines.discard(line)
            self._people[line.person] -= 1
            if not self._people[line.person]:
                del self._people[line.person]

    def leave(self, line: Line) -> None:
        """A connection is gone."""
        self._remove(line)
        self.touched = self._left[line.person] = time.monotonic()
        self.announce()

    def absent(self, seat: int) -> float | None:
        """For how many seconds the person of a seat has been away; None for somebody who is here."""
        if seat in self.here()[0]:
            return None
        return time.monotonic() - self._left.get(self.ledger.seats[seat].person or "", self.opened)

    async def knows_who_is_here(self) -> bool:
        """Whether a connection to another worker would be known: all have told of theirs, or there is no other."""
        store, since = self.house.store, self.house.waking.listening_since
        heard = since is not None and time.monotonic() - max(since, self.opened) > REMINDED
        return not store.shared or heard or await store.alone()

    def announce(self) -> None:
        """Tell everybody who is connected, here and at other workers."""
        self._send_presence()
        self.house.wake(self, presence=True)

    def hear(self, worker: str, seats: Iterable[int], watching: int) -> None:
        """Another worker tells who is connected to it."""
        known = self._elsewhere.get(worker)
        self._elsewhere[worker] = (time.monotonic(), list(seats), watching)
        if known is None or known[1:] != self._elsewhere[worker][1:]:
            self._send_presence()

    def _send_presence(self) -> None:
        """At once while there are few to be told; else so many a second, however many come and go."""
        if len(self.lines) <= FEW:
            self._send_presence_now()
        elif self._presence is None:
            wait = max(0.25, len(self.lines) / PRESENCE_RATE)
            self._presence = asyncio.get_running_loop().call_later(wait, self._send_presence_now)

    def _send_presence_now(self) -> None:
        if self._presence is not None:
            self._presence.cancel()
            self._presence = None
        message = encode(Presence(*self.here()))
        for line in self.lines:
            line.send(message)

    # Bots and clocks

    def start(self) -> None:
        """Go on where the log ends."""
        self._arm()
        if self.ledger.status == "waiting":
            self.house.background(self.begin())
        if self.house.store.shared and now_ms() - self.ledger.at < 1000 * STEAL:
            self._go_on_later()  # the worker that wrote it is probably at work
        else:
            self._go_on()

    async def begin(self) -> None:
        """Begin the game when no seat is open."""
        async with self.lock:
            with contextlib.suppress(Overtaken):
                await self.commit(_started)

    def _go_on(self) -> None:
        if self._closed:
            return
        self._arm()
        owing = self.ledger.bots_to_move
        for seat in [seat for seat in self._thinking if seat not in owing]:
            self._thinking.pop(seat).cancel()
        if not self.lines and not self.ledger.people():
            return  # only bots play, and nobody watches
        for seat in owing:
            if seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(seat))

    def _go_on_later(self, wait: float = STEAL) -> None:
        if self._later is not None:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(wait * random.uniform(1, 1.5), self._go_on)

    async def _think(self, seat: int) -> None:
        house, ledger = self.house, self.ledger
        game, level, due = ledger.game, ledger.seats[seat].level, ledger.due[seat]
        assert game is not None
        assert level is not None
        try:
            if not ledger.people():
                await asyncio.sleep(BETWEEN_BOTS)
            view = await house.bench.do((ledger.row.game, "view"), game.view, seat)
            job = (*self._for_whom(), game.game, level, ledger.bot_seed(seat), view)
            move = str(await house.thinking.choose(*job))

            def decide(now: Ledger) -> Deed:
                if seat not in now.bots_to_move or now.due[seat] != due:
                    raise Overtaken
                return Deed("move", seat, {"move": move})

            async with self.lock:
                self._thinking.pop(seat, None)  # from here on it is not to be cancelled
                await asyncio.shield(self.commit(decide))
            self._failures = 0
        except Overtaken:
            self._go_on()  # it was decided for a position that is no more
        except Exception as error:
            self._bot_failed(error)
        finally:
            if self._thinking.get(seat) is asyncio.current_task():
                del self._thinking[seat]

    def _bot_failed(self, error: Exception) -> None:
        """Note it, and ask again after a while, each time a longer one."""
        about = {"about": {"table": self.id}}
        if isinstance(error, IllegalMove):  # its words may tell what is hidden
            log.error("a bot's move was refused (%s)", error.rule, extra=about)
        elif isinstance(error, StoreError):
            log.error("a bot's move could not be written: %s", error, extra=about)
        else:
            log.error("a bot failed", exc_info=error, extra=about)
        self._go_on_later(min(STEAL * 2**self._failures, LONGEST_WAIT))
        self._failures += 1

    def _for_whom(self) -> tuple[Purpose, Owner]:
        """Why a bot thinks here, and whose turn it takes: of somebody who plays and is connected, or who watches."""
        playing = [self.ledger.seats[seat].person or "" for seat in self.ledger.people()]
        if not playing:
            return Purpose.WATCHED, min((line.owner for line in self.lines), default=Owner(""))
        here = [line.owner for line in self.lines if line.person in playing]
        return Purpose.OPPONENT, min(here, default=Owner("", playing[0]))

    def _arm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        falls = self.ledger.clock.falls() if self.ledger.clock and self.ledger.status == "playing" else None
        if falls is not None:
            wait = max(0.0, (falls[0] - STEADY.now()) / 1000) + random.uniform(0.001, 0.02)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._ring, falls[1])

    def _ring(self, seat: int) -> None:
        self.house.background(self.time_is_up(seat))

    async def time_is_up(self, seat: int) -> None:
        """Write that a seat's time has run out, if that is so."""
        async with self.lock:
            if self._closed:
                return  # whoever has the table now, or the next round, sees to it
            try:
                await self.commit(lambda ledger: time_out(ledger, seat))
            except Overtaken:
                self._arm()
            except StoreError as error:
                log.error("a timeout could not be written: %s", error, extra={"about": {"table": self.id}})
                self._alarm = asyncio.get_running_loop().call_later(STEAL, self._arm)

    async def ring(self) -> None:
        """See whether the next clock has run out."""
        falls = self.ledger.clock.falls() if self.ledger.clock else None
        if falls is not None:
            await self.time_is_up(falls[1])

    @property
    def busy(self) -> bool:
        """Whether something is being done at the table. A clock that runs is not: the store knows when it rings."""
        return bool(self._thinking) or self.lock.locked()

    @property
    def idle(self) -> bool:
        """Whether the table can be forgotten until somebody wants it."""
        return not self.lines and not self.busy and time.monotonic() - self.touched > self.house.settings.idle_seconds

    def close(self) -> None:
        """Stop thinking and ringing, for good."""
        self._closed = True
        for task in self._thinking.values():
            task.cancel()
        for timer in (self._alarm, self._later, self._presence):
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
    if clock is None or seat not in clock.began or clock.used(seat, STEADY.now()) < clock.left[seat]:
        raise Overtaken
    return Deed("timeout", seat, {"then": clock.rule.then})
