"""Mistakes of a game's author, found when the game is loaded and told with file and line.

The sources of the game's own modules are read as syntax trees and held against what the rules declare: the fields of
states and views, the parameters of the protocol, the names that a declaration gives to rules. Numba would find the same
mistakes when somebody first plays, in its own words. Clew's own games are proven by tests and not looked at again.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import extract_tb
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher

from clew.core import protocol
from clew.core.author_moves import check_forms, check_reasons
from clew.core.author_source import Function, Mistake, Source, called_by, close_to, line_of
from clew.core.declare import Axis, Pieces, Record
from clew.core.derive import DERIVED, ENGINES, FROM_MORE, derivable
from clew.core.errors import BadRules, ClewError, quoted
from clew.core.parsing import parse_expression
from clew.core.words import WITH_CAST

# `Any` in signatures here: the names in a game's module.

__all__ = ["Mistake", "check", "not_compiled", "told"]

OPTIONAL = ("quick", "face", "shown_at_once")
HELPERS = {"standing": "s seat", "tells": "s seat v"}  # what derived kernels call, with its parameters
RETURNING = ("to_move", "refusal", "legal", "ending")
OTHERS = ("words.py", "heuristics.py")  # read without being imported: words may need what is derived from the rules
# Where one of these is missing that is told first.
CONSTANTS = {"TITLE", "BLURB", "RULES", "PLAYERS", "ENDINGS", "MOVE", "LONGEST"}
MADE = {*DERIVED, "STATE", "VIEW", "OPTIONS", "MOVES", "DERIVED_SOURCE"}  # what `derive` adds to the rules
WORDS = {  # what `words.py` may say, with its parameters: they are given by position
    "parse": "text v",
    "write": "move v",
    "say": "move v",
    "facts": "move v",
    "explain": "reason move v",
    "write_deal": "s",
    "read_deal": "lines s",
    "tell": "before seat move after cast",
    "tell_hidden": "before seat face after cast",
    "describe": "v",
    "own": "v",
}
CONSTANT_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {  # what else would fail later, in Python's words
    "TITLE": (lambda given: isinstance(given, str), "a text"),
    "BLURB": (lambda given: isinstance(given, str), "a text"),
    "RULES": (lambda given: isinstance(given, int | np.integer), "a whole number"),
    "LONGEST": (lambda given: isinstance(given, int | np.integer), "a whole number"),
    "PLAYERS": (
        lambda given: _all_are(int, given) and len(given) == 2 and 1 <= given[0] <= given[1],
        "the fewest and the most, such as (2, 4)",
    ),
    "ENDINGS": (lambda given: _all_are(str, given), 'a tuple of words, such as ("pile",)'),
}
NO_RULE = {  # what the compiler refuses, in many words
    (ast.Import, ast.ImportFrom): "a rule cannot import: what it calls are rules, and its luck is the `rng` of deal",
    (
        ast.ClassDef,
        ast.With,
        ast.Global,
        ast.Nonlocal,
    ): "that cannot be compiled: a rule is loops, conditions and numbers",
}
UNREADABLE = {"dict": "dictionary", "set": "set", "list": "list"}  # of a module, by a compiled rule
RECORDS = {"s": "state", "v": "view", "before": "view", "after": "view"}  # parameters that are records, by their names


def told(error: Exception, folder: Path, *, playing: bool = False) -> Mistake:
    """What went wrong in the game in this folder, with the line that did it.

    While it is played an error's own words may tell what is hidden: then they are left out.
    """
    if isinstance(error, BadRules) and error.__cause__ is not None:
        error = error.__cause__ if isinstance(error.__cause__, Exception) else error
    if isinstance(error, SyntaxError) and error.filename:
        return Mistake(f"{Path(error.filename).name}:{error.lineno}: {error.msg}.")
    said = str(error) if isinstance(error, ClewError) else f"{type(error).__name__}{'' if playing else f': {error}'}"
    lines = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).parent == folder]
    where = f"{Path(lines[-1].filename).name}:{lines[-1].lineno}: " if lines else ""
    return Mistake(f"{where}{said if said.endswith('?') else said.rstrip('.') + '.'}")


def not_compiled(error: Exception, folder: Path) -> str:
    """What the compiler says of a game in this folder, in one sentence with the line if that is the author's."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Failed in ")), "it gives no reason")
    places = re.findall(r" (?:at|from) (\S.*?) \((\d+)\)", text)
    own = [f"{Path(file).name}:{line}: " for file, line in places if Path(file).parent == folder]
    derived = "A rule that follows from the declarations (`clew source` prints it): "
    unknown = re.search(r"Untyped global name '(?P<name>\w+)':.*<class '(?P<kind>\w+)'>", text) or re.search(
        r"reflected (?P<kind>\w+)\(.* assigned to variable '(?P<name>\w+)' in globals", text
    )
    if unknown:  # the first place shown is where it is read; then come the rules that call that one
        shown = re.findall(r'File "(.+?)", line (\d+)', text)
        own = [f"{Path(file).name}:{line}: " for file, line in shown if Path(file).resolve().parent == folder][:1]
        if own and unknown["kind"] in UNREADABLE:
            kind = UNREADABLE[unknown["kind"]]
            return f"{own[0]}a rule cannot read the {kind} {unknown['name']}: use a tuple or an array."
    where = own[-1] if own else derived if any("derived>" in file for file, _ in places) else ""
    return f"{where}the compiler says: {said.rstrip('.')}."


def check(rules: ModuleType, folder: Path) -> None:
    """Refuse a game whose rules have a mistake that can be told before anybody plays."""
    source = Source(folder / "rules.py", vars(rules))
    _check_constants(source)
    record = getattr(rules, "State", None)
    record = record if isinstance(record, type) and issubclass(record, Record) else None
    _check_protocol(source, derivable(record, vars(rules)) if record else [])
    if record is not None:
        _check_named_rules(source, record)
    check_reasons(source, folder)
    check_forms(source, folder)
    sources = [source, *(Source(folder / name, None) for name in OTHERS if (folder / name).is_file())]
    for each in sources:
        for function in each.functions.values():
            _check_names(each, function)
            _check_calls(each, function, folder)
            _check_compilable(each, function)
            _check_words(each, function)
    if record is not None or (hasattr(rules, "STATE") and hasattr(rules, "VIEW")):
        state, view = (record.state_type(), record.view_type()) if record else (rules.STATE, rules.VIEW)
        rows = {"bytes"}  # of records where rules are not compiled
        fields = {"state": rows.union(state.names or ()), "view": rows.union(view.names or ())}
        _check_fields(sources, fields)
        for field in record.declared.values() if record else ():
            _check_expression(source, str(field.how.get("where", "")), field.name, fields)


# Constants


def _all_are(kind: type, given: object) -> bool:
    return isinstance(given, tuple | list) and all(isinstance(one, kind) for one in given)


def _check_constants(source: Source) -> None:
    """What the engine reads is of the right type, and no comma at the end of a line makes a tuple of a number."""
    for node in source.tree.body:
        value = node.value if isinstance(node, ast.Assign) else None
        if not isinstance(value, ast.Tuple) or len(value.elts) != 1:
            continue
        only = value.elts[0]
        meant = isinstance(only, ast.Starred | ast.Tuple) or isinstance(getattr(only, "value", None), str)
        if not meant and value.col_offset == only.col_offset:
            raise source.error(node.lineno, "the comma at the end of the line makes a tuple: take it away.")
    for name, (fits, wanted) in CONSTANT_TYPES.items():
        given = (source.scope or {}).get(name)
        if given is not None and not fits(given):
            raise source.error(line_of(source, "", name), f"{name} is {wanted}, not {quoted(given)}.")


# The protocol


def _check_protocol(source: Source, derived: list[str]) -> None:
    """Every function is there, is a rule, and has the parameters that the engine and the compiler know it by."""
    scope = source.scope or {}
    for name in protocol.KERNELS + OPTIONAL:
        wanted = inspect.signature(getattr(protocol, name))
        signature = f"({', '.join(wanted.parameters)})"
        if name not in scope:
            if name in OPTIONAL or name in derived or not {*scope} >= CONSTANTS:
                continue
            purpose = (getattr(protocol, name).__doc__ or "").splitlines()[0]
            how = f" It follows from {FROM_MORE[name]}, too." if name in FROM_MORE else ""
            raise Mistake(f"{source.file.name} has no {name}{signature}: {purpose}{how}")
        function = source.functions.get(name)
        if function is None:
            continue  # it comes from another module
        if not isinstance(scope[name], CPUDispatcher):
            raise source.error(function.line, f"{name} lacks @rule.")
        if function.parameters != tuple(wanted.parameters):
            raise source.error(function.line, f"{name} takes {signature}, not ({', '.join(function.parameters)}).")
        if name in RETURNING:
            _check_returns(source, name)
    for name, parameters in HELPERS.items():
        function = source.functions.get(name)
        if function is not None and not (name == "standing" and "result" in scope):  # a game's own has any meaning
            if not isinstance(scope[name], CPUDispatcher):
                raise source.error(function.line, f"{name} lacks @rule.")
            if name == "standing" and (function.returns in ("int", "float") or _gives_number(function)):
                raise source.error(function.line, "standing gives a tuple: the score, then what decides a tie.")
            if function.parameters != tuple(parameters.split()):
                taken = f"({', '.join(parameters.split())}), not ({', '.join(function.parameters)})"
                raise source.error(function.line, f"{name} takes {taken}.")
            if name == "standing":
                _check_returns(source, name)


def _check_returns(source: Source, name: str) -> None:
    """What must give a number gives one on every way through it."""
    function = source.functions.get(name)
    if function is not None and function.marked and not _ends(function.node.body):
        last = function.node.body[-1]
        said = f"{name} does not always return: its last line returns nothing."
        raise source.error(last.end_lineno or last.lineno, said)


def _ends(body: list[ast.stmt]) -> bool:
    """Whether nothing falls off the end of these lines; what cannot be told easily is taken to be right."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.While):
        return isinstance(last.test, ast.Constant) and bool(last.test.value)
    simple = (ast.For, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Pass)
    return not isinstance(last, simple) or (isinstance(last, ast.For) and bool(last.orelse) and _ends(last.orelse))


def _gives_number(function: Function) -> bool:
    """Whether a function plainly returns one number and no tuple."""
    given = [node.value for node in ast.walk(function.node) if isinstance(node, ast.Return)]
    called = [called_by(one.func) for one in given if isinstance(one, ast.Call)]
    return any(isinstance(one, ast.Constant | ast.Subscript | ast.Attribute) for one in given) or bool(
        {"int", "float"} & {*called}
    )


def _check_named_rules(source: Source, record: type[Record]) -> None:
    """What a declaration calls by its name is there."""
    most = (source.scope or {}).get("PLAYERS", (0, 0))[1]
    for name, field in record.declared.items():
        for axis in field.axes:
            if getattr(axis, "role", "") == "seats" and axis != most:
                line = line_of(source, "", name)
                said = f"{name} has {int(axis)} seats, and PLAYERS allows {most} players"
                raise source.error(line, f"{said}{_with_seats(source, name)}.")
        where = field.how.get("where")
        if where in record.declared:
            seen = record.declared[where]
            if seen.sight != "public" or seen.shape != field.shape:
                line = line_of(source, where, name)
                raise source.error(line, f"where={where!r} of {name} must be a public field with the same axes.")
        cells = list("ijkl"[: len(field.shape)])
        if where and where not in record.declared:
            taken = ["s", "seat", *cells]
            _check_rule(source, "where", where, name, taken, public=[f.name for f in record.declared.values()])
        for word, taken in (("fits", ["s"]), ("guess", ["s", "rng", *cells])):
            if field.how.get(word):
                _check_rule(source, word, field.how[word], name, taken)
        if field.sight == "told" and "tells" not in (source.scope or {}):
            line = line_of(source, "", name)
            raise source.error(line, f"{name} is told, so there must be a rule tells(s, seat, v) that writes it.")
        if isinstance(field.kind, Pieces):
            named = (("gone", field.kind.gone, ["v", "left"]), ("copies", field.kind.copies_rule, ["v", "piece"]))
            for word, called, taken in named:
                if called:
                    _check_rule(source, word, called, name, taken)


def _with_seats(source: Source, name: str) -> str:
    """How a field of each seat's own is declared, if the axis of the seats was left out."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        if [getattr(one, "id", "") for one in node.targets] != [name]:
            continue
        maker, axes = called_by(call.func), call.args[1:]
        first = (source.scope or {}).get(axes[0].id) if axes and isinstance(axes[0], ast.Name) else 0
        if maker in ("own", "seen") and not isinstance(first, Axis) and not isinstance(axes[0], ast.Call):
            kind, *rest = map(ast.unparse, call.args)
            return f": the first axis of {name} are the seats, {maker}({', '.join([kind, 'SEATS', *rest])})"
    return ""


def _check_rule(
    source: Source, word: str, called: str, field: str, taken: list[str], public: Iterable[str] = ()
) -> None:
    scope, line = source.scope or {}, line_of(source, called, field)
    if word == "where" and not called.isidentifier():
        return  # an expression, looked at with the fields
    if called in ENGINES:
        raise source.error(line, f"{word}={called!r} would be the engine's {called}: give your rule another name.")
    if called not in scope:
        rules = [name for name, thing in scope.items() if isinstance(thing, CPUDispatcher)]
        what = "no field and no rule" if word == "where" else "no rule"
        raise source.error(line, f"{word}={called!r} names {what}{close_to(called, [*public, *rules])}")
    if not isinstance(scope[called], CPUDispatcher):
        line = source.functions[called].line if called in source.functions else line
        raise source.error(line, f"{called} lacks @rule: {word}={called!r} makes it one.")
    function = source.functions.get(called)
    if function is not None and len(function.parameters) != len(taken):
        given = f"{called} is given ({', '.join(taken)}) as {word} of {field}"
        raise source.error(function.line, f"{given}, not ({', '.join(function.parameters)}).")


# Names and calls


def _check_names(source: Source, function: Function) -> None:
    """A rule uses no name that nobody defined."""
    if source.scope is None or not function.marked:
        return
    for name in function.loads:
        known = function.locals | source.scope.keys() | MADE
        if name.id not in known and not hasattr(builtins, name.id):
            raise source.error(name.lineno, f"there is no {name.id!r}{close_to(name.id, known)}")


def _check_calls(source: Source, function: Function, folder: Path) -> None:
    """A rule calls rules."""
    if not function.marked:
        return
    for call in function.calls:
        called = call.func.id  # type: ignore[attr-defined]
        if called in function.locals:
            continue
        helper = source.functions.get(called)
        if helper is not None:
            if helper.plain and not isinstance((source.scope or {}).get(called), CPUDispatcher):
                raise source.error(helper.line, f"{called} lacks @rule: the rule {function.name} calls it.")
            _check_arguments(source, call, called)
            continue
        thing = (source.scope or {}).get(called)
        _check_arguments(source, call, called)
        if isinstance(thing, FunctionType) and Path(thing.__code__.co_filename).parent == folder:
            file, line = Path(thing.__code__.co_filename).name, thing.__code__.co_firstlineno
            raise Mistake(f"{file}:{line}: {called} lacks @rule: the rule {function.name} calls it.")


def _check_arguments(source: Source, call: ast.Call, called: str) -> None:
    """A rule is called with the arguments that it takes."""
    thing = (source.scope or {}).get(called)
    spread = any(isinstance(one, ast.Starred) for one in call.args) or any(not one.arg for one in call.keywords)
    if spread or not isinstance(thing, CPUDispatcher):
        return
    takes = inspect.signature(thing.py_func)
    try:
        takes.bind(*call.args, **{str(one.arg): one.value for one in call.keywords})
    except TypeError:
        given = ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
        raise source.error(call.lineno, f"{called} takes ({', '.join(takes.parameters)}), not ({given}).") from None


def _check_compilable(source: Source, function: Function) -> None:
    """A rule has nothing in it that the compiler refuses, no luck but that of `deal`, and writes whole numbers."""
    if not function.marked:
        return
    for node in (node for part in function.node.body for node in ast.walk(part)):
        for kinds, told in NO_RULE.items():
            if isinstance(node, kinds):
                raise source.error(node.lineno, f"{told}.")
        if isinstance(node, ast.Name) and (source.scope or {}).get(node.id) is random:
            raise source.error(node.lineno, f"a rule cannot ask {node.id}: all luck is drawn in deal, by its `rng`.")
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            divides = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div)
            if any(map(_is_field, targets)) and (divides or _divides(node.value)):
                raise source.error(node.lineno, "`/` gives a fraction, and a field holds whole numbers: use `//`.")


def _is_field(target: ast.expr) -> bool:
    """Whether a field of a state or a view is written there: s.turn, s.hand[seat, i]."""
    found = target.value if isinstance(target, ast.Subscript) else target
    return isinstance(found, ast.Attribute) and isinstance(found.value, ast.Name) and found.value.id in RECORDS


def _divides(value: ast.expr) -> bool:
    """Whether a fraction comes out; what is handed to a function, such as int, is not looked at."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Div) or _divides(value.left) or _divides(value.right)
    return isinstance(value, ast.UnaryOp) and _divides(value.operand)


def _check_words(source: Source, function: Function) -> None:
    """The words take as many things as they are given."""
    wanted = WORDS.get(function.name, "").split()
    counts = {len(wanted), len(wanted) + (function.name in WITH_CAST)}
    if source.file.name == "words.py" and wanted and not function.optional and len(function.parameters) not in counts:
        taken = f"({', '.join(wanted)}), not ({', '.join(function.parameters)})"
        raise source.error(function.line, f"{function.name} takes {taken}.")
    for call in function.calls:
        given = len(call.args) + sum(keyword.arg in ("kind", "text", "rule") for keyword in call.keywords)
        whole = any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)
        if call.func.id == "Event" and given < 3 and not whole:  # type: ignore[attr-defined]
            said = "an Event has a kind, a text and the rule's id, and may have a seat and data"
            raise source.error(call.lineno, f'{said}: Event("play", "Ann plays the guard.", "COU-03", seat).')


# Fields


def _check_fields(sources: list[Source], fields: dict[str, set[str]]) -> None:
    """No rule and no word asks a state or a view for a field that it has not."""
    for source in sources:
        kinds = _kinds(source)
        for name, function in source.functions.items():
            for owner, attribute, line in function.attributes:
                for kind in sorted(kinds.get((name, owner), ())):
                    if attribute not in fields[kind]:
                        raise source.error(line, _no_field(kind, attribute, fields))


def _check_expression(source: Source, text: str, name: str, fields: dict[str, set[str]]) -> None:
    """A condition that is written out asks a state for fields that it has."""
    if not text or text.isidentifier():
        return
    line = line_of(source, text, name)
    try:
        tree = parse_expression(text)
    except SyntaxError:
        raise source.error(line, f"where={text!r} is no expression.") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "s":
            if node.attr not in fields["state"]:
                raise source.error(line, _no_field("state", node.attr, fields))


def _no_field(kind: str, attribute: str, fields: dict[str, set[str]]) -> str:
    other = "view" if kind == "state" else "state"
    if attribute in fields[other]:
        return f"a {kind} has no field {attribute!r}, only a {other} has."
    return f"a {kind} has no field {attribute!r}{close_to(attribute, fields[kind])}"


def _kinds(source: Source) -> dict[tuple[str, str], set[str]]:
    """What each parameter of each function can be, by what the functions that call it give it.

    The protocol's functions are given what they say. A rule that no other in its module calls goes by the names of its
    parameters: `s` is a state, `v` a view.
    """
    kinds: dict[tuple[str, str], set[str]] = {}
    given: dict[tuple[str, str], set[str]] = {}
    for name, function in source.functions.items():
        names = WORDS[name].split() if source.file.name == "words.py" and name in WORDS else function.parameters
        if function.marked or names is not function.parameters:
            for parameter, called in zip(function.parameters, names):
                if called in RECORDS and parameter not in function.assigned:
                    kinds[name, parameter] = {RECORDS[called]}
    fixed = {key for key in kinds if key[0] in (*protocol.KERNELS, *protocol.HEURISTICS, *OPTIONAL, *WORDS, "tells")}
    for _ in range(len(source.functions)):
        given, other = {}, set[tuple[str, str]]()
        for name, function in source.functions.items():
            for call in function.calls:
                helper = source.functions.get(call.func.id)  # type: ignore[attr-defined]
                if helper is None:
                    continue
                for parameter, argument in zip(helper.parameters, call.args):
                    known = kinds.get((name, argument.id)) if isinstance(argument, ast.Name) else None
                    if known is None:  # a record of another type, perhaps
                        other.add((helper.name, parameter))
                    elif parameter not in helper.assigned:
                        given.setdefault((helper.name, parameter), set()).update(known)
        changed = {**kinds, **{key: kind for key, kind in given.items() if key not in fixed}}
        changed = {key: kind for key, kind in changed.items() if key not in other or key in fixed}
        if changed == kinds:
            break
        kinds = changed
    return kinds
