"""What a person is shown: the table, the moves, what happened, how it ended, the rules."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from itertools import groupby
from textwrap import wrap
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clew.core.errors import quoted
from clew.core.events import SEATS, Event
from clew.core.game import Game
from clew.core.moves import Move
from clew.core.table import Table

NARROWEST = 20  # a column of moves
LONGEST_NAME = 10  # in a picture

Headings = Callable[[str], str]
RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\*", re.M)


def _brought(game: Game, thing: str) -> Any:
    """Something that the game brings in its picture.py, or None."""
    name = f"{game.rules.__package__}.picture"
    return getattr(importlib.import_module(name), thing, None) if find_spec(name) else None


def picture(game: Game, view: dict[str, Any], names: Sequence[str], draft: Any = None) -> RenderableType:
    """The table as a chair sees it: the game's own picture, or the view laid out plainly; with a play in the making."""
    draw = _brought(game, "picture")
    short = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names]
    for seat, name in zip(view["table"].get("seats", []), short):  # a view calls the seats by their colours
        if isinstance(seat, dict) and "name" in seat:
            seat["name"] = name
    if draw is None:
        return _laid_out(view["table"] if draft is None else draft.table, short, view["seat"])
    drawn: RenderableType = draw(view) if draft is None else draw(view, draft)
    return drawn


def heading(table: Table) -> str:
    """The game, with the options that were chosen for this table."""
    chosen = [option for option in table.game.options if table.options[option.name] != option.default]
    return ", ".join([table.game.title, *(f"{option.name} {table.options[option.name]}" for option in chosen)])


def examples(game: Game) -> dict[str, str]:
    """Parts of a play as they are typed, each with its meaning, where the game brings them."""
    found: dict[str, str] = _brought(game, "EXAMPLES") or {}
    return found


def _laid_out(table: dict[str, Any], names: Sequence[str], you: int | None) -> RenderableType:
    """The table of a game without a picture: each seat by its name, and what is told of your own told there alone."""
    seats = table.get("seats")
    if not isinstance(seats, list) or len(seats) != len(names) or not all(isinstance(seat, dict) for seat in seats):
        return plain(table)
    own = seats[you] if you is not None else {}
    twice = [name for name in own if name in table and table[name] == own[name]]
    labels = [_seat(name, seat, you) for seat, name in enumerate(names)]
    named = [
        {"name": label} | {key: part for key, part in seat.items() if key != "name"}
        for label, seat in zip(labels, seats)
    ]
    laid = {name: part for name, part in table.items() if name not in ("seats", *twice)}
    return plain(laid | {"seats": named})


def _seat(name: str, seat: int, you: int | None) -> str:
    """A player's name, with the colour of the seat, by which moves may call it, and whose it is."""
    notes = [*([SEATS[seat]] if name != SEATS[seat] else []), *(["you"] if seat == you else [])]
    return f"{name} ({', '.join(notes)})" if notes else name


def plain(value: Any) -> RenderableType:
    """Any JSON value for people: a table where it is one, else names and values."""
    if isinstance(value, dict):
        return _grid((name.replace("_", " "), part) for name, part in value.items())
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        if len({tuple(item) for item in value}) == 1 and all(_flat(part) for item in value for part in item.values()):
            return _rows(value)
    if isinstance(value, list) and not _flat(value):
        return _grid(_labelled(i, item) for i, item in enumerate(value))
    return Text(_word(value))


def _flat(value: Any) -> bool:
    return not isinstance(value, dict | list) or (
        isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)
    )


def _word(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_word, value)) or "–"
    if value is None or value == "":
        return "–"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _labelled(i: int, item: Any) -> tuple[str, Any]:
    """An item of a list by its name, if it has one, else by its number."""
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        return item["name"], {key: part for key, part in item.items() if key != "name"}
    return str(i), item


def _grid(rows: Iterable[tuple[str, Any]]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    for name, value in rows:
        grid.add_row(name, plain(value))
    return grid


def _rows(rows: list[dict[str, Any]]) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in rows[0]:
        grid.add_column(name.replace("_", " "))
    for row in rows:
        grid.add_row(*(Text(_word(value)) for value in row.values()))
    return grid


def moves(
    game: Game, legal: Sequence[Move], labels: Sequence[str], width: int, lines: int | None = None
) -> RenderableType:
    """The moves with their labels in columns, under headings where the game has them, at most so many lines."""
    heading: Headings = _brought(game, "heading") or (lambda move: "")
    headings = [heading(str(move)) for move in legal]
    margin = max(map(len, headings), default=0)
    margin += 2 if margin else 0
    labels = [label if label[-1:].isdigit() else f"{label})" for label in labels]
    indent, longest = max(map(len, labels), default=0), max((len(str(move)) for move in legal), default=0)
    room = max(NARROWEST, width - margin - indent - 3)
    across = max(1, (width - margin) // (indent + longest + 3))
    groups: dict[str, list[Text]] = {}
    for name, label, move in zip(headings, labels, legal):
        # A move too long for a line goes on below, under its beginning.
        folded = f"\n{' ' * (margin + indent + 1)}".join(wrap(str(move), room, break_on_hyphens=False))
        item = Text.assemble((label.rjust(indent), "dim"), f" {folded.ljust(min(longest, room))}  ")
        groups.setdefault(name, []).append(item)
    shown: list[tuple[int, Text]] = []
    for name, items in groups.items():
        for at in range(0, len(items), across):
            row = items[at : at + across]
            shown.append((len(row), Text.assemble((("" if at else name).ljust(margin), "dim"), *row)))
    if lines is None or len(shown) <= lines:
        return Group(*(text for _, text in shown))
    more = sum(count for count, _ in shown[lines:])
    return Group(*(text for _, text in shown[:lines]), Text(f"and {more} more: 'moves' lists them all", style="dim"))


def news(events: Iterable[Event], names: Sequence[str]) -> RenderableType:
    """What happened, a line for each seat's doings in a row."""
    lines = [Text(" ".join(map(str, together))) for _, together in groupby(events, key=lambda event: event.seat)]
    for line in lines:
        line.highlight_words(["You", *map(re.escape, names)], style="bold")
    return Group(*lines)


def result(view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """Who came where, and what each score is made of where the view tells."""
    outcome, seats = view["outcome"], view["table"].get("seats", [])
    lines = []
    width, longest = max(len(_signed(score)) for score in outcome["scores"]), max(5, *map(len, names))
    for seat in sorted(range(view["players"]), key=lambda seat: outcome["places"][seat]):
        line = Text.assemble(f"{outcome['places'][seat]}. ", (names[seat].ljust(longest + 1), "bold"))
        line.append(_signed(outcome["scores"][seat]).rjust(width), style="bold")
        points = seats[seat].get("points") if len(seats) > seat and isinstance(seats[seat], dict) else None
        if isinstance(points, dict):
            parts = [f"{name.replace('_', ' ')} {_signed(value)}" for name, value in points.items()]
            line.append(" = " + " + ".join(parts), style="dim")
        lines.append(line)
    return Group(*lines)


def _signed(value: Any) -> str:
    return str(value).replace("-", "−")


def rule_ids(game: Game) -> list[str]:
    """The ids of the rules in the rule book, in its order."""
    return RULE.findall(game.rule_book())


def rule(game: Game, name: str) -> str:
    """One rule in Markdown, or the sentence that there is none."""
    known = rule_ids(game)
    there = f"it has {known[0]} to {known[-1]}" if known else "it has no rule book yet"
    return game.rule_text(name.upper()) or f"{game.title} has no rule {quoted(name)}; {there}."


def headings(game: Game) -> RenderableType:
    """The headings of the rule book with the rules that stand under each."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for part in re.split(r"^##+ ", game.rule_book(), flags=re.M)[1:]:
        ids = RULE.findall(part)
        grid.add_row(part.splitlines()[0], Text(f"{ids[0]} to {ids[-1]}" if ids[1:] else "".join(ids), style="dim"))
    return grid
