"""What is noted of one game: a row of whole numbers, sums over games are exact, in whatever order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from clew.core.declare import Pieces
from clew.core.errors import BadRules, quoted
from clew.core.game import Game
from clew.core.kernels import rule
from clew.core.types import Integers, MoveCode, Numbers, State

WHOLE = 60  # a victory, which one to six can share evenly
NOTED = (
    "ending",  # 1 + the index in ENDINGS
    "moves",
    "turns",  # moves that one seat makes in a row are a turn
    "forced",  # moves without a choice
    "options",  # legal moves, over all moves
    "lead_changes",  # how often another seat led alone by the standings, as if the game ended now
    "settled",  # moves after which those stayed in front who were so at the end
    "behind",  # moves after which who won was not in front; of shared victories the mean, in parts of WHOLE
    "comeback",  # whether who won was not in front at half time; likewise
    "wait",  # the most moves of others between two of one's own
    "watch",  # the most moves of others after one's last
    "shared",  # whether several share the first place
    "margin",  # between the best score and the next
)
(ENDING, LENGTH, TURNS, FORCED, OPTIONS, LEAD_CHANGES, SETTLED, BEHIND, COMEBACK, WAIT, WATCH, SHARED, MARGIN) = range(
    len(NOTED)
)
BY_SEAT = ("won", "score", "made")  # of each seat: its part of the victory in parts of WHOLE, its score, its moves
WON, SCORE, MADE = range(len(BY_SEAT))
LARGEST = 1_000_000  # of a number in a row: the squares of ten million of them are exact

COURSE = ("moves", "lead_changes", "settled", "behind", "comeback")
MILLION = 1_000_000
# Of an item, such as a card or a form of moves: at how many decisions there was a move with it, how often one would be
# chosen at random (in millionths), how often it was; in how many games, what those seats won and how many they were.
USES = ("offered", "expected", "chosen", "games", "won", "users", "won_won", "won_users", "users_users")
OFFERED, EXPECTED, CHOSEN, GAMES, USER_WON, USERS, WON_WON, WON_USERS, USERS_USERS = range(len(USES))


@dataclass(frozen=True)
class Columns:
    """The columns of a row at a table of so many players: those of every game, those of each seat, the game's own."""

    players: int
    own: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, in order."""
        return (*NOTED, *(f"{what}_{seat}" for what in BY_SEAT for seat in range(self.players)), *self.own)

    def of_seat(self, what: str, seat: int) -> int:
        """The column of what is noted of a seat."""
        return len(NOTED) + BY_SEAT.index(what) * self.players + seat

    def at(self, name: str) -> int:
        """The column of this name."""
        return self.names.index(name)


def own_measures(game: Game) -> dict[str, str]:
    """The measures that a game adds, with what they are: MEASURES in its rules, written by `measure(s, row)`."""
    said = getattr(game.rules, "MEASURES", {})
    if not isinstance(said, dict) or not all(isinstance(text, str) for pair in said.items() for text in pair):
        raise BadRules(f"{game.title}: MEASURES names each measure with what it is, as {{'silk': 'silk cards taken'}}.")
    if bool(said) != hasattr(game.rules, "measure"):
        raise BadRules(f"{game.title}: MEASURES and the rule measure(s, row), which writes them in order, go together.")
    if clash := set(said) & {*NOTED, *COURSE}:
        raise BadRules(f"{game.title}: the lab has a measure {quoted(min(clash))} already; call it otherwise.")
    return dict(said)


@dataclass(frozen=True)
class Item:
    """Something that moves are made of: a form, or a card that is a part of them."""

    kind: Literal["form", "piece"]
    label: str
    rule: str = ""


def items_of(game: Game) -> tuple[list[Item], Integers]:
    """The items of a game's moves, and those of each move, the rest being -1; none where moves are no forms."""
    if game.form is None:
        return [], np.full((1, 1), -1, np.int64)
    items = [Item("form", form.name, form.rule) for form in game.form.forms]
    at: dict[tuple[int, int], int] = {}
    groups = []
    for code in range(game.form.count):
        form, parts = game.form.split(code)
        group = [game.form.forms.index(form)]
        for name, value in parts.items():
            kind = form.parts[name]
            if isinstance(kind, Pieces):
                key = id(kind), value
                if key not in at:
                    at[key] = len(items)
                    items.append(Item("piece", kind.say(value)))
                group.append(at[key])
        groups.append(list(dict.fromkeys(group)))
    width = max(map(len, groups))
    return items, np.array([group + [-1] * (width - len(group)) for group in groups], np.int64)


# What takes the place of names in the kernels


@rule
def number_of(move: MoveCode) -> int:
    """The number of a move that is one."""
    return int(move)


@rule
def no_number(move: MoveCode) -> int:
    """Of moves that are more than a number."""
    return 0


@rule
def no_measure(s: State, row: Numbers) -> None:
    """Of a game that adds no measures."""


@rule
def add_rows(rows: Integers, n: int, sums: Integers, products: Integers) -> None:
    """Add n rows to the sums of their columns, and to the sums of the products of each two."""
    width = rows.shape[1]
    for g in range(n):
        for i in range(width):
            value = rows[g, i]
            sums[i] += value
            for j in range(i + 1):
                products[i, j] += value * rows[g, j]


def empty_rows(count: int, width: int) -> Integers:
    """Room for rows."""
    return np.zeros((count, width), np.int64)
