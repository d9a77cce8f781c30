"""Gymnasium: one player against bots, one game at a time or many at once.

    import clew.adapters.gymnasium
    import gymnasium

    env = gymnasium.make("clew/Palaces-v1", opponents="level:1")
    observation, info = env.reset(seed=7)
    action = env.action_space.sample()                      # a legal move; or with observation["action_mask"] as mask
    observation, reward, terminated, truncated, info = env.step(action)

    many = gymnasium.make_vec("clew/Palaces-v1", num_envs=1024)

Importing this module registers every game. Observations are those of `clew.adapters.pettingzoo`, made from the view of
the player's seat. The reward comes at the end: 1 for the first place, -1 for the last, 0 for a draw. Games always end,
so nothing is truncated unless a wrapper does that. An action that may not be taken now loses the game, and
info["illegal"] says why, as Gymnasium lets any action of the space be tried; with illegal="raise" it is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from clew.adapters import images
from clew.adapters.gym_spaces import LegalMoves, Observation, action_space, observation_space
from clew.adapters.opponents import RANDOM, Against
from clew.adapters.spaces import spaces_of
from clew.core.errors import ClewError, quoted
from clew.core.game import load, names
from clew.core.options import Value

try:
    import gymnasium
    from gymnasium import error
    from gymnasium.spaces import MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("This needs Gymnasium: pip install clew[gymnasium]") from missing

# `Any` in signatures here: what Gymnasium leaves open.

MODES = ("human", "ansi", "rgb_array")
ILLEGAL = ("lose", "raise")
SEEDS = 1 << 62


class ClewEnv(gymnasium.Env[Observation, Any]):
    """A game against bots; made by `gymnasium.make`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        opponents: str | Sequence[str] = RANDOM,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
        slots: int | None = None,
        illegal: str = "lose",
    ) -> None:
        if render_mode not in (None, *MODES):
            raise error.UnsupportedMode(f"The render mode is {', '.join(MODES)}, not {quoted(render_mode)}.")
        self._strict = _strict(illegal)
        spaces = spaces_of(load(game), slots)
        self._against = Against(spaces, 1, opponents, players, options, seat)
        self._acts = action_space(spaces)
        self.action_space = self._acts
        self.observation_space: Any = observation_space(spaces)
        self.render_mode = render_mode
        self._over, self._dealt = True, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game: that of a seed, or the next one."""
        super().reset(seed=seed)
        if seed is not None or not self._dealt:
            self._against.seed(0, int(self.np_random.integers(SEEDS)))
        self._dealt, self._over = True, False
        self._against.deal(np.ones(1, np.bool_))
        return self._seen(), {"seat": int(self._against.mine[0])}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and hear what the others did."""
        if not self._dealt:
            raise error.ResetNeeded("Cannot call env.step() before calling env.reset()")
        if self._over:
            raise error.ResetNeeded("The game is over: call env.reset() before the next env.step().")
        if not self._acts.contains(action):
            raise error.InvalidAction(f"The action {action!r} is not in the action space, {self._acts}.")
        try:
            refused = self._against.act(np.array([action], np.int64), self._strict)
        except ClewError as fault:
            raise error.InvalidAction(str(fault)) from fault
        buffers, seat = self._against.buffers, int(self._against.mine[0])
        self._over = bool(buffers.done[0])
        info: dict[str, Any] = {"seat": seat}
        if refused:
            info["illegal"] = refused[0]
        elif self._over:
            info["score"] = int(buffers.score[0, seat])
        return self._seen(), float(buffers.reward[0, seat]), self._over, False, info

    def action_masks(self) -> Any:
        """The legal moves, as learners ask for them that know masks."""
        return self._against.buffers.mask[0].copy()

    def render(self) -> Any:
        """The table as the player sees it: printed, as a text or as an image."""
        if self.render_mode is None or not self._dealt:
            return None
        against = self._against
        view = images.view_of(against.game, against.buffers.states[:1], int(against.mine[0]))
        if self.render_mode == "rgb_array":
            return images.as_image(against.game, view)
        text = images.as_text(against.game, view)
        return print(text) if self.render_mode == "human" else text

    def _seen(self) -> Observation:
        self._acts.now = None if self._over else self._against.buffers.mask[0].view(np.int8)
        return self._against.seen(0)


class LegalChoices(MultiDiscrete):
    """The actions of many players; a sample is a legal move of each."""

    def __init__(self, single: LegalMoves, n: int, against: Against) -> None:
        super().__init__(np.full(n, single.n))
        self._against = against

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Any legal move in each game, each as likely, if no mask is given."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        allowed = self._against.buffers.mask
        ranks = self.np_random.random(allowed.shape, np.float32)
        return np.argmax(np.where(allowed, ranks, -1), axis=1).astype(self.dtype)


class ClewVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many games against bots; a game that ends is dealt anew in the same step. Made by `gymnasium.make_vec`.

    Observations are the environment's own arrays if `copy` is False: they change with the next step.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponents: str | Sequence[str] = RANDOM,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        seat: int | None = None,
        slots: int | None = None,
        threads: int = 1,
        copy: bool = True,
        illegal: str = "lose",
        render_mode: None = None,
    ) -> None:
        self._strict = _strict(illegal)
        spaces = spaces_of(load(game), slots)
        self.num_envs, self.copy, self.render_mode = num_envs, copy, render_mode
        self._against = Against(spaces, num_envs, opponents, players, options, seat, threads)
        single = action_space(spaces)
        self.single_action_space, self.single_observation_space = single, observation_space(spaces)
        self.action_space = LegalChoices(single, num_envs, self._against)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._dealt = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games anew; a seed stands for itself and those that follow, or each game has its own."""
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)] if _one(seed) else list(seed)  # type: ignore[operator, arg-type]
        if len(seeds) != self.num_envs:
            raise error.Error(f"There are {self.num_envs} environments, and {len(seeds)} seeds.")
        for i, own in enumerate(seeds):
            if own is not None or not self._dealt:
                drawn, _ = gymnasium.utils.seeding.np_random(own)
                self._against.seed(i, int(drawn.integers(SEEDS)))
        self._dealt = True
        self._against.deal(np.ones(self.num_envs, np.bool_))
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Make a move in each game."""
        if not self._dealt:
            raise error.ResetNeeded("Cannot call env.step() before calling env.reset()")
        against, rows = self._against, np.arange(self.num_envs)
        try:
            refused = against.act(actions, self._strict)
        except ClewError as fault:
            raise error.InvalidAction(str(fault)) from fault
        buffers = against.buffers
        done, rewards = buffers.done.copy(), buffers.reward[rows, against.mine].astype(np.float64)
        ended: dict[str, Any] = {}
        for i in np.flatnonzero(done).tolist():
            seat = int(against.mine[i])
            final: dict[str, Any] = {"seat": seat}
            final |= {"illegal": refused[i]} if i in refused else {"score": int(buffers.score[i, seat])}
            ended = self._add_info(ended, {"final_obs": against.seen(i), "final_info": final}, i)
        if done.any():
            against.deal(done)
        return self._seen(), rewards, done, np.zeros(self.num_envs, np.bool_), ended | self._info()

    def action_masks(self) -> Any:
        """The legal moves in each game."""
        return self._against.buffers.mask.copy()

    def _info(self) -> dict[str, Any]:
        return {"seat": self._against.mine.copy(), "_seat": np.ones(self.num_envs, np.bool_)}

    def _seen(self) -> Observation:
        buffers = self._against.buffers
        found: Observation = {"observation": buffers.obs, "action_mask": buffers.mask.view(np.int8)}
        if not self._against.batch.action_spec.flat:
            found["moves"] = buffers.moves
        return {name: array.copy() for name, array in found.items()} if self.copy else found


def _strict(illegal: str) -> bool:
    if illegal not in ILLEGAL:
        raise error.Error(f"What an illegal action does is {' or '.join(ILLEGAL)}, not {quoted(illegal)}.")
    return illegal == "raise"


def _one(seed: Any) -> bool:
    return seed is None or isinstance(seed, int | np.integer)


def register() -> None:
    """Make every game known to Gymnasium: clew/Palaces-v1, where 1 is the version of its rules."""
    for name in names():
        known = f"clew/{name.title().replace('_', '')}-v{load(name).version}"
        if known not in gymnasium.registry:
            gymnasium.register(
                known,
                entry_point="clew.adapters.gymnasium:ClewEnv",
                vector_entry_point="clew.adapters.gymnasium:ClewVectorEnv",
                kwargs={"game": name},
            )


register()
