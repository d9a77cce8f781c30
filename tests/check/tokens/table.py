"""How people read and write Tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from clew.core import Cast, Event, IllegalMove, deals

from .rules import BAG, HAND, HIGHEST, SEATS, TOKENS

NUMBERS = [str(number) for number in range(1, HIGHEST + 1)]


def write(move: int, v: Any) -> str:
    """A token is its number."""
    return str(move)


def parse(text: str, v: Any) -> int:
    """The token that is written so."""
    if text not in NUMBERS:
        raise IllegalMove("TOK-02", f"{text!r} is not a token; tokens are 1, 2 and 3.")
    return int(text)


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people."""
    return f"show {move}", f"show the token {move}"


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """Why a token cannot be shown."""
    return "TOK-02", f"You do not hold the token {move}."


PLACES = {**{f"hand {seat}": HAND for seat in range(SEATS)}, "bag": BAG}


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    return {key: " ".join(map(str, tokens)) for key, tokens in zip(PLACES, [s.hand[0], s.hand[1], s.bag])}


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    deals.same_keys(lines, PLACES)
    dealt = {key: deals.pieces(lines, key, count, NUMBERS) for key, count in PLACES.items()}
    deals.exactly(dealt, dict(Counter(map(str, TOKENS))))
    for seat in range(SEATS):
        s.hand[seat] = [int(token) for token in dealt[f"hand {seat}"]]
    s.bag[:] = [int(token) for token in dealt["bag"]]


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A move as a chair saw it."""
    if before is None or seat is None:
        return [Event("deal", "Everybody holds two tokens.", "TOK-01")]
    events = [Event("show", f"{cast.does(seat, 'show')} the token {move}.", "TOK-02", seat)]
    if after.shown[0] and after.shown[1]:
        events.append(Event("end", "Both have shown a token.", "TOK-03"))
    return events


def describe(v: Any) -> dict[str, Any]:
    """The table as plain data."""
    return {"shown": v.shown.tolist(), "own": [int(token) for token in v.own if token]}
