"""95 % intervals: of shares (Wilson), of means and of smooth functions of means (t), of quantiles (by ranks)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from clew.core.types import Floats, Integers

CONFIDENCE = 0.95
Interval = tuple[float, float]


def z_of(confidence: float = CONFIDENCE) -> float:
    """How many standard deviations hold so much of a normal distribution.

    >>> round(z_of(), 3)
    1.96
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def t_of(freedom: float, confidence: float = CONFIDENCE) -> float:
    """The same of Student's t: exact for 1 and 2 degrees of freedom, else by the series of Cornish and Fisher.

    >>> [round(t_of(freedom), 2) for freedom in (1, 2, 5, 30, 1000)]
    [12.71, 4.3, 2.57, 2.04, 1.96]
    """
    p = (1 + confidence) / 2
    if freedom < 1:
        return math.inf
    if freedom < 2:
        return math.tan(math.pi * (p - 0.5))
    if freedom < 3:
        return (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
    z, v = z_of(confidence), freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def p_of(z: float) -> float:
    """How likely a standardised difference is at least so large by chance."""
    return 2 * NormalDist().cdf(-abs(z))


def wilson(share: float, tosses: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a share: it stays between 0 and 1, and a clean sweep of few is not taken for certainty.

    >>> [round(x, 3) for x in wilson(0.5, 100)]
    [0.404, 0.596]
    >>> [round(x, 3) for x in wilson(1.0, 20)]
    [0.839, 1.0]
    """
    if tosses <= 0:
        return 0.0, 1.0
    z = z_of(confidence)
    middle = (share + z**2 / (2 * tosses)) / (1 + z**2 / tosses)
    half = z / (1 + z**2 / tosses) * math.sqrt(share * (1 - share) / tosses + z**2 / (4 * tosses**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def share_interval(share: float, error: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a share with this standard error: as for so many tosses of a coin as would have it."""
    share = min(1.0, max(0.0, share))
    tosses = share * (1 - share) / error**2 if error > 0 else n
    return wilson(share, tosses, confidence)


@dataclass
class Moments:
    """Sums over games of what was noted of each, and of the products of each two: exact, and to be added up."""

    names: tuple[str, ...]
    n: int
    sums: Integers
    products: Integers  # the lower triangle

    @classmethod
    def empty(cls, names: Sequence[str]) -> Moments:
        """Of no games."""
        width = len(names)
        return cls(tuple(names), 0, np.zeros(width, np.int64), np.zeros((width, width), np.int64))

    @classmethod
    def of(cls, names: Sequence[str], rows: Integers) -> Moments:
        """Of rows of whole numbers, one for each game."""
        products = np.tril(rows.T @ rows)
        return cls(tuple(names), len(rows), rows.sum(axis=0), products)

    def add(self, other: Moments) -> None:
        """Add those of other games."""
        self.n += other.n
        self.sums += other.sums
        self.products += other.products

    def mean(self, name: str) -> float:
        """The mean of one column."""
        return int(self.sums[self.names.index(name)]) / self.n

    def means(self, names: Sequence[str]) -> Floats:
        """The means of some columns."""
        return np.array([self.mean(name) for name in names])

    def covariance(self, a: str, b: str) -> float:
        """Of two columns in one game; whole numbers until the last step, so that nothing cancels out."""
        i, j = sorted((self.names.index(a), self.names.index(b)), reverse=True)
        n = self.n
        cross = n * int(self.products[i, j]) - int(self.sums[i]) * int(self.sums[j])
        return cross / n / (n - 1) if n > 1 else math.nan

    def smooth(self, function: Callable[..., float], *names: str) -> tuple[float, float]:
        """A smooth function of the means of some columns, with its standard error (delta method)."""
        means = self.means(names)
        value = function(*means)
        slopes = []
        for i, mean in enumerate(means):
            step = 1e-5 * max(abs(float(mean)), 1e-3)
            above, below = means.copy(), means.copy()
            above[i] += step
            below[i] -= step
            slopes.append((function(*above) - function(*below)) / (2 * step))
        variance = math.fsum(
            slopes[i] * slopes[j] * self.covariance(names[i], names[j])
            for i in range(len(names))
            for j in range(len(names))
        )
        return value, math.sqrt(max(0.0, variance) / self.n) if self.n > 1 else math.inf

    def ratio(self, over: str, under: str) -> tuple[float, float]:
        """The ratio of two sums with its standard error."""
        below = self.mean(under)
        if below == 0:
            return math.nan, math.inf
        value = self.mean(over) / below
        variance = (
            self.covariance(over, over)
            - 2 * value * self.covariance(over, under)
            + value**2 * self.covariance(under, under)
        )
        return value, math.sqrt(max(0.0, variance) / self.n) / abs(below) if self.n > 1 else math.inf


def around(value: float, error: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Student's interval around a mean, or a smooth function of means, of n games."""
    if n < 2 or not math.isfinite(error):
        return -math.inf, math.inf
    half = t_of(n - 1, confidence) * error
    return value - half, value + half


def quantile(counts: Sequence[int], share: float) -> tuple[float, float, float]:
    """A quantile of whole numbers, of which each came so often, with its interval by the ranks of the binomial.

    >>> quantile([0, 0, 30, 40, 30], 0.5)
    (3, 3, 3)
    """
    n = sum(counts)
    spread = z_of() * math.sqrt(n * share * (1 - share))

    def at(rank: float) -> int:
        left = min(max(rank, 1), n)
        for value, count in enumerate(counts):
            left -= count
            if left <= 0:
                return value
        return len(counts) - 1

    return at(math.ceil(n * share)), at(math.floor(n * share - spread)), at(math.ceil(n * share + spread) + 1)


def seldom(n: int) -> float:
    """What is never seen in n games happens in less than this share of them, with 95 % confidence.

    >>> round(seldom(1000), 4)
    0.003
    """
    return float(1 - (1 - CONFIDENCE) ** (1 / n)) if n > 0 else 1.0


def holm(chances: Sequence[float]) -> list[float]:
    """P values corrected for having asked so many times (Holm): below 0.05 there is one false alarm in 20 such lists.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    corrected, highest = [0.0] * len(chances), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[i]))
        corrected[i] = highest
    return corrected


def p_of_t(t: float, freedom: float) -> float:
    """How likely a standardised difference is at least so large by chance, by Student's t.

    >>> round(p_of_t(2.042, 30), 3), round(p_of_t(1.96, 1e6), 3)
    (0.05, 0.05)
    >>> p_of_t(1e6, 39) < 1e-12
    True
    """
    if freedom > 200:
        return p_of(t)
    low, high = 0.0, 1.0  # of the confidence whose interval just reaches 0
    for _ in range(60):
        middle = (low + high) / 2
        if middle in (low, high) or (1 + middle) / 2 >= 1:  # as near to 1 as numbers come
            break
        low, high = (middle, high) if t_of(freedom, middle) < abs(t) else (low, middle)
    return 1 - low
