"""How a pickled table comes back: dealt and played anew by the rules that are here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.core.errors import BadRules
from clew.core.game import Game
from clew.core.options import Value
from clew.core.table import Table, new, new_from_deal


def laid_anew(
    game: Game,
    version: int,
    options: dict[str, Value],
    players: int,
    seed: int | None,
    salt: str | None,
    deal: Mapping[str, str] | None,
    names: Sequence[str],
    moves: Sequence[tuple[int, str]],
) -> Table:
    """The table that was pickled."""
    kept = game.in_version(version)
    if kept is None:
        raise BadRules(f"The table was pickled with rules {version} of {game.title}; here are rules {game.version}.")
    if deal is None:
        table = new(kept, players, seed, options, names, salt)
    else:
        table = new_from_deal(kept, players, options, deal, names)
    for seat, move in moves:
        table.make(move, seat)
    return table
