"""The table of Cardtracks as plain data."""

from __future__ import annotations

from typing import Literal, TypedDict


class Waiting(TypedDict):
    """The card that goes on a track now, and the step of each track that it would lie on."""

    seat: int
    card: str
    beaten: str
    landing: list[int | None]


class Flip(TypedDict):
    """Two cards turned over, and where the winning one was put."""

    cards: list[str]
    winner: int | None
    track: int | None
    step: int | None


class Lane(TypedDict):
    """A player's way to the centre of a track."""

    step: int
    steps: list[list[str]]
    last: str | None
    compared: str | None
    centre: str | None


Colour = Literal["gold", "green", "wine", "grey", "teal"]


class Track(TypedDict):
    """A track with a lane for each player."""

    number: int
    colour: Colour
    winner: int | None
    card: str | None
    points: int | None
    lanes: list[Lane]


class Seat(TypedDict):
    """What is known of a player's cards."""

    name: str
    score: int
    tracks: int
    chosen: bool
    choice: str | None
    spare: str | None
    discards: list[str]
    unseen: list[str]


class CardtracksTable(TypedDict):
    """What a chair sees."""

    phase: Literal["place", "choose", "over"]
    track_length: int
    deck: int
    flip: Waiting | None
    flips: list[Flip]
    tracks: list[Track]
    seats: list[Seat]
