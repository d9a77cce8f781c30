"""How people read and write Aathenuo: moves and deals, why a move is refused, what happened, what a chair sees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.core import LEGAL, SEATS, IllegalMove, Reason, record
from clew.games.aathenuo import judging, notation, rules
from clew.games.aathenuo.judging import WORDS, judge, lines_of, meanings
from clew.games.aathenuo.notation import Cell, Layout, layout_of, parse, read_deal, table_after, write, write_deal
from clew.games.aathenuo.shapes import AathenuoTable, Fault, Seat, Tile
from clew.games.aathenuo.telling import say, tell
from clew.games.aathenuo.tiles import FACES, LETTERS, STAR, TILE, TILES

__all__ = ["parse", "read_deal", "say", "tell", "write", "write_deal"]  # besides what is said here

IN_PLAY = Reason("AAT-10", "The {tile} was in play before your turn: it never comes into a hand.")


# Why a move is refused


def explain(reason: int, move: Any, v: Any) -> tuple[str, str] | tuple[str, str, list[Fault]]:
    """The rule that a refused move breaks, and how; of a layout all faults."""
    kinds = [0, 0]
    if move.action == rules.PLAY and reason != rules.NOT_A_MOVE:
        _, kinds, table = _refused(move, v)
        if reason == rules.NO_SETS:
            found = judge(table)
            return found[0]["rule"], " ".join(dict.fromkeys(fault["text"] for fault in found)), found
    return _because(reason, kinds, v)


def _refused(move: Any, v: Any) -> tuple[int, list[int], Layout]:
    """The reason against a play whatever its sets are, or LEGAL; the tiles that it is about; the table after it."""
    tile = np.zeros(TILES, np.int64)
    reason = rules.lacking(v, int(v.seat), move, tile)
    return table_after(move, v) if reason == LEGAL else (reason, tile[:2].tolist(), {})


def _because(reason: int, kinds: list[int], v: Any) -> tuple[str, str]:
    tile, other = (TILE.spoken[kind] for kind in kinds)
    left = "is 1 tile" if v.bag_count == 1 else f"are {v.bag_count} tiles"
    facts = {"tile": tile, "other": other, "held": WORDS[v.rack[v.seat, kinds[0]]], "left": left}
    return rules.REASONS[reason - 1].say(facts)


# A play in the making


@dataclass(frozen=True)
class Draft:
    """AAT-11: a play that is not ended yet, with what `DraftShape` tells of it."""

    text: str
    table: list[Tile]
    faults: list[Fault]
    rack: list[str]


def draft(parts: list[str], v: Any) -> Draft:
    """A play typed in parts, each acting on the table as the parts before have left it.

    A part is one word or several, which take effect together: R3@2,0 or 1,1>4,1 as in a move, on tiles laid by parts
    before as well; 2,0>rack takes such a tile back. A part that cannot be done is refused.
    """
    origin: dict[Cell, Cell | None] = {cell: cell for cell in layout_of(v)}  # None: from the rack
    now = v.copy()
    for part in parts:
        _add_part(part, now, origin)
    table = layout_of(now)
    laid = [(kind, cell) for cell, kind in table.items() if origin[cell] is None]
    move = notation.play_of(laid, [(source, cell) for cell, source in origin.items() if source and source != cell])
    faults = judge(table)
    if not laid:
        rule, text = rules.NO_TILE_LAID.say({})
        faults.insert(0, {"rule": rule, "text": text, "cells": [], "tiles": []})
    return Draft(write(move, v), _tiles(table), faults, _rack(now))


def _add_part(part: str, now: Any, origin: dict[Cell, Cell | None]) -> None:
    """Do one part more, if it can be done, to what the player sees."""
    back = [notation.read_cell(*found.groups()) for word in part.split() if (found := notation.TO_RACK.fullmatch(word))]
    move = notation.read_play([word for word in part.split() if not notation.TO_RACK.fullmatch(word)])
    table = layout_of(now)
    for cell in back:
        if cell not in table:
            raise IllegalMove(*rules.NOT_ON_TABLE.say({}))
        kind = table.pop(cell)
        if origin.pop(cell) is not None:
            raise IllegalMove(*IN_PLAY.say({"tile": TILE.spoken[kind]}))
        now.rack[now.seat, kind] += 1
    _lay_out(table, now)
    reason, kinds, table = _refused(move, now)
    if reason != LEGAL:
        raise IllegalMove(*_because(reason, kinds, now))
    _lay_out(table, now)
    origin |= {goal: first for (_, goal), first in [(one, origin.pop(one[0])) for one in notation.moved_of(move)]}
    for kind, cell in notation.laid_of(move):
        origin[cell] = None
        now.rack[now.seat, kind] -= 1


def _lay_out(table: Layout, now: Any) -> None:
    now.tiles = len(table)
    now.tile[: len(table)] = list(table.values())
    now.x[: len(table)], now.y[: len(table)] = [x for x, _ in table], [y for _, y in table]


# What a chair sees


def describe(v: Any) -> AathenuoTable:
    """The table as plain data, in reading order, the racks by colour and number."""
    table = layout_of(v)
    return {
        "turns": int(v.turns),
        "turn": int(v.turn),
        "passes": int(v.passes),
        "first": int(v.first),
        "bag": int(v.bag_count),
        "draw_off": [[name or None for name in drawn] for drawn in notation.drawn_for_the_start(v)],
        "tiles": _tiles(table),
        "sets": [
            {
                "kind": "run" if len({table[cell] // FACES for cell in line}) == 1 else "group",
                "cells": [[x, y] for x, y in line],
                "tiles": [TILE.pieces[table[cell]] for cell in line],
            }
            for line in lines_of(table)
        ],
        "rack": _rack(v),
        "seats": [_seat(v, seat) for seat in range(v.players)],
        "unseen": _unseen(v),
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks."""
    return {"rack": _rack(v), "unseen": _unseen(v)}


def _rack(v: Any) -> list[str]:
    return notation.names(v.rack[v.seat]) if v.seat >= 0 else []


def _unseen(v: Any) -> dict[str, int]:
    """How many tiles of each kind the chair has not seen."""
    seen = Counter(v.tile[: v.tiles].tolist()) + Counter(dict(enumerate(v.rack.sum(axis=0).tolist())))
    left = {name: notation.copies_of(v, kind) - seen[kind] for kind, name in enumerate(TILE.pieces)}
    return {name: count for name, count in left.items() if count > 0}


def _seat(v: Any, seat: int) -> Seat:
    held = v.colours_held[seat].tolist()
    return {
        "name": SEATS[seat],
        "tiles": sum(held),
        "colours": {LETTERS[colour]: held[colour] for colour in range(v.colours)},
        "place": int(v.place[seat]),
        "rack": notation.names(v.rack[seat]) if v.ended == rules.PASSES else None,
    }


def _tiles(table: Layout) -> list[Tile]:
    can_be = meanings(table)
    return [
        {
            "tile": TILE.pieces[kind],
            "x": x,
            "y": y,
            "colour": LETTERS[kind // FACES],
            "number": None if kind % FACES == STAR else kind % FACES + 1,
            "can_be": can_be[x, y],
        }
        for (x, y), kind in table.items()
    ]


_example = record(rules.State.view_type()), record(rules.MOVE), *np.zeros((3, TILES), np.int64)
COMPILED = {
    **judging.COMPILED,
    "lacking": (rules.lacking, (_example[0], 0, *_example[1:3])),
    "rearranged": (rules.rearranged, _example),
}
"""Rules that only the words call, each with arguments like theirs."""
