"""What people can do at a table, message by message. Each checks anew that the chair is theirs."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from clew.core.errors import CannotUndo, ClewError, IllegalMove
from clew.server import messages as m
from clew.server.clock import now_ms
from clew.server.ledger import Ledger
from clew.server.line import Line
from clew.server.room import Deed, Room, time_out
from clew.server.store import Repeated
from clew.server.watch import MOVE_SECONDS, REFUSED

MOST_HINTED = 12
NOT_YOURS = "This chair is not yours."


class Denied(ClewError):
    """Something that may not be done now."""


async def act(room: Room, line: Line, message: Any) -> None:
    """Do what a message asks for, and answer it."""
    begun = time.perf_counter()
    try:
        await ACTIONS[type(message)](room, line, message)
    except Repeated as error:
        line.send(m.Ack(message.id, error.number))
    except IllegalMove as error:
        REFUSED.labels("rules").inc()
        line.send(m.Refused(message.id, error.reason, error.rule, error.faults))
    except (Denied, CannotUndo) as error:
        REFUSED.labels("denied").inc()
        line.send(m.Refused(message.id, str(error)))
    if isinstance(message, m.Move):
        MOVE_SECONDS.observe(time.perf_counter() - begun)


def chair_of(room: Room, line: Line) -> int:
    """The chair that a message is for: one of the sender's."""
    chair = line.chair
    if chair is None:
        raise m.BadMessage("watching", "You are watching: that is for those who sit at the table.")
    if room.ledger.seats[chair].person != line.person:
        raise m.BadMessage("not_yours", NOT_YOURS)
    return chair


async def _commit(room: Room, line: Line, message: Any, decide: Callable[[Ledger, int], Deed]) -> None:
    chair = chair_of(room, line)
    async with room.lock:
        await room.commit(lambda ledger: decide(ledger, chair_of(room, line)), f"{chair}:{message.id}")


async def move(room: Room, line: Line, message: m.Move) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        _playing(ledger)
        if ledger.seats[chair].level is not None:
            raise Denied("A bot plays in your chair: take it back first.")
        data: dict[str, Any] = {"move": message.move.strip()}
        clock = ledger.clock
        if clock is not None and chair in clock.began:
            data["used"] = clock.used(chair, now_ms())
            if data["used"] >= clock.left[chair]:
                return time_out(ledger, chair)
        return Deed("move", chair, data)

    await _commit(room, line, message, decide)


async def judge(room: Room, line: Line, message: m.Judge) -> None:
    chair = chair_of(room, line)
    game = room.ledger.game
    if game is None:
        raise Denied("The game has not begun.")
    if sum(map(len, message.parts)) > m.LONGEST_PART:
        raise m.BadMessage("too_large", f"A move has at most {m.LONGEST_PART} characters.")

    def weigh() -> m.Judged:
        try:
            draft = game.draft(message.parts, chair)
            if draft is None:
                return m.Judged(message.id, True, str(game.judge(" ".join(message.parts), chair)))
        except IllegalMove as error:
            return m.Judged(message.id, False, "", error.reason, error.rule, error.faults)
        laid = {"table": draft.table, "rack": draft.rack}
        first = draft.faults[0] if draft.faults else {"text": "", "rule": ""}
        return m.Judged(message.id, not draft.faults, draft.text, first["text"], first["rule"], draft.faults, laid)

    line.send(await room.house.bench.do((room.ledger.row.game, "judge"), weigh))


async def hint(room: Room, line: Line, message: m.Hint) -> None:
    chair, ledger = chair_of(room, line), room.ledger
    _playing(ledger)
    game = ledger.game
    assert game is not None
    if chair not in ledger.to_move:
        raise Denied("It is not your turn.")
    if line.hinting:
        raise Denied("A hint is being thought about already.")
    line.hinting = True

    async def think() -> None:
        try:
            view = await room.house.bench.do((ledger.row.game, "view"), game.view, chair)
            found = await room.house.thinking.choose(game.game, message.level, ledger.bot_seed(chair), view)
            weighed = [
                m.Weighed(str(one.move), _number(one.win), _number(one.place), _number(one.error), one.tries)
                for one in found.alternatives[:MOST_HINTED]
            ]
            if line.chair == chair:  # the device may have been handed over
                line.send(m.Hinted(message.id, found.worlds, weighed))
        finally:
            line.hinting = False

    room.house.background(think())


async def chat(room: Room, line: Line, message: m.Chat) -> None:
    text = "".join(sign for sign in message.text if sign.isprintable() or sign == "\n").strip()
    if not text:
        raise Denied("There is nothing to say in that.")
    if f"{line.chair}:{message.id}" not in room.ledger.keys and not line.chat.take():
        raise Denied("That is a lot of chat: wait a little.")
    await _commit(room, line, message, lambda ledger, chair: Deed("chat", chair, {"text": text}))


async def resign(room: Room, line: Line, message: m.Resign | m.Leave) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        _playing(ledger)
        if ledger.seats[chair].resigned:
            raise Denied("You have given up already.")
        return Deed("resigned", chair)

    await _commit(room, line, message, decide)


async def leave(room: Room, line: Line, message: m.Leave) -> None:
    status = room.ledger.status
    if status == "playing":
        await resign(room, line, message)
    elif status == "waiting":
        await _commit(room, line, message, lambda ledger, chair: stand(ledger, chair))
    else:
        line.send(m.Ack(message.id, 0))


def stand(ledger: Ledger, chair: int) -> Deed:
    """Get up before the game."""
    if ledger.status != "waiting":
        raise Denied("The game has begun.")
    return Deed("stood", chair)


# What needs agreement


async def undo(room: Room, line: Line, message: m.Undo) -> None:
    chair, ledger = chair_of(room, line), room.ledger
    _playing(ledger)
    game = ledger.game
    assert game is not None
    if f"{chair}:{message.id}" not in ledger.keys:
        await room.house.bench.aside(game.check_undo, chair)

    def decide(now: Ledger, chair: int) -> Deed:
        _playing(now)
        if now.game is None or now.game.length != game.length or now.game.moves != game.moves:
            raise Denied("There has been a move since.")
        return _ask(now, chair, {"what": "undo"}, Deed("undone", chair))

    await _commit(room, line, message, decide)


async def takeover(room: Room, line: Line, message: m.Takeover) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        _playing(ledger)
        _absent(room, ledger, message.seat)
        done = Deed("takeover", message.seat, {"level": message.level})
        return _ask(ledger, chair, {"what": "takeover", "seat": message.seat, "level": message.level}, done)

    await _commit(room, line, message, decide)


async def come_back(room: Room, line: Line, message: m.Return) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        _playing(ledger)
        sitter = ledger.seats[chair]
        if sitter.resigned:
            raise Denied("You have given up: a bot plays on for you.")
        if sitter.level is None:
            raise Denied("No bot plays in your chair.")
        return Deed("returned", chair)

    await _commit(room, line, message, decide)


async def rematch(room: Room, line: Line, message: m.Rematch) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        if ledger.status != "over":
            raise Denied("The game is not over.")
        if ledger.rematch:
            raise Denied("The next game is set up already.")
        return _ask(ledger, chair, {"what": "rematch"}, _next_table(room, ledger))

    await _commit(room, line, message, decide)


async def answer(room: Room, line: Line, message: m.Answer) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        ask = ledger.ask
        if ask is None or ask.number != message.ask:
            raise Denied("Nobody waits for that answer any more.")
        mine = [seat for seat in ask.waiting if ledger.seats[seat].person == line.person]
        if not mine:
            raise Denied("You have not been asked, or have answered.")
        if not message.yes:
            return Deed("declined", chair)
        if len(ask.waiting) > 1:
            return Deed("agreed", mine[0])
        if ask.what == "undo":
            return Deed("undone", ask.by)
        if ask.what == "rematch":
            return _next_table(room, ledger)
        assert ask.seat is not None
        _absent(room, ledger, ask.seat)
        return Deed("takeover", ask.seat, {"level": ask.level})

    await _commit(room, line, message, decide)


def _ask(ledger: Ledger, chair: int, what: dict[str, Any], done: Deed) -> Deed:
    """Ask the others, or do it at once if there is nobody to ask."""
    if ledger.ask is not None:
        raise Denied("Something else waits for an answer.")
    asked = what.get("seat")
    but = (ledger.seats[chair].person, None if asked is None else ledger.seats[asked].person)
    waiting = ledger.people(but)
    return Deed("asked", chair, {**what, "waiting": waiting}) if waiting else done


def _absent(room: Room, ledger: Ledger, seat: int) -> None:
    if seat >= len(ledger.seats) or not ledger.seats[seat].active:
        raise Denied("No person plays in that seat.")
    away = room.absent(seat)
    if away is None:
        raise Denied(f"{ledger.name(seat)} is here.")
    if away < room.house.settings.absent_seconds:
        raise Denied(f"{ledger.name(seat)} has only just gone: wait a little.")


def _next_table(room: Room, ledger: Ledger) -> Deed:
    new = room.house.next_table(ledger)
    return Deed("rematch", None, {"table": new.row.id}, new)


def _playing(ledger: Ledger) -> None:
    if ledger.status == "waiting":
        raise Denied("The game has not begun.")
    if ledger.status == "over":
        raise IllegalMove("COM-08", "The game is over: nobody moves any more.")


async def ping(room: Room, line: Line, message: m.Ping) -> None:
    line.send(m.Pong(message.id, now_ms()))


def _number(x: float) -> float | None:
    return None if x != x else round(x, 4)


ACTIONS: dict[type, Callable[[Room, Line, Any], Awaitable[None]]] = {
    m.Move: move,
    m.Judge: judge,
    m.Hint: hint,
    m.Chat: chat,
    m.Resign: resign,
    m.Leave: leave,
    m.Undo: undo,
    m.Takeover: takeover,
    m.Return: come_back,
    m.Rematch: rematch,
    m.Answer: answer,
    m.Ping: ping,
}
