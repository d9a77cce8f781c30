"""The arena's results for people."""

from __future__ import annotations

from collections import Counter

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.bots.arena import Arena
from clew.core.types import Json

FAULTS = 5  # how many are told in full


def render(arena: Arena, finished: bool) -> RenderableType:
    """Who won how often, how sure that is, and how fast it went."""
    parts: list[RenderableType] = []
    rows = arena.standings()
    if not rows:
        return Text("No deal was finished.")
    many = len(arena.bots) > 2
    parts.append(_standings(arena, sorted(rows, key=lambda row: -row["elo"]) if many else rows, many))
    if many:
        parts += [Text(), _pairs(arena)]
    elif arena.pairs():
        (pair,) = arena.pairs()
        low, high = pair["elo_ci95"]
        parts += [Text(), Text(f"Elo difference {pair['elo']:+z.0f} (95 %: {low:+z.0f} to {high:+z.0f})")]
    parts += [Text(), Text(_footer(arena, finished), style="dim")]
    if arena.lost:
        parts += map(Text, _faults(arena))
    return Group(*parts)


def _faults(arena: Arena) -> list[str]:
    """How many games were lost by faults, and each fault once with what it cost."""
    kinds = Counter(arena.lost).most_common()
    games = len(arena.lost)
    told = ["1 game was lost by a fault:" if games == 1 else f"{games} games were lost by faults:"]
    for (loser, fault), cost in kinds[:FAULTS]:
        told.append(f"  {arena.bots[loser].name} lost {'a game' if cost == 1 else f'{cost} games'}: {fault}.")
    if len(kinds) > FAULTS:
        told.append(f"  and {len(kinds) - FAULTS} other faults; --json tells them all")
    return told


def _standings(arena: Arena, rows: list[Json], rated: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("bot")
    for column in ("victories", "95 %", "place", *(["rating"] if rated else [])):
        table.add_column(column, justify="right")
    for row in rows:
        low, high = row["ci95"]
        cells = [str(row["name"]), f"{row['win_rate']:.1%}", f"{low:.1%} to {high:.1%}", f"{row['place']:.2f}"]
        table.add_row(*cells, *([f"{row['elo']:+z.0f}"] if rated else []))
    return table


def _pairs(arena: Arena) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("pair", "first one's share", "95 %", "Elo"):
        table.add_column(column, justify="left" if column == "pair" else "right")
    for pair in arena.pairs():
        low, high = pair["ci95"]
        name = f"{pair['first']} – {pair['second']}"
        table.add_row(name, f"{pair['share']:.1%}", f"{low:.1%} to {high:.1%}", f"{pair['elo']:+z.0f}")
    return table


def _footer(arena: Arena, finished: bool) -> str:
    speed = arena.games / arena.seconds if arena.seconds else 0.0
    told = f"{arena.games} games of {arena.game.title}, {arena.players} players, seed {arena.seed}"
    return f"{told}; {speed:.1f} games/s.{'' if finished else ' Interrupted: this is what is known.'}"
