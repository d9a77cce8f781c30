"""What a seat observes and what it may do, as arrays: from its view and its list of moves, by the declared kinds.

    spaces = spaces_of(clew.core.game.load("palaces"))
    spaces.observation(views)               # float32, one number a feature (see `clew.core.observe`)
    spaces.choices(states, seat)            # a mask over all moves, or a list of them with their parts

Where a game has few moves a move's own number is the action, and a mask says which may be made. Where it has many, an
action is an index in the list of those that may be made now, and each move in the list is told by its parts: the card,
the cell. A list has a fixed number of slots; of a longer one as many moves are taken as there are slots, spread evenly.
Action j is then the move j * total // slots of the whole list, which is the same for all worlds that the seat cannot
tell apart.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from clew.adapters import environments
from clew.core import compiling, kernels
from clew.core.codegen import Writer, compile_source
from clew.core.declare import Kind, Pieces
from clew.core.errors import BadOption, quoted
from clew.core.forms import Moves
from clew.core.game import Game
from clew.core.kernels import specialise
from clew.core.observe import Layout, layout_of
from clew.core.types import MoveCode, MoveCodes, States, ViewRecords

# `Any` in signatures here: what the compiler makes of samples.

FLAT = 4096  # moves of a game up to which each is an action of its own
SLOTS = 512  # of a list, by default; no game needs more than the most moves it ever lists
ABSENT = -1  # a part that a move does not have, and all parts of a slot without a move

Floats32 = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Part:
    """A number that moves are made of: its values are low to high, and have names where they stand for things.

    In arrays it is counted from 0, so `value - low`; -1 says that a move has no such part. The numbers of a
    move that is a record are told as they are.
    """

    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many values it has."""
        return self.high - self.low + 1


@dataclass(frozen=True)
class ObservationSpec:
    """The features of an observation, in order."""

    layout: Layout

    @property
    def size(self) -> int:
        """How many there are."""
        return self.layout.size

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """What each is about."""
        return tuple(map(self.layout.name, range(self.size)))


@dataclass(frozen=True)
class ActionSpec:
    """The actions: all moves of the game if it is `flat`, else the slots of a list."""

    flat: bool
    size: int
    parts: tuple[Part, ...]
    forms: Moves | None

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The written form of each move of a flat game; none for a list, whose moves change."""
        return tuple(map(self.forms.write, range(self.size))) if self.flat and self.forms else ()


@dataclass(frozen=True)
class Choices:
    """What a seat may do: a mask for a flat game; else the moves, their parts, and how many the whole list has."""

    moves: MoveCodes  # in the order of actions; for a flat game those that the mask allows
    mask: npt.NDArray[np.bool_]
    parts: npt.NDArray[np.int32]
    total: int


class Spaces:
    """The spaces of a game, and the kernels that fill them."""

    def __init__(self, game: Game, slots: int) -> None:
        self.game = game
        flat = game.form is not None and game.form.count <= FLAT
        parts, write_parts = _parts(game)
        size = game.form.count if flat and game.form else min(slots, game.rules.MOVES)
        layout = layout_of(game)
        self.observations = ObservationSpec(layout)
        self.actions = ActionSpec(flat, size, parts, game.form)
        functions = {**vars(game.kernels), "MOVES": game.rules.MOVES, "fill": layout.fill}
        functions |= {"write_parts": write_parts, "FLAT": flat}
        tag = f"{game.name}+{layout.fingerprint}"  # compiled code is kept by names
        self.kernels = SimpleNamespace(**functions, **specialise(environments, tag, game.folder, functions))
        self._ready = False

    def ready(self, progress: compiling.Progress | None = None) -> None:
        """Have the kernels compiled; says so while it does, at once when they are cached."""
        if self._ready:
            return
        self.game.ready(progress)
        if kernels.jitted():
            compiling.compile_now(self._job(), progress)
        self._ready = True

    def _job(self) -> compiling.Job:
        from clew.adapters.buffers import Buffers, Scratch

        buffers, scratch = Buffers(self, 1, self.game.states(1)), Scratch(self)
        samples = {**vars(buffers), **vars(scratch), "v": scratch.views[0], "move": buffers.listed[0]}
        samples |= {"s": buffers.states[0], "gain": buffers.reward[0], "points": buffers.score[0]}
        samples |= {"row": buffers.obs[0], "known": scratch.views, "again": True}
        wanted = {}
        for name in environments.ENTRIES:
            function = getattr(self.kernels, name)
            names = inspect.signature(function.py_func).parameters
            own = {"row": np.zeros(1, np.int32)} if name == "write_parts" else {}
            given = ({**samples, **own}.get(key, 0) for key in names)
            wanted[name] = (function, tuple(map(numba.typeof, given)))
        recipe = ("clew.adapters.spaces:compile_spaces", self.game.where)
        return compiling.Job(f"{self.game.name} spaces", recipe, wanted)

    def observation(self, views: ViewRecords) -> Floats32:
        """The features of the first of these views."""
        layout = self.observations.layout
        row = np.zeros(layout.size, np.float32)
        self.kernels.write_observation(views[0], row, np.zeros(max(layout.room, 1), np.int64))
        return row

    def choices(self, states: States, seat: int) -> Choices:
        """What a seat that owes a move may do."""
        out = self.game.moves(self.game.rules.MOVES)
        total = int(self.game.kernels.legal(states[0], seat, out))
        size, parts = self.actions.size, self.actions.parts
        told, mask = np.full((size, len(parts)), ABSENT, np.int32), np.zeros(size, np.bool_)
        if self.actions.flat:
            mask[out[:total]] = True
            return Choices(out[:total], mask, told[:0], total)
        moves = out[np.arange(min(total, size)) * total // min(total, size)]
        for j, move in enumerate(moves):
            self.kernels.write_parts(move, told[j])
        mask[: len(moves)] = True
        return Choices(moves, mask, told, total)


def spaces_of(game: Game, slots: int | None = None) -> Spaces:
    """The spaces of a game, made once for each number of slots."""
    most = SLOTS if slots is None else slots
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= 1 << 20:
        raise BadOption(f"The number of slots is a whole number from 1 to {1 << 20}, not {quoted(slots)}.", "slots")
    return _spaces(game, most)


@functools.cache
def _spaces(game: Game, slots: int) -> Spaces:
    return Spaces(game, slots)


def compile_spaces(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for the doors of a game."""
    from clew.core.game import find

    spaces_of(find(where)).ready(progress)


# The parts of moves


def _parts(game: Game) -> tuple[tuple[Part, ...], Callable[[MoveCode, Any], None]]:
    """What moves are made of, and the kernel that writes it for a move."""
    write, rules = Writer(), game.rules
    if game.form is not None:
        parts = _form_parts(game.form, write)
    elif game.move_type.names:
        parts = _record_parts(game.move_type, write)
    else:
        parts = _declared_parts(rules, write)
    text, scope = "\n".join(write.lines) + "\n", dict[str, Any](vars(rules))
    made = compile_source(text, scope, rules.__name__, str(rules.__file__), "parts of moves")
    return tuple(parts), made["write_parts"]


def _form_parts(forms: Moves, write: Writer) -> list[Part]:
    """The form and its parts: digits of the code, the last counting least."""
    parts = [Part("form", 0, len(forms.forms) - 1, tuple(form.name for form in forms.forms))]
    for name in dict.fromkeys(name for form in forms.forms for name in form.parts):
        own = [_part(name, form.parts[name]) for form in forms.forms if name in form.parts]
        low, high = min(part.low for part in own), max(part.high for part in own)
        parts.append(own[0] if len(set(own)) == 1 else Part(name, low, high))
    at = {part.name: (number, part.low) for number, part in enumerate(parts)}
    with write.block("def write_parts(move, row):"):
        with write.block(f"for i in range({len(parts)}):"):
            write(f"row[i] = {ABSENT}")
        for number, form in enumerate(forms.forms):
            offset = forms.offsets[number]
            with write.block(f"if {offset} <= move < {offset + form.size}:"):
                write(f"row[0] = {number}", f"rest = move - {offset}")
                for name, kind in reversed(form.parts.items()):
                    low, high = _bounds(kind)
                    write(f"row[{at[name][0]}] = rest % {high - low + 1} + {low - at[name][1]}")
                    write(f"rest //= {high - low + 1}")
    return parts


def _record_parts(record: np.dtype[Any], write: Writer) -> list[Part]:
    """All numbers of a record, in the order of its fields; they are told as they are."""
    parts: list[Part] = []
    with write.block("def write_parts(move, row):"):
        for name in record.names or ():
            base, shape = record[name].base, record[name].shape
            info, cells = np.iinfo(base), int(np.prod(shape, dtype=np.int64))
            if not shape:
                write(f"row[{len(parts)}] = move.{name}")
            else:
                with write.block(f"for i in range({cells}):"):
                    write(f"row[{len(parts)} + i] = move.{name}[i]")
            low, high = max(int(info.min), -(1 << 31)), min(int(info.max), (1 << 31) - 1)
            parts += [Part(f"{name}[{i}]" if shape else name, low, high) for i in range(cells)]
    return parts


def _declared_parts(rules: ModuleType, write: Writer) -> list[Part]:
    """Those that a game with numbers of its own declares in MOVE_PARTS, as `decode` gives them; else none."""
    kinds: dict[str, Kind] = getattr(rules, "MOVE_PARTS", {})
    parts = [_part(name, kind) for name, kind in kinds.items()]
    with write.block("def write_parts(move, row):"):
        if parts:
            write(f"{', '.join(f'part_{i}' for i in range(len(parts)))}, = decode(move)")
            write(*(f"row[{i}] = part_{i} - {part.low}" for i, part in enumerate(parts)))
        else:
            write("pass")
    return parts


def _bounds(kind: Kind) -> tuple[int, int]:
    """The least and the greatest value of a part."""
    return (kind.first, kind.first + len(kind.pieces) - 1) if isinstance(kind, Pieces) else (kind.low, kind.high)


def _part(name: str, kind: Kind) -> Part:
    low, high = _bounds(kind)
    return Part(name, low, high, kind.pieces if isinstance(kind, Pieces) else kind.names)
