"""A review of a game: how the chances went as one seat could know them, and which moves gave something away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clew.bots.bot import Alternative, bot
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.search import Limits, Progress, call
from clew.bots.simulation import COMFORT, TO_THE_END, TRIES, UNIFORM, WINS
from clew.core.cast import Cast
from clew.core.errors import BadOption, quoted
from clew.core.kernels import live
from clew.core.moves import Move
from clew.core.rng import stream
from clew.core.table import Table
from clew.core.types import Json

TURNING_POINTS = 5
WIDTH = 20  # characters of the curve
SURE = 2.0  # standard errors that a loss must have to be spoken of
CHUNK = 100  # playouts between two looks at the clock
PATIENCE = 1.0  # seconds for a position while the game is not compiled yet


@dataclass(frozen=True)
class ReviewedMove:
    """A move that was made, next to the one that the bot found best in the same place."""

    number: int
    seat: int
    move: Move
    win: float  # the mover's chance by the best move, as the mover could know it
    best: Move
    loss: float  # what the move made has less of it; 0 if that is within the error of the search
    said: str  # both for people
    best_said: str

    def json(self) -> Json:
        """As plain data."""
        named = {"number": self.number, "seat": self.seat, "move": str(self.move), "best": str(self.best)}
        return {**named, "said": self.said, "best_said": self.best_said, "win": self.win, "loss": self.loss}


class Review:
    """Every move of a game before which its player had a choice, reviewed by a bot."""

    def __init__(
        self,
        table: Table,
        moves: Sequence[tuple[int, Move]],
        level: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.players = table.players
        self.cast = Cast(table.names)
        self.moves: list[ReviewedMove] = []
        for reviewed in review_moves(table, moves, level):
            self.moves.append(reviewed)
            if progress:
                progress(reviewed.number, len(moves))

    @property
    def turning_points(self) -> list[ReviewedMove]:
        """The moves that cost their player most, the dearest first."""
        dear = [reviewed for reviewed in self.moves if reviewed.loss > 0]
        return sorted(dear, key=lambda reviewed: -reviewed.loss)[:TURNING_POINTS]

    def json(self) -> Json:
        """As plain data."""
        return {
            "moves": [reviewed.json() for reviewed in self.moves],
            "turning_points": [reviewed.json() for reviewed in self.turning_points],
        }

    def render(self) -> RenderableType:
        """The curve, and the turning points."""
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for column in ("", "move", "chance to win, as the mover could know", "", "better"):
            grid.add_column(column, justify="right" if not column else "left")
        for reviewed in self.moves:
            thread = "━" * round(WIDTH * reviewed.win)
            better = f"{reviewed.best_said}, by {reviewed.loss:.0%}" if reviewed.loss > 0 else ""
            name = f"{self.cast.who(reviewed.seat)}: {reviewed.said}"
            grid.add_row(str(reviewed.number), name, thread, f"{reviewed.win:.0%}", better)
        parts: list[RenderableType] = [grid, Text()]
        for reviewed in self.turning_points:
            gave = f"Move {reviewed.number}: {self.cast.who(reviewed.seat)} gave away {reviewed.loss:.0%}"
            parts.append(Text(f"{gave} with {reviewed.said}; better was {reviewed.best_said}."))
        if not self.turning_points:
            parts.append(Text("No move gave anything away that the bot could tell."))
        return Group(*parts)


def review_moves(
    table: Table, moves: Sequence[tuple[int, Move]], level: int, limits: Limits | None = None
) -> Iterator[ReviewedMove]:
    """The moves of a game one after the other, each reviewed from what its player knew."""
    critic = bot(table.game, level, seed=0)
    again = table.afresh()
    for number, (seat, move) in enumerate(moves, start=1):
        yield _review_move(again, number, seat, move, critic.choose(again.view(seat), limits).alternatives)
        again.play(move, seat)


def _review_move(table: Table, number: int, seat: int, move: Move, found: Sequence[Alternative]) -> ReviewedMove:
    best = found[0]  # the critic itself may slip
    made = next((other for other in found if other.move == move and other.tries), None)
    loss = 0.0
    if made is not None and best.win - made.win > SURE * (best.error**2 + made.error**2) ** 0.5:
        loss = best.win - made.win
    said, better = (table.say(str(one), seat).short for one in (move, best.move))
    return ReviewedMove(number, seat, move, best.win, best.move, loss, said, better)


@dataclass(frozen=True)
class Standing:
    """The chances of every seat to win after so many moves, as one seat could know them."""

    number: int
    chances: tuple[float, ...]
    worlds: int  # how many were played on; 0 at the end, which is known

    def json(self) -> Json:
        """As plain data."""
        return {"number": self.number, "chances": list(self.chances), "worlds": self.worlds}


def standings(
    table: Table, seat: int, places: Sequence[int] | None = None, progress: Progress | None = None
) -> Iterator[Standing]:
    """How a game stood before the first move and after every move, from the knowledge of one seat throughout.

    A seat that owes no move has nothing to search for. So worlds are imagined from its view and played on to the end
    by the game's playout policy, for all seats alike. At the end the chances are the result: 1 for who is first, shared
    by those who are level. `places` are those of a game that was given up, whose table does not know them.
    """
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < table.players:
        raise BadOption(f"There is no seat {quoted(seat)} at this table; seats are 0 to {table.players - 1}.", "seat")
    heuristics = heuristics_for(table.game)
    heuristics.prepare(method="forecast")
    again = table.afresh()
    moves = table.moves
    for number in range(len(moves) + 1):
        if number:
            mover, move = moves[number - 1]
            again.make(move, mover)
        ended = places if number == len(moves) and places is not None else again.outcome and again.outcome.places
        yield Standing(number, shares(ended), 0) if ended else _forecast(heuristics, again, number, seat, progress)


def shares(places: Sequence[int]) -> tuple[float, ...]:
    """The victory, shared by all who are first.

    >>> shares((2, 1, 1))
    (0.0, 0.5, 0.5)
    """
    first = places.count(1)
    return tuple(1 / first if place == 1 else 0.0 for place in places)


def _forecast(heuristics: Heuristics, table: Table, number: int, seat: int, progress: Progress | None) -> Standing:
    views, players = table._look(seat), table.players
    workspace = heuristics.workspace(players, players, 1)
    workspace.v, workspace.roots, workspace.first = views[0], stream(0, f"forecast {views.tobytes().hex()}"), 0
    workspace.depth = TO_THE_END if heuristics.has & {"prior", "policy"} else UNIFORM
    workspace.knobs[COMFORT] = heuristics.comfort
    kernel, begun = heuristics.kernels.forecast, time.monotonic()
    while workspace.first < heuristics.forecasts and (live(kernel) or time.monotonic() - begun < PATIENCE):
        workspace.n = min(CHUNK if live(kernel) else 1, heuristics.forecasts - workspace.first)
        call(kernel, workspace)
        workspace.first += workspace.n
        if progress is not None:
            progress(workspace.first, heuristics.forecasts)
    chances = tuple(float(line[WINS] / line[TRIES]) for line in workspace.tally)
    heuristics.workspaces[players].append(workspace)
    return Standing(number, chances, workspace.first)
