"""A bot: it is shown a view, and says which move it would make and why."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from clew.bots import levels
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.levels import Level
from clew.bots.ranking import FORCED, SLIP, STREAMS, mean
from clew.bots.search import Findings, Limits, Plan, Search, whole
from clew.bots.simulation import PLACES, REWARD, SQUARES, TALLIES, TRIES, WINS
from clew.core.errors import BadOption, BadView, quoted, shortened
from clew.core.events import SEATS
from clew.core.game import Game, load
from clew.core.moves import Move
from clew.core.seeds import read_seed
from clew.core.types import Floats, ViewData, ViewRecords
from clew.core.views import read_known

WORTH_A_THREAD = 2000  # playouts; fewer are done before a second thread has begun
MOST_ITERATIONS = 10_000_000  # a tree has a node for each


@dataclass(frozen=True)
class Alternative:
    """A move with what the bot found: the chance to win, the place to expect, and how sure that is.

    `error` is the standard error of the chance to win, `tries` how many playouts began with the move.
    """

    move: Move
    win: float
    place: float
    error: float
    tries: int


class Choice(Move):
    """The move that a bot makes, with its reasons; a move like any other to `Table.play`."""

    __slots__ = ("alternatives", "error", "place", "win", "worlds")

    def __init__(self, best: Alternative, alternatives: tuple[Alternative, ...], worlds: int) -> None:
        super().__init__(best.move.text, best.move.code)
        self.win = best.win
        self.place = best.place
        self.error = best.error
        self.alternatives = alternatives
        self.worlds = worlds

    def __repr__(self) -> str:
        return f"Choice({self.text!r}, win {self.win:.0%})"


class Bot:
    """A player at a level, made by `clew.bot`.

    >>> from clew.core.table import new
    >>> t = new("palaces", seed=7)
    >>> choice = bot("palaces", level=1, seed=1).choose(t.view(0))
    >>> choice in t.legal_moves() and 0 <= choice.win <= 1
    True
    """

    def __init__(self, heuristics: Heuristics, level: Level, plan: Plan, seed: int, limits: Limits) -> None:
        self.heuristics = heuristics
        self.game = heuristics.game
        self.level = level
        self.plan = plan
        self.seed = seed
        self.limits = limits

    def __repr__(self) -> str:
        return f"<{self.level.name}, level {self.level.number} of {self.game.name}>"

    def choose(self, view: ViewData, limits: Limits | None = None) -> Choice:
        """The move for the seat whose view this is; the same for the same seed and view, unless the clock decides.

        `limits` take the place of the bot's own: for a progress bar, or to stop the search early.
        """
        if limits is not None and not isinstance(limits, Limits):
            raise BadOption(f"The limits of a search are Limits(...), not {quoted(limits)}.", "limits")
        views = read_view(self.game, view)
        found, at = self.consider(views, limits)
        write, v = self.game.words.write, views[0]
        codes = found.moves.tolist() if not found.moves.dtype.names else list(found.moves)
        rated = {k: _rated(Move(write(codes[k], v), codes[k]), found.tally, k) for k in {*found.order, at}}
        return Choice(rated[at], tuple(rated[k] for k in found.order), found.worlds)

    def consider(self, views: ViewRecords, limits: Limits | None = None) -> tuple[Findings, int]:
        """What the search found from a view's record, and the index of the move to make."""
        limits = limits or self.limits
        search = Search(self.heuristics, views, self.plan, self.seed, limits)
        if "duel" in self.heuristics.has:
            solved = self._duel(search)
            if solved is not None:
                return solved
        if len(search.moves) == 1:
            search.plan = replace(self.plan, iterations=min(FORCED, self.plan.iterations))
        found = search.run()
        order, rng = np.array(found.order), search.branch(SLIP)
        given = (found.tally, order, len(order), self.level.slip, self.level.blunder, rng)
        return found, found.order[self.heuristics.kernels.passed_over(*given)]

    def _duel(self, search: Search) -> tuple[Findings, int] | None:
        """A secret choice at the same time as the other's, solved; None where there is none."""
        count, most = len(search.moves), self.game.rules.MOVES
        payoffs, solution, rng = np.zeros((most, most)), np.zeros((2, most)), np.zeros(4, np.int64)
        given = (search.world[0], search.seat, count, search.roots, rng, payoffs, solution)
        at = self.heuristics.kernels.solve_duel(*given)
        if at < 0:
            return None
        mixed, replies = solution[0, :count], solution[1]
        worths = payoffs[:count] @ replies
        tally = np.zeros((count, len(TALLIES)))
        tally[:, TRIES], tally[:, REWARD], tally[:, WINS] = 1, worths, worths
        tally[:, SQUARES], tally[:, PLACES] = worths**2, 2 - worths
        order = sorted(range(len(mixed)), key=lambda k: (-mixed[k], -worths[k]))
        return Findings(search.moves, tally, order, 0), at


def bot(
    name: str | Path | Game,
    level: int = 3,
    seed: int | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
) -> Bot:
    """A bot for a game, at a level from 1 to 6.

    Its budget is the level's, or so many `iterations` (playouts), or so many `seconds` a move.
    """
    game = name if isinstance(name, Game) else load(name)
    heuristics = heuristics_for(game)
    chosen = levels.suited(heuristics, levels.level(level))
    plan = levels.plan_for(heuristics, chosen)
    if iterations is not None:
        plan = replace(plan, iterations=whole("iterations", iterations, MOST_ITERATIONS))
    seed = read_seed(seed)
    if threads is None:
        threads = min(os.cpu_count() or 1, STREAMS) if seconds is not None or plan.iterations >= WORTH_A_THREAD else 1
    limits = Limits(threads=threads, seconds=seconds)
    heuristics.prepare()
    return Bot(heuristics, chosen, plan, seed, limits)


def read_view(game: Game, view: object) -> ViewRecords:
    """The record of what a seat knows, out of its view; refused unless that seat owes a move in this game."""
    if not isinstance(view, Mapping) or "known" not in view or "game" not in view:
        raise BadView("A bot is shown a view, as Table.view(seat) gives it.")
    name, rules, seat, owing, known = (view.get(key) for key in ("game", "rules", "seat", "to_move", "known"))
    if not isinstance(name, str) or name != game.name:
        said = shortened(name) if isinstance(name, str) else quoted(name)
        raise BadView(f"This is a view of {said}, and the bot plays {game.name}.")
    if not isinstance(rules, int) or rules != game.version:
        raise BadView(f"The view is of rules {quoted(rules)} of {game.title}; here are rules {game.version}.")
    if seat is None:
        raise BadView("This is what a spectator sees, who has no move to make.")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < game.players[1]:
        raise BadView(f"There is no seat {quoted(seat)} in {game.title}.")
    if not isinstance(owing, list | tuple) or not all(isinstance(one, int) for one in owing):
        raise BadView(f"The seats that owe a move are a list of numbers, not {quoted(owing)}.")
    if seat not in owing:
        said = f"{SEATS[seat]} owes no move now" if owing else "The game is over: nobody moves any more"
        raise BadView(f"{said}.")
    return read_known(game, seat, known)


def _rated(move: Move, tally: Floats, k: int) -> Alternative:
    row = tally[k]
    tries = int(row[TRIES])
    if not tries:
        return Alternative(move, math.nan, math.nan, math.nan, 0)
    reward = mean(tally, k)
    spread = math.sqrt(max(0.0, row[SQUARES] / tries - reward * reward) / tries)
    return Alternative(move, float(row[WINS] / tries), float(row[PLACES] / tries), spread, tries)
