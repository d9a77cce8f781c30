"""The arithmetic of the arena: intervals, Elo differences, and ratings from a round robin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Z95 = 1.959964
ELO = 400 / math.log(10)
FARTHEST = 1200.0  # Elo; a walk-over says only that the difference is large


def interval(results: Sequence[float]) -> tuple[float, float, float]:
    """The mean of results from 0 to 1, one of each deal, and its 95 % interval.

    Wilson's interval, for as many coin tosses as would spread like these results: it stays between 0 and 1, and a
    clean sweep of few deals is not taken for certainty.

    >>> [round(x, 3) for x in interval([1.0, 0.0] * 50)]
    [0.5, 0.404, 0.596]
    >>> [round(x, 3) for x in interval([1.0] * 20)]
    [1.0, 0.839, 1.0]
    """
    n = len(results)
    mean = math.fsum(results) / n
    variance = math.fsum((x - mean) ** 2 for x in results) / max(1, n - 1)
    tosses = n * mean * (1 - mean) / variance if variance > 0 else n
    middle = (mean + Z95**2 / (2 * tosses)) / (1 + Z95**2 / tosses)
    half = Z95 / (1 + Z95**2 / tosses) * math.sqrt(mean * (1 - mean) / tosses + Z95**2 / (4 * tosses**2))
    return mean, max(0.0, middle - half), min(1.0, middle + half)


def elo(share: float) -> float:
    """The difference in Elo points that this share of the points speaks for.

    >>> round(elo(0.75))
    191
    """
    if share <= 0 or share >= 1:
        return math.copysign(FARTHEST, share - 0.5)
    return max(-FARTHEST, min(FARTHEST, -ELO * math.log(1 / share - 1)))


def ratings(points: Mapping[tuple[int, int], tuple[float, float]], count: int) -> list[float]:
    """Elo ratings that explain the points of each pair best, their mean being 0 (Bradley and Terry, fitted by Zermelo).

    `points[a, b]` are those of a and of b against each other. Half a point to both sides of each pair keeps a walk-over
    finite.

    >>> [round(r) for r in ratings({(0, 1): (75, 25), (1, 2): (75, 25), (0, 2): (90, 10)}, 3)]
    [188, 0, -188]
    """
    won = [0.0] * count
    games: dict[tuple[int, int], float] = {}
    for (a, b), (for_a, for_b) in points.items():
        won[a] += for_a + 0.5
        won[b] += for_b + 0.5
        games[a, b] = games[b, a] = for_a + for_b + 1
    strength = [1.0] * count
    for _ in range(10_000):
        before = strength
        strength = [
            won[a] / sum(n / (before[a] + before[b]) for (x, b), n in games.items() if x == a) if won[a] else before[a]
            for a in range(count)
        ]
        scale = math.exp(math.fsum(map(math.log, strength)) / count)
        strength = [s / scale for s in strength]
        if max(abs(math.log(s / b)) for s, b in zip(strength, before)) < 1e-9:
            break
    return [ELO * math.log(s) for s in strength]
