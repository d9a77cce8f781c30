"""The table of Ariadne's Thread in a terminal of 80 columns, drawn from one chair's view."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.core import SEAT_STYLES

LABEL, CARD, GAP = 4, 4, 1  # the widths of a row's number, of a card and of the thread between two
UP_STYLES = ("bold #1F2A37 on #E4DCC8", "bold #A3331B on #F5E3D7")
DOWN_STYLES = ("#C9C2AC on #45443D", "#DBA592 on #4A342D")
JOKER_STYLES = {"down": "bold #F5E3D7 on #5B2A5E", "up": "bold #1F2A37 on #D9A441"}
JOKER_SIGNS = {"down": "MINO", "up": "THES"}
JOKER_NAMES = {"down": "Minotaur (down)", "up": "Theseus (up)"}
SUITS = {"S": "♠", "C": "♣", "H": "♥", "D": "♦"}
THREAD, MAKING = ("━", "┃", "bold #D9A441"), ("─", "│", "dim")
HEADINGS = {"@": "Play", "s": "Swap out the last card", "j": "Move the Joker"}


def picture(view: dict[str, Any]) -> RenderableType:
    """The tableau with its threads, beside it how it stands, under it the hand."""
    table = view["table"]
    beside = Table.grid(padding=(0, 3, 0, 0))
    beside.add_column(no_wrap=True)
    beside.add_column()
    beside.add_row(_tableau(table), Group(*_standing(view)))
    return Group(beside, Text(), *_cards(view))


def heading(move: str) -> str:
    """Under which word a move is listed."""
    return HEADINGS[move[2:].strip()[0]]


def number(points: int) -> str:
    """A number with the sign that belongs to print."""
    return f"−{-points}" if points < 0 else str(points)


def sign(card: str) -> str:
    """A card with its suit as a sign."""
    return card[0] + SUITS[card[1]]


# The tableau


def _tableau(table: dict[str, Any]) -> Group:
    cells = {(cell["x"], cell["y"]): cell for cell in table["tableau"]["cells"]}
    free = {(x, y) for x, y in table["free"]}
    groups = {group["group"]: group for group in table["tableau"]["groups"]}
    xs, ys = (range(min(part), max(part) + 1) for part in zip(*cells, *free))
    lines = [Text(" " * LABEL + " " * GAP).append(" ".join(str(x).center(CARD) for x in xs), "dim")]
    for y in ys:
        line = Text(str(y).rjust(LABEL - 1) + " " * (1 + GAP), style="dim")
        under = Text(" " * (LABEL + GAP))
        for x in xs:
            line.append_text(_cell(cells.get((x, y)), (x, y) in free))
            line.append(*_strand(groups, cells.get((x, y)), cells.get((x + 1, y)), 0))
            below, style = _strand(groups, cells.get((x, y)), cells.get((x, y + 1)), 1)
            under.append(below.center(CARD), style).append(" " * GAP)
        lines += [line, under]
    return Group(*lines[:-1])


def _cell(cell: dict[str, Any] | None, free: bool) -> Text:
    if cell is None:
        return Text(("·" if free else "").center(CARD), style="not dim")
    if cell["seat"] is None:
        return Text(JOKER_SIGNS[cell["face"]], style=f"not dim {JOKER_STYLES[cell['face']]}")
    if cell["face"] == "down":
        return Text(f"░{sign(cell['card'])}░", style=f"not dim {DOWN_STYLES[cell['seat']]}")
    shown = f"[{sign(cell['card'])}]" if cell["last"] else f" {sign(cell['card'])} "
    return Text(shown, style=f"not dim {UP_STYLES[cell['seat']]}")


def _strand(
    groups: dict[int, Any], one: dict[str, Any] | None, two: dict[str, Any] | None, way: int
) -> tuple[str, str]:
    """What is drawn between two cells: a thread, one in the making, or nothing."""
    if not one or not two or not one["group"] or one["group"] != two["group"]:
        return " ", ""
    strand = THREAD if groups[one["group"]]["thread"] else MAKING
    return strand[way], f"not dim {strand[2]}"


# How it stands


def _standing(view: dict[str, Any]) -> list[RenderableType]:
    table = view["table"]
    title = Text(f"Round {table['round']}", style="bold")
    title.append(" more, after a draw" if table["extra"] else f" of {table['rounds']}", "not bold")
    if table["phase"] == "play":
        title.append(f"   turn {table['turns'] + 1} of {table['turns'] + table['turns_left']}", "not bold")
    lines: list[RenderableType] = [title, Text(), _scores(view), Text()]
    joker = table["tableau"]["joker"]
    lines.append(_line("Joker", f"{JOKER_NAMES[joker['face']]} at {joker['x']},{joker['y']}"))
    lines += _threads(table)
    if table["last"]:
        lines.append(_line("last", f"{sign(table['last']['card'])} at {table['last']['x']},{table['last']['y']}"))
    window, box = table["window"], table["tableau"]["box"]
    if table["phase"] == "play" and window != box:
        reach = f"x {window['left']} to {window['right']}, y {window['top']} to {window['bottom']}"
        lines.append(_line("room", reach))
    return lines


def _line(label: str, text: str) -> Text:
    return Text(label.ljust(8), style="dim").append(text, "not dim")


def _scores(view: dict[str, Any]) -> Table:
    """The last rounds, the one being played as it stands, and all together."""
    playing, seats = view["table"]["phase"] == "play", view["table"]["seats"]
    played = len(seats[0]["rounds"])
    shown = range(max(0, played - (1 if playing else 3)), played)
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    grid.add_column("")
    for column in (*(f"r{i + 1}" for i in shown), *(["now"] if playing else []), "in all"):
        grid.add_column(column, justify="right")
    for seat, player in enumerate(seats):
        name = Text.assemble((f" {player['name'][:6]} ", SEAT_STYLES[seat]), f" {'♥♦' if seat else '♠♣'}")
        name.append(" you" if seat == view["seat"] else " …" if seat in view["to_move"] else "")
        scores = [player["rounds"][i]["score"] for i in shown]
        total = player["score"]
        if playing:
            scores.append(player["now"]["score"])
            total += player["now"]["score"]
        grid.add_row(name, *map(number, scores), Text(number(total), style="bold"))
    return grid


def _threads(table: dict[str, Any]) -> list[Text]:
    """The threads, what the Joker does beside them, and the longest that could become one."""
    lines = []
    for seat, player in enumerate(table["seats"]):
        groups = [group for group in table["tableau"]["groups"] if group["seat"] == seat]
        groups.sort(key=lambda group: -len(group["cells"]))
        threads = [f"{len(group['cells'])} cards {group['points']}" for group in groups if group["thread"]]
        growing = [str(len(group["cells"])) for group in groups if not group["thread"] and len(group["cells"]) > 1]
        lines.append(_line(player["name"][:7], ", ".join(threads) or "no thread"))
        if any(group["joker"] for group in groups):
            points = player["now"]["joker"]
            lines.append(_line("", f"Joker {'+' if points > 0 else ''}{number(points)}"))
        if growing and table["phase"] == "play":
            lines.append(_line("", f"growing {', '.join(growing[:4])}"))
    return lines


# The cards


def _cards(view: dict[str, Any]) -> list[RenderableType]:
    table = view["table"]
    legend = Text("[ ] last card  ░ ░ face down  · free  ━ thread  ─ growing  ", style="dim")
    legend.append(" ".join(f"{mark} {letter}" for letter, mark in SUITS.items()))
    lines: list[RenderableType] = [legend]
    if table["phase"] == "over":
        return lines
    for seat, player in enumerate(table["seats"]):
        if seat == view["seat"]:
            hand = Text("hand    ", style="dim")
            for card in table["hand"]:
                hand.append(f" {sign(card)} ", f"not dim {UP_STYLES[seat]}").append("  ")
            lines += [hand, _unseen(f"deck {player['deck']}", player["unseen"])]
        else:
            holds = f"{player['name']} holds {player['cards']}, deck {player['deck']}; to come "
            lines.append(_unseen(holds, player["unseen"]))
    return lines


def _unseen(label: str, cards: list[str]) -> Text:
    suits = [suit for suit in SUITS if any(card[1] == suit for card in cards)]
    line = Text(label.ljust(8), style="dim")
    for suit in suits:
        line.append(f"{SUITS[suit]} ", "not dim").append(
            "".join(card[0] for card in cards if card[1] == suit), "not dim"
        )
        line.append("  ")
    return line if suits else line.append("–")
