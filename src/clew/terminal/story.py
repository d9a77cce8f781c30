"""The story of a record in a file, or the sentence why there is none."""

from __future__ import annotations

from clew.core.errors import BadRecord, ClewError, UnknownGame
from clew.core.game import load
from clew.core.story import Story
from clew.terminal import saves

ELSEWHERE = "Is it in a folder? --game PATH names that."


def read_story(file: str, upto: int | None = None, game: str | None = None, verify: bool = False) -> Story:
    """The story of a record's file, '-' for standard input."""
    text = saves.read(file)
    try:
        return Story(text, upto, load(game) if game else None, verify)
    except BadRecord as error:
        advice = f" {ELSEWHERE}" if isinstance(error.__cause__, UnknownGame) else ""
        raise ClewError(f"{'standard input' if file == '-' else file}: {error}{advice}") from error
