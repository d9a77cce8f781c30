"""Source that is written by programs: lines with their indentation, and their functions made into rules."""

from __future__ import annotations

import hashlib
import linecache
from pathlib import Path
from types import FunctionType
from typing import Any

from clew.core.kernels import rule

# `Any` in signatures here: names in a scope.


class Writer:
    """Lines of Python with their indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def __call__(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]

    def block(self, *heads: str) -> Block:
        """What is written inside is indented below these lines; no line, no indentation."""
        return Block(self, heads)

    def cells(self, shape: tuple[int, ...], pool: str = "") -> Block:
        """Loops over all cells; with a pool over those whose first index is that."""
        ranges = [f"range({size})" for size in shape]
        if pool and ranges:
            ranges[0] = f"range({pool}, {pool} + 1)"
        return Block(self, tuple(f"for {name} in {values}:" for name, values in zip("ijkl", ranges)))


class Block:
    """Heads of blocks, entered one within the other."""

    def __init__(self, write: Writer, heads: tuple[str, ...]) -> None:
        self._write, self._heads = write, heads

    def __enter__(self) -> None:
        for head in self._heads:
            self._write(head)
            self._write.depth += 1

    def __exit__(self, *error: object) -> None:
        self._write.depth -= len(self._heads)


def cell_index(shape: tuple[int, ...], names: str = "ijkl") -> str:
    """The indices of a cell of this shape, as loops name them."""
    return ", ".join(names[: len(shape)])


def element(name: str, *indices: str) -> str:
    """One cell of an array, or the thing itself if it has no axes."""
    at = ", ".join(index for index in indices if index)
    return f"{name}[{at}]" if at else name


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
