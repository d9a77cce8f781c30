"""The types that signatures are written in where Python has no better: each tells why it is `Any`."""

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

# Rows of numbers: a field of a record, an array or a list. Compiled rules take any; they have no common type.
Numbers: TypeAlias = Any
Generator: TypeAlias = Any  # of random numbers: an array whose shape tells the compiler which of two it is

# What Numba and NumPy hand over: dispatchers, types, compile results and record types have no public or exact types.
Compiler: TypeAlias = Any
Dtype: TypeAlias = np.dtype[Any]

# Kernels are made for each game from templates, so what they take and return stands in the templates alone.
Kernel: TypeAlias = Callable[..., Any]

# Plain data, in and out: a view, whose table is the game's own, and results that others print or send.
ViewData: TypeAlias = Mapping[str, Any]
Json: TypeAlias = dict[str, Any]
Draft: TypeAlias = Any  # what a game's `draft` makes of a play in the making

Integers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Words: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.uint8]  # moves as rows of integers
