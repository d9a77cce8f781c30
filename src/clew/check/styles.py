"""Styles of play: ways to choose a move that lead games to where play at random never gets.

A style sees the whole state: it is there to reach odd corners, not to play fair.
"""

from __future__ import annotations

from typing import Any

from clew.check.audit import look
from clew.core.kernels import template
from clew.core.protocol import LEGAL, MOVES, SPECTATOR, apply, ending, legal, quick, refusal, result, to_move
from clew.core.rng import below

STYLES = (
    "uniform",
    "first",
    "last",
    "greedy",
    "contrary",
    "busy",
    "quiet",
    "ambitious",
    "modest",
    "racing",
    "hoarding",
)
UNIFORM, FIRST, LAST, GREEDY, CONTRARY, BUSY, QUIET, AMBITIOUS, MODEST, RACING, HOARDING = range(len(STYLES))

SLIP = 12  # one move in so many is made at random: a style that never errs sees less of the game
CANDIDATES = 12  # of a longer list a style weighs so many moves
PLAYOUTS = 3
DEPTH = 100  # a playout that takes longer is judged as it stands

FAULTS = (
    "",
    "the game goes on after LONGEST moves",
    "a seat owes a move and has none",
    "`legal` lists more than MOVES moves",
    "`legal` lists a move that `refusal` refuses",
    "`to_move` is 0 and `ending` is 0, or neither is",
    "a seat that is not at the table owes a move",
)
ENDLESS, STUCK, OVERFULL, REFUSED, UNDECIDED, STRANGER = range(1, len(FAULTS))


@template
def play(
    states: Any,
    n: int,
    seats: Any,
    moves: Any,
    styles: Any,
    rng: Any,
    out: Any,
    trials: Any,
    views: Any,
    view_bytes: Any,
    replies: Any,
    scores: Any,
    places: Any,
    fault: Any,
) -> int:
    """Play states[0] to the end, each seat in its style, states[i] being the table after i moves; how many moves."""
    fault[0] = 0
    for i in range(n + 1):
        s = states[i]
        owing = to_move(s)
        if (owing == 0) != (ending(s) != 0):
            fault[0] = UNDECIDED
        elif owing >> s.players != 0:
            fault[0] = STRANGER
        elif owing != 0 and i == n:
            fault[0] = ENDLESS
        if owing == 0 or fault[0] != 0:
            return i
        seat = one_of(owing, rng)
        count = legal(s, seat, out)
        if count < 1 or count > MOVES:
            fault[0] = STUCK if count < 1 else OVERFULL
            return i
        for k in range(count):
            if refusal(s, seat, out[k]) != LEGAL:
                fault[0] = REFUSED
                return i
        pick = choose(styles[seat], s, seat, count, out, rng, trials, views, view_bytes, replies, scores, places)
        seats[i] = seat
        moves[i] = out[pick]
        states[i + 1] = states[i]
        apply(states[i + 1], seat, moves[i])
    return n


@template
def one_of(owing: int, rng: Any) -> int:
    """Any of the seats that owe a move: choices at the same time come in any order."""
    count = 0
    for seat in range(63):
        count += (owing >> seat) & 1
    skip = below(rng, count)
    seat = 0
    while True:
        if (owing >> seat) & 1:
            if skip == 0:
                return seat
            skip -= 1
        seat += 1


@template
def choose(
    style: int,
    s: Any,
    seat: int,
    count: int,
    out: Any,
    rng: Any,
    trials: Any,
    views: Any,
    view_bytes: Any,
    replies: Any,
    scores: Any,
    places: Any,
) -> int:
    """The index of the move that this style makes of the `count` in `out`."""
    if style == UNIFORM or below(rng, SLIP) == 0:
        return below(rng, count)
    if style == FIRST:
        return 0
    if style == LAST:
        return count - 1
    trials[0] = s
    tried = min(count, CANDIDATES)
    shift = below(rng, count)
    best = 0
    most = 0
    equals = 0
    for k in range(tried):
        at = (shift + k * count // tried) % count
        trials[1] = s
        apply(trials[1], seat, out[at])
        worth = value(style, seat, trials, views, view_bytes, rng, replies, scores, places)
        if k == 0 or worth > most:
            most = worth
            equals = 0
        if worth == most:
            equals += 1
            if below(rng, equals) == 0:
                best = at
    return best


@template
def value(
    style: int,
    seat: int,
    trials: Any,
    views: Any,
    view_bytes: Any,
    rng: Any,
    replies: Any,
    scores: Any,
    places: Any,
) -> int:
    """How much a style likes the move that led from trials[0] to trials[1]."""
    if style == GREEDY or style == CONTRARY:
        result(trials[1], scores, places)
        score: int = scores[seat]
        return score if style == GREEDY else -score
    if style == BUSY or style == QUIET:
        changes = 0
        look(trials, 0, SPECTATOR, views, view_bytes, 0)
        look(trials, 1, SPECTATOR, views, view_bytes, 1)
        for b in range(view_bytes.shape[1]):
            changes += 1 if view_bytes[0, b] != view_bytes[1, b] else 0
        return changes if style == BUSY else -changes
    total = 0
    for _ in range(PLAYOUTS):
        trials[2] = trials[1]
        length = drift(trials[2], rng, replies)
        if style == RACING:
            total -= length
        elif style == HOARDING:
            total += length
        else:
            result(trials[2], scores, places)
            total += scores[seat] if style == AMBITIOUS else -scores[seat]
    return total


@template
def drift(s: Any, rng: Any, replies: Any) -> int:
    """Play on at random for a while; how many moves."""
    for i in range(DEPTH):
        owing = to_move(s)
        if owing == 0:
            return i
        seat = one_of(owing, rng)
        count = quick(s, seat, replies)
        if count < 1:
            return i
        apply(s, seat, replies[below(rng, count)])
    return DEPTH


@template
def retrace(states: Any, n: int, seats: Any, moves: Any) -> None:
    """Make n moves again from states[0]; states[i] is the table after i of them."""
    for i in range(n):
        states[i + 1] = states[i]
        apply(states[i + 1], seats[i], moves[i])


@template
def copy_states(states: Any, n: int) -> None:
    """Copy a state n times, from place to place."""
    for i in range(n):
        states[(i + 1) % len(states)] = states[i % len(states)]
