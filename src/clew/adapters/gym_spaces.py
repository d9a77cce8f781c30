"""The spaces of a game as Gymnasium has them; PettingZoo takes the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clew.adapters.spaces import ABSENT, Floats32, ObservationSpec, Spaces
from clew.core.observe import MOST_CELLS

try:
    from gymnasium import spaces as gym
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("This needs Gymnasium: pip install clew[gymnasium]") from missing

# `Any` in signatures here: what Gymnasium leaves open.

Observation = dict[str, npt.NDArray[Any]]


class LegalMoves(gym.Discrete):
    """The actions of a seat. A sample is a move that the seat may make now, where it owes one and no mask is given."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.now: npt.NDArray[np.int8] | None = None  # the mask, as long as the seat owes a move

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Any action of those allowed, each as likely."""
        own = self.now if mask is None and probability is None else mask
        return super().sample(own, probability)


def action_space(spaces: Spaces) -> LegalMoves:
    """The actions of one seat."""
    return LegalMoves(spaces.actions.size)


def observation_space(spaces: Spaces) -> gym.Dict:
    """What a seat observes: its features, which actions it may take, and the parts of the moves in a list."""
    low, high = bounds(spaces.observations)
    parts: dict[str, gym.Space[Any]] = {
        "observation": gym.Box(low, high, dtype=np.float32),
        "action_mask": gym.Box(0, 1, (spaces.actions.size,), np.int8),
    }
    if not spaces.actions.flat:
        told = [(min(part.low, ABSENT), part.high) if raw else (ABSENT, part.size - 1) for part, raw in _parts(spaces)]
        shape = (spaces.actions.size, len(told))
        least, most = (np.broadcast_to(np.array(row, np.int32), shape) for row in zip(*told))
        parts["moves"] = gym.Box(least, most, dtype=np.int32)
    return gym.Dict(parts)


def _parts(spaces: Spaces) -> list[tuple[Any, bool]]:
    """The parts of moves, and whether they are told as they are, as those of a record."""
    return [(part, spaces.game.move_type.names is not None) for part in spaces.actions.parts]


def bounds(observations: ObservationSpec) -> tuple[Floats32, Floats32]:
    """The least and the greatest value of each feature: what is counted or added up in a list may be more than 1."""
    layout = observations.layout
    low, high = np.zeros(layout.size, np.float32), np.ones(layout.size, np.float32)
    for block in layout.blocks:
        group = layout.groups[block.group]
        for part in range(group.parts):
            first = group.first + part * group.size + block.first
            own = slice(first, first + block.size)
            if block.encoding in ("bins", "number") and not block.name.endswith(" rank"):
                low[own] = -1
            if block.encoding in ("count", "number"):
                high[own] = MOST_CELLS
    return low, high
