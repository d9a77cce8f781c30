"""Observations: what a view says, as numbers that a learner can use, from the declared kinds of its fields.

They are egocentric: an axis of seats is turned so that one's own part comes first, and a seat is told by how far it
sits from one's own. A number of few values has a feature for each, a wide one some bins and its size; cards that lie in
a list are counted and their ranks summed, and those that the chair has not seen are counted, too. What lies along an
interchangeable axis is told part by part, each in the same words, so that one layer of a network can look at all of
them.

    layout = layout_of(clew.core.game.load("palaces"))
    count = layout.observe(v, ids, values)          # the features that are not 0
    layout.fill(v, row, room)                       # the same as a row of all features, which begins with zeros

A feature is named by its flat number: first those of the whole, then group by group (an interchangeable axis) and part
by part. A number may come several times: such features are to be added up.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from clew.core.codegen import Writer, compile_source, element
from clew.core.declare import Axis, Kind, Pieces, Record, SeatKind, count, option_bounds
from clew.core.derive import piece_sets, write_unseen
from clew.core.errors import UnknownGame
from clew.core.game import Game
from clew.core.options import Choice

# `Any` in signatures here: kernels, and names in a scope.

FEW = 24  # values that have a feature each
BINS = 12  # of a number with more of them
MOST = 4096  # features of one field in one part; a field that would need more is told by its numbers alone,
MOST_CELLS = 1024  # and one with more cells than this is left out
PIECEWISE = 64  # features of a list of pieces up to which each place is told; in longer ones pieces are counted
UNDECLARED = count(1000, -1000)


@dataclass(frozen=True)
class Block:
    """Features of one field, in the words of its game: `shape` are the axes that are left within a part."""

    name: str
    encoding: str  # one-hot, bins, number, count or seat
    group: int
    first: int  # within the part
    shape: tuple[int, ...]
    width: int  # features a cell

    @property
    def size(self) -> int:
        """How many features it has in a part."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.width


@dataclass(frozen=True)
class Group:
    """Parts that are alike: the parts of an interchangeable axis, or the whole as the only part of the first group."""

    labels: tuple[str, ...]
    size: int  # features a part
    first: int  # the flat number of the first feature

    @property
    def parts(self) -> int:
        """How many there are."""
        return len(self.labels)


@dataclass(frozen=True)
class Layout:
    """What the features of a game are, and the kernel that writes them."""

    groups: tuple[Group, ...]
    blocks: tuple[Block, ...]
    left_out: tuple[str, ...]
    most: int  # features that can be written at one time
    source: str
    observe: Callable[..., int]  # observe(v, ids, values): how many were written
    fill: Callable[..., None]  # fill(v, row, room), with `room` for so many numbers to work with
    room: int

    @property
    def size(self) -> int:
        """How many features there are, all parts counted."""
        last = self.groups[-1]
        return last.first + last.parts * last.size

    @functools.cached_property
    def fingerprint(self) -> str:
        """What two layouts have in common whose features mean the same."""
        said = [*map(repr, self.groups), *map(repr, self.blocks), self.source]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]

    def name(self, number: int) -> str:
        """What a feature is about, for people."""
        group = max(g for g, group in enumerate(self.groups) if group.first <= number)
        part, within = divmod(number - self.groups[group].first, self.groups[group].size)
        block = next(b for b in self.blocks if b.group == group and b.first <= within < b.first + b.size)
        *at, value = np.unravel_index(within - block.first, (*block.shape, block.width))
        where = "".join(f"[{i}]" for i in map(int, at))
        return f"{self.groups[group].labels[part]} {block.name}{where} {block.encoding} {int(value)}".strip()


@dataclass(frozen=True)
class _Told:
    """A field of views: its kind, its axes, and whether its last axis is a list of pieces."""

    name: str
    kind: Kind
    axes: tuple[int, ...]
    listed: bool = False
    ordered: bool = False  # where in the list a piece lies may say something


def _fields(record: type[Record]) -> list[_Told]:
    """The fields of a view, in order."""
    found = []
    for option in record.options:
        low, high = option_bounds(option)
        kind = Kind(low, high, option.values if isinstance(option, Choice) else ())
        found.append(_Told(option.name, kind, ()))
    for field in record.declared.values():
        if field.sight == "secret" or not field.how.get("observed", True):
            continue
        axes = field.axes[1:] if field.sight == "own" else field.axes
        listed = bool(field.pieces and axes and getattr(axes[-1], "role", "") == "")
        ordered = listed and not field.how.get("sorted") and (field.sight != "own" or not field.how.get("packed"))
        found.append(_Told(field.name, field.kind or UNDECLARED, axes, listed, ordered))
    for field in record.declared.values():
        if not field.how.get("observed", True):
            continue
        if field.counted:
            axes = field.axes[: len(field.lists) - 1]
            found.append(_Told(f"{field.name}_count", count(field.lists[-1]), axes))
        elif field.sight == "seen":
            found.append(_Told(f"{field.name}_down", count(1), field.axes))
    return found


class _Layouter:
    """Writes the source of `observe`, or of `fill` if it is dense, and notes where the features stand."""

    def __init__(self, record: type[Record], players: tuple[int, int], dense: bool = False) -> None:
        self.record, self.players, self.dense = record, players, dense
        axes: list[Any] = [axis for told in _fields(record) for axis in (*told.axes, *_axes_of(told.kind))]
        # An axis is the same if it is one object: two axes of three parts need not count the same things.
        shared = {id(axis): axis for axis in axes if getattr(axis, "role", "") == "interchangeable"}
        self.shared: list[Axis] = list(shared.values())
        self.sizes = [0] * (1 + len(self.shared))
        self.blocks: list[Block] = []
        self.left_out: list[str] = []
        self.most = 0
        self.write = Writer()
        self.scope: dict[str, Any] = {}

    def source(self) -> str:
        """All of it."""
        write, (low, high) = self.write, self.players
        with write.block("def fill(v, row, room):" if self.dense else "def observe(v, ids, values):"):
            if self.dense:
                write(f"players = {'int(v.players)' if low < high else low}", "me = max(int(v.seat), 0)")
            else:
                write("count = 0", "players = int(v.players)", "me = max(int(v.seat), 0)")
            if low < high:
                self._cell("players", Kind(low, high), "int(v.players)", 0, "", ())
            self._cell("seat", count(high - 1), "me", 0, "", ())
            for told in _fields(self.record):
                self._field(told)
            for number, pieces in enumerate(piece_sets(self.record)):
                self._unseen(pieces, number)
            if not self.dense:
                write("return count")
        return "\n".join(write.lines) + "\n"

    # Where features stand

    def _group(self, axes: tuple[int, ...]) -> int:
        """The group of the first axis that is interchangeable; 0 for the whole."""
        for axis in axes:
            for number, shared in enumerate(self.shared):
                if axis is shared:
                    return 1 + number
        return 0

    def _block(self, name: str, encoding: str, group: int, shape: tuple[int, ...], width: int) -> int:
        block = Block(name, encoding, group, self.sizes[group], shape, width)
        self.blocks.append(block)
        self.sizes[group] += block.size
        return block.first

    def _put(self, group: int, part: str, first: int, within: str, value: str = "1.0") -> None:
        """Write one feature: `within` its block, in the group's part."""
        at = self._at(group, part, first, within)
        if self.dense:
            self.write(f"row[{at}] += np.float32({value})")
        else:
            self.write(f"ids[count] = {at}", f"values[count] = {value}", "count += 1")

    def _at(self, group: int, part: str, first: int, within: str) -> str:
        """The flat number of a feature."""
        return (f"FIRST_{group} + ({part}) * SIZE_{group} + " if group else "") + f"{first} + {within}"

    def _put_one_hot(self, group: int, part: str, first: int, flat: str, low: int, high: int, rest: int) -> None:
        """A feature for each value of x but `rest`; in a row without a branch that a processor could not foresee."""
        within = f"({flat}) * {high - low + 1}"
        if self.dense:
            at = self._at(group, part, first, within)
            with self.write.block(f"if {low} <= x <= {high}:"):
                if (low, high, rest) == (0, 1, 0):
                    self.write(f"row[{at} + 1] = np.float32(x)")
                else:
                    self.write(f"at = {at}", f"row[at + x - {low}] = ONE", f"row[at + {rest - low}] = NONE")
        else:
            with self.write.block(f"if x != {rest} and {low} <= x <= {high}:"):
                self._put(group, part, first, f"{within} + x - {low}")

    # Fields

    def _field(self, told: _Told) -> None:
        """A field of the view: loops over its axes, seats from one's own on."""
        kind, axes = told.kind, told.axes
        cells = int(np.prod(axes, dtype=np.int64))
        if cells > MOST_CELLS or kind.low == kind.high:
            if cells > MOST_CELLS:
                self.left_out.append(told.name)
            return
        group = self._group(axes)
        heads, turned, part, flat, shape, at = list[str](), list[str](), "0", "0", tuple[int, ...](), list[str]()
        for axis, index in zip(axes[:-1] if told.listed else axes, "ijkl"):
            at.append(index)
            counter = index
            if getattr(axis, "role", "") == "seats":
                counter = f"r{index}"  # from one's own seat on
                heads.append(f"for {counter} in range(players):")
                turned.append(f"{index} = (me + {counter}) % players")
            else:
                heads.append(f"for {index} in range({int(axis)}):")
            if group and axis is self.shared[group - 1] and part == "0":
                part = index
            else:
                flat, shape = f"({flat}) * {int(axis)} + {counter}", (*shape, int(axis))
        with self.write.block(*heads):
            self.write(*turned)
            if told.listed:
                self._list(told, at, group, part, flat, shape)
            else:
                value = f"int({element(f'v.{told.name}', *at)})"
                self._cell(told.name, kind, value, group, part, shape, flat)

    def _cell(
        self,
        name: str,
        kind: Kind,
        value: str,
        group: int,
        part: str,
        shape: tuple[int, ...],
        flat: str = "0",
    ) -> None:
        """One number of a view, by its kind."""
        cells = int(np.prod(shape, dtype=np.int64))
        everywhere = cells * self._parts(group)
        low, high = kind.low, kind.high
        wide = high - low + 1
        rest = kind.empty if isinstance(kind, Pieces) else 0 if low <= 0 <= high else low
        write = self.write
        write(f"x = {value}")
        if isinstance(kind, SeatKind):
            seats = max(kind.seats, self.players[1])
            first = self._block(name, "seat", group, shape, seats)
            with write.block(f"if x >= {kind.first} and x - {kind.first} < players:"):
                self._put(group, part, first, f"({flat}) * {seats} + (x - {kind.first} - me) % players")
            self.most += everywhere
        elif (wide <= FEW or isinstance(kind, Pieces) or kind.names) and cells * wide <= MOST:
            first = self._block(name, "one-hot", group, shape, wide)
            self._put_one_hot(group, part, first, flat, low, high, rest)
            if isinstance(kind, Pieces):
                there, rank = f"{low} <= x <= {high}", _rank(kind, f"x - {kind.first}")
                if self.dense:
                    rank = f"int(x != {rest}) * {rank}"
                else:
                    there = f"x != {rest} and {there}"
                with write.block(f"if {there}:"):
                    first = self._block(f"{name} rank", "number", group, shape, 1)
                    self._put(group, part, first, flat, rank)
                self.most += everywhere
            self.most += everywhere
        else:
            largest = max(abs(low), abs(high))
            binned = cells * (1 + BINS) <= MOST
            first = self._block(name, "bins" if binned else "number", group, shape, 1 + BINS * binned)
            with write.block(*([] if self.dense else ["if x != 0:"])):
                self._put(group, part, first, f"({flat}) * {1 + BINS * binned}", f"x / {largest}.0")
            if binned:
                bounds = f"BOUNDS_{len(self.scope)}"
                self.scope[bounds] = _bounds(low, high)
                write("b = 0")
                if self.dense:
                    with write.block(f"for c in range({BINS - 1}):"):
                        write(f"b += int(x >= {bounds}[c])")
                else:
                    with write.block(f"while b < {BINS - 1} and x >= {bounds}[b]:"):
                        write("b += 1")
                self._put(group, part, first, f"({flat}) * {1 + BINS} + 1 + b")
            self.most += everywhere * (1 + binned)

    def _parts(self, group: int) -> int:
        return int(self.shared[group - 1]) if group else 1

    def _list(self, told: _Told, at: list[str], group: int, part: str, flat: str, shape: tuple[int, ...]) -> None:
        """Pieces in a list: each by its place where that is little to tell, else how many of each, and the last one."""
        pieces, length = told.kind, int(told.axes[-1])
        assert isinstance(pieces, Pieces)
        place = f"int({element(f'v.{told.name}', *at, 'm')})"
        if told.ordered and length * len(pieces.pieces) <= PIECEWISE:
            with self.write.block(f"for m in range({length}):"):
                self._cell(told.name, pieces, place, group, part, (*shape, length), f"({flat}) * {length} + m")
            return
        self.write("last = -1")
        with self.write.block(f"for m in range({length}):"):
            self.write(f"x = {place} - {pieces.first}")
            with self.write.block(f"if 0 <= x < {len(pieces.pieces)}:"):
                self.write("last = x")
                self._piece(told.name, pieces, group, part, flat, shape, "1.0")
                first = self._block(f"{told.name} rank", "number", group, shape, 1)
                self._put(group, part, first, flat, _rank(pieces, "x"))
        cells = self._parts(group) * int(np.prod(shape, dtype=np.int64))
        self.most += 2 * cells * length
        if told.ordered:
            with self.write.block("if last >= 0:"):
                self.write("x = last")
                self._piece(f"{told.name} last", pieces, group, part, flat, shape, "1.0")
            self.most += cells

    def _piece(
        self, name: str, pieces: Pieces, group: int, part: str, flat: str, shape: tuple[int, ...], value: str
    ) -> None:
        """A piece x in a list: where pieces have parts of their own, it is told in their part."""
        own = self._group(_axes_of(pieces))
        kinds = len(pieces.pieces)
        if own and group in (0, own):
            axis = next(k for k, axis in enumerate(pieces.axes) if axis is self.shared[own - 1])
            inner = int(np.prod(pieces.axes[axis + 1 :], dtype=np.int64))
            parts = int(pieces.axes[axis])
            rest = kinds // parts
            mine = f"x // {inner} % {parts}"
            self.write(f"y = x // {inner * parts} * {inner} + x % {inner}")
            if group:  # both the place and the piece have a part: either the same, or another
                first = self._block(name, "count", own, (*shape, 2), rest)
                self._put(own, part, first, f"(({flat}) * 2 + int({mine} != {part})) * {rest} + y", value)
            else:
                first = self._block(name, "count", own, shape, rest)
                self._put(own, mine, first, f"({flat}) * {rest} + y", value)
        else:
            first = self._block(name, "count", group, shape, kinds)
            self._put(group, part, first, f"({flat}) * {kinds} + x", value)

    def _unseen(self, pieces: Pieces, number: int) -> None:
        """How many of each piece the chair has not seen, next to how many there can be."""
        found = [field for field in self.record.declared.values() if field.kind is pieces]
        if not any(field.sight in ("own", "secret", "seen") for field in found):
            return
        self.scope[f"COPIES_{number}"] = pieces.copies
        kinds = len(pieces.pieces)
        most = f"{max(1, int(pieces.copies.max()))}.0" if not pieces.copies_rule else "4.0"
        name = next(field.name for field in found) + " unseen"
        heads, shape, flat, pool = list[str](), tuple[int, ...](), "0", ""
        if pieces.each:
            heads, shape, flat, pool = ["for ri in range(players):"], (self.players[1],), "ri", "pool"
        with self.write.block(*heads):
            if pool:
                self.write("pool = (me + ri) % players")
            begin = len(self.write.lines)
            write_unseen(self.write, found, pieces, number, pool)
            if self.dense:  # memory of its own would take longer than all that is done with it
                own, given = f"left = np.empty({kinds}, np.int64)", f"left = room[:{kinds}]"
                self.write.lines[begin:] = [line.replace(own, given) for line in self.write.lines[begin:]]
            if self.dense:
                share = f"max(left[{{}}], 0) / {most}"
                if not pieces.copies_rule:  # to look it up takes less time than to divide
                    self.scope[f"SHARES_{number}"] = (np.arange(int(float(most)) + 1) / float(most)).astype(np.float32)
                    share = f"SHARES_{number}[max(left[{{}}], 0)]"
                self._unseen_row(name, pieces, flat, shape, share)
            else:
                with self.write.block(f"for x in range({kinds}):", "if left[x] > 0:"):
                    self._piece(name, pieces, 0, "0", flat, shape, f"left[x] / {most}")
        self.most += kinds * (shape[0] if shape else 1)

    def _unseen_row(self, name: str, pieces: Pieces, flat: str, shape: tuple[int, ...], share: str) -> None:
        """The same without branches, and where pieces have parts of their own part by part."""
        own, kinds = self._group(_axes_of(pieces)), len(pieces.pieces)
        if not own:
            with self.write.block(f"for x in range({kinds}):"):
                self._piece(name, pieces, 0, "0", flat, shape, share.format("x"))
            return
        axis = next(k for k, axis in enumerate(pieces.axes) if axis is self.shared[own - 1])
        inner, parts = int(np.prod(pieces.axes[axis + 1 :], dtype=np.int64)), int(pieces.axes[axis])
        outer, rest = kinds // (inner * parts), kinds // parts
        first = self._block(name, "count", own, shape, rest)
        heads = [f"for a in range({outer}):", f"for p in range({parts}):", f"for c in range({inner}):"]
        with self.write.block(*heads):
            value = share.format(f"(a * {parts} + p) * {inner} + c")
            self._put(own, "p", first, f"({flat}) * {rest} + a * {inner} + c", value)


def _axes_of(kind: Kind) -> tuple[int, ...]:
    return kind.axes if isinstance(kind, Pieces) else ()


def _rank(pieces: Pieces, code: str) -> str:
    """How high a piece is among those of its colour, as codes have it; sums of it are sums of ranks."""
    ranks = int(pieces.axes[-1])
    return f"(({code}) % {ranks} + 1) / {ranks}.0"


def _bounds(low: int, high: int) -> Any:
    """Where the bins of a wide number end: closer together near 0, where most numbers are."""
    at = np.linspace(-1.0 if low < 0 else 0.0, 1.0 if high > 0 else 0.0, BINS + 1)[1:-1]
    return np.ceil(np.sign(at) * at * at * max(abs(low), abs(high))).astype(np.int64)


def layout_of(game: Game) -> Layout:
    """The layout of a game's observations, made once."""
    return _layout(game)


@functools.cache
def _layout(game: Game) -> Layout:
    rules: ModuleType = game.rules
    record = getattr(rules, "State", None)
    if not (isinstance(record, type) and issubclass(record, Record)):
        raise UnknownGame(
            f"{game.title} does not declare its state by a class State(Record), so it has no observations."
        )
    layouter = _Layouter(record, game.players)
    text = layouter.source()
    groups, first = [Group(("",), layouter.sizes[0], 0)], layouter.sizes[0]
    for axis, size in zip(layouter.shared, layouter.sizes[1:]):
        groups.append(Group(axis.labels, size, first))
        first += int(axis) * size
    scope: dict[str, Any] = {**vars(rules), **layouter.scope, "np": np}
    for number, group in enumerate(groups):
        scope |= {f"FIRST_{number}": group.first, f"SIZE_{number}": group.size}
    where = rules.__name__, str(rules.__file__)
    observe = compile_source(text, dict(scope), *where, "observation")["observe"]
    dense = _Layouter(record, game.players, dense=True)
    rows = dense.source()
    scope |= {"ONE": np.float32(1), "NONE": np.float32(0), **dense.scope}
    fill = compile_source(rows, scope, *where, "observation as a row")["fill"]
    room = max((len(pieces.pieces) for pieces in piece_sets(record)), default=0)
    blocks, left_out = tuple(layouter.blocks), tuple(layouter.left_out)
    return Layout(tuple(groups), blocks, left_out, layouter.most + 4, text, observe, fill, room)
