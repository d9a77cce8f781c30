"""A game as the engine holds it: found by name, entry point or path, with its rules compiled."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np

from clew.core import kernels, playouts
from clew.core.errors import BadOption, UnknownGame
from clew.core.options import Option, Value
from clew.core.protocol import KERNELS

HOME = Path(__file__).resolve().parent.parent / "games"
CONSTANTS = ("TITLE", "BLURB", "RULES", "PLAYERS", "OPTIONS", "ENDINGS", "STATE", "VIEW", "MOVE", "MOVES", "LONGEST")
WORDS = ("parse", "write", "explain", "write_deal", "read_deal", "tell", "describe")


class Game:
    """The rules of one game, its words, and the kernels made from them."""

    def __init__(self, name: str, folder: Path, rules: ModuleType, words: ModuleType) -> None:
        for module, wanted in ((rules, CONSTANTS + KERNELS), (words, WORDS)):
            for thing in wanted:
                if not hasattr(module, thing):
                    raise UnknownGame(f"{module.__file__} is not part of a game: it has no {thing}.")
        if _begins_with(rules.STATE, rules.VIEW) or _begins_with(rules.VIEW, rules.STATE):
            # Numba would pass one for the other, as a copy of the common part, and what is written there is lost.
            raise UnknownGame(f"{rules.__file__}: STATE and VIEW must not begin with all fields of each other.")
        self.name = name
        self.folder = folder
        self.rules = rules
        self.words = words
        self.title: str = rules.TITLE
        self.blurb: str = rules.BLURB
        self.version: int = rules.RULES
        self.players: tuple[int, int] = rules.PLAYERS
        self.options: tuple[Option, ...] = rules.OPTIONS
        self.endings: tuple[str, ...] = rules.ENDINGS
        self.listed_in_full: bool = getattr(rules, "LISTED_IN_FULL", True)
        self.state_type, self.view_type = self.states(1).dtype, self.views(1).dtype  # of records with attributes
        self.kernels = SimpleNamespace(**{key: getattr(rules, key) for key in KERNELS})
        self.kernels.quick = getattr(rules, "quick", rules.legal)
        self.specialise(playouts)

    def __repr__(self) -> str:
        return f"<game {self.name}, rules {self.version}>"

    def specialise(self, module: ModuleType) -> None:
        """Add the functions of a template module, made for this game, to `kernels`."""
        functions = {"MOVES": self.rules.MOVES, **vars(self.kernels)}
        vars(self.kernels).update(kernels.specialise(module, self.name, self.folder, functions))

    @functools.cached_property
    def sense(self) -> ModuleType | None:
        """What a good player of this game knows, for bots; None for a game without a `sense.py`."""
        if not (self.folder / "sense.py").is_file():
            return None
        return importlib.import_module(f"{self.rules.__package__}.sense")

    def ready(self, progress: kernels.Progress | None = None, everything: bool = False) -> None:
        """Have the rules compiled, or everything made from them; says so while it does, at once when it is cached."""
        if not kernels.jitted():
            return
        types = self._types()
        wanted = {
            key: (function, tuple(types[p] for p in inspect.signature(function.py_func).parameters))
            for key, function in vars(self.kernels).items()
            if everything or key in KERNELS
        }
        kernels.compile_all(self.name, self.folder, wanted, progress)

    def _types(self) -> dict[str, Any]:
        state, look, move = self.states(1), self.views(1), self.moves(1)
        numbers = np.zeros(1, np.int64)
        samples = {"s": state[0], "v": look[0], "move": move[0], "states": state, "views": look, "out": move}
        samples |= dict.fromkeys(("scores", "places", "rng", "numbers"), numbers)
        samples |= dict.fromkeys(("seat", "chair", "n", "i", "j"), 0)
        return {key: numba.typeof(sample) for key, sample in samples.items()}

    def twin(self, states: Any) -> Any:
        """A copy of a state; NumPy would copy its fields one by one."""
        return np.frombuffer(bytearray(states.tobytes()), self.state_type)

    def states(self, count: int) -> Any:
        """Empty states."""
        return _empty(count, self.rules.STATE)

    def views(self, count: int) -> Any:
        """Empty views."""
        return _empty(count, self.rules.VIEW)

    def moves(self, count: int) -> Any:
        """Room for moves."""
        dtype = np.dtype(self.rules.MOVE)
        return _empty(count, dtype) if dtype.names else np.zeros(count, dtype)

    def seats(self, players: int | None) -> int:
        """The number of players, checked; by default the fewest."""
        low, high = self.players
        count = low if players is None else players
        if isinstance(count, bool) or not isinstance(count, int) or not low <= count <= high:
            allowed = f"{low}" if low == high else f"{low} to {high}"
            raise BadOption(f"{self.title} is for {allowed} players, not {count}.")
        return count

    def blank(self, options: dict[str, Value], players: int) -> Any:
        """One state before the deal: only options and players are set."""
        states = self.states(1)
        s = states[0]
        s.players = players
        for option in self.options:
            setattr(s, option.name, option.code(options[option.name]))
        return states

    def rule_book(self) -> str:
        """The rules for players, as Markdown."""
        return (self.folder / "rules.md").read_text(encoding="utf-8")

    def rule_text(self, rule: str) -> str:
        """The paragraph of the rule book with this id, or an empty string."""
        found = re.search(rf"^- \*\*{re.escape(rule)}\*\*.*?(?=^- \*\*|^#|\Z)", self.rule_book(), re.M | re.S)
        return found.group(0).strip() if found else ""


def record(dtype: Any) -> Any:
    """One empty record, for moves that are more than a number.

    >>> move = record(np.dtype([("x", np.int64), ("y", np.int64)]))
    >>> move.x = 3
    >>> (int(move.x), int(move.y))
    (3, 0)
    """
    return _empty(1, dtype)[0]


def _begins_with(longer: np.dtype[Any], shorter: np.dtype[Any]) -> bool:
    head = list(longer.names or ())[: len(shorter.names or ())]
    return [(name, longer[name]) for name in head] == [(name, shorter[name]) for name in shorter.names or ()]


def _empty(count: int, dtype: Any) -> Any:
    # A recarray gives records whose fields are attributes, in plain Python as in the kernels.
    return np.zeros(count, dtype).view(np.recarray)


def fields(dtype_fields: list[Any], options: tuple[Option, ...]) -> np.dtype[Any]:
    """The record type with these fields, and before them the players and each option.

    >>> fields([("turn", np.int16)], ()).names
    ('players', 'turn')
    """
    header = [("players", np.int16), *((option.name, np.int16) for option in options)]
    for name, *_ in header + dtype_fields:
        if hasattr(np.record, name):  # un-compiled, s.round would be a method of NumPy's
            raise UnknownGame(f"A field cannot be called {name!r}: NumPy's records have something of that name.")
    return np.dtype(header + dtype_fields, align=True)


def _plugged() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="clew.games")}


def names() -> tuple[str, ...]:
    """The games there are: those of Clew and those of installed packages with a `clew.games` entry point."""
    own = {rules.parent.name for rules in HOME.glob("*/rules.py")}
    return tuple(sorted(own | set(_plugged())))


@functools.cache
def load(name: str) -> Game:
    """The game of this name, or in the folder of this path."""
    if (HOME / name / "rules.py").is_file() and name.isidentifier():
        package, folder = f"clew.games.{name}", HOME / name
    elif name in _plugged():
        package = _plugged()[name].value
        module = importlib.import_module(package)
        folder = Path(str(module.__file__)).parent
    elif name and Path(name).is_dir():
        return _from_path(Path(name).resolve())
    else:
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(names())}.")
    return Game(name, folder, importlib.import_module(f"{package}.rules"), importlib.import_module(f"{package}.table"))


def _from_path(folder: Path) -> Game:
    """A game that is a folder with rules.py and table.py, wherever it lies."""
    package = f"clew_game_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}_{folder.name}"
    parent = ModuleType(package)
    parent.__path__ = [str(folder)]
    sys.modules[package] = parent
    parts = []
    for part in ("rules", "table"):
        if not (folder / f"{part}.py").is_file():
            raise UnknownGame(f"The folder {folder} is not a game: it has no {part}.py.")
        parts.append(importlib.import_module(f"{package}.{part}"))
    return Game(folder.name, folder, *parts)
