"""The modules of a game as they are written: syntax trees with their functions, for who looks for mistakes in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from clew.core.errors import UnknownGame
from clew.core.parsing import parse

# `Any` in signatures here: the names in a game's module.


class Mistake(UnknownGame):
    """A mistake in a game, in one sentence with file and line."""


class Source:
    """A module of a game: its functions as they are written, and its names."""

    def __init__(self, file: Path, scope: dict[str, Any] | None) -> None:
        self.file = file
        self.tree = parse(file.read_bytes())
        self.scope = scope  # None of a module that is not imported yet
        found = {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}
        self.functions = {name: Function(node) for name, node in found.items()}

    def error(self, line: int, text: str) -> Mistake:
        """A sentence about one line; 0 is one in another module."""
        return Mistake(f"{self.file.name}{f':{line}' if line else ''}: {text}")


class Function:
    """A function of a game: its parameters, and the names, fields and calls in it."""

    def __init__(self, node: ast.FunctionDef) -> None:
        self.name, self.line, self.node = node.name, node.lineno, node
        self.returns = ast.unparse(node.returns) if node.returns else ""
        self.parameters = tuple(argument.arg for argument in (*node.args.posonlyargs, *node.args.args))
        self.marked = any(called_by(decorator) in ("rule", "no_inline") for decorator in node.decorator_list)
        self.plain = not node.decorator_list
        self.optional = bool(node.args.defaults or node.args.vararg)
        self.loads: list[ast.Name] = []
        self.assigned: set[str] = set()
        self.attributes: list[tuple[str, str, int]] = []
        self.calls: list[ast.Call] = []
        named = {argument.arg for argument in ast.walk(node) if isinstance(argument, ast.arg)}
        for one in (one for part in node.body for one in ast.walk(part)):
            if isinstance(one, ast.Name):
                if isinstance(one.ctx, ast.Load):
                    self.loads.append(one)
                else:
                    self.assigned.add(one.id)
            elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                self.attributes.append((one.value.id, one.attr, one.lineno))
            elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
                self.calls.append(one)
            elif isinstance(one, ast.FunctionDef | ast.ExceptHandler | ast.alias | ast.MatchAs) and one.name:
                named.add(getattr(one, "asname", None) or one.name)
        self.locals = named | self.assigned


def called_by(decorator: ast.expr) -> str:
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


def line_of(source: Source, called: str, field: str) -> int:
    """The line in which something is called by a text; else that of the field."""
    lines = [0]
    for node in ast.walk(source.tree):
        if called and isinstance(node, ast.Constant) and node.value == called:
            return node.lineno
        if (
            field
            and isinstance(node, ast.Assign)
            and field in [getattr(one, "id", "") for one in ast.walk(node.targets[0])]
        ):
            lines.append(node.lineno)
    return lines[-1]


def close_to(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, sorted(known), 1)
    return f"; did you mean {close[0]!r}?" if close else "."
