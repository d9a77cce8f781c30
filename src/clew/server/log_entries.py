"""The entries of a table's log: one class for each kind, with how it changes the table and how it is told.

The database keeps what all entries have in columns, and the rest of a kind as JSON. It keeps everything, also what
chairs do not know; `tell` makes of it what a chair reads.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, TypeAlias, get_args

import msgspec
from msgspec import Struct, field

from clew.core.cast import Cast
from clew.core.events import SEATS
from clew.server import messages as m
from clew.server.data_types import Columns
from clew.server.messages import told
from clew.server.seats import GUEST, STAND_IN, Sitter, Terms

if TYPE_CHECKING:
    from clew.server.table_state import TableState

RULES_GONE = "rules"  # how a game has ended whose rules are no longer here
ASKED = {
    "undo": "{asks} to take the last move back.",
    "takeover": "{asks} whether a bot may play for {about}.",
    "rematch": "{asks} for another game.",
}


class Entry(Struct, kw_only=True, omit_defaults=True, tag_field="kind"):
    """What all entries have. Whoever writes one fills in `number`, `at`, `key` and `steady`."""

    changes_position: ClassVar[bool] = True
    changes_table: ClassVar[bool] = True

    number: int = 0
    at: int = 0
    """Milliseconds since 1970."""
    seat: int | None = field(default=None, name="by")  # `Asked` has a `seat` of its own
    """Whose doing it was; None for the server's."""
    key: str | None = None
    """The idempotency key: the chair, and the id that the client gave its message."""
    steady: tuple[str, int] | None = None
    """When it was written in steady time, where there is a clock: the process, and its milliseconds."""

    @property
    def kind(self) -> str:
        """The tag, as the database and clients name this kind."""
        return str(self.__struct_config__.tag)

    def apply(self, state: TableState) -> None:
        """Change the state of the table."""

    def tell(self, state: TableState, chair: int | None) -> m.Entry:
        """The entry as a chair reads it."""
        told = self._untold(chair)
        told.text = self.sentence(state, state.cast(chair))
        return told

    def sentence(self, state: TableState, cast: Cast) -> str:
        """What happened, in one sentence."""
        raise NotImplementedError

    def _untold(self, chair: int | None) -> m.Entry:
        """The entry for a chair, without what it tells."""
        name = None
        if self.key is not None and chair is not None:
            owner, _, sent = self.key.partition(":")
            name = sent if owner == str(chair) else None
        return m.Entry(self.number, self.at, self.kind, self.seat, id=name)


class SeatEntry(Entry, kw_only=True):
    """What all entries have that are somebody's doing, or about a seat."""

    @property
    def who(self) -> int:
        """The seat."""
        assert self.seat is not None
        return self.seat


# Before the game


class TableCreated(Entry, tag="created", kw_only=True):
    """A table was set up."""

    seats: list[Sitter]
    agreed: Terms = field(default_factory=Terms)
    continued: int | None = None
    """So many moves are those of another game."""
    host: str | None = None
    """Who set up a table of bots alone."""
    deal_salt: str | None = None

    def apply(self, state: TableState) -> None:
        state.seats = list(self.seats)
        state.terms = self.agreed
        state.continued, state.host, state.deal_salt = self.continued, self.host, self.deal_salt

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"The table is set. {self._terms(state)}".strip()

    def _terms(self, state: TableState) -> str:
        """What holds at a table of several people."""
        if state.row.one_device or sum(sitter.kind != "bot" for sitter in state.seats) < 2:
            return ""
        hints = "Hints are allowed." if self.agreed.hints else "There are no hints."
        if self.agreed.stand_in is None:
            return f"If somebody is away, the table waits. {hints}"
        seconds = math.ceil(self.agreed.stand_in)
        return f"If somebody is away for {seconds} seconds, the others may agree to let a bot play on. {hints}"


class PlayerSat(SeatEntry, tag="sat", kw_only=True):
    """Somebody sat down."""

    person: str
    name: str

    def apply(self, state: TableState) -> None:
        state.change_seat(self.who, kind="person", person=self.person, name=self.name)

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{_at_the_time(self, state, cast).does(self.who, 'sit')} down."


class BotSat(SeatEntry, tag="bot_sat", kw_only=True):
    """A bot was given an open seat."""

    name: str
    level: int

    def apply(self, state: TableState) -> None:
        state.change_seat(self.who, kind="bot", name=self.name, level=self.level)

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'sit')} down."


class PlayerStood(SeatEntry, tag="stood", kw_only=True):
    """Somebody got up before the game."""

    def apply(self, state: TableState) -> None:
        state.change_seat(self.who, kind="open", person=None, name="")
        if not any(sitter.kind == "person" for sitter in state.seats):
            state.end(m.Result([1] * state.row.players, "abandoned"))

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{_at_the_time(self, state, cast).does(self.who, 'get')} up."


def _at_the_time(entry: PlayerSat | PlayerStood, state: TableState, cast: Cast) -> Cast:
    """The names with that of who sat down or got up: not always the one who has the seat now."""
    seat = entry.who
    sitter: Sitter | PlayerSat | None = None
    for one in state.entries[: entry.number]:
        if isinstance(one, TableCreated):
            sitter = one.seats[seat]
        elif isinstance(one, PlayerSat) and one.seat == seat:
            sitter = one
    if sitter is None or state.seats[seat].person == sitter.person:
        return cast
    given = "" if sitter.name == GUEST else sitter.name
    return Cast([given or SEATS[seat] if one == seat else name for one, name in enumerate(cast.names)])


# The game


class GameStarted(Entry, tag="started", kw_only=True):
    """All seats were taken, and the game began."""

    def apply(self, state: TableState) -> None:
        state.start()

    def tell(self, state: TableState, chair: int | None) -> m.Entry:
        entry = self._untold(chair)
        assert state.game is not None
        entry.told = told(state.game.events(chair, 0, 1, you=not state.row.one_device))
        return entry


class MoveMade(SeatEntry, tag="move", kw_only=True):
    """A move, in the form in which the engine writes it."""

    changes_table: ClassVar[bool] = False

    move: str
    used: int = 0
    """Milliseconds that it took, where there is a clock."""

    def apply(self, state: TableState) -> None:
        self.move = state.make_move(self.number, self.who, self.move)  # as it was sent, until here
        if state.clock is not None:
            state.clock.spend(self.who, self.used, earns=state.seats[self.who].level is None)

    def tell(self, state: TableState, chair: int | None) -> m.Entry:
        entry, at = self._untold(chair), state.move_of(self.number)
        if at is None:
            entry.taken_back = True
            return entry
        assert state.game is not None
        entry.told = told(state.game.events(chair, at, at + 1, you=not state.row.one_device))
        if self.seat == chair:
            entry.move = self.move
        return entry


class MoveUndone(SeatEntry, tag="undone", kw_only=True):
    """The last move was taken back."""

    def apply(self, state: TableState) -> None:
        mover = state.undo_move(self.number)
        if state.clock is not None and state.seats[mover].level is None:
            state.clock.take_back(mover)

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'take')} the last move back."


class RulesChanged(Entry, tag="rules_changed", kw_only=True):
    """The author of a game in a folder changed a file of it."""

    moves: int = 0
    """How many moves had been made."""
    kept: int | None = None
    """So many of them were made again by the new rules; None until that is known."""
    error: str = ""
    """A mistake in the new rules: the old ones stay."""

    def apply(self, state: TableState) -> None:
        if not self.error:
            self.moves = max(self.moves, len(state.kept_moves) + len(state.dropped_moves))
            self.kept = state.lay_anew(self.number, self.kept)

    def sentence(self, state: TableState, cast: Cast) -> str:
        if self.error:
            return f"The rules were changed, but not for this table: {self.error}"
        again = "The rules were changed, and the table is laid anew"
        if self.kept == self.moves:
            return f"{again} with the same deal and moves."
        return f"{again}: the same deal and {self.kept} of {self.moves} moves, as the next one is not legal any more."


class ChatSaid(SeatEntry, tag="chat", kw_only=True):
    """Somebody said something."""

    changes_position: ClassVar[bool] = False
    changes_table: ClassVar[bool] = False

    text: str

    def tell(self, state: TableState, chair: int | None) -> m.Entry:
        entry = self._untold(chair)
        entry.text = self.text
        return entry


class HintTaken(SeatEntry, tag="hinted", kw_only=True):
    """Somebody took a hint, at a table of several people."""

    changes_position: ClassVar[bool] = False
    changes_table: ClassVar[bool] = False

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'take')} a hint."


# What needs agreement


class Asked(SeatEntry, tag="asked", kw_only=True):
    """Somebody asked the others for something."""

    what: str
    waiting: list[int]
    about: int | None = field(default=None, name="seat")
    level: int | None = None

    def apply(self, state: TableState) -> None:
        state.ask = m.Ask(self.number, self.what, self.who, self.waiting, self.about, self.level)

    def sentence(self, state: TableState, cast: Cast) -> str:
        about = "" if self.about is None else cast.whom(self.about)
        return ASKED[self.what].format(asks=cast.does(self.who, "ask"), about=about)


class Agreed(SeatEntry, tag="agreed", kw_only=True):
    """Somebody said yes, and others have still to answer."""

    def apply(self, state: TableState) -> None:
        assert state.ask is not None
        waiting = [seat for seat in state.ask.waiting if seat != self.seat]
        state.ask = msgspec.structs.replace(state.ask, waiting=waiting)

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'agree')}."


class Declined(SeatEntry, tag="declined", kw_only=True):
    """Somebody said no."""

    def apply(self, state: TableState) -> None:
        state.ask = None

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'say')} no."


class BotTookOver(SeatEntry, tag="takeover", kw_only=True):
    """A bot plays for somebody who is absent."""

    level: int
    used: int = 0
    """Milliseconds that its person has used, where there is a clock."""

    def apply(self, state: TableState) -> None:
        state.change_seat(self.who, level=self.level)
        state.ask = None
        if state.clock is not None:
            state.clock.stop(self.who, self.used)

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"A bot plays for {cast.whom(self.who)} now."


class PlayerReturned(SeatEntry, tag="returned", kw_only=True):
    """Somebody took their chair back from the bot."""

    def apply(self, state: TableState) -> None:
        state.change_seat(self.who, level=None)
        if state.clock is not None:
            state.clock.resume(self.who)

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'be')} back."


# The end


class Resigned(SeatEntry, tag="resigned", kw_only=True):
    """Somebody gave up."""

    def apply(self, state: TableState) -> None:
        state.give_up(self.who, "resigned")

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.does(self.who, 'give')} up."


class Timeout(SeatEntry, tag="timeout", kw_only=True):
    """Somebody's time ran out."""

    then: str
    """bot or lose."""

    def apply(self, state: TableState) -> None:
        if state.clock is not None:
            state.clock.stop(self.who, state.clock.left[self.who])
        if self.then == "lose":
            state.give_up(self.who, "time")
        else:
            state.change_seat(self.who, level=STAND_IN)
            state.ask = None

    def sentence(self, state: TableState, cast: Cast) -> str:
        return f"{cast.whose(self.who)} time is up{': a bot plays on.' if self.then == 'bot' else '.'}"


class GameEnded(Entry, tag="over", kw_only=True):
    """The server ended a game that nobody goes on with."""

    ended: str

    def apply(self, state: TableState) -> None:
        state.end(m.Result([1] * state.row.players, self.ended))

    def sentence(self, state: TableState, cast: Cast) -> str:
        if self.ended == RULES_GONE:
            return "The server has newer rules of this game: it was closed, and its record is kept."
        return "Nobody is left: the game is over."


class RematchCreated(Entry, tag="rematch", kw_only=True):
    """The next table was set up."""

    table: str

    def apply(self, state: TableState) -> None:
        state.rematch = self.table
        state.ask = None

    def sentence(self, state: TableState, cast: Cast) -> str:
        return "Another game begins, with the seats turned."


LogEntry: TypeAlias = (
    TableCreated
    | PlayerSat
    | BotSat
    | PlayerStood
    | GameStarted
    | MoveMade
    | MoveUndone
    | RulesChanged
    | ChatSaid
    | HintTaken
    | Asked
    | Agreed
    | Declined
    | BotTookOver
    | PlayerReturned
    | Resigned
    | Timeout
    | GameEnded
    | RematchCreated
)


KINDS: dict[str, type[LogEntry]] = {str(kind.__struct_config__.tag): kind for kind in get_args(LogEntry)}

# In the database


def to_row(entry: Entry, table_id: str) -> Columns:
    """An entry as columns of the database; what is a kind's own is JSON in `data`."""
    own = msgspec.to_builtins(entry)
    row = {"table_id": table_id, "number": own.pop("number"), "at": own.pop("at", 0), "kind": own.pop("kind")}
    row["seat"], row["key"] = own.pop("by", None), own.pop("key", None)
    row["data"] = msgspec.json.encode(own).decode()
    return row


def from_row(row: Columns) -> LogEntry:
    """An entry from columns of the database."""
    columns = {"number": row["number"], "at": row["at"], "by": row["seat"], "key": row["key"]}
    # By its class: `convert` would work out the union anew for every entry.
    return msgspec.convert({**msgspec.json.decode(row["data"]), **columns}, KINDS[row["kind"]])
