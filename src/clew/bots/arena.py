"""The arena: bots against each other over the same deals, every bot in every seat, with error bars."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import RenderableType

from clew.bots import ratings
from clew.bots.bouts import Bout, Deal, WholeGames, play_by_moves
from clew.bots.contestants import Contestant, FileBot, contestant
from clew.bots.file_bots import PATIENCE
from clew.bots.heuristics import heuristics_for
from clew.bots.levels import LEVELS
from clew.core.errors import BadOption, ClewError, UnknownBot
from clew.core.game import Game, load
from clew.core.notebook import Pictured
from clew.core.options import Value
from clew.core.rng import next32, stream
from clew.core.seeds import read_seed
from clew.core.table import set_up
from clew.core.types import Json

Progress = Callable[[int, int], None]


@dataclass
class Pairing:
    """Two bots at one table, deal by deal; with more seats they alternate."""

    bots: tuple[int, int]
    deals: list[tuple[float, float]] = field(default_factory=list)  # what each got of every victory, a deal
    places: list[tuple[float, float]] = field(default_factory=list)


class Arena(Pictured):
    """A contest over paired deals: each deal is played in all rotations of the seating."""

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str],
        games: int,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        seed: int | None = None,
        threads: int = 1,
        records: Path | None = None,
        patience: float = PATIENCE,
        whole: bool | None = None,
    ) -> None:
        """`whole` games inside the kernels or move by move; by default as soon as that is compiled, for who can."""
        self.game = game if isinstance(game, Game) else load(game)
        self.options, self.blank = set_up(self.game, players, options)
        self.players = int(self.blank[0].players)
        if self.players < 2:
            raise BadOption("An arena needs a table of two players or more.")
        names = [f"level:{known.number}" for known in LEVELS] if list(bots) == ["levels"] else list(bots)
        self.seed = read_seed(seed)
        self.threads = threads
        self.records = records
        heuristics = heuristics_for(self.game)
        self.bots: list[Contestant] = [
            contestant(name, heuristics, self.seed + i, patience) for i, name in enumerate(names)
        ]
        if len(self.bots) < 2:
            raise ClewError("An arena needs two bots or more: --bots level:6,level:4.")
        self._load_files()
        heuristics.prepare()
        self.whole = whole
        self._whole_games = WholeGames(heuristics)
        able = [bot for bot in self.bots if self._whole_games.can([bot])]
        if whole is not False and len(able) > 1:
            self._whole_games.prepare(able)
        self.pairings = [Pairing(pair) for pair in itertools.combinations(range(len(self.bots)), 2)]
        self.deals = max(1, round(games / self.players))  # of each pairing
        self.lost: list[tuple[int, str]] = []  # the games that ended by a fault: which bot's, and what it was
        self.lengths: list[int] = []  # of the games that were played to their end, in moves
        self.endings: Counter[str] = Counter()
        self.seats: list[tuple[float, ...]] = []  # what each seat got of the victories, a deal
        self.games = 0
        self.seconds = 0.0
        self._results = threading.Lock()

    def run(self, progress: Progress | None = None, stop: threading.Event | None = None) -> bool:
        """Play all games; False when `stop` or Ctrl-C ended it early, and then what is known is known."""
        begun = time.monotonic()
        total = len(self.pairings) * self.deals * self.players
        if self.records:
            self.records.mkdir(parents=True, exist_ok=True)
        stop = stop or threading.Event()
        pool = ThreadPoolExecutor(self.threads)
        # Deal by deal through all pairings, so that what is known at any time is known of all.
        jobs = [
            pool.submit(self._deal, pairing, number, stop) for number in range(self.deals) for pairing in self.pairings
        ]
        try:
            for job in as_completed(jobs):
                if stop.is_set():
                    return False
                job.result()
                self.seconds = time.monotonic() - begun
                if progress:
                    progress(self.games, total)
            return True
        except KeyboardInterrupt:
            return False
        finally:
            stop.set()
            with contextlib.suppress(KeyboardInterrupt):  # who presses Ctrl-C twice does not want to lose it either
                pool.shutdown(wait=True, cancel_futures=True)
            self.seconds = time.monotonic() - begun
            self._close_files()

    def _load_files(self) -> None:
        """Have the bots in files loaded: one that cannot be is refused before a game is played."""
        try:
            for bot in self.bots:
                if isinstance(bot, FileBot):
                    bot.process.load()
        except UnknownBot:
            self._close_files()
            raise

    def _close_files(self) -> None:
        for bot in self.bots:
            if isinstance(bot, FileBot):
                bot.process.close()

    def _deal(self, pairing: Pairing, number: int, stop: threading.Event) -> None:
        """All rotations of one deal."""
        bouts, seatings = [], []
        for shift in range(self.players):
            seating = tuple(pairing.bots[(seat + shift) % self.players % 2] for seat in range(self.players))
            deal = Deal(self.game, self.options, self.blank, deal_seed(self.seed, number), shift)
            bout = self._bout([self.bots[i] for i in seating], deal, stop)
            if bout is None:
                return
            if self.records is not None:
                names = "-".join(_in_a_file_name(self.bots[i].name) for i in sorted(set(seating)))
                file = self.records / f"{names}-{number + 1:05}-{shift + 1}.clew"
                file.write_text(bout.record(deal), encoding="utf-8")
            bouts.append(bout)
            seatings.append(seating)
        with self._results:
            self.games += len(bouts)
            self.lost += [
                (seating[bout.places.index(2)], bout.fault) for bout, seating in zip(bouts, seatings) if bout.fault
            ]
            self.lengths += [len(bout.moves) for bout in bouts if not bout.fault]
            self.endings.update(bout.ending for bout in bouts if not bout.fault)
            won, places = [_won(bout) for bout in bouts], [bout.places for bout in bouts]
            self.seats.append(tuple(sum(got) / len(bouts) for got in zip(*won)))
            pairing.deals.append(tuple(_of_bot(won, seatings, bot) for bot in pairing.bots))  # type: ignore[arg-type]
            pairing.places.append(tuple(_of_bot(places, seatings, bot) for bot in pairing.bots))  # type: ignore[arg-type]

    def _bout(self, bots: Sequence[Contestant], deal: Deal, stop: threading.Event) -> Bout | None:
        """One game, in the kernels if that is possible by now."""
        games = self._whole_games
        if games.can(bots) and (self.whole or (self.whole is None and games.ready(bots))):
            return games.play(bots, deal, stop)
        return play_by_moves(bots, deal, stop)

    # What came of it

    @property
    def finished(self) -> bool:
        """Whether all games were played."""
        return self.games == len(self.pairings) * self.deals * self.players

    def __rich__(self) -> RenderableType:
        from clew.bots.report import render

        return render(self, self.finished)

    def standings(self) -> list[Json]:
        """For each bot its share of the victories with the 95 % interval, its mean place and its Elo."""
        rated = self._elo()
        rows = []
        for i, bot in enumerate(self.bots):
            mine = [(pairing, pairing.bots.index(i)) for pairing in self.pairings if i in pairing.bots]
            shares = [deal[side] for pairing, side in mine for deal in pairing.deals]
            places = [deal[side] for pairing, side in mine for deal in pairing.places]
            if shares:
                mean, low, high = ratings.interval(shares)
                row = {"name": bot.name, "win_rate": mean, "ci95": [low, high], "place": sum(places) / len(places)}
                rows.append({**row, "elo": rated[i], "faults": sum(loser == i for loser, _ in self.lost)})
        return rows

    def pairs(self) -> list[Json]:
        """For each two bots the share of the first against the second, with the Elo difference that it speaks for."""
        rows = []
        for pairing in self.pairings:
            if pairing.deals:
                mean, low, high = ratings.interval([_points(deal) for deal in pairing.deals])
                first, second = (self.bots[i].name for i in pairing.bots)
                row = {"first": first, "second": second, "share": mean, "ci95": [low, high], "elo": ratings.elo(mean)}
                rows.append({**row, "elo_ci95": [ratings.elo(low), ratings.elo(high)], "deals": len(pairing.deals)})
        return rows

    @property
    def faults(self) -> list[str]:
        """A sentence for each game that was lost by a fault."""
        return [f"{self.bots[loser].name} lost a game: {fault}." for loser, fault in self.lost]

    def by_seat(self) -> list[Json]:
        """For each seat its share of the victories, whoever sat there."""
        rows = []
        for seat, shares in enumerate(zip(*self.seats)):
            mean, low, high = ratings.interval(shares)
            rows.append({"seat": seat, "win_rate": mean, "ci95": [low, high]})
        return rows

    def moves_a_game(self) -> Json | None:
        """How many moves the games took that were played to their end."""
        if not self.lengths:
            return None
        low, quarter, median, three, high = np.quantile(self.lengths, (0, 0.25, 0.5, 0.75, 1)).tolist()
        mean = sum(self.lengths) / len(self.lengths)
        return {"mean": mean, "min": low, "quartiles": [quarter, median, three], "max": high}

    def json(self) -> Json:
        """Everything that is known, as plain data."""
        return {
            "game": self.game.name,
            "options": dict(self.options),
            "players": self.players,
            "seed": self.seed,
            "games": self.games,
            "seconds": self.seconds,
            "games_per_s": self.games / self.seconds if self.seconds else None,
            "bots": self.standings(),
            "pairs": self.pairs(),
            "seats": self.by_seat(),
            "lengths": self.moves_a_game(),
            "endings": {name: self.endings[name] for name in self.game.endings},
            "faults": self.faults,
        }

    def _elo(self) -> list[float]:
        points = {
            pairing.bots: (sum(map(_points, pairing.deals)), sum(1 - _points(deal) for deal in pairing.deals))
            for pairing in self.pairings
            if pairing.deals
        }
        return ratings.ratings(points, len(self.bots)) if points else [0.0] * len(self.bots)


def deal_seed(seed: int, number: int) -> int:
    """The seed of the deal with this number."""
    rng = stream(seed, f"arena deal {number}")
    return next32(rng) << 30 ^ next32(rng)


def _in_a_file_name(bot: str) -> str:
    """A bot's name, which may have the path of a file in it, as a part of the name of a record."""
    return re.sub(r"[^\w.@=+-]+", "-", bot.replace(":", ""))


def _won(bout: Bout) -> tuple[float, ...]:
    """What each seat got of the victory; those who share the first place share it."""
    return tuple(1 / bout.places.count(1) if place == 1 else 0.0 for place in bout.places)


def _of_bot(got: Sequence[Sequence[float]], seatings: Sequence[Sequence[int]], bot: int) -> float:
    """What a seat of this bot got on average, of what each seat got in each game."""
    own = [one for game, seating in zip(got, seatings) for one, who in zip(game, seating) if who == bot]
    return sum(own) / len(own)


def _points(deal: tuple[float, float]) -> float:
    """The part of the two bots' victories that is the first one's."""
    return deal[0] / (deal[0] + deal[1])
