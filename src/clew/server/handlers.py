"""Handlers of the messages that people send to a table. Each checks anew that the chair is theirs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import assert_never

from clew.bots.bot import Alternative
from clew.core.errors import BadOption, CannotUndo, ClewError, IllegalMove
from clew.core.table import Table
from clew.server import messages as m
from clew.server.clock import STEADY
from clew.server.connection import Connection
from clew.server.log_entries import (
    Agreed,
    Asked,
    BotTookOver,
    ChatSaid,
    Declined,
    HintTaken,
    LogEntry,
    MoveMade,
    MoveUndone,
    PlayerReturned,
    PlayerStood,
    RematchCreated,
    Resigned,
)
from clew.server.logs import log
from clew.server.metrics import MOVE_SECONDS, REFUSED
from clew.server.room import Decision, Room
from clew.server.scheduler import Purpose, TooMany
from clew.server.seats import STAND_IN
from clew.server.store import AlreadyWritten
from clew.server.table_state import RulesFailed, TableState

MOST_HINTED = 12
HARDLY = 8  # so much less often tried than the best move is hardly looked at
NOT_YOURS = "This chair is not yours."


class Denied(ClewError):
    """Something that may not be done now."""


class TimeIsUp(Denied):
    """A move that came too late."""


async def handle(room: Room, connection: Connection, message: m.Command) -> None:
    """Handle a message, and answer it."""
    begun = time.perf_counter()
    try:
        await _handle(room, connection, message)
    except AlreadyWritten as error:
        connection.send(m.Ack(message.id, error.number))
    except IllegalMove as error:
        REFUSED.labels("rules").inc()
        connection.send(m.Refused(message.id, error.reason, error.rule, error.faults))
    except (Denied, CannotUndo, TooMany, RulesFailed) as error:
        if isinstance(error, RulesFailed):
            log.error("%s", error, extra={"about": {"table": room.id}})
        REFUSED.labels("denied").inc()
        connection.send(m.Refused(message.id, str(error)))
    if isinstance(message, m.Move):
        MOVE_SECONDS.observe(time.perf_counter() - begun)


async def _handle(room: Room, connection: Connection, message: m.Command) -> None:
    match message:
        case m.Move():
            await move(room, connection, message)
        case m.Judge():
            await check_move(room, connection, message)
        case m.Hint():
            await hint(room, connection, message)
        case m.Chat():
            await chat(room, connection, message)
        case m.Resign():
            await resign(room, connection, message)
        case m.Leave():
            await leave(room, connection, message)
        case m.Undo():
            await undo(room, connection, message)
        case m.Takeover():
            await takeover(room, connection, message)
        case m.Return():
            await come_back(room, connection, message)
        case m.Rematch():
            await rematch(room, connection, message)
        case m.Answer():
            await answer(room, connection, message)
        case _:
            assert_never(message)


def chair_of(room: Room, connection: Connection) -> int:
    """The chair that a message is for: one of the sender's."""
    chair = connection.chair
    if chair is None:
        raise m.BadMessage("watching", "You are watching: that is for those who sit at the table.")
    if room.state.seats[chair].person != connection.person:
        raise m.BadMessage("not_yours", NOT_YOURS)
    return chair


async def _commit(
    room: Room, connection: Connection, message: m.Command, decide: Callable[[TableState, int], Decision]
) -> None:
    chair = chair_of(room, connection)

    def written(entry: LogEntry) -> None:
        connection.send(m.Ack(message.id, entry.number))

    async with room.lock:
        await room.commit(lambda state: decide(state, chair_of(room, connection)), f"{chair}:{message.id}", written)


async def move(room: Room, connection: Connection, message: m.Move) -> None:
    def decide(state: TableState, chair: int) -> Decision:
        _playing(state)
        if state.seats[chair].level is not None:
            raise Denied("A bot plays in your chair: take it back first.")
        used, clock = 0, state.clock
        if clock is not None and chair in clock.began:
            used = clock.used(chair, STEADY.now())
            if used >= clock.left[chair]:
                raise TimeIsUp("Your time is up.")
        return Decision(MoveMade(seat=chair, move=message.move, used=used))

    try:
        await _commit(room, connection, message, decide)
    except TimeIsUp:
        await room.time_is_up(chair_of(room, connection))
        raise


async def check_move(room: Room, connection: Connection, message: m.Judge) -> None:
    chair = chair_of(room, connection)
    game = room.state.game
    if game is None:
        raise Denied("The game has not begun.")
    if sum(map(len, message.parts)) > m.LONGEST_PART:
        raise m.BadMessage("too_large", f"A move has at most {m.LONGEST_PART} characters.")

    def check() -> m.Judged:
        try:
            draft = game.draft(message.parts, chair)
            if draft is None:
                return m.Judged(message.id, True, str(game.judge(" ".join(message.parts), chair)))
        except IllegalMove as error:
            return m.Judged(message.id, False, "", error.reason, error.rule, error.faults)
        laid = {"table": draft.table, "rack": draft.rack}
        first = draft.faults[0] if draft.faults else {"text": "", "rule": ""}
        return m.Judged(message.id, not draft.faults, draft.text, first["text"], first["rule"], draft.faults, laid)

    room.send(connection, chair, await room.registry.offload.run((room.state.row.game, "judge"), check))


async def hint(room: Room, connection: Connection, message: m.Hint) -> None:
    chair, state = chair_of(room, connection), room.state
    _playing(state)
    game = state.game
    assert game is not None
    if chair not in state.to_move:
        raise Denied("It is not your turn.")
    if not state.terms.hints:
        raise Denied("This table plays without hints: that was settled when it was set up.")
    if connection.hinting:
        raise Denied("A hint is being thought about already.")
    with contextlib.ExitStack() as held:
        held.enter_context(room.registry.hints.hold(connection.owner))
        if len(state.people()) > 1:  # the others hear of it
            async with room.lock:
                with contextlib.suppress(AlreadyWritten):  # asked again after a lost connection
                    await room.commit(lambda _: Decision(HintTaken(seat=chair)), f"{chair}:hint-{message.id}")
        until_done = held.pop_all()
    connection.hinting = True

    async def think() -> None:
        try:
            view = await room.registry.offload.run((state.row.game, "view"), game.view, chair)
            seed = state.bot_seed(chair)
            found = await room.registry.bots.choose(
                Purpose.HINT, connection.owner, game.game, message.level, seed, view
            )
            weighed = await room.registry.offload.run(
                (state.row.game, "say"), _weighed, game, chair, found.alternatives
            )
            room.send(connection, chair, m.Hinted(message.id, found.worlds, weighed))
        except Exception:  # who asked goes on; the log says why
            room.send(connection, chair, m.Refused(message.id, "No hint could be found: play on without one."))
            raise
        finally:
            until_done.close()
            connection.hinting = False

    room.registry.background(think())


def _weighed(game: Table, chair: int, found: Sequence[Alternative]) -> list[m.Weighed]:
    looked_at = [one for one in found if HARDLY * one.tries >= found[0].tries]
    best = sorted(looked_at, key=lambda one: -1.0 if one.win != one.win else one.win, reverse=True)[:MOST_HINTED]
    said = [game.say(one.move, chair) for one in best]
    return [
        m.Weighed(str(one.move), short, long, _number(one.win), _number(one.place), _number(one.error), one.tries)
        for one, (short, long) in zip(best, said)
    ]


async def chat(room: Room, connection: Connection, message: m.Chat) -> None:
    text = "".join(sign for sign in message.text if sign.isprintable() or sign == "\n").strip()
    if not text:
        raise Denied("There is nothing to say in that.")
    if room.state.number_of_key(f"{connection.chair}:{message.id}") is None and not connection.chat.take():
        raise Denied("That is a lot of chat: wait a little.")
    await _commit(room, connection, message, lambda state, chair: Decision(ChatSaid(seat=chair, text=text)))


async def resign(room: Room, connection: Connection, message: m.Resign | m.Leave) -> None:
    def decide(state: TableState, chair: int) -> Decision:
        _playing(state)
        if state.seats[chair].resigned:
            raise Denied("You have given up already.")
        return Decision(Resigned(seat=chair))

    await _commit(room, connection, message, decide)


async def leave(room: Room, connection: Connection, message: m.Leave) -> None:
    status = room.state.status
    if status == "playing":
        await resign(room, connection, message)
    elif status == "waiting":
        await _commit(room, connection, message, lambda state, chair: stand(state, chair))
    else:
        connection.send(m.Ack(message.id, 0))


def stand(state: TableState, chair: int) -> Decision:
    """Get up before the game."""
    if state.status != "waiting":
        raise Denied("The game has begun.")
    return Decision(PlayerStood(seat=chair))


# What needs agreement


async def undo(room: Room, connection: Connection, message: m.Undo) -> None:
    chair, state = chair_of(room, connection), room.state
    _playing(state)
    game = state.game
    assert game is not None
    if state.number_of_key(f"{chair}:{message.id}") is None:
        await room.registry.offload.in_thread(game.check_undo, chair)

    def decide(now: TableState, chair: int) -> Decision:
        _playing(now)
        if now.game is None or now.game.length != game.length or now.game.moves != game.moves:
            raise Denied("There has been a move since.")
        return _ask(now, Asked(seat=chair, what="undo", waiting=[]), Decision(MoveUndone(seat=chair)))

    await _commit(room, connection, message, decide)


async def takeover(room: Room, connection: Connection, message: m.Takeover) -> None:
    sure = await room.knows_who_is_present()

    def decide(state: TableState, chair: int) -> Decision:
        _playing(state)
        _absent(room, state, message.seat, sure)
        done = _stand_in(state, message.seat, message.level)
        asked = Asked(seat=chair, what="takeover", about=message.seat, level=message.level, waiting=[])
        return _ask(state, asked, done)

    await _commit(room, connection, message, decide)


async def come_back(room: Room, connection: Connection, message: m.Return) -> None:
    def decide(state: TableState, chair: int) -> Decision:
        _playing(state)
        sitter = state.seats[chair]
        if sitter.resigned:
            raise Denied("You have given up: a bot plays on for you.")
        if sitter.level is None:
            raise Denied("No bot plays in your chair.")
        if state.clock is not None and not state.clock.left[chair]:
            if state.clock.rule.total and not state.clock.rule.increment:
                raise Denied("Your time is up: a bot plays on for you.")
            if chair in state.to_move:
                raise Denied("Your time for this move is up: the bot makes it, then you can take your chair back.")
        return Decision(PlayerReturned(seat=chair))

    await _commit(room, connection, message, decide)


async def rematch(room: Room, connection: Connection, message: m.Rematch) -> None:
    def decide(state: TableState, chair: int) -> Decision:
        if state.status != "over":
            raise Denied("The game is not over.")
        if state.rematch:
            raise Denied("The next game is set up already.")
        if state.ask is not None:  # whoever wants it, too, has answered by that
            return _yes(room, state, connection.person, state.ask, sure=False)
        return _ask(state, Asked(seat=chair, what="rematch", waiting=[]), _next_table(room, state))

    await _commit(room, connection, message, decide)


async def answer(room: Room, connection: Connection, message: m.Answer) -> None:
    sure = await room.knows_who_is_present()

    def decide(state: TableState, chair: int) -> Decision:
        ask = state.ask
        if ask is None or ask.number != message.ask:
            raise Denied("Nobody waits for that answer any more.")
        if not message.yes:
            _asked_seat(state, connection.person, ask)
            return Decision(Declined(seat=chair))
        return _yes(room, state, connection.person, ask, sure)

    await _commit(room, connection, message, decide)


def _yes(room: Room, state: TableState, person: str, ask: m.Ask, sure: bool) -> Decision:
    """Somebody agrees: with the last of them it is done."""
    mine = _asked_seat(state, person, ask)
    if len(ask.waiting) > 1:
        return Decision(Agreed(seat=mine))
    if ask.what == "undo":
        return Decision(MoveUndone(seat=ask.by))
    if ask.what == "rematch":
        return _next_table(room, state)
    assert ask.seat is not None
    _absent(room, state, ask.seat, sure)
    return _stand_in(state, ask.seat, ask.level or STAND_IN)


def _stand_in(state: TableState, seat: int, level: int) -> Decision:
    """A bot plays on in a seat, and the time that its person has used is gone."""
    used = 0 if state.clock is None else state.clock.used(seat, STEADY.now())
    return Decision(BotTookOver(seat=seat, level=level, used=used))


def _asked_seat(state: TableState, person: str, ask: m.Ask) -> int:
    """The seat by which somebody was asked and has not answered yet."""
    for seat in ask.waiting:
        if state.seats[seat].person == person:
            return seat
    raise Denied("You have not been asked, or have answered.")


def _ask(state: TableState, asked: Asked, done: Decision) -> Decision:
    """Ask the others, or do it at once if there is nobody to ask."""
    if state.ask is not None:
        raise Denied("Something else waits for an answer.")
    about = None if asked.about is None else state.seats[asked.about].person
    asked.waiting = state.people((state.seats[asked.who].person, about))  # after the end also those a bot played for
    return Decision(asked) if asked.waiting else done


def _absent(room: Room, state: TableState, seat: int, sure: bool) -> None:
    if seat >= len(state.seats) or not state.seats[seat].active:
        raise Denied("No person plays in that seat.")
    after = state.terms.stand_in
    if after is None:
        raise Denied("No bot plays for somebody at this table: that was settled when it was set up.")
    away = room.absent(seat)
    if away is None:
        raise Denied(f"{state.names[seat]} is here.")
    if not sure:
        raise Denied(f"It is not known whether {state.names[seat]} is here: the connection may be to another worker.")
    if away < after:
        raise Denied(f"{state.names[seat]} has only just gone: wait a little.")


def _next_table(room: Room, state: TableState) -> Decision:
    try:
        new = room.registry.next_table(state)
    except BadOption as error:
        raise Denied(f"The rules have changed since: {error}") from None
    return Decision(RematchCreated(table=new.row.id), new)


def _playing(state: TableState) -> None:
    if state.status == "waiting":
        raise Denied("The game has not begun.")
    if state.status == "over":
        raise IllegalMove("COM-08", "The game is over: nobody moves any more.")


def _number(x: float) -> float | None:
    return None if x != x else round(x, 4)
