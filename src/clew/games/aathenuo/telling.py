"""What happened in Aathenuo, in words: the draw-off, what was laid and moved, what stars stand for, who is out."""

from __future__ import annotations

from typing import Any

from clew.core import Cast, Event, listing, plural
from clew.core.kernels import interpreted
from clew.games.aathenuo import notation, rules
from clew.games.aathenuo.judging import WORDS, lines_of, meanings, numbers, spoken
from clew.games.aathenuo.notation import Cell, Laid, Layout, Moved, laid_of, layout_of, moved_of, table_after
from clew.games.aathenuo.tiles import COLOUR_NAMES, FACES, LETTERS, STAR, TILE

PLACES = (("", ""), ("win", ""), ("come", " second"), ("come", " third"), ("come", " last"))
SETS = 4  # that a sentence tells one by one


def tell(before: Any, seat: int | None, move: Any, after: Any, cast: Cast) -> list[Event]:
    """A turn as a chair saw it."""
    if before is None or seat is None:
        return _opening(after, cast)
    if move.action == rules.DRAW:
        events = [_draw(before, seat, after, cast)]
        if after.bag_count == 0:
            events.append(Event("bag", "The bag is empty: from now on who cannot play passes.", "AAT-13"))
    elif move.action == rules.PASS:
        events = [Event("pass", f"{cast.does(seat, 'pass')}.", "AAT-13", seat)]
    else:
        events = _play(before, seat, move, after, cast)
    if after.place[seat]:
        place = int(after.place[seat])
        verb, how = PLACES[place]
        said = f"{cast.does(seat, 'have')} no tile left and {cast.verb(seat, verb)}{how}."
        events.append(Event("out", said, "AAT-12", seat, {"place": place}))
    if after.ended:
        events.append(_end(after, cast))
    return events


# The start and the end


def _opening(v: Any, cast: Cast) -> list[Event]:
    """AAT-02, AAT-03: everybody sees who drew what for the start."""
    events = []
    for i, drawn in enumerate(notation.drawn_for_the_start(v), start=1):
        drew = [(seat, TILE.spoken[TILE.codes[name]]) for seat, name in enumerate(drawn) if name]
        who = [f"{cast.does(seat, 'draw', inside=True)} {tile}" for seat, tile in drew]
        again = "For the start" if i == 1 else "They are tied and draw again"
        data = {"round": i, "tiles": [name or None for name in drawn]}
        events.append(Event("draw_off", f"{again}: {listing(who)}.", "AAT-02", None, data))
    events.append(Event("begin", f"{cast.does(v.first, 'begin')}.", "AAT-02", int(v.first)))
    left = f"{plural(int(v.bag_count), 'tile')} {'is' if v.bag_count == 1 else 'are'} left in the bag"
    text = f"All tiles go back into the bag, everybody draws {v.hand}, and {left}."
    events.append(Event("deal", text, "AAT-03", None, {"hand": int(v.hand), "bag": int(v.bag_count)}))
    return events


def _end(v: Any, cast: Cast) -> Event:
    """AAT-12, AAT-13: the places; racks are laid open where they are compared."""
    standings = [interpreted(rules.standing)(v, seat) for seat in range(v.players)]
    held = [tiles for tiles, _, _ in standings]
    places = [1 + sum(other < own for other in standings) for own in standings]
    data = {"places": places, "scores": held}
    if v.ended != rules.PASSES:
        last = held.index(max(held))
        text = f"Only {cast.does(last, 'be', inside=True)} left, with {plural(held[last], 'tile')}: the game is over."
        return Event("end", text, "AAT-12", None, data)
    left = [
        f"{cast.does(seat, 'have', inside=True)} {plural(tiles, 'tile')} left"
        + (f" (a sum of {numbers_held})" if held.count(tiles) > 1 else "")
        for seat, (tiles, _, numbers_held) in enumerate(standings)
        if tiles
    ]
    best = [seat for seat, place in enumerate(places) if place == 1]
    won = cast.do(best, "win", inside=True) if len(best) == 1 else f"{cast.all(best, inside=True)} share the win"
    return Event("end", f"All have passed, and the racks are laid open: {listing(left)}; {won}.", "AAT-13", None, data)


# A turn


def _draw(before: Any, seat: int, after: Any, cast: Cast) -> Event:
    """AAT-06; AAT-04: others see the colour."""
    colour = int((after.colours_held[seat] - before.colours_held[seat]).argmax())
    if after.seat == seat:
        kind = int((after.rack[seat] - before.rack[seat]).argmax())
        data = {"colour": LETTERS[colour], "tile": TILE.pieces[kind]}
        return Event("draw", f"{cast.does(seat, 'draw')} {_a(TILE.spoken[kind])}.", "AAT-06", seat, data)
    text = f"{cast.does(seat, 'draw')} {_a(COLOUR_NAMES[colour])} tile."
    return Event("draw", text, "AAT-06", seat, {"colour": LETTERS[colour]})


def _a(thing: str) -> str:
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def _play(before: Any, seat: int, move: Any, after: Any, cast: Cast) -> list[Event]:
    """AAT-05, AAT-10: what was laid, into which sets, and how many tiles were moved for it."""
    was, now = layout_of(before), layout_of(after)
    laid, moved = laid_of(move), moved_of(move)
    sets, origin = _sets(laid, moved, was, now)
    text = f"{cast.does(seat, 'lay')} {_lay(laid, moved, sets)}"
    data = {
        "laid": [{"tile": TILE.pieces[kind], "x": x, "y": y} for kind, (x, y) in laid],
        "moved": [{"tile": TILE.pieces[was[a]], "from": [*a], "to": [*b]} for a, b in moved],
        "sets": [found for _, found in sets],
    }
    rule = "AAT-10" if moved else "AAT-05"
    return [Event("play", f"{text}.", rule, seat, data), *_stars(seat, was, now, origin)]


def say(move: Any, v: Any) -> tuple[str, str]:
    """A move for people: the tiles, and which sets come of them."""
    if move.action != rules.PLAY:
        said = "draw a tile" if move.action == rules.DRAW else "pass"
        return said, said
    was, laid, moved = layout_of(v), laid_of(move), moved_of(move)
    _, _, now = table_after(move, v)
    sets, _ = _sets(laid, moved, was, now)
    into = [spoken([(x, y) for x, y in found["cells"]], now) for _, found in sets]
    short = "; ".join(into) if len(into) <= SETS else _count(len(into), "set")
    if moved:
        short += f", moving {_count(len(moved), 'tile')}"
    return short, f"lay {_lay(laid, moved, sets)}"


def _lay(laid: list[Laid], moved: list[Moved], sets: list[tuple[str, dict[str, Any]]]) -> str:
    """What is laid, what comes of it, and for how many tiles room was made."""
    text = listing([TILE.spoken[kind] for kind, _ in laid])
    said = [clause for clause, _ in sets]
    text += f": {'; '.join(said)}" if len(said) <= SETS else f" in {_count(len(said), 'set')}"
    return f"{text}, moving {_count(len(moved), 'tile')}" if moved else text


def _sets(
    laid: list[Laid], moved: list[Moved], was: Layout, now: Layout
) -> tuple[list[tuple[str, dict[str, Any]]], dict[Cell, Cell | None]]:
    """The sets with tiles laid in this turn, in words and as data; and where each tile on the table was before."""
    goals = {goal: source for source, goal in moved}
    fresh = {cell for _, cell in laid}
    origin = {cell: None if cell in fresh else goals.get(cell, cell) for cell in now}
    return [_set(line, was, now, origin) for line in lines_of(now) if fresh & {*line}], origin


def _set(line: list[Cell], was: Layout, now: Layout, origin: dict[Cell, Cell | None]) -> tuple[str, dict[str, Any]]:
    """A set with tiles laid in this turn: what it is to the sets there were, in words and as data."""
    old = [cell for cell in line if origin[cell] is not None]
    sources = {origin[cell] for cell in old}
    grown = next((other for other in lines_of(was) if sources >= {*other}), None)
    name = spoken(line, now)
    if not old:
        how, clause = "new", f"a new set, {name}"
    elif grown:
        how, clause = "longer", f"added to {spoken(grown, was)}"
    elif len(old) == 1:
        how, clause = "across", f"{name} across the {TILE.spoken[now[old[0]]]} on the table"
    else:
        there = listing([TILE.spoken[now[cell]] for cell in old])
        how, clause = "joined", f"{name} with {there} from the table"
    tiles = [TILE.pieces[now[cell]] for cell in line]
    return clause, {"how": how, "cells": [[x, y] for x, y in line], "tiles": tiles}


def _stars(seat: int, was: Layout, now: Layout, origin: dict[Cell, Cell | None]) -> list[Event]:
    """AAT-09: what stars stand for, where that is new; and what took the place of a star."""
    events = []
    could, can = meanings(was), meanings(now)
    for cell, kind in now.items():
        source = origin[cell]
        if kind % FACES != STAR or (source == cell and could[cell] == can[cell]):
            continue
        star, stands = f"the {TILE.spoken[kind]}", numbers(can[cell])
        data = {"tile": TILE.pieces[kind], "x": cell[0], "y": cell[1], "can_be": can[cell]}
        if source is None:
            text = f"The {TILE.spoken[kind]} acts as {stands}."
        elif source == cell:
            text = f"The {TILE.spoken[kind]} acts as {stands} now, before as {numbers(could[cell])}."
        elif _replaced(source, kind, was, now, could):
            data["replaced_by"] = TILE.pieces[now[source]]
            text = f"The {TILE.spoken[now[source]]} takes the place of {star}, which acts as {stands} elsewhere now."
        else:
            text = f"The {TILE.spoken[kind]} acts as {stands} in a new place."
        events.append(Event("star", text, "AAT-09", seat, data))
    return events


def _replaced(source: Cell, star: int, was: Layout, now: Layout, could: dict[Cell, list[int]]) -> bool:
    """Whether a tile that a star acted as lies where it was."""
    kind = now.get(source)
    return kind is not None and kind != star and kind // FACES == star // FACES and kind % FACES + 1 in could[source]


def _count(count: int, thing: str) -> str:
    return plural(count, thing) if count >= len(WORDS) else f"{WORDS[count]} {thing}{'' if count == 1 else 's'}"
