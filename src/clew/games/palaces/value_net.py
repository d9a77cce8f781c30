"""What a world of The Lost Palaces promises a player, in numbers for an evaluation that is learnt."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import rule
from clew.games.palaces.rules import (
    ARCHAEOLOGIST,
    ARCHAEOLOGISTS,
    ARIADNE,
    FRESCO15,
    HAND,
    KIND_OF,
    KINDS,
    LAST_STEP,
    MINOTAUR,
    NOBODY,
    PALACE_OF,
    PALACES,
    RARE,
    SAFE_STEP,
    SITE_STEPS,
    SITES,
    STATUE_POINTS,
    STEP_POINTS,
    THESEUS,
    TURNS,
    State,
    pawns_at_the_palaces,
    standing,
)

PART, WHOLE = 19, 15
THREAT, SIDE = 14, 18  # of a part: whether Minotaurs may come, and whose path it is
VALUE_NET = (PALACES, PART, WHOLE, 16, 24)
OWN = 0
OF_A_SIDE = 6  # numbers of the whole that each side has


@rule
def features(s: State, seat: int, parts: Any, whole: Any) -> None:
    """The four paths of either player; then finds, pawns and turns left; who moves, who leads, how near the end is.

    Only what the seat knows: the other's hand and the pile are one heap of cards that it has not seen.
    """
    mover = (int(s.first) + int(s.turns)) & 1
    left = TURNS - int(s.turns)
    hands, unseen = np.zeros((2, PALACES, KINDS), np.int64), np.zeros((PALACES, KINDS), np.int64)
    for i in range(int(s.turns), TURNS):
        card = int(s.pile[i])
        unseen[PALACE_OF[card], KIND_OF[card]] += 1
    for i in range(HAND):
        own, other = int(s.hand[seat, i]), int(s.hand[1 - seat, i])
        if own >= 0:
            hands[OWN, PALACE_OF[own], KIND_OF[own]] += 1
        if other >= 0:
            unseen[PALACE_OF[other], KIND_OF[other]] += 1
    lead = 0
    for side in range(2):
        player = seat if side == OWN else 1 - seat
        turns = (left + 1) // 2 if mover == player else left // 2
        on_steps = 0
        archaeologists, theseus = ARCHAEOLOGISTS, 1
        for palace in range(PALACES):
            pawn, part = s.pawn[player, palace], parts[side, palace]
            archaeologists -= pawn == ARCHAEOLOGIST
            theseus -= pawn == THESEUS
            on_steps += path(s, player, palace, hands[side, palace], unseen[palace], turns, part)
            part[THREAT] = 0.0
            if pawn == ARCHAEOLOGIST and s.step[player, palace] < SAFE_STEP:
                part[THREAT] = unseen[palace, MINOTAUR] / 2.0
                if side != OWN:
                    part[THREAT] += hands[OWN, palace, MINOTAUR]
            part[SIDE] = side
        statues, score = int(s.statues[player]), standing(s, player)[0]
        lead += score if side == OWN else -score
        at = side * OF_A_SIDE
        whole[at] = statues / 10.0
        whole[at + 1] = STATUE_POINTS[statues] / 100.0
        whole[at + 2] = (score - on_steps) / 100.0
        whole[at + 3] = archaeologists / 3.0
        whole[at + 4] = theseus
        whole[at + 5] = turns / 42.0
    at = 2 * OF_A_SIDE
    whole[at] = pawns_at_the_palaces(s) / 4.0
    whole[at + 1] = 1.0 if mover == seat else 0.0
    whole[at + 2] = lead / 100.0


@rule
def path(s: State, player: int, palace: int, hand: Any, unseen: Any, turns: int, part: Any) -> int:
    """One path of a player: where the pawn is, what can follow, what is to be found; the points it has there."""
    pawn, step, last = int(s.pawn[player, palace]), int(s.step[player, palace]), int(s.last[player, palace])
    times = 2 if pawn == THESEUS else 1
    follow, may_follow, lowest = 0, 0, 11
    for kind in range(ARIADNE):
        if kind + 1 >= last:
            follow += hand[kind]
            may_follow += unseen[kind]
            if hand[kind] and lowest == 11:
                lowest = kind + 1
    points = times * STEP_POINTS[step]
    part[0] = 1.0 if pawn == NOBODY else 0.0
    part[1] = 1.0 if pawn == ARCHAEOLOGIST else 0.0
    part[2] = 1.0 if pawn == THESEUS else 0.0
    part[3] = step / 9.0
    part[4] = points / 50.0
    part[5] = last / 10.0
    part[6] = follow / 4.0
    part[7] = hand[ARIADNE] / 3.0
    part[8] = may_follow / 20.0
    part[9] = unseen[ARIADNE] / 3.0
    goal = reach(pawn, step, follow, int(hand[ARIADNE]), turns)
    part[10] = times * (STEP_POINTS[goal] - STEP_POINTS[step]) / 50.0
    closed, on_the_way, to_photograph, rare = 0, 0, 0, 1
    for site in range(SITES):
        opened, find = s.opened[palace, site], s.finds[palace, site]
        if opened and find == RARE:
            rare = 0
        if SITE_STEPS[site] > step:
            if not opened:
                closed += 1
                on_the_way += SITE_STEPS[site] <= goal
            elif find >= FRESCO15 and not s.photos[player, palace, site]:
                to_photograph += 15 if find == FRESCO15 else 20
    part[11] = closed / 5.0
    part[12] = to_photograph / 40.0
    part[13] = on_the_way / 3.0
    part[15] = lowest / 10.0
    part[16] = int(s.step[1 - player, palace]) / 9.0
    part[17] = rare
    return points


@rule
def reach(pawn: int, step: int, follow: int, ariadnes: int, turns: int) -> int:
    """The step that the cards in hand lead to in so many turns; a path is opened only with a number."""
    if pawn == NOBODY and follow == 0:
        return step
    opening = 1 if pawn == NOBODY else 0
    turns = max(0, turns - opening)
    with_ariadne = min(turns, ariadnes)
    return min(LAST_STEP, step + opening + 2 * with_ariadne + min(turns - with_ariadne, follow - opening))
