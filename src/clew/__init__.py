"""Clew: games with hidden information, each written once as rules.

`games()` names them, `new` deals a table, `replay` leads a record back to its table, `bot` makes a player, and `batch`
plays many games at once as arrays. Whatever goes wrong on purpose is a `ClewError`, a `ValueError` with one sentence.

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
    from clew.adapters.batch import Batch, batch
    from clew.bots.bot import Bot, bot
    from clew.bots.search import Limits
    from clew.core.errors import (
        BadDeal,
        BadOption,
        BadRecord,
        BadRules,
        BadView,
        CannotUndo,
        ClewError,
        IllegalMove,
        UnknownBot,
        UnknownGame,
    )
    from clew.core.game import names as games
    from clew.core.moments import Outcome
    from clew.core.moves import Move
    from clew.core.notebook import Picture, picture
    from clew.core.records import replay
    from clew.core.table import Table, new
    from clew.lab.runs import lab

__version__ = "0.1.0"
__all__ = [
    "BadDeal",
    "BadOption",
    "BadRecord",
    "BadRules",
    "BadView",
    "Batch",
    "Bot",
    "CannotUndo",
    "ClewError",
    "IllegalMove",
    "Limits",
    "Move",
    "Outcome",
    "Picture",
    "Table",
    "UnknownBot",
    "UnknownGame",
    "batch",
    "bot",
    "games",
    "lab",
    "new",
    "picture",
    "replay",
]

# Loaded when first asked for: `clew --help` must not wait for a compiler.
_HOMES = {
    "batch": ("clew.adapters.batch", "batch"),
    "Batch": ("clew.adapters.batch", "Batch"),
    "bot": ("clew.bots.bot", "bot"),
    "Bot": ("clew.bots.bot", "Bot"),
    "Limits": ("clew.bots.search", "Limits"),
    "Move": ("clew.core.moves", "Move"),
    "new": ("clew.core.table", "new"),
    "Table": ("clew.core.table", "Table"),
    "Outcome": ("clew.core.table", "Outcome"),
    "picture": ("clew.core.notebook", "picture"),
    "Picture": ("clew.core.notebook", "Picture"),
    "replay": ("clew.core.records", "replay"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'clew' has no attribute {name!r}")
    if name in ("games", "lab"):
        return import_module(f"clew.{name}")
    module, thing = _HOMES.get(name, ("clew.core.errors", name))
    return getattr(import_module(module), thing)


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
