"""What tools answer: words for who reads them, and the same as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.core.cast import Cast
from clew.core.errors import BadOption, quoted
from clew.core.pictures import as_text

# `Any` in signatures here: plain data, and what rich can print.

PAGE = 60  # moves that are listed at once
HINTED = 5  # moves that a hint tells
HARDLY = 8  # so much less often tried than the best move is hardly looked at


@dataclass(frozen=True)
class Answer:
    """The words of an answer and its data."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ListedMove:
    """A legal move as it is written and in words."""

    move: str
    words: str


@dataclass(frozen=True)
class Weighed:
    """What a bot found of a move: the chance to win in percent and how sure that is."""

    move: str
    words: str
    win: float
    error: float
    tries: int


def drawn(picture: Any) -> str:
    """A picture of the table as text."""
    return as_text(picture)


def page_of_moves(moves: Sequence[ListedMove], page: int, containing: str, in_full: bool) -> Answer:
    """One page of the moves, of those whose words or written form contain a text."""
    wanted = containing.casefold().strip()
    found = [one for one in moves if wanted in f"{one.move} {one.words}".casefold()]
    pages = max(1, math.ceil(len(found) / PAGE))
    if not 1 <= page <= pages:
        raise BadOption(f"There is no page {quoted(page)} of the moves; pages are 1 to {pages}.", "page")
    shown = found[(page - 1) * PAGE : page * PAGE]
    count = f"{len(found)} of your {len(moves)} moves" if wanted else f"{len(moves)} moves"
    lines = [f"You have {count}{f', page {page} of {pages}' if pages > 1 else ''}."]
    lines += [one.move if one.words == one.move else f"{one.move}  =  {one.words}" for one in shown]
    if not in_full:
        lines.append("These are good ones; there are others, which can be played as well.")
    data = {"moves": [vars(one) for one in shown], "page": page, "pages": pages, "count": len(found), "all": in_full}
    return Answer("\n".join(lines), data)


def hint(found: Iterable[Weighed], adviser: str) -> Answer:
    """The best moves that a bot found, the most promising first."""
    tried = list(found)
    most = max((one.tries for one in tried), default=0)
    seen = [one for one in tried if one.tries > 1 and HARDLY * one.tries >= most] or tried
    best = sorted(seen, key=lambda one: -1.0 if math.isnan(one.win) else one.win, reverse=True)[:HINTED]
    lines = [f"So says the {adviser}, who knows what you know:"]
    for one in best:
        sure = "" if math.isnan(one.win) else f": {one.win:.0%} to win, give or take {one.error:.0%}"
        lines.append(f"{one.move}  =  {one.words}{sure}" if one.words != one.move else f"{one.move}{sure}")
    data = [
        {"move": one.move, "words": one.words, "win": _number(one.win), "error": _number(one.error)} for one in best
    ]
    return Answer("\n".join(lines), {"adviser": adviser, "moves": data})


def _number(found: float) -> float | None:
    return None if math.isnan(found) else round(found, 4)


def whose_turn(view: dict[str, Any], names: Sequence[str], seat: int, count: int | None) -> str:
    """Who owes a move, in a sentence to the one on this seat."""
    if view["outcome"] is not None:
        return "The game is over."
    owing = view["to_move"]
    if seat in owing:
        return f"It is your turn{f': you have {count} moves' if count else ''}."
    return f"It is {Cast(names).all(owing)}'s turn." if owing else "Nobody owes a move."


def result(places: Sequence[int], scores: Sequence[int] | None, names: Sequence[str], seat: int | None) -> str:
    """Who came where."""
    lines = []
    for one in sorted(range(len(places)), key=lambda one: places[one]):
        points = f", {scores[one]} points" if scores is not None else ""
        lines.append(f"{places[one]}. {names[one]}{' (you)' if one == seat else ''}{points}")
    return "\n".join(lines)
