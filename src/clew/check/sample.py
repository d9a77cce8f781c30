"""Games for the kit to look at: played in many styles at many tables, the same ones every time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

import numpy as np
from numba.core.errors import NumbaError

from clew.check import audit, styles
from clew.check.report import CheckFailed
from clew.check.setups import Setup
from clew.check.styles import FAULTS, STYLES, UNIFORM
from clew.core import author, kernels
from clew.core.errors import IllegalMove
from clew.core.game import Game
from clew.core.protocol import KERNELS, LEGAL, SPECTATOR
from clew.core.rng import below, stream
from clew.core.table import Table, new

T = TypeVar("T")

MIXED_SEED = 3_000_000  # of the first game beyond the sample
DEALS = 400  # are read to learn which pieces a line of them can have
ROOM = 64  # for lists longer than MOVES, so that a game that writes them does no harm


@dataclass
class Played:
    """A game that was played: how it was dealt, who played how, and the moves."""

    setup: Setup
    seed: int
    styles: tuple[int, ...]
    seats: Any
    moves: Any
    fault: int

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def chairs(self) -> tuple[int, ...]:
        """Every chair at this table."""
        return (*range(self.setup.players), SPECTATOR)

    def where(self, ply: int | None = None, chair: int | None = None) -> str:
        """What it takes to see this again."""
        said = f"seed {self.seed}, {self.setup}, styles {'/'.join(STYLES[style] for style in self.styles)}"
        said += f", ply {ply}" if ply is not None else ""
        return said + (f", chair {chair}" if chair is not None else "")


class Sampler:
    """Plays and replays games of one game by the kit's kernels."""

    def __init__(self, game: Game) -> None:
        self.game = game
        made = _made_for(game, audit, {})
        self.kernels = SimpleNamespace(**made, **_made_for(game, styles, made))
        self.longest = int(game.rules.LONGEST)
        self._states = game.states(self.longest + 1)
        self._seats = np.zeros(self.longest, np.int64)
        self._moves = game.moves(self.longest)
        self._lines: dict[Setup, dict[str, set[str]]] = {}

    def lines(self, setup: Setup) -> dict[str, set[str]]:
        """The words that each line of a deal can have, as far as many deals show them."""
        if setup not in self._lines:
            blank = self.game.blank(dict(setup.options), setup.players)
            found: dict[str, set[str]] = {}
            for seed in range(DEALS):
                states = blank.copy()
                self.game.kernels.deal(states[0], stream(seed))
                for key, text in self.game.words.write_deal(states[0]).items():
                    found.setdefault(key, set()).update(text.split())
            self._lines[setup] = found
        return self._lines[setup]

    def move_list(self) -> Any:
        """Room for the moves of a seat."""
        return self.game.moves(self.game.rules.MOVES + ROOM)

    def play(self, setup: Setup, seed: int, style_of: Sequence[int]) -> Played:
        """A whole game, dealt by its seed as `clew.new` deals it."""
        try:
            count, fault = self._play(setup, seed, style_of, lambda kernel: kernel)
        except NumbaError:
            raise
        except Exception as error:
            broken = Played(setup, seed, tuple(style_of), self._seats[:0], self._moves[:0], 0)
            error = self._in_plain_python(setup, seed, style_of) or error
            raise CheckFailed(f"{self._said(error)} ({broken.where()}).", self._opening(broken)) from error
        seats, moves = self._seats[:count].copy(), self._moves[:count].copy()
        return Played(setup, seed, tuple(style_of), seats, moves, fault)

    def _play(self, setup: Setup, seed: int, style_of: Sequence[int], made: Callable[[Any], Any]) -> tuple[int, int]:
        """Play into `_seats` and `_moves` by what is made of each kernel: how many moves, and what went wrong."""
        game = self.game
        self._states[:1] = game.blank(dict(setup.options), setup.players)
        made(game.kernels.deal)(self._states[0], stream(seed))
        made(game.kernels.start)(self._states[0])
        views, fault = game.views(2), np.zeros(1, np.int64)
        scores, places = np.zeros((2, setup.players), np.int64)
        count = made(self.kernels.play)(
            self._states,
            self.longest,
            self._seats,
            self._moves,
            np.array(style_of, np.int64),
            stream(seed, "check styles"),
            self.move_list(),
            game.states(3),
            views,
            as_bytes(views),
            self.move_list(),
            scores,
            places,
            fault,
        )
        return int(count), int(fault[0])

    def _in_plain_python(self, setup: Setup, seed: int, style_of: Sequence[int]) -> Exception | None:
        """How the same game fails there: machine code knows no lines."""
        try:
            self._play(setup, seed, style_of, kernels.interpreted)
        except Exception as error:
            return error
        return None

    def _said(self, error: Exception) -> str:
        """What went wrong while a game was played, with the line of the game that did it."""
        if isinstance(error, IndexError):
            error = kernels.out_of_range(self.kernels.play, error)
        return str(author.told(error, self.game.folder)).rstrip(".")

    def _opening(self, played: Played) -> str:
        """The record of a game before its first move; empty where not even the deal can be made."""
        try:
            return self.table(played).record()
        except Exception:
            return ""

    def dealt(self, played: Played) -> Any:
        """The deal of a game, one state."""
        states = self.game.blank(dict(played.setup.options), played.setup.players)
        self.game.kernels.deal(states[0], stream(played.seed))
        return states

    def states(self, played: Played) -> Any:
        """The state after each move, the opening first."""
        states = self.game.states(len(played) + 1)
        states[:1] = self.dealt(played)
        self.game.kernels.start(states[0])
        self.kernels.retrace(states, len(played), played.seats, played.moves)
        return states

    def views(self, states: Any, chair: int) -> Any:
        """What a chair knows of each state."""
        views = self.game.views(len(states))
        self.kernels.gaze(states, len(states), chair, views, as_bytes(views))
        return views

    def codes(self, moves: Any) -> list[Any]:
        """Moves as the words of a game take them: integers, or records."""
        return moves.tolist() if not moves.dtype.names else [moves[i] for i in range(len(moves))]

    def table(self, played: Played, plies: int | None = None) -> Table:
        """The game at a table, up to some ply, each move played in its written form."""
        table = new(self.game, played.setup.players, played.seed, dict(played.setup.options))
        for seat, code in list(zip(played.seats.tolist(), self.codes(played.moves)))[:plies]:
            text = self.game.words.write(code, table._look(seat)[0])
            try:
                table.play(text, seat)
            except IllegalMove as error:
                ply = len(table.moves)
                said = f"The legal move {text!r} is refused: {error} ({played.where(ply, seat)})."
                raise CheckFailed(said, table.record()) from error
        return table

    def table_at(self, played: Played, state: Any) -> Table:
        """A table of this game that stands at a state, however it came there."""
        table = new(self.game, played.setup.players, played.seed, dict(played.setup.options))
        table._states = [state.copy()]
        return table

    def texts(self, played: Played, states: Any, plies: Iterable[int]) -> list[str]:
        """The written forms of the moves at some plies."""
        codes = self.codes(played.moves)
        return [self.game.words.write(codes[i], self.views(states[i : i + 1], int(played.seats[i]))[0]) for i in plies]

    def together(self, states: Any) -> list[range]:
        """Which moves were chosen at the same time: the ply of the first, up to that of the last."""
        found: list[range] = []
        for ply in range(len(states) - 1):
            owing = int(self.game.kernels.to_move(states[ply])).bit_count()
            if owing > 1 and not (found and ply in found[-1]):
                found.append(range(ply, ply + owing))
        return found


def as_bytes(records: Any) -> Any:
    """An array of records, or of integers, as rows of bytes on the same memory."""
    return np.asarray(records).view(np.uint8).reshape(len(records), records.dtype.itemsize)


def _made_for(game: Game, module: ModuleType, made: dict[str, Any]) -> dict[str, Any]:
    # Not through `game.specialise`: whoever only plays must not wait for the kit to be compiled.
    functions = {key: getattr(game.rules, key) for key in (*KERNELS, "MOVES")} | {"quick": game.kernels.quick} | made
    functions["NOT_DEDUCED"] = sum(1 << reason for reason in {LEGAL, *getattr(game.rules, "NOT_DEDUCED", ())})
    return kernels.specialise(module, game.name, game.folder, functions)


def sample(sampler: Sampler, tables: Sequence[Setup], games: int) -> list[Played]:
    """So many games: first each style at the default tables, then mixtures of styles at all tables in turn."""
    defaults = [setup for setup in tables if setup.default]
    others = [setup for setup in tables if not setup.default] or defaults
    rng = stream(games, "check sample")
    found = []
    for number in range(games):
        among = defaults if number < len(STYLES) or number % 2 else others
        turn = number if number < len(STYLES) else number // 2
        setup = among[turn % len(among)]
        if number < len(STYLES) or number % 5 == 0:
            chosen = [number % len(STYLES)] * setup.players
        else:
            chosen = [below(rng, len(STYLES)) for _ in range(setup.players)]
        found.append(sampler.play(setup, number, chosen))
    return found


def random_games(sampler: Sampler, tables: Sequence[Setup], first: int, games: int) -> Iterable[Played]:
    """Games at random at all tables in turn, their seeds beginning with `first`."""
    for number in range(games):
        setup = tables[number % len(tables)]
        yield sampler.play(setup, first + number, [UNIFORM] * setup.players)


def mixed_games(sampler: Sampler, tables: Sequence[Setup], games: int) -> Iterable[Played]:
    """Games in mixtures of styles at all tables in turn, other ones than those of the sample."""
    rng = stream(games, "check mixtures")
    for number in range(games):
        setup = tables[number % len(tables)]
        yield sampler.play(setup, MIXED_SEED + number, [below(rng, len(STYLES)) for _ in range(setup.players)])


def by_style(games: Iterable[Played]) -> dict[str, int]:
    """How many games were played in each style; `mixed` where the seats played in different ones."""
    counts = Counter(STYLES[played.styles[0]] if len(set(played.styles)) == 1 else "mixed" for played in games)
    return {name: counts[name] for name in (*STYLES, "mixed") if counts[name]}


def patiently(things: Iterable[T], seconds: float) -> Iterator[T]:
    """The things one by one, until so much time of the processor is spent: of a slow game fewer are looked at."""
    until = time.process_time() + seconds
    for number, thing in enumerate(things):
        if number and time.process_time() > until:
            return
        yield thing


def spread(things: Sequence[T], count: int) -> list[T]:
    """So many of the things, evenly from all over; all when there are fewer."""
    if len(things) <= count:
        return list(things)
    return [things[i * len(things) // count] for i in range(count)]


def fault(played: Played) -> str:
    """What went wrong with a game, or an empty string."""
    return FAULTS[played.fault]
