"""PettingZoo: any game as an environment of agents that move in turn (AEC).

    from clew.adapters import pettingzoo

    env = pettingzoo.env("palaces", render_mode="ansi")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

An observation is made from the agent's view and nothing else. It has `observation`, the features; `action_mask`, what
the agent may do, all zeros while it owes no move; and where moves are too many for a number each, `moves`, the parts
of those in the list whose index is the action.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clew.adapters import images
from clew.adapters.buffers import Buffers, Scratch, bind
from clew.adapters.gym_spaces import LegalMoves, Observation, action_space, observation_space
from clew.adapters.spaces import ABSENT, spaces_of
from clew.core.errors import BadOption, IllegalMove, quoted
from clew.core.game import Game, load
from clew.core.knowledge import look, plain
from clew.core.options import Value
from clew.core.protocol import SPECTATOR
from clew.core.rng import stream
from clew.core.seeds import read_seed
from clew.core.table import set_up

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.env_logger import EnvLogger
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("This needs PettingZoo: pip install clew[pettingzoo]") from missing

# `Any` in signatures here: what PettingZoo leaves open.

MODES = ("human", "ansi", "rgb_array")


class ClewEnv(AECEnv):  # type: ignore[misc]
    """One game of any kind; made by `env`."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        slots: int | None = None,
        render_seat: int | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise BadOption(f"The render mode is {', '.join(MODES)}, not {quoted(render_mode)}.", "render_mode")
        if max_cycles is not None and (not isinstance(max_cycles, int) or max_cycles < 1):
            raise BadOption(f"The most cycles are a whole number from 1 on, not {quoted(max_cycles)}.", "max_cycles")
        self.game = game
        spaces = spaces_of(game, slots)
        spaces.ready()
        blank = set_up(game, players, options)[1]
        count = int(blank["players"][0])
        if render_seat is not None and render_seat not in range(count):
            raise BadOption(f"A seat is a number from 0 to {count - 1}, not {quoted(render_seat)}.", "render_seat")
        self._chair = SPECTATOR if render_seat is None else render_seat
        self.metadata = {
            "name": f"clew_{game.name}_v{game.version}",
            "render_modes": list(MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces, self._flat = spaces, spaces.actions.flat
        self._observes = {agent: observation_space(spaces) for agent in self.possible_agents}
        self._acts = {agent: action_space(spaces) for agent in self.possible_agents}
        self._most = None if max_cycles is None else max_cycles * count  # moves
        self._buffers, scratch = Buffers(spaces, 1, blank), Scratch(spaces)
        made = vars(spaces.kernels)
        self._begin = bind(made["begin"], self._buffers, scratch, "low", "high")
        self._refused = bind(made["first_refused"], self._buffers, scratch, "low", "high")
        self._advance = bind(made["advance"], self._buffers, scratch, "low", "high", "again")
        self._show = bind(made["show"], self._buffers, scratch, "low", "high")
        self._look_at = bind(made["look_at"], self._buffers, scratch, "i", "chair", "row")
        self._dealt, self._moves = False, 0

    def observation_space(self, agent: str) -> Any:
        """What an agent observes."""
        return self._observes[agent]

    def action_space(self, agent: str) -> LegalMoves:
        """What an agent may do."""
        return self._acts[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: that of a seed, or the next one."""
        if seed is not None or not self._dealt:
            self._buffers.rngs[0] = stream(read_seed(seed))
        self._dealt, self._moves = True, 0
        self._buffers.actions[0] = 0
        self._begin(0, 1)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._over = False
        for space in self._acts.values():
            space.now = None
        self._select()

    def step(self, action: Any) -> None:
        """Make the move of the agent that is to move; after the end each agent takes leave with None."""
        if not self._dealt:
            EnvLogger.error_step_before_reset()
        if self._over:
            if self.agents:
                self._was_dead_step(action)
            else:
                EnvLogger.warn_step_after_terminated_truncated()
            return
        agent, buffers = self.agent_selection, self._buffers
        try:
            chosen = operator.index(action)
        except TypeError:
            chosen = -1
        assert 0 <= chosen < self._spaces.actions.size, (
            f"The action {action!r} of {agent} is not in its action space, {self._acts[agent]}."
        )
        buffers.actions[0] = chosen
        if self._refused(0, 1) >= 0:
            raise self._refusal(chosen)
        self._acts[agent].now = None
        self._advance(0, 1, False)
        self._moves += 1
        if buffers.done[0]:
            self._end(self.terminations)
            for seat, name in enumerate(self.possible_agents):
                self.rewards[name] = self._cumulative_rewards[name] = float(buffers.reward[0, seat])
                self.infos[name] = {"score": int(buffers.score[0, seat])}
        elif self._most is not None and self._moves >= self._most:
            self._end(self.truncations)
        else:
            self._select()

    def _select(self) -> None:
        agent = self.agent_selection = self.possible_agents[self._buffers.seats[0]]
        self._acts[agent].now = self._buffers.mask[0].view(np.int8)

    def _end(self, how: dict[str, bool]) -> None:
        """All agents are done at the same time; the first of them takes leave first."""
        self._over = True
        for agent in self.agents:
            how[agent] = True
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and may do if it is to move: arrays of its own."""
        if not self._dealt:
            EnvLogger.error_observe_before_reset()
        buffers, seat = self._buffers, self._seats[agent]
        if seat == buffers.seats[0] and not self._over:
            seen = {"observation": buffers.obs[0].copy(), "action_mask": buffers.mask[0].view(np.int8).copy()}
            if not self._flat:
                seen["moves"] = buffers.moves[0].copy()
            return seen
        row = np.empty(buffers.obs.shape[1], np.float32)
        self._look_at(0, seat, row)
        seen = {"observation": row, "action_mask": np.zeros(buffers.mask.shape[1], np.int8)}
        if not self._flat:
            seen["moves"] = np.full_like(buffers.moves[0], ABSENT)
        return seen

    def render(self) -> Any:
        """The table as somebody who watches sees it, or the seat `render_seat`: printed, as a text or as an image."""
        if not self._dealt:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            return None
        view = images.view_of(self.game, self._buffers.states[:1], self._chair)
        if self.render_mode == "rgb_array":
            return images.as_image(self.game, view)
        text = images.as_text(self.game, view)
        return print(text) if self.render_mode == "human" else text

    def close(self) -> None:
        """There is nothing to be closed: no window, no file."""

    def written(self) -> dict[int, str]:
        """The actions of the agent that is to move, each with its move as it is written."""
        buffers, game = self._buffers, self.game
        if self._over:
            return {}
        seat, states = int(buffers.seats[0]), buffers.states[:1]
        v = plain(look(game, states, seat))
        moves = self._spaces.choices(states, seat).moves
        codes = moves.tolist() if not moves.dtype.names else list(moves.view(np.recarray))
        actions = codes if self._flat else range(len(codes))
        return {int(action): game.words.write(code, v) for action, code in zip(actions, codes)}

    def _refusal(self, action: int) -> Exception:
        """Why this move may not be made."""
        buffers = self._buffers
        seat, count = int(buffers.seats[0]), int(buffers.counts[0])
        if not self._flat:
            return BadOption(
                f"There is no action {action} now: the list has {count} move{'s' * (count != 1)}.", "action"
            )
        reason = self.game.kernels.refusal(buffers.states[0], seat, action)
        seen = plain(look(self.game, buffers.states[:1], seat))
        rule, sentence, *_ = self.game.words.explain(reason, action, seen)
        return IllegalMove(rule, f"Action {action} may not be taken. {sentence}")


def env(game: str | Path | Game, **settings: Any) -> ClewEnv:
    """A game as an AEC environment.

    Settings are `players`, `options`, `render_mode` ("human", "ansi" or "rgb_array"), `render_seat` (by default
    somebody who watches), `max_cycles` (after so many moves a player the game is truncated) and `slots` (of a list).
    """
    return ClewEnv(game if isinstance(game, Game) else load(game), **settings)


raw_env = env


def parallel_env(game: str | Path | Game, max_cycles: int | None = None, **settings: Any) -> ParallelEnv:
    """The same for code that gives all actions at once: that of the agent to move counts, and a cycle is a move."""
    made = env(game, **settings)
    made._most = max_cycles
    return turn_based_aec_to_parallel(made)
