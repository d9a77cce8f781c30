"""How fast the search is, next to the engine that it stands on: python bench/bots.py [--json].

The tree search of The Lost Palaces with random playouts is held against random games in the kernels, in turns; two
threads on one decision against one; and how long the first move and the moves of each level take.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from typing import Any

import clew
from clew.bots.heuristics import heuristics_for
from clew.bots.search import CHUNK, Limits, Plan, Search
from clew.bots.simulation import UNIFORM
from clew.bots.tree import VISITS
from clew.bots.workspace import Workspace
from clew.core.game import load, names
from clew.core.knowledge import look
from clew.core.rng import stream

GAME = "palaces"
ROUNDS = 15
FIRST_MOVE = """
import sys, time
begin = time.perf_counter()
import clew
t = clew.new(sys.argv[1], seed=1)
bot = clew.bot(sys.argv[1], level=3, seed=1)
bot.choose(t.view(t.to_move[0]))
print(time.perf_counter() - begin)
"""


def tree_against_engine() -> dict[str, float]:
    """Moves a second in the playouts of the tree search, over those of random games."""
    game, heuristics = load(GAME), heuristics_for(load(GAME))
    heuristics.ready()
    t = clew.new(GAME, seed=1)
    views = look(game, t._states[-1], t.to_move[0])
    plan = Plan(method="tree", depth=UNIFORM, iterations=8000)
    ratios, speeds, games = [], [], 400
    workspace = Workspace(heuristics, 2, 1, 1)
    workspace.states[0] = game.blank(t.options, 2)[0]
    for number in range(ROUNDS):
        workspace.rng[:] = stream(number, "bench")
        begin = time.thread_time()
        moves = game.kernels.random_games(games, workspace.states, workspace.rng, workspace.out)
        engine = moves / (time.thread_time() - begin)
        search = Watched(heuristics, views, plan, number, Limits())
        begin = time.thread_time()
        search.run()
        took = time.thread_time() - begin
        length = moves / games - search.descents / plan.iterations
        speeds.append(plan.iterations / took)
        ratios.append(plan.iterations / took * length / engine)
    return {"iterations_per_s": max(speeds), "ratio_to_random_play": statistics.median(ratios[1:])}


class Watched(Search):
    """A search that adds up how many moves its descents made before the playouts began."""

    descents = 0

    def _workspace(self, moves: int, nodes: int) -> Workspace:
        workspace = super()._workspace(moves, nodes)
        self.workspaces = {**getattr(self, "workspaces", {}), id(workspace): workspace}
        return workspace

    def run(self) -> Any:
        """Search, and count."""
        found = super().run()
        self.descents = sum(int(workspace.nodes[1:, VISITS].sum()) for workspace in self.workspaces.values())
        return found


def two_threads() -> float:
    """How much faster two threads search for one decision than one, in the best of short rounds."""
    game = load(GAME)
    heuristics = heuristics_for(game)
    t = clew.new(GAME, seed=1)
    views = look(game, t._states[-1], t.to_move[0])
    plan = Plan(method="tree", depth=UNIFORM, iterations=8 * CHUNK)
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(12 * ROUNDS):
        for threads in best:
            begin = time.perf_counter()
            Search(heuristics, views, plan, 1, Limits(threads=threads)).run()
            best[threads] = min(best[threads], time.perf_counter() - begin)
    return best[1] / best[2]


def level_times(name: str) -> dict[str, float]:
    """Seconds a move of each level takes on average over a game against itself, on all cores."""
    found = {}
    for level in range(1, 7):
        bot = clew.bot(name, level=level, seed=1)
        t = clew.new(name, seed=1)
        walker = clew.bot(name, level=1, seed=1)
        took = []
        for ply in range(20):
            if not t.to_move:
                break
            view = t.view(t.to_move[0])
            if ply % (1 if level < 5 else 5) == 0:
                begin = time.perf_counter()
                bot.choose(view)
                took.append(time.perf_counter() - begin)
            t.play(walker.choose(view), t.to_move[0])
        found[f"level {level}"] = statistics.median(took)
    return found


def first_move(name: str) -> float:
    """Seconds from the import of Clew in a new process to the first move of level 3, everything being compiled."""
    command = [sys.executable, "-c", FIRST_MOVE, name]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(2))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    figures: dict[str, Any] = {GAME: tree_against_engine(), "threads2_ratio": two_threads(), "moves": {}}
    for name in names():
        figures["moves"][name] = {"first": first_move(name), **level_times(name)}
    if parser.parse_args().json:
        print(json.dumps(figures, indent=2))
        return
    tree = figures[GAME]
    print(f"tree search, iterations/s            {tree['iterations_per_s']:10,.0f}")
    print(f"playouts / random play, moves/s      {tree['ratio_to_random_play']:10.2f}   wanted >= 0.60")
    print(f"two threads / one, one decision      {figures['threads2_ratio']:10.2f}   wanted >= 1.70")
    for name, times in figures["moves"].items():
        print(f"{name:12}" + "".join(f"  {what} {1000 * took:.0f} ms" for what, took in times.items()))


if __name__ == "__main__":
    main()
