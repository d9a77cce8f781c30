"""Reports made by hand, for what is said and shown of them."""

import math

from clew.lab.result import Comparison, Difference, Figure, Measure, Report, Run


def share(label, value, n, fair=None, **more):
    """A share of so many games."""
    half = 1.96 * math.sqrt(max(value * (1 - value), 0.5 / n) / n)
    return Figure(label, value, max(0.0, value - half), min(1.0, value + half), "Wilson", n, fair, **more)


def mean(label, value, half, n, **more):
    """A mean with its interval."""
    return Figure(label, value, value - half, value + half, "t", n, **more)


def measure(key, question, unit, *figures, title=None, games=400, histogram=(), note=""):
    """A measure of these figures."""
    title = title or key.replace("_", " ").capitalize()
    return Measure(key, question, title, f"What {key} is.", unit, "level:3", games, figures, histogram, note)


def seats(first, n, examples=()):
    """What two seats win."""
    both = share("seat 1", first, n, 0.5, examples=examples), share("seat 2", 1 - first, n, 0.5)
    return measure("seats", "seats", "share", *both, games=n, title="What each seat wins")


def run(level, *measures, games=400, finished=True):
    """Games of one level of play."""
    return Run(level, level, {}, games, games if finished else 2 * games, finished, 1.0, measures)


def report(*runs, **more):
    """A report of these runs."""
    given = {"game": "tokens", "title": "Tokens", "version": 1, "players": 2, "options": {"rounds": 5}, "seed": 1}
    given |= {"pace": 20.0, "finished": all(one.finished for one in runs), "seconds": 1.0, "threads": 1}
    return Report(**{**given, "runs": runs, **more})


def item(label, value, half, games, n=400, **facts):
    """A card that was used in so many games."""
    known = {"offered": 10 * games, "chosen": games, "games": games, "against_random": 1.0, **facts}
    return Figure(label, value, value - half, value + half, "t", n, 0.0, facts=known)


def items(*figures, games=400):
    """What cards are worth."""
    return measure("pieces", "actions", "share", *figures, title="Cards", games=games)


def compared(*differences, games=400, other=4):
    """A variant against its base."""
    return Comparison("rounds", 5, other, "level:3", games, 1.0, differences)


def changed(key, label, unit, by, half, p):
    """How much a variant changes a number."""
    return Difference(key, label, unit, 10.0, 10.0 + by, by, by - half, by + half, p, p, p < 0.05)
