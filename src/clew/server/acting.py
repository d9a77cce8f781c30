"""What people can do at a table, message by message. Each checks anew that the chair is theirs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from clew.bots.bot import Alternative
from clew.core.errors import BadOption, CannotUndo, ClewError, IllegalMove
from clew.core.table import Table
from clew.server import messages as m
from clew.server.clock import STEADY
from clew.server.ledger import STAND_IN, Ledger
from clew.server.line import Line
from clew.server.room import Deed, Room
from clew.server.scheduler import Purpose, TooMany
from clew.server.store import Repeated, Row
from clew.server.watch import MOVE_SECONDS, REFUSED

MOST_HINTED = 12
HARDLY = 8  # so much less often tried than the best move is hardly looked at
NOT_YOURS = "This chair is not yours."


class Denied(ClewError):
    """Something that may not be done now."""


class TimeIsUp(Denied):
    """A move that came too late."""


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
    except (Denied, CannotUndo, TooMany) as error:
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

    def written(row: Row) -> None:
        line.send(m.Ack(message.id, row.number))

    async with room.lock:
        await room.commit(lambda ledger: decide(ledger, chair_of(room, line)), f"{chair}:{message.id}", written)


async def move(room: Room, line: Line, message: m.Move) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        _playing(ledger)
        if ledger.seats[chair].level is not None:
            raise Denied("A bot plays in your chair: take it back first.")
        data: dict[str, Any] = {"move": message.move.strip()}
        clock = ledger.clock
        if clock is not None and chair in clock.began:
            data["used"] = clock.used(chair, STEADY.now())
            if data["used"] >= clock.left[chair]:
                raise TimeIsUp("Your time is up.")
        return Deed("move", chair, data)

    try:
        await _commit(room, line, message, decide)
    except TimeIsUp:
        await room.time_is_up(chair_of(room, line))
        raise


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

    room.send(line, chair, await room.house.bench.do((room.ledger.row.game, "judge"), weigh))


async def hint(room: Room, line: Line, message: m.Hint) -> None:
    chair, ledger = chair_of(room, line), room.ledger
    _playing(ledger)
    game = ledger.game
    assert game is not None
    if chair not in ledger.to_move:
        raise Denied("It is not your turn.")
    if not ledger.agreed.hints:
        raise Denied("This table plays without hints: that was settled when it was set up.")
    if line.hinting:
        raise Denied("A hint is being thought about already.")
    with contextlib.ExitStack() as held:
        held.enter_context(room.house.hints.hold(line.owner))
        if len(ledger.people()) > 1:  # the others hear of it
            async with room.lock:
                with contextlib.suppress(Repeated):  # asked again after a lost connection
                    await room.commit(lambda _: Deed("hinted", chair), f"{chair}:hint-{message.id}")
        until_done = held.pop_all()
    line.hinting = True

    async def think() -> None:
        try:
            view = await room.house.bench.do((ledger.row.game, "view"), game.view, chair)
            seed = ledger.bot_seed(chair)
            found = await room.house.thinking.choose(Purpose.HINT, line.owner, game.game, message.level, seed, view)
            weighed = await room.house.bench.do((ledger.row.game, "say"), _weighed, game, chair, found.alternatives)
            room.send(line, chair, m.Hinted(message.id, found.worlds, weighed))
        finally:
            until_done.close()
            line.hinting = False

    room.house.background(think())


def _weighed(game: Table, chair: int, found: Sequence[Alternative]) -> list[m.Weighed]:
    looked_at = [one for one in found if HARDLY * one.tries >= found[0].tries]
    best = sorted(looked_at, key=lambda one: -1.0 if one.win != one.win else one.win, reverse=True)[:MOST_HINTED]
    said = [game.say(str(one.move), chair) for one in best]
    return [
        m.Weighed(str(one.move), short, long, _number(one.win), _number(one.place), _number(one.error), one.tries)
        for one, (short, long) in zip(best, said)
    ]


async def chat(room: Room, line: Line, message: m.Chat) -> None:
    text = "".join(sign for sign in message.text if sign.isprintable() or sign == "\n").strip()
    if not text:
        raise Denied("There is nothing to say in that.")
    if room.ledger.made_by(f"{line.chair}:{message.id}") is None and not line.chat.take():
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
    if ledger.made_by(f"{chair}:{message.id}") is None:
        await room.house.bench.aside(game.check_undo, chair)

    def decide(now: Ledger, chair: int) -> Deed:
        _playing(now)
        if now.game is None or now.game.length != game.length or now.game.moves != game.moves:
            raise Denied("There has been a move since.")
        return _ask(now, chair, {"what": "undo"}, Deed("undone", chair))

    await _commit(room, line, message, decide)


async def takeover(room: Room, line: Line, message: m.Takeover) -> None:
    sure = await room.knows_who_is_here()

    def decide(ledger: Ledger, chair: int) -> Deed:
        _playing(ledger)
        _absent(room, ledger, message.seat, sure)
        done = _stand_in(ledger, message.seat, message.level)
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
        if ledger.clock is not None and not ledger.clock.left[chair]:
            if ledger.clock.rule.total and not ledger.clock.rule.increment:
                raise Denied("Your time is up: a bot plays on for you.")
            if chair in ledger.to_move:
                raise Denied("Your time for this move is up: the bot makes it, then you can take your chair back.")
        return Deed("returned", chair)

    await _commit(room, line, message, decide)


async def rematch(room: Room, line: Line, message: m.Rematch) -> None:
    def decide(ledger: Ledger, chair: int) -> Deed:
        if ledger.status != "over":
            raise Denied("The game is not over.")
        if ledger.rematch:
            raise Denied("The next game is set up already.")
        if ledger.ask is not None:  # whoever wants it, too, has answered by that
            return _yes(room, ledger, line.person, ledger.ask, sure=False)
        return _ask(ledger, chair, {"what": "rematch"}, _next_table(room, ledger))

    await _commit(room, line, message, decide)


async def answer(room: Room, line: Line, message: m.Answer) -> None:
    sure = await room.knows_who_is_here()

    def decide(ledger: Ledger, chair: int) -> Deed:
        ask = ledger.ask
        if ask is None or ask.number != message.ask:
            raise Denied("Nobody waits for that answer any more.")
        if not message.yes:
            _asked_seat(ledger, line.person, ask)
            return Deed("declined", chair)
        return _yes(room, ledger, line.person, ask, sure)

    await _commit(room, line, message, decide)


def _yes(room: Room, ledger: Ledger, person: str, ask: m.Ask, sure: bool) -> Deed:
    """Somebody agrees: with the last of them it is done."""
    mine = _asked_seat(ledger, person, ask)
    if len(ask.waiting) > 1:
        return Deed("agreed", mine)
    if ask.what == "undo":
        return Deed("undone", ask.by)
    if ask.what == "rematch":
        return _next_table(room, ledger)
    assert ask.seat is not None
    _absent(room, ledger, ask.seat, sure)
    return _stand_in(ledger, ask.seat, ask.level or STAND_IN)


def _stand_in(ledger: Ledger, seat: int, level: int) -> Deed:
    """A bot plays on in a seat, and the time that its person has used is gone."""
    used = 0 if ledger.clock is None else ledger.clock.used(seat, STEADY.now())
    return Deed("takeover", seat, {"level": level, "used": used})


def _asked_seat(ledger: Ledger, person: str, ask: m.Ask) -> int:
    """The seat by which somebody was asked and has not answered yet."""
    for seat in ask.waiting:
        if ledger.seats[seat].person == person:
            return seat
    raise Denied("You have not been asked, or have answered.")


def _ask(ledger: Ledger, chair: int, what: dict[str, Any], done: Deed) -> Deed:
    """Ask the others, or do it at once if there is nobody to ask."""
    if ledger.ask is not None:
        raise Denied("Something else waits for an answer.")
    asked = what.get("seat")
    but = (ledger.seats[chair].person, None if asked is None else ledger.seats[asked].person)
    waiting = ledger.people(but)  # after the end also those for whom a bot played
    return Deed("asked", chair, {**what, "waiting": waiting}) if waiting else done


def _absent(room: Room, ledger: Ledger, seat: int, sure: bool) -> None:
    if seat >= len(ledger.seats) or not ledger.seats[seat].active:
        raise Denied("No person plays in that seat.")
    after = ledger.agreed.stand_in
    if after is None:
        raise Denied("No bot plays for somebody at this table: that was settled when it was set up.")
    away = room.absent(seat)
    if away is None:
        raise Denied(f"{ledger.names[seat]} is here.")
    if not sure:
        raise Denied(f"It is not known whether {ledger.names[seat]} is here: the connection may be to another worker.")
    if away < after:
        raise Denied(f"{ledger.names[seat]} has only just gone: wait a little.")


def _next_table(room: Room, ledger: Ledger) -> Deed:
    try:
        new = room.house.next_table(ledger)
    except BadOption as error:
        raise Denied(f"The rules have changed since: {error}") from None
    return Deed("rematch", None, {"table": new.row.id}, new)


def _playing(ledger: Ledger) -> None:
    if ledger.status == "waiting":
        raise Denied("The game has not begun.")
    if ledger.status == "over":
        raise IllegalMove("COM-08", "The game is over: nobody moves any more.")


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
}
