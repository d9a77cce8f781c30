"""Many games of one game, by number: inside the kernels, on all cores, the same whatever the threads and the chunks."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import SimpleNamespace
from typing import TypeVar

import numpy as np

from clew.bots.bouts import Bout, Deal, WholeGames, play_by_moves
from clew.bots.contestants import Contestant, contestant
from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.workspace import PADDING
from clew.core import kernels as compiled
from clew.core.errors import BadRules
from clew.core.game import Game
from clew.core.options import Value
from clew.core.table import set_up
from clew.core.types import Integers, MoveCode
from clew.lab import noting
from clew.lab.begins import begins, seed_of
from clew.lab.noting import NEVER_ENDS, NO_ENDING, NO_MOVE
from clew.lab.rows import (
    LARGEST,
    Columns,
    add_rows,
    empty_rows,
    items_of,
    no_measure,
    no_number,
    number_of,
    own_measures,
)
from clew.lab.sums import Sums

Found = TypeVar("Found")
Progress = Callable[[int, int], None]

RANDOM = "random"
CHUNK_SECONDS = 0.1  # between two looks at the stop sign
MOST = 4096  # games of a chunk
EVERY = 16  # of games at random it is noted of one in so many how it went, which takes as long as to play it
ALL_TWICE, TWICE = 1000, 100  # deals are played twice: of random play the first ones, and one in so many
TWICE_BY_BOTS = 2
TROUBLE = {
    NEVER_ENDS: "did not end within LONGEST = {longest} moves",
    NO_MOVE: "came to a seat that owes a move and has none",
    NO_ENDING: "was over with no ending",
}


def kernels_of(game: Game) -> SimpleNamespace:
    """The kernels that note games, made for this game."""
    if not hasattr(game.kernels, "noted_games"):
        functions = {**vars(game.kernels), "MOVES": game.rules.MOVES}
        functions["code_of"] = number_of if game.form is not None else no_number
        functions["measure"] = getattr(game.rules, "measure", no_measure)
        made = compiled.specialise(noting, game.name, game.folder, functions)
        vars(game.kernels).update(noted_games=made["noted_games"])
    return game.kernels


class Room:
    """What one thread writes to while it plays, on no cache line of another thread."""

    def __init__(self, game: Game, players: int, columns: Columns, items: int, games: int, keep: bool) -> None:
        longest = game.rules.LONGEST
        self.states = _padded(game.states, 2)
        self.rng, self.luck = _numbers(4), _numbers(4)
        self.out = _padded(game.moves, game.rules.MOVES)
        self.played = game.moves(games * longest if keep else 1)
        self.movers, self.counts = _numbers(games * longest if keep else 1), _numbers(games * longest if keep else 1)
        self.scores, self.places = _numbers(players), _numbers(players)
        self.firsts, self.latest = _numbers(longest), _numbers(players)
        self.used, self.seen = np.zeros((players, items + 1), np.int64), np.zeros(items + 1, np.int64)
        self.listed = np.zeros(items, np.int64)
        self.rows = empty_rows(games, len(columns.names))
        self.own = _numbers(len(columns.own))


class Play:
    """Games of one level of play with the same options, by their numbers."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        seed: int = 0,
        level: str = RANDOM,
    ) -> None:
        self.game, self.seed, self.level = game, seed, level
        self.options, self.blank = set_up(game, players, options)
        self.players = int(self.blank[0].players)
        self.columns = Columns(self.players, tuple(own_measures(game)))
        self.items, self.groups = items_of(game)
        self.longest: int = game.rules.LONGEST
        self.kernels = kernels_of(game)
        self.every = EVERY if level == RANDOM else 1
        self._rooms: dict[tuple[bool, int], deque[Room]] = {}
        self._bots: dict[int, list[Contestant]] = {}
        self._whole: WholeGames | None = None
        self._lock = threading.Lock()
        if level != RANDOM:
            heuristics = heuristics_for(game)
            heuristics.ready(method="whole")
            self._whole = WholeGames(heuristics)
            self._seated(heuristics, 0)

    def sums(self) -> Sums:
        """Room for what is kept of these games."""
        return Sums.empty(self.columns, self.longest, len(self.game.endings), len(self.items))

    def chunk(self, first: int, count: int, sums: Sums, stop: threading.Event | None = None) -> Integers:
        """Play games `first` to `first + count - 1`, and some of the deals twice, and add them to the sums.

        The rows of these games; fewer where it was stopped.
        """
        rows = self.rows(range(first, first + count), 0, sums, stop)
        add_rows(rows, len(rows), sums.moments.sums, sums.moments.products)
        sums.moments.n += len(rows)
        if len(rows):
            sums.note_course(first, self.every, rows)
            sums.note_games(first, rows)
        again = [number for number in range(first, first + len(rows)) if self.twice(number)]
        if again:
            second = self.rows(again, 1, self.sums(), stop)
            again = again[: len(second)]
            sums.note_pairs(rows[[number - first for number in again]], second)
        return rows

    def twice(self, number: int) -> bool:
        """Whether this deal is played a second time, by the same players with other luck."""
        if self.level == RANDOM:
            return number < ALL_TWICE or number % TWICE == 0
        return number % TWICE_BY_BOTS == 0

    def rows(self, numbers: Sequence[int], play: int, sums: Sums, stop: threading.Event | None = None) -> Integers:
        """What is noted of these games; `play` counts how often a deal is played."""
        if self.level == RANDOM:
            if len(numbers) > MOST:
                parts = [numbers[i : i + MOST] for i in range(0, len(numbers), MOST)]
                return np.concatenate([self.rows(part, play, sums, stop) for part in parts])
            room = self._room(False, MOST)
            self._note(room, numbers, play, sums)
            return self._kept(room, False, MOST, len(numbers))
        bouts = []
        for number in numbers:
            bout = self.bout(number, play, stop)
            if bout is None:
                break
            bouts.append(bout)
        size = 1 << len(bouts).bit_length()
        room = self._room(True, size)
        for g, bout in enumerate(bouts):
            for ply, (_, move) in enumerate(bout.moves):
                room.played[g * self.longest + ply] = move
        self._note(room, numbers[: len(bouts)], play, sums)
        return self._kept(room, True, size, len(bouts))

    def bout(self, number: int, play: int = 0, stop: threading.Event | None = None) -> Bout | None:
        """One game between bots, or None if it was stopped."""
        assert self._whole is not None
        seated = self._seated(self._whole.heuristics, play)
        deal, stop = self.deal(number, play), stop or threading.Event()
        bout = self._whole.play(seated, deal, stop) if self._whole.can(seated) else play_by_moves(seated, deal, stop)
        if bout is not None and bout.fault:
            raise BadRules(f"{self.level} lost game {deal.seed} by a fault: {bout.fault}.")
        return bout

    def deal(self, number: int, play: int = 0) -> Deal:
        """What a game begins with."""
        return Deal(self.game, self.options, self.blank, seed_of(self.seed, number), play)

    def record(self, number: int, play: int = 0) -> str:
        """The record of a game, to be replayed."""
        return Bout((), self.moves(number, play)).record(self.deal(number, play))

    def moves(self, number: int, play: int = 0) -> list[tuple[int, MoveCode]]:
        """Who made which move in a game."""
        if self.level != RANDOM:
            bout = self.bout(number, play)
            assert bout is not None
            return bout.moves
        room = self._room(True, 1)
        self._note(room, [number], play, self.sums(), keep=True)
        moves = int(room.rows[0, self.columns.at("moves")])
        return list(zip(room.movers[:moves].tolist(), room.played[:moves].copy()))

    def _note(self, room: Room, numbers: Sequence[int], play: int, sums: Sums, keep: bool = False) -> None:
        """Note games that are played at random, or as a room has them."""
        random, count = self.level == RANDOM, len(numbers)
        room.states[0] = self.blank[0]
        done = self.kernels.noted_games(
            count, begins(self.seed, numbers), play, numbers[0] if count else 0, self.every, random, keep, self.longest,
            self.groups, room.states, room.rng, room.luck, room.out, room.played, room.movers, room.counts, room.scores,
            room.places, room.firsts, room.latest, room.used, room.seen, room.listed, sums.uses, sums.lengths,
            room.rows, room.own,
        )  # fmt: skip
        if done < count:
            what = TROUBLE[int(room.latest[0])].format(longest=self.longest)
            seed = seed_of(self.seed, numbers[done])
            raise BadRules(f"{self.game.title}: the game with seed {seed} {what}.")
        if self.columns.own:
            own = room.rows[:count, -len(self.columns.own) :]
            if np.abs(own).max(initial=0) > LARGEST:
                raise BadRules(f"{self.game.title}: what `measure` writes is at most {LARGEST:,}.")

    def _seated(self, heuristics: Heuristics, play: int) -> list[Contestant]:
        """The bots of all seats: equally good, and each time that a deal is played with other luck of their own."""
        with self._lock:
            if play not in self._bots:
                self._bots[play] = [
                    contestant(self.level, heuristics, seed_of(self.seed, play * 64 + seat))
                    for seat in range(self.players)
                ]
            return self._bots[play]

    def _room(self, keep: bool, games: int) -> Room:
        with self._lock:
            pool = self._rooms.setdefault((keep, games), deque())
            if pool:
                return pool.pop()
        return Room(self.game, self.players, self.columns, len(self.items), games, keep)

    def _kept(self, room: Room, keep: bool, games: int, count: int) -> Integers:
        """The rows of a room, which goes back."""
        rows = room.rows[:count].copy()
        with self._lock:
            self._rooms[keep, games].append(room)
        return rows


class Patience(threading.Event):
    """Stops what takes so many seconds, or when somebody else says stop."""

    def __init__(self, seconds: float, stop: threading.Event) -> None:
        super().__init__()
        self._until, self._stop = time.monotonic() + seconds, stop

    def is_set(self) -> bool:
        """Whether it is time to end."""
        return super().is_set() or self._stop.is_set() or time.monotonic() > self._until


class Chunks:
    """Games in order, handed out to threads in chunks of about the same time."""

    def __init__(self, first: int, end: int, threads: int) -> None:
        self.next, self.end, self.threads = first, end, threads
        self.size = 1

    def take(self) -> tuple[int, int]:
        """The first game of a chunk, and how many there are."""
        count = min(self.size, self.end - self.next)
        first = self.next
        self.next += count
        return first, count

    def took(self, count: int, seconds: float) -> None:
        """How long a chunk took: the next ones grow or shrink."""
        if count == self.size or seconds > CHUNK_SECONDS:
            wanted = count * CHUNK_SECONDS / max(seconds, 1e-6)
            self.size = int(max(1, min(MOST, 2 * self.size, wanted)))


def in_chunks(
    chunks: Chunks,
    work: Callable[[int, int], Found],
    gather: Callable[[int, Found], None],
    stop: threading.Event,
    progress: Progress | None = None,
) -> bool:
    """Have threads play chunks, and gather what they find in order; False if it was stopped or interrupted.

    What was begun is finished, so that the games done are the first ones without a gap.
    """
    begun, total = chunks.next, chunks.end
    waiting: dict[Future[tuple[Found, float]], tuple[int, int]] = {}
    found: dict[int, tuple[int, Found]] = {}
    at = begun

    def timed(first: int, count: int) -> tuple[Found, float]:
        begin = time.perf_counter()
        return work(first, count), time.perf_counter() - begin

    with ThreadPoolExecutor(chunks.threads, thread_name_prefix="clew-lab") as pool:
        try:
            while waiting or chunks.next < total:
                while len(waiting) < chunks.threads + 1 and chunks.next < total and not stop.is_set():
                    first, count = chunks.take()
                    waiting[pool.submit(timed, first, count)] = first, count
                if not waiting:
                    break
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for job in done:
                    first, count = waiting.pop(job)
                    result, seconds = job.result()
                    chunks.took(count, seconds)
                    found[first] = count, result
                while at in found:
                    count, result = found.pop(at)
                    gather(at, result)
                    at += count
                if progress:
                    progress(at, total)
        except KeyboardInterrupt:
            stop.set()
        except BaseException:
            stop.set()
            for job in waiting:
                job.cancel()
            raise
        if stop.is_set():
            for job, (first, count) in list(waiting.items()):
                with contextlib.suppress(KeyboardInterrupt):
                    found[first] = count, job.result()[0]
            while at in found:
                count, result = found.pop(at)
                gather(at, result)
                at += count
    return at == total


def _numbers(count: int) -> Integers:
    return _padded(lambda size: np.zeros(size, np.int64), count)


def _padded(make: Callable[[int], Integers], count: int) -> Integers:
    margin = -(-PADDING // make(1).itemsize)
    return make(count + 2 * margin)[margin : margin + count]
