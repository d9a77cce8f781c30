"""A game's state, declared once: each field with its kind, its axes and who sees it.

    class State(Record):
        edition = option(("classic",), "which edition of the rules is played")
        turns = public(count(TURNS))
        step = public(count(9), SEATS, PALACES)
        hand = own(CARD, SEATS, HAND)                 # first axis: the seat that sees it
        pile = secret(CARD, TURNS)
        finds = seen(FIND, PALACES, SITES, where="opened")
        points = told(count(400), SEATS)              # only in views, written by the game's `tells`

`clew.core.derive` makes the record types and the kernels `view`, `imagine` and `cover` from it. To a type checker a
field is a number, a `Row`, a `Grid` or a `Cube`, by its axes: `s.stepp` and `s.step[0, 0, 0]` are errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Protocol, cast, overload

import numpy as np

from clew.core.errors import UnknownGame, quoted
from clew.core.options import Choice, Option, Range

# `Any` in signatures here: entries of NumPy's record types, and what fields are told by name.

Sight = Literal["public", "own", "secret", "seen", "told"]
Role = Literal["", "seats", "interchangeable"]


class Row(Protocol):
    """A row of numbers, as rules see it."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...


class Floats(Protocol):
    """A row of weights or payoffs."""

    def __getitem__(self, at: int, /) -> float: ...
    def __setitem__(self, at: int, value: float, /) -> None: ...


class Grid(Protocol):
    """Rows of numbers."""

    @overload
    def __getitem__(self, at: int, /) -> Row: ...
    @overload
    def __getitem__(self, at: tuple[int, int], /) -> int: ...
    def __setitem__(self, at: tuple[int, int], value: int, /) -> None: ...


class Cube(Protocol):
    """Grids of numbers."""

    @overload
    def __getitem__(self, at: int, /) -> Grid: ...
    @overload
    def __getitem__(self, at: tuple[int, int], /) -> Row: ...
    @overload
    def __getitem__(self, at: tuple[int, int, int], /) -> int: ...
    def __setitem__(self, at: tuple[int, int, int], value: int, /) -> None: ...


class Axis(int):
    """The length of an axis, which knows what it counts: a number to rules and to the compiler."""

    labels: tuple[str, ...]
    role: Role

    def __new__(cls, size: int, labels: Sequence[str] = (), role: Role = "") -> Axis:
        made = super().__new__(cls, size)
        made.labels = tuple(labels) or tuple(map(str, range(size)))
        made.role = role
        return made


def seats(most: int) -> Axis:
    """The axis of the seats, for so many at most."""
    return Axis(most, role="seats")


def interchangeable(labels: Sequence[str] | int) -> Axis:
    """An axis of parts that are alike: renaming them (colours, paths, tracks) leaves the game as it is.

    >>> PALACES = interchangeable("KMPZ")
    >>> int(PALACES), PALACES.labels
    (4, ('K', 'M', 'P', 'Z'))
    """
    if isinstance(labels, int):
        return Axis(labels, role="interchangeable")
    return Axis(len(labels), labels, role="interchangeable")


class Kind:
    """What a number in a field stands for: its least and its greatest value, and their names if they have any."""

    def __init__(self, low: int, high: int, names: Sequence[str] = ()) -> None:
        self.low, self.high, self.names = low, high, tuple(names)

    def word(self, code: int) -> str | int:
        """The name of a value; the number itself where there are no names."""
        return self.names[code - self.low] if self.names and self.low <= code <= self.high else int(code)


def count(high: int, low: int = 0) -> Kind:
    """A number with bounds."""
    if low > high:
        raise UnknownGame(
            f"A number from {low} to {high} has no value: count takes the greatest first, then the least."
        )
    return Kind(low, high)


def choice(*names: str) -> Kind:
    """One of several things, by its index."""
    return Kind(0, len(names) - 1, names)


FLAG = count(1)


class SeatKind(Kind):
    """The number of a seat; where nobody may be meant, 0 is nobody and 1 the first seat."""

    def __init__(self, seats: int, first: int) -> None:
        super().__init__(0, seats - 1 + first)
        self.seats, self.first = int(seats), first


def seat_of(seats: int, nobody: bool = False) -> Kind:
    """One of so many seats, or `nobody`, which is 0 and the seats 1 more than their numbers.

    >>> seat_of(2).high, seat_of(2, nobody=True).high
    (1, 2)
    """
    return SeatKind(seats, int(nobody))


SEAT = seat_of(6)


class Pieces(Kind):
    """Things of which there are so many each: cards, tiles, coins. Each stands in one place only.

    The piece `names[i]` has the code `first + i`, and `first - 1` stands for no piece. There are `copies[i]` of it, or
    as many as the rule named by `copies` says, which gets a state or a view and the code. `each` is "seat" where every
    seat has a set of its own: then the first axis of each field of this kind are the seats. `gone` names a rule
    `gone(v, left)` that takes from left[i] the pieces that a chair knows to lie in no declared place. `axes` tell what
    the codes are made of, such as colour and rank: colour * ranks + rank, from `first` on.
    """

    def __init__(
        self,
        names: Sequence[str],
        copies: Sequence[int] | int | str = 1,
        *,
        first: int = 1,
        each: Literal["", "seat"] = "",
        gone: str = "",
        spoken: Sequence[str] = (),
        axes: tuple[int, ...] = (),
    ) -> None:
        super().__init__(first - 1, first + len(names) - 1, ("", *names))
        self.first, self.empty, self.each, self.gone = first, first - 1, each, gone
        self.pieces = tuple(names)
        self.spoken = tuple(spoken) or self.pieces
        self.codes = {name: first + i for i, name in enumerate(names)}
        self.copies_rule = copies if isinstance(copies, str) else ""
        many = 0 if isinstance(copies, str) else copies
        self.copies = np.array([many] * len(names) if isinstance(many, int) else many, np.int64)
        for name in self.pieces:
            if self.pieces.count(name) > 1 or len(name.split()) != 1:
                raise UnknownGame(f"A piece has a name of its own in one word, as deals are written; not {name!r}.")
        if len(self.copies) != len(self.pieces):
            raise UnknownGame(f"There are {len(names)} pieces, but copies of {len(self.copies)}.")
        self.axes = axes or (len(names),)
        if int(np.prod(self.axes)) != len(names):
            raise UnknownGame(f"There are {len(names)} pieces, but axes for {int(np.prod(self.axes))}.")

    def say(self, code: int) -> str:
        """A piece as people call it; nothing for none."""
        return self.spoken[code - self.first] if code >= self.first else ""


class Field:
    """One declared field."""

    name = ""

    def __init__(self, sight: Sight, kind: Kind | None, axes: tuple[int, ...], **how: Any) -> None:
        if (sight == "own" or how.get("mine")) and axes and not isinstance(axes[0], Axis):
            axes = (seats(axes[0]), *axes[1:])
        self.sight, self.kind, self.axes = sight, kind, axes
        self.how = how  # the arguments by name of the makers below

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes as plain numbers."""
        return tuple(map(int, self.axes))

    @property
    def lists(self) -> tuple[int, ...]:
        """The shape with its last axis being that of a list: a place for one piece is a list of one."""
        each_seat = self.sight == "own" or bool(self.pieces and self.pieces.each)
        return self.shape if len(self.shape) > each_seat else (*self.shape, 1)

    @property
    def pieces(self) -> Pieces | None:
        """The pieces that lie here."""
        return self.kind if isinstance(self.kind, Pieces) else None

    @property
    def empty(self) -> int:
        """What stands here for nothing."""
        return self.kind.empty if isinstance(self.kind, Pieces) else 0

    @property
    def at_the_back(self) -> bool:
        """Whether pieces lie at the back of their list."""
        return self.how.get("packed") == "back"

    @property
    def counted(self) -> bool:
        """Whether views tell how many pieces lie here, as they do not tell which."""
        return self.pieces is not None and self.sight in ("own", "secret")

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the greatest number here, if that is declared; what views hide is 0."""
        if self.kind and self.sight in ("own", "seen"):
            return min(self.kind.low, self.empty), max(self.kind.high, self.empty)
        return (self.kind.low, self.kind.high) if self.kind else None

    def entry(self, shape: tuple[int, ...]) -> Any:
        """Its part of a record type."""
        wide = self.kind is not None and max(-self.kind.low, self.kind.high) > np.iinfo(np.int16).max
        return (self.name, np.int64 if wide else np.int16, shape)


class Maker(Protocol):
    """The makers to a type checker: what a field is follows from how many axes it has."""

    @overload
    def __call__(self, kind: Kind | None = None, /, **how: Any) -> int: ...
    @overload
    def __call__(self, kind: Kind | None, a: int, /, **how: Any) -> Row: ...
    @overload
    def __call__(self, kind: Kind | None, a: int, b: int, /, **how: Any) -> Grid: ...
    @overload
    def __call__(self, kind: Kind | None, a: int, b: int, c: int, /, **how: Any) -> Cube: ...


def _maker(sight: Sight, allowed: tuple[str, ...], text: str) -> Maker:
    def make(kind: Kind | None = None, /, *axes: int, **how: Any) -> Field:
        for word in how:
            if word not in allowed:
                known = ", ".join(allowed) or "nothing more"
                raise UnknownGame(f"A field that is {sight} cannot be told {word!r}; it can be told {known}.")
        if not (kind is None or isinstance(kind, Kind)) or not all(isinstance(axis, int) for axis in axes):
            raise UnknownGame(f"A field is told its kind first, and then its axes: {sight}(CARD, SEATS).")
        if how.get("packed", "front") not in ("front", "back"):
            raise UnknownGame(f'A field is packed="front" or packed="back", not {how["packed"]!r}.')
        return Field(sight, kind, axes, **how)

    make.__name__, make.__doc__ = sight, text
    return cast(Maker, make)


PLACING = ("packed", "sorted", "dealt", "fits", "guess")
public = _maker(
    "public",
    ("dealt", "observed"),
    """A field that everybody sees.

    What says nothing that other fields do not say, such as a log of moves, is `observed=False`: no learner is told.""",
)
own = _maker(
    "own",
    PLACING,
    """A field of which each seat sees its part: its first axis are the seats. Of pieces all know how many there are.

    They lie at the front of each list, or at its back if it is `packed="back"`; `sorted` puts them in order.
    `dealt` tells whether, or by which name, the deal has a line for each list (by default for hidden pieces); `fits`
    names a rule that tells whether a state with all pieces laid can be.

    Of hidden numbers that are no pieces each value of the kind is as likely, unless `guess` names a rule
    `guess(s, rng, i, j)` that draws what the hidden cell may be in an imagined state with all pieces laid.""",
)
secret = _maker("secret", PLACING, "A field that nobody sees; of pieces all know how many there are.")
seen = _maker(
    "seen",
    ("where", "mine", "dealt", "fits", "guess"),
    """A field of which some cells can be seen: by all those `where` something is not 0. That is a public field of the
    same axes, a rule `where(s, seat, i, j)`, or an expression such as "s.won_by[j] == 1 + i", i and j being the cell.
    With `mine` a seat also sees its own part, the first axis being the seats.
    Of a cell that is not seen all know whether a piece lies there.""",
)
told = _maker("told", (), "A field of views only, which the game's rule `tells(s, seat, v)` writes.")


def option(values: Sequence[str] | range, help: str, default: int | None = None) -> int:
    """What a table may choose before it deals: a word among several, or a whole number; the first unless told."""
    return cast(int, _Option(values, help, default))  # to a type checker it is what rules read


class _Option:
    def __init__(self, values: Sequence[str] | range, help: str, default: int | None) -> None:
        if isinstance(values, str):
            raise UnknownGame(f'An option has several words, such as ({values!r}, "other"), not one.')
        if not isinstance(values, range) and not all(isinstance(value, str) for value in values):
            raise UnknownGame("An option has words, or a range of numbers such as range(2, 6).")
        if isinstance(values, range) and values and default is not None and default not in values:
            raise UnknownGame(
                f"The default of an option is one of its values, {values[0]} to {values[-1]}: not {quoted(default)}."
            )
        self.values, self.help, self.default = values, help, default

    def named(self, name: str) -> Option:
        if isinstance(self.values, range):
            if not self.values or self.values.step != 1:
                raise UnknownGame(f"The numbers of the option {name} follow one another, as in range(2, 6).")
            default = self.values[0] if self.default is None else self.default
            return Range(name, default, self.values[0], self.values[-1], self.help)
        if self.default is not None:
            raise UnknownGame(f"The first word of the option {name} is its default.")
        return Choice(name, tuple(self.values), self.help)


class Record:
    """The base of a game's declared state."""

    players: int
    seat: int  # of views only: whose they are
    bytes: memoryview  # where rules are not compiled
    declared: ClassVar[dict[str, Field]] = {}
    options: ClassVar[tuple[Option, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.options = tuple(made.named(name) for name, made in vars(cls).items() if isinstance(made, _Option))
        cls.declared = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        for name, field in cls.declared.items():
            field.name = name
            first = field.axes[0] if field.axes else None
            if (field.sight == "own" or field.how.get("mine")) and getattr(first, "role", "") != "seats":
                raise UnknownGame(f"{cls.__name__}.{name} is each seat's own, so its first axis must be the seats.")
            if field.pieces and field.pieces.each and not field.axes:
                raise UnknownGame(
                    f"{cls.__name__}.{name}: each seat has a set of its own, so its first axis is the seats."
                )
            if "fits" in field.how and not field.pieces:
                raise UnknownGame(f"{cls.__name__}.{name} has `fits`, which is for pieces; numbers have `guess`.")
            if field.how.get("dealt") and not field.kind:
                raise UnknownGame(f"{cls.__name__}.{name} is dealt, so it needs a kind, such as count(9).")

    @classmethod
    def state_type(cls) -> np.dtype[Any]:
        """The record of a state: what all see first, so that it is copied as one."""
        hidden = [f.entry(f.shape) for f in cls.declared.values() if f.sight not in ("public", "told")]
        return fields([*cls._head(), *(hidden or [("nothing_hidden", np.int16)])], cls.options)

    @classmethod
    def view_type(cls) -> np.dtype[Any]:
        """The record of a view, which begins as a state does."""
        parts: list[Any] = [("seat", np.int16)]
        for field in cls.declared.values():
            if field.sight in ("seen", "told"):
                parts.append(field.entry(field.shape))
            elif field.sight == "own":
                parts.append(field.entry(field.shape[1:]))
            if field.counted:
                parts.append((f"{field.name}_count", np.int16, field.lists[:-1]))
            elif field.sight == "seen":
                parts.append((f"{field.name}_down", np.int16, field.shape))
        return fields([*cls._head(), *parts], cls.options)

    @classmethod
    def _head(cls) -> list[Any]:
        return [f.entry(f.shape) for f in cls.declared.values() if f.sight == "public"]

    @classmethod
    def head_size(cls) -> int:
        """How many bytes at the beginning of states and views are the same."""
        head = fields(cls._head(), cls.options)
        last = (head.names or ())[-1]
        assert head.fields is not None
        return int(head.fields[last][1]) + head[last].itemsize

    @classmethod
    def bounds(cls) -> dict[str, tuple[int, int]]:
        """The least and the greatest number in each field of states and views, as far as it is declared."""
        found = {name: field.bounds for name, field in cls.declared.items() if field.bounds}
        counts = {f"{name}_count": (0, f.lists[-1]) for name, f in cls.declared.items() if f.counted}
        down = {f"{name}_down": (0, 1) for name, f in cls.declared.items() if f.sight == "seen"}
        return {**found, **counts, **down, "nothing_hidden": (0, 0)}


def fields(dtype_fields: list[Any], options: tuple[Option, ...]) -> np.dtype[Any]:
    """The record type with these fields, and before them the players and each option.

    >>> fields([("turn", np.int16)], ()).names
    ('players', 'turn')
    """
    header = [("players", np.int16), *((option.name, np.int16) for option in options)]
    for name, *_ in header + dtype_fields:
        if hasattr(np.record, name):  # un-compiled, s.round would be a method of NumPy's
            raise UnknownGame(f"A field cannot be called {name!r}: NumPy's records have something of that name.")
    return np.dtype(header + dtype_fields, align=True)


def option_bounds(option: Option) -> tuple[int, int]:
    """The least and the greatest code of an option."""
    return (0, len(option.values) - 1) if isinstance(option, Choice) else (option.low, option.high)
