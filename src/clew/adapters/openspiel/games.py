"""OpenSpiel's classes around a position of a game.

Chance is explicit, and comes before everything else. With `chance=seed` it draws a seed, byte by byte, and the game is
dealt by it: eight nodes of 256 outcomes for a number of deals that nobody could list. With `chance=deal`, for games
with few deals, it is one node with all of them and their exact odds, so that the whole game can be searched.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from clew.adapters.openspiel import PREFIX
from clew.adapters.openspiel.deals import all_deals
from clew.adapters.openspiel.positions import LARGEST_TENSOR, Position, Setting, first
from clew.core.errors import ClewError
from clew.core.game import Game, load
from clew.core.protocol import SPECTATOR

# `Any` in signatures here: OpenSpiel's classes have no types.

BYTES, OUTCOMES = 8, 256
DEALING = "the deal"


def register_game(name: str | Path) -> str:
    """Make a game known to OpenSpiel; its name there."""
    game = load(name)
    known = f"{PREFIX}{game.name}"
    if known not in pyspiel.registered_names():
        kind = _type(known, game)

        # A class: OpenSpiel lets go of what it registered when the interpreter is gone, which ends in a crash for
        # whatever is freed by that. A class is not.
        class Registered(ClewGame):
            def __init__(self, params: dict[str, Any] | None = None) -> None:
                super().__init__(kind, game, params or {})

        pyspiel.register_game(kind, Registered)
    return known


def _type(known: str, game: Game) -> Any:
    least = Setting(game, max(2, game.players[0]), None)
    return pyspiel.GameType(
        short_name=known,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=max(2, game.players[0]),
        provides_information_state_string=True,
        provides_information_state_tensor=least.remembered <= LARGEST_TENSOR,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": least.players,
            "chance": least.chance,
            "returns": least.returns,
            **{option.name: option.default for option in game.options},
        },
    )


class ClewGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Clew's, as OpenSpiel loads it by name."""

    def __init__(self, kind: Any, game: Game, params: dict[str, Any]) -> None:
        given = {name: value for name, value in params.items() if name not in ("players", "chance", "returns")}
        chance, returns = str(params.get("chance", "seed")), str(params.get("returns", "victory"))
        self.setting = Setting(game, params.get("players", max(2, game.players[0])), given, chance, returns)
        self.deals: list[tuple[Position, float]] = []
        if chance == "deal":
            for dealt, share in all_deals(game, self.setting.blank):
                states = np.frombuffer(bytearray(dealt), game.state_type)
                self.deals.append((first(self.setting, states), float(share)))
        low, high = self.setting.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.actions,
            max_chance_outcomes=len(self.deals) or OUTCOMES,
            num_players=self.setting.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0,
            max_game_length=int(game.rules.LONGEST),
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> ClewState:
        """Before the deal."""
        return ClewState(self)

    def max_chance_nodes_in_history(self) -> int:
        """How often chance draws: all of it in the deal."""
        return 1 if self.deals else BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ClewObserver:
        """What turns positions into strings and tensors."""
        return ClewObserver(self.setting, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class ClewState(pyspiel.State):  # type: ignore[misc]
    """The deal, and then a position."""

    def __init__(self, game: ClewGame) -> None:
        super().__init__(game)
        self.drawn: tuple[int, ...] = ()
        self.at: Position | None = None

    def current_player(self) -> int:
        """Who moves: chance, a seat, or nobody any more."""
        if self.at is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.at.over else self.at.seat

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.at is not None and self.at.over

    def is_chance_node(self) -> bool:
        """Whether it is being dealt."""
        return self.at is None

    def _legal_actions(self, player: int) -> list[int]:
        return self.at.legal() if self.at is not None and player == self.at.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next byte of the seed, or all deals."""
        if self.at is not None:
            raise ClewError("There is no chance after the deal.")
        deals = self.get_game().deals
        if deals:
            return [(number, chance) for number, (_, chance) in enumerate(deals)]
        return [(byte, 1 / OUTCOMES) for byte in range(OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        if self.at is not None:
            self.at = self.at.after(action)
            return
        game = self.get_game()
        if not 0 <= action < (len(game.deals) or OUTCOMES):
            raise ClewError(f"Chance has no outcome {action}.")
        self.drawn = (*self.drawn, action)
        if game.deals:
            self.at = game.deals[action][0]
        elif len(self.drawn) == BYTES:
            self.at = game.setting.dealt(int.from_bytes(bytes(self.drawn), "big"))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.at.written(action) if self.at is not None else f"{DEALING} {action}"

    def returns(self) -> list[float]:
        """What each seat gets."""
        return self.at.results() if self.at is not None else [0.0] * self.num_players()

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> ImaginedState:
        """A state at random among those that the player cannot tell from this one."""
        if self.at is None:
            raise ClewError("Nothing is dealt yet: there is nothing to be imagined.")
        state = ImaginedState(self.get_game())
        state.at = self.at.imagined(player_id, int(probability_sampler() * (1 << 53)))
        return state

    def __str__(self) -> str:
        if self.at is None:
            return f"{DEALING} {' '.join(map(str, self.drawn))}".strip()
        return f"dealt {' '.join(map(str, self.drawn))}; {'; '.join(self.at.did)}"


class ImaginedState(ClewState):
    """A state that somebody imagined. Its deal never happened, so it has no history and cannot be written down."""

    def clone(self) -> ImaginedState:
        """A copy; OpenSpiel's own would begin with the deal."""
        state = ImaginedState(self.get_game())
        state.at = self.at
        return state

    def serialize(self) -> str:
        """Refused: OpenSpiel would write down a history that never was."""
        raise ClewError("An imagined state has no history, so it cannot be written down.")

    def __str__(self) -> str:
        return f"imagined; {'; '.join(self.at.did)}" if self.at is not None else DEALING


class ClewObserver:
    """What a chair knows, as OpenSpiel's observers give it: for one seat, or for who only watches."""

    def __init__(self, setting: Setting, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"Observations have no parameters, and these were given: {params}.")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("There is no observation of all hands: a seat sees its own.")
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = bool(kind.perfect_recall) and self._own
        size = setting.remembered if self._recalls else setting.observed
        self.tensor = np.zeros(size, np.float32) if size <= LARGEST_TENSOR else None
        self.dict = {} if self.tensor is None else {"decisions" if self._recalls else "view": self.tensor}

    def set_from(self, state: ClewState, player: int) -> None:
        """Write the tensor."""
        if self.tensor is None:
            raise ValueError(f"An information state of this game has more than {LARGEST_TENSOR} numbers.")
        self.tensor.fill(0)
        if state.at is None:
            return
        if self._recalls:
            state.at.remember(player, self.tensor)
        else:
            state.at.observe(player if self._own else SPECTATOR, self.tensor)

    def string_from(self, state: ClewState, player: int) -> str:
        """The string."""
        if state.at is None:
            return DEALING
        if self._recalls:
            return state.at.information_state(player)
        return json.dumps(
            state.at.observation(player if self._own else SPECTATOR), default=lambda number: number.item()
        )
