"""Clew: games with hidden information, each written once as rules.

>>> import clew
>>> t = clew.new("palaces", players=2, seed=7)
>>> t.to_move
(0,)
>>> t.outcome is None
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.bots.bot import Bot, bot
    from clew.core.errors import (
        BadDeal,
        BadOption,
        BadRecord,
        CannotUndo,
        ClewError,
        IllegalMove,
        UnknownGame,
    )
    from clew.core.game import names as games
    from clew.core.records import replay
    from clew.core.table import Outcome, Table, new

__version__ = "0.1.0"
__all__ = [
    "BadDeal",
    "BadOption",
    "BadRecord",
    "Bot",
    "CannotUndo",
    "ClewError",
    "IllegalMove",
    "Outcome",
    "Table",
    "UnknownGame",
    "bot",
    "games",
    "new",
    "replay",
]

# Loaded when first asked for: `clew --help` must not wait for a compiler.
_HOMES = {
    "bot": ("clew.bots.bot", "bot"),
    "Bot": ("clew.bots.bot", "Bot"),
    "new": ("clew.core.table", "new"),
    "Table": ("clew.core.table", "Table"),
    "Outcome": ("clew.core.table", "Outcome"),
    "replay": ("clew.core.records", "replay"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'clew' has no attribute {name!r}")
    if name == "games":
        return import_module("clew.games")
    module, thing = _HOMES.get(name, ("clew.core.errors", name))
    return getattr(import_module(module), thing)
