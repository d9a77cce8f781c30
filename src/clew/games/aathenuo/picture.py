"""Aathenuo in the terminal: the grids with their coordinates, the stars, the racks, a play in the making."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text

from clew.core import SEAT_STYLES, plural
from clew.games.aathenuo.judging import numbers
from clew.games.aathenuo.tiles import COLOUR_NAMES, LETTERS

COLUMNS = 80
MARGIN = 5  # for the numbers of the rows
EMPTY = 2  # so many empty rows or columns between two grids are shown, more are left out
STYLES = {
    **{"R": "bold #FFFFFF on #B5482F", "Y": "bold #1F2A37 on #E3B448", "B": "bold #FFFFFF on #1F5F8B"},
    **{"G": "bold #FFFFFF on #55702C", "P": "bold #FFFFFF on #6B4A8B", "O": "bold #1F2A37 on #E0803A"},
}
NAMES = dict(zip(LETTERS, COLOUR_NAMES))
PLACES = ("", "first", "second", "third", "fourth")
WRONG, FRESH, GONE = ("!", "bold #D03B2B"), ("+", "bold"), ("◦", "dim")
QUIET = "dim"

EXAMPLES = {
    "R3@2,0": "the red 3 from your rack goes to 2,0",
    "1,1>4,1": "the tile at 1,1 goes to 4,1",
    "2,0>rack": "the tile that you have laid at 2,0 comes back to your rack",
}
"""Parts of a play, as they are typed and what they mean."""

Lines: TypeAlias = list[Text]
Cell: TypeAlias = tuple[int, int]


def picture(view: dict[str, Any], draft: Any = None) -> RenderableType:
    """The table as one chair sees it; with a draft, the table and the rack as that would leave them."""
    table = view["table"]
    if draft is None:
        parts = [_seats(view), _grids(table["tiles"], {}), _stars(table["tiles"])]
    else:
        parts = [_grids(draft.table, _marks(table["tiles"], draft)), _stars(draft.table) if not draft.faults else []]
    if view["seat"] is not None:
        parts.append(_rack("your rack", table["rack"] if draft is None else draft.rack))
    parts += [_rack(player["name"], player["rack"]) for player in _open(view)]
    return Group(*(line for part in parts if part for line in [*part, Text("")]))


def heading(move: str) -> str:
    """Under which words a move is listed: how many tiles it lays and how many it moves."""
    laid, moved = move.count("@"), move.count(">")
    if not laid:
        return ""
    return f"{plural(laid, 'tile')}{f', {moved} moved' if moved else ''}"


# Who holds what


def _seats(view: dict[str, Any]) -> Lines:
    table = view["table"]
    lines = []
    for seat, player in enumerate(table["seats"]):
        line = Text.assemble("▶ " if seat in view["to_move"] else "  ", (f" {player['name']} ", SEAT_STYLES[seat]))
        line.append(f"{plural(player['tiles'], 'tile'):>{17 - len(player['name'])}}")
        if player["place"]:
            line.append(f"   out, {PLACES[player['place']]}")
        elif seat == view["seat"]:
            line.append("   you")
        else:
            for colour, count in player["colours"].items():
                line.append(f" {count:>2} {NAMES[colour]} ", "" if count else QUIET)
        lines.append(line)
    return [*lines, Text(f"   {'bag':<8}{plural(table['bag'], 'tile'):>10}", QUIET)]


def _open(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The others whose racks lie open at the end."""
    seats = enumerate(view["table"]["seats"])
    return [player for seat, player in seats if player["rack"] and seat != view["seat"]]


def _rack(whose: str, rack: list[str]) -> Lines:
    """The tiles by colour and number, as many colours on a line as fit."""
    lines = [Text(whose, QUIET)]
    for _, same in groupby(_sorted(rack), key=lambda tile: tile[0]):
        run = Text("  ")
        for tile in same:
            run.append_text(_tile(tile)).append(" ")
        if len(lines) == 1 or len(lines[-1]) + len(run) > COLUMNS:
            lines.append(Text("   "))
        lines[-1].append_text(run)
    return lines if rack else [Text(f"{whose} is empty", QUIET)]


def _sorted(rack: Iterable[str]) -> list[str]:
    colours = list(NAMES)
    return sorted(rack, key=lambda tile: (colours.index(tile[0]), tile[1] == "*", tile[1]))


def _tile(tile: str) -> Text:
    return Text(tile, STYLES[tile[0]])


# The table


def _grids(tiles: list[dict[str, Any]], marks: dict[Cell, tuple[str, str]]) -> Lines:
    """The cells in use with one around them, in strips if they are too wide for one line."""
    lies = {(tile["x"], tile["y"]): tile["tile"] for tile in tiles}
    if not lies:
        return [Text("The table is empty.", QUIET)]
    columns, rows = (_shown(numbers) for numbers in zip(*lies, *marks))
    width = 1 + max(2, *(len(str(x)) for x in columns if x is not None))
    fitting = (COLUMNS - MARGIN) // width
    lines = []
    for first in range(0, len(columns), fitting):
        strip = columns[first : first + fitting]
        head = "".join(f"{'┆' if x is None else x:>{width}}" for x in strip)
        lines.append(Text(" " * MARGIN + head, QUIET))
        for y in rows:
            line = Text(f"{'┄' if y is None else y:>{MARGIN - 1}} ", QUIET)
            for x in strip:
                line.append_text(_cell(x, y, lies, marks, width))
            lines.append(line)
        lines.append(Text())
    if marks:
        lines.append(Text.assemble((" " * MARGIN, ""), *_legend(marks)))
        return lines
    return lines[:-1]


def _cell(x: int | None, y: int | None, lies: dict[Cell, str], marks: dict[Cell, tuple[str, str]], width: int) -> Text:
    if x is None or y is None:
        return Text(f"{'┆' if y is not None else '┄' if x is not None else ' ':>{width}}", "not dim dim")
    sign, style = marks.get((x, y), ("", ""))
    if (x, y) in lies:
        return Text.assemble((f"{sign:>{width - 2}}", style), _tile(lies[x, y]), style="not dim")
    return Text(f"{sign or '·':>{width}}", QUIET)


def _shown(numbers: Iterable[int]) -> list[int | None]:
    """The rows or columns in use, with those beside them; None for several empty ones that are left out."""
    near = sorted({number + side for number in numbers for side in (-1, 0, 1)})
    shown: list[int | None] = []
    for number, following in zip(near, [*near[1:], near[-1] + 1]):
        shown.append(number)
        missing = range(number + 1, following)
        shown += missing if len(missing) <= EMPTY else [None]
    return shown


def _marks(before: list[dict[str, Any]], draft: Any) -> dict[Cell, tuple[str, str]]:
    """What is new, what has gone, and what is not right yet."""
    was = {(tile["x"], tile["y"]): tile["tile"] for tile in before}
    now = {(tile["x"], tile["y"]): tile["tile"] for tile in draft.table}
    marks = {cell: GONE for cell in was if cell not in now}
    marks |= {cell: FRESH for cell, tile in now.items() if was.get(cell) != tile}
    return marks | {(x, y): WRONG for fault in draft.faults for x, y in fault["cells"]}


def _legend(marks: dict[Cell, tuple[str, str]]) -> list[Any]:
    words = {FRESH: "new here", GONE: "gone from here", WRONG: "not right yet"}
    parts: list[Any] = []
    for mark, meaning in words.items():
        if mark in marks.values():
            parts += [mark, (f" {meaning}   ", QUIET)]
    return parts


def _stars(tiles: list[dict[str, Any]]) -> Lines:
    """What each star can stand for."""
    said = [
        f"{tile['tile']} at {tile['x']},{tile['y']} is {numbers(tile['can_be'])}"
        for tile in tiles
        if tile["tile"][1] == "*"
    ]
    lines: Lines = []
    for sentence in said:
        if not lines or len(lines[-1]) + len(sentence) + 3 > COLUMNS:
            lines.append(Text(" " * MARGIN))
        lines[-1].append(f"{sentence}   ", QUIET)
    return lines
