"""What a person is shown of a table, as text with styles: the table, what happened, how it ended.

A game draws itself in its `picture.py`; what draws nothing is laid out plainly. The terminal prints these,
`clew.picture` shows them in notebooks, and assistants read them as text.
"""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clew.core.events import SEATS, Event
from clew.core.game import Game

if TYPE_CHECKING:
    from clew.core.table import Table

LONGEST_NAME = 10  # in a picture


def brought(game: Game, thing: str) -> Any:
    """Something that the game brings in its picture.py, or None."""
    name = f"{game.rules.__package__}.picture"
    return getattr(importlib.import_module(name), thing, None) if find_spec(name) else None


def picture(game: Game, view: dict[str, Any], names: Sequence[str], draft: Any = None) -> RenderableType:
    """The table as a chair sees it: the game's own picture, or the view laid out plainly; with a play in the making."""
    draw = brought(game, "picture")
    short = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names]
    for seat, name in zip(view["table"].get("seats", []), short):  # a view calls the seats by their colours
        if isinstance(seat, dict) and "name" in seat:
            seat["name"] = name
    if draw is None:
        return _laid_out(view["table"] if draft is None else draft.table, short, view["seat"])
    drawn: RenderableType = draw(view) if draft is None else draw(view, draft)
    return drawn


def as_text(picture: RenderableType, width: int = 100) -> str:
    """A picture as plain text, without styles."""
    page = io.StringIO()
    console = Console(file=page, width=width, color_system=None, markup=False, highlight=False, emoji=False)
    console.print(picture)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


def heading(table: Table) -> str:
    """The game, with the options that were chosen for this table."""
    chosen = [option for option in table.game.options if table.options[option.name] != option.default]
    return ", ".join([table.game.title, *(f"{option.name} {table.options[option.name]}" for option in chosen)])


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
