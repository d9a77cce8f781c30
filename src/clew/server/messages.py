"""What goes over a WebSocket, in both directions; `docs/protocol.md` tells the story around it.

Every message is one JSON object with a `type`. Fields with a default may be missing. What a chair gets is made from
its view and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from clew.core import events
from clew.core.errors import ClewError
from clew.server.data_types import JsonObject, JsonValue

PROTOCOL = 1
LARGEST = 64 * 1024  # bytes of a message to the server
LONGEST_CHAT = 500  # characters
LONGEST_PART = 8000

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""The idempotency key, made by the client anew for each thing that it wants; sent again, nothing is done twice."""
Number: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 31)]
Chair: TypeAlias = Annotated[int, Meta(ge=0, le=63)]
Written: TypeAlias = Annotated[str, Meta(max_length=LONGEST_PART)]


class BadMessage(ClewError):
    """A message that cannot be read, or that does not fit the moment: `code` is for programs."""

    def __init__(self, code: str, text: str, id: str | None = None) -> None:
        super().__init__(text)
        self.code, self.id = code, id


# From a client


class Hello(Struct, tag="hello", forbid_unknown_fields=True):
    """The first message, and later ones to change chairs: who sits here, and what was seen already."""

    version: int
    chair: Chair | None = None
    """A seat of the sender's; None to watch."""
    last: Number = 0
    """The number of the last entry of the log that this chair has seen; 0 for none."""
    invite: Annotated[str, Meta(max_length=64)] = ""
    """For those who watch a private table."""
    known: bool = False
    """Whether views carry `known`, the bytes that a bot imagines from."""
    changes: bool = False
    """Whether events may say what has changed in the view, instead of the whole."""


class Move(Struct, tag="move", forbid_unknown_fields=True):
    """Make a move, in its written form."""

    id: Id
    move: Written


class Judge(Struct, tag="judge", forbid_unknown_fields=True):
    """What would be wrong with a move? Nothing is played, nobody hears of it.

    Where a game lets a play be put together, the parts act one after the other; elsewhere they are joined to one move.
    """

    id: Id
    parts: Annotated[list[Written], Meta(max_length=400)]


class Hint(Struct, tag="hint", forbid_unknown_fields=True):
    """What would a good player do here, knowing what this chair knows?"""

    id: Id
    level: Annotated[int, Meta(ge=1, le=6)] = 5


class Chat(Struct, tag="chat", forbid_unknown_fields=True):
    """Say something to the table."""

    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_CHAT)]


class Resign(Struct, tag="resign", forbid_unknown_fields=True):
    """Give the game up: between two it ends, at a larger table a bot plays on in this chair."""

    id: Id


class Leave(Struct, tag="leave", forbid_unknown_fields=True):
    """Get up: before the game the seat is open again, during it this is to resign, after it nothing but goodbye."""

    id: Id


class Undo(Struct, tag="undo", forbid_unknown_fields=True):
    """Ask the others to take back one's own last move."""

    id: Id


class Takeover(Struct, tag="takeover", forbid_unknown_fields=True):
    """Ask the others to let a bot play for somebody who is absent."""

    id: Id
    seat: Chair
    level: Annotated[int, Meta(ge=1, le=6)] = 3


class Return(Struct, tag="return", forbid_unknown_fields=True):
    """Take one's own chair back from the bot that plays in it."""

    id: Id


class Rematch(Struct, tag="rematch", forbid_unknown_fields=True):
    """Ask the others for another game, with the seats turned by one."""

    id: Id


class Answer(Struct, tag="answer", forbid_unknown_fields=True):
    """Say yes or no to what somebody asked."""

    id: Id
    ask: Number
    """The number of the entry in which it was asked."""
    yes: bool


class Ping(Struct, tag="ping", forbid_unknown_fields=True):
    """Is anybody there? For clients that cannot send the WebSocket's own."""

    id: Id


Command: TypeAlias = Move | Judge | Hint | Chat | Resign | Leave | Undo | Takeover | Return | Rematch | Answer
"""What somebody does at a table."""
FromClient: TypeAlias = Hello | Command | Ping


# To a client


class Told(Struct, omit_defaults=True):
    """One thing that happened, as this chair saw it: `text` for people, `kind` and `data` for programs."""

    kind: str
    text: str
    rule: str = ""
    seat: int | None = None
    data: JsonObject = {}


def told(happened: Sequence[events.Event]) -> list[Told]:
    """What happened, as messages have it."""
    return [Told(event.kind, event.text, event.rule, event.seat, event.data) for event in happened]


class Entry(Struct, omit_defaults=True):
    """One entry of the numbered log as a chair reads it. Numbers begin with 1 and leave no gap.

    Kinds: created, sat, bot_sat, stood, started, move, undone, chat, asked, agreed, declined, takeover, returned,
    resigned, timeout, over, rematch, hinted, rules_changed.
    """

    number: int
    at: int
    """Milliseconds since 1970."""
    kind: str
    seat: int | None = None
    """Whose doing it was; None for the server's."""
    told: list[Told] = []
    """What happened, in words; the opening in `started`, the moves in `move`."""
    text: str = ""
    """What was said, in a chat; for other kinds one sentence for the log, where `told` is empty."""
    id: str | None = None
    """The client's id, if this chair caused it: for who comes back and has missed the acknowledgement."""
    move: str | None = None
    """The written form of this chair's own move; others read `told`."""
    taken_back: bool = False
    """A move that was taken back since: nothing is told of it any more."""


class Seat(Struct, omit_defaults=True):
    """Who sits where."""

    colour: str
    """How the seat is called at the table: Blue, Red, ..."""
    kind: str
    """person, bot or open."""
    name: str = ""
    """The one name of whoever sits here, different from all others at the table: given, the bot's, or the colour."""
    level: int | None = None
    """Of the bot that plays here now: also while it stands in for a person."""
    yours: bool = False
    here: bool = False
    """Whether a person's chair has a connection."""


class Ask(Struct, omit_defaults=True):
    """Something that waits for the others to agree."""

    number: int
    """Of the entry in which it was asked: for the answer."""
    what: str
    """undo, takeover or rematch."""
    by: int
    waiting: list[int]
    """The seats that have to answer."""
    seat: int | None = None
    level: int | None = None


class ClockRule(Struct, omit_defaults=True):
    """How time is kept, in seconds: so much for each move, or a total with something added for each move."""

    move: int | None = None
    total: int | None = None
    increment: int = 0
    then: str = "bot"
    """What happens when it runs out: a bot plays on, or the seat loses."""


class Clocks(Struct, omit_defaults=True):
    """The time left, in milliseconds by seat, at the moment `at` of the server's clock; `running` goes down."""

    left: list[int]
    running: list[int]
    at: int


class Result(Struct, omit_defaults=True):
    """How it ended. Scores are missing when it was given up."""

    places: list[int]
    ended: str
    """The game's own word, or resigned, time, abandoned, or rules for a game that was closed as its rules are gone."""
    scores: list[int] | None = None


class Opened(Struct):
    """The deal's secret, shown when the game is over: sha256 of "clew commitment 1 <seed> <salt>" is the commitment."""

    seed: str
    salt: str


class Table(Struct, omit_defaults=True):
    """What everybody at a table knows about it; `yours` and `invite` differ."""

    id: str
    game: str
    title: str
    rules: int
    options: dict[str, int | str]
    players: int
    state: str
    """waiting, playing or over."""
    seats: list[Seat]
    commitment: str
    """Of the deal: binds the server before the first move."""
    created: int
    private: bool = False
    one_device: bool = False
    turn: list[int] = []
    """The seats that owe a move; only in a list of one's own tables, and so is `since`."""
    since: int = 0
    """When the last move was made, or the game ended."""
    learnt: bool = False
    """Whether bots sit here that play by what they learnt from games against themselves."""
    continued: int | None = None
    """So many moves are those of another game, which is played on from there: the deal was known, and not promised."""
    clock: ClockRule | None = None
    hints: bool = True
    """Whether those who play may ask for hints."""
    stand_in: int | None = None
    """After so many seconds away the others may let a bot play for somebody; None: no bot ever does."""
    invite: str = ""
    """For those who sit here: who has it may join or watch a private table."""
    ask: Ask | None = None
    result: Result | None = None
    opened: Opened | None = None
    rematch: str | None = None
    """The id of the next table."""


class Tables(Struct):
    """A list of tables."""

    tables: list[Table]
    more: bool = False
    """Whether there is another page."""


class MoveWords(Struct, omit_defaults=True):
    """A legal move for a table that knows nothing of the game."""

    text: str
    """The move in words."""
    pieces: list[str] = []
    """The cards and other pieces in it, as the view calls them."""


class Position(Struct, omit_defaults=True):
    """How things stand for this chair now."""

    view: JsonObject | None = None
    """What the chair knows; None before the game, and where there are `changes`."""
    changes: JsonObject | None = None
    """What to change in the view that came last, for who has said `changes` in the hello: `{key: change}`. A change is
    `[value]`, the new value, or `{key: change}` again, where in a list the keys are the numbers of elements."""
    moves: list[str] = []
    """The legal moves of this chair, written; empty when it owes none."""
    words: list[MoveWords] = []
    """The same moves in words, where the page has no board of its own for the game."""
    seat_fields: dict[str, int] = {}
    """The fields of the view's table that are numbers of seats, each with the number of the first seat: likewise."""
    all_moves: bool = True
    """False if only good ones are listed, and others are legal, too."""
    clocks: Clocks | None = None
    can_undo: bool = False
    """Whether this chair made the last move and may ask to take it back, as far as it can know."""


class Welcome(Struct, tag="welcome", omit_defaults=True):
    """The answer to a hello: everything, as far as the chair has not seen it."""

    version: int
    number: int
    """Of the last entry."""
    since: int
    """`log` begins after this number: what the hello said, or 0 if that makes no sense here."""
    chair: int | None
    table: Table
    now: Position
    log: list[Entry]
    here: int
    """How many watch."""


class Event(Struct, tag="event", omit_defaults=True):
    """A new entry, with what it changed."""

    entry: Entry
    now: Position | None = None
    """When the position or the clocks changed."""
    table: Table | None = None
    """When anything in it changed."""


class Ack(Struct, tag="ack"):
    """It is on disk, in the entry of that number, now or since before; 0 for something that left no entry."""

    id: str
    number: int


class Refused(Struct, tag="refused", omit_defaults=True):
    """What was asked may not be done; nothing has changed."""

    id: str
    reason: str
    rule: str = ""
    faults: list[JsonObject] = []
    """All that is wrong at once, where the game tells: each with its rule, its text, and more such as cells."""


class Judged(Struct, tag="judged", omit_defaults=True):
    """What a draft comes to."""

    id: str
    playable: bool
    move: str = ""
    """The whole as one move, to be sent as it is."""
    reason: str = ""
    rule: str = ""
    faults: list[JsonObject] = []
    draft: JsonObject | None = None
    """Where the game puts plays together: the table as it would lie, and what is left in the hand."""


class Weighed(Struct):
    """A move with the chance to win by it, the place to expect, how sure that is, and how often it was tried."""

    move: str
    said: str
    """The move for people, in a few words."""
    told: str
    """The same with what comes of it."""
    win: float | None
    place: float | None
    error: float | None
    tries: int


class Hinted(Struct, tag="hinted"):
    """What a bot would do in this chair, the best chance first; moves that it hardly looked at are left out."""

    id: str
    worlds: int
    moves: list[Weighed]


class Presence(Struct, tag="presence"):
    """Who is connected; not part of the log."""

    seats: list[int]
    watching: int


class Preparing(Struct, tag="preparing"):
    """How much of the game is compiled; until all is, its bots think slowly. Not part of the log."""

    done: int
    total: int


class Pong(Struct, tag="pong"):
    """Somebody is there."""

    id: str
    at: int


class Error(Struct, tag="error", omit_defaults=True):
    """A message that cannot be read or does not fit; the connection may go on."""

    code: str
    text: str
    id: str | None = None


class Bye(Struct, tag="bye"):
    """The server stops in good order; come back after about so many milliseconds."""

    text: str
    back: int


ToClient: TypeAlias = Welcome | Event | Ack | Refused | Judged | Hinted | Presence | Preparing | Pong | Error | Bye

_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


def _from_numpy(value: JsonValue) -> JsonValue:
    """Numbers of NumPy's, which a game may leave in a view."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not data")


_encoder = msgspec.json.Encoder(enc_hook=_from_numpy)
encode = _encoder.encode


def decode(raw: str | bytes) -> FromClient:
    """A client's message, or one sentence about what is wrong with it."""
    if len(raw) > LARGEST:
        raise BadMessage("too_large", f"A message has at most {LARGEST} bytes.")
    try:
        return _decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise BadMessage("bad_shape", f"The message has not the right shape: {error}.", _id_of(raw)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadMessage("bad_json", "The message is not JSON.") from None


def _id_of(raw: str | bytes) -> str | None:
    """The id of a message that is wrong otherwise, so that its sender knows which one it was."""
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    name = found.get("id") if isinstance(found, dict) else None
    return name if isinstance(name, str) and len(name) <= 64 else None


def schema() -> JsonObject:
    """The JSON schema of both directions, for clients in other languages."""
    both = (FromClient, ToClient)
    roots, parts = msgspec.json.schema_components(both, ref_template="#/$defs/{name}")
    return {"protocol": PROTOCOL, "from_client": roots[0], "to_client": roots[1], "$defs": parts}
