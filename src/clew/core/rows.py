"""Records for plain Python: the memory of NumPy's, with fields that are quick to read and write.

A field of a NumPy record takes microseconds to look up, and un-compiled rules do little else. A `Row` stands on the
same memory and takes a twentieth of that. Whole numbers come out as Python's own, which do not overflow: as in compiled
rules, where all arithmetic has 64 bits.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

# `Any` in signatures here: NumPy's records and arrays of types that only a game knows, and parts of them.


class Row:
    """One record; `row_type` adds its fields."""

    __slots__ = ("bytes",)

    bytes: memoryview


class Rows:
    """An array of records."""

    __slots__ = ("_array", "_bytes", "_rows", "_size", "shape")

    def __init__(self, array: Any) -> None:
        self._array = np.asarray(array)
        self._size = array.dtype.itemsize
        self._bytes = _bytes(self._array)
        self._rows: list[Any] = [None] * len(array)
        self.shape = array.shape

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: Any) -> Any:
        if type(at) is slice:
            return Rows(self._array[at])
        row = self._rows[at]
        if row is None:
            at = range(len(self._rows))[at]
            row = self._rows[at] = row_of(self._array[at])
        return row

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(value, Row):
            begin = range(len(self._rows))[at] * self._size
            self._bytes[begin : begin + self._size] = value.bytes
        else:
            self._array[at] = value


def plainly(argument: Any) -> Any:
    """An argument of a rule as plain Python wants it: records and arrays of them as rows, all else as it is."""
    if isinstance(argument, np.record):
        return row_of(argument)
    if isinstance(argument, np.ndarray) and argument.dtype.names:
        return _rows_of(argument)
    return argument


def row_of(record: Any) -> Any:
    """A record's memory as a row."""
    array = np.asarray(record)
    return row_type(array.dtype)(array)


def _rows_of(array: Any) -> Rows:
    known = getattr(array, "__dict__", {}).get("_rows")
    if known is None:
        known = Rows(array)
        if isinstance(array, np.recarray):
            object.__setattr__(array, "_rows", known)  # asked for again with each call of a search
    return known


@functools.cache
def row_type(dtype: np.dtype[Any]) -> Any:
    """The class of rows with these fields."""
    names = dtype.names or ()
    slots = tuple(f"_{name}" for name in names)
    scalar = {name for name in names if not dtype[name].shape and not dtype[name].names}
    at = {name: dtype.fields[name][1] for name in names} if dtype.fields else {}

    def __init__(self: Any, array: Any) -> None:
        self.bytes = _bytes(array)
        for name, slot in zip(names, slots):
            if name in scalar:
                part = self.bytes[at[name] : at[name] + dtype[name].itemsize].cast(dtype[name].char)
            else:
                part = _part(array[name])
            setattr(self, slot, part)

    members: dict[str, Any] = {"__slots__": slots, "__init__": __init__}
    for name, slot in zip(names, slots):
        members[name] = _number(slot) if name in scalar else _array(slot)
    return type("Row", (Row,), members)


def _part(part: Any) -> Any:
    """A field that is more than a number."""
    if not part.dtype.names:
        return part
    return Rows(part) if part.ndim == 1 else row_of(part) if part.ndim == 0 else part.view(np.recarray)


def _number(slot: str) -> property:
    scope: dict[str, Any] = {}
    exec(f"def get(row): return row.{slot}[0]\ndef put(row, value): row.{slot}[0] = value", scope)
    return property(scope["get"], scope["put"])


def _array(slot: str) -> property:
    scope: dict[str, Any] = {}
    exec(f"def get(row): return row.{slot}\ndef put(row, value): row.{slot}[...] = value", scope)
    return property(scope["get"], scope["put"])


def _bytes(array: Any) -> memoryview:
    return memoryview(array.reshape(-1).view(np.uint8))
