"""The table of Cardtracks in a terminal of 80 columns, drawn from one chair's view."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.core import SEAT_STYLES, plural
from clew.games.cardtracks.rules import RANK_LETTERS

WIDTH, LABEL, CARD = 80, 7, 3  # columns of the picture, of the names of steps, and of a card
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
BACK = "▒▒"
STYLES = {
    "gold": "bold #1F2A37 on #D9A441",
    "green": "bold #FFFFFF on #5A6831",
    "wine": "bold #FFFFFF on #6D2E46",
    "grey": "bold #FFFFFF on #55565A",
    "teal": "bold #FFFFFF on #1F6E6A",
}
"""How rich shows the colour of a track; never without its number."""


def picture(view: dict[str, Any]) -> RenderableType:
    """The lanes that climb to the centre, the own from below; the flip, and what can still come."""
    below = view["seat"] or 0  # those who watch sit with Blue
    table = view["table"]
    lines: list[RenderableType] = [
        _seat(view, 1 - below),
        _board(table, below),
        _seat(view, below),
        Text(),
        _flip(table),
    ]
    if table["phase"] == "place":
        lines.append(_unseen(table))
    return Group(*lines)


def heading(move: str) -> str:
    """Under which word a move is listed."""
    return "Place" if move[0] == ">" else "Choose"


def number(points: int) -> str:
    """A number with the sign that belongs to print."""
    return f"−{-points}" if points < 0 else str(points)


def _name(table: dict[str, Any], seat: int) -> Text:
    return Text(f" {table['seats'][seat]['name']} ", style=SEAT_STYLES[seat])


def _card(name: str | None, style: str = "") -> Text:
    """A card by its rank and the sign of its suit; a back if it lies face down."""
    if name is None:
        return Text(BACK, style="dim")
    return Text(name[0] + SIGNS[name[1]], style=f"{style} red" if name[1] in "HD" else style)


def _seat(view: dict[str, Any], seat: int) -> Text:
    player = view["table"]["seats"][seat]
    line = Text.assemble(_name(view["table"], seat), " you" if seat == view["seat"] else "", ("   score ", "dim"))
    line.append(number(player["score"]), "bold").append("   tracks ", "dim").append(str(player["tracks"]))
    line.append("   spare ", "dim").append(_card(player["spare"]))
    if player["choice"]:
        line.append("   chose ", "dim").append(player["choice"], "bold")
    elif player["chosen"]:
        line.append("   has chosen", "dim")
    elif seat in view["to_move"]:
        line.append("   to move", "dim")
    return line


def _board(table: dict[str, Any], below: int) -> Table:
    tracks, length = table["tracks"], table["track_length"]
    board = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), width=WIDTH, show_edge=False, header_style="dim")
    board.add_column("step", justify="right", style="dim", width=LABEL)
    for track in tracks:
        header = Text(f"track {track['number']} {track['colour']}", style=STYLES[track["colour"]])
        board.add_column(header, ratio=1, no_wrap=True)
    for step in range(1, length + 1):
        board.add_row(str(step), *(_step(table, track, 1 - below, step) for track in tracks))
    for seat in (1 - below, below):
        board.add_row(f"{table['seats'][seat]['name'][: LABEL - 2]} ◆", *(_centre(track, seat) for track in tracks))
    for step in range(length, 0, -1):
        board.add_row(str(step), *(_step(table, track, below, step) for track in tracks))
    return board


def _step(table: dict[str, Any], track: dict[str, Any], seat: int, step: int) -> Text:
    """The cards on a step, the top one last and bright; after an arrow the card that could be put there."""
    steps = track["lanes"][seat]["steps"]
    stack = steps[step - 1] if step <= len(steps) else []
    flip = table["flip"]
    arrow = flip is not None and flip["seat"] == seat and flip["landing"][track["number"] - 1] == step
    room = (WIDTH - LABEL) // len(table["tracks"]) // CARD - 1 - arrow
    line = Text("…" if len(stack) > room else "", style="dim")
    for card in stack[-room:]:
        line.append(" " if line else "").append(_card(card, "not dim bold" if card == stack[-1] else "dim"))
    if arrow:
        line.append(" ▸" if line else "▸", "not dim").append(_card(flip["card"], "not dim italic"))
    return line or Text("·", style="dim")


def _centre(track: dict[str, Any], seat: int) -> Text:
    """A player's card at the centre; with a star and what it counts if it won the track."""
    centre = track["lanes"][seat]["centre"]
    if track["winner"] != seat:
        return _card(centre)
    line = Text("★ ")
    if track["card"] != centre:  # the spare took its place
        line.append(_card(centre, "dim strike")).append(" ")
    return line.append(_card(track["card"], "bold")).append(
        f" {'+' if track['points'] > 0 else ''}{number(track['points'])}"
    )


def _flip(table: dict[str, Any]) -> Text:
    flip = table["flip"]
    line = Text()
    if flip:
        line.append("flip   ", "dim").append(_name(table, flip["seat"])).append(" ").append(_card(flip["card"], "bold"))
        line.append(" beats ").append(_card(flip["beaten"])).append("   ")
    return line.append(f"{plural(table['deck'], 'card')} left in each deck", "dim")


def _unseen(table: dict[str, Any]) -> Table:
    """How many cards of each rank were not turned over: in the deck, at the centre, the spare."""
    counts = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    counts.add_column("unseen")
    for letter in RANK_LETTERS:
        counts.add_column(letter, justify="right")
    for seat in range(2):
        ranks = [card[0] for card in table["seats"][seat]["unseen"]]
        numbers = [ranks.count(letter) for letter in RANK_LETTERS]
        counts.add_row(_name(table, seat), *(Text(str(n), style="" if n else "dim") for n in numbers))
    return counts
