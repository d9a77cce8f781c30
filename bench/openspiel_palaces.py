"""The Lost Palaces as an OpenSpiel game, `python_lost_palaces`: the rules of `palaces_python.py` behind its classes.

Chance deals: who begins, then the 100 cards one by one (hand of player 0, hand of player 1, the pile), then the site of
each palace's rare find, then the other finds site by site. After that nothing is random. Returns are the lead in
points: OpenSpiel's search makes more points with them than with 1 for a victory and -1 for a defeat, and wins as often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyspiel
from palaces_python import (
    ACTIONS,
    CARDS,
    COPIES,
    DECK,
    FINDS,
    FRESCO15,
    FRESCO20,
    HAND,
    OTHERS,
    PALACES,
    RARE,
    SITES,
    STATUE,
    WRITTEN,
    Deal,
    Palaces,
)

NAME = "python_lost_palaces"
DEALT = 1 + DECK + len(PALACES) + len(OTHERS)  # chance nodes
PER_PALACE = SITES // len(PALACES)
MOST = 700.0  # points; a lead is smaller: the best possible score is 565, the worst -120

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Python The Lost Palaces",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=len(CARDS),
    num_players=2,
    min_utility=-MOST,
    max_utility=MOST,
    utility_sum=0.0,
    max_game_length=DECK - 2 * HAND,
)


class PalacesGame(pyspiel.Game):
    """The game, as OpenSpiel loads it by name."""

    def __init__(self, params: dict | None = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self) -> PalacesState:
        """Before the deal."""
        return PalacesState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> PalacesObserver:
        """How OpenSpiel's C++ side gets at the strings."""
        return PalacesObserver(getattr(iig_obs_type, "perfect_recall", False))


class PalacesObserver:
    """Strings and no tensors."""

    tensor = None

    def __init__(self, perfect_recall: bool) -> None:
        self.dict: dict[str, object] = {}
        self.perfect_recall = perfect_recall

    def set_from(self, state: PalacesState, player: int) -> None:
        """There is no tensor to write."""

    def string_from(self, state: PalacesState, player: int) -> str:
        """What a player knows."""
        return state.information_state_string(player) if self.perfect_recall else state.observation_string(player)


class PalacesState(pyspiel.State):
    """The deal while it goes on, then the game."""

    def __init__(self, game: PalacesGame) -> None:
        super().__init__(game)
        self.dealt: tuple[int, ...] = ()
        self.table: Palaces | None = None

    def current_player(self) -> int:
        """Who moves: chance, a player, or nobody any more."""
        table = self.table
        if table is None:
            return pyspiel.PlayerId.CHANCE
        if table.over:
            return pyspiel.PlayerId.TERMINAL
        return (table.first + len(table.log)) & 1

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table is not None and self.table.over

    def is_chance_node(self) -> bool:
        """Whether cards and finds are still being dealt."""
        return self.table is None

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The moves, in ascending order; straight from the rules, where OpenSpiel would ask back and forth."""
        table = self.table
        if table is None or table.over or player not in (None, table.turn):
            return super().legal_actions() if player is None else super().legal_actions(player)
        return table.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What can be dealt next: a player, a card, the site of a rare find, or another find."""
        number = len(self.dealt)
        if number == 0:
            return [(0, 0.5), (1, 0.5)]
        if number <= DECK:
            return _chances(COPIES, self.dealt[1:])
        number -= 1 + DECK
        if number < len(PALACES):
            return [(site, 1 / PER_PALACE) for site in range(PER_PALACE)]
        return _chances([OTHERS.count(find) for find in range(len(FINDS))], self.dealt[1 + DECK + len(PALACES) :])

    def _apply_action(self, action: int) -> None:
        if self.table is not None:
            self.table.play(action)
            return
        self.dealt = (*self.dealt, action)
        if len(self.dealt) == DEALT:
            self.table = Palaces(_deal(self.dealt))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else WRITTEN[action]

    def returns(self) -> list[float]:
        """PAL-18: the lead in points."""
        if not self.is_terminal():
            return [0.0, 0.0]
        lead = float(self.table.standing(0)[0] - self.table.standing(1)[0])
        return [lead, -lead]

    def information_state_string(self, player: int | None = None) -> str:
        """PAL-20: the own hand, everything played, and what was dug up.

        In which order the own cards came bears on nothing to come, and is left out.
        """
        table = self.table
        if table is None:
            return "the deal"
        seat = self.current_player() if player is None else player
        return f"{seat} {table.first} | {table.hand_text(seat)} | {table.log_text()} | {table.finds_text()}"

    def observation_string(self, player: int | None = None) -> str:
        """What lies on the table now, and which cards are gone, in no order."""
        table = self.table
        if table is None:
            return "the deal"
        seat = self.current_player() if player is None else player
        gone = " ".join([CARDS[card] for card in sorted([action % len(CARDS) for action in table.log])])
        board = f"{table.pawns} {table.steps} {table.last} {table.dug}"
        return f"{seat} {table.turn} | {table.hand_text(seat)} | {gone} | {board} | {table.finds_text()}"

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> PalacesState:
        """A state at random among those that the player cannot tell from this one."""
        state = ImaginedState(self.get_game())
        state.table = self.table.resample(player_id, probability_sampler)
        return state

    def __str__(self) -> str:
        if self.table is None:
            return f"deal {self.dealt}"
        return "\n".join(self.information_state_string(player) for player in range(2))


class ImaginedState(PalacesState):
    """A state that a search made up. Its deal never happened, so it keeps no history, which makes it quicker."""

    def clone(self) -> ImaginedState:
        """A copy without OpenSpiel's detour over all attributes."""
        state = ImaginedState(self.get_game())
        state.table = self.table.copy()
        return state

    def apply_action(self, action: int) -> None:
        """Make a legal move."""
        self.table.play(action)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The moves of the one to move."""
        return self.table.legal()


def _chances(copies: list[int], gone: tuple[int, ...]) -> list[tuple[int, float]]:
    """What is left, each with its share."""
    left = [count - gone.count(thing) for thing, count in enumerate(copies)]
    return [(thing, count / sum(left)) for thing, count in enumerate(left) if count]


def _deal(dealt: tuple[int, ...]) -> Deal:
    """The deal that chance made."""
    cards = dealt[1 : 1 + DECK]
    rares = dealt[1 + DECK : 1 + DECK + len(PALACES)]
    others = iter(dealt[1 + DECK + len(PALACES) :])
    finds = [RARE if site % PER_PALACE == rares[site // PER_PALACE] else next(others) for site in range(SITES)]
    return Deal(dealt[0], (cards[:HAND], cards[HAND : 2 * HAND]), cards[2 * HAND :], finds)


def chance_actions(deal: Deal) -> Iterator[int]:
    """What chance has to do for a given deal."""
    yield deal.first
    yield from (*deal.hands[0], *deal.hands[1], *deal.pile)
    for begin in range(0, SITES, PER_PALACE):
        yield list(deal.finds[begin : begin + PER_PALACE]).index(RARE)
    yield from (find for find in deal.finds if find in (STATUE, FRESCO15, FRESCO20))


pyspiel.register_game(GAME_TYPE, PalacesGame)
