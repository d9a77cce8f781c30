"""Whether two heaps of numbers, or a heap and its expected shares, can come from the same chances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

SHARES = (0.0001, 0.001, 0.01, 0.1, 0.5)  # of games that show something, for telling how sure a sample is
UNSURE = 0.2

FEWEST = 8.0  # what a category must be expected to hold; neighbours are merged until it does


def tail(statistic: float, freedom: int) -> float:
    """The probability that a chi-square reaches this by chance (Wilson and Hilferty's cube root).

    >>> round(tail(18.307, 10), 2)
    0.05
    """
    if freedom < 1 or statistic <= 0:
        return 1.0
    spread = 2 / (9 * freedom)
    z = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(z / math.sqrt(2))


def _merged(columns: list[list[float]], least: list[float]) -> list[list[float]]:
    """Neighbouring categories put together until each holds enough of `least`."""
    heaps: list[list[float]] = []
    held = 0.0
    for column, weight in zip(columns, least):
        if heaps and held < FEWEST:
            heaps[-1] = [a + b for a, b in zip(heaps[-1], column)]
            held += weight
        else:
            heaps.append(list(column))
            held = weight
    if len(heaps) > 1 and held < FEWEST:
        last = heaps.pop()
        heaps[-1] = [a + b for a, b in zip(heaps[-1], last)]
    return heaps


def same(one: Any, other: Any, likeness: float = 1.0) -> float:
    """The probability that two samples of a number are at least as different if they come from the same chances.

    With a `likeness` above 1 the numbers of the first tell so much less, as they are not independent.
    """
    values, inverse = np.unique(np.concatenate([one, other]), return_inverse=True)
    if len(values) == 1:
        return 1.0
    mine = np.bincount(inverse[: len(one)], minlength=len(values)).astype(float)
    yours = np.bincount(inverse[len(one) :], minlength=len(values)).astype(float)
    share = min(len(one), len(other)) / (len(one) + len(other))
    heaps = _merged(np.stack([mine, yours], axis=1).tolist(), ((mine + yours) * share).tolist())
    statistic = 0.0
    for a, b in heaps:
        statistic += (a * math.sqrt(len(other) / len(one)) - b * math.sqrt(len(one) / len(other))) ** 2 / (a + b)
    return tail(statistic / likeness, len(heaps) - 1)


def likeness(values: Any, size: int) -> float:
    """How much less numbers tell that come in groups of so many, alike within each (Rao and Scott); at least 1.

    It is the variance of the groups' shares of each value, in units of what it would be if all were independent.

    >>> import numpy as np
    >>> drawn = np.random.default_rng(1).integers(0, 5, 60)
    >>> round(likeness(drawn, 10)), round(likeness(np.repeat(drawn, 10), 10))
    (1, 10)
    """
    groups = np.asarray(values)[: len(values) // size * size].reshape(-1, size)
    found = np.unique(groups)
    if len(groups) < 2 or len(found) < 2:
        return 1.0
    total = 0.0
    for value in found:
        shares = (groups == value).mean(axis=1)
        total += shares.var(ddof=1) * size / shares.mean()  # weighted by 1 - share, which cancels out
    return max(1.0, float(total / (len(found) - 1)))


def expected(counts: list[int], shares: list[float]) -> float:
    """The probability that counts are at least as far from their expected shares by chance."""
    total = sum(counts)
    order = sorted(range(len(counts)), key=lambda i: shares[i])
    columns = [[float(counts[i]), total * shares[i]] for i in order]
    heaps = _merged(columns, [column[1] for column in columns])
    return tail(sum((seen - due) ** 2 / due for seen, due in heaps), len(heaps) - 1)


def missed(count: int, things: str = "games") -> str:
    """How sure a look at so many things is that shows nothing.

    >>> missed(240)
    'What shows in 1 % of games would have been missed with probability 9 %.'
    """
    share = next((share for share in SHARES if (1 - share) ** count <= UNSURE), SHARES[-1])
    chance = 100 * (1 - share) ** count
    said = f"{chance:.0f} %" if chance >= 1 else "less than 1 %"
    return f"What shows in {100 * share:g} % of {things} would have been missed with probability {said}."
