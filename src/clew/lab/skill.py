"""Does skill win? A ladder of players, each against the next, on the same deals with the seats changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise

from clew.bots.arena import Arena
from clew.bots.ratings import elo, interval
from clew.lab.result import Figure, Measure
from clew.lab.simulation import Play

RUNGS = ("random", "level:1", "level:3")
GAMES = 200  # of each two rungs


def ladder(
    play: Play,
    rungs: Sequence[str],
    games: int,
    threads: int,
    stop: threading.Event,
    progress: Callable[[int, int], None] | None = None,
) -> Measure | None:
    """How often each rung beats the one below it, and the mean of that: the slope of the ladder."""
    figures, by_deal = [], list[list[float]]()
    total = games * (len(rungs) - 1)
    for at, (lower, upper) in enumerate(pairwise(rungs)):
        arena = Arena(play.game, [upper, lower], games, play.players, play.options, play.seed, threads, whole=True)

        def say(done: int, of: int, before: int = at * games) -> None:
            if progress is not None:
                progress(before + done, total)

        if stop.is_set() or not _play(arena, say, stop):
            break
        (pair,) = arena.pairs()
        low, high = pair["ci95"]
        facts: dict[str, float | int | str] = {"elo": round(pair["elo"])}
        figures.append(
            Figure(f"{upper} beats {lower}", pair["share"], low, high, "Wilson", arena.games, 0.5, facts=facts)
        )
        by_deal.append([first / (first + second) for first, second in arena.pairings[0].deals if first + second])
    if not figures:
        return None
    steps = [share for deals in by_deal for share in deals]
    mean, low, high = interval(steps)
    n = sum(figure.games for figure in figures)
    slope = Figure("a rung on average", mean, low, high, "Wilson", n, 0.5, facts={"elo": round(elo(mean))})
    text = "How often the better player wins against the next below, on the same deals with the seats changed."
    level = " < ".join(rungs[: len(figures) + 1])
    return Measure("ladder", "skill", "The ladder of skill", text, "share", level, n, (slope, *figures))


def _play(arena: Arena, progress: Callable[[int, int], None], stop: threading.Event) -> bool:
    """Play an arena; it sets what stops it when it is over, so it gets a stop of its own."""
    own = threading.Event()

    def say(done: int, total: int) -> None:
        progress(done, total)
        if stop.is_set():
            own.set()

    return arena.run(say, own)
