"""Telling the chairs of a table what happened: each its own message, made once for all who are to get the same."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from clew.server import presenter
from clew.server.connection import Connection, frame
from clew.server.logs import log
from clew.server.messages import Event, Position, encode
from clew.server.presenter import News

if TYPE_CHECKING:
    from clew.server.room import Room


class Kind(NamedTuple):
    """What decides, besides the chair, which message a connection gets."""

    known: bool
    changes: bool
    person: str | None  # of those who sit here, where the message has the table, which says who is "you"


Groups = dict[Kind, list[Connection]]


class Broadcast:
    """What the chairs of one room are still to be told."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._outbox: dict[int | None, deque[News]] = {}  # by chair, while it is being told something

    def tell(self, news: News) -> None:
        """Have all chairs told of an entry, each after what it has not heard yet."""
        entry, state = news.entry, news.state
        chairs = {connection.chair for connection in self._room.connections}
        free = []
        for chair in sorted(chairs, key=lambda chair: (chair != entry.seat, chair in state.to_move)):
            if chair in self._outbox:
                self._outbox[chair].append(news)
            else:
                self._outbox[chair] = deque([news])
                free.append(chair)
        if state.row.game in self._room.registry.offload.slow:  # no chair waits for another
            for chair in free:
                self._room.registry.background(self._tell_chair(chair))
        elif free:  # after the acknowledgements of all that was written together
            asyncio.get_running_loop().call_soon(self._tell_at_once, free)

    def _tell_at_once(self, chairs: Sequence[int | None]) -> None:
        """Tell chairs of a game that is known to be quick; of another one, by a task."""
        offload, kind = self._room.registry.offload, (self._room.state.row.game, "tell")
        for chair in chairs:
            if not offload.quick(kind):
                self._room.registry.background(self._tell_chair(chair))
                continue
            try:
                waiting = self._outbox.pop(chair)
                for news in waiting:
                    groups = self._groups(chair, news)
                    if groups:
                        self._send(chair, news, groups, offload.now(kind, self._build, chair, news, groups))
            except Exception:
                self._failed(chair)

    async def _tell_chair(self, chair: int | None) -> None:
        waiting, offload = self._outbox[chair], self._room.registry.offload
        try:
            while waiting:
                news = waiting.popleft()
                groups = self._groups(chair, news)
                if groups:
                    made = await offload.run((news.state.row.game, "tell"), self._build, chair, news, groups)
                    self._send(chair, news, groups, made)
        except Exception:
            self._failed(chair)
        finally:
            del self._outbox[chair]

    def _groups(self, chair: int | None, news: News) -> Groups:
        """The connections of a chair that have not heard of an entry, by the message that they are to get."""
        number, seated = news.entry.number, self._seated(news)
        groups: Groups = {}
        for connection in self._room.connections:
            if connection.chair == chair and connection.number < number:
                person = connection.person if connection.person in seated else None
                changes = connection.changes and connection.number == number - 1
                groups.setdefault(Kind(connection.known, changes, person), []).append(connection)
        return groups

    def _seated(self, news: News) -> set[str | None]:
        """Who sits at the table, if the table is to be sent."""
        return {sitter.person for sitter in news.state.seats} if news.changes_table else set()

    def _build(self, chair: int | None, news: News, groups: Groups) -> list[bytes]:
        """The frame of each group."""
        entry, state = news.entry, news.state
        told = entry.tell(state, chair)
        here = self._room.present()[0] if news.changes_table else ()
        now: dict[tuple[bool, bool], Position] = {}
        made = []
        for known, changes, person in groups:
            if entry.changes_position and (known, changes) not in now:
                found = presenter.changed(news, chair, known) if changes else presenter.position(state, chair, known)
                now[known, changes] = presenter.with_clocks(found, state)
            table = presenter.table(state, person, here) if news.changes_table else None
            made.append(frame(encode(Event(told, now.get((known, changes)), table))))
        return made

    def _send(self, chair: int | None, news: News, groups: Groups, made: Sequence[bytes]) -> None:
        """Send each group its frame, but not to who has said hello again meanwhile, or may not look from there now."""
        number, room = news.entry.number, self._room
        for (kind, connections), framed in zip(groups.items(), made):
            for connection in connections:
                if connection.number < number and connection.known == kind.known and connection.changes >= kind.changes:
                    connection.number = number
                    if room.looks(connection, chair):
                        connection.send_frame(framed)

    def _failed(self, chair: int | None) -> None:
        log.exception("an entry could not be told", extra={"about": {"table": self._room.id}})
        for connection in self._room.connections:
            if connection.chair == chair:
                connection.close(1011)  # it comes back, and says what it has seen
