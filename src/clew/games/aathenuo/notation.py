"""How tiles, cells, plays and deals are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from clew.core import LEGAL, BadDeal, IllegalMove, deals, quoted, record
from clew.core.kernels import interpreted
from clew.games.aathenuo import bag, layout
from clew.games.aathenuo.rules import BEYOND, DRAW, MOVE, PASS, PLAY, rearranged
from clew.games.aathenuo.tiles import LETTERS, NUMBERS, TILE, TILES

NUMBER = r"(?:0|-?[1-9]\d{0,2})"
FROM_RACK = re.compile(rf"([{LETTERS}][1-{NUMBERS}*])@({NUMBER}),({NUMBER})", re.ASCII)
ON_TABLE = re.compile(rf"({NUMBER}),({NUMBER})>({NUMBER}),({NUMBER})", re.ASCII)
TO_RACK = re.compile(rf"({NUMBER}),({NUMBER})>rack", re.ASCII | re.IGNORECASE)  # only while a play is in the making
LIKE_THIS = "R3@2,0 for a tile from the rack, 1,1>4,1 for one on the table"

on_table, draw_off = interpreted(layout.on_table), interpreted(bag.draw_off)
copies_of = getattr(bag.copies_of, "py_func", bag.copies_of)  # asked for every kind: a record will do

Cell: TypeAlias = tuple[int, int]
Layout: TypeAlias = dict[Cell, int]  # kinds of tiles by their cells, in reading order
Laid: TypeAlias = tuple[int, Cell]  # a kind of tile from the rack, and where to
Moved: TypeAlias = tuple[Cell, Cell]  # from where, and where to


# Tiles and cells


def reading(cell: Cell) -> Cell:
    """What cells are sorted by: row by row."""
    return cell[1], cell[0]


def read_cell(x: str, y: str) -> Cell:
    """The cell that is written so, if the table reaches so far."""
    cell = int(x), int(y)
    if not on_table(*cell):
        raise IllegalMove(*BEYOND.say({}))
    return cell


def names(rack: Any) -> list[str]:
    """The tiles of a rack, by colour and number."""
    return [TILE.pieces[kind] for kind, count in enumerate(rack.tolist()) for _ in range(count)]


def layout_of(v: Any) -> Layout:
    """The table."""
    return {(x, y): kind for kind, x, y in _rows(v, 0, v.tiles, "tile", "x", "y")}


def _rows(there: Any, begin: int, end: int, *names: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(getattr(there, name)[begin:end].tolist() for name in names), strict=True)


# Moves


def laid_of(move: Any) -> list[Laid]:
    """What a play lays from the rack, in reading order."""
    return [(kind, (x, y)) for kind, x, y in _rows(move, 0, move.placed, "tile", "x", "y")]


def moved_of(move: Any) -> list[Moved]:
    """What a play moves on the table, in the reading order of where it was."""
    rows = _rows(move, move.placed, move.placed + move.moved, "from_x", "from_y", "x", "y")
    return [((from_x, from_y), (x, y)) for from_x, from_y, x, y in rows]


def play_of(laid: Iterable[Laid], moved: Iterable[Moved]) -> Any:
    """The move with these parts, in their normal order."""
    move = record(MOVE)
    for i, (kind, cell) in enumerate(sorted(laid, key=lambda part: (reading(part[1]), part[0]))):
        move.tile[i], (move.x[i], move.y[i]) = kind, cell
        move.placed = i + 1
    for i, (source, cell) in enumerate(sorted(moved, key=lambda part: [*map(reading, part)]), start=move.placed):
        (move.from_x[i], move.from_y[i]), (move.x[i], move.y[i]) = source, cell
        move.moved += 1
    return move


def table_after(move: Any, v: Any) -> tuple[int, list[int], Layout]:
    """The reason against what a play does to the table, or LEGAL; the tiles that it is about; the table after it."""
    tile, x, y = np.zeros((3, TILES), np.int64)
    total = rearranged(v, move, tile, x, y)
    after = dict(zip(zip(x[: max(total, 0)].tolist(), y.tolist()), tile.tolist()))
    return max(-total, LEGAL), tile[:2].tolist(), after


def write(move: Any, v: Any) -> str:
    """The written form of a move: R3@2,0 R4@3,0 1,1>4,1, or draw, or pass."""
    if move.action != PLAY:
        return "draw" if move.action == DRAW else "pass"
    from_rack = [f"{TILE.pieces[kind]}@{x},{y}" for kind, (x, y) in laid_of(move)]
    return " ".join(from_rack + [f"{a},{b}>{x},{y}" for (a, b), (x, y) in moved_of(move)])


def read_play(words: list[str]) -> Any:
    """The play with these parts; whether it can be made is for the rules to say."""
    if len(words) > TILES:
        raise IllegalMove("COM-06", f"There are {TILES} tiles at most, so a play has no more parts than that.")
    laid: list[Laid] = []
    moved: list[Moved] = []
    for word in words:
        if found := FROM_RACK.fullmatch(word):
            laid.append((TILE.codes[found[1]], read_cell(found[2], found[3])))
        elif found := ON_TABLE.fullmatch(word):
            moved.append((read_cell(found[1], found[2]), read_cell(found[3], found[4])))
        else:
            raise IllegalMove("COM-06", f"{quoted(word)} is not a part of a play; parts are written like {LIKE_THIS}.")
    return play_of(laid, moved)


def parse(text: str, v: Any) -> Any:
    """The move that is written so."""
    words = [word for word in text.split(" ") if word]
    if words in (["draw"], ["pass"]):
        move = record(MOVE)
        move.action = DRAW if words == ["draw"] else PASS
        return move
    if not words:
        raise IllegalMove("COM-06", f"A move is draw, pass or a play; a play is written like {LIKE_THIS}.")
    return read_play(words)


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    lines = _write_draw_off(s)
    for seat in range(s.players):
        lines[f"rack {seat}"] = " ".join(names(s.rack[seat]))
    return lines | {"bag": " ".join(TILE.pieces[kind] for kind in s.bag[s.top :].tolist())}


def drawn_for_the_start(s: Any) -> list[list[str]]:
    """AAT-02: the tile that each player drew, round by round; an empty name for none."""
    return [[str(TILE.word(kind)) for kind in drawn] for drawn in s.drawoff[: s.rounds, : s.players].tolist()]


def _write_draw_off(s: Any) -> dict[str, str]:
    rounds = enumerate(drawn_for_the_start(s), start=1)
    return {f"drawoff {i}": " ".join(name or "-" for name in drawn) for i, drawn in rounds}


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    rounds = [f"drawoff {i}" for i in range(1, 1 + max(1, sum(key.startswith("drawoff ") for key in lines)))]
    racks = [f"rack {seat}" for seat in range(s.players)]
    deals.same_keys(lines, [*rounds, *racks, "bag"])
    there = {name: copies_of(s, kind) for kind, name in enumerate(TILE.pieces) if copies_of(s, kind)}
    _read_draw_off(lines, rounds, there, s)
    s.top = TILES - sum(there.values()) + int(s.players) * int(s.hand)
    found = {key: deals.pieces(lines, key, int(s.hand), there) for key in racks}
    found["bag"] = deals.pieces(lines, "bag", TILES - int(s.top), there)
    deals.exactly(found, there)
    for seat, key in enumerate(racks):
        for name in found[key]:
            s.rack[seat, TILE.codes[name]] += 1
    s.bag[s.top :] = [TILE.codes[name] for name in found["bag"]]


def _read_draw_off(lines: Mapping[str, str], rounds: list[str], there: Mapping[str, int], s: Any) -> None:
    """AAT-02: the tiles drawn for the start, drawn again, must leave the same lines."""
    drawn = {key: deals.pieces(lines, key, int(s.players), [*there, "-"]) for key in rounds}
    tiles = [name for key in rounds for name in drawn[key] if name != "-"]
    for name, count in Counter(tiles).items():
        if count > there[name]:
            key = next(key for key in reversed(rounds) if name in drawn[key])
            raise BadDeal(key, f"{name} is drawn for the start more often than the game has it.")
    leads = draw_off(s, np.array([TILE.codes[name] for name in reversed(tiles)], np.int64), len(tiles))
    again = _write_draw_off(s)
    wrong = [key for key in rounds if again.get(key) != " ".join(drawn[key])]
    if wrong or not leads:
        key = [*wrong, rounds[-1]][0]
        raise BadDeal(key, f"'deal {key}:' cannot be: all draw, then those who are tied, until one leads.")
