"""Many games at once inside the kernels: make a move in each, deal anew what ended, and write what the next seat sees.

What a seat observes is made from its view. What it may do is what `legal` lists, which depends on nothing that the seat
does not know: `clew check` proves that of every game. Where several seats owe a move at the same time the first of
them is asked first; views of the others do not show its choice, as at any table.

Some arrays are handed out (`seat`, `obs`, `mask`, ...), and whoever has them may write to them. The kernels read only
those that are not: `seats`, `counts`, `listed` and the states.
"""

from __future__ import annotations

from typing import Any

from clew.core.kernels import large, template
from clew.core.playouts import mover
from clew.core.protocol import LEGAL, MOVES, apply, deal, imagine, legal, refusal, result, start, view
from clew.core.rng import below
from clew.core.types import Generator, Integers, MoveCode, MoveCodes, Numbers, State, States, ViewRecord, ViewRecords

# `Any` in signatures here: arrays of numbers of several types, which are the compiler's.

ENTRIES = (  # called from Python
    "write_observation",
    "write_parts",
    "first_refused",
    "advance",
    "begin",
    "show",
    "settle",
    "look_at",
    "choose_any",
    "dream_on",
)
LEAVE = -1  # instead of an action: this environment is left as it is
AT_ONCE = 64  # environments: their states are still near the processor when what they show is written
FLAT = True  # of a game: see `clew.adapters.spaces`

__all__ = ["MOVES", *(name for name in ENTRIES if name != "write_parts")]


def fill(v: ViewRecord, row: Numbers, room: Integers) -> None:
    """Write the features of a view into a row of zeros (see `clew.core.observe`)."""


def write_parts(move: MoveCode, row: Numbers) -> None:
    """Write what a move is made of (see `clew.adapters.spaces`)."""


@template
def write_observation(v: ViewRecord, row: Numbers, room: Integers) -> None:
    """The features of a view, one number each."""
    row[:] = 0
    fill(v, row, room)


@template
def list_moves(
    s: State, i: int, owing: int, listed: MoveCodes, counts: Integers, mask: Any, moves: Any, out: MoveCodes
) -> int:
    """What a seat may do in environment i, as a mask, and as a list where moves are many; how many there are in all."""
    total, most = legal(s, owing, out), mask.shape[1]
    if FLAT:
        mask[i, :] = False
        for j in range(total):
            mask[i, out[j]] = True
            listed[i * MOVES + j] = out[j]
        counts[i] = total
        return int(total)
    count = min(total, most)
    for j in range(count):
        at = j * total // count
        listed[i * most + j] = out[at]
        write_parts(out[at], moves[i, j])
        mask[i, j] = True
    clear_slots(i, count, counts[i], mask, moves)
    counts[i] = count
    return int(total)


@template
def clear_slots(i: int, first: int, last: int, mask: Any, moves: Any) -> None:
    """Leave these slots of a list without a move."""
    for j in range(first, last):
        moves[i, j, :] = -1
        mask[i, j] = False


@large
def show(
    low: int,
    high: int,
    states: States,
    views: ViewRecords,
    actions: Integers,
    seats: Integers,
    counts: Integers,
    listed: MoveCodes,
    seat: Integers,
    obs: Any,
    mask: Any,
    moves: Any,
    count: Integers,
    total: Integers,
    out: MoveCodes,
    room: Integers,
) -> None:
    """Write what the seat that is to move sees and may do, in each environment whose action is not LEAVE.

    If the game is over there is nothing.
    """
    for i in range(low, high):
        if actions[i] == LEAVE:
            continue
        owing = mover(states[i])
        seats[i] = seat[i] = owing
        if owing >= 0:
            views[1] = views[0]
            view(states[i], owing, views[1])
            write_observation(views[1], obs[i], room)
            total[i] = list_moves(states[i], i, owing, listed, counts, mask, moves, out)
        else:
            obs[i, :] = 0
            total[i] = 0
            if FLAT:
                mask[i, :] = False
            else:
                clear_slots(i, 0, counts[i], mask, moves)
            counts[i] = 0
        count[i] = counts[i]


@template
def first_refused(
    low: int,
    high: int,
    states: States,
    seats: Integers,
    counts: Integers,
    mask: Any,
    actions: Integers,
) -> int:
    """The first environment whose action is no legal move, -1 if all are; the rules are asked, not the mask."""
    for i in range(low, high):
        action = actions[i]
        if seats[i] < 0 or action < 0:
            return i
        if FLAT:
            if action >= mask.shape[1] or refusal(states[i], seats[i], action) != LEGAL:
                return i
        elif action >= counts[i]:
            return i
    return -1


@template
def settle(s: State, gain: Numbers, points: Numbers, scores: Integers, places: Integers) -> None:
    """What each seat gets at the end: the others that it left behind less those ahead of it, 1 being all of them."""
    result(s, scores, places)
    players = int(s.players)
    for seat in range(players):
        behind = 0
        for other in range(players):
            if places[other] > places[seat]:
                behind += 1
            elif places[other] < places[seat]:
                behind -= 1
        gain[seat] = behind / max(players - 1, 1)
        points[seat] = scores[seat]


@template
def advance(
    low: int,
    high: int,
    again: bool,
    states: States,
    views: ViewRecords,
    rngs: Generator,
    actions: Integers,
    seats: Integers,
    counts: Integers,
    listed: MoveCodes,
    seat: Integers,
    obs: Any,
    mask: Any,
    moves: Any,
    count: Integers,
    total: Integers,
    reward: Any,
    score: Integers,
    done: Any,
    out: MoveCodes,
    room: Integers,
    scores: Integers,
    places: Integers,
) -> None:
    """Make a move in each environment from `low` to `high`, deal it anew at its end if `again`, and show what is next.

    The last state is blank.
    """
    blank = len(states) - 1
    for first in range(low, high, AT_ONCE):
        last = min(first + AT_ONCE, high)
        for i in range(first, last):
            if actions[i] == LEAVE:
                continue
            if FLAT:
                apply(states[i], seats[i], actions[i])
            else:
                apply(states[i], seats[i], listed[i * mask.shape[1] + actions[i]])
            over = mover(states[i]) < 0
            if over:
                settle(states[i], reward[i], score[i], scores, places)
                if again:
                    states[i] = states[blank]
                    deal(states[i], rngs[i])
                    start(states[i])
            else:
                reward[i, :] = 0
                score[i, :] = 0
            done[i] = over
        show(
            first, last, states, views, actions, seats, counts, listed, seat, obs, mask, moves, count, total, out, room
        )


@template
def begin(
    low: int,
    high: int,
    states: States,
    views: ViewRecords,
    rngs: Generator,
    actions: Integers,
    seats: Integers,
    counts: Integers,
    listed: MoveCodes,
    seat: Integers,
    obs: Any,
    mask: Any,
    moves: Any,
    count: Integers,
    total: Integers,
    reward: Any,
    score: Integers,
    done: Any,
    out: MoveCodes,
    room: Integers,
) -> None:
    """Deal a new game in each environment whose action is not LEAVE."""
    blank = len(states) - 1
    for i in range(low, high):
        if actions[i] == LEAVE:
            continue
        states[i] = states[blank]
        deal(states[i], rngs[i])
        start(states[i])
        reward[i, :] = 0
        score[i, :] = 0
        done[i] = False
    show(low, high, states, views, actions, seats, counts, listed, seat, obs, mask, moves, count, total, out, room)


@template
def dream_on(
    low: int,
    high: int,
    known: ViewRecords,
    states: States,
    views: ViewRecords,
    rngs: Generator,
    actions: Integers,
    seats: Integers,
    counts: Integers,
    listed: MoveCodes,
    seat: Integers,
    obs: Any,
    mask: Any,
    moves: Any,
    count: Integers,
    total: Integers,
    out: MoveCodes,
    room: Integers,
) -> None:
    """Put a world that known[0] allows into each environment."""
    for i in range(low, high):
        imagine(known[0], rngs[i], states[i])
    show(low, high, states, views, actions, seats, counts, listed, seat, obs, mask, moves, count, total, out, room)


@template
def look_at(i: int, chair: int, row: Numbers, states: States, views: ViewRecords, room: Integers) -> None:
    """What any chair observes in environment i."""
    views[1] = views[0]
    view(states[i], chair, views[1])
    write_observation(views[1], row, room)


@template
def choose_any(
    low: int, high: int, lucks: Generator, seats: Integers, counts: Integers, listed: MoveCodes, actions: Integers
) -> None:
    """Any action, each as likely, in each environment whose action is LEAVE and whose game is not over."""
    for i in range(low, high):
        if actions[i] != LEAVE or seats[i] < 0:
            continue
        at = below(lucks[i], counts[i])
        actions[i] = listed[i * MOVES + at] if FLAT else at
