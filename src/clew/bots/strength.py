"""How strong a network is while it is trained: small arenas against what it was before, and against a level.

Neither changes what is learnt, so they may end early: when their time is over, or when somebody asks for an end.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from clew.bots import levels, network, ratings
from clew.bots.bot import Bot
from clew.bots.heuristics import heuristics_for
from clew.bots.search import Limits
from clew.core.knowledge import look
from clew.core.rng import stream

if TYPE_CHECKING:
    from clew.bots.training import Trainer

# `Any` in signatures here: what is told of progress, by name, and arrays of numbers.


def against(
    trainer: Trainer,
    before: Any,
    seconds: float = math.inf,
    stop: threading.Event | None = None,
    deals: int = 60,
) -> dict[str, Any]:
    """How the network does against an earlier one, over paired deals: its share and the 95 % interval."""
    weights, rivals, recipe = trainer.weights(), trainer.weights(before), trainer.recipe
    jobs, shares = [], list[float]()
    for k, worker in enumerate(trainer.workers):
        worker.states[0] = trainer.tables[k % len(trainer.tables)][0]
        rng, share = stream(trainer.about.seed, f"rivals {trainer.about.games} {k}"), np.zeros(1)
        rest = (recipe.worlds, recipe.looks, worker.scores, worker.places, share)
        jobs.append((1, worker.states, rng, worker.out, weights, rivals, *rest))
    with ThreadPoolExecutor(trainer.threads) as pool:
        for _ in _until(deals // len(jobs), seconds, stop):
            list(pool.map(lambda job: trainer.kernels.play_rivals(*job), jobs))
            shares += [float(job[-1][0]) for job in jobs]
    return _told("before", shares)


def against_level(
    trainer: Trainer,
    number: int,
    seconds: float = math.inf,
    stop: threading.Event | None = None,
    deals: int = 16,
) -> dict[str, Any]:
    """How the network does without any search against a level as it is without what was learnt."""
    game, about = trainer.game, trainer.about
    rivals = heuristics_for(game, "written" if game.heuristics else "nothing")
    rivals.ready()
    chosen = levels.suited(rivals, levels.level(number))
    bot = Bot(rivals, chosen, levels.plan_for(rivals, chosen), about.seed, Limits())
    worker, weights = trainer.workers[0], trainer.weights()
    states, shares = worker.states, list[float]()
    for deal in _until(deals, seconds, stop):
        table = trainer.tables[deal % len(trainer.tables)]
        players, share = int(table[0].players), 0.0
        for mine in range(players):
            states[0] = states[1] = table[0]
            game.kernels.deal(states[1], stream(about.seed, f"level {about.games} {deal}"))
            game.kernels.start(states[1])
            rng = stream(about.seed, f"mine {about.games} {deal} {mine}")
            while (seat := int(game.kernels.mover(states[1]))) >= 0:
                if seat == mine:
                    move = worker.best(seat, weights, rng)
                else:
                    found, at = bot.consider(look(game, states[1:2], seat))
                    move = found.moves[at]
                game.kernels.apply(states[1], seat, move)
            answers = np.empty(network.ANSWERS)
            trainer.kernels.settle(states[1], mine, weights, worker.scores, worker.places, answers)
            share += answers[0] / players
        shares.append(share)
    return _told(f"level_{number}", shares)


def _until(count: int, seconds: float, stop: threading.Event | None) -> Iterator[int]:
    """The first numbers, as long as there is time; the first one always, unless somebody asked for an end."""
    end = time.monotonic() + seconds
    for number in range(count):
        if (stop is not None and stop.is_set()) or (number and time.monotonic() >= end):
            return
        yield number


def _told(name: str, shares: list[float]) -> dict[str, Any]:
    """A share with its interval, by name; nothing if no deal was played."""
    if not shares:
        return {}
    mean, low, high = ratings.interval(shares)
    return {name: mean, f"{name}_ci95": [low, high]}
