"""What a table may choose before it deals: options with their ranges, and errors that name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clew.core.errors import BadOption

Value: TypeAlias = int | str


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
        if str(given) not in self.values:
            raise BadOption(f"The option {self.name} is {self.allowed}, not {str(given)!r}.")
        return str(given)

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
        try:
            number = int(str(given))
        except ValueError:
            number = self.low - 1
        if isinstance(given, bool) or not self.low <= number <= self.high:
            raise BadOption(f"The option {self.name} is {self.allowed}, not {str(given)!r}.")
        return number

    def code(self, value: Value) -> int:
        return int(value)

    def value(self, code: int) -> int:
        return int(code)


Option: TypeAlias = Choice | Range


def read_options(title: str, options: Sequence[Option], given: Mapping[str, Value]) -> dict[str, Value]:
    """All options of a game with the values given, the others with their defaults.

    >>> read_options("Cardtracks", [Range("tracks", 3, 2, 5, "")], {"tracks": "4"})
    {'tracks': 4}
    """
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise BadOption(f"{title} has no option {name!r}; it has {', '.join(names) or 'none'}.")
    return {option.name: option.read(given.get(option.name, option.default)) for option in options}
