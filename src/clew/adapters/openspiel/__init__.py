"""Clew's games as OpenSpiel's: `register()`, and `pyspiel.load_game("clew_palaces")`.

`deals.py` makes luck explicit, `positions.py` is a game as OpenSpiel asks for it, `games.py` its classes around that.
Only the last needs OpenSpiel.
"""

from __future__ import annotations

from pathlib import Path

from clew.core.errors import ClewError
from clew.core.game import names

PREFIX = "clew_"
MISSING = "This needs OpenSpiel, which is not installed here: pip install 'clew[openspiel]'."


def register(*games: str | Path) -> tuple[str, ...]:
    """Make games known to OpenSpiel, by default all that are installed; the names by which it loads them.

    A game in a folder is given by its path. Doing it again does no harm.
    """
    try:
        from clew.adapters.openspiel.games import register_game
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pyspiel", "open_spiel"):
            raise
        raise ClewError(MISSING) from None
    return tuple(register_game(game) for game in games or names())
