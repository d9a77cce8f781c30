"""What REST requests say, checked by pydantic; OpenAPI is made from it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, model_validator

from clew.core.records import LONGEST


class Wish(BaseModel):
    """Nothing may be in a request that nobody reads."""

    model_config = ConfigDict(extra="forbid")


class Name(Wish):
    """How somebody wants to be called."""

    name: Annotated[StrictStr, Field(max_length=200)]


class SeatWish(Wish):
    """Who shall sit on a seat."""

    who: Literal["me", "bot", "open"]
    level: Annotated[StrictInt, Field(ge=1, le=6)] = 3
    name: Annotated[StrictStr, Field(max_length=200)] = ""


class ClockWish(Wish):
    """How time is kept, in seconds."""

    move: Annotated[StrictInt, Field(ge=5, le=7 * 86400)] | None = None
    total: Annotated[StrictInt, Field(ge=10, le=7 * 86400)] | None = None
    increment: Annotated[StrictInt, Field(ge=0, le=3600)] = 0
    then: Literal["bot", "lose"] = "bot"

    @model_validator(mode="after")
    def one_kind(self) -> ClockWish:
        """Refuse a clock of both kinds, or of none."""
        if (self.move is None) == (self.total is None):
            raise ValueError("a clock has either move or total")
        if self.move is not None and self.increment:
            raise ValueError("an increment goes with total")
        return self


class TableWish(Wish):
    """A table to be set up."""

    game: Annotated[StrictStr, Field(max_length=64)]
    seats: Annotated[list[SeatWish], Field(min_length=1, max_length=6)]
    options: Annotated[
        dict[Annotated[str, Field(max_length=64)], StrictInt | Annotated[StrictStr, Field(max_length=64)]],
        Field(max_length=32),
    ] = {}
    private: StrictBool = False
    clock: ClockWish | None = None


class Joining(Wish):
    """Somebody wants to sit down."""

    seat: Annotated[StrictInt, Field(ge=0, le=63)] | None = None
    invite: Annotated[StrictStr, Field(max_length=64)] = ""


class Replaying(Wish):
    """A record to be looked at, from what a chair knew."""

    record: Annotated[StrictStr, Field(max_length=LONGEST)]
    chair: Annotated[StrictInt, Field(ge=0, le=63)] | Literal["all"] | None = None


class Reviewing(Wish):
    """A record to be judged."""

    record: Annotated[StrictStr, Field(max_length=LONGEST)]
    level: Annotated[StrictInt, Field(ge=1, le=5)] = 4
