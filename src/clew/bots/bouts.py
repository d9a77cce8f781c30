"""One game of the arena, in either of two ways that come to the same moves: inside the kernels, or move by move."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from clew.bots.contestants import Contestant, Decision, FileBot
from clew.bots.file_bots import Fault
from clew.bots.heuristics import Heuristics
from clew.bots.ranking import STREAMS, share
from clew.bots.search import call
from clew.bots.whole_games import ELSEWHERE, KINDS, TREE
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
    """How a game went: the places, who made which move, how it ended, and by which fault the last one lost it."""

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
            return Bout(places, moves, fault=str(fault).removesuffix("."))
        if table is not None:
            table.play(written(table, seat, move), seat)
        kernels.apply(states[0], seat, move)
        moves.append((seat, move))
    return finished(game, states, moves)


class WholeGames:
    """Games inside the kernels, for any number of threads."""

    def __init__(self, heuristics: Heuristics) -> None:
        self.heuristics = heuristics  # for those who need none in particular
        self._workspaces: defaultdict[tuple[int, ...], deque[list[Workspace]]] = defaultdict(deque)

    @staticmethod
    def can(bots: Sequence[Contestant]) -> bool:
        """Whether these bots play inside the kernels."""
        return all(bot.plan is not None and bot.plan.playouts <= LONG for bot in bots)

    def prepare(self, bots: Sequence[Contestant]) -> None:
        """Have what they need compiled, in the background where that is possible."""
        for heuristics in self._of(bots):
            heuristics.prepare(method="whole")

    def ready(self, bots: Sequence[Contestant]) -> bool:
        """Whether that is compiled."""
        return all(live(heuristics.kernels.play_on) for heuristics in self._of(bots))

    def play(self, bots: Sequence[Contestant], deal: Deal, stop: threading.Event) -> Bout | None:
        """A game; None if it was stopped. Where bots know different things, their kernels take turns."""
        known = self._of(bots)
        pool = self._workspaces[tuple(map(id, known))]
        workspaces = pool.pop() if pool else sharing([Workspace(own, len(bots), 1, 1) for own in known], deal.blank)
        for workspace in workspaces:
            sit_at(workspace, bots, known)
        first = workspaces[0]
        deal.lay(first.table)
        first.luck[:] = deal.luck()
        ply = idle = 0
        while idle < len(workspaces):
            for workspace in workspaces:
                if stop.is_set():
                    return None
                workspace.ply = ply
                ply = call(workspace.heuristics.kernels.play_on, workspace)
                over = len(workspaces) == 1 and ply - workspace.ply < workspace.most
                idle = idle + 1 if over or ply == workspace.ply else 0
        moves = list(zip(first.movers[:ply].tolist(), first.played[:ply].copy()))
        bout = finished(deal.game, first.table, moves)
        pool.append(workspaces)
        return bout

    def _of(self, bots: Sequence[Contestant]) -> list[Heuristics]:
        """Whose kernels these bots take."""
        return list({id(own): own for bot in bots if (own := bot.heuristics)}.values()) or [self.heuristics]


def sharing(workspaces: list[Workspace], blank: States) -> list[Workspace]:
    """Workspaces for whole games, at one table."""
    first = workspaces[0]
    for workspace in workspaces:
        workspace.sit_down(blank)
        workspace.table, workspace.luck = first.table, first.luck
        workspace.played, workspace.movers = first.played, first.movers
    return workspaces


def sit_at(workspace: Workspace, bots: Sequence[Contestant], known: Sequence[Heuristics]) -> None:
    """Let the workspace play those of the bots that take its kernels; who takes any has the first ones."""
    plans = [bot.plan for bot in bots if bot.plan is not None]
    trees = [share(0, plan.playouts, STREAMS) for plan in plans if plan.kind == KINDS[TREE]]
    workspace.make_room(2 + max(trees, default=0))
    workspace.most = max(1, CHUNK // max(1, *(plan.playouts for plan in plans)))
    for at, (bot, plan) in enumerate(zip(bots, plans)):
        if (bot.heuristics or known[0]) is not workspace.heuristics:
            workspace.plans[at] = ELSEWHERE
            continue
        workspace.plans[at] = KINDS.index(plan.kind), plan.playouts, plan.candidates, plan.depth
        workspace.knobs[at] = plan.knobs
        workspace.lapses[at] = plan.slip, plan.blunder
        workspace.keys[at] = 0 if plan.key is None else plan.key
