"""What a good player of The Lost Palaces knows: which path to open, what to keep, when to end the game."""

from __future__ import annotations

import numpy as np

from clew.core import Floats, rule
from clew.games.palaces.rules import (
    ADVANCE,
    ARIADNE,
    ATTACK,
    CARDS,
    DISCARD,
    FRESCO15,
    HAND,
    KIND_OF,
    LAST_STEP,
    MINOTAUR,
    NOBODY,
    PALACE_OF,
    SAFE_STEP,
    SITE_STEPS,
    SITES,
    START_T,
    STATUE_POINTS,
    STATUES,
    STEP_POINTS,
    THESEUS,
    TURNS,
    State,
    goal,
    pawns_at_the_palaces,
    standing,
    thrown_to,
)
from clew.games.palaces.value_net import VALUE_NET as VALUE_NET  # the evaluation is learnt
from clew.games.palaces.value_net import features as features

NAMES = (
    "noise",  # of a playout
    "looks",
    "open",  # to open a path at all
    "support",  # for each card in hand that could follow there
    "low",  # for each number that the first card leaves below the top
    "hurry",  # for each own turn fewer than WALK that is left to open a path
    "theseus",  # to open it with Theseus
    "theseus_support",  # for each card in hand that could follow him
    "step",  # to take a step
    "dig",  # for each point that a find may bring
    "double",  # to take the step with Theseus
    "far",  # for each step that the pawn has already taken
    "skipped",  # for each card in hand that could not follow any more
    "gap",  # for each number between the last card and this
    "ariadne",  # to take two steps with her card
    "attack",  # for each point that the other loses
    "keep",  # to hold on to a card that can follow
    "keep_seed",  # to one that could open a path
    "keep_ariadne",
    "keep_minotaur",
    "now",  # for each point at once when the game is as good as over
)
(
    _NOISE,
    _LOOKS,
    OPEN,
    SUPPORT,
    LOW,
    HURRY,
    AS_THESEUS,
    THESEUS_SUPPORT,
    STEP,
    DIG,
    DOUBLE,
    FAR,
    SKIPPED,
    GAP,
    WITH_ARIADNE,
    ATTACKING,
    KEEP,
    KEEP_SEED,
    KEEP_ARIADNE,
    KEEP_MINOTAUR,
    NOW,
) = range(len(NAMES))
WEIGHTS = np.array(  # python bench/tune.py palaces --seed 1
    [1.0, 24.0, 2.34, 4.67, 2.24, 2.3, -9.62, 5.25, 9.5, 0.254, -1.54, 0.867, 3.69, 3.18, 6.66, 0.896, 14.1, 3.41, 32.2]
    + [8.28, 1.96]
)
COMFORT = 60.0
SEARCH = {"candidates": 10, "depth": 11, "lean": 0.5}
WALK = 10  # own turns that a path wants
DECIDES = 1000.0
STATUE_ODDS = 0.5  # ten of twenty sites
CLOSED_SITE = 10.65  # points of a site on average, besides its statue


@rule
def followers(s: State, seat: int, palace: int, number: int, but: int) -> int:
    """Cards in hand, other than `but`, that can follow this number on a path."""
    count = 0
    for i in range(HAND):
        card = int(s.hand[seat, i])
        if card >= 0 and PALACE_OF[card] == palace and card != but:
            kind = KIND_OF[card]
            count += kind == ARIADNE or (kind != MINOTAUR and kind + 1 >= number)
    return count


@rule
def between(s: State, seat: int, palace: int, low: int, high: int) -> int:
    """Number cards in hand from `low` up to below `high`: a card of that height leaves them behind."""
    count = 0
    for i in range(HAND):
        card = int(s.hand[seat, i])
        if card >= 0 and PALACE_OF[card] == palace and KIND_OF[card] < ARIADNE:
            count += low <= KIND_OF[card] + 1 < high
    return count


@rule
def finds(s: State, seat: int, palace: int, step: int, to: int) -> float:
    """The points of what a walk may find: a closed site on average, a fresco that others dug up for certain."""
    points = 0.0
    for site in range(SITES):
        if step < SITE_STEPS[site] <= to:
            find = s.finds[palace, site]
            if not s.opened[palace, site]:
                had = int(s.statues[seat])
                points += CLOSED_SITE + STATUE_ODDS * (STATUE_POINTS[min(had + 1, STATUES)] - STATUE_POINTS[had])
            elif find >= FRESCO15 and not s.photos[seat, palace, site]:
                points += 15.0 if find == FRESCO15 else 20.0
    return points


@rule
def lateness(s: State) -> float:
    """From 0, while a path can still be walked, to 1 at the end."""
    return max(0.0, 1.0 - ((TURNS - int(s.turns)) // 2) / WALK)


@rule
def ends_the_game(s: State, seat: int, palace: int, to: int) -> int:
    """1 if this walk ends the game with the higher score, -1 with the lower, 0 if it goes on."""
    step = int(s.step[seat, palace])
    if not step < SAFE_STEP <= to or pawns_at_the_palaces(s) < 3:
        return 0
    times = 2 if s.pawn[seat, palace] == THESEUS else 1
    lead = standing(s, seat)[0] - standing(s, 1 - seat)[0] + times * (STEP_POINTS[to] - STEP_POINTS[step])
    return 1 if lead > 0 else -1


@rule
def prior(s: State, seat: int, move: int, weights: Floats) -> float:
    """A glance at a move, in points."""
    action, card = move // CARDS, move % CARDS
    palace, kind = int(PALACE_OF[card]), int(KIND_OF[card])
    step, last = int(s.step[seat, palace]), int(s.last[seat, palace])
    if action == DISCARD:
        return -usefulness(s, seat, palace, kind, weights)
    if action == ATTACK:
        target = int(s.step[1 - seat, palace])
        if s.pawn[1 - seat, palace] == THESEUS:
            return 0.0
        return weights[ATTACKING] * (STEP_POINTS[target] - STEP_POINTS[thrown_to(target)])
    if action == ADVANCE:
        to = goal(step, kind)
        decides = ends_the_game(s, seat, palace, to)
        if decides:
            return decides * DECIDES
        late = lateness(s)
        times = 2 if s.pawn[seat, palace] == THESEUS else 1
        found = finds(s, seat, palace, step, to)
        look = weights[STEP] + weights[FAR] * step + weights[DIG] * found
        look += weights[NOW] * late * (times * (STEP_POINTS[to] - STEP_POINTS[step]) + found)
        if times == 2:
            look += weights[DOUBLE]
        if kind == ARIADNE:
            return look + weights[WITH_ARIADNE] * (to - step - 1)
        left_behind = weights[SKIPPED] * between(s, seat, palace, last, kind + 1) + weights[GAP] * (kind + 1 - last)
        return look - (1.0 - late) * left_behind
    support = followers(s, seat, palace, kind + 1, card)
    late = lateness(s)
    look = weights[OPEN] + weights[SUPPORT] * support - weights[LOW] * kind - weights[HURRY] * late * WALK
    look -= (1.0 - late) * weights[SKIPPED] * between(s, seat, palace, 1, kind + 1)
    if action == START_T:
        look += weights[AS_THESEUS] + weights[THESEUS_SUPPORT] * support
    return look


@rule
def usefulness(s: State, seat: int, palace: int, kind: int, weights: Floats) -> float:
    """What a card in hand may still bring."""
    if kind == MINOTAUR:
        prey = s.pawn[1 - seat, palace] != THESEUS and s.step[1 - seat, palace] < SAFE_STEP
        return weights[KEEP_MINOTAUR] if prey else 0.0
    if s.step[seat, palace] == LAST_STEP:
        return 0.0
    if kind == ARIADNE:
        return weights[KEEP_ARIADNE]
    if s.pawn[seat, palace] == NOBODY:
        return weights[KEEP_SEED]
    return weights[KEEP] if kind + 1 >= s.last[seat, palace] else 0.0
