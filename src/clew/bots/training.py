"""Training: rounds of games that the network plays against itself, each followed by lessons from them.

A round is played by a fixed number of streams with random numbers of their own, and what they played is learnt in their
order: how many threads there are changes the time and never the network. What changes as it learns (how often it
explores) goes by what it has seen, not by the clock: the same seed and number of games give the same numbers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from clew.bots import learnt as files
from clew.bots import lessons, network, strength
from clew.bots.learnt import About, BadLearnt, Learnt
from clew.core import kernels
from clew.core.errors import BadOption, BadRules
from clew.core.game import Game
from clew.core.options import Value
from clew.core.protocol import KERNELS
from clew.core.rng import below, stream
from clew.core.seeds import read_seed
from clew.core.table import set_up
from clew.core.types import Integers

# `Any` in signatures here: what is told of progress, by name.

STREAMS = 4
NAMED = 2  # weights before what was learnt, as in a game without heuristics
FIRST_LOOK = 15.0  # seconds after which its strength is measured; then after twice as many, up to a minute
MEASURING = 0.1  # of the time until a look at its strength, that each of its two arenas may take
FRESH = 0.05  # what Adagrad's sums of squares begin with
LOOKED_AT = 40  # positions in which imagined worlds are checked before anything is learnt from them


@dataclass(frozen=True)
class Recipe:
    """How a network learns; the defaults suited all games that were tried (docs/bots.md)."""

    hidden: int = 48
    second: int = 32
    games: int = 4  # of a stream in a round
    worlds: int = 2
    looks: int = 48  # moves that are tried at a decision
    fade: float = 0.8  # the lambda of TD(lambda)
    rate: float = 0.02
    lead_rate: float = 0.5  # how much is learnt from the lead, next to the place
    lean: float = 0.3  # how much the lead counts in a choice
    explore: float = 0.2  # at first,
    still: float = 0.03  # and at last,
    calm: int = 150_000  # and after how many lessons half of the way from one to the other is gone
    renew: int = 400_000  # lessons after which learning becomes quick again; then after as many again as there were
    average: float = 0.1  # the part of all lessons so far over which the networks are averaged


@dataclass(frozen=True)
class Known:
    """What somebody who watches is told."""

    games: int
    moves_per_s: float
    seconds: float
    surprise: float  # nats a lesson by the first answer, of late
    curve: list[dict[str, Any]]


Watch = Callable[[Known], None]


class Trainer:
    """A network being trained, from nothing or from a file."""

    def __init__(
        self,
        game: Game,
        out: Path,
        seed: int | None = None,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        threads: int = 1,
        recipe: Recipe | None = None,
        anew: bool = False,
    ) -> None:
        self.game, self.out, self.threads, self.recipe = game, out, threads, recipe or Recipe()
        chosen, blank = set_up(game, players, options)
        low, high = (int(blank[0].players),) * 2 if players else game.players
        if high < 2:
            raise BadOption("Training takes two players or more: for one there is nobody to play against.")
        self.tables = [set_up(game, count, options)[1] for count in range(max(2, low), high + 1)]
        before = None if anew or not out.is_file() else self._before(out)
        self.shape = (
            before.shape(game)
            if before is not None
            else files.shape_of(game, hidden=self.recipe.hidden, second=self.recipe.second)
        )
        files.try_writing(out)
        self.kernels = self._kernels()
        counts = [int(table[0].players) for table in self.tables]
        self.about = (
            before.about
            if before is not None
            else About(
                game.name,
                game.version,
                self.shape.layout.fingerprint,
                self.shape.hidden,
                self.shape.second,
                counts,
                dict(chosen),
                read_seed(seed),
            )
        )
        if before is not None:
            self._same("seed", seed, self.about.seed)
            self._same("players", counts, self.about.players)
            self._same("options", dict(chosen), self.about.options)
            self.net, self.squares = before.training["net"], before.training["squares"]
            self.mean, self.seen = before.weights, int(before.training["seen"])
        else:
            self.net = self.shape.begin(np.random.default_rng(self.about.seed))
            self.squares = np.full(len(self.net), FRESH, np.float32)
            self.mean, self.seen = self.net.copy(), 0
        self.began_at, self.found = self.about.games, files.identity(out)
        self.workers = [Worker(self, k) for k in range(STREAMS)]

    def _before(self, out: Path) -> Learnt:
        """What a file has learnt, with all that going on needs."""
        again = "begin anew with --anew, or name another file with --out"
        try:
            before = files.read(out, self.game)
        except BadLearnt as error:
            raise BadLearnt(f"{str(error).partition(': train anew')[0].rstrip('.')}: {again}.") from None
        kept = before.training
        arrays = [kept.get(name, before.weights[:0]) for name in ("net", "squares")]
        fits = all(array.shape == before.weights.shape and array.dtype == np.float32 for array in arrays)
        if not fits or "seen" not in kept or kept["seen"].shape != ():
            raise BadLearnt(f"{out} has what was learnt, but not what going on needs: {again}.")
        return before

    def _same(self, what: str, asked: Any, was: Any) -> None:
        if asked is not None and asked != was:
            raise BadOption(
                f"{self.out} was begun with {what} {was}, not {asked}: begin anew with --anew, or name another file.",
                what,
            )

    def _kernels(self) -> SimpleNamespace:
        game = self.game
        made: dict[str, Any] = {key: getattr(game.rules, key) for key in (*KERNELS, "MOVES")}
        made |= {key: getattr(game.kernels, key) for key in ("quick", "mover", "playout")}
        made["BETTER"] = -1 if getattr(game.rules, "LOW_SCORE_WINS", False) else 1
        made |= network.kernels_of(game, self.shape, NAMED, made) | network.names_of(game, self.shape, NAMED)
        made |= kernels.specialise(lessons, network.tagged(game, self.shape, NAMED), game.folder, made)
        return SimpleNamespace(**made)

    # Before

    def ready(self, progress: Callable[[str], None] | None = None) -> None:
        """Compile, look whether imagined worlds are what the seat saw, and see how far apart scores are."""
        say = progress or (lambda text: None)
        kernels.compile_ahead()
        say(f"compiling {self.game.title}, once")
        self._check_worlds()
        worker = self.workers[0]
        if not self.about.games:
            rng = stream(self.about.seed, "lead")
            lead = self.kernels.typical_lead(64, worker.states, rng, worker.out, worker.scores, worker.places)
            self.net[network.LEANING], self.net[network.COMFORT] = self.recipe.lean, max(1.0, lead)
            self.mean = self.net.copy()
        say("compiling the lessons, once")
        self.kernels.learn(0, *self._learning(worker))
        worker.play(self.weights(), 0, 1, 0.0)

    def _check_worlds(self) -> None:
        """What is imagined from a view must look like that view to its seat, or nothing right would be learnt."""
        game, rng = self.game, stream(self.about.seed, "worlds")
        known, again, worlds, out = game.views(1), game.views(1), game.states(1), game.moves(game.rules.MOVES)
        looked = 0
        while looked < LOOKED_AT:
            states = self.tables[looked % len(self.tables)].copy()
            game.kernels.deal(states[0], rng)
            game.kernels.start(states[0])
            while (seat := int(game.kernels.mover(states[0]))) >= 0:
                for array in (known, again, worlds):
                    array.view(np.uint8)[:] = 0
                game.kernels.view(states[0], seat, known[0])
                try:
                    game.kernels.imagine(known[0], rng, worlds[0])
                except ValueError as error:
                    raise BadRules(f"{game.title} imagines no world for what a seat sees: {error}.") from error
                game.kernels.view(worlds[0], seat, again[0])
                shows = f"clew check {game.where} shows where"
                if known.tobytes() != again.tobytes():
                    raise BadRules(
                        f"The worlds that {game.title} imagines do not look to a seat like what it saw, so nothing "
                        f"right can be learnt in them: {shows}."
                    )
                looked += 1
                count = game.kernels.quick(states[0], seat, out)
                if count < 1:
                    raise BadRules(f"A seat of {game.title} owes a move and has none: {shows}.")
                game.kernels.apply(states[0], seat, out[below(rng, count)])

    # Rounds

    def run(
        self,
        minutes: float | None = 10.0,
        games: int | None = None,
        stop: threading.Event | None = None,
        watch: Watch | None = None,
        every: float = 60.0,
    ) -> None:
        """Play and learn for so many minutes or until so many games were played in all; whatever ends it is saved.

        Now and then its strength is measured, against what it was before and against the second level.
        """
        stop = stop or threading.Event()
        before, moves, losses, told = self.mean.copy(), 0, np.zeros(2), 0
        spent, look_at, apart = 0.0, FIRST_LOOK, FIRST_LOOK  # what is spent on measuring does not count
        try:
            with ThreadPoolExecutor(self.threads) as pool:
                while not stop.is_set():
                    if (minutes is not None and spent >= 60 * minutes) or (
                        games is not None and self.about.games >= games
                    ):
                        break
                    begun = time.monotonic()
                    made, taught, lost = self._round(pool, games)
                    taken = time.monotonic() - begun
                    spent, moves, told, losses = spent + taken, moves + made, told + taught, losses + lost
                    self.about.seconds += taken
                    if watch:
                        surprise = losses[0] / max(1, told)
                        watch(Known(self.about.games, moves / spent, spent, surprise, self.about.curve))
                    if spent >= look_at and not stop.is_set():
                        self._note(before, MEASURING * apart, stop)
                        apart = min(every, 2 * apart)
                        look_at += apart
                        before, losses, told = self.mean.copy(), np.zeros(2), 0
                        self._save()
        finally:
            self._save()

    def _note(self, before: Any, seconds: float, stop: threading.Event) -> None:
        row = {"games": self.about.games, "seconds": round(self.about.seconds, 1)}
        found = {**strength.against(self, before, seconds, stop), **strength.against_level(self, 2, seconds, stop)}
        self.about.curve.append({**row, **found})

    def _round(self, pool: ThreadPoolExecutor, games: int | None) -> tuple[int, int, Any]:
        """Every stream plays, then all that was played is learnt: moves, lessons and their surprise."""
        recipe = self.recipe
        each = recipe.games
        if games is not None:
            each = max(1, min(each, (games - self.about.games) // STREAMS))
        explore = recipe.still + (recipe.explore - recipe.still) * 0.5 ** (self.seen / recipe.calm)
        number, weights = self.about.games, self.weights()
        played = list(pool.map(lambda worker: worker.play(weights, number, each, explore), self.workers))
        weights, squares = self.weights(self.net), np.concatenate([np.full(NAMED, FRESH, np.float32), self.squares])
        losses, taught = np.zeros(2), 0
        for worker in self.workers:
            self.kernels.learn(worker.found, weights, squares, *self._learning(worker)[2:-1], losses)
            taught += worker.found
        self.net, self.squares = weights[NAMED:], squares[NAMED:]
        if not np.isfinite(self.net).all():
            raise BadRules(f"What is learnt of {self.game.title} grew without end: begin anew with another seed.")
        renewals = _renewals(self.seen, recipe.renew)
        self.seen += taught
        self.about.games += each * STREAMS
        new = min(1.0, taught / (recipe.average * max(1, self.seen)))
        self.mean = ((1.0 - new) * self.mean + new * self.net).astype(np.float32)
        if _renewals(self.seen, recipe.renew) != renewals:
            self.squares[:] = FRESH
        return sum(played), taught, losses

    def weights(self, numbers: Any = None) -> Any:
        """The numbers as kernels want them; by default those that play."""
        return np.concatenate([np.array([0.0, 1.0], np.float32), self.mean if numbers is None else numbers])

    def _learning(self, worker: Worker) -> tuple[Any, ...]:
        empty = np.zeros(NAMED + len(self.net), np.float32)
        recipe = self.recipe
        lessons_of = (worker.lessons, worker.targets, worker.ids, worker.values)
        return empty, empty.copy(), recipe.rate, recipe.lead_rate, *lessons_of, np.zeros(2)

    # What came of it

    def _save(self) -> None:
        if self.about.games == self.began_at:  # nothing new was learnt
            return
        if self.found != files.identity(self.out):
            raise BadLearnt(f"{self.out} was written by somebody else meanwhile, so it is left as it is: name another.")
        training = {"net": self.net, "squares": self.squares, "seen": np.array(self.seen)}
        Learnt(self.about, self.mean, training).save(self.out)
        self.found = files.identity(self.out)


class Worker:
    """A stream of games: where it plays them, and what it notes."""

    def __init__(self, trainer: Trainer, number: int) -> None:
        game, recipe = trainer.game, trainer.recipe
        self.trainer, self.number = trainer, number
        self.states = game.states(5)
        self.out = game.moves(game.rules.MOVES + 1)
        lessons_at_most = recipe.games * game.rules.LONGEST
        most = trainer.shape.constants(NAMED)["MOST"]
        room = max(4 * most, min(lessons_at_most * most, 3_000_000))
        count = max(64, min(lessons_at_most, 20_000))
        self.lessons = np.zeros((count, lessons.LESSON), np.int64)
        self.targets, self.expected = np.zeros((count, network.ANSWERS)), np.zeros((count, network.ANSWERS))
        self.ids, self.values = np.zeros(room, np.int32), np.zeros(room, np.float32)
        self.scores, self.places, self.numbers = np.zeros((3, max(2, game.players[1])), np.int64)
        self.states[0] = trainer.tables[number % len(trainer.tables)][0]
        self.found = 0

    def play(self, weights: Any, number: int, games: int, explore: float) -> int:
        """Play so many games, the first of which has this number in all; how many moves they took."""
        trainer, recipe = self.trainer, self.trainer.recipe
        turn = self.number + number // (STREAMS * recipe.games)
        self.states[0] = trainer.tables[turn % len(trainer.tables)][0]
        rng: Integers = stream(trainer.about.seed, f"lessons {number} {self.number}")
        self.found = trainer.kernels.play_lessons(
            games,
            self.states,
            rng,
            self.out,
            weights,
            recipe.worlds,
            recipe.looks,
            explore,
            recipe.fade,
            self.lessons,
            self.targets,
            self.expected,
            self.ids,
            self.values,
            self.scores,
            self.places,
            self.numbers,
        )
        return int(self.numbers[0])

    def best(self, seat: int, weights: Any, rng: Integers) -> Any:
        """The move that looks best to the seat in states[1], without any search."""
        trainer, recipe = self.trainer, self.trainer.recipe
        count = trainer.game.kernels.quick(self.states[1], seat, self.out)
        count = trainer.kernels.some_moves(rng, self.out, count, recipe.looks)
        most = trainer.shape.constants(NAMED)["MOST"]
        ids, values, tried = np.zeros(most, np.int64), np.zeros(most, np.float32), np.zeros((recipe.looks, 2))
        rest = (weights, ids, values, self.scores, self.places, tried)
        return self.out[trainer.kernels.weigh(self.states, rng, seat, self.out, count, recipe.worlds, *rest)]


def _renewals(seen: int, first: int) -> int:
    """How often learning has become quick again: after `first` lessons, then whenever there are twice as many."""
    return (seen // first).bit_length()
