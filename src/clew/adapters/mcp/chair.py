"""An assistant's chair at a table of this process, with bots on the others.

Everything here asks the table what this chair sees: `view`, `events`, `legal_moves` and `say` of its seat. Nothing asks
for the deal or the seed before the game is over.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from clew.adapters.mcp import answers
from clew.adapters.mcp.answers import Answer, ListedMove, Weighed
from clew.bots.bot import Bot, bot
from clew.bots.levels import level as level_of
from clew.core import commitments, pictures
from clew.core.cast import called
from clew.core.errors import BadOption, ClewError, quoted
from clew.core.events import Event
from clew.core.game import Game
from clew.core.options import Value
from clew.core.table import Table, new

# `Any` in signatures here: plain data, and the arguments of what is done in a thread.

Done = TypeVar("Done")
NOT_YET = "The record has the whole deal in it, so it is there when the game is over."
NO_HINTS = "Hints are switched off here."


def secret_deal(seed: int | None, number: int) -> tuple[int, str]:
    """Seed and salt of the table with this number, which nobody can guess who does not know `seed`.

    Whoever knows both can deal the cards. So no assistant may choose a seed, not even one that is salted: it would ask
    for the same deal twice and look at it from the other chair. Without a seed of the operator's the system draws both.
    """
    if seed is None:
        return secrets.randbits(256), secrets.token_hex(16)
    drawn = hashlib.sha512(f"clew mcp 1 {seed} {number}".encode()).digest()
    return int.from_bytes(drawn[:32], "big"), drawn[32:48].hex()


def sit_down(
    game: Game,
    players: int | None,
    options: Mapping[str, Value] | None,
    seat: int,
    level: int,
    names: Sequence[str] | None,
    secret: tuple[int, str],
    hints: bool = True,
) -> LocalChair:
    """A chair at a new table, dealt by a secret."""
    seed, salt = secret
    chosen, count = level_of(level), game.seats(players)
    if isinstance(seat, bool) or not 0 <= seat < count:
        raise BadOption(f"There is no seat {quoted(seat)} at this table; seats are 0 to {count - 1}.", "seat")
    others = [other for other in range(count) if other != seat]
    if names is None:
        names = called([chosen.name if other in others else "" for other in range(count)], others)
    table = new(game, count, seed, options, names, salt)
    return LocalChair(table, seat, level, f"{seed} {salt}", commitments.commitment(seed, salt), hints)


class LocalChair:
    """One seat at a table whose other seats are bots', who answer at once."""

    def __init__(self, table: Table, seat: int, level: int, luck: str, promise: str = "", hints: bool = True) -> None:
        """Bots of a level, whose seeds come from `luck`: as secret as the deal, for who knew them and guessed a bot's
        view could tell what it will do. `promise` is the hash that the deal was promised by.
        """
        self.table, self.seat, self.commitment, self.hints = table, seat, promise, hints
        self._bots: dict[int, Bot] = {
            other: bot(table.game, level, int.from_bytes(hashlib.sha256(f"{luck} {other}".encode()).digest()))
            for other in range(table.players)
            if other != seat
        }
        self._one_at_a_time = threading.Lock()

    async def _done(self, work: Callable[..., Done], *arguments: Any) -> Done:
        """Something done in a thread, as bots think long; one thing at a time."""

        def locked() -> Done:
            with self._one_at_a_time:
                return work(*arguments)

        return await asyncio.to_thread(locked)

    async def open(self) -> Answer:
        """The bots that move first have moved; how things stand."""
        return await self._done(self._open)

    async def look(self) -> Answer:
        """How things stand, as this chair sees it."""
        return await self._done(self._look)

    async def moves(self, page: int, containing: str) -> Answer:
        """The legal moves."""
        return await self._done(self._moves, page, containing)

    async def play(self, move: str) -> Answer:
        """Make a move; what came of it, the bots' answers included."""
        return await self._done(self._play, move)

    async def hint(self, level: int) -> Answer:
        """What a bot would do on this chair."""
        return await self._done(self._hint, level)

    async def undo(self) -> Answer:
        """Take the last move back, if it showed nobody anything."""
        return await self._done(self._undo)

    async def history(self, since: int) -> Answer:
        """What happened from a move on, as this chair saw it."""
        return await self._done(self._history, since)

    async def wait(self, seconds: float) -> Answer:
        """The bots have answered already."""
        return await self.look()

    async def record(self) -> str:
        """The record, when the game is over."""
        return await self._done(self._record)

    async def leave(self) -> None:
        """Nothing is left to be done: nobody else sits here."""

    # In a thread

    def _open(self) -> Answer:
        self._answer()
        told = self._history(0).text
        looked = self._look()
        about = f"You are {self.table.names[self.seat]} on seat {self.seat}."
        promise = f"The deal is promised by the hash {self.commitment}; the record opens it."
        return Answer(f"{about} {promise}\n\n{told}\n\n{looked.text}", {**looked.data, "commitment": self.commitment})

    def _answer(self) -> None:
        """The bots make the moves that they owe, as long as they owe any."""
        while owing := [seat for seat in self.table.to_move if seat != self.seat]:
            for seat in owing:
                self.table.play(self._bots[seat].choose(self.table.view(seat)), seat)
            if self.seat in self.table.to_move:
                return

    def _look(self) -> Answer:
        table, seat = self.table, self.seat
        view = table.view(seat, known=False)
        count = len(table.legal_moves(seat))
        lines = [f"{pictures.heading(table)}. You are {table.names[seat]}.", ""]
        lines += [answers.drawn(pictures.picture(table.game, table.view(seat, known=False), table.names)), ""]
        lines.append(answers.whose_turn(view, table.names, seat, count))
        if outcome := table.outcome:
            lines.append(answers.result(outcome.places, outcome.scores, table.names, seat))
        return Answer("\n".join(lines), self._state(view, count))

    def _state(self, view: dict[str, Any], count: int) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "names": list(self.table.names),
            "your_turn": self.seat in view["to_move"],
            "over": view["outcome"] is not None,
            "moves": count,
            "view": view,
        }

    def _moves(self, page: int, containing: str) -> Answer:
        legal = self.table.legal_moves(self.seat)
        if not legal:
            raise ClewError(f"You owe no move now. {self._turn()}")
        said = [ListedMove(str(move), self.table.say(move, self.seat).long) for move in legal]
        return answers.page_of_moves(said, page, containing, self.table.game.listed_in_full)

    def _turn(self) -> str:
        return answers.whose_turn(self.table.view(self.seat, known=False), self.table.names, self.seat, None)

    def _play(self, move: str) -> Answer:
        self.table.make(move.strip(), self.seat)
        number = self.table.length
        self._answer()
        events = self.table.events(self.seat, number, you=True)
        view = self.table.view(self.seat, known=False)
        count = len(self.table.legal_moves(self.seat))
        lines = [*map(str, events), answers.whose_turn(view, self.table.names, self.seat, count)]
        if outcome := self.table.outcome:
            lines.append(answers.result(outcome.places, outcome.scores, self.table.names, self.seat))
        return Answer("\n".join(lines), {**self._state(view, count), "events": _plain(events)})

    def _hint(self, level: int) -> Answer:
        if not self.hints:
            raise ClewError(NO_HINTS)
        adviser = bot(self.table.game, level, seed=0)
        if self.seat not in self.table.to_move:
            raise ClewError(f"You owe no move now. {self._turn()}")
        found = adviser.choose(self.table.view(self.seat)).alternatives
        weighed = (
            Weighed(str(one.move), self.table.say(str(one.move), self.seat).long, one.win, one.error, one.tries)
            for one in found
        )
        return answers.hint(weighed, adviser.level.name)

    def _undo(self) -> Answer:
        move = self.table.undo(self.seat)
        looked = self._look()
        return Answer(f"Taken back: {self.table.say(move, self.seat).long}.\n\n{looked.text}", looked.data)

    def _history(self, since: int) -> Answer:
        events = self.table.events(self.seat, since, you=True)
        lines = [str(event) for event in events] or ["Nothing has happened since."]
        # A choice under way is no move that this chair knows of.
        return Answer("\n".join(lines), {"events": _plain(events), "made": len(self.table.moves)})

    def _record(self) -> str:
        if self.table.outcome is None:
            raise ClewError(NOT_YET)
        assert self.table.seed is not None
        assert self.table.salt is not None
        first, rest = self.table.record().split("\n", 1)
        return "\n".join([first, *commitments.lines(self.table.seed, self.table.salt), rest])


def _plain(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [event.json() for event in events]
