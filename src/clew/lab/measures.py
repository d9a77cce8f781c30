"""The questions that designers ask, answered from the sums of many games."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clew.core.game import Game
from clew.lab.intervals import Moments, around, quantile, seldom, share_interval, wilson
from clew.lab.result import Figure, Measure
from clew.lab.rows import (
    CHOSEN,
    EXPECTED,
    GAMES,
    MILLION,
    OFFERED,
    USER_WON,
    USERS,
    USERS_USERS,
    WHOLE,
    WON_USERS,
    WON_WON,
    Item,
    own_measures,
)
from clew.lab.sums import Sums

TELLING = 0.05  # of the victories: who is so much better or worse off with a card than without it
SELDOM_CHOSEN = 0.25  # of how often a card would be chosen at random


@dataclass(frozen=True)
class Asked:
    """What was played, for the measures to say."""

    game: Game
    level: str
    players: int
    pace: float  # seconds a turn
    items: list[Item]


def measure_all(asked: Asked, sums: Sums) -> list[Measure]:
    """Every measure that needs nothing but the games."""
    if sums.games == 0:
        return []
    makers: tuple[Callable[[Asked, Sums], Measure | None], ...] = (
        endings, seats, scores, moves, turns, minutes, luck, settled, lead_changes, comebacks, behind, forced, options,
        forms, pieces, ties, margin, wait, watch, never, own,
    )  # fmt: skip
    return [made for maker in makers if (made := maker(asked, sums)) is not None]


# Does it end, and how?


def endings(asked: Asked, sums: Sums) -> Measure:
    """How often a game ends in each of the ways that there are."""
    found = []
    for number, name in enumerate(asked.game.endings, 1):
        many = int(sums.endings[number])
        found.append(_tossed(name, many, sums.games, _shown(sums, f"ending {number}")))
    text = f"How often a game ends so. All {sums.games:,} games ended, the longest after {_longest(sums)} moves."
    return _measure(asked, sums, "endings", "end", "How it ends", text, "share", found)


def _longest(sums: Sums) -> int:
    return -sums.extremes["longest"][0]


# Is a seat better?


def seats(asked: Asked, sums: Sums) -> Measure:
    """What each seat wins."""
    found = []
    for seat in range(asked.players):
        share, error = _mean(sums.moments, f"won_{seat}", WHOLE)
        found.append(
            _share(f"seat {seat + 1}", share, error, sums.games, 1 / asked.players, _shown(sums, f"won {seat}"))
        )
    text = "The part of all victories that each seat gets when all play equally well; those who share one share it."
    return _measure(asked, sums, "seats", "seats", "What each seat wins", text, "share", found)


def scores(asked: Asked, sums: Sums) -> Measure:
    """What each seat scores."""
    found = [_counted(f"seat {seat + 1}", sums.moments, f"score_{seat}") for seat in range(asked.players)]
    return _measure(
        asked, sums, "scores", "seats", "What each seat scores", "The mean score of each seat.", "points", found
    )


# How long is it?


def moves(asked: Asked, sums: Sums) -> Measure:
    """How many moves a game takes."""
    return _length(asked, sums, 0, "moves", "The moves that a game takes, of all seats together.")


def turns(asked: Asked, sums: Sums) -> Measure:
    """How many turns a game takes."""
    return _length(
        asked, sums, 1, "turns", "The turns that a game takes: moves that one seat makes in a row are a turn."
    )


def _length(asked: Asked, sums: Sums, row: int, name: str, text: str) -> Measure:
    counts = sums.lengths[row].tolist()
    found = [_counted("mean", sums.moments, name)]
    for label, part in (("shortest quarter", 0.25), ("median", 0.5), ("longest quarter", 0.75)):
        value, low, high = quantile(counts, part)
        found.append(Figure(label, value, low, high, "ranks", sums.games))
    if name == "moves":
        for label, sign in (("shortest", 1), ("longest", -1)):
            value, number = sums.extremes[label]
            found.append(Figure(label, sign * value, method="seen", games=sums.games, examples=(number,)))
    histogram = tuple((value, count) for value, count in enumerate(counts) if count)
    return _measure(asked, sums, name, "length", f"Length in {name}", text, name, found, histogram)


def minutes(asked: Asked, sums: Sums) -> Measure:
    """How many minutes a game takes."""
    figure = _counted("mean", sums.moments, "turns", 60 / asked.pace)
    text = f"The mean number of turns, at {asked.pace:g} seconds a turn."
    said = asked.game.minutes
    note = f"The game says {said} minutes." if said else ""
    return _measure(asked, sums, "minutes", "length", "Length in minutes", text, "minutes", [figure], note=note)


# Does skill win?


def luck(asked: Asked, sums: Sums) -> Measure | None:
    """How much of the result the deal explains."""
    pairs = sums.pairs
    if pairs.n < 2:
        return None
    means = [f"mean_{seat}" for seat in range(asked.players)]

    def explained(product: float, square: float, *both: float) -> float:
        fixed = math.fsum(mean * mean for mean in both) / 2  # product and square count both plays
        return (product - fixed) / (square - fixed) if square > fixed else math.nan

    value, error = pairs.smooth(explained, "product", "square", *means)
    if not math.isfinite(value):
        return None
    low, high = around(value, error, pairs.n)
    figure = Figure("the deal", max(0.0, value), max(0.0, low), min(1.0, high), "t", pairs.n)
    text = (
        "The same deals played twice by equal players with other luck of their own: the share of the result that the"
        " deal explains. 100 % is a game that is decided when it is dealt."
    )
    return Measure("luck", "skill", "What the deal decides", text, "share", asked.level, pairs.n, (figure,))


# When is it decided?


def settled(asked: Asked, sums: Sums) -> Measure:
    """When it is settled."""
    value, error = sums.course.ratio("settled", "moves")
    text = "The share of a game's moves after which those are in front, as if it ended there, who win in the end."
    found = [_share("settled after", value, error, sums.course.n)]
    return _of_course(asked, sums, "settled", "drama", "When it is settled", text, "share", found)


def lead_changes(asked: Asked, sums: Sums) -> Measure:
    """How often the lead changes."""
    text = "How often in a game another seat takes the lead alone, as if it ended there."
    found = [_counted("a game", sums.course, "lead_changes")]
    return _of_course(asked, sums, "lead_changes", "drama", "Lead changes", text, "times", found)


def comebacks(asked: Asked, sums: Sums) -> Measure:
    """How often who wins was behind."""
    share, error = _mean(sums.course, "comeback", WHOLE)
    text = "How often who wins was not in front at half time."
    return _of_course(
        asked, sums, "comebacks", "drama", "Comebacks", text, "share", [_share("games", share, error, sums.course.n)]
    )


def behind(asked: Asked, sums: Sums) -> Measure:
    """How long who wins was behind."""
    value, error = sums.course.ratio("behind", "moves")
    found = [_share("of the game", value / WHOLE, error / WHOLE, sums.course.n)]
    text = "The part of the game during which who wins in the end was not in front."
    return _of_course(asked, sums, "behind", "drama", "How long the winner was behind", text, "share", found)


# Do decisions matter?


def forced(asked: Asked, sums: Sums) -> Measure:
    """How often there is no choice."""
    value, error = sums.moments.ratio("forced", "moves")
    text = "The share of the moves that are the only legal one."
    found = [_share("of the moves", value, error, sums.games)]
    return _measure(asked, sums, "forced", "decisions", "Forced moves", text, "share", found)


def options(asked: Asked, sums: Sums) -> Measure:
    """How many moves there are to choose from."""
    value, error = sums.moments.ratio("options", "moves")
    low, high = around(value, error, sums.games)
    found = [Figure("a move", value, max(0.0, low), high, "t", sums.games)]
    text = "How many legal moves there are to choose from, on average over all moves."
    return _measure(asked, sums, "options", "decisions", "Choices", text, "number", found)


# Cards and actions


def forms(asked: Asked, sums: Sums) -> Measure | None:
    """How the forms of moves are used."""
    return _items(asked, sums, "form", "forms", "Actions")


def pieces(asked: Asked, sums: Sums) -> Measure | None:
    """How the cards are used."""
    return _items(asked, sums, "piece", "pieces", "Cards")


def _items(asked: Asked, sums: Sums, kind: str, key: str, title: str) -> Measure | None:
    found = [_item(asked, sums, i) for i, item in enumerate(asked.items) if item.kind == kind]
    text = (
        "How much more of the victories seats have that used it than seats that did not; and how often it is chosen"
        " where it can be, 1 being as often as at random. An association: who is ahead may use it more."
    )
    return _of_course(asked, sums, key, "actions", title, text, "share", found) if found else None


def _item(asked: Asked, sums: Sums, i: int) -> Figure:
    """What it is worth to have used something."""
    item, line, n = asked.items[i], sums.uses[i].tolist(), sums.course.n
    against_random = line[CHOSEN] * MILLION / line[EXPECTED] if line[EXPECTED] else 1.0
    facts: dict[str, float | int | str] = {"offered": line[OFFERED], "chosen": line[CHOSEN], "games": line[GAMES]}
    facts["without"] = asked.players * n - line[USERS]  # seats that did not use it
    if line[EXPECTED]:
        facts["against_random"] = against_random
    if item.rule:
        facts["rule"] = item.rule
    if not line[OFFERED]:
        return Figure(item.label, None, games=n, note="dead: never possible", facts=facts)
    if not line[CHOSEN]:
        return Figure(item.label, None, games=n, note="dead: never chosen", facts=facts)
    value, error = _with_and_without(line, n, asked.players)
    if not math.isfinite(error):
        return Figure(item.label, None, games=n, note="used by all", facts=facts)
    low, high = around(value, error, n)
    note = "dominant" if low > TELLING else "dead: who uses it loses" if high < -TELLING else ""
    if not note and against_random < SELDOM_CHOSEN:
        note = "dead: seldom chosen"
    return Figure(item.label, value, max(-1.0, low), min(1.0, high), "t", n, 0.0, note, facts)


def _with_and_without(line: Sequence[int], n: int, players: int) -> tuple[float, float]:
    """How much more seats won that used something than those that did not, with the standard error.

    All of a game's seats together win once, so those that did not use it won the rest.
    """
    won, users = line[USER_WON] / n / WHOLE, line[USERS] / n
    others = players - users
    if users <= 0 or others <= 0 or n < 2:
        return math.nan, math.inf
    value = won / users - (1 - won) / others
    to_won = 1 / users + 1 / others
    to_users = -won / users**2 - (1 - won) / others**2
    scale = n / (n - 1)
    var_won = (line[WON_WON] / n / WHOLE**2 - won * won) * scale
    var_users = (line[USERS_USERS] / n - users * users) * scale
    both = (line[WON_USERS] / n / WHOLE - won * users) * scale
    variance = to_won**2 * var_won + 2 * to_won * to_users * both + to_users**2 * var_users
    return value, math.sqrt(max(0.0, variance) / n)


# Ties and waiting


def ties(asked: Asked, sums: Sums) -> Measure:
    """How often the first place is shared."""
    many = int(sums.moments.sums[sums.moments.names.index("shared")])
    found = [_tossed("games", many, sums.games, _shown(sums, "shared"))]
    return _measure(asked, sums, "ties", "table", "Ties", "How often several share the first place.", "share", found)


def margin(asked: Asked, sums: Sums) -> Measure:
    """How clearly who wins is ahead."""
    text = "The points between the winner and the next, 0 for a shared first place."
    found = [_counted("mean", sums.moments, "margin")]
    return _measure(asked, sums, "margin", "table", "The winner's margin", text, "points", found)


def wait(asked: Asked, sums: Sums) -> Measure:
    """How long a seat waits."""
    text = "The most moves of others between two moves of one seat, in the mean over games."
    return _measure(
        asked, sums, "wait", "table", "The longest wait", text, "moves", [_counted("mean", sums.moments, "wait")]
    )


def watch(asked: Asked, sums: Sums) -> Measure:
    """How long a seat watches the end."""
    text = "The most moves that others make after a seat's last one, in the mean over games: who is out watches."
    found = [_counted("mean", sums.moments, "watch")]
    return _measure(asked, sums, "watch", "table", "Watching the end", text, "moves", found)


# What never happens


def never(asked: Asked, sums: Sums) -> Measure:
    """What was not met in any game."""
    found = []
    for number, name in enumerate(asked.game.endings, 1):
        if sums.endings[number] == 0:
            found.append(_unmet(f"the ending {name}", sums.games))
    for i, item in enumerate(asked.items):
        what = f"the action {item.label}" if item.kind == "form" else f"the card {item.label}"
        if sums.uses[i, OFFERED] == 0:
            found.append(_unmet(f"{what} is never possible", sums.course.n))
        elif sums.uses[i, CHOSEN] == 0:
            found.append(_unmet(f"{what} is never chosen", sums.course.n))
    text = "What was not met in any game, with the share of the games in which it happens at most."
    return _measure(asked, sums, "never", "never", "What never happens", text, "share", found)


def _unmet(label: str, n: int) -> Figure:
    return Figure(label, 0.0, 0.0, seldom(n), "rule of three", n)


# The game's own


def own(asked: Asked, sums: Sums) -> Measure | None:
    """What the game measures itself."""
    said = own_measures(asked.game)
    if not said:
        return None
    found = [_counted(name, sums.moments, name, note=text) for name, text in said.items()]
    text = "What `measure` of the game writes at the end of each game, in the mean."
    return _measure(asked, sums, "own", "own", "The game's own measures", text, "number", found)


# Figures


def _mean(moments: Moments, name: str, per: float = 1.0) -> tuple[float, float]:
    """The mean of a column, and its standard error."""
    variance = moments.covariance(name, name)
    error = math.sqrt(max(0.0, variance) / moments.n) if moments.n > 1 else math.inf
    return moments.mean(name) / per, error / per


def _counted(label: str, moments: Moments, name: str, per: float = 1.0, note: str = "") -> Figure:
    """A mean with Student's interval."""
    value, error = _mean(moments, name, per)
    low, high = around(value, error, moments.n)
    return Figure(label, value, low, high, "t", moments.n, note=note)


def _share(
    label: str, share: float, error: float, n: int, fair: float | None = None, examples: tuple[int, ...] = ()
) -> Figure:
    """A share with Wilson's interval, for as many coin tosses as have that standard error."""
    if not math.isfinite(share):
        return Figure(label, None, games=n)
    low, high = share_interval(share, error if math.isfinite(error) else 0.0, n)
    return Figure(label, share, low, high, "Wilson", n, fair, examples=examples)


def _tossed(label: str, many: int, n: int, examples: tuple[int, ...]) -> Figure:
    """A share of the games with Wilson's interval."""
    return Figure(label, many / n, *wilson(many / n, n), "Wilson", n, examples=examples)


def _shown(sums: Sums, key: str) -> tuple[int, ...]:
    return tuple(sums.examples.get(key, ()))


def _measure(
    asked: Asked,
    sums: Sums,
    key: str,
    question: str,
    title: str,
    text: str,
    unit: str,
    figures: Sequence[Figure],
    histogram: tuple[tuple[int, int], ...] = (),
    note: str = "",
) -> Measure:
    return Measure(key, question, title, text, unit, asked.level, sums.games, tuple(figures), histogram, note)  # type: ignore[arg-type]


def _of_course(
    asked: Asked, sums: Sums, key: str, question: str, title: str, text: str, unit: str, figures: Sequence[Figure]
) -> Measure:
    """A measure of how games went, which is noted of a part of them."""
    return Measure(key, question, title, text, unit, asked.level, sums.course.n, tuple(figures))  # type: ignore[arg-type]
