"""Kernels made from what a game declares: `view`, `imagine` and `cover` from its fields, a `start` that puts in order
what is declared to lie so, `legal` by trying all moves of its forms, `ending` from a field `ended`, `to_move` from a
field `turn`, and `result` from a rule `standing`. They are written as source and compiled like any rule.

What a game writes by hand under one of these names is left as it is. `clew source GAME` prints what was made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from clew.core.cards import sort
from clew.core.codegen import Writer, cell_index, compile_source, element
from clew.core.declare import Field, Kind, Pieces, Record
from clew.core.errors import BadRules
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


ENGINES = {
    "np": np,
    "copy_head": copy_head,
    "filled": filled,
    "shuffle": shuffle,
    "below": below,
    "sort": sort,
    "BadRules": BadRules,
}
"""What is called by name in the source that is made, whatever the game calls so."""


# Source


def _visible(record: type[Record], field: Field) -> str:
    """Who sees a cell of a field, as an expression on `s` and `seat`."""
    if field.sight != "seen":
        return "i == seat" if field.sight == "own" else ""
    at, where = cell_index(field.shape), str(field.how.get("where", ""))
    said = ["i == seat"] if field.how.get("mine") else []
    if where in record.declared:
        said.append(f"{element(f's.{where}', at)} != 0")
    elif where and not where.isidentifier():
        said.append(f"({where})")
    elif where:
        said.append(f"{where}({', '.join(filter(None, ('s', 'seat', at)))})")
    return " or ".join(said)


def source(record: type[Record], tells: bool = False) -> str:
    """The kernels that follow from the declaration."""
    write = Writer()
    with write.block("def start(s):"):  # the deal is the whole table; only in which order cards came is forgotten
        write("pass")
        for field in record.declared.values():
            if field.how.get("sorted") and len(field.shape) == len(field.lists):
                row = element(f"s.{field.name}", cell_index(field.lists[:-1]))
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
        sets = [
            (number, pieces, [field for field in record.declared.values() if field.kind is pieces])
            for number, pieces in enumerate(piece_sets(record))
        ]
        for number, pieces, found in sorted(sets, key=lambda one: bool(_fits(one[2]))):  # what must fit is laid last
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


def _write_view(write: Writer, record: type[Record], field: Field) -> None:
    name, at = field.name, cell_index(field.shape)
    if field.sight == "own":
        mine = cell_index(field.shape[1:])
        with write.cells(field.shape[1:]):
            write(
                f"{element(f'v.{name}', mine)} = {element(f's.{name}', 'seat', mine)} if seat >= 0 else {field.empty}"
            )
    elif field.sight == "seen":
        visible = _visible(record, field)
        with write.cells(field.shape):
            with write.block(*([f"if {visible}:"] if visible else [])):
                if visible:
                    write(f"{element(f'v.{name}', at)} = {element(f's.{name}', at)}")
            with write.block(*(["else:"] if visible else [])):
                there = f"int({element(f's.{name}', at)} != {field.empty})" if field.pieces else "1"
                write(f"{element(f'v.{name}_down', at)} = {there}")
                if field.empty:
                    write(f"{element(f'v.{name}', at)} = {field.empty}")
    if field.counted:
        lists = field.lists[:-1]
        with write.cells(lists):
            if len(field.shape) < len(field.lists):  # a place for one piece
                there = f"int({element(f's.{name}', at)} != {field.empty})"
            else:
                there = f"filled({element(f's.{name}', cell_index(lists))}, {field.empty})"
            write(f"{element(f'v.{name}_count', cell_index(lists))} = {there}")


def _write_cover(write: Writer, record: type[Record], field: Field) -> None:
    cell, visible = element(f"s.{field.name}", cell_index(field.shape)), _visible(record, field)
    asked = [f"not ({visible})"] if visible else []
    if field.pieces:
        asked.append(f"{cell} != {field.empty}")
    with write.cells(field.shape), write.block(*([f"if {' and '.join(asked)}:"] if asked else [])):
        write(f"{cell} = {field.pieces.first if field.pieces else 0}")


def _write_chance(write: Writer, field: Field) -> None:
    """A hidden number that is no piece: what the game's rule draws, or each value as likely."""
    kind, at = field.kind or Kind(0, 0), cell_index(field.shape)
    cell, drawn = element(f"s.{field.name}", at), f"{kind.low} + below(rng, {kind.high - kind.low + 1})"
    if "guess" in field.how:
        drawn = f"{field.how['guess']}({', '.join(filter(None, ('s', 'rng', at)))})"
    players = ["v.players" if getattr(axis, "role", "") == "seats" else axis for axis in field.axes]  # at the table
    with write.block(*(f"for {name} in range({size}):" for name, size in zip("ijkl", players))):
        if field.sight == "own":
            write(f"{cell} = {element(f'v.{field.name}', at.partition(', ')[2])} if i == v.seat else {drawn}")
        elif field.sight == "seen":
            write(f"{cell} = {drawn} if {element(f'v.{field.name}_down', at)} else {element(f'v.{field.name}', at)}")
        else:
            write(f"{cell} = {drawn}")


def _write_pool(write: Writer, found: list[Field], pieces: Pieces, number: int, pool: str) -> None:
    """One set of pieces: take away those that the chair sees, shuffle the rest, lay them where it does not see."""
    first, kinds = pieces.first, len(pieces.pieces)
    write_unseen(write, found, pieces, number, pool, into="s")
    write("total = 0")
    with write.block(f"for i in range({kinds}):"):
        write("total += left[i]")
    write("unseen = np.empty(max(total, 1), np.int64)", "total = 0")
    with write.block(f"for i in range({kinds}):", "for _ in range(left[i]):"):
        write(f"unseen[total] = {f'{first} + ' if first else ''}i", "total += 1")
    fits = "" if pool else _fits(found)
    with write.block(*([f"for _ in range({TRIES}):"] if fits else [])):
        write("count = total", "shuffle(rng, unseen, count)")
        for field in found:
            if field.sight in ("own", "secret", "seen"):
                _write_places(write, field, pool)
        _write_fits(write, fits)


def write_unseen(write: Writer, found: list[Field], pieces: Pieces, number: int, pool: str, into: str = "") -> None:
    """`left`: how many of each piece the chair of `v` does not see; `into` a state it copies what the chair sees."""
    first, kinds = pieces.first, len(pieces.pieces)
    minus = f" - {first}" if first else ""
    write(f"left = np.empty({kinds}, np.int64)")
    with write.block(f"for i in range({kinds}):"):
        write(f"left[i] = {f'{pieces.copies_rule}(v, {first} + i)' if pieces.copies_rule else f'COPIES_{number}[i]'}")
    for field in found:
        if field.sight == "own":
            at = cell_index(field.shape[1:], "jkl")
            heads = [f"for {name} in range({size}):" for name, size in zip("jkl", field.shape[1:])]
            with write.block(f"if v.seat == {pool}:" if pool else "if v.seat >= 0:", *heads):
                if into:
                    write(f"{element(f'{into}.{field.name}', 'v.seat', at)} = {element(f'v.{field.name}', at)}")
                _write_known(write, element(f"v.{field.name}", at), pieces.empty, minus)
        elif field.sight in ("public", "seen"):
            at = cell_index(field.shape)
            with write.cells(field.shape, pool):
                if into and field.sight == "seen":
                    write(f"{element(f'{into}.{field.name}', at)} = {element(f'v.{field.name}', at)}")
                _write_known(write, element(f"v.{field.name}", at), pieces.empty, minus)
    if pieces.gone:
        write(f"{pieces.gone}(v, left)")


def _fits(found: list[Field]) -> str:
    """What must hold of a state with the pieces of these fields laid, as an expression."""
    return " and ".join(dict.fromkeys(f"{field.how['fits']}(s)" for field in found if "fits" in field.how))


def _write_fits(write: Writer, fits: str) -> None:
    if fits:
        with write.block(f"if {fits}:"):
            write("break")
        write.depth -= 1
        write("else:", f'    raise BadRules("no world fits: {fits} allows none of {TRIES} ways to lay the rest")')
        write.depth += 1


def _write_known(write: Writer, cell: str, empty: int, minus: str) -> None:
    with write.block(f"if {cell} != {empty}:"):
        write(f"left[{cell}{minus}] -= 1")


def _write_places(write: Writer, field: Field, pool: str) -> None:
    """Lay unseen pieces into one field."""
    name, cell = field.name, element(f"s.{field.name}", cell_index(field.shape))
    if field.sight == "seen":
        with write.cells(field.shape, pool), write.block(f"if {element(f'v.{name}_down', cell_index(field.shape))}:"):
            write("count -= 1", f"{cell} = unseen[count]")
        return
    lists, size = field.lists[:-1], field.lists[-1]
    last, there = "ijkl"[len(lists)], element(f"v.{name}_count", cell_index(lists))
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
            write(f"sort({element(f's.{name}', cell_index(lists))}, {end})")  # no piece comes before all others


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
    kept = [text for text in functions if text and is_derived(rules, text[len("def ") : text.index("(")])]
    return "\n\n\n".join(kept) + "\n" if kept else ""


def is_derived(rules: ModuleType, name: str) -> bool:
    """Whether a kernel was made from the declarations."""
    kernel: Any = getattr(rules, name)
    return bool(kernel.py_func.__code__.co_filename == f"<{rules.__name__} derived>")
