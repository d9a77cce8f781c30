"""The words of a game that follow from what it declares; what its `words.py` says itself comes first.

`write`, `parse`, `say` and `explain` come from the forms of moves and from the reasons, the deal's lines and the plain
data of a view from the fields, and `tell` from what a move is called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from itertools import product
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from clew.core import deals
from clew.core.cast import Cast
from clew.core.declare import Axis, Field, Kind, Pieces, Record, SeatKind
from clew.core.errors import BadDeal, UnknownGame
from clew.core.events import Event
from clew.core.forms import Moves
from clew.core.kernels import interpreted
from clew.core.reasons import Reason
from clew.core.rng import stream
from clew.core.types import MoveCode, Numbers, State, States, ViewRecord

# `Any` in signatures here: plain data, and the functions and facts of a game's own words.

WITH_CAST = {"say": 2, "explain": 3}  # words that may also take the cast, with what they take without it
WORDS = ("parse", "write", "explain", "write_deal", "read_deal", "tell", "describe")
FACE_DOWN = "?"
NOTHING = "–"  # between two pieces that are seen in their places
SAMPLES = 64  # of deals that a game keeps, each for other options

Words = Any  # the functions of WORDS and optional ones as attributes, of the game's own module or the defaults


def complete(rules: ModuleType, written: ModuleType | None) -> Words:
    """A game's words: its own, and the default ones for what it does not say."""
    own = {name: thing for name, thing in vars(written).items() if not name.startswith("__")} if written else {}
    words = SimpleNamespace(**default_words(rules, own.get("facts")))
    if "tell" in own:
        vars(words).pop("tell_hidden", None)
    if "describe" in own:
        vars(words).pop("seat_fields", None)
    vars(words).update(own)
    for name, count in WITH_CAST.items():
        if name in own and len(signature(own[name]).parameters) == count:
            setattr(words, name, _without_cast(own[name]))
    for name in WORDS:
        if not hasattr(words, name):
            where = written.__file__ if written else rules.__file__
            raise UnknownGame(f"{where} is not part of a game: it has no {name}.")
    return words


def _without_cast(function: Callable[..., Any]) -> Callable[..., Any]:
    """Words that speak of nobody, called like those that do."""

    @functools.wraps(function)
    def say(*given: Any) -> Any:
        return function(*(one for one in given if not isinstance(one, Cast)))

    return say


def default_words(rules: ModuleType, facts: Callable[..., dict[str, Any]] | None) -> dict[str, Callable[..., Any]]:
    """What follows from the declarations in a game's rules."""
    found: dict[str, Callable[..., Any]] = {}
    move, record = getattr(rules, "MOVE", None), getattr(rules, "State", None)
    if hasattr(rules, "REASONS"):
        found["explain"] = _explain(rules, facts or (lambda move, v: {}))
    if isinstance(move, Moves):
        found |= {"write": move.write, "parse": move.parse, "say": move.say, "tell": _tell(rules, move)}
        found["tell_hidden"] = _tell_hidden(rules, move)
    if isinstance(record, type) and issubclass(record, Record):
        deal = _Deal(rules, record)
        found |= {"describe": _describe(record), "seat_fields": _seat_fields(record)}
        found |= {"write_deal": deal.write, "read_deal": deal.read}
    return found


def _explain(rules: ModuleType, facts: Callable[..., dict[str, Any]]) -> Callable[..., tuple[str, str]]:
    def explain(
        reason: int, move: MoveCode, v: ViewRecord, cast: Cast | None = None
    ) -> tuple[str, str]:  # a move and a view of any game
        """The rule that a refused move breaks, and how."""
        found: Reason = rules.REASONS[reason - 1]
        parts = rules.MOVE.spoken(move, cast) if isinstance(rules.MOVE, Moves) else {}
        return found.say({**parts, **facts(move, v)})

    return explain


def _tell(rules: ModuleType, moves: Moves) -> Callable[..., list[Event]]:
    first = _first_rule(rules)

    def tell(before: ViewRecord, seat: int | None, move: int | None, after: States, cast: Cast) -> list[Event]:
        """A move by its name; one that is hidden only as that it was made."""
        if before is None or seat is None:
            return [Event("deal", "The game begins.", first)]
        if move is None:
            return [Event("hidden", f"{cast.does(seat, 'make')} a move that nobody else sees.", first, seat)]
        form = moves.split(move)[0]
        said = moves.say(move, None, cast)[0]
        text = _done(said if form.said[:1].isalpha() else f"play {said}", seat, cast)
        return [Event(form.name, text, form.rule or first, seat, {"move": moves.write(move)})]

    return tell


def _tell_hidden(rules: ModuleType, moves: Moves) -> Callable[..., list[Event]]:
    def tell_hidden(before: ViewRecord, seat: int, face: int, after: ViewRecord, cast: Cast) -> list[Event]:
        """A hidden move as others see it: what of it is public, and that the rest was there."""
        rule = moves.split(face)[0].rule or _first_rule(rules)
        return [Event("hidden", _done(moves.say_hidden(face, cast), seat, cast), rule, seat)]

    return tell_hidden


def _first_rule(rules: ModuleType) -> str:
    return next((reason.rule for reason in getattr(rules, "REASONS", [])), "COM-06")


def _done(said: str, seat: int, cast: Cast) -> str:
    """A sentence on what somebody did, from what there was to do."""
    verb, _, rest = said.partition(" ")
    return f"{f'{cast.does(seat, verb)} {rest}'.strip()}."


# The view as plain data


def _describe(record: type[Record]) -> Callable[[Any], dict[str, Any]]:
    def describe(v: ViewRecord) -> dict[str, Any]:
        """Every field of a view by its name, those that each seat has seat by seat: cards by theirs, or face down."""
        found: dict[str, Any] = {}
        seats: list[dict[str, Any]] = [{} for _ in range(int(v.players))]
        for name, field in record.declared.items():
            if field.sight == "own":
                found[name] = _plain(field, field.axes[1:], getattr(v, name), None)
            elif field.sight != "secret":
                down = getattr(v, f"{name}_down", None)
                _put_down(found, seats, field, name, field.axes, getattr(v, name), down)
                if field.how.get("mine") and v.seat >= 0:
                    found[name] = seats[v.seat][name]
            if field.counted:
                count = getattr(v, f"{name}_count")
                _put_down(found, seats, COUNT, f"{name}_count", field.axes[: np.ndim(count)], count, None)
        return {**found, "seats": seats} if any(seats) else found

    return describe


def _seat_fields(record: type[Record]) -> Callable[[int | None], dict[str, int]]:
    def seat_fields(chair: int | None) -> dict[str, int]:
        """The fields that `describe` gives to a chair as numbers of seats, each with the number of the first seat."""
        found = {name: field for name, field in record.declared.items() if isinstance(field.kind, SeatKind)}
        unseen = ("secret",) if chair is not None else ("secret", "own")
        return {name: field.kind.first for name, field in found.items() if field.sight not in unseen}  # type: ignore[union-attr]

    return seat_fields


COUNT = Field("told", None, ())


def _put_down(
    found: dict[str, Any],
    seats: list[dict[str, Any]],
    field: Field,
    name: str,
    axes: tuple[int, ...],
    value: Any,
    down: Any,
) -> None:
    """Write down a field, seat by seat if its first axis are the seats."""
    if not axes or not _are_seats(axes[0]):
        found[name] = _plain(field, axes, value, down)
        return
    for seat, said in enumerate(seats):
        said[name] = _plain(field, axes[1:], value[seat], None if down is None else down[seat])


def _plain(field: Field, axes: tuple[int, ...], value: Any, down: Any) -> Any:
    """A number by its name, a list of pieces without empty places, parts that have names by those."""
    if not axes:
        kind = field.kind or Kind(0, 0)
        return FACE_DOWN if down is not None and int(down) else kind.word(int(value))
    row = [_plain(field, axes[1:], part, None if down is None else down[i]) for i, part in enumerate(value)]
    if isinstance(axes[0], Axis) and axes[0].role == "interchangeable":
        return dict(zip(axes[0].labels, row))
    if field.pieces is None or len(axes) > 1:
        return row
    if field.sight == "seen":  # such pieces lie in places of their own
        last = max((i + 1 for i, word in enumerate(row) if word != ""), default=0)
        return [word or NOTHING for word in row[:last]]
    return [word for word in row if word != ""]


# Deals


class _Deal:
    """The deal in written form: a line for each list of pieces, and for each number that luck decides."""

    def __init__(self, rules: ModuleType, record: type[Record]) -> None:
        self._rules = rules
        self._fields = [f for f in record.declared.values() if f.how.get("dealt", _hidden_pieces(f))]
        self._options = ("players", *(option.name for option in rules.OPTIONS))
        self._sample = functools.lru_cache(SAMPLES)(self._dealt_with)

    def write(self, s: State) -> dict[str, str]:  # a state of any game
        """The deal, line by line."""
        lines = {}
        for key, field, at in self._lines(s):
            cells = np.atleast_1d(_get(s, field, at)).tolist()
            words = [field.pieces.word(cell) for cell in cells if cell != field.empty] if field.pieces else cells
            if words:  # no line for a place where nothing is dealt to
                lines[key] = " ".join(map(str, words))
        return lines

    def read(self, lines: Mapping[str, str], s: State) -> None:  # likewise
        """Deal as written: as many pieces in each line as the rules deal there, and all of them once."""
        sample, keys = self._sample(*(int(getattr(s, name)) for name in self._options))
        deals.same_keys(lines, keys)
        np.asarray(s)[()] = np.asarray(sample)  # with what a deal sets besides, such as how many cards are left
        found: dict[tuple[Pieces, int], dict[str, list[str]]] = {}
        for key, field, at in self._lines(s):
            if key not in lines:
                continue
            if field.pieces is None:
                _put(s, field, at, _numbers(lines, key, field, at))
                continue
            there = np.atleast_1d(_get(sample, field, at))
            filled = there != field.empty
            names = deals.pieces(lines, key, int(filled.sum()), field.pieces.pieces)
            found.setdefault((field.pieces, at[0] if field.pieces.each else 0), {})[key] = names
            cells = np.full(len(there), field.empty)
            cells[filled] = [field.pieces.codes[name] for name in names]
            _put(s, field, at, cells if len(at) < len(field.shape) else cells[0])
        for (pieces, _), dealt in found.items():
            deals.exactly(dealt, dict(zip(pieces.pieces, self._copies(pieces, s))))
        for field in self._fields:
            fits = getattr(self._rules, field.how.get("fits", ""), None)
            if fits is not None and not interpreted(fits)(s):
                key = next(key for key, other, _ in self._lines(s) if other is field)
                raise BadDeal(key, f"No deal is like that: {(fits.__doc__ or field.name).splitlines()[0]}")

    def _copies(self, pieces: Pieces, s: State) -> list[int]:
        if not pieces.copies_rule:
            return [int(copies) for copies in pieces.copies]
        copies_of = interpreted(getattr(self._rules, pieces.copies_rule))
        return [int(copies_of(s, pieces.first + i)) for i in range(len(pieces.pieces))]

    def _lines(self, s: State) -> Iterator[tuple[str, Field, tuple[int, ...]]]:
        """The lines of a deal with their places: those of a seat together where each has pieces of its own."""
        each = [field for field in self._fields if field.pieces and field.pieces.each]
        for field in self._fields:
            if field not in each:
                yield from self._lines_of(field, s)
        for seat in range(int(s.players)):
            for field in each:
                yield from self._lines_of(field, s, seat)

    def _lines_of(
        self, field: Field, s: State, seat: int | None = None
    ) -> Iterator[tuple[str, Field, tuple[int, ...]]]:
        named = field.how.get("dealt")
        name = named if isinstance(named, str) else field.name
        outer = field.axes[: len(field.lists) - 1]
        sizes = [range(min(int(axis), int(s.players)) if _are_seats(axis) else int(axis)) for axis in outer]
        if seat is not None:
            sizes[0] = range(seat, seat + 1)
        for at in product(*sizes):
            yield " ".join([name, *(_label(axis, i) for axis, i in zip(outer, at))]), field, at

    def _dealt_with(self, *options: int) -> tuple[State, list[str]]:
        """A deal for so many players and these options, to see where its pieces lie, and the keys of its lines."""
        states = np.zeros(1, self._rules.STATE).view(np.recarray)
        for name, value in zip(self._options, options):
            setattr(states[0], name, value)
        interpreted(self._rules.deal)(states[0], stream(0, "where pieces lie"))
        return states[0], list(self.write(states[0]))


def _hidden_pieces(field: Field) -> bool:
    return field.pieces is not None and field.sight in ("own", "secret", "seen")


def _numbers(lines: Mapping[str, str], key: str, field: Field, at: tuple[int, ...]) -> Numbers:
    """The numbers of one deal line: one, or as many as the last axis has."""
    low, high = field.bounds or (0, 0)
    if len(at) == len(field.shape):
        return deals.number(lines, key, low, high)
    words = lines[key].split()
    if len(words) != field.shape[-1]:
        raise BadDeal(key, f"'deal {key}:' has {len(words)} numbers instead of {field.shape[-1]}.")
    return [deals.number({key: word}, key, low, high) for word in words]


def _get(s: State, field: Field, at: tuple[int, ...]) -> Numbers:
    return getattr(s, field.name)[at] if at else getattr(s, field.name)


def _put(s: State, field: Field, at: tuple[int, ...], cells: Numbers) -> None:
    if at:
        getattr(s, field.name)[at] = cells
    else:
        setattr(s, field.name, cells)


def _are_seats(axis: int) -> bool:
    return isinstance(axis, Axis) and axis.role == "seats"


def _label(axis: int, i: int) -> str:
    return axis.labels[i] if isinstance(axis, Axis) else str(i)
