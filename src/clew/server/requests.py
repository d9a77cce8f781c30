"""The bodies of REST requests: typed structs that are read strictly and cheaply; OpenAPI is made from them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from clew.core.records import LONGEST

Record = Annotated[str, Meta(max_length=LONGEST)]
Seat = Annotated[int, Meta(ge=0, le=63)]
Level = Annotated[int, Meta(ge=1, le=6)]
Short = Annotated[str, Meta(max_length=64)]
PlayLevel = Annotated[str, Meta(pattern="^(random|level:[1-6])$", max_length=16)]
Called = Annotated[str, Meta(max_length=200)]


class RequestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing may be in a request that nobody reads: reading ends at the first such field."""


class SetName(RequestBody, frozen=True):
    """How somebody wants to be called."""

    name: Called


class SeatRequest(RequestBody, frozen=True):
    """Who shall sit on a seat."""

    who: Literal["me", "bot", "open"]
    level: Level = 3
    name: Called = ""


class ClockRequest(RequestBody, frozen=True):
    """How time is kept, in seconds."""

    move: Annotated[int, Meta(ge=5, le=7 * 86400)] | None = None
    total: Annotated[int, Meta(ge=10, le=7 * 86400)] | None = None
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0
    then: Literal["bot", "lose"] = "bot"

    def __post_init__(self) -> None:
        """Refuse a clock of both kinds, or of none."""
        if (self.move is None) == (self.total is None):
            raise ValueError("A clock has either move or total")
        if self.move is not None and self.increment:
            raise ValueError("An increment goes with total")


class ContinueRecord(RequestBody, frozen=True):
    """A finished game, and after how many of its moves it is to go on otherwise."""

    record: Record
    at: Annotated[int, Meta(ge=0, le=1_000_000)]


class CreateTable(RequestBody, frozen=True):
    """A table to be set up."""

    game: Short
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=6)]
    options: Annotated[dict[Short, Annotated[int, Meta(ge=-(2**31), le=2**31)] | Short], Meta(max_length=32)] = {}
    private: bool = False
    clock: ClockRequest | None = None
    hints: bool = True
    stand_in: bool = True
    continues: ContinueRecord | None = None


class JoinTable(RequestBody, frozen=True):
    """Somebody wants to sit down."""

    seat: Seat | None = None
    invite: Short = ""


class AddBot(RequestBody, frozen=True):
    """A bot for a seat that is open."""

    seat: Seat
    level: Level = 3


class ReplayRecord(RequestBody, frozen=True):
    """A record to be looked at, from what a chair knew."""

    record: Record
    chair: Seat | Literal["all"] | None = None
    you: Seat | None = None
    """The seat of who asks, to whom it is told."""


class ReviewRecord(RequestBody, frozen=True):
    """A record to be judged."""

    record: Record
    level: Annotated[int, Meta(ge=1, le=5)] = 4


class VaryOption(RequestBody, frozen=True):
    """Values of an option to be compared, the first with each other."""

    option: Short
    values: Annotated[list[Annotated[int, Meta(ge=-(2**31), le=2**31)] | Short], Meta(min_length=2, max_length=4)]


class RunLab(RequestBody, frozen=True):
    """Games that the lab is to play and measure."""

    game: Short
    levels: Annotated[list[PlayLevel], Meta(min_length=1, max_length=3)]
    games: Annotated[int, Meta(ge=1, le=20_000)] = 400
    players: Annotated[int, Meta(ge=1, le=64)] | None = None
    options: Annotated[dict[Short, Annotated[int, Meta(ge=-(2**31), le=2**31)] | Short], Meta(max_length=32)] = {}
    seed: Annotated[int, Meta(ge=0, le=999_999)] = 1
    vary: VaryOption | None = None


class LabRecord(RequestBody, frozen=True):
    """A game of the lab, by its number, whose record is wanted."""

    game: Short
    level: PlayLevel
    number: Annotated[int, Meta(ge=0, le=999_999_999)]
    players: Annotated[int, Meta(ge=1, le=64)] | None = None
    options: Annotated[dict[Short, Annotated[int, Meta(ge=-(2**31), le=2**31)] | Short], Meta(max_length=32)] = {}
    seed: Annotated[int, Meta(ge=0, le=999_999)] = 1


class ForecastRecord(RequestBody, frozen=True):
    """A record whose chances are wanted, as one seat could know them."""

    record: Record
    seat: Seat = 0
