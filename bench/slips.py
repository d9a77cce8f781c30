"""What slips cost: the chance to win that each level of a game gives away, for rare and for frequent slips.

    python bench/slips.py aathenuo --games 40 --seed 5000

The positions are those of games between two bots of the fourth level. Every move is tried in the same worlds, and that
is what it is worth. Then each level weighs the moves by its own search, and the sum over a game of what it gives away
says how far two levels are apart, long before an arena could. Part of every sum is the luck
of the worlds, a large one where a game has many decisions: then only --worlds in the thousands say anything.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from clew.bots.bot import Bot, bot
from clew.bots.levels import LEVELS, plan_for, suited
from clew.bots.search import Limits, Search, call, mean
from clew.core.errors import ClewError
from clew.core.knowledge import look
from clew.core.rng import stream

PLAYER = 4  # the level whose games the positions come from
SLIPS = tuple(n / 10 for n in range(11))


def worths(player: Bot, views: Any, worlds: int) -> list[float]:
    """What each move is worth, all in the same worlds."""
    search = Search(player.sense, views, player.plan, player.seed + 1, Limits())
    desk = player.sense.desk(search.players, len(search.moves), 1)
    desk.v, desk.seat, desk.depth, desk.roots = search.v, search.seat, player.plan.depth, search.roots
    desk.knobs[:2] = player.plan.lean, player.sense.comfort
    desk.moves, desk.alive = search.moves, np.arange(len(search.moves))
    desk.first, desk.stride, desk.n = 0, 1, worlds
    call(player.sense.kernels.survey, desk)
    found = [mean(line) for line in desk.tally]
    player.sense.desks[search.players].append(desk)
    return found


def positions(player: Bot, games: int, seed: int, worlds: int) -> list[tuple[Any, list[float]]]:
    """What a seat knew wherever it had a choice, and what its moves are worth."""
    kernels, found = player.sense.kernels, []
    blank = player.game.blank({option.name: option.default for option in player.game.options}, 2)
    for number in range(games):
        states = blank.copy()
        kernels.deal(states[0], stream(seed + number))
        kernels.start(states[0])
        while (seat := kernels.mover(states[0])) >= 0:
            views = look(player.game, states, seat).copy()
            considered, at = player.consider(views)
            if len(considered.moves) > 1 and considered.worlds:  # what is solved is not searched for
                found.append((views, worths(player, views, worlds)))
            kernels.apply(states[0], seat, considered.moves[at])
        print(f"\r{number + 1} of {games} games, {len(found)} positions", end="", flush=True)
    print()
    return found


def given_away(costs: list[float], means: list[float], slip: float, blunder: float) -> float:
    """What a level gives away in a position on average: it passes over move after move, but never for a blunder."""
    total, here = 0.0, 1.0
    for rank, cost in enumerate(costs):
        last = rank + 1 == len(costs) or means[0] - means[rank + 1] > blunder
        total += here * cost * (1.0 if last else 1.0 - slip)
        if last:
            break
        here *= slip
    return total


def main() -> None:
    """Print the table of a game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--worlds", type=int, default=300, help="in which every move is tried")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        player = bot(args.game, PLAYER, seed=args.seed, threads=1)
    except ClewError as error:
        parser.error(str(error))
    found = positions(player, args.games, args.seed, args.worlds)
    each = len(found) / args.games / 2
    print(f"{each:.1f} decisions a game for each of two players; given away in a game, in points of a hundred:\n")
    print("level    as it is  " + "  ".join(f"{slip:4.1f}" for slip in SLIPS))
    for known in LEVELS:
        level, plan = suited(player.sense, known), plan_for(player.sense, known)
        ranked = []
        for views, values in found:
            seen = Search(player.sense, views, plan, args.seed, Limits()).run()
            ranked.append(([max(values) - values[k] for k in seen.order], [mean(seen.tally[k]) for k in seen.order]))
        sums = [
            100 * each * np.mean([given_away(*one, slip, level.blunder) for one in ranked])
            for slip in (level.slip, *SLIPS)
        ]
        print(f"{level.number} {level.name:9}{sums[0]:5.1f}     " + "  ".join(f"{points:4.1f}" for points in sums[1:]))


if __name__ == "__main__":
    main()
