"""Written deals: a line of pieces for each place, checked to be exactly the pieces of the game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from clew.core.errors import BadDeal, quoted, shortened

Lines = Mapping[str, str]


def same_keys(lines: Lines, keys: Iterable[str]) -> None:
    """Refuse a deal with a line missing or too many."""
    wanted = list(keys)
    for key in lines:
        if key not in wanted:
            raise BadDeal(key, f"The deal has no line {quoted(key)}; it has {shortened(', '.join(wanted), 150)}.")
    for key in wanted:
        if key not in lines:
            raise BadDeal(key, f"The line 'deal {key}:' is missing.")


def pieces(lines: Lines, key: str, count: int, known: Iterable[str]) -> list[str]:
    """The pieces of one deal line: so many, and each one that the game has."""
    found = lines[key].split()
    known = set(known)
    for piece in found:
        if piece not in known:
            raise BadDeal(key, f"The game has no piece {quoted(piece)}.")
    if len(found) != count:
        raise BadDeal(key, f"'deal {key}:' has {len(found)} pieces instead of {count}.")
    return found


def number(lines: Lines, key: str, low: int, high: int) -> int:
    """The whole number of one deal line."""
    text = lines[key].strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise BadDeal(key, f"'deal {key}:' is a number from {low} to {high}, not {quoted(text)}.")
    return int(text)


def exactly(found: Mapping[str, list[str]], wanted: Mapping[str, int]) -> None:
    """Refuse lines that do not hold, all together, each piece as often as the game has it."""
    counts: Counter[str] = Counter()
    for key, line in found.items():
        for piece in line:
            counts[piece] += 1
            if counts[piece] > wanted.get(piece, 0):
                missing = [p for p, n in wanted.items() if sum(line.count(p) for line in found.values()) < n]
                lost = f", and {missing[0]} is missing" if missing else ""
                times = {1: "once", 2: "twice"}.get(wanted.get(piece, 0), f"{wanted.get(piece, 0)} times")
                raise BadDeal(key, f"{piece} is dealt once too often (the game has it {times}){lost}.")
    for piece, n in wanted.items():
        if counts[piece] < n:
            raise BadDeal(next(iter(found)), f"{piece} is missing from the deal.")
