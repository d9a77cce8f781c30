"""The kit's long looks at knowledge, inside the kernels: every chair at every ply of many games."""

from __future__ import annotations

from typing import Any

from clew.core.kernels import template
from clew.core.protocol import LEGAL, apply, cover, ending, imagine, legal, refusal, result, start, to_move, view

LEAKS = (
    "",
    "a world made by `imagine` from the chair's view gives it another view",
    "in a world that the chair holds for possible other seats owe a move",
    "in a world that the chair holds for possible the game ends otherwise",
    "in a world that the chair holds for possible its legal moves are others",
    "in a world that the chair holds for possible a move is refused for another reason",
    "in a world that the chair holds for possible the result is another",
)
OTHER_VIEW, OTHER_TURN, OTHER_END, OTHER_MOVES, OTHER_REFUSAL, OTHER_RESULT = range(1, len(LEAKS))

SLIPS = (
    "",
    "`view` reads what `cover` says is hidden from the chair",
    "`legal` reads what `cover` says is hidden from the chair",
    "`cover` leaves something in the state that the view does not tell",
    "`view` writes outside of the view it is given",
    "a question (`view`, `legal`, `refusal`, `result`) changes the state",
    "`imagine` changes the view it is given",
)
READS, LISTS, LEAVES, SPILLS, WRITES_STATE, WRITES_VIEW = range(1, len(SLIPS))

NOT_DEDUCED = 1 << LEGAL  # bit r: that a move was made does not tell that `refusal` was not r; made from the rules
GARBAGE = 0xA5
REFUSALS = 5  # of the moves of a game every so-many-th is tried at each ply


@template
def look(states: Any, i: int, chair: int, views: Any, view_bytes: Any, j: int) -> None:
    """Write what the chair knows of states[i] into views[j], beginning with nothing."""
    for b in range(view_bytes.shape[1]):
        view_bytes[j, b] = 0
    view(states[i], chair, views[j])


@template
def dream(views: Any, j: int, rng: Any, worlds: Any, world_bytes: Any, i: int) -> None:
    """Write a world that views[j] allows into worlds[i], beginning with nothing."""
    for b in range(world_bytes.shape[1]):
        world_bytes[i, b] = 0
    imagine(views[j], rng, worlds[i])


@template
def differ(rows: Any, i: int, others: Any, j: int) -> bool:
    """Whether two rows of bytes differ."""
    for b in range(rows.shape[1]):
        if rows[i, b] != others[j, b]:
            return True
    return False


@template
def possible(s: Any, seat: int, move: Any) -> bool:
    """Whether a world in which the seat made this move may be the true one, as far as chairs draw conclusions."""
    return (NOT_DEDUCED >> refusal(s, seat, move)) & 1 == 1


@template
def clear(rows: Any, count: int, value: int) -> None:
    """Set all bytes of the first rows to one value."""
    for i in range(count):
        for b in range(rows.shape[1]):
            rows[i, b] = value


@template
def same_moves(s: Any, w: Any, seat: int, out: Any, out_bytes: Any, other: Any, other_bytes: Any) -> bool:
    """Whether the seat has the same moves in both states."""
    count = legal(s, seat, out)
    if legal(w, seat, other) != count:
        return False
    for i in range(count):
        if differ(out_bytes, i, other_bytes, i):
            return False
    # What a record of a move does not use must not stay from another; clearing the whole room would take long.
    clear(out_bytes, count + 1, 0)
    clear(other_bytes, count + 1, 0)
    return True


@template
def same_result(s: Any, w: Any, scores: Any, places: Any) -> bool:
    """Whether both states have the same scores and places."""
    seats = s.players
    result(s, scores[:seats], places[:seats])
    result(w, scores[seats : 2 * seats], places[seats : 2 * seats])
    for seat in range(seats):
        if scores[seat] != scores[seats + seat] or places[seat] != places[seats + seat]:
            return False
    return True


@template
def twins(
    states: Any,
    n: int,
    seats: Any,
    moves: Any,
    chair: int,
    worlds: Any,
    world_bytes: Any,
    views: Any,
    view_bytes: Any,
    out: Any,
    out_bytes: Any,
    other: Any,
    other_bytes: Any,
    scores: Any,
    places: Any,
    rng: Any,
    at: Any,
) -> int:
    """Drive a world that the chair holds for possible beside the true game, and return the first leak or 0.

    As long as both look alike to the chair, nothing else that reaches it may tell them apart. A world that can no
    longer be the true one is replaced by a new one.
    """
    alike = False
    for i in range(n + 1):
        at[0] = i
        s = states[i]
        w = worlds[0]
        look(states, i, chair, views, view_bytes, 0)
        if alike:
            look(worlds, 0, chair, views, view_bytes, 1)
            alike = not differ(view_bytes, 0, view_bytes, 1)
        if not alike:
            dream(views, 0, rng, worlds, world_bytes, 0)
            look(worlds, 0, chair, views, view_bytes, 1)
            if differ(view_bytes, 0, view_bytes, 1):
                return OTHER_VIEW
        if to_move(w) != to_move(s):
            return OTHER_TURN
        if ending(w) != ending(s):
            return OTHER_END
        if ending(s) != 0 and not same_result(s, w, scores, places):
            return OTHER_RESULT
        if chair >= 0 and (to_move(s) >> chair) & 1:
            if not same_moves(s, w, chair, out, out_bytes, other, other_bytes):
                return OTHER_MOVES
            for k in range(i % REFUSALS, n, REFUSALS):
                if refusal(s, chair, moves[k]) != refusal(w, chair, moves[k]):
                    return OTHER_REFUSAL
        if i < n:
            alike = possible(w, seats[i], moves[i])
            if alike:
                apply(w, seats[i], moves[i])
    return 0


@template
def covers(
    states: Any,
    state_bytes: Any,
    n: int,
    seats: Any,
    moves: Any,
    chair: int,
    worlds: Any,
    world_bytes: Any,
    views: Any,
    view_bytes: Any,
    out: Any,
    out_bytes: Any,
    other: Any,
    other_bytes: Any,
    scores: Any,
    places: Any,
    rng: Any,
    at: Any,
) -> int:
    """Hold `view`, which includes, against `cover`, which takes away, and return the first slip or 0."""
    for i in range(n + 1):
        at[0] = i
        owes = chair >= 0 and (to_move(states[i]) >> chair) & 1
        clear(view_bytes, len(view_bytes), GARBAGE)
        worlds[0] = states[i]
        look(worlds, 0, chair, views, view_bytes, 1)
        for b in range(view_bytes.shape[1]):
            if view_bytes[0, b] != GARBAGE or view_bytes[2, b] != GARBAGE:
                return SPILLS
        result(worlds[0], scores[: worlds[0].players], places[: worlds[0].players])
        if owes:
            clear(out_bytes, legal(worlds[0], chair, out) + 1, 0)
            for k in range(i % REFUSALS, n, REFUSALS):
                refusal(worlds[0], chair, moves[k])
        if differ(world_bytes, 0, state_bytes, i):
            return WRITES_STATE

        cover(worlds[0], chair)
        look(worlds, 0, chair, views, view_bytes, 2)
        if differ(view_bytes, 1, view_bytes, 2):
            return READS
        if owes and not same_moves(states[i], worlds[0], chair, out, out_bytes, other, other_bytes):
            return LISTS

        dream(views, 2, rng, worlds, world_bytes, 1)
        if differ(view_bytes, 1, view_bytes, 2):
            return WRITES_VIEW
        cover(worlds[1], chair)
        if differ(world_bytes, 0, world_bytes, 1):
            return LEAVES
    return 0


@template
def surprised(
    states: Any,
    i: int,
    seat: int,
    move: Any,
    chair: int,
    n: int,
    worlds: Any,
    world_bytes: Any,
    views: Any,
    view_bytes: Any,
    rng: Any,
) -> bool:
    """Whether some of n worlds that the chair holds for possible would have answered the move otherwise."""
    worlds[0] = states[i]
    look(worlds, 0, chair, views, view_bytes, 0)
    apply(worlds[0], seat, move)
    look(worlds, 0, chair, views, view_bytes, 1)
    for _ in range(n):
        dream(views, 0, rng, worlds, world_bytes, 1)
        if refusal(worlds[1], seat, move) != LEGAL:
            return True
        apply(worlds[1], seat, move)
        look(worlds, 1, chair, views, view_bytes, 2)
        if differ(view_bytes, 1, view_bytes, 2):
            return True
    return False


@template
def dreams(views: Any, j: int, n: int, worlds: Any, world_bytes: Any, rng: Any) -> None:
    """Fill the first n worlds with such as views[j] allows."""
    for i in range(n):
        dream(views, j, rng, worlds, world_bytes, i)


@template
def gaze(states: Any, n: int, chair: int, views: Any, view_bytes: Any) -> None:
    """What the chair knows of each of the first n states."""
    for i in range(n):
        look(states, i, chair, views, view_bytes, i)


@template
def relive(
    worlds: Any,
    n: int,
    seats: Any,
    moves: Any,
    chair: int,
    looks: Any,
    look_bytes: Any,
    view_bytes: Any,
) -> bool:
    """Whether n moves can be made from the deal in worlds[0], each look of the chair being as in `view_bytes`."""
    w = worlds[0]
    start(w)
    for i in range(n + 1):
        look(worlds, 0, chair, looks, look_bytes, 0)
        if differ(look_bytes, 0, view_bytes, i):
            return False
        if i < n:
            if (to_move(w) >> seats[i]) & 1 == 0 or not possible(w, seats[i], moves[i]):
                return False
            apply(w, seats[i], moves[i])
    return True


@template
def accepted(s: Any, seat: int, moves: Any, n: int, flags: Any) -> None:
    """Which of n moves the rules accept from the seat."""
    for k in range(n):
        flags[k] = refusal(s, seat, moves[k]) == LEGAL
