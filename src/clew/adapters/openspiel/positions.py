"""A game as OpenSpiel asks for it, move by move: who moves, by which numbers, and what a seat knows.

An information state is all that a seat saw and did, in its order: each view folded into a hash with those before it,
and its own moves. That has perfect recall whether or not the game's views have it by themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.core.cast import Cast
from clew.core.errors import BadOption, ClewError, IllegalMove, quoted
from clew.core.events import SEATS
from clew.core.game import Game
from clew.core.knowledge import dream, look_round, plain
from clew.core.observe import layout_of
from clew.core.options import Value
from clew.core.protocol import LEGAL
from clew.core.rng import stream
from clew.core.table import set_up
from clew.core.types import MoveCode, States, ViewRecords

# `Any` in signatures here: kernels' arrays, and plain data of a view.

CHANCE = ("seed", "deal")
RETURNS = ("victory", "score")
MOST_SCORE = 10_000.0  # by which a score may differ from the others'
LARGEST_TENSOR = 100_000  # numbers that an information state may have

Tensor = NDArray[np.float32]


class Setting:
    """A game with its options, and what is the same for all its positions."""

    def __init__(
        self,
        game: Game,
        players: int | None,
        options: Mapping[str, Value] | None,
        chance: str = "seed",
        returns: str = "victory",
    ) -> None:
        self.game = game
        self.options, self.blank = set_up(game, players, options)
        self.players = int(self.blank[0].players)
        if self.players < 2:
            raise BadOption("OpenSpiel's games here are for two players or more.", "players")
        for name, given, known in (("chance", chance, CHANCE), ("returns", returns, RETURNS)):
            if given not in known:
                raise BadOption(f"The parameter {name} is {' or '.join(known)}, not {quoted(given)}.", name)
        self.chance, self.returns = chance, returns
        # By code where codes are few and each means one move everywhere; else by the place in the list of legal moves.
        self.by_code = game.form is not None
        self.actions = game.form.count if game.form is not None else int(game.rules.MOVES)

    def __deepcopy__(self, memo: object) -> Setting:
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that a seat can get."""
        if self.returns == "score":
            return -MOST_SCORE, MOST_SCORE
        return -1.0 / (self.players - 1), 1.0

    @property
    def observed(self) -> int:
        """How many numbers an observation has."""
        return layout_of(self.game).size

    @property
    def remembered(self) -> int:
        """How many numbers an information state has: one's decisions so far, and what one sees now."""
        return int(self.game.rules.LONGEST) * (self.observed + self.actions) + self.observed

    def dealt(self, seed: int) -> Position:
        """The position after the deal of a seed."""
        states = self.game.twin(self.blank)
        self.game.kernels.deal(states[0], stream(seed))
        self.game.kernels.start(states[0])
        return first(self, states)


@dataclass(frozen=True, eq=False)
class Position:
    """One state of a game with what each seat knows of the way to it. Never changed once it is made."""

    setting: Setting
    states: States
    owing: int  # a bit for each seat that owes a move
    ended: int
    seen: tuple[bytes, ...]  # for each seat a hash of all that it saw and did
    did: tuple[str, ...]  # and its own moves, written
    parent: Position | None = None
    mover: int = -1
    action: int = -1
    eyes: int | None = None  # of a world that somebody imagined: whose past it has
    known: dict[int, Position] = field(default_factory=dict)  # those after it, in a game that is searched as a whole

    def __deepcopy__(self, memo: object) -> Position:
        return self

    @property
    def seat(self) -> int:
        """Who moves next; those who choose at the same time do so one after the other, and do not see it."""
        return (self.owing & -self.owing).bit_length() - 1

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.owing

    @cached_property
    def looks(self) -> ViewRecords:
        """What each chair sees: first who watches, then seat by seat."""
        return look_round(self.setting.game, self.states, self.setting.players)

    @cached_property
    def _listed(self) -> list[MoveCode]:
        game = self.setting.game
        out = game.moves(game.rules.MOVES)
        count = game.kernels.legal(self.states[0], self.seat, out)
        return out[:count].tolist() if not out.dtype.names else [out[i] for i in range(count)]

    def legal(self) -> list[int]:
        """The numbers of the moves, in ascending order."""
        if self.over:
            return []
        return sorted(self._listed) if self.setting.by_code else list(range(len(self._listed)))

    def _code(self, action: int) -> MoveCode:
        if self.over:
            raise ClewError("The game is over: nobody moves any more.")
        if self.setting.by_code:
            if not 0 <= action < self.setting.actions:
                raise IllegalMove("COM-06", f"Moves have the numbers 0 to {self.setting.actions - 1}: not {action}.")
            return action
        if not 0 <= action < len(self._listed):
            raise IllegalMove("COM-06", f"There are {len(self._listed)} moves here, counted from 0: not {action}.")
        return self._listed[action]

    def written(self, action: int) -> str:
        """A move as records have it."""
        return str(self.setting.game.words.write(self._code(action), plain(self.view(self.seat))))

    def after(self, action: int) -> Position:
        """The position after a move, or the reason why it may not be made."""
        if action in self.known:
            return self.known[action]
        made = self._made(action)
        if self.setting.chance == "deal":
            self.known[action] = made
        return made

    def _made(self, action: int) -> Position:
        game, seat, code = self.setting.game, self.seat, self._code(action)
        states, numbers = game.blanks(1), np.empty(2, np.int64)
        reason = game.kernels.make(self.states, states, seat, code, numbers)
        if reason != LEGAL:
            v = plain(self.view(seat))
            raise IllegalMove(*game.words.explain(reason, code, v, Cast(SEATS[: self.setting.players])))
        owing, ended = map(int, numbers)
        did = list(self.did)
        did[seat] = f"{did[seat]}, {self.written(action)}" if did[seat] else self.written(action)
        made = Position(self.setting, states, owing, ended, self.seen, tuple(did), self, seat, action)
        seen = [_folded(self.seen[one], made.view(one), action if one == seat else None) for one in made._seats()]
        object.__setattr__(made, "seen", tuple(seen))
        return made

    def imagined(self, seat: int, seed: int) -> Position:
        """A world at random among those that the seat cannot tell from this one; the past of the others is unknown."""
        game = self.setting.game
        states = dream(game, self.view(seat), stream(seed, "openspiel"))
        world = Position(self.setting, states, self.owing, self.ended, self.seen, self.did, self, eyes=seat)
        seen = [self.seen[seat] if one == seat else _folded(b"", world.view(one), None) for one in self._seats()]
        object.__setattr__(world, "seen", tuple(seen))
        object.__setattr__(world, "did", tuple(said if one == seat else "" for one, said in enumerate(self.did)))
        return world

    def _seats(self) -> range:
        return range(self.setting.players)

    def view(self, chair: int) -> ViewRecords:
        return self.looks[chair + 1 : chair + 2]

    # What a seat knows

    def information_state(self, seat: int) -> str:
        """All that the seat saw and did: its moves, and a hash of its views in their order."""
        return f"seat {seat}; {self.did[seat] or 'no move yet'}; saw {self.seen[seat].hex()}"

    def observation(self, chair: int) -> dict[str, Any]:
        """What a chair sees now, as plain data; -1 is somebody who watches."""
        table: dict[str, Any] = self.setting.game.words.describe(plain(self.view(chair)))
        return {"chair": chair, "to_move": [seat for seat in self._seats() if self.owing >> seat & 1], "table": table}

    def observe(self, chair: int, tensor: Tensor) -> None:
        """Add the features of what a chair sees to an empty tensor."""
        _observe(self.setting, self.view(chair), tensor)

    def remember(self, seat: int, tensor: Tensor) -> None:
        """Write the seat's decisions into an empty tensor, what it saw with what it did, and what it sees now."""
        setting = self.setting
        wide = setting.observed + setting.actions
        for number, (position, action) in enumerate(reversed(self._decisions(seat))):
            position.observe(seat, tensor[number * wide : number * wide + setting.observed])
            tensor[number * wide + setting.observed + action] = 1
        self.observe(seat, tensor[-setting.observed :])

    def _decisions(self, seat: int) -> list[tuple[Position, int]]:
        """The seat's own moves with the positions in which it made them, the last first."""
        found, at = [], self
        while at.parent is not None and (at.eyes is None or at.eyes == seat):
            if at.eyes is None and at.mover == seat:
                found.append((at.parent, at.action))
            at = at.parent
        return found

    def results(self) -> list[float]:
        """What each seat gets in the end; zero for all before."""
        setting, count = self.setting, self.setting.players
        if not self.over:
            return [0.0] * count
        scores, places = np.zeros((2, count), np.int64)
        setting.game.kernels.result(self.states[0], scores, places)
        if setting.returns == "score":
            sign = -1.0 if getattr(setting.game.rules, "LOW_SCORE_WINS", False) else 1.0
            mean = sum(scores.tolist()) / count
            return [sign * (score - mean) for score in scores.tolist()]
        firsts = int((places == 1).sum())
        shares = [1 / firsts if place == 1 else 0.0 for place in places]
        return [(count * share - 1) / (count - 1) for share in shares]


def first(setting: Setting, states: States) -> Position:
    """The position of a table that has just been dealt."""
    game = setting.game
    owing, ended = int(game.kernels.to_move(states[0])), int(game.kernels.ending(states[0]))
    blank = (b"",) * setting.players
    made = Position(setting, states, owing, ended, blank, ("",) * setting.players)
    object.__setattr__(made, "seen", tuple(_folded(b"", made.view(seat), None) for seat in range(setting.players)))
    return made


def _folded(before: bytes, views: ViewRecords, action: int | None) -> bytes:
    """The hash of what a seat saw, with one more view, and its own move if it was that."""
    did = b"" if action is None else action.to_bytes(8, "big")
    return hashlib.blake2b(before + did + views.tobytes(), digest_size=16).digest()


def _observe(setting: Setting, views: ViewRecords, tensor: Tensor) -> None:
    layout = layout_of(setting.game)
    ids, values = np.zeros(layout.most, np.int64), np.zeros(layout.most)
    count = layout.observe(views[0], ids, values)
    np.add.at(tensor, ids[:count], values[:count])
