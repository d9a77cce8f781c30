"""Games of one player against bots: the others make their moves before the player is asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from clew.adapters.batch import Batch
from clew.adapters.buffers import bind
from clew.adapters.environments import LEAVE
from clew.adapters.spaces import ABSENT, Spaces
from clew.bots.contestants import Contestant, Decision, contestant
from clew.bots.heuristics import heuristics_for
from clew.core.errors import BadOption, UnknownBot, quoted
from clew.core.knowledge import look
from clew.core.options import Value
from clew.core.rng import below, stream
from clew.core.table import set_up
from clew.core.types import Integers

RANDOM = "random"
Flags = npt.NDArray[np.bool_]


class Against:
    """n games, in each of which one seat is the player's and all others are bots'.

    `opponents` is one bot for all other seats or one for each, in the order in which they sit after the player: random,
    greedy, level:1 to level:6. `seat` is the player's; by default it is drawn anew for each game.
    """

    def __init__(
        self,
        spaces: Spaces,
        n: int,
        opponents: str | Sequence[str] = RANDOM,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        seat: int | None = None,
        threads: int = 1,
    ) -> None:
        spaces.ready()
        game = self.game = spaces.game
        batch = self.batch = Batch(spaces, n, set_up(game, players, options)[1], threads)
        others = batch.players - 1
        named = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(named) != others:
            raise BadOption(f"There are {others} opponents, not {len(named)}.", "opponents")
        if seat is not None and seat not in range(batch.players):
            raise BadOption(f"A seat is a number from 0 to {batch.players - 1}, not {quoted(seat)}.", "seat")
        self._bots = [_bot(spaces, name) for name in named]
        self._seat = seat
        self.mine = np.zeros(n, np.int64)  # the player's seat, in each game
        self.buffers = batch._buffers
        made, scratch = vars(spaces.kernels), batch._scratch[0]
        self._choose = bind(made["choose_any"], self.buffers, scratch, "low", "high")
        self._show = bind(made["show"], self.buffers, scratch, "low", "high")
        self._look_at = bind(made["look_at"], self.buffers, scratch, "i", "chair", "row")
        self._settle = made["settle"], scratch.scores, scratch.places

    def seed(self, i: int, seed: int) -> None:
        """What game i is dealt from, and all other luck in it."""
        self.buffers.rngs[i], self.buffers.lucks[i] = stream(seed), stream(seed, "random")

    def deal(self, which: Flags) -> None:
        """Begin these games anew, and let the others move until it is the player's turn."""
        batch, waiting = self.batch, which.copy()
        while waiting.any():  # again if a game is over before the player had a turn
            for i in np.flatnonzero(waiting):
                luck = self.buffers.lucks[i]
                self.mine[i] = below(luck, batch.players) if self._seat is None else self._seat
            self.buffers.actions[:] = np.where(waiting, 0, LEAVE)
            batch._each(batch._begin)
            self._others()
            waiting &= self.buffers.seats < 0

    def act(self, actions: Integers, strict: bool = True) -> dict[int, str]:
        """Make the player's move in each game, and those of the others after it.

        A move that may not be made is an error, and nothing is changed; if not `strict` it loses its game, and why is
        returned. A number that is no action is an error in any case.
        """
        batch, buffers = self.batch, self.buffers
        batch._take(actions)
        refused = self._all_refused()
        for i in refused:
            if strict or not 0 <= buffers.actions[i] < batch.action_spec.size:
                raise batch._refusal(i)
        said = {i: str(batch._refusal(i)) for i in refused}
        buffers.actions[refused] = LEAVE
        batch._each(batch._advance, False)
        self._others()
        for i in refused:
            buffers.reward[i], buffers.score[i], buffers.done[i] = 0, 0, True
            buffers.reward[i, self.mine[i]] = -1
        return said

    def _all_refused(self) -> list[int]:
        """The games in which the action that was given is no legal move."""
        found, low, check = list[int](), 0, self.batch._refused[0]
        while (at := check(low, self.batch.n)) >= 0:
            found.append(at)
            low = at + 1
        return found

    def last_sight(self, i: int) -> npt.NDArray[np.float32]:
        """What the player sees of game i, whoever is to move."""
        row = np.empty(self.buffers.obs.shape[1], np.float32)
        self._look_at(i, int(self.mine[i]), row)
        return row

    def seen(self, i: int) -> dict[str, npt.NDArray[np.float32 | np.int8 | np.int32]]:
        """The player's observation of game i, as frameworks have it: arrays of its own."""
        buffers, over = self.buffers, self.buffers.seats[i] < 0
        found = {
            "observation": self.last_sight(i) if over else buffers.obs[i].copy(),
            "action_mask": buffers.mask[i].view(np.int8).copy(),
        }
        if not self.batch.action_spec.flat:
            found["moves"] = np.full_like(buffers.moves[i], ABSENT) if over else buffers.moves[i].copy()
        return found

    def _others(self) -> None:
        """Let the bots move until in each game that goes on it is the player's turn."""
        buffers, batch = self.buffers, self.batch
        while True:
            waiting = (buffers.seats >= 0) & (buffers.seats != self.mine)
            if not waiting.any():
                return
            at = (buffers.seats - self.mine) % batch.players - 1  # which bot
            thinks = np.array([bot is not None for bot in self._bots])[at] & waiting
            for i in np.flatnonzero(thinks):
                self._think(int(i), self._bots[at[i]])
            quick = waiting & ~thinks
            if quick.any():
                buffers.actions[:] = np.where(quick, LEAVE, 0)
                batch._each(batch._choose)
                buffers.actions[~quick] = LEAVE
                batch._each(batch._advance, False)

    def _think(self, i: int, bot: Contestant | None) -> None:
        """Let a bot make its move in game i: it is shown what its seat knows."""
        assert bot is not None
        buffers, seat = self.buffers, int(self.buffers.seats[i])
        states = buffers.states[i : i + 1]
        move = bot.move(Decision(self.game, look(self.game, states, seat), buffers.lucks[i]))
        self.game.kernels.apply(states[0], seat, move)
        buffers.actions[i] = 0
        self._show(i, i + 1)
        if buffers.seats[i] < 0:
            settle, scores, places = self._settle
            settle(states[0], buffers.reward[i], buffers.score[i], scores, places)
            buffers.done[i] = True


def _bot(spaces: Spaces, name: str) -> Contestant | None:
    """Who plays by this name; None who moves at random, which the kernels do themselves."""
    if name == RANDOM:
        return None
    if not isinstance(name, str) or name.endswith(".py"):
        raise UnknownBot(f"There is no opponent {quoted(name)}: write random, greedy or level:1 to level:6.")
    heuristics = heuristics_for(spaces.game)
    made = contestant(name, heuristics, 0)
    heuristics.ready()
    return made
