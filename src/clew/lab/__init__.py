"""What a rule does to a game, with error bars: many games are played, and what designers ask is measured.

`clew.lab("palaces", games=1000)` plays and gives a `Report`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Lab(ModuleType):
    """The package can be called, as `clew.lab(...)`."""

    def __call__(self, *given: Any, **named: Any) -> Any:  # as `clew.lab.runs.lab` has them
        from clew.lab.runs import lab

        return lab(*given, **named)


sys.modules[__name__].__class__ = _Lab
