"""Python source as a tree, for one thread at a time: in Python 3.11 two that parse at once can fail each other."""

from __future__ import annotations

import ast
import threading

_one_at_a_time = threading.Lock()


def parse(source: str | bytes) -> ast.Module:
    """The tree of a module; a SyntaxError says what is no Python."""
    with _one_at_a_time:
        return ast.parse(source)


def parse_expression(source: str) -> ast.Expression:
    """The tree of an expression."""
    with _one_at_a_time:
        return ast.parse(source, mode="eval")
