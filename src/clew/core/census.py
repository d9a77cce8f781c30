"""A census of pieces: none lies in more places than there are of it, and `fits` holds of the table itself.

The derived `imagine` counts on that: what a chair does not see is all pieces less those that it sees. The kit asks it
first, and so does every table of a game that lies in a folder of its own. The kit also asks whether a piece that
somebody saw lies nowhere any more: `imagine` would deal it to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from clew.core.declare import Field, Pieces, Record
from clew.core.derive import is_derived, piece_sets
from clew.core.events import listing
from clew.core.types import States

# `Any` in signatures here: NumPy's arrays.

CURE = (
    "A piece stands in one place only: take it out of the others, or declare the field that only tells of it as "
    "numbers, such as count(9)."
)


class Census:
    """Counts the pieces of a game that leaves `imagine` to the engine."""

    def __init__(self, rules: ModuleType, record: type[Record]) -> None:
        counted = is_derived(rules, "imagine")
        fields = [field for field in record.declared.values() if field.sight != "told"] if counted else []
        self._rules = rules
        self._sets = [(pieces, [f for f in fields if f.kind is pieces]) for pieces in piece_sets(record)]
        self._sets = [(pieces, found) for pieces, found in self._sets if found]
        self._fits = {str(field.how["fits"]): field.name for field in fields if "fits" in field.how}

    @property
    def counts(self) -> bool:
        """Whether there is anything to be counted."""
        return bool(self._sets)

    def fault(self, states: States, openly: bool = False) -> tuple[int, str] | None:
        """The first state in which something is wrong, and what it is; `openly` does not say which piece is hidden."""
        found = [one for pieces, fields in self._sets if (one := self._doubled(pieces, fields, states, openly))]
        found = found or [one for rule, field in self._fits.items() if (one := self._misfit(rule, field, states))]
        return min(found) if found else None

    def vanished(self, states: States, looks: Mapping[int, Any]) -> tuple[int, str] | None:
        """The first state of a game in which a piece that a chair saw before lies nowhere, and what to do about it.

        `looks` has what each chair sees of every state. Where the game says by `gone` or by `fits` what is left, and
        where nothing is hidden from the chair any more, no piece is missed.
        """
        found = [self._missing(*one, states, looks) for one in self._sets]
        return min((one for one in found if one), default=None)

    def _missing(
        self, pieces: Pieces, fields: Sequence[Field], states: States, looks: Mapping[int, Any]
    ) -> tuple[int, str] | None:
        if pieces.gone or any("fits" in field.how for field in fields):
            return None
        for seat in range(int(states[0]["players"])) if pieces.each else (None,):
            there = _counts(pieces, fields, states, seat)
            for chair, views in looks.items():
                known = _known(pieces, fields, views, seat, chair)
                hidden = there.sum(axis=1) > known.sum(axis=1)
                lost = (there[1:] < there[:-1]) & (known[1:] < known[:-1]) & hidden[1:, None]
                for at, number in np.argwhere(lost):
                    code, place = pieces.first + int(number), ""
                    for field in (field for field in fields if field.sight != "secret"):
                        before, after = (_places(field, states[i], seat, code) for i in (at, at + 1))
                        if len(after) < len(before):
                            place = next(one for one in before if one not in after)
                    if place:
                        return int(at) + 1, f"{pieces.pieces[number]} lay in {place}"
        return None

    def _doubled(self, pieces: Pieces, fields: Sequence[Field], states: States, openly: bool) -> tuple[int, str] | None:
        there = self._copies(pieces, states)
        for seat in range(int(states[0]["players"])) if pieces.each else (None,):
            over = np.argwhere(_counts(pieces, fields, states, seat) > there)
            if len(over):
                at, number = map(int, over[0])
                places = [one for field in fields for one in _places(field, states[at], seat, pieces.first + number)]
                hidden = openly and any(field.sight != "public" for field in fields)
                many = int(np.broadcast_to(there, (len(states), len(pieces.pieces)))[at, number])
                lies = f"{'A piece' if hidden else pieces.pieces[number]} lies in {listing(places, ' and in ')}"
                return at, f"{lies}, and there {'is' if many == 1 else 'are'} {many} of it. {CURE}"
        return None

    def _copies(self, pieces: Pieces, states: States) -> Any:
        """How many there are of each, for all states or state by state."""
        if not pieces.copies_rule:
            return pieces.copies
        copies, codes = getattr(self._rules, pieces.copies_rule), range(pieces.first, pieces.high + 1)
        return np.array([[int(copies(states[i], code)) for code in codes] for i in range(len(states))])

    def _misfit(self, rule: str, field: str, states: States) -> tuple[int, str] | None:
        fits = getattr(self._rules, rule)
        for i in range(len(states)):
            if not fits(states[i]):
                return i, f"{rule} says no to the table itself: what `fits` of {field} names must hold at every moment."
        return None


def _cells(field: Field, states: States, seat: int | None) -> Any:
    """The cells of a field, of one seat if each has a set of its own: a row for each state."""
    cells = np.asarray(states)[field.name]
    return (cells if seat is None else cells[:, seat]).reshape(len(states), -1)


def _counts(pieces: Pieces, fields: Iterable[Field], states: States, seat: int | None) -> Any:
    """How many of each piece lie anywhere, state by state; what is no piece is not counted."""
    return _tally(pieces, np.concatenate([_cells(field, states, seat) for field in fields], axis=1))


def _tally(pieces: Pieces, cells: Any) -> Any:
    """How often each piece stands in each row of cells."""
    rows, kinds = len(cells), len(pieces.pieces)
    known = (cells >= pieces.first) & (cells <= pieces.high)
    numbers = (cells - pieces.first + kinds * np.arange(rows)[:, None])[known]
    return np.bincount(numbers, minlength=rows * kinds).reshape(rows, kinds)


def _known(pieces: Pieces, fields: Iterable[Field], views: Any, seat: int | None, chair: int) -> Any:
    """How many of each piece a chair sees, view by view."""
    rows = [np.zeros((len(views), 0), np.int64)]
    for field in fields:
        if field.sight == "own" and seat in (None, chair) and chair >= 0:
            rows.append(np.asarray(views)[field.name].reshape(len(views), -1))
        elif field.sight in ("public", "seen"):
            rows.append(_cells(field, views, seat))
    return _tally(pieces, np.concatenate(rows, axis=1))


def _places(field: Field, state: Any, seat: int | None, code: int) -> list[str]:
    """Where a piece lies in a field."""
    value = np.asarray(state[field.name])
    found = [tuple(map(int, at)) for at in np.argwhere(value == code) if seat is None or at[0] == seat]
    return [field.name + (f"[{', '.join(map(str, at))}]" if at else "") for at in found]
