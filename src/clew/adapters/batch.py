"""Thousands of games at once, as arrays: the fastest way to play many games from Python.

    env = clew.batch("palaces", n=4096, seed=7)
    while learning:
        env.step(choose(env.seat, env.obs, env.mask))      # the seats that owe a move, what they see, what they may do
        learn(env.reward, env.done)

The arrays are the environments' own memory and change with the next step: copy what you keep. An environment whose
game has ended is dealt anew in the same step, so each always owes a move; `reward`, `score` and `done` tell of the game
that ended, all else of the new one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from clew.adapters.buffers import Buffers, Scratch, bind
from clew.adapters.environments import LEAVE
from clew.adapters.spaces import ActionSpec, Floats32, ObservationSpec, Spaces, spaces_of
from clew.core.errors import BadOption, ClewError, IllegalMove, quoted
from clew.core.game import Game, load
from clew.core.knowledge import look, plain
from clew.core.options import Value
from clew.core.protocol import LEGAL
from clew.core.rng import absorb, branch, stream
from clew.core.seeds import read_seed
from clew.core.table import set_up
from clew.core.types import Integers, States, ViewRecords

# `Any` in signatures here: actions as frameworks give them, and kernels.

MOST = 1 << 24  # environments
MOST_THREADS = 256
A_THREAD = 256  # environments that are worth a thread of their own


class Batch:
    """n games of one kind that go on together. Made by `clew.batch`.

    `seat` (n,) owes a move; `obs` (n, features) is what it sees; `mask` (n, actions) what it may do. Where moves are
    too many for a number each, an action is an index in the list of legal moves: `moves` (n, slots, parts) tells their
    parts, `count` (n,) how many there are, `total` (n,) how many there would be with more slots. `reward` (n, players)
    is 0 until a game ends, and then from -1 (last) to 1 (first), 0 in the middle or for a draw; `score` (n, players)
    are the points then, and `done` (n,) says that it is so.
    """

    def __init__(self, spaces: Spaces, n: int, blank: States, threads: int) -> None:
        self.game, self.n, self.threads = spaces.game, n, threads
        self.players = int(blank["players"][0])
        self._imagined = False
        self.seeds: tuple[int, ...] = ()
        self._spaces, self._blank = spaces, blank
        try:
            self._buffers = Buffers(spaces, n, blank)
        except MemoryError:
            raise BadOption(f"There is not enough memory for {n} environments of {self.game.title}.", "n") from None
        self._scratch = [Scratch(spaces) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, "clew-batch") if threads > 1 else None
        bounds = [n * t // threads for t in range(threads + 1)]
        self._ranges = list(pairwise(bounds))
        made = vars(spaces.kernels)
        self._refused = [bind(made["first_refused"], self._buffers, own, "low", "high") for own in self._scratch]
        self._advance = [bind(made["advance"], self._buffers, own, "low", "high", "again") for own in self._scratch]
        self._begin = [bind(made["begin"], self._buffers, own, "low", "high") for own in self._scratch]
        self._choose = [bind(made["choose_any"], self._buffers, own, "low", "high") for own in self._scratch]

    def __copy__(self) -> Batch:
        raise self._buffers.no_copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        raise self._buffers.no_copy()

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        raise self._buffers.no_copy()

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.title}, {self.players} players>"

    # What is there to be seen

    @property
    def obs_spec(self) -> ObservationSpec:
        """The features of an observation, with their names."""
        return self._spaces.observations

    @property
    def action_spec(self) -> ActionSpec:
        """The actions: all moves with their names, or the slots of a list with the parts that its moves have."""
        return self._spaces.actions

    @property
    def seat(self) -> Integers:
        """The seat that owes a move, in each environment."""
        return self._buffers.seat

    @property
    def obs(self) -> Floats32:
        """What that seat sees."""
        return self._buffers.obs

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """The actions that it may take."""
        return self._buffers.mask

    @property
    def moves(self) -> npt.NDArray[np.int32]:
        """The parts of the moves that it may make, where actions are indices in a list; else there is none."""
        return self._buffers.moves

    @property
    def count(self) -> Integers:
        """How many actions it may take."""
        return self._buffers.count

    @property
    def total(self) -> Integers:
        """How many moves it may make: more than actions where a list has too few slots."""
        return self._buffers.total

    @property
    def reward(self) -> Floats32:
        """What each seat got by the last step, from -1 to 1."""
        return self._buffers.reward

    @property
    def score(self) -> Integers:
        """The points of each seat in a game that the last step ended."""
        return self._buffers.score

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended a game."""
        return self._buffers.done

    # Going on

    def reset(self, seed: int | None = None) -> None:
        """Deal all games anew: with a seed those that it stands for, without one those that come next."""
        if seed is not None or not self.seeds:
            self.seeds = spread(read_seed(seed), self.n)
            for i, own in enumerate(self.seeds):
                self._buffers.rngs[i], self._buffers.lucks[i] = stream(own), stream(own, "random")
        self._imagined = False
        self._buffers.actions[:] = 0
        self._each(self._begin)

    def step(self, actions: Any) -> None:
        """Take an action in each environment. If one of them may not be taken, no environment is changed."""
        self._take(actions)
        refused = [i for i in self._each(self._refused) if i >= 0]
        if refused:
            raise self._refusal(min(refused))
        self._each(self._advance, True)

    def sample(self) -> Integers:
        """Any legal action in each environment, each as likely; drawn from each environment's own random numbers."""
        self._buffers.actions[:] = LEAVE
        self._each(self._choose)
        return self._buffers.actions.copy()

    def worlds(self, i: int, k: int, seed: int = 0, seat: int | None = None) -> Batch:
        """k games at the same point as environment i, as far as its seat knows: worlds imagined from its view.

        By default for the seat that owes a move. The same view and seed give the same worlds.
        """
        i = self._environment(i)
        seat = int(self._buffers.seats[i]) if seat is None else seat
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise BadOption(f"A seat is a number from 0 to {self.players - 1}, not {quoted(seat)}.", "seat")
        k = _whole("k", k, 1, MOST)
        known = self._look(i, seat)
        root = stream(read_seed(seed), "worlds")
        absorb(root, known.view(np.uint8).reshape(-1), known.nbytes)
        made = Batch(self._spaces, k, self._blank, min(self.threads, max(1, k // A_THREAD)))
        made._imagined, made.seeds = True, self.seeds and spread(0, k)
        for j in range(k):
            branch(root, 2 * j, made._buffers.rngs[j])
            branch(root, 2 * j + 1, made._buffers.lucks[j])
        kernel = vars(self._spaces.kernels)["dream_on"]
        calls = [bind(kernel, made._buffers, own, "low", "high", "known") for own in made._scratch]
        made._each(calls, known)
        return made

    @property
    def states(self) -> States:
        """All that is true in worlds that were imagined; of games that are played there is no such array."""
        if not self._imagined:
            raise ClewError("A game that is played shows what its seats know; only imagined worlds show their states.")
        return self._buffers.states[: self.n]

    def written(self, i: int) -> dict[int, str]:
        """The actions that may be taken in environment i, each with its move as it is written."""
        i = self._environment(i)
        buffers, size = self._buffers, self._spaces.actions.size
        v = plain(self._look(i, int(buffers.seats[i])))
        if self._spaces.actions.flat:
            choices = self._spaces.choices(buffers.states[i : i + 1], int(buffers.seats[i]))
            return {int(code): self.game.words.write(int(code), v) for code in np.sort(choices.moves)}
        listed = buffers.listed[i * size : i * size + int(buffers.counts[i])]
        codes = listed.tolist() if not listed.dtype.names else [*_records(listed)]
        return {j: self.game.words.write(code, v) for j, code in enumerate(codes)}

    # Inside

    def _each(self, calls: Sequence[Callable[..., Any]], *given: Any) -> list[Any]:
        """Call the kernel of each thread for the environments that are its own."""
        if self._pool is None:
            return [calls[0](0, self.n, *given)]
        started = [self._pool.submit(call, *own, *given) for call, own in zip(calls, self._ranges)]
        return [one.result() for one in started]

    def _take(self, actions: Any) -> None:
        """Read the actions that were given."""
        found = np.asarray(actions)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise BadOption(
                f"Actions are an array of {self.n} whole numbers, one for each environment,"
                f" not of the shape {found.shape} and of {found.dtype}.",
                "actions",
            )
        self._buffers.actions[:] = found

    def _refusal(self, i: int) -> ClewError:
        """Why the action in environment i may not be taken."""
        buffers, spec = self._buffers, self._spaces.actions
        action, seat = int(buffers.actions[i]), int(buffers.seats[i])
        said = f"Action {action}" + f" in environment {i}" * (self.n > 1)
        if seat < 0:
            return BadOption(f"{said}: that game is over.", "actions")
        if not 0 <= action < spec.size:
            return BadOption(f"{said} is none of the actions 0 to {spec.size - 1}.", "actions")
        if not spec.flat:
            count = int(buffers.counts[i])
            return BadOption(f"{said}: its list has {count} move{'s' * (count != 1)}.", "actions")
        reason = self.game.kernels.refusal(buffers.states[i], seat, action)
        assert reason != LEGAL
        rule, sentence, *_ = self.game.words.explain(reason, action, plain(self._look(i, seat)))
        return IllegalMove(rule, f"{said} may not be taken. {sentence}")

    def _look(self, i: int, seat: int) -> ViewRecords:
        return look(self.game, self._buffers.states[i : i + 1], seat)

    def _environment(self, i: int) -> int:
        if isinstance(i, bool) or not isinstance(i, int | np.integer) or not 0 <= i < self.n:
            raise BadOption(f"An environment is a number from 0 to {self.n - 1}, not {quoted(i)}.", "i")
        return int(i)


def batch(
    game: str | Path | Game,
    n: int,
    seed: int | None = None,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    threads: int | None = None,
    slots: int | None = None,
) -> Batch:
    """n games as arrays, dealt by the seed; the same whatever the number of threads.

    >>> env = batch("palaces", n=8, seed=7)
    >>> env.obs.shape, env.mask.shape
    ((8, 782), (8, 240))
    >>> env.step(env.sample())
    >>> env.done.any()
    np.False_
    """
    found = game if isinstance(game, Game) else load(game)
    n = _whole("n", n, 1, MOST)
    most = _whole("threads", threads, 1, MOST_THREADS) if threads is not None else os.cpu_count() or 1
    spaces = spaces_of(found, slots)
    spaces.ready()
    made = Batch(spaces, n, set_up(found, players, options)[1], min(most, max(1, n // A_THREAD)))
    made.reset(read_seed(seed))
    return made


def spread(seed: int, n: int) -> tuple[int, ...]:
    """A seed of its own for each environment: the first game of environment i is that of `clew.new` with seed i."""
    digests = (hashlib.sha256(f"clew batch {seed} {i}".encode()).digest() for i in range(n))
    return tuple(int.from_bytes(digest[:8], "big") >> 2 for digest in digests)


def _whole(name: str, given: Any, low: int, high: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not low <= given <= high:
        raise BadOption(f"{name} is a whole number from {low} to {high}, not {quoted(given)}.", name)
    return int(given)


def _records(listed: Any) -> Any:
    return listed.view(np.recarray)
