"""One game of the arena, in either of two ways that come to the same moves: inside the kernels, or move by move."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from clew.bots.contestants import Contestant, Decision, FileBot
from clew.bots.file_bots import Fault
from clew.bots.heuristics import Heuristics
from clew.bots.ranking import STREAMS, share
from clew.bots.search import call
from clew.bots.whole_games import KINDS, TREE
from clew.bots.workspace import Workspace
from clew.core.errors import IllegalMove, quoted
from clew.core.game import Game
from clew.core.kernels import live
from clew.core.knowledge import look
from clew.core.options import Value
from clew.core.protocol import LEGAL
from clew.core.rng import stream
from clew.core.table import Table, new
from clew.core.types import Integers, MoveCode, States

CHUNK = 20_000  # playouts between two looks at the stop sign
LONG = 50_000  # playouts of one decision with which no kernel is left alone


@dataclass(frozen=True)
class Deal:
    """What a game begins with: the table, the seed of the deal, and by how many seats the bots have moved on."""

    game: Game
    options: dict[str, Value]
    blank: States  # only options and players are set
    seed: int
    shift: int

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.blank[0].players)

    def lay(self, states: States) -> None:
        """Deal into the first state, and start."""
        states[:1] = self.blank
        self.game.kernels.deal(states[0], stream(self.seed))
        self.game.kernels.start(states[0])

    def luck(self) -> Integers:
        """The random numbers of those who move at random."""
        return stream(self.seed * 64 + self.shift, "random")

    def table(self) -> Table:
        """The same for people."""
        return new(self.game, self.players, self.seed, self.options)


@dataclass(frozen=True)
class Bout:
    """How a game went: the places, who made which move, how it ended, and who lost it by a fault."""

    places: tuple[int, ...]
    moves: list[tuple[int, MoveCode]] = field(repr=False)
    ending: str = ""
    fault: str = ""

    def record(self, deal: Deal) -> str:
        """The game to be replayed."""
        table = deal.table()
        for seat, move in self.moves:
            table.play(written(table, seat, move), seat)
        return table.record()


def written(table: Table, seat: int, move: MoveCode) -> str:
    """A move as it is written."""
    return str(table.game.words.write(move, table._look(seat)[0]))


def finished(game: Game, states: States, moves: list[tuple[int, MoveCode]]) -> Bout:
    """How a game went that is over."""
    scores, places = np.zeros((2, int(states[0].players)), np.int64)
    game.kernels.result(states[0], scores, places)
    ending = game.endings[int(game.kernels.ending(states[0])) - 1]
    return Bout(tuple(places.tolist()), moves, ending)


def play_by_moves(bots: Sequence[Contestant], deal: Deal, stop: threading.Event) -> Bout | None:
    """A game, the bots asked one by one; None if it was stopped. Those from a file are shown a table."""
    game, kernels, states = deal.game, deal.game.kernels, deal.blank.copy()
    deal.lay(states)
    table = deal.table() if any(isinstance(bot, FileBot) for bot in bots) else None
    luck, moves = deal.luck(), list[tuple[int, MoveCode]]()
    while (seat := kernels.mover(states[0])) >= 0:
        if stop.is_set():
            return None
        decision = Decision(game, look(game, states, seat), luck)
        if table is not None and isinstance(bots[seat], FileBot):
            decision.shown = table.view(seat), [str(move) for move in table.legal_moves(seat)]
        try:
            move = bots[seat].move(decision)
            if decision.shown is not None and (reason := kernels.refusal(states[0], seat, move)) != LEGAL:
                said = IllegalMove(*game.words.explain(reason, move, decision.views[0]))
                raise Fault(f"{quoted(decision.said)} is no legal move: {said}")
        except Fault as fault:
            places = tuple(2 if other == seat else 1 for other in range(deal.players))
            return Bout(places, moves, fault=f"{bots[seat].name} lost a game: {fault}.")
        if table is not None:
            table.play(written(table, seat, move), seat)
        kernels.apply(states[0], seat, move)
        moves.append((seat, move))
    return finished(game, states, moves)


class WholeGames:
    """Games inside the kernels, for any number of threads."""

    def __init__(self, heuristics: Heuristics) -> None:
        self.heuristics = heuristics
        self._workspaces: deque[Workspace] = deque()

    @staticmethod
    def can(bots: Sequence[Contestant]) -> bool:
        """Whether these bots play inside the kernels."""
        return all(bot.plan is not None and bot.plan.playouts <= LONG for bot in bots)

    def ready(self) -> bool:
        """Whether that is compiled."""
        return live(self.heuristics.kernels.play_on)

    def play(self, bots: Sequence[Contestant], deal: Deal, stop: threading.Event) -> Bout | None:
        """A game; None if it was stopped."""
        workspace = self._workspace(bots, deal.blank)
        deal.lay(workspace.table)
        workspace.luck[:] = deal.luck()
        workspace.ply, made = 0, workspace.most
        while made == workspace.most:
            if stop.is_set():
                return None
            ply = call(self.heuristics.kernels.play_on, workspace)
            workspace.ply, made = ply, ply - workspace.ply
        moves = list(zip(workspace.movers[: workspace.ply].tolist(), workspace.played[: workspace.ply].copy()))
        bout = finished(deal.game, workspace.table, moves)
        self._workspaces.append(workspace)
        return bout

    def _workspace(self, bots: Sequence[Contestant], blank: States) -> Workspace:
        """A workspace in which these bots sit."""
        plans = [bot.plan for bot in bots if bot.plan is not None]
        nodes = 2 + max(share(0, plan.playouts, STREAMS) if plan.kind == KINDS[TREE] else 0 for plan in plans)
        try:
            workspace = self._workspaces.pop()
        except IndexError:
            workspace = Workspace(self.heuristics, len(bots), 1, 1)
            workspace.sit_down(blank, nodes)
        workspace.make_room(nodes)
        for seat, plan in enumerate(plans):
            workspace.plans[seat] = KINDS.index(plan.kind), plan.playouts, plan.candidates, plan.depth
            workspace.knobs[seat] = plan.knobs
            workspace.lapses[seat] = plan.slip, plan.blunder
            workspace.keys[seat] = 0 if plan.key is None else plan.key
        workspace.most = max(1, CHUNK // max(1, *(plan.playouts for plan in plans)))
        return workspace
