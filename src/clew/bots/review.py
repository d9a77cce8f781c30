"""A game judged afterwards: how the chances went, and which moves turned it, from what each seat knew at the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clew.bots.bot import Alternative, bot
from clew.core.events import SEATS
from clew.core.moves import Move
from clew.core.table import Table

TURNING_POINTS = 5
WIDTH = 20  # characters of the curve
SURE = 2.0  # standard errors that a loss must have to be spoken of


@dataclass(frozen=True)
class Judged:
    """A move that was made, next to the one that the bot found best in the same place."""

    number: int
    seat: int
    move: Move
    win: float  # the mover's chance by the best move, as the mover could know it
    best: Move
    loss: float  # what the move made has less of it; 0 if that is within the error of the search

    def json(self) -> dict[str, Any]:
        """As plain data."""
        named = {"number": self.number, "seat": self.seat, "move": str(self.move), "best": str(self.best)}
        return {**named, "win": self.win, "loss": self.loss}


class Review:
    """Every move of a game before which its player had a choice, judged by a bot."""

    def __init__(
        self,
        table: Table,
        moves: Sequence[tuple[int, Move]],
        level: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.players = table.players
        self.judged: list[Judged] = []
        for judged in judge(table, moves, level):
            self.judged.append(judged)
            if progress:
                progress(judged.number, len(moves))

    @property
    def turning_points(self) -> list[Judged]:
        """The moves that cost their player most, the dearest first."""
        dear = [judged for judged in self.judged if judged.loss > 0]
        return sorted(dear, key=lambda judged: -judged.loss)[:TURNING_POINTS]

    def json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "moves": [judged.json() for judged in self.judged],
            "turning_points": [judged.json() for judged in self.turning_points],
        }

    def render(self) -> RenderableType:
        """The curve, and the turning points."""
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for column in ("", "move", "chance to win, as the mover could know", "", "better"):
            grid.add_column(column, justify="right" if not column else "left")
        for judged in self.judged:
            thread = "━" * round(WIDTH * judged.win)
            better = f"{judged.best}, by {judged.loss:.0%}" if judged.loss > 0 else ""
            name = f"{SEATS[judged.seat]} {judged.move}"
            grid.add_row(str(judged.number), name, thread, f"{judged.win:.0%}", better)
        parts: list[RenderableType] = [grid, Text()]
        for judged in self.turning_points:
            said = f"Move {judged.number}: {SEATS[judged.seat]}'s {judged.move} gave away {judged.loss:.0%}"
            parts.append(Text(f"{said}; the bot would have played {judged.best}."))
        if not self.turning_points:
            parts.append(Text("No move gave anything away that the bot could tell."))
        return Group(*parts)


def judge(table: Table, moves: Sequence[tuple[int, Move]], level: int, threads: int | None = None) -> Iterator[Judged]:
    """The moves of a game one after the other, each judged from what its player knew."""
    critic = bot(table.game, level, seed=0, threads=threads)
    again = Table(table.game, table.options, table.players, table.seed, table._dealt)
    for number, (seat, move) in enumerate(moves, start=1):
        yield _judge(number, seat, move, critic.choose(again.view(seat)).alternatives)
        again.play(move, seat)


def _judge(number: int, seat: int, move: Move, found: Sequence[Alternative]) -> Judged:
    best = found[0]  # the critic itself may slip
    made = next((other for other in found if other.move == move and other.tries), None)
    loss = 0.0
    if made is not None and best.win - made.win > SURE * (best.error**2 + made.error**2) ** 0.5:
        loss = best.win - made.win
    return Judged(number, seat, move, best.win, best.move, loss)
