"""Clew against a peer: The Lost Palaces, the same deals and seconds a move, one core each.

    make bench-peer                                   # or, where open_spiel is installed:
    python bench/peer.py --games 100 --seconds 0.5 --seed 1 [--json]

The peer is OpenSpiel's own information-set MCTS (its Python bot, with its random rollouts) on the game as an OpenSpiel
Python game (`openspiel_palaces.py`), whose rules were written apart from Clew's (`palaces_python.py`). Clew plays its
level 6 by the clock, from `Table.view(seat)`. Each deal is played twice, with seats swapped. Every move is made in both
implementations, and they must agree at every step: who moves, which moves are legal, the hands, the scores. If they
do not, the benchmark ends and says where.

The C++ bot of OpenSpiel cannot play a Python game: it does not reach the state's `resample_from_infostate`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from palaces_python import ACTION, WRITTEN, read_deal

import clew
from clew.bots.arena import deal_seed
from clew.bots.ratings import interval

try:
    import openspiel_palaces
    import pyspiel
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
except ImportError:
    print("OpenSpiel is not installed here: make bench-peer plays in an environment that has it.", file=sys.stderr)
    sys.exit(2)

GAME, LEVEL = "palaces", 6
EXPLORE = 40.0  # OpenSpiel's uct_c, in points
NO_END = sys.maxsize


class Disagreement(Exception):
    """The two implementations differ."""


class ClockedISMCTS(ISMCTSBot):
    """OpenSpiel's bot, whose own loop counts simulations, with a loop that looks at the clock as well.

    All else is OpenSpiel's: the tree, the rollouts, the final choice by visits. Worlds come from the game's own
    resampling, by a generator with a seed.
    """

    def __init__(self, game: Any, seed: int, seconds: float = float("inf"), simulations: int = NO_END) -> None:
        luck = np.random.RandomState(seed)
        super().__init__(game, RandomRolloutEvaluator(1, luck), EXPLORE, simulations, random_state=luck)
        chance = random.Random(seed).random
        self.set_resampler(lambda state, player: state.resample_from_infostate(player, chance))
        self.seconds = seconds
        self.simulations = 0  # made so far, in all searches

    def run_search(self, state: Any) -> list[tuple[int, float]]:
        """The moves with their probabilities: all on the one visited most."""
        until = time.perf_counter() + self.seconds
        self.reset()
        self._root_node = self.create_new_node(state)
        made = 0
        while made < 2 or (made < self._max_simulations and time.perf_counter() < until):
            self.run_simulation(self.sample_root_state(state))  # the first only opens the root
            made += 1
        self.simulations += made
        return self.get_final_policy(state, self._root_node)


@dataclass
class Side:
    """What one of the two did: its results deal by deal, its simulations, and the time that it took for them."""

    name: str
    results: list[float] = field(default_factory=list)
    simulations: int = 0
    seconds: float = 0.0
    moves: int = 0

    def thought(self, simulations: int, seconds: float) -> None:
        """Add a move."""
        self.simulations += simulations
        self.seconds += seconds
        self.moves += 1

    def figures(self) -> dict[str, Any]:
        """As plain data."""
        found: dict[str, Any] = {"name": self.name}
        if self.results:
            share, low, high = interval(self.results)
            found |= {"win_rate": share, "ci95": [low, high]}
        if self.moves:
            found |= {
                "moves": self.moves,
                "seconds_per_move": self.seconds / self.moves,
                "simulations_per_s": self.simulations / self.seconds,
            }
        return found


class Contest:
    """Paired games between Clew and the peer."""

    def __init__(self, seconds: float, seed: int) -> None:
        self.seconds, self.seed = seconds, seed
        self.game = pyspiel.load_game(openspiel_palaces.NAME)
        self.bot = clew.bot(GAME, level=LEVEL, seed=seed, seconds=seconds, threads=1)
        self.clew, self.peer = Side(f"Clew, level {LEVEL}"), Side("OpenSpiel, ISMCTS")
        self.margins: list[int] = []
        self.games = 0

    def pair(self, number: int) -> None:
        """One deal, twice."""
        share = 0.0
        for own in range(2):
            share += self.one(number, own) / 2
            self.games += 1
            print(f"game {self.games}, deal {number + 1}: Clew {self.margins[-1]:+d} points", file=sys.stderr)
        self.clew.results.append(share)
        self.peer.results.append(1 - share)

    def one(self, number: int, own: int) -> float:
        """One game with Clew in seat `own`; its result for Clew."""
        t = clew.new(GAME, seed=deal_seed(self.seed, number))
        state = opening(self.game, t)
        ismcts = ClockedISMCTS(self.game, deal_seed(self.seed, 2 * number + own) & 0xFFFFFFFF, self.seconds)
        check(t, state)
        while t.to_move:
            begin = time.perf_counter()
            if t.to_move[0] == own:
                choice = self.bot.choose(t.view(own))
                self.clew.thought(sum(each.tries for each in choice.alternatives), time.perf_counter() - begin)
                text = str(choice)
            else:
                before = ismcts.simulations
                action = ismcts.step(state)
                self.peer.thought(ismcts.simulations - before, time.perf_counter() - begin)
                text = WRITTEN[action]
            t.play(text)
            state.apply_action(ACTION[text])
            check(t, state)
        self.margins.append(t.outcome.scores[own] - t.outcome.scores[1 - own])
        return (1 + t.outcome.places[1 - own] - t.outcome.places[own]) / 2

    def figures(self) -> dict[str, Any]:
        """What is known so far."""
        found: dict[str, Any] = {"games": self.games, "seconds": self.seconds, "seed": self.seed}
        found |= {"clew": self.clew.figures(), "peer": self.peer.figures()}
        if self.clew.moves and self.peer.moves:
            ours, theirs = (found[side]["simulations_per_s"] for side in ("clew", "peer"))
            found["simulations_ratio"] = ours / theirs
        if self.margins:
            found["mean_margin"] = sum(self.margins) / len(self.margins)
        return found


def opening(game: Any, t: clew.Table) -> Any:
    """The peer's state with the deal of a table of Clew's."""
    state = game.new_initial_state()
    for action in openspiel_palaces.chance_actions(read_deal(t.deal_lines())):
        state.apply_action(action)
    return state


def check(t: clew.Table, state: Any) -> None:
    """Both implementations must say the same about this moment of the game."""
    mover = t.to_move[0] if t.to_move else int(pyspiel.PlayerId.TERMINAL)
    same("who moves", mover, int(state.current_player()), t)
    same("the moves", sorted(map(str, t.legal_moves())), sorted(WRITTEN[a] for a in state.legal_actions()), t)
    views = [t.view(seat)["table"] for seat in range(2)]
    hands = [" ".join(view["hand"]) for view in views]
    same("the hands", hands, [state.table.hand_text(player) for player in range(2)], t)
    scores = [seat["score"] for seat in views[0]["seats"]]
    same("the scores", scores, [state.table.standing(player)[0] for player in range(2)], t)
    if t.outcome:
        standings = [state.table.standing(player) for player in range(2)]
        places = tuple(1 + (standings[player] < standings[1 - player]) for player in range(2))
        same("the places", t.outcome.places, places, t)


def same(what: str, ours: Any, theirs: Any, t: clew.Table) -> None:
    """Refuse to go on where something differs."""
    if ours != theirs:
        raise Disagreement(f"The implementations differ in {what}: Clew {ours}, the peer {theirs}.\n{t.record()}")


def show(figures: dict[str, Any]) -> None:
    """Print the figures for people."""
    print(f"{figures['games']} games, {figures['seconds']:g} s a move, seed {figures['seed']}")
    for side in (figures["clew"], figures["peer"]):
        line = f"{side['name']:18}"
        if "win_rate" in side:
            low, high = side["ci95"]
            line += f"  wins {side['win_rate']:6.1%} ({low:.1%} to {high:.1%})"
        if "moves" in side:
            line += f"  {side['simulations_per_s']:10,.0f} simulations/s  {side['seconds_per_move']:.3f} s a move"
        print(line)
    if "simulations_ratio" in figures:
        print(f"simulations/s, Clew / OpenSpiel: {figures['simulations_ratio']:.1f}")
    if "mean_margin" in figures:
        print(f"Clew is ahead by {figures['mean_margin']:+.1f} points on average")


def main() -> None:
    """Play, and print what came out, also after Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="an even number: each deal is played twice")
    parser.add_argument("--seconds", type=float, default=0.5, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.games < 2 or args.games % 2:
        parser.error(f"Each deal is played twice: the games are an even number from 2 on, not {args.games}.")
    if args.seed < 0:
        parser.error(f"A seed is a whole number from 0 on, not {args.seed}.")
    try:
        contest = Contest(args.seconds, args.seed)
    except clew.ClewError as error:
        parser.error(str(error))
    try:
        for number in range(args.games // 2):
            contest.pair(number)
    except KeyboardInterrupt:
        print("Stopped early.", file=sys.stderr)
    except Disagreement as error:
        sys.exit(str(error))
    figures = contest.figures()
    if args.json:
        print(json.dumps(figures, indent=2))
    else:
        show(figures)


if __name__ == "__main__":
    main()
