"""What a game's `rules.py` provides: the functions that everything else is grown from.

These are the signatures, to be read; a template (see `kernels.specialise`) imports them to be written down in
terms of any game, and each game's own functions take their place. `s` is one record of the game's `STATE`, `v` one
of its `VIEW`, `move` one of its `MOVE` (an integer or a record). A seat is 0, 1, ...; a chair is a seat or
SPECTATOR. Parameters are known by these names: the compiler takes the types from them.
"""

from __future__ import annotations

from typing import Any

SPECTATOR = -1
LEGAL = 0

LONGEST = 0
"""The most moves that a game can take, whatever the players do."""

MOVES = 0
"""The most moves that `legal` ever lists."""

NOT_DEDUCED = ()
"""Reasons of `refusal` from which nobody concludes anything: that a player made a move, such as to draw, tells that it
was allowed; where these are the reasons against it, views and imagined worlds need not carry that. Optional."""


def deal(s: Any, rng: Any) -> None:
    """Put all luck of the game into `s`, in which the options and the players are set already."""


def start(s: Any) -> None:
    """Set the table from the deal, up to the first choice."""


def to_move(s: Any) -> int:
    """The seats that owe a move, bit i for seat i; 0 when the game is over."""
    return 0


def legal(s: Any, seat: int, out: Any) -> int:
    """Write the moves of a seat that owes one into `out`; how many there are."""
    return 0


def quick(s: Any, seat: int, out: Any) -> int:
    """Moves for playouts: like `legal`, but quick, perhaps fewer and not as good. Optional: by default `legal`.

    Listing good moves can take long where they are too many to list them all. What is listed here need not be legal
    to the letter, as long as it can be applied and leads to the end of the game.
    """
    return 0


def refusal(s: Any, seat: int, move: Any) -> int:
    """LEGAL, or the code of the reason why this move may not be made."""
    return LEGAL


def apply(s: Any, seat: int, move: Any) -> None:
    """Make a legal move, with all that follows from it."""


def ending(s: Any) -> int:
    """0 while the game goes on, else 1 + the index in ENDINGS of how it ended."""
    return 0


def result(s: Any, scores: Any, places: Any) -> None:
    """Write each seat's score and place, as if the game ended now."""


def view(s: Any, seat: int, v: Any) -> None:
    """Copy into the empty `v` what the chair `seat` knows, and nothing else."""


def imagine(v: Any, rng: Any, s: Any) -> None:
    """Fill the empty `s` with a world at random, each that the view allows being as likely."""


def cover(s: Any, seat: int) -> None:
    """Overwrite with zeros everything in `s` that the chair `seat` does not know.

    The second statement of what is secret, by subtraction: the conformance kit holds it against `view`.
    """


KERNELS = (
    "deal",
    "start",
    "to_move",
    "legal",
    "refusal",
    "apply",
    "ending",
    "result",
    "view",
    "imagine",
    "cover",
)
