"""Lessons: games that a network plays against itself, and what it learns from them.

A seat chooses by what its view allows: each move is made in imagined worlds, and what the network expects of the views
after it is averaged; the true state is only played on. A lesson is what the seat sees after its move, with the target
that temporal differences give it: what its next decision was held to be worth, and so on to the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clew.bots.network import (
    ACROSS,
    ANSWERS,
    BIASES,
    HIDDEN,
    INNER,
    INNER_BIASES,
    MOST,
    OUTER,
    OUTER_BIASES,
    PART_SLOTS,
    ROW_OF,
    ROWS,
    SECOND,
    SLOT_OF,
    SLOTS,
    WHOLE,
    guess,
    mixed,
    observe_world,
    settle,
    think,
    views_to_fill,
)
from clew.core.kernels import large, rule, template
from clew.core.playouts import mover, playout
from clew.core.protocol import apply, deal, quick, result, start
from clew.core.rng import WORD, below, next32
from clew.core.types import Integers, MoveCode, MoveCodes, Numbers, States

SEAT, EXPLORED, BEGIN, END = range(4)  # of a lesson; its features stand from BEGIN to END in `all_ids`
LESSON = 4


@large
def weigh(
    states: States,
    rng: Integers,
    seat: int,
    out: MoveCodes,
    count: int,
    worlds: int,
    weights: Numbers,
    ids: Integers,
    values: Numbers,
    scores: Integers,
    places: Integers,
    tried: Numbers,
) -> int:
    """What the network expects of each of `count` moves of the seat in states[1]; the index of the best.

    By the seat's view alone: the worlds are imagined from it, and what is looked at is what it would see afterwards.
    """
    sums, seen = np.empty(SLOTS * HIDDEN, np.float32), np.empty(ACROSS * HIDDEN, np.float32)
    second, answers = np.empty(SECOND, np.float32), np.empty(ANSWERS)
    tried[:] = 0.0
    for _ in range(worlds):
        guess(states[1], seat, rng, views_to_fill(), states, 2)
        for i in range(count):
            states[3] = states[2]
            apply(states[3], seat, out[i])
            if mover(states[3]) < 0:
                settle(states[3], seat, weights, scores, places, answers)
            else:
                features = observe_world(states[3], seat, views_to_fill(), weights, ids, values, scores, places)
                think(weights, ids, values, features, sums, seen, second, answers)
            for a in range(ANSWERS):
                tried[i, a] += answers[a] / worlds
    best, most = 0, -1.0
    for i in range(count):
        hoped = mixed(weights, tried[i])
        if hoped > most:
            best, most = i, hoped
    return best


@large
def weigh_one(
    states: States,
    rng: Integers,
    seat: int,
    move: MoveCode,
    weights: Numbers,
    ids: Integers,
    values: Numbers,
    scores: Integers,
    places: Integers,
    answers: Numbers,
) -> None:
    """What the network expects of one move of the seat in states[1], in a world of its own."""
    sums, seen = np.empty(SLOTS * HIDDEN, np.float32), np.empty(ACROSS * HIDDEN, np.float32)
    second = np.empty(SECOND, np.float32)
    guess(states[1], seat, rng, views_to_fill(), states, 3)
    apply(states[3], seat, move)
    if mover(states[3]) < 0:
        settle(states[3], seat, weights, scores, places, answers)
        return
    features = observe_world(states[3], seat, views_to_fill(), weights, ids, values, scores, places)
    think(weights, ids, values, features, sums, seen, second, answers)


@template
def some_moves(rng: Integers, out: MoveCodes, count: int, looks: int) -> int:
    """Keep at most `looks` of the moves, any of them; how many they are."""
    if count <= looks:
        return count
    kept = 0
    for i in range(count):
        if below(rng, count - i) < looks - kept:
            out[kept] = out[i]
            kept += 1
    return kept


@template
def play_lessons(
    n: int,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Numbers,
    worlds: int,
    looks: int,
    explore: float,
    fade: float,
    lessons: Integers,
    targets: Numbers,
    expected: Numbers,
    all_ids: Integers,
    all_values: Numbers,
    scores: Integers,
    places: Integers,
    numbers: Integers,
) -> int:
    """Play n games from the blank states[0]; how many lessons there are.

    A seat explores, that is moves at random, with the chance `explore`; `fade` is the lambda of TD(lambda). At most
    `looks` moves are tried in `worlds` worlds. numbers[0] is how many moves were made.
    """
    ids, values = np.empty(MOST, np.int64), np.empty(MOST, np.float32)
    sums, seen = np.empty(SLOTS * HIDDEN, np.float32), np.empty(ACROSS * HIDDEN, np.float32)
    second, answers = np.empty(SECOND, np.float32), np.empty(ANSWERS)
    tried = np.zeros((looks, ANSWERS))
    found, used, moves = 0, 0, 0
    for _ in range(n):
        states[1] = states[0]
        deal(states[1], rng)
        start(states[1])
        begin, cut = found, -1
        seat = mover(states[1])
        while seat >= 0:
            count = some_moves(rng, out, quick(states[1], seat, out), looks)
            best = weigh(states, rng, seat, out, count, worlds, weights, ids, values, scores, places, tried)
            chosen, explored = best, 0
            if next32(rng) < explore * WORD:
                # What the best move is worth is told by a world that had no part in choosing it: of moves that were
                # tried in the same few worlds the best one was mostly lucky.
                weigh_one(states, rng, seat, out[best], weights, ids, values, scores, places, answers)
                chosen, explored = below(rng, count), 1
            apply(states[1], seat, out[chosen])
            moves += 1
            following = mover(states[1])
            if following < 0 and explored:
                cut = seat  # `answers` has what its best move was worth
            if following >= 0 and found < len(lessons) and used + MOST <= len(all_ids):
                guess(states[1], seat, rng, views_to_fill(), states, 2)
                features = observe_world(states[2], seat, views_to_fill(), weights, ids, values, scores, places)
                lessons[found, SEAT], lessons[found, EXPLORED] = seat, explored
                lessons[found, BEGIN], lessons[found, END] = used, used + features
                for k in range(features):
                    all_ids[used + k], all_values[used + k] = ids[k], values[k]
                if not explored:
                    think(weights, ids, values, features, sums, seen, second, answers)
                for a in range(ANSWERS):
                    expected[found, a] = answers[a]
                used += features
                found += 1
            seat = following
        set_targets(states, begin, found, weights, fade, lessons, targets, expected, scores, places, cut, answers)
    numbers[0] = moves
    return int(found)


@template
def play_rivals(
    n: int,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Numbers,
    rivals: Numbers,
    worlds: int,
    looks: int,
    scores: Integers,
    places: Integers,
    shares: Numbers,
) -> None:
    """Play n deals from the blank states[0] once with `weights` in each seat, all others having `rivals`.

    shares[i] is the share of the others that they left behind in deal i, 1 being all.
    """
    ids, values = np.empty(MOST, np.int64), np.empty(MOST, np.float32)
    tried, answers = np.zeros((looks, ANSWERS)), np.empty(ANSWERS)
    players = int(states[0].players)
    for i in range(n):
        states[4] = states[0]
        deal(states[4], rng)
        start(states[4])
        shares[i] = 0.0
        for seat in range(players):
            states[1] = states[4]
            turn = mover(states[1])
            while turn >= 0:
                own = weights if turn == seat else rivals
                count = some_moves(rng, out, quick(states[1], turn, out), looks)
                best = weigh(states, rng, turn, out, count, worlds, own, ids, values, scores, places, tried)
                apply(states[1], turn, out[best])
                turn = mover(states[1])
            settle(states[1], seat, weights, scores, places, answers)
            shares[i] += answers[0] / players


@template
def typical_lead(n: int, states: States, rng: Integers, out: MoveCodes, scores: Integers, places: Integers) -> float:
    """How far the first two seats are apart, on average, after n random games from the blank states[0]."""
    total = 0.0
    for _ in range(n):
        states[1] = states[0]
        deal(states[1], rng)
        start(states[1])
        playout(states[1], rng, out)
        result(states[1], scores, places)
        total += abs(scores[0] - scores[1])
    return total / n


@large
def set_targets(
    states: States,
    begin: int,
    end: int,
    weights: Numbers,
    fade: float,
    lessons: Integers,
    targets: Numbers,
    expected: Numbers,
    scores: Integers,
    places: Integers,
    cut: int,
    hoped: Numbers,
) -> None:
    """The targets of a game's lessons, seat by seat from its last one back, states[1] being the end of the game.

    If the seat `cut` explored by the last move of all, what it `hoped` for by its best move counts instead of the end.
    """
    last, answers = np.full(states[1].players, -1), np.empty(ANSWERS)
    for k in range(end - 1, begin - 1, -1):
        seat = lessons[k, SEAT]
        following = last[seat]
        if following < 0 and seat == cut:
            targets[k] = hoped
        elif following < 0:
            settle(states[1], seat, weights, scores, places, answers)
            targets[k] = answers
        else:
            on = 0.0 if lessons[following, EXPLORED] else fade
            for a in range(ANSWERS):
                targets[k, a] = (1.0 - on) * expected[following, a] + on * targets[following, a]
        last[seat] = k


# Learning


@rule
def descend(
    weights: Numbers, squares: Numbers, at: int, x: float, slope: Numbers, row: int, wide: int, rate: Any
) -> None:  # the rate is a float of 32 bits
    """Move a row of weights down the slope, by Adagrad: the less the more it was moved before."""
    target, moved, source = weights[at : at + wide], squares[at : at + wide], slope[row : row + wide]
    for j in range(wide):
        g = x * source[j]
        moved[j] += g * g
        target[j] -= rate * g / np.sqrt(moved[j])


@template
def learn(
    n: int,
    weights: Numbers,
    squares: Numbers,
    rate: float,
    lead_rate: float,
    lessons: Integers,
    targets: Numbers,
    all_ids: Integers,
    all_values: Numbers,
    losses: Numbers,
) -> None:
    """Learn from n lessons, one after the other; losses[0] and [1] gain the surprise by the answers, in nats."""
    sums, seen = np.empty(SLOTS * HIDDEN, np.float32), np.empty(ACROSS * HIDDEN, np.float32)
    second, answers = np.empty(SECOND, np.float32), np.empty(ANSWERS)
    slope, seen_slope = np.zeros(SLOTS * HIDDEN, np.float32), np.zeros(ACROSS * HIDDEN, np.float32)
    second_slope, answer_slope = np.zeros(SECOND, np.float32), np.zeros(ANSWERS, np.float32)
    step = np.float32(rate)
    one = np.ones(1, np.float32)
    for k in range(n):
        ids, values = all_ids[lessons[k, BEGIN] : lessons[k, END]], all_values[lessons[k, BEGIN] : lessons[k, END]]
        think(weights, ids, values, len(ids), sums, seen, second, answers)
        for a in range(ANSWERS):
            told = min(max(answers[a], 1e-6), 1.0 - 1e-6)
            losses[a] -= targets[k, a] * math.log(told) + (1.0 - targets[k, a]) * math.log(1.0 - told)
            answer_slope[a] = (answers[a] - targets[k, a]) * (1.0 if a == 0 else lead_rate)
        for j in range(SECOND):
            slope_here = np.float32(0)
            if second[j] > 0:
                for a in range(ANSWERS):
                    slope_here += answer_slope[a] * weights[OUTER + j * ANSWERS + a]
                descend(weights, squares, OUTER + j * ANSWERS, second[j], answer_slope, 0, ANSWERS, step)
            second_slope[j] = slope_here
        descend(weights, squares, OUTER_BIASES, one[0], answer_slope, 0, ANSWERS, step)
        for i in range(ACROSS * HIDDEN):
            slope_here = np.float32(0)
            if seen[i] != 0:
                for j in range(SECOND):
                    slope_here += second_slope[j] * weights[INNER + i * SECOND + j]
                descend(weights, squares, INNER + i * SECOND, seen[i], second_slope, 0, SECOND, step)
            seen_slope[i] = slope_here
        descend(weights, squares, INNER_BIASES, one[0], second_slope, 0, SECOND, step)
        # The units of the first layer: only those that said something can have said it wrong.
        for j in range(HIDDEN):
            slope[j] = seen_slope[j] if sums[j] > 0 else np.float32(0)
        for g in range(1, ACROSS):
            for j in range(HIDDEN):
                slope[g * HIDDEN + j] = np.float32(0)
            for slot in range(PART_SLOTS[g - 1], PART_SLOTS[g]):
                for j in range(HIDDEN):
                    here = seen_slope[g * HIDDEN + j] if sums[slot * HIDDEN + j] > 0 else np.float32(0)
                    slope[slot * HIDDEN + j] = here
                    slope[g * HIDDEN + j] += here
        for g in range(ACROSS):
            descend(weights, squares, BIASES + g * HIDDEN, one[0], slope, g * HIDDEN, HIDDEN, step)
        for i in range(len(ids)):
            slot, row = SLOT_OF[ids[i]], ROW_OF[ids[i]]
            descend(weights, squares, ROWS + row * HIDDEN, values[i], slope, slot * HIDDEN, HIDDEN, step)
            if slot == 0:
                for g in range(1, ACROSS):
                    at = ROWS + (g * WHOLE + row) * HIDDEN
                    descend(weights, squares, at, values[i], slope, g * HIDDEN, HIDDEN, step)
