"""What a person is shown: the table, the moves, what happened, how it ended, the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import wrap

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clew.core.errors import quoted
from clew.core.game import Game
from clew.core.moves import Move
from clew.core.pictures import brought
from clew.core.pictures import heading as heading
from clew.core.pictures import news as news
from clew.core.pictures import picture as picture
from clew.core.pictures import plain as plain
from clew.core.pictures import result as result

NARROWEST = 20  # a column of moves

Headings = Callable[[str], str]
RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\*", re.M)


def examples(game: Game) -> dict[str, str]:
    """Parts of a play as they are typed, each with its meaning, where the game brings them."""
    found: dict[str, str] = brought(game, "EXAMPLES") or {}
    return found


def moves(
    game: Game, legal: Sequence[Move], labels: Sequence[str], width: int, lines: int | None = None
) -> RenderableType:
    """The moves with their labels in columns, under headings where the game has them, at most so many lines."""
    head: Headings = brought(game, "heading") or (lambda move: "")
    headings = [head(str(move)) for move in legal]
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
