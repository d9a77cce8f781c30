"""Kernels made from what a game declares: `view`, `imagine` and `cover` from its fields, a `start` that puts in order
what is declared to lie so, `legal` by trying all moves of its forms, `ending` from a field `ended`, `to_move` from a
field `turn`, and `result` from a rule `standing`. They are written as source and compiled like any rule.

What a game writes by hand under one of these names is left as it is. `clew source GAME` prints what was made.
"""

from __future__ import annotations

import hashlib
import linecache
import re
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from clew.core.cards import sort
from clew.core.declare import Field, Kind, Pieces, Record
from clew.core.kernels import rule
from clew.core.rng import below, shuffle
from clew.core.types import Numbers

# `Any` in signatures here: what Numba's intrinsics get, records of any type, and names in a scope.

FROM_FIELDS = ("view", "imagine", "cover", "start")
FROM_MORE = {  # what a game must have besides its fields
    "legal": "moves that are declared as forms",
    "ending": "a public field `ended`",
    "to_move": "a public field `turn`",
    "result": "a rule `standing(s, seat)`",
}
DERIVED = (*FROM_FIELDS, *FROM_MORE)
TRIES = 100_000  # to lay pieces so that they fit, before a view counts as one that cannot be


# One copy for all that is public


@intrinsic  # type: ignore[untyped-decorator]
def _copy_bytes(typing: Any, source: Any, target: Any, size: Any) -> Any:  # types of the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cgutils.raw_memcpy(builder, arguments[1], arguments[0], arguments[2], 1)
        return context.get_dummy_value()

    return types.none(source, target, size), generate


@rule
def copy_head(source: Any, target: Any, size: int) -> None:  # records of any type
    """Copy so many bytes from the beginning of one record to that of another."""
    _copy_bytes(source, target, size)


def _copy_plainly(source: Any, target: Any, size: int) -> None:  # rows of any type
    target.bytes[:size] = source.bytes[:size]


copy_head.plain = _copy_plainly  # type: ignore[attr-defined]


@rule
def filled(row: Numbers, empty: int) -> int:  # an array of numbers
    """How many numbers of a row are not this one."""
    count = 0
    for i in range(len(row)):
        count += row[i] != empty
    return count


filled.plain = lambda row, empty: int(np.count_nonzero(row != empty))  # type: ignore[attr-defined]


ENGINES = {"np": np, "copy_head": copy_head, "filled": filled, "shuffle": shuffle, "below": below, "sort": sort}
"""What is called by name in the source that is made, whatever the game calls so."""


# Source


class _Writer:
    """Lines of Python with their indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def __call__(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]

    def block(self, *heads: str) -> _Block:
        """What is written inside is indented below these lines; no line, no indentation."""
        return _Block(self, heads)

    def cells(self, shape: tuple[int, ...], pool: str = "") -> _Block:
        """Loops over all cells; with a pool over those whose first index is that."""
        ranges = [f"range({size})" for size in shape]
        if pool and ranges:
            ranges[0] = f"range({pool}, {pool} + 1)"
        return _Block(self, tuple(f"for {name} in {values}:" for name, values in zip("ijkl", ranges)))


class _Block:
    def __init__(self, write: _Writer, heads: tuple[str, ...]) -> None:
        self._write, self._heads = write, heads

    def __enter__(self) -> None:
        for head in self._heads:
            self._write(head)
            self._write.depth += 1

    def __exit__(self, *error: object) -> None:
        self._write.depth -= len(self._heads)


def _at(shape: tuple[int, ...], names: str = "ijkl") -> str:
    return ", ".join(names[: len(shape)])


def _cell(name: str, *indices: str) -> str:
    at = ", ".join(index for index in indices if index)
    return f"{name}[{at}]" if at else name


def _visible(record: type[Record], field: Field) -> str:
    """Who sees a cell of a field, as an expression on `s` and `seat`."""
    if field.sight != "seen":
        return "i == seat" if field.sight == "own" else ""
    at, where = _at(field.shape), str(field.how.get("where", ""))
    said = ["i == seat"] if field.how.get("mine") else []
    if where in record.declared:
        said.append(f"{_cell(f's.{where}', at)} != 0")
    elif where and not where.isidentifier():
        said.append(f"({where})")
    elif where:
        said.append(f"{where}({', '.join(filter(None, ('s', 'seat', at)))})")
    return " or ".join(said)


def source(record: type[Record], tells: bool = False) -> str:
    """The kernels that follow from the declaration."""
    write = _Writer()
    with write.block("def start(s):"):  # the deal is the whole table; only in which order cards came is forgotten
        write("pass")
        for field in record.declared.values():
            if field.how.get("sorted") and len(field.shape) == len(field.lists):
                row = _cell(f"s.{field.name}", _at(field.lists[:-1]))
                with write.cells(field.lists[:-1]):
                    write(f"sort({row}, {field.lists[-1] if field.at_the_back else f'filled({row}, {field.empty})'})")
    write("", "")
    with write.block("def view(s, seat, v):"):
        write(f"copy_head(s, v, {record.head_size()})", "v.seat = seat")
        for field in record.declared.values():
            _write_view(write, record, field)
        if tells:
            write("tells(s, seat, v)")
    write("", "")
    with write.block("def cover(s, seat):"):
        write("pass")
        for field in record.declared.values():
            if field.sight in ("own", "secret", "seen"):
                _write_cover(write, record, field)
    write("", "")
    with write.block("def imagine(v, rng, s):"):
        write(f"copy_head(v, s, {record.head_size()})")
        numbers = [f for f in record.declared.values() if f.sight in ("own", "secret", "seen") and not f.pieces]
        for field in numbers:
            if "guess" not in field.how:
                _write_chance(write, field)
        for number, pieces in enumerate(piece_sets(record)):
            found = [field for field in record.declared.values() if field.kind is pieces]
            if not any(field.sight in ("own", "secret", "seen") for field in found):
                continue
            if not pieces.each:
                _write_pool(write, found, pieces, number, "")
                continue
            fits = _fits(found)  # asked when the pieces of all seats are laid
            with write.block(*([f"for _ in range({TRIES}):"] if fits else [])):
                with write.block("for pool in range(v.players):"):
                    _write_pool(write, found, pieces, number, "pool")
                _write_fits(write, fits)
        for field in numbers:
            if "guess" in field.how:
                _write_chance(write, field)
    return "\n".join(write.lines) + "\n"


MADE = {
    "legal": """\
def legal(s, seat, out):
    found = 0
    for move in range({moves}):
        if refusal(s, seat, move) == 0:
            out[found] = move
            found += 1
    return found
""",
    "ending": """\
def ending(s):
    return int(s.ended)
""",
    "to_move": """\
def to_move(s):
    return 0 if ending(s) else 1 << int(s.turn)
""",
    "result": """\
def result(s, scores, places):
    for seat in range(s.players):
        scores[seat] = standing(s, seat)[0]
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            places[seat] += standing(s, other) {better} standing(s, seat)
""",
}


def _write_view(write: _Writer, record: type[Record], field: Field) -> None:
    name, at = field.name, _at(field.shape)
    if field.sight == "own":
        mine = _at(field.shape[1:])
        with write.cells(field.shape[1:]):
            write(f"{_cell(f'v.{name}', mine)} = {_cell(f's.{name}', 'seat', mine)} if seat >= 0 else {field.empty}")
    elif field.sight == "seen":
        visible = _visible(record, field)
        with write.cells(field.shape):
            with write.block(*([f"if {visible}:"] if visible else [])):
                if visible:
                    write(f"{_cell(f'v.{name}', at)} = {_cell(f's.{name}', at)}")
            with write.block(*(["else:"] if visible else [])):
                there = f"int({_cell(f's.{name}', at)} != {field.empty})" if field.pieces else "1"
                write(f"{_cell(f'v.{name}_down', at)} = {there}")
                if field.empty:
                    write(f"{_cell(f'v.{name}', at)} = {field.empty}")
    if field.counted:
        lists = field.lists[:-1]
        with write.cells(lists):
            if len(field.shape) < len(field.lists):  # a place for one piece
                there = f"int({_cell(f's.{name}', at)} != {field.empty})"
            else:
                there = f"filled({_cell(f's.{name}', _at(lists))}, {field.empty})"
            write(f"{_cell(f'v.{name}_count', _at(lists))} = {there}")


def _write_cover(write: _Writer, record: type[Record], field: Field) -> None:
    cell, visible = _cell(f"s.{field.name}", _at(field.shape)), _visible(record, field)
    asked = [f"not ({visible})"] if visible else []
    if field.pieces:
        asked.append(f"{cell} != {field.empty}")
    with write.cells(field.shape), write.block(*([f"if {' and '.join(asked)}:"] if asked else [])):
        write(f"{cell} = {field.pieces.first if field.pieces else 0}")


def _write_chance(write: _Writer, field: Field) -> None:
    """A hidden number that is no piece: what the game's rule draws, or each value as likely."""
    kind, at = field.kind or Kind(0, 0), _at(field.shape)
    cell, drawn = _cell(f"s.{field.name}", at), f"{kind.low} + below(rng, {kind.high - kind.low + 1})"
    if "guess" in field.how:
        drawn = f"{field.how['guess']}({', '.join(filter(None, ('s', 'rng', at)))})"
    with write.cells(field.shape):
        if field.sight == "own":
            write(f"{cell} = {_cell(f'v.{field.name}', at.partition(', ')[2])} if i == v.seat else {drawn}")
        elif field.sight == "seen":
            write(f"{cell} = {drawn} if {_cell(f'v.{field.name}_down', at)} else {_cell(f'v.{field.name}', at)}")
        else:
            write(f"{cell} = {drawn}")


def _write_pool(write: _Writer, found: list[Field], pieces: Pieces, number: int, pool: str) -> None:
    """One set of pieces: take away those that the chair sees, shuffle the rest, lay them where it does not see."""
    first, kinds = pieces.first, len(pieces.pieces)
    minus = f" - {first}" if first else ""
    hidden = [field for field in found if field.sight in ("own", "secret", "seen")]
    write(f"left = np.empty({kinds}, np.int64)")
    with write.block(f"for i in range({kinds}):"):
        write(f"left[i] = {f'{pieces.copies_rule}(v, {first} + i)' if pieces.copies_rule else f'COPIES_{number}[i]'}")
    for field in found:
        if field.sight == "own":
            at = _at(field.shape[1:], "jkl")
            heads = [f"for {name} in range({size}):" for name, size in zip("jkl", field.shape[1:])]
            with write.block(f"if v.seat == {pool}:" if pool else "if v.seat >= 0:", *heads):
                write(f"{_cell(f's.{field.name}', 'v.seat', at)} = {_cell(f'v.{field.name}', at)}")
                _write_known(write, _cell(f"v.{field.name}", at), pieces.empty, minus)
        elif field.sight in ("public", "seen"):
            at = _at(field.shape)
            with write.cells(field.shape, pool):
                if field.sight == "seen":
                    write(f"{_cell(f's.{field.name}', at)} = {_cell(f'v.{field.name}', at)}")
                _write_known(write, _cell(f"v.{field.name}", at), pieces.empty, minus)
    if pieces.gone:
        write(f"{pieces.gone}(v, left)")
    write("total = 0")
    with write.block(f"for i in range({kinds}):"):
        write("total += left[i]")
    write("unseen = np.empty(max(total, 1), np.int64)", "total = 0")
    with write.block(f"for i in range({kinds}):", "for _ in range(left[i]):"):
        write(f"unseen[total] = {f'{first} + ' if first else ''}i", "total += 1")
    fits = "" if pool else _fits(found)
    with write.block(*([f"for _ in range({TRIES}):"] if fits else [])):
        write("count = total", "shuffle(rng, unseen, count)")
        for field in hidden:
            _write_places(write, field, pool)
        _write_fits(write, fits)


def _fits(found: list[Field]) -> str:
    """What must hold of a state with the pieces of these fields laid, as an expression."""
    return " and ".join(dict.fromkeys(f"{field.how['fits']}(s)" for field in found if "fits" in field.how))


def _write_fits(write: _Writer, fits: str) -> None:
    if fits:
        with write.block(f"if {fits}:"):
            write("break")
        write.depth -= 1
        write("else:", '    raise ValueError("no world fits")')
        write.depth += 1


def _write_known(write: _Writer, cell: str, empty: int, minus: str) -> None:
    with write.block(f"if {cell} != {empty}:"):
        write(f"left[{cell}{minus}] -= 1")


def _write_places(write: _Writer, field: Field, pool: str) -> None:
    """Lay unseen pieces into one field."""
    name, cell = field.name, _cell(f"s.{field.name}", _at(field.shape))
    if field.sight == "seen":
        with write.cells(field.shape, pool), write.block(f"if {_cell(f'v.{name}_down', _at(field.shape))}:"):
            write("count -= 1", f"{cell} = unseen[count]")
        return
    lists, size = field.lists[:-1], field.lists[-1]
    last, there = "ijkl"[len(lists)], _cell(f"v.{name}_count", _at(lists))
    begin, end = (f"{size} - {there}", str(size)) if field.at_the_back else ("0", there)
    others = write.block(*(["if i != v.seat:"] if field.sight == "own" else []))
    with write.cells(lists, pool), others:
        with write.block(f"for {last} in range({size}):"):
            with write.block(f"if {begin} <= {last} < {end}:"):
                write("count -= 1", f"{cell} = unseen[count]")
            if field.empty:
                with write.block("else:"):
                    write(f"{cell} = {field.empty}")
        if field.how.get("sorted") and len(field.shape) == len(field.lists):
            write(f"sort({_cell(f's.{name}', _at(lists))}, {end})")  # no piece comes before all others


def piece_sets(record: type[Record]) -> list[Pieces]:
    """The sets of pieces that are declared, each once."""
    return list(dict.fromkeys(field.kind for field in record.declared.values() if isinstance(field.kind, Pieces)))


# From source to kernels


def derivable(record: type[Record], scope: Mapping[str, Any]) -> list[str]:
    """The kernels that a game with such a state and such names need not write."""
    there = {
        "legal": hasattr(scope.get("MOVE"), "count"),  # all of them can be tried
        "ending": _is_public(record, "ended"),
        "to_move": _is_public(record, "turn"),
        "result": "standing" in scope,
    }
    return [*FROM_FIELDS, *(name for name in FROM_MORE if there[name])]


def _is_public(record: type[Record], name: str) -> bool:
    return name in record.declared and record.declared[name].sight == "public" and not record.declared[name].shape


def derive(rules: ModuleType, record: type[Record]) -> None:
    """Give a game's rules the record types and the kernels that it did not write by hand."""
    moves: Any = getattr(rules, "MOVE", None)
    text = source(record, hasattr(rules, "tells"))
    count, better = getattr(moves, "count", 0), "<" if getattr(rules, "LOW_SCORE_WINS", False) else ">"
    for name in derivable(record, vars(rules)):
        if name in MADE and not hasattr(rules, name):
            text += f"\n\n{MADE[name].format(moves=count, better=better)}"
    if count:
        vars(rules).setdefault("MOVES", count)
    scope: dict[str, Any] = dict(ENGINES)
    scope |= {f"COPIES_{number}": pieces.copies for number, pieces in enumerate(piece_sets(record))}
    for name, thing in vars(rules).items():
        scope.setdefault(name, thing)
    made = compile_source(text, scope, rules.__name__, str(rules.__file__), "derived")
    for name in DERIVED:
        if name in made:
            vars(rules).setdefault(name, made[name])
    vars(rules).update(STATE=record.state_type(), VIEW=record.view_type(), OPTIONS=record.options, DERIVED_SOURCE=text)


def made_for(rules: ModuleType) -> str:
    """The source of the kernels that a game did not write itself; empty if there are none."""
    functions = re.split(r"\n\n\n(?=def )", getattr(rules, "DERIVED_SOURCE", "").rstrip("\n"))
    derived = f"<{rules.__name__} derived>"
    kept = [text for text in functions if text and _comes_from(rules, text, derived)]
    return "\n\n\n".join(kept) + "\n" if kept else ""


def _comes_from(rules: ModuleType, text: str, file: str) -> bool:
    kernel: Any = getattr(rules, text[len("def ") : text.index("(")])
    return bool(kernel.py_func.__code__.co_filename == file)


def compile_source(text: str, scope: dict[str, Any], module: str, file: str, what: str) -> dict[str, Any]:
    """The functions in a generated source as rules of a module, with a place of their own in the cache."""
    name = f"<{module} {what}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope["__name__"] = module
    exec(compile(text, name, "exec"), scope)
    made = {}
    for key, function in list(scope.items()):
        if isinstance(function, FunctionType) and function.__code__.co_filename == name:
            function.__dict__.update(folder=Path(file).parent, text=hashlib.sha256(text.encode()).hexdigest()[:12])
            made[key] = scope[key] = rule(function)
    return made
