"""The table of The Lost Palaces in a terminal of 80 columns, drawn from one chair's view."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.core import SEAT_STYLES

STEPS = 9
NAME, CELL, LAST = 11, 6, 7  # the widths of a path's parts
CLOSED, FRESCO = "not dim bold", "not dim bold #1F2A37 on #D9A441"
GONE, THREAD = "not dim not bold #6B7A3A", "not bold dim"
PAWNS = {"archaeologist": "a", "theseus": "T"}
FINDS = {None: "?", "statue": "S", "rare": "R", "fresco15": "F15", "fresco20": "F20"}
HEADINGS = {"-": "Discard", "a": "Start", "t": "Start", "X": "Attack"}


def picture(view: dict[str, Any]) -> RenderableType:
    """The four paths with the pawns on them, what each player has, and the own hand."""
    table = view["table"]
    lines: list[RenderableType] = [_steps(table)]
    for path in table["paths"]:
        lines += [_pawns(path, table), _path(path)]
    lines += [_legend(), _seats(view), _piles(view)]
    if view["seat"] is not None:
        lines.append(_hand(table))
    return Group(*lines)


def heading(move: str) -> str:
    """Under which word a move is listed."""
    return HEADINGS.get(move[0]) or HEADINGS.get(move[-1]) or "Advance"


def number(points: int) -> str:
    """A number with the sign that belongs to print."""
    return f"−{-points}" if points < 0 else str(points)


def _steps(table: dict[str, Any]) -> Text:
    line = Text("points".ljust(NAME), style="dim")
    for points in table["step_points"]:
        line.append(number(points).center(CELL))
    for player, style in zip(table["seats"], SEAT_STYLES):
        name = player["name"][: LAST - 1]
        line.append(" " * (LAST - len(name))).append(name, f"not dim {style}")
    return line


def _pawns(path: dict[str, Any], table: dict[str, Any]) -> Text:
    line = Text(" " * NAME)
    initials = [player["name"][0] for player in table["seats"]]
    signs = initials if len({*initials}) > 1 else ["1", "2"]
    for step in range(1, STEPS + 1):
        there = [
            (f"{signs[seat]}{PAWNS[pawn['pawn']]}", SEAT_STYLES[seat])
            for seat, pawn in enumerate(path["pawns"])
            if pawn["pawn"] and pawn["step"] == step
        ]
        width = sum(len(token) for token, _ in there)
        left = (CELL - width) // 2
        line.append(" " * left)
        for token, style in there:
            line.append(token, style)
        line.append(" " * (CELL - width - left))
    return line


def _path(path: dict[str, Any]) -> Text:
    line = Text(path["palace"].ljust(NAME), style="bold")
    finds = {site["step"]: site["find"] for site in path["sites"]}
    for step in range(1, STEPS + 1):
        if step in finds:
            token = FINDS[finds[step]]
            style = CLOSED if token == "?" else FRESCO if token[0] == "F" else GONE
        else:
            token, style = str(step), THREAD
        left = (CELL - len(token)) // 2
        line.append("─" * left, THREAD)
        line.append(token, style)
        line.append("─" * (CELL - len(token) - left), THREAD)
    for pawn in path["pawns"]:
        line.append((f"{path['letter']}{pawn['last']}" if pawn["last"] else "–").rjust(LAST), "not bold")
    return line


def _legend() -> Text:
    line = Text(" " * NAME, style="dim")
    line.append("?", CLOSED).append(" closed   ").append("F15", FRESCO).append(" ").append("F20", FRESCO)
    line.append(" fresco   ").append("S", GONE).append(" statue, ").append("R", GONE).append(" treasure: taken")
    return line.append("last card".rjust(80 - len(line)))


def _seats(view: dict[str, Any]) -> Table:
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for column in ("", "score", "steps", "frescoes", "treasures", "statues", "pawns left"):
        grid.add_column(column, justify="right" if column in ("score", "steps") else "left")
    for seat, player in enumerate(view["table"]["seats"]):
        points = player["points"]
        name = Text.assemble((f" {player['name']} ", SEAT_STYLES[seat]))
        if seat == view["seat"]:
            name.append(" you")
        elif seat in view["to_move"]:
            name.append(" …")
        left = ["a"] * player["archaeologists"] + ["T"] * player["theseus"]
        grid.add_row(
            name,
            Text(number(player["score"]), style="bold"),
            number(points["steps"]),
            _worth(_photos(player["frescoes"]), points["frescoes"]),
            _worth(" ".join(player["rares"]), points["treasures"]),
            _worth(player["statues"] or "", points["statues"]),
            " ".join(left) or "–",
        )
    return grid


def _photos(frescoes: list[int]) -> str:
    return " + ".join(f"{frescoes.count(points)}×{points}" for points in (15, 20) if points in frescoes)


def _worth(things: object, points: int) -> str:
    return f"{things} = {number(points)}" if things else "–"


def _piles(view: dict[str, Any]) -> Text:
    table = view["table"]
    thrown = Counter(card[0] for card in table["discards"])
    each = " ".join(f"{path['letter']} {thrown[path['letter']]}" for path in table["paths"])
    line = Text.assemble(("pile ".ljust(NAME), "dim"), (str(table["pile"]), "bold"), ("   discards ", "dim"), each)
    if table["discards"]:
        line.append("   last ", "dim").append(table["discards"][-1])
    if view["to_move"]:
        line.append("   to move ", "dim").append(table["seats"][view["to_move"][0]]["name"], "bold")
    return line


def _hand(table: dict[str, Any]) -> Text:
    line = Text("your hand".ljust(NAME), style="dim")
    for path in table["paths"]:
        cards = [card[1:] for card in table["hand"] if card[0] == path["letter"]]
        if cards:
            line.append(f"{path['palace']} ", "not dim").append(" ".join(cards), "not dim bold").append("   ")
    return line
