"""What a table may choose before it deals: options with their ranges, and errors that name them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clew.core.errors import BadOption, quoted, shortened

Value: TypeAlias = int | str
NUMBER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class Choice:
    """An option with named values; the first is the default. In a state it is the value's index."""

    name: str
    values: tuple[str, ...]
    help: str

    @property
    def default(self) -> str:
        return self.values[0]

    @property
    def allowed(self) -> str:
        return " or ".join(self.values)

    def read(self, given: Value) -> str:
        word = str(given) if isinstance(given, int) and abs(given) < 1 << 31 else given
        if not isinstance(word, str) or word not in self.values:
            raise BadOption(f"The option {self.name} is {self.allowed}, not {quoted(given)}.")
        return word

    def code(self, value: Value) -> int:
        return self.values.index(str(value))

    def value(self, code: int) -> str:
        return self.values[code]


@dataclass(frozen=True)
class Range:
    """An option with whole numbers from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    help: str

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def read(self, given: Value) -> int:
        number = int(given) if isinstance(given, str) and NUMBER.fullmatch(given) else given
        if isinstance(number, bool) or not isinstance(number, int) or not self.low <= number <= self.high:
            raise BadOption(f"The option {self.name} is {self.allowed}, not {quoted(given)}.")
        return number

    def code(self, value: Value) -> int:
        return int(value)

    def value(self, code: int) -> int:
        return int(code)


Option: TypeAlias = Choice | Range


def read_options(title: str, options: Sequence[Option], given: Mapping[str, Value] | None) -> dict[str, Value]:
    """All options of a game with the values given, the others with their defaults.

    >>> read_options("Cardtracks", [Range("tracks", 3, 2, 5, "")], {"tracks": "4"})
    {'tracks': 4}
    """
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise BadOption(f"Options are given by their names, as in {{'name': value}}, not as {quoted(given)}.")
    names = [option.name for option in options]
    for name in given:
        if not isinstance(name, str) or name not in names:
            there = shortened(", ".join(names), 150) or "none"
            raise BadOption(f"{title} has no option {quoted(name)}; it has {there}.")
    return {option.name: option.read(given.get(option.name, option.default)) for option in options}
