"""The engine's own sampler: worlds that agree with everything a chair saw, for any game that declares its pieces.

It knows nothing but the rules. A guessed deal is changed by swapping pieces until a replay of all moves shows the chair
what it saw; from there it walks among such deals by further swaps (Metropolis and Hastings), each world as likely as
`imagine` must have it (see `clew.core.protocol`): by pieces, and moves made in secret drawn anew. That takes thousands
of replays. It is for holding an `imagine` against, not for bots.

What is exact is the limit of long walks. Where possible deals fall into parts that no swap joins, restarts see several
of them, but not each as often as it is large. Of a move that plays several pieces of one kind at once it is not counted
which of them they may have been.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from clew.core import kernels, walks
from clew.core.deal_layout import DealLayout, fits_of, layout_of
from clew.core.errors import NoWorlds
from clew.core.game import Game
from clew.core.kernels import rule
from clew.core.protocol import KERNELS, LEGAL
from clew.core.rng import stream
from clew.core.table import Table

# `Any` in signatures here: arrays of a game's records, whose types only the game knows, and what Numba makes of rules.

BUDGET = 1_000_000  # tries without finding a world
SPACING, LEAST_SPACING = 8, 60  # steps between two worlds: for each place, and at least
RESTART = 25  # worlds of one walk
BURN_IN = 4  # spacings before the first of them


@dataclass(frozen=True)
class Worlds:
    """Worlds that a chair could not tell from the true one, and what it took to find them."""

    states: Any
    tries: int  # deals tried to find the first world of each walk
    steps: int  # of all walks
    kept: int  # steps that changed something
    walks: int  # each from a guess of its own
    failed: int  # climbs that found nothing

    @property
    def acceptance(self) -> float:
        """The share of steps that changed something."""
        return self.kept / max(1, self.steps)

    def __str__(self) -> str:
        return (
            f"{len(self.states)} worlds from {self.walks} walks ({self.failed} more found none): {self.tries} tries, "
            f"{self.steps} steps, of which {100 * self.acceptance:.1f} % were kept"
        )


def worlds(
    table: Table,
    chair: int,
    count: int,
    seed: int,
    *,
    spacing: int = 0,
    restart: int = RESTART,
    budget: int = BUDGET,
    most: int = 0,
) -> Worlds:
    """So many worlds from what a chair (a seat or SPECTATOR) saw at a table; the same for the same seed.

    There are `spacing` steps from one to the next (0: by the size of the deal), and after `restart` of them a new walk
    begins. After so many tries and steps as `most` says (0: no end) there are as many worlds as were found till then.
    Raises NoWorlds where the tries of the `budget` found none for a walk, or the game cannot be sampled so.

    >>> from clew.core.table import new
    >>> table = new("palaces", seed=7)
    >>> found = worlds(table, 1, 3, seed=0)
    >>> [bool((world.hand[1] == table._states[0][0].hand[1]).all()) for world in found.states]
    [True, True, True]
    >>> len({world.hand[0].tobytes() for world in found.states}), found.walks
    (3, 1)
    """
    layout = layout_of(table.game, tuple(table.options.items()), table.players)
    search = _Search(table, chair, layout, stream(seed, "worlds"))
    if len(search.unseen) and not table.game.listed_in_full:
        raise NoWorlds(f"{table.game.title} does not list all moves, so hidden ones cannot be drawn.")
    steps = spacing or max(LEAST_SPACING, SPACING * (len(layout.places) + len(search.unseen)))
    states = table.game.states(count)
    tries = walked = kept = begun = failed = 0
    for i in range(count):
        if i and most and tries + walked >= most:
            states = states[:i]
            break
        if i % restart == 0:
            spent, allowed, misled = 0, min(budget, most or budget), False
            while True:
                took = search.climb(allowed - spent, misled)
                tries += abs(took)
                spent += abs(took)
                if took > 0:
                    break
                failed, misled = failed + 1, not misled
                if spent >= allowed:
                    raise NoWorlds(
                        f"No world of {table.game.title} was found that explains what the chair saw in "
                        f"{table.length} moves: {spent} deals were tried."
                    )
            begun += 1
            kept += search.walk(BURN_IN * steps)
            walked += BURN_IN * steps
        kept += search.walk(steps)
        walked += steps
        states[i : i + 1] = search.world
    return Worlds(states, tries, walked, kept, begun, failed)


def cost(table: Table, chair: int, tries: int = 500) -> float:
    """The seconds that a try, and about as long a step, takes here."""
    layout = layout_of(table.game, tuple(table.options.items()), table.players)
    search, done = _Search(table, chair, layout, stream(0, "cost")), 0
    search.climb(1)  # compiles what is not compiled yet
    begun = time.process_time()
    while done < tries:
        done += abs(search.climb(tries - done, misled=True))
    return (time.process_time() - begun) / done


class _Search:
    """What one chair saw, and the deal that is changed until it explains it."""

    def __init__(self, table: Table, chair: int, layout: DealLayout, rng: Any) -> None:
        game, n = table.game, table.length
        self.layout, self.chair, self.rng = layout, chair, rng
        self._kernels = _kernels(game)
        looks = [np.asarray(table._look(chair, i)).tobytes() for i in range(n + 1)]
        self._seen = np.frombuffer(b"".join(looks), np.uint8).reshape(n + 1, -1)
        self._who = np.array([seat for seat, _ in table._moves], np.int64)
        self._true_moves = game.moves(n)
        for i, (_, move) in enumerate(table._moves):
            self._true_moves[i] = move.code
        self._hidden = np.array([_face(table, i, chair) for i in range(n)], np.int64)
        self.unseen = np.flatnonzero(self._hidden != walks.KNOWN).astype(np.int64)
        self._blank = layout.blank(table._dealt)
        self._shown = layout.shown([table._look(chair, i) for i in range(n + 1)], chair)
        self.world, self._views = game.states(1), game.views(1)
        self._counts, self._out = np.zeros(n, np.int64), game.moves(max(1, game.rules.MOVES))
        self._wrong_bytes, self._swapped = np.zeros_like(_as_bytes(self._views)), np.zeros(2, np.int64)
        self._deal = self._trial = np.zeros(0, np.int64)
        self._moves, self._other_moves = game.moves(n), game.moves(n)

    def climb(self, limit: int, misled: bool = False) -> int:
        """Look for a deal that explains all, from a new guess: the tries it took, or minus those that failed.

        The guess follows what was shown later, unless that has `misled` before.
        """
        self._deal = self.layout.guess(self._blank, {} if misled else self._shown, self.rng)
        self._trial = self._deal.copy()
        self._moves[:] = self._true_moves  # the hidden ones, which the chair did not see, are drawn anew
        for t in self.unseen:
            self._moves[t : t + 1] = np.zeros(1, self._moves.dtype)
        return int(self._kernels.climb(self._search(), limit, self.rng))

    def walk(self, steps: int) -> int:
        """Go on from there; how many steps changed something."""
        return int(self._kernels.walk(self._search(), steps, self.rng))

    def _search(self) -> walks.Search:
        layout = self.layout
        return walks.Search(
            deal=self._deal,
            trial=self._trial,
            places=layout.places,
            partners=layout.partners,
            blank=self._blank,
            states=self.world,
            state_bytes=_as_bytes(self.world),
            chair=self.chair,
            views=self._views,
            view_bytes=_as_bytes(self._views),
            seen=self._seen,
            grades=layout.grades,
            who=self._who,
            moves=self._moves,
            trial_moves=self._other_moves,
            hidden=self._hidden,
            unseen=self.unseen,
            counts=self._counts,
            out=self._out,
            held=layout.held,
            wrong_bytes=self._wrong_bytes,
            swapped=self._swapped,
        )


def _face(table: Table, at: int, chair: int) -> int:
    """What a chair knows of a move: all, its face, or nothing while others still owe theirs."""
    seat, move = table._moves[at]
    if seat == chair:
        return walks.KNOWN
    if table._under_way(at):
        return walks.ANY
    face = table.game.face(move.code)
    return face if face >= 0 else walks.KNOWN


def _as_bytes(records: Any) -> Any:
    return np.asarray(records).view(np.uint8).reshape(len(records), records.dtype.itemsize)


# The kernels of a game


@rule
def _open(move: Any) -> int:
    """No move of this game is hidden."""
    return -1


@functools.cache
def _kernels(game: Game) -> SimpleNamespace:
    # Not through `game.specialise`: whoever only plays must not wait for them to be compiled.
    functions: dict[str, Any] = {key: getattr(game.rules, key) for key in KERNELS}
    functions["face"], functions["fits"] = _open, fits_of(game)
    if hasattr(game.rules, "face"):
        functions["face"] = game.rules.face
    elif game.form is not None and game.form.hides:
        functions["face"] = game.form.face_rule(game.rules.__name__, str(game.rules.__file__))
    functions["NOT_DEDUCED"] = sum(1 << reason for reason in {LEGAL, *getattr(game.rules, "NOT_DEDUCED", ())})
    made = kernels.specialise(walks, game.name, game.folder, functions)
    if kernels.jitted():
        kernels.go_live(list(made.values()))  # thousands of replays are nothing for plain Python
    return SimpleNamespace(**made)
