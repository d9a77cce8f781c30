"""Mistakes in how a game says its moves and its reasons: forms, the example of a move, sentences of refusals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from clew.core.author_source import Source, close_to, line_of
from clew.core.errors import IllegalMove
from clew.core.forms import Form, Moves
from clew.core.parsing import parse


def check_reasons(source: Source, folder: Path) -> None:
    """A reason speaks of parts of moves, and of what the game's `facts` add if it has any."""
    _check_reasons_named(source, folder)
    scope = source.scope or {}
    move, words = scope.get("MOVE"), folder / "words.py"
    if not isinstance(move, Moves) or (words.is_file() and re.search(rb"\b(facts|explain)\b", words.read_bytes())):
        return
    parts = {part for form in move.forms for part in form.parts}
    for reason in scope.get("REASONS", ()):
        for _, name, _, _ in Formatter().parse(reason.text):
            if name and name[:1].lower() + name[1:] not in parts:
                line = line_of(source, reason.text, "")
                raise source.error(line, f"no move has a part {name!r}{close_to(name.lower(), parts)}")


def _check_reasons_named(source: Source, folder: Path) -> None:
    """Some rule or word names each reason: one that was declared and forgotten refuses nothing."""
    try:
        named = {one for pattern in ("*.py", "*/*.py") for file in folder.glob(pattern) for one in _names_in(file)}
    except SyntaxError:  # a file in the making may name it
        return
    reasons = [] if "REASONS" in named else (source.scope or {}).get("REASONS", ())
    for reason in reasons:
        name = next((name for name, thing in (source.scope or {}).items() if thing is reason), "")
        line = line_of(source, reason.text, "") if name and name not in named else 0
        if line:
            raise source.error(line, f"no rule returns {name}: `refusal` gives the reason why a move is not legal.")


def _names_in(file: Path) -> Iterator[str]:
    """Every name that is read in a file, also as a part of a module or in a text such as those of `__all__`."""
    for node in ast.walk(parse(file.read_bytes())):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def check_forms(source: Source, folder: Path) -> None:
    """The example is a move, and no two forms are written alike; a game with `parse` of its own reads as it likes."""
    move, words = (source.scope or {}).get("MOVE"), folder / "words.py"
    if not isinstance(move, Moves) or (words.is_file() and re.search(rb"\bparse\b", words.read_bytes())):
        return
    for form in move.forms:
        fits = (one for one in move.codes_of(form) if form.only is None or form.only(**move.split(one)[1]))
        written = next((move.write(one) for one in fits), "")
        other = _read(move, written)
        if other is not None and other is not form and other.only is None:
            lines = [
                one.value.lineno
                for one in ast.walk(source.tree)
                if isinstance(one, ast.keyword) and one.arg == form.name
            ]
            said = f"{written!r} is written by {other.name} and by {form.name}: write one of them otherwise."
            raise source.error(max(lines, default=line_of(source, "", "MOVE")), said)
    parts = [part.split() for part in re.split(r",|;|\bor\b", move.example)]
    runs = (part[i:j] for part in parts for i in range(len(part)) for j in range(i + 1, len(part) + 1))
    if not any(_read(move, " ".join(run).strip(".")) for run in (*runs, [move.example])):
        line = line_of(source, move.example, "MOVE")
        raise source.error(line, f"no move is written as in example={move.example!r}.")


def _read(move: Moves, text: str) -> Form | None:
    """The form of the move that is written so."""
    try:
        return move.split(move.parse(text))[0]
    except IllegalMove:
        return None
