"""How much skill a game has room for: a player who sees every card against one who does not.

    python bench/ceiling.py cardtracks --games 1000 --seed 1
    python bench/ceiling.py aathenuo --against greedy --games 300 --seed 9

The seer tries each move in the true world and plays on by the game's heuristics. It is no bot, for no bot may see a
state. It tells how often the best of all players could win, and so how much of that a level has reached.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from clew.bots.arena import deal_seed
from clew.bots.bouts import Deal, written
from clew.bots.contestants import Decision, FileBot, contestant
from clew.bots.heuristics import heuristics_for
from clew.bots.ratings import interval
from clew.bots.search import call
from clew.bots.simulation import TO_THE_END
from clew.bots.workspace import Workspace
from clew.core.errors import ClewError
from clew.core.game import load
from clew.core.knowledge import look
from clew.core.options import read_options
from clew.core.rng import stream

TRIES = 24  # playouts for each move


class Seer:
    """Tries every move in the true world."""

    def __init__(self, name: str, seed: int) -> None:
        self.game = load(name)
        self.heuristics = heuristics_for(self.game)
        self.heuristics.ready()
        self.workspace = Workspace(self.heuristics, 2, 1, 1)
        self.workspace.knobs[:2] = 0.1, self.heuristics.comfort
        self.workspace.rng[:] = stream(seed, "seer")

    def move(self, states: Any, seat: int) -> int:
        """The move after which the seat does best."""
        workspace, kernels = self.workspace, self.heuristics.kernels
        out = self.game.moves(self.game.rules.MOVES)
        count = kernels.legal(states[0], seat, out)
        if count == 1:
            return out[0]
        best = []
        for i in range(count):
            total = 0.0
            for _ in range(TRIES):
                workspace.states[1:2] = states
                kernels.apply(workspace.states[1], seat, out[i])
                workspace.depth = TO_THE_END
                over = call(kernels.rollout, workspace)
                total += kernels.reward_of(
                    workspace.states[1],
                    seat,
                    over,
                    workspace.knobs,
                    workspace.weights,
                    workspace.scores,
                    workspace.places,
                )
            best.append(total)
        return out[int(np.argmax(best))]


def main() -> None:
    """Play paired deals, the seer once in each seat."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--against", default="random", help="any bot of the arena: random, greedy, level:3, a file")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        seer = Seer(args.game, args.seed)
        rival = contestant(args.against, seer.heuristics, args.seed)
    except ClewError as error:
        parser.error(str(error))
    game, kernels = seer.game, seer.heuristics.kernels
    options = read_options(game.title, game.options, {})
    blank = game.blank(options, 2)
    shares = []
    for number in range(args.games // 2):
        got = 0.0
        for own in range(2):
            states, deal = blank.copy(), Deal(game, options, blank, deal_seed(args.seed, number), own)
            deal.lay(states)
            table = deal.table() if isinstance(rival, FileBot) else None  # a bot from a file is shown one
            luck = deal.luck()
            while (seat := kernels.mover(states[0])) >= 0:
                here = Decision(game, look(game, states, seat), luck)
                if table is not None and seat != own:
                    here.shown = table.view(seat), [str(move) for move in table.legal_moves(seat)]
                move = seer.move(states, seat) if seat == own else rival.move(here)
                if table is not None:
                    table.play(written(table, seat, move), seat)
                kernels.apply(states[0], seat, move)
            scores, places = np.zeros((2, 2), np.int64)
            kernels.result(states[0], scores, places)
            got += 0.5 if places[0] == places[1] else float(places[own] == 1)
        shares.append(got / 2)
    share, low, high = interval(shares)
    print(f"{game.title}: who sees every card beats {args.against} in {share:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
