"""The games, a folder each: rules.py, words.py, picture.py and rules.md. Called, it names them: `clew.games()`."""

import sys
from types import ModuleType


class _Games(ModuleType):
    # The surface has `clew.games()` and Python has the package `clew.games`: one object serves as both.
    def __call__(self) -> tuple[str, ...]:
        """The names of the games there are, installed ones included."""
        from clew.core.game import names

        return names()


sys.modules[__name__].__class__ = _Games
