"""How people read and write Aathenuo: moves and deals, why a move is refused, what happened, what a chair sees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from clew.core import SEATS, IllegalMove
from clew.games.aathenuo import rules
from clew.games.aathenuo.judging import COMPILED, WORDS, judge, lines_of, meanings
from clew.games.aathenuo.notation import (
    BEYOND,
    LETTERS,
    SPOKEN,
    TILE_NAMES,
    TO_RACK,
    Cell,
    Laid,
    Layout,
    Moved,
    copies_of,
    laid_of,
    layout_of,
    moved_of,
    names,
    parse,
    read_cell,
    read_deal,
    read_word,
    reading,
    write,
    write_deal,
    write_play,
)
from clew.games.aathenuo.rules import DRAW, PASSES
from clew.games.aathenuo.shapes import AathenuoTable, Fault, Seat, Tile
from clew.games.aathenuo.telling import say, tell
from clew.games.aathenuo.tiles import FACES, KINDS, STAR

__all__ = [
    "COMPILED",
    "Draft",
    "describe",
    "draft",
    "explain",
    "judge",
    "parse",
    "read_deal",
    "say",
    "tell",
    "write",
    "write_deal",
]

copies_there = getattr(copies_of, "py_func", copies_of)  # the rule, on what a look tells in plain attributes

NOTHING_THERE = ("AAT-10", "There is no tile to move at that place.")
NOTHING_LAID = "At least one tile must come from your rack."


# Why a move is refused


def explain(reason: int, move: Any, v: Any) -> tuple[str, str] | tuple[str, str, list[Fault]]:
    """The rule that a refused move breaks, and how; of a layout all faults."""
    if reason == rules.NOT_A_MOVE:
        return "COM-06", "That is not a move."
    if reason == rules.HAS_PLAY:
        rule, what = ("AAT-06", "draw") if move.action == DRAW else ("AAT-13", "pass")
        return rule, f"You have a play, so you may not {what}: at this table who can play must play."
    if reason == rules.BAG_EMPTY:
        return "AAT-06", "The bag is empty: there is no tile to draw."
    if reason == rules.BAG_NOT_EMPTY:
        left = "is 1 tile" if v.bag_left == 1 else f"are {v.bag_left} tiles"
        return "AAT-13", f"There {left} in the bag: who does not play draws, and passes only when it is empty."
    laid, moved = laid_of(move), moved_of(move)
    if reason == rules.NO_TILE_LAID:
        return "AAT-05", NOTHING_LAID
    if reason in (rules.NOT_ON_RACK, rules.TOO_MANY):
        counts = Counter(kind for kind, _ in laid)
        kind = next(kind for kind in counts if counts[kind] > v.rack[kind])
        return _too_few(kind, int(v.rack[kind]))
    table = layout_of(v)
    if reason == rules.NOT_ON_TABLE:
        return NOTHING_THERE
    if reason == rules.MOVED_TWICE:
        sources = [source for source, _ in moved]
        return _moved_twice(table[next(source for source in sources if sources.count(source) > 1)])
    if reason == rules.NOT_MOVED:
        return _own_cell(table[next(source for source, goal in moved if source == goal)])
    if reason == rules.BEYOND:
        return "AAT-07", BEYOND
    gone = {source for source, _ in moved}
    targets = [(cell, kind) for kind, cell in laid] + [(goal, table[source]) for source, goal in moved]
    targets += [(cell, kind) for cell, kind in table.items() if cell not in gone]
    after = dict(sorted(targets, key=lambda target: reading(target[0])))
    if reason == rules.OCCUPIED:
        cells = Counter(cell for cell, _ in targets)
        cell = next(cell for cell in after if cells[cell] > 1)
        return _two_on_one([kind for target, kind in targets if target == cell])
    found = judge(after)
    return found[0]["rule"], " ".join(dict.fromkeys(fault["text"] for fault in found)), found


def _too_few(kind: int, held: int) -> tuple[str, str]:
    name = SPOKEN[kind]
    return (
        "AAT-05",
        f"You have only {WORDS[held]} {name} on your rack." if held else f"You have no {name} on your rack.",
    )


def _moved_twice(kind: int) -> tuple[str, str]:
    return "AAT-10", f"The {SPOKEN[kind]} can go to one place only, not to two."


def _own_cell(kind: int) -> tuple[str, str]:
    return "AAT-10", f"The {SPOKEN[kind]} lies there already: leave it out of the move."


def _two_on_one(kinds: list[int]) -> tuple[str, str]:
    one, other = (SPOKEN[kind] for kind in sorted(kinds[:2]))
    return "AAT-07", f"The {one} and the {other} cannot both lie in one place: a cell is for one tile."


# A play in the making


@dataclass(frozen=True)
class Draft:
    """AAT-11: a play that is not ended yet, and what the table would be."""

    text: str
    """The whole as one move; empty when nothing is changed."""
    table: list[Tile]
    """The tiles as `describe` lists them."""
    faults: list[Fault]
    """What is in the way of ending the turn with it, as `judge` tells it; none when it can be played."""
    rack: list[str]
    """What is left on the rack."""


def draft(parts: list[str], v: Any) -> Draft:
    """A play typed in parts, each acting on the table as the parts before have left it.

    A part is one word or several, which take effect together: R3@2,0 or 1,1>4,1 as in a move, on tiles laid by parts
    before as well; 2,0>rack takes such a tile back. A part that cannot be done is refused.
    """
    origin: dict[Cell, Cell | None] = {cell: cell for cell in layout_of(v)}  # None: from the rack
    table, rack = layout_of(v), v.rack.copy()
    for part in parts:
        table, origin, rack = _drafted(part, table, origin, rack)
    table = {cell: table[cell] for cell in sorted(table, key=reading)}
    laid: list[Laid] = [(kind, cell) for cell, kind in table.items() if origin[cell] is None]
    moved: list[Moved] = [(source, cell) for cell, source in origin.items() if source and source != cell]
    faults = judge(table)
    if not laid:
        faults.insert(0, {"rule": "AAT-05", "text": NOTHING_LAID, "cells": [], "tiles": []})
    text = write_play(laid, sorted(moved, key=lambda one: reading(one[0])))
    return Draft(text, _tiles(table), faults, names(rack))


def _drafted(
    part: str, table: Layout, origin: dict[Cell, Cell | None], rack: Any
) -> tuple[Layout, dict[Cell, Cell | None], Any]:
    """The draft with one part more."""
    table, origin, rack = dict(table), dict(origin), rack.copy()
    lifted: dict[Cell, int] = {}
    targets: list[tuple[Cell, int, Cell | None]] = []
    laid: list[Laid] = []
    for word in part.split():
        goal: Cell | None = None
        if back := TO_RACK.fullmatch(word):
            source = read_cell(*back.groups())
        else:
            what, goal = read_word(word)
            if isinstance(what, int):
                laid.append((what, goal))
                continue
            source = what
        if source in lifted:
            raise IllegalMove(*_moved_twice(lifted[source]))
        if source not in table:
            raise IllegalMove(*NOTHING_THERE)
        if source == goal:
            raise IllegalMove(*_own_cell(table[source]))
        kind, first = table.pop(source), origin.pop(source)
        lifted[source] = kind
        if goal is not None:
            targets.append((goal, kind, first))
        elif first is None:
            rack[kind] += 1
        else:
            there = f"The {SPOKEN[kind]} was in play before your turn"
            raise IllegalMove("AAT-10", f"{there}: it never comes into a hand.")
    for kind, count in Counter(kind for kind, _ in laid).items():
        if count > rack[kind]:
            raise IllegalMove(*_too_few(kind, int(rack[kind])))
        rack[kind] -= count
    targets += [(cell, kind, None) for kind, cell in laid]
    for cell, kind, first in targets:
        if cell in table:
            raise IllegalMove(*_two_on_one([table[cell], kind]))
        table[cell], origin[cell] = kind, first
    return table, origin, rack


# What a chair sees


def describe(v: Any) -> AathenuoTable:
    """The table as plain data, in reading order, the racks by colour and number."""
    table = layout_of(v)
    return {
        "turns": int(v.turns),
        "turn": int(v.turn),
        "passes": int(v.passes),
        "first": int(v.first),
        "bag": int(v.bag_left),
        "draw_off": [
            [None if kind < 0 else TILE_NAMES[kind] for kind in drawn]
            for drawn in v.drawoff[: v.rounds, : v.players].tolist()
        ],
        "tiles": _tiles(table),
        "sets": [
            {
                "kind": "run" if len({table[cell] // FACES for cell in line}) == 1 else "group",
                "cells": [[x, y] for x, y in line],
                "tiles": [TILE_NAMES[table[cell]] for cell in line],
            }
            for line in lines_of(table)
        ],
        "rack": names(v.rack),
        "seats": [_seat(v, seat) for seat in range(v.players)],
        "unseen": _unseen(v),
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks."""
    return {"rack": names(v.rack), "unseen": _unseen(v)}


def _unseen(v: Any) -> dict[str, int]:
    """How many tiles of each kind the chair has not seen."""
    known = v.shown.sum(axis=0) if v.ended == PASSES else v.rack
    seen = Counter(v.tile[: v.tiles].tolist()) + Counter(dict(enumerate(known.tolist())))
    return {TILE_NAMES[k]: copies_there(v, k) - seen[k] for k in range(KINDS) if copies_there(v, k) > seen[k]}


def _seat(v: Any, seat: int) -> Seat:
    held = v.colours_held[seat].tolist()
    return {
        "name": SEATS[seat],
        "tiles": sum(held),
        "colours": {LETTERS[colour]: held[colour] for colour in range(v.colours)},
        "place": int(v.place[seat]),
        "rack": names(v.shown[seat]) if v.ended == PASSES else None,
    }


def _tiles(table: Layout) -> list[Tile]:
    can_be = meanings(table)
    return [
        {
            "tile": TILE_NAMES[kind],
            "x": x,
            "y": y,
            "colour": LETTERS[kind // FACES],
            "number": None if kind % FACES == STAR else kind % FACES + 1,
            "can_be": can_be[x, y],
        }
        for (x, y), kind in table.items()
    ]
