"""Labyrinth in the terminal: the paths as they run, the hand in all its rotations, what can be taken."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import Any, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text

from clew.core import SEAT_STYLES

COLUMNS = 80
MARGIN = 4  # for the numbers of the rows
PATHS = {
    **{"NS": "║", "EW": "═", "NE": "╚", "ES": "╔", "SW": "╗", "NW": "╝"},
    **{"NES": "╠", "ESW": "╦", "NSW": "╣", "NEW": "╩"},
}
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
TWO_LETTERS = {"money bag": "mb", "genie": "gn"}  # where the first two are those of another treasure
TAKES = 6  # that are shown, the best first

QUIET, PATH, HELD = "dim", "bold", "bold reverse"

Lines: TypeAlias = list[Text]


def picture(view: dict[str, Any]) -> RenderableType:
    """The table as one chair sees it."""
    table = view["table"]
    parts = [_seats(view), _labyrinth(table)]
    if table["hand"]:
        parts.append(_hand(table["hand"]))
    if table["takes"]:
        parts.append(_takes(table["takes"]))
    return Group(*(line for part in parts for line in [*part, Text("")]))


def heading(move: str) -> str:
    """Under which word a move is listed."""
    return "Take" if "!" in move else "Place"


def _seats(view: dict[str, Any]) -> Lines:
    table = view["table"]
    lines = []
    for seat, player in enumerate(table["seats"]):
        counts = f"{player['score']:>{19 - len(player['name'])}} taken  {player['cards']} in hand"
        sign = "▶ " if seat in view["to_move"] else "  "
        you = "  you" if seat == view["seat"] else ""
        lines.append(Text.assemble(sign, (f" {player['name']} ", SEAT_STYLES[seat]), counts, you))
        won = " ".join(card["card"] for card in player["taken"])  # LAB-08 they lie open
        lines += [Text(" " * MARGIN + line, QUIET) for line in wrap(won, COLUMNS - MARGIN)]
    return [*lines, Text(f"   {'deck':<15}{table['deck']:>5} left", QUIET)]


# The labyrinth


def _labyrinth(table: dict[str, Any]) -> Lines:
    """Every card, and where another can go the name of the cell; in strips if it is too wide for one line."""
    cards = {(card["x"], card["y"]): card for card in table["labyrinth"]}
    ends = {(x + STEPS[side][0], y + STEPS[side][1]) for (x, y), card in cards.items() for side in _sides(card)}
    held = {treasure for card in table["hand"] for treasure in card["treasures"]}
    columns, rows = _span(x for x, _ in ends | cards.keys()), _span(y for _, y in ends | cards.keys())
    letters = 3 if len(columns) <= (COLUMNS - MARGIN) // 7 else 2
    width = 2 * letters + 1
    fitting = (COLUMNS - MARGIN) // width
    lines = []
    for first in range(0, len(columns), fitting):
        strip = columns[first : first + fitting]
        lines.append(Text(" " * MARGIN + "".join(f"{x:^{width}}" for x in strip), QUIET))
        for y in rows:
            cells = [[Text(f"{name:>{MARGIN - 1}} ", QUIET) for name in ("", y, "")]]
            for x in strip:
                name = f"{x},{y}" if (x, y) in ends else ""
                cells.append(_card(cards[x, y], letters, held) if (x, y) in cards else _free(name, width))
            lines += [Text.assemble(*parts) for parts in zip(*cells, strict=True)]
    if held:
        lines.append(Text("    In capitals: treasures like those in your hand.", QUIET))
    if letters == 2:
        names = sorted({treasure for card in table["labyrinth"] for treasure in card["treasures"]})
        signs = "+ a path leads here, " + ", ".join(f"{_sign(name, 2)} {name}" for name in names)
        lines += [Text(" " * MARGIN + line, QUIET) for line in wrap(signs, COLUMNS - MARGIN)]
    return lines


def _span(numbers: Iterable[int]) -> range:
    found = sorted(numbers)
    return range(found[0], found[-1] + 1)


def _sides(card: dict[str, Any]) -> str:
    return str(card["open"][card["rotation"]])


def _paths(sides: str, arm: int) -> tuple[str, str, str]:
    """The three lines of a card's path: up, across and down."""
    up, right, down, left = (sign if side in sides else " " for side, sign in zip("NESW", "║═║═", strict=True))
    return up, left * arm + PATHS[sides] + right * arm, down


def _card(card: dict[str, Any], letters: int, held: set[str]) -> Lines:
    """The path in the middle, one treasure above on the left and the other below on the right."""
    up, across, down = _paths(_sides(card), letters)
    one, other = (
        (_sign(name, letters).upper(), HELD) if name in held else (_sign(name, letters), "")
        for name in card["treasures"]
    )
    gap = " " * letters
    return [Text.assemble(one, (up, PATH), gap), Text(across, PATH), Text.assemble(gap, (down, PATH), other)]


def _sign(treasure: str, letters: int) -> str:
    return TWO_LETTERS.get(treasure, treasure[:2]) if letters == 2 else treasure[:3]


def _free(name: str, width: int) -> Lines:
    shown = name if len(name) < width else "+"
    return [Text(" " * width), Text(f"{shown:^{width}}", QUIET), Text(" " * width)]


# The hand, and what it can do


def _hand(hand: list[dict[str, Any]]) -> Lines:
    """Two cards beside each other, each in its rotations."""
    lines = []
    for i in range(0, len(hand), 2):
        rows = [Text(" " * MARGIN) for _ in range(5)]
        for card in hand[i : i + 2]:
            rows[0].append(f"{card['card']}: {' and '.join(card['treasures'])}".ljust(38), "bold")
            turned = [_paths(sides, 2) for sides in card["open"]]
            rows[1].append("".join(f"  r{rotation}    " for rotation in range(len(turned))).ljust(38), QUIET)
            for row, parts in zip(rows[2:], zip(*turned, strict=True), strict=True):
                row.append("".join(f"{part:^5}   " for part in parts).ljust(38), PATH)
        lines += rows
    return lines


def _takes(takes: list[dict[str, Any]]) -> Lines:
    """The moves that take the most, each with one rotation of those that do the same."""
    best = []
    for take in takes:
        if take["sets"]:
            most = max(take["sets"], key=lambda taken: (taken.bit_count(), -taken))
            chosen = [i for i in range(len(take["cells"])) if most >> i & 1]
            placed = f"{take['card']}r{take['rotations'][0]}@{take['cell']}"
            treasures = dict.fromkeys(take["treasures"][i] for i in chosen)
            best.append((-len(chosen), " !".join([placed, *(take["cells"][i] for i in chosen)]), ", ".join(treasures)))
    lines = [Text("    What your cards can take:" if best else "    Your cards connect treasures, but can take none.")]
    for _, move, names in sorted(best)[:TAKES]:
        lines.append(Text.assemble("    ", (f"{move:<44}", "bold"), "  ", (names, QUIET)))
    if len(best) > TAKES:
        lines.append(Text(f"    and {len(best) - TAKES} more", QUIET))
    return lines
