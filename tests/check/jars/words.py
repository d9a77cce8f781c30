"""How people read and write Jars: moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.core import SEATS, Cast, Event, IllegalMove, deals, plural

from . import rules
from .rules import BREAK, COPIES, HIGHEST_OFFER, HOLD, NUMBERS, OFFER, OFFERS, PUT, SHELF, SIZES

MOVE = re.compile(r"(-?)([1-4])|(hold)|offer ([0-9])")
SIZE_NAMES = [str(size) for size in range(1, SIZES + 1)]


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: 3, -3, hold, offer 2."""
    action, number = divmod(move, NUMBERS)
    return {PUT: f"{number}", BREAK: f"-{number}", HOLD: "hold", OFFER: f"offer {number}"}[action]


def parse(text: str, v: Any) -> int:
    """The move that is written so."""
    found = MOVE.fullmatch(text)
    if not found:
        raise IllegalMove("COM-06", f"{text!r} is not a move; moves are written like 3, -3, hold or offer 2.")
    if found[3]:
        return HOLD * NUMBERS
    if found[4]:
        return OFFER * NUMBERS + int(found[4])
    return (BREAK if found[1] else PUT) * NUMBERS + int(found[2])


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people."""
    action, number = divmod(move, NUMBERS)
    jar = f"a jar of size {number}"
    return {
        PUT: (f"put {number}", f"put {jar} on the shelf"),
        BREAK: (f"break {number}", f"break {jar}"),
        HOLD: ("hold", "hold, this once"),
        OFFER: (f"offer {number}", f"make an offer of {number}"),
    }[action]


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    action, number = divmod(move, NUMBERS)
    if reason == rules.NOT_NOW:
        if action == OFFER:
            return "JAR-07", "Offers are made when all jars are gone."
        return "JAR-07", "All jars are gone: write what you offer, like offer 2."
    if reason == rules.NOT_IN_HAND:
        return "JAR-02", f"You do not hold a jar of size {number}."
    if reason == rules.TOO_SMALL:
        return "JAR-02", f"{number} is smaller than the last jar on your shelf, {rules.last(v, int(v.seat))}."
    if reason == rules.HELD_BEFORE:
        return "JAR-05", "You have held once already."
    return "JAR-07", f"An offer is {HIGHEST_OFFER} at most."


# Deals


def _places(s: Any) -> dict[str, int]:
    hands = {f"hand {seat}": int(s.jars) for seat in range(s.players)}
    return {**hands, "pile": rules.pile_size(s)}


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    dealt = [*(s.hand[seat] for seat in range(s.players)), s.pile]
    return {key: " ".join(map(str, jars[:count])) for (key, count), jars in zip(_places(s).items(), dealt)}


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    places = _places(s)
    deals.same_keys(lines, places)
    dealt = {key: deals.pieces(lines, key, count, SIZE_NAMES) for key, count in places.items()}
    deals.exactly(dealt, dict.fromkeys(SIZE_NAMES, COPIES))
    for seat in range(s.players):
        s.hand[seat, : s.jars] = [int(jar) for jar in dealt[f"hand {seat}"]]
    s.pile[: places["pile"]] = [int(jar) for jar in dealt["pile"]]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A move as a chair saw it."""
    if before is None or seat is None:
        return [Event("deal", f"Everybody holds {plural(int(after.jars), 'jar')}.", "JAR-01")]
    events = [_offer(seat, after, cast) if rules.all_gone(before) else _turn(before, seat, int(move or 0), after, cast)]
    if after.ended:
        events.append(_end(after, cast))
    return events


def _offer(seat: int, after: Any, cast: Cast) -> Event:
    data = {"offer": int(after.offer[seat])} if after.ended or after.seat == seat else {}
    return Event("offer", f"{cast.does(seat, 'make')} an offer.", "JAR-07", seat, data)


def _turn(before: Any, seat: int, move: int, after: Any, cast: Cast) -> Event:
    action, size = divmod(move, NUMBERS)
    if action == HOLD:
        return Event("hold", f"{cast.does(seat, 'hold')}.", "JAR-05", seat)
    drew = f" and {cast.verb(seat, 'draw')} another" if after.left < before.left else ""
    if action == PUT:
        rule = "JAR-06" if after.ended else "JAR-02"
        return Event(
            "put", f"{cast.does(seat, 'put')} a jar of size {size} on the shelf{drew}.", rule, seat, {"size": size}
        )
    rule = "JAR-04" if drew else "JAR-03"
    return Event("break", f"{cast.does(seat, 'break')} a jar of size {size}{drew}.", rule, seat, {"size": size})


def _end(after: Any, cast: Cast) -> Event:
    scores = [int(rules.score(after, seat)) for seat in range(after.players)]
    said = ", ".join(f"{cast.whom(seat)} {score}" for seat, score in enumerate(scores))
    if after.ended == OFFERS:
        offers = ", ".join(f"{cast.whom(seat)} {after.offer[seat]}" for seat in range(after.players))
        said = f"{said} (offers: {offers})"
    return Event("end", f"The game is over: {said}.", "JAR-08", None, {"scores": scores})


# What a chair sees


def describe(v: Any) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "pile": int(v.left),
        "hand": [int(jar) for jar in v.hand if jar],
        "open": v.open[1:].tolist(),
        "offering": bool(rules.all_gone(v) and v.ended != SHELF),
        "seats": [_seat(v, seat) for seat in range(v.players)],
    }


def _seat(v: Any, seat: int) -> dict[str, Any]:
    known = v.offered[seat] and (v.ended or v.seat == seat)
    return {
        "name": SEATS[seat],
        "jars": int(v.held[seat]),
        "held": bool(v.rested[seat]),
        "shelf": [int(jar) for jar in v.shelf[seat] if jar],
        "offered": bool(v.offered[seat]),
        "offer": int(v.offer[seat]) if known else None,
        "score": int(rules.score(v, seat)),
    }
