"""What decisions, cards and hidden information are worth, and when a game is decided: by playouts from positions."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from clew.bots.heuristics import Heuristics, heuristics_for
from clew.bots.simulation import COMFORT, TO_THE_END, UNIFORM
from clew.bots.workspace import Workspace
from clew.core import kernels as compiled
from clew.core.types import Integers
from clew.lab import probing
from clew.lab.begins import begins
from clew.lab.given import not_asked
from clew.lab.intervals import Interval, Moments, around, share_interval
from clew.lab.measures import TELLING, Asked
from clew.lab.probing import (
    DECISIONS_DECISIONS,
    GAIN_DECISIONS,
    GAIN_GAIN,
    IN_GAMES,
    ITEM_DECISIONS,
    ITEM_GAIN,
    PROBED,
    VALUES,
)
from clew.lab.result import Figure, Measure, Unit
from clew.lab.rows import MILLION, WHOLE, no_number, number_of
from clew.lab.simulation import RANDOM, Chunks, Patience, Play, in_chunks

GAMES = 40  # that are looked into, if nobody says
DECISIONS = 12  # of a game, about
WORLDS, LOOKS = 24, 24  # of each half: worlds in which all moves are tried, and playouts for the chances of all seats
SEER_WORLDS = 6  # of each half, for every move of a game in which one sees everything
PATIENCE = 20.0  # seconds after which no further game is looked into: of slow games there are fewer
MOST_ASKED = 5000  # moves that are held against the rules
THOUSAND = MILLION // 1000


def probes_of(heuristics: Heuristics) -> SimpleNamespace:
    """The kernels that look into games, made for what these bots know."""
    if not hasattr(heuristics.kernels, "probe"):
        functions = dict(vars(heuristics.kernels))
        functions["code_of"] = number_of if heuristics.game.form is not None else no_number
        if heuristics.game.form is None:
            functions["refusal"] = not_asked
        made = compiled.specialise(probing, heuristics.tag, heuristics.game.folder, functions)
        heuristics.kernels.probe, heuristics.kernels.play_sighted = made["probe"], made["play_sighted"]
    return heuristics.kernels


class ProbeRoom:
    """What one thread writes to."""

    def __init__(self, play: Play, heuristics: Heuristics) -> None:
        game, items = play.game, len(play.items)
        workspace = Workspace(heuristics, play.players, 1, 1)
        workspace.sit_down(play.blank)
        workspace.states[0] = play.blank[0]
        self.workspace = workspace
        self.knobs = np.zeros(len(workspace.knobs[0]))
        self.knobs[COMFORT] = heuristics.comfort
        self.won = np.zeros((2, game.rules.MOVES, play.players))
        self.chances = np.zeros((2, 4 + game.rules.LONGEST, play.players))
        self.seen, self.with_it = np.zeros(items + 1, np.int64), np.zeros((max(items, 1), 2))
        self.gains, self.here = np.zeros(items, np.int64), np.zeros(items, np.int64)


@dataclass
class Probed:
    """What was found in games that were looked into: exact sums."""

    moments: Moments
    values: Integers  # a line for each item (see VALUES)
    refused: Integers  # how often each reason refused a move

    def add(self, other: Probed) -> None:
        """Add what was found in other games."""
        self.moments.add(other.moments)
        self.values += other.values
        self.refused += other.refused


class Probe:
    """Looks into games of one level of play."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.heuristics = heuristics_for(play.game)
        self.kernels = probes_of(self.heuristics)
        # Playouts go to the end: a guess half way errs alike in all playouts of a world. What was learnt only guesses.
        learnt = self.heuristics.learnt is not None
        self.depth = UNIFORM if play.level == RANDOM else 0 if learnt else TO_THE_END
        self.asked = play.game.form.count if play.game.form is not None else 0
        self.reasons = list(getattr(play.game.rules, "REASONS", []))
        if self.asked > MOST_ASKED or not self.reasons:
            self.asked = 0
        self._rooms: deque[ProbeRoom] = deque()

    def empty(self) -> Probed:
        """Of no games."""
        values = np.zeros((len(self.play.items), len(VALUES)), np.int64)
        return Probed(Moments.empty(PROBED), values, np.zeros(len(self.reasons) + 2, np.int64))

    def look_into(
        self, games: int, threads: int, stop: threading.Event, progress: Callable[[int, int], None] | None = None
    ) -> Probed:
        """Look into the first games, or those before it was stopped."""
        found = self.empty()
        self._look_into(0, self.empty())  # what has to be compiled for it counts for nobody's patience

        def work(first: int, count: int) -> Probed:
            made = self.empty()
            for number in range(first, first + count):
                self._look_into(number, made)
            return made

        in_chunks(
            Chunks(0, games, threads), work, lambda first, made: found.add(made), Patience(PATIENCE, stop), progress
        )
        return found

    def _look_into(self, number: int, found: Probed) -> None:
        """Look into one game."""
        play, row = self.play, np.zeros((1, len(PROBED)), np.int64)
        moves = play.moves(number)
        played, movers = play.game.moves(max(len(moves), 1)), np.zeros(max(len(moves), 1), np.int64)
        for ply, (seat, move) in enumerate(moves):
            played[ply], movers[ply] = move, seat
        room = self._room()
        space = room.workspace
        self.kernels.probe(
            begins(play.seed, [number])[0], len(moves), max(1, len(moves) // DECISIONS), WORLDS, LOOKS, self.asked,
            space.table, space.views, space.view_bytes, played, movers, space.states, space.roots, space.rng,
            space.moves, space.out, space.weights, room.knobs, self.depth, space.scores, space.places, room.won,
            room.chances, play.groups, room.seen, room.with_it, room.gains, room.here, found.values, found.refused,
            row[0],
        )  # fmt: skip
        self._rooms.append(room)
        found.moments.add(Moments.of(PROBED, row))

    def _room(self) -> ProbeRoom:
        try:
            room = self._rooms.pop()
        except IndexError:
            room = ProbeRoom(self.play, self.heuristics)
        room.workspace.table[0] = self.play.blank[0]
        return room

    # What hidden information is worth

    def sighted(
        self, games: int, threads: int, stop: threading.Event, progress: Callable[[int, int], None] | None = None
    ) -> Moments:
        """Deals that are played with each seat in turn seeing everything: what the one that sees wins."""
        found = Moments.empty(("seer",))
        players = self.play.players

        def work(first: int, count: int) -> Moments:
            rows = np.zeros((count, 1), np.int64)
            for at in range(count):
                for seer in range(players):
                    rows[at, 0] += self._sighted(first + at, seer)
            return Moments.of(("seer",), rows)

        deals = max(2, games // players)
        patience = Patience(PATIENCE, stop)
        in_chunks(Chunks(0, deals, threads), work, lambda first, made: found.add(made), patience, progress)
        return found

    def _sighted(self, number: int, seer: int) -> int:
        room = self._room()
        space, play = room.workspace, self.play
        self.kernels.play_sighted(
            begins(play.seed, [number])[0], seer, play.longest, SEER_WORLDS, space.table, space.views, space.view_bytes,
            space.states, space.roots, space.rng, space.moves, space.out, space.weights, room.knobs, self.depth,
            space.scores, space.places, room.won,
        )  # fmt: skip
        places = space.places[: play.players].tolist()
        self._rooms.append(room)
        return WHOLE // places.count(1) if places[seer] == 1 else 0


# What came of it


def probed_measures(asked: Asked, probe: Probe, found: Probed) -> list[Measure]:
    """The measures that take chances."""
    moments, made = found.moments, list[Measure]()
    n = moments.n
    if n < 2:
        return made

    def add(key: str, question: str, title: str, text: str, unit: Unit, figures: list[Figure]) -> None:
        if figures:
            made.append(Measure(key, question, title, text, unit, asked.level, n, tuple(figures)))

    by = "at random" if probe.depth == UNIFORM else "by what the bots know"
    chances = f"Chances are those of playouts {by} from the true position, as who sees everything has them."
    quarters = [("at the start", "at_start"), ("a quarter through", "at_quarter"), ("at half time", "at_half")]
    figures = [
        _mean(label, moments, name) for label, name in [*quarters, ("after three quarters", "at_three_quarters")]
    ]
    text = f"The chance to win, there, of who wins in the end. {chances}"
    add("decided", "drama", "When it is decided", text, "share", figures)
    text = f"The chance of who wins in the end where it was lowest: the lower, the more drama. {chances}"
    add("lowest", "drama", "The winner's lowest chance", text, "share", [_mean("mean", moments, "lowest")])
    if moments.sums[PROBED.index("decisions")]:
        value, error = moments.ratio("gain", "decisions")
        low, high = around(value / MILLION, error / MILLION, n)
        figure = Figure("a decision", value / MILLION, low, high, "t", n, 0.0)
        text = (
            "What the best move wins more often than a legal one at random, in the worlds that the seat holds for"
            " possible; found in one half of the worlds and judged in the other."
        )
        add("choice", "decisions", "What a choice is worth", text, "share", [figure])
        value, error = moments.ratio("clear", "decisions")
        low, high = share_interval(value, error, n)
        text = "Decisions in which one move wins 10 % of the games more than every other, in both halves of the worlds."
        add(
            "no_brainers",
            "decisions",
            "No-brainers",
            text,
            "share",
            [Figure("decisions", value, low, high, "Wilson", n)],
        )
    if moments.sums[PROBED.index("lost")]:
        value, error = moments.ratio("kings", "lost")
        low, high = share_interval(value, error, n)
        text = "Of the decisions of who has less than 5 % to win, those that move another's chance by more than 10 %."
        add("kingmaking", "table", "Kingmaking", text, "share", [Figure("decisions", value, low, high, "Wilson", n)])
    figures = [_value(asked, i, found.values[i].tolist(), n) for i in range(len(asked.items))]
    text = "How much more moves with it win than the others at the same decision, tried in the same worlds."
    add("values", "actions", "What cards and actions are worth", text, "share", figures)
    add("rules", "never", "Rules that never refuse", *_rules(probe, found))
    return made


def _rules(probe: Probe, found: Probed) -> tuple[str, Unit, list[Figure]]:
    """The rules whose reasons refused nothing that was tried."""
    text = "Rules that refused no move of any form at any decision that was looked into: they are never met."
    if not probe.asked:
        return text, "number", []
    looks = int(found.moments.sums[PROBED.index("looks")])
    met = {reason.rule for reason in probe.reasons if found.refused[int(reason)]}
    idle = dict.fromkeys(reason.rule for reason in probe.reasons if reason.rule not in met)
    return (
        text,
        "number",
        [Figure(rule, 0.0, method="seen", games=found.moments.n, note=f"at {looks:,} decisions") for rule in idle],
    )


def _mean(label: str, moments: Moments, name: str) -> Figure:
    value = moments.mean(name) / MILLION
    error = math.sqrt(max(0.0, moments.covariance(name, name)) / moments.n) / MILLION
    low, high = around(value, error, moments.n)
    return Figure(label, value, max(0.0, low), min(1.0, high), "t", moments.n)


def _value(asked: Asked, i: int, line: list[int], n: int) -> Figure:
    """What an item is worth, game by game as decisions of one game hang together."""
    item, games, count = asked.items[i], line[IN_GAMES], line[ITEM_DECISIONS]
    facts: dict[str, float | int | str] = {"decisions": count, "games": games}
    if games < 2:
        return Figure(item.label, None, games=games, note="never a choice" if not games else "", facts=facts)
    value = line[ITEM_GAIN] / MILLION / count
    scale = games / (games - 1) / games
    squares = line[GAIN_GAIN] / THOUSAND**2
    products, counts = line[GAIN_DECISIONS] / THOUSAND, line[DECISIONS_DECISIONS]
    variance = (squares - 2 * value * products + value**2 * counts) * scale
    error = math.sqrt(max(0.0, variance) / games) / (count / games)
    low, high = around(value, error, games)
    note = "dominant" if low > TELLING else "dead" if high < -TELLING else ""
    return Figure(item.label, value, max(-1.0, low), min(1.0, high), "t", games, 0.0, note, facts)


def sighted_measure(probe: Probe, moments: Moments) -> Measure | None:
    """What hidden information is worth."""
    if moments.n < 2:
        return None
    players = probe.play.players
    value = moments.mean("seer") / WHOLE / players
    error = math.sqrt(max(0.0, moments.covariance("seer", "seer")) / moments.n) / WHOLE / players
    interval: Interval = share_interval(value, error, moments.n * players)
    figure = Figure("who sees all", value, *interval, "Wilson", moments.n * players, 1 / players)
    text = (
        f"What a seat wins that sees everything, against others that think as long ({2 * SEER_WORLDS} worlds a move)"
        " from what they know; the same deals with each seat seeing."
    )
    return Measure("seer", "hidden", "What seeing all wins", text, "share", probe.play.level, figure.games, (figure,))
