"""What can be done in a labyrinth that a view shows, as the rules have it: cells instead of sets of bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clew.games.labyrinth import paths, rules
from clew.games.labyrinth.cards import CARDS, ROTATIONS, SIDES, TREASURES_OF
from clew.games.labyrinth.notation import MATES_OF, Cell
from clew.games.labyrinth.paths import ENDS
from clew.games.labyrinth.plan import IN_LABYRINTH, PLAN

KEPT = 256  # surveys
SEEN = ("lies", "x", "y", "rotation")  # what a survey is made of


class Fit(NamedTuple):
    """A card on a cell, turned: the others that it connects there, in reading order, and which sets it may take.

    Bit i of a set stands for others[i].
    """

    cell: Cell
    rotation: int
    others: tuple[int, ...]
    sets: list[int]


def _scratch() -> tuple[Any, ...]:
    """For the plan, the neighbours of each card, the cells where paths end, and where those lead."""
    leads = np.zeros((ENDS, SIDES), np.int64)
    return np.zeros(PLAN, np.int16), np.zeros(CARDS, np.int64), np.zeros(ENDS, np.int64), leads


STATES = np.dtype((np.record, rules.State.state_type()))
_surveys: dict[bytes, tuple[Any, ...]] = {}


def survey(v: Any) -> tuple[Any, ...]:
    """What the rules find out about a labyrinth before they look at a card: the same for all chairs."""
    world = np.zeros(1, STATES)
    for name in SEEN:
        world[name] = getattr(v, name)
    key = world.tobytes()
    found = _surveys.get(key)
    if found is None:
        if len(_surveys) >= KEPT:
            _surveys.clear()
        scratch = _scratch()
        found = _surveys[key] = *paths.survey(world[0], *scratch), *scratch
    return found


def fits(v: Any, card: int, where: Cell | None = None) -> list[Fit]:
    """Where a card fits, cell by cell in reading order; or how it fits on one cell."""
    left, top, width, found, plan, beside, cells, leads = survey(v)
    if where:
        at = cells[:found].tolist().index((where[1] - top) * width + where[0] - left)
        cells, leads, found = cells[at:], leads[at:], 1
    rows = np.empty((ROTATIONS * found, 4), np.int64)
    count = rules.fits(int(v.labyrinth), card, plan, width, beside.copy(), found, cells, leads, rows)
    x, y = v.x.tolist(), v.y.tolist()
    mates = sorted(enumerate(MATES_OF[card]), key=lambda mate: (y[mate[1]], x[mate[1]]))
    takes: dict[tuple[int, int], Any] = {(0, 0): ((), [])}
    for choice, sets in {(choice, sets) for _, _, choice, sets in rows[:count].tolist() if choice}:
        bits = [i for i, _ in mates if choice >> i & 1]
        allowed = [taken for taken in range(1, choice + 1) if sets >> taken - 1 & 1]
        ordered = sorted(sum((taken >> i & 1) << n for n, i in enumerate(bits)) for taken in allowed)
        takes[choice, sets] = tuple(MATES_OF[card][i] for i in bits), ordered
    return [
        Fit((left + cell % width, top + cell // width), rotation, *takes[choice, sets])
        for cell, rotation, choice, sets in rows[:count].tolist()
    ]


def board_of(v: Any) -> dict[Cell, int]:
    """The cards in the labyrinth by their cells, in reading order."""
    cards = zip(v.y.tolist(), v.x.tolist(), range(CARDS), v.lies.tolist())
    return {(x, y): card for y, x, card, lies in sorted(cards) if lies == IN_LABYRINTH}


def like_treasure(card: int, mate: int) -> int:
    """The treasure that both show."""
    one, other = TREASURES_OF[card]
    return one if one in TREASURES_OF[mate] else other


_plan, _beside, _cells, _leads = _scratch()
COMPILED = {
    "survey": (paths.survey, (np.zeros(1, STATES)[0], _plan, _beside, _cells, _leads)),
    "fits": (rules.fits, (0, 0, _plan, 0, _beside, 0, _cells, _leads, np.zeros((1, 4), np.int64))),
}
"""Rules that only the words call, each with arguments like theirs."""
