"""An assistant's chair at a table of a running server, taken by an invite link.

The server sends a chair what it sees and nothing else, so that is all there is to answer from. Words for the moves are
made here from the view, where the game is installed. What others say in the chat is not passed on: strangers write it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from clew.adapters.mcp import answers
from clew.adapters.mcp.answers import Answer, ListedMove, Weighed
from clew.bots.bot import read_view
from clew.bots.levels import level as level_of
from clew.core import pictures
from clew.core.cast import Cast
from clew.core.errors import ClewError, UnknownGame, quoted, shortened
from clew.core.game import Game, known
from clew.core.knowledge import plain
from clew.server.client import Chair, Client

# `Any` in signatures here: plain data.

LINK = re.compile(r"(https?://[^\s#?]+)/t/([\w-]{1,64})(?:#([\w-]{0,128}))?")
PATIENCE = 20.0  # seconds for the server's first answer, and for what it says to a message
THOUGHT = 120.0  # seconds for a hint
MOST_WAITING = 300.0  # seconds for the others
ANSWERS = 5.0  # seconds for bots that move right after oneself
UNSAID = ("chat",)  # kinds of log entries that are not passed on


def read_link(link: str, servers: Sequence[str] | None) -> tuple[str, str, str]:
    """The server of an invite link, the table's id and the invite; `servers` are those allowed, None for all."""
    found = LINK.fullmatch(link.strip())
    if found is None:
        raise ClewError(f"An invite link looks like http://HOST:PORT/t/TABLE#INVITE, not like {quoted(link)}.")
    address = found[1]
    if servers is not None and _origin(address) not in [_origin(server) for server in servers]:
        raise ClewError(f"Tables at {shortened(address)} are not for guests from here: --server names those that are.")
    return address, found[2], found[3] or ""


def _origin(address: str) -> tuple[str, str, int | None]:
    parts = urlsplit(address)
    try:
        return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        raise ClewError(f"{quoted(address)} is not the address of a server.") from None


async def sit_down(link: str, name: str, servers: Sequence[str] | None, held: contextlib.AsyncExitStack) -> GuestChair:
    """Take an open seat at the table of a link; the chair is kept as long as `held`."""
    address, table_id, invite = read_link(link, servers)
    with said_in_a_sentence(address):
        client = await asyncio.wait_for(held.enter_async_context(Client(address, name=name)), PATIENCE)
        table = await asyncio.wait_for(client.post(f"/api/tables/{table_id}/join", {"invite": invite}), PATIENCE)
        seat = next((seat for seat, one in enumerate(table["seats"]) if one.get("yours")), None)
        if seat is None:
            raise ClewError("The server gave no seat.")
        chair = await asyncio.wait_for(held.enter_async_context(client.chair(table_id, seat, known=True)), PATIENCE)
    return GuestChair(chair, seat)


@contextlib.contextmanager
def said_in_a_sentence(address: str) -> Iterator[None]:
    """Whatever a network does, said in one sentence."""
    try:
        yield
    except TimeoutError:
        raise ClewError(f"{shortened(address)} does not answer.") from None
    except (OSError, ValueError, IndexError, KeyError) as error:
        if isinstance(error, ClewError):
            raise
        raise ClewError(f"{shortened(address)} is no server of tables: {shortened(str(error), 150)}") from None


class GuestChair:
    """One seat at a server's table; the others are whoever sits there."""

    def __init__(self, chair: Chair, seat: int) -> None:
        self.chair, self.seat = chair, seat
        try:
            found = known(chair.table["game"])
            self.game: Game | None = found.in_version(chair.table["rules"])
        except UnknownGame:
            self.game = None

    @property
    def names(self) -> list[str]:
        """Who sits where."""
        return [str(one.get("name") or one["colour"]) for one in self.chair.table["seats"]]

    async def open(self) -> Answer:
        """How things stand, to who has just sat down."""
        looked = await self.look()
        return Answer(f"You are {self.names[self.seat]} on seat {self.seat}.\n\n{looked.text}", looked.data)

    async def look(self) -> Answer:
        """How things stand, as this chair sees it."""
        table, view = self.chair.table, self._view()
        lines = [f"{table['title']}. You are {self.names[self.seat]}.", ""]
        if view is not None:
            if self.game is not None:
                lines += [answers.drawn(pictures.picture(self.game, self._view() or {}, self.names)), ""]
            else:
                lines += [answers.drawn(pictures.plain(view["table"])), ""]
        return Answer("\n".join([*lines, *self._standing()]), self._state())

    def _view(self) -> dict[str, Any] | None:
        """What this chair knows, a fresh copy, without the bytes for bots."""
        view = self.chair.now.get("view")
        if not view:
            return None
        table = dict(view["table"])
        if isinstance(table.get("seats"), list):
            table["seats"] = [dict(one) if isinstance(one, dict) else one for one in table["seats"]]
        return {key: part for key, part in view.items() if key != "known"} | {"table": table}

    def _standing(self) -> list[str]:
        state, view = self.chair.table["state"], self._view()
        if state == "waiting":
            return ["The game has not begun: somebody has still to sit down."]
        if state == "over":
            ended = self.chair.table.get("result") or {}
            lines = [f"The game is over ({ended.get('ended', 'nobody knows how')})."]
            if ended.get("places"):
                lines.append(answers.result(ended["places"], ended.get("scores"), self.names, self.seat))
            return lines
        assert view is not None
        return [answers.whose_turn(view, self.names, self.seat, len(self.chair.moves))]

    def _state(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "names": self.names,
            "your_turn": bool(self.chair.moves),
            "over": self.chair.over,
            "moves": len(self.chair.moves),
            "view": self._view(),
        }

    async def moves(self, page: int, containing: str) -> Answer:
        """The legal moves."""
        if not self.chair.moves:
            raise ClewError(f"You owe no move now. {' '.join(self._standing())}")
        said = await asyncio.to_thread(self._in_words, list(self.chair.moves))
        return answers.page_of_moves(said, page, containing, bool(self.chair.now.get("all_moves", True)))

    def _in_words(self, moves: Sequence[str]) -> list[ListedMove]:
        sent = self.chair.now.get("words") or []
        if len(sent) == len(moves):
            return [ListedMove(move, one["text"]) for move, one in zip(moves, sent)]
        if self.game is None or not hasattr(self.game.words, "say"):
            return [ListedMove(move, move) for move in moves]
        v, words, cast = plain(read_view(self.game, self.chair.view)), self.game.words, Cast(self.names)
        return [ListedMove(move, words.say(words.parse(move, v), v, cast)[1]) for move in moves]

    async def play(self, move: str) -> Answer:
        """Make a move; what came of it, and what others did right after it."""
        number = self.chair.number
        await self._asked("move", move=move.strip())
        await self._until_my_turn(ANSWERS)
        return self._since(number)

    async def hint(self, level: int) -> Answer:
        """What a bot would do on this chair, as the server has it thought about."""
        adviser = level_of(level)
        found = await self._asked("hint", level=level)
        weighed = [
            Weighed(
                one["move"],
                one["told"],
                _chance(one.get("win")),
                _chance(one.get("error")),
                int(one.get("tries") or 0),
            )
            for one in found["moves"]
        ]
        return answers.hint(weighed, adviser.name)

    async def undo(self) -> Answer:
        """Ask to take the last move back; at once where nobody has to agree."""
        entry = await self._asked("undo")
        looked = await self.look()
        said = "Taken back." if entry.get("kind") == "undone" else "Asked: the others have to agree."
        return Answer(f"{said}\n\n{looked.text}", looked.data)

    async def history(self, since: int) -> Answer:
        """What happened since an entry of the log, as this chair saw it."""
        entries = [entry for entry in self.chair.log if entry["number"] > since]
        lines = _told(entries) or ["Nothing has happened since."]
        events = [event for entry in entries if not entry.get("taken_back") for event in entry.get("told", [])]
        return Answer("\n".join(lines), {"events": events, "made": self.chair.number})

    async def wait(self, seconds: float) -> Answer:
        """Wait for one's turn or the end, at most so long; what happened meanwhile."""
        number = self.chair.number
        await self._until_my_turn(min(max(seconds, 0.0), MOST_WAITING))
        return self._since(number)

    async def record(self) -> str:
        """The record, when the game is over."""
        with said_in_a_sentence("The server"):
            answer = self.chair.client.get(f"/api/tables/{self.chair.table_id}/record")
            return str(await asyncio.wait_for(answer, PATIENCE))

    async def leave(self) -> None:
        """Get up: before the game the seat is free again, during it this is giving up."""
        with contextlib.suppress(ClewError):
            await self._asked("leave")

    async def _asked(self, kind: str, **fields: Any) -> dict[str, Any]:
        with said_in_a_sentence("The server"):
            patience = THOUGHT if kind == "hint" else PATIENCE
            answer: dict[str, Any] = await asyncio.wait_for(self.chair.ask(kind, **fields), patience)
            return answer

    async def _until_my_turn(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.chair.turn(), seconds)

    def _since(self, number: int) -> Answer:
        entries = [entry for entry in self.chair.log if entry["number"] > number]
        events = [event for entry in entries for event in entry.get("told", [])]
        return Answer("\n".join([*_told(entries), *self._standing()]), {**self._state(), "events": events})


def _told(entries: Sequence[dict[str, Any]]) -> list[str]:
    """The log in sentences."""
    lines = []
    for entry in entries:
        if entry["kind"] in UNSAID or entry.get("taken_back"):
            continue
        told = " ".join(event["text"] for event in entry.get("told", []))
        lines += [told or entry.get("text", "")]
    return [line for line in lines if line]


def _chance(found: Any) -> float:
    return math.nan if found is None else float(found)
