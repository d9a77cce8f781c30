"""What happened in Aathenuo, in words: the draw-off, what was laid and moved, what stars stand for, who is out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.core import SEATS, Event, listing, plural
from clew.games.aathenuo.judging import WORDS, lines_of, meanings, numbers, span
from clew.games.aathenuo.notation import (
    COLOUR_NAMES,
    LETTERS,
    TILE_NAMES,
    Cell,
    Layout,
    laid_of,
    layout_of,
    moved_of,
    write_cell,
)
from clew.games.aathenuo.rules import DRAW, PASS, PASSES
from clew.games.aathenuo.tiles import FACES, NUMBERS, STAR

PLACES = ("", "wins", "comes second", "comes third", "comes last")
SETS = 4  # that a sentence tells one by one


def tell(before: Any, seat: int | None, move: Any, after: Any) -> list[Event]:
    """A turn as a chair saw it."""
    if before is None or seat is None:
        return _opening(after)
    if move.action == DRAW:
        events = [_draw(before, seat, after)]
        if after.bag_left == 0:
            events.append(Event("bag", "The bag is empty: from now on who cannot play passes.", "AAT-13"))
    elif move.action == PASS:
        events = [Event("pass", f"{SEATS[seat]} passes.", "AAT-13", seat)]
    else:
        events = _play(before, seat, move, after)
    if after.place[seat]:
        place = int(after.place[seat])
        said = f"{SEATS[seat]} has no tile left and {PLACES[place]}."
        events.append(Event("out", said, "AAT-12", seat, {"place": place}))
    if after.ended:
        events.append(_end(after))
    return events


# The start and the end


def _opening(v: Any) -> list[Event]:
    """AAT-02, AAT-03: everybody sees who drew what for the start."""
    events = []
    for i, drawn in enumerate(v.drawoff[: v.rounds, : v.players].tolist(), start=1):
        tiles = [None if kind < 0 else TILE_NAMES[kind] for kind in drawn]
        who = [f"{SEATS[seat]} draws {tile}" for seat, tile in enumerate(tiles) if tile]
        again = "For the start" if i == 1 else "They are tied and draw again"
        events.append(Event("draw_off", f"{again}: {listing(who)}.", "AAT-02", None, {"round": i, "tiles": tiles}))
    events.append(Event("begin", f"{SEATS[v.first]} begins.", "AAT-02", int(v.first)))
    left = f"{plural(int(v.bag_left), 'tile')} {'is' if v.bag_left == 1 else 'are'} left in the bag"
    text = f"All tiles go back into the bag, everybody draws {v.hand}, and {left}."
    events.append(Event("deal", text, "AAT-03", None, {"hand": int(v.hand), "bag": int(v.bag_left)}))
    return events


def _end(v: Any) -> Event:
    """AAT-12, AAT-13: the places; racks are laid open where they are compared."""
    seats = range(v.players)
    held = [int(v.colours_held[seat].sum()) for seat in seats]
    sums = [sum(int(count) * (kind % FACES + 1) for kind, count in enumerate(v.shown[seat])) for seat in seats]
    ranks = [(int(v.place[seat]) or len(seats), held[seat], sums[seat]) for seat in seats]
    places = [1 + sum(other < rank for other in ranks) for rank in ranks]
    data = {"places": places, "scores": held}
    if v.ended != PASSES:
        last = held.index(max(held))
        text = f"Only {SEATS[last]} is left, with {plural(held[last], 'tile')}: the game is over."
        return Event("end", text, "AAT-12", None, data)
    left = [
        f"{SEATS[seat]} has {plural(held[seat], 'tile')} left"
        + (f" (a sum of {sums[seat]})" if held.count(held[seat]) > 1 else "")
        for seat in seats
        if held[seat]
    ]
    best = [SEATS[seat] for seat in seats if places[seat] == 1]
    won = f"{best[0]} wins" if len(best) == 1 else f"{listing(best)} share the win"
    return Event("end", f"All have passed, and the racks are laid open: {listing(left)}; {won}.", "AAT-13", None, data)


# A turn


def _draw(before: Any, seat: int, after: Any) -> Event:
    """AAT-06; AAT-04: others see the colour."""
    colour = int((after.colours_held[seat] - before.colours_held[seat]).argmax())
    if after.seat == seat:
        tile = TILE_NAMES[int((after.rack - before.rack).argmax())]
        data = {"colour": LETTERS[colour], "tile": tile}
        return Event("draw", f"{SEATS[seat]} draws {tile}.", "AAT-06", seat, data)
    name = COLOUR_NAMES[colour]
    article = "an" if name[0] in "aeiou" else "a"
    return Event("draw", f"{SEATS[seat]} draws {article} {name} tile.", "AAT-06", seat, {"colour": LETTERS[colour]})


def _play(before: Any, seat: int, move: Any, after: Any) -> list[Event]:
    """AAT-05, AAT-10: what was laid, into which sets, and how many tiles were moved for it."""
    was, now = layout_of(before), layout_of(after)
    laid, moved = laid_of(move), moved_of(move)
    goals = {goal: source for source, goal in moved}
    fresh = {cell for _, cell in laid}
    origin = {cell: None if cell in fresh else goals.get(cell, cell) for cell in now}
    sets = [_set(line, was, now, origin) for line in lines_of(now) if fresh & {*line}]
    text = f"{SEATS[seat]} lays {listing([TILE_NAMES[kind] for kind, _ in laid])}"
    said = [clause for clause, _ in sets]
    text += f": {'; '.join(said)}" if len(said) <= SETS else f" in {_count(len(said), 'set')}"
    if moved:
        text += f", moving {_count(len(moved), 'tile')}"
    data = {
        "laid": [{"tile": TILE_NAMES[kind], "x": x, "y": y} for kind, (x, y) in laid],
        "moved": [{"tile": TILE_NAMES[was[a]], "from": [*a], "to": [*b]} for a, b in moved],
        "sets": [found for _, found in sets],
    }
    rule = "AAT-10" if moved else "AAT-05"
    return [Event("play", f"{text}.", rule, seat, data), *_stars(seat, was, now, origin)]


def _set(line: list[Cell], was: Layout, now: Layout, origin: dict[Cell, Cell | None]) -> tuple[str, dict[str, Any]]:
    """A set with tiles laid in this turn: what it is to the sets there were, in words and as data."""
    old = [cell for cell in line if origin[cell] is not None]
    sources = {origin[cell] for cell in old}
    grown = next((other for other in lines_of(was) if sources >= {*other}), None)
    name = _joined(line, now)
    if not old:
        how, clause = "new", f"a new set {name} at {span(line)}"
    elif grown:
        how, clause = "longer", f"{_joined(grown, was)} grows to {name} at {span(line)}"
    elif len(old) == 1:
        how, clause = "across", f"{name} across the {_spoken(now[old[0]])} at {write_cell(old[0])}"
    else:
        there = listing([TILE_NAMES[now[cell]] for cell in old])
        how, clause = "joined", f"{name} with {there} from the table"
    tiles = [TILE_NAMES[now[cell]] for cell in line]
    return clause, {"how": how, "cells": [[x, y] for x, y in line], "tiles": tiles}


def _stars(seat: int, was: Layout, now: Layout, origin: dict[Cell, Cell | None]) -> list[Event]:
    """AAT-09: what stars stand for, where that is new; and what took the place of a star."""
    events = []
    could, can = meanings(was), meanings(now)
    for cell, kind in now.items():
        source = origin[cell]
        if kind % FACES != STAR or (source == cell and could[cell] == can[cell]):
            continue
        star, stands = TILE_NAMES[kind], numbers(can[cell])
        data = {"tile": star, "x": cell[0], "y": cell[1], "can_be": can[cell]}
        where = write_cell(cell)
        if source is None:
            text = f"{star} at {where} acts as {stands}."
        elif source == cell:
            text = f"{star} at {where} acts as {stands} now, before as {numbers(could[cell])}."
        elif _replaced(source, kind, was, now, could):
            data["replaced_by"] = TILE_NAMES[now[source]]
            text = f"{TILE_NAMES[now[source]]} takes the place of {star}, which acts as {stands} at {where} now."
        else:
            text = f"{star} acts as {stands} at {where} now."
        events.append(Event("star", text, "AAT-09", seat, data))
    return events


def _replaced(source: Cell, star: int, was: Layout, now: Layout, could: dict[Cell, list[int]]) -> bool:
    """Whether a tile that a star acted as lies where it was."""
    kind = now.get(source)
    return kind is not None and kind != star and kind // FACES == star // FACES and kind % FACES + 1 in could[source]


def _joined(line: Sequence[Cell], tiles: Layout) -> str:
    return "–".join(TILE_NAMES[tiles[cell]] for cell in line)


def _spoken(kind: int) -> str:
    """A tile in a sentence: the blue five."""
    face = kind % FACES
    return f"{COLOUR_NAMES[kind // FACES]} {WORDS[face + 1] if face < NUMBERS else 'star'}"


def _count(count: int, thing: str) -> str:
    return plural(count, thing) if count >= len(WORDS) else f"{WORDS[count]} {thing}{'' if count == 1 else 's'}"
