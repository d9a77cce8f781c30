"""The tables a game can be played at: every number of players, every option at its extremes, some mixtures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clew.core.errors import BadOption
from clew.core.game import Game
from clew.core.options import Choice, Option, Value, read_options
from clew.core.rng import below, stream
from clew.core.table import set_up

MIXTURES = 3  # for each number of players


@dataclass(frozen=True)
class Setup:
    """A number of players and a value for each option."""

    players: int
    options: tuple[tuple[str, Value], ...]
    default: bool

    def __str__(self) -> str:
        return " ".join([f"players={self.players}", *(f"{name}={value}" for name, value in self.options)])


def setups(game: Game) -> list[Setup]:
    """The tables to try, those with default options first, without those that the game refuses to lay."""
    defaults = {option.name: option.default for option in game.options}
    found: dict[tuple[int, tuple[tuple[str, Value], ...]], Setup] = {}
    counts = range(game.players[0], game.players[1] + 1)
    for chosen, default in ((defaults, True), *((other, False) for other in _others(game, defaults))):
        for players in counts:
            options = tuple(read_options(game.title, game.options, chosen).items())
            try:
                set_up(game, players, chosen)
            except BadOption:
                continue
            found.setdefault((players, options), Setup(players, options, default))
    return list(found.values())


def _others(game: Game, defaults: dict[str, Value]) -> Iterator[dict[str, Value]]:
    for option in game.options:
        for value in _extremes(option):
            yield {**defaults, option.name: value}
    rng = stream(0, "check setups")
    for _ in range(MIXTURES if len(game.options) > 1 else 0):
        yield {option.name: _any(option, rng) for option in game.options}


def _extremes(option: Option) -> tuple[Value, ...]:
    return option.values if isinstance(option, Choice) else (option.low, option.high)


def _any(option: Option, rng: object) -> Value:
    if isinstance(option, Choice):
        return option.values[below(rng, len(option.values))]
    return option.low + below(rng, option.high - option.low + 1)
