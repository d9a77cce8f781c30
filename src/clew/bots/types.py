"""The types that the signatures of bots are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

# Records are Any: their fields are those that a game declares in STATE, VIEW and MOVE, which only the game knows.
State: TypeAlias = Any
States: TypeAlias = Any  # an array of them, as of the others below
ViewRecord: TypeAlias = Any
ViewRecords: TypeAlias = Any
MoveCode: TypeAlias = Any  # an integer in most games, else a record
MoveCodes: TypeAlias = Any

# Kernels are made for each game from templates, so what they take and return stands in the templates alone.
Kernel: TypeAlias = Callable[..., Any]

# Plain data, in and out: a view, whose table is the game's own, and results that others print or send.
ViewData: TypeAlias = Mapping[str, Any]
Json: TypeAlias = dict[str, Any]

Integers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Words: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.uint8]  # moves as rows of integers
