"""Walks among deals, in the kernels: swap two pieces, replay all moves, and keep what the chair could not tell apart.

A deal is a row of piece codes `d`, one for each of the `places` (where it is in a state's memory, and how wide). Moves
that the chair did not see belong to what is walked through: `hidden[t]` is KNOWN, ANY (a choice at the same time as
others'), or the face of the move. `clew.core.sampler` prepares all this and says what it is for.
"""

from __future__ import annotations

from typing import Any

from clew.core.kernels import template
from clew.core.protocol import LEGAL, apply, face, legal, refusal, start, to_move, view
from clew.core.rng import below, next32

KNOWN, ANY = -2, -1
AT, SIZE = 0, 1  # the columns of `places`, and of `held`,
NONE, HOLDER, KIND = 2, 3, 4  # which has more: the code of no piece, who holds it, and which set of pieces it is of
STEP, HALF = 1_000_000, 500_000  # what a ply counts that is explained; the bytes of a view that are right count less
NOTHING = -3  # a proposal that changes nothing
NOT_DEDUCED = 1 << LEGAL  # as in the kit: made from the rules
STUCK = 60_000  # tries without getting better after which a climb is given up
WORSE, ONE_IN = 6, 1000  # a climb goes down by so many bytes at most, and rarely

__all__ = ["climb", "walk"]


def fits(s: Any) -> bool:
    """Whether a state with all pieces laid can be: what the game declares takes its place."""
    return True


@template
def read(rows: Any, at: int, size: int) -> int:
    """The number in so many bytes."""
    value = 0
    for b in range(size):
        value |= int(rows[0, at + b]) << (8 * b)
    return value - (1 << 8 * size) if size < 8 and value >> (8 * size - 1) else value


@template
def write(rows: Any, at: int, size: int, value: int) -> None:
    """Put a number into so many bytes."""
    for b in range(size):
        rows[0, at + b] = (value >> (8 * b)) & 255


@template
def possible(s: Any, seat: int, move: Any) -> bool:
    """Whether the move may have been made here, as far as chairs draw conclusions."""
    return (NOT_DEDUCED >> refusal(s, seat, move)) & 1 == 1


@template
def alike(s: Any, seat: int, shown: int, out: Any) -> int:
    """Put the moves first that others could not tell from one with this face; how many there are."""
    count = legal(s, seat, out)
    found = 0
    for i in range(count):
        if shown == ANY or face(out[i]) == shown:
            out[found] = out[i]
            found += 1
    return found


@template
def stands(s: Any, seat: int, move: Any, shown: int) -> bool:
    """Whether a move that the chair knows, or knows the face of, may have been made here."""
    return possible(s, seat, move) and (shown == KNOWN or shown == ANY or face(move) == shown)


@template
def lay(d: Any, places: Any, blank: Any, states: Any, state_bytes: Any) -> bool:
    """Deal the pieces; whether they fit."""
    states[0] = blank[0]
    for i in range(len(places)):
        write(state_bytes, places[i, AT], places[i, SIZE], d[i])
    return bool(fits(states[0]))


@template
def explained(
    d: Any,
    places: Any,
    blank: Any,
    states: Any,
    state_bytes: Any,
    chair: int,
    views: Any,
    view_bytes: Any,
    seen: Any,
    grades: Any,
    who: Any,
    moves: Any,
    hidden: Any,
    redraw: int,
    counts: Any,
    out: Any,
    rng: Any,
) -> int:
    """How much of what the chair saw this deal explains; STEP * len(seen) if all of it.

    Each byte of a view counts by its grade: a piece that is right must outweigh all that follows from it while another
    is wrong. The hidden move at `redraw` is drawn anew, and so are those that cannot be made here; counts[t] tells from
    how many.
    """
    n = len(seen) - 1
    for t in range(n):
        counts[t] = 0
    if not lay(d, places, blank, states, state_bytes):
        return -STEP
    start(states[0])
    for t in range(n + 1):
        for b in range(view_bytes.shape[1]):
            view_bytes[0, b] = 0
        view(states[0], chair, views[0])
        wrong = 0
        for b in range(view_bytes.shape[1]):
            if view_bytes[0, b] != seen[t, b]:
                wrong += grades[b]
        if wrong > 0:
            return t * STEP - min(wrong, HALF)
        if t == n:
            break
        seat = who[t]
        if (to_move(states[0]) >> seat) & 1 == 0:
            return t * STEP + HALF
        if t == redraw or not stands(states[0], seat, moves[t], hidden[t]):
            if hidden[t] == KNOWN:
                return t * STEP + HALF
            counts[t] = alike(states[0], seat, hidden[t], out)
            if counts[t] == 0:
                return t * STEP + HALF
            moves[t] = out[below(rng, counts[t])]
        apply(states[0], seat, moves[t])
    return (n + 1) * STEP


@template
def way_back(
    d: Any,
    places: Any,
    blank: Any,
    states: Any,
    state_bytes: Any,
    who: Any,
    moves: Any,
    trial_moves: Any,
    hidden: Any,
    redraw: int,
    counts: Any,
    n: int,
    out: Any,
) -> float:
    """How likely the opposite proposal would be, this one being 1: hidden moves are drawn from lists of other lengths.

    `d` and `moves` are those from which it was made. 0 if it would not draw again what was drawn here.
    """
    ratio = 1.0
    lay(d, places, blank, states, state_bytes)
    start(states[0])
    for t in range(n):
        if counts[t] > 0:
            if t != redraw and possible(states[0], who[t], trial_moves[t]):
                return 0.0
            ratio *= counts[t] / alike(states[0], who[t], hidden[t], out)
        apply(states[0], who[t], moves[t])
    return ratio


@template
def ways(states: Any, state_bytes: Any, seat: int, move: Any, held: Any) -> int:
    """How many of the pieces that the seat holds the move may have meant, as pieces of one kind are different pieces.

    A move means a kind if without all those pieces it would be refused; it may mean each that suffices alone.
    """
    total = 1
    for a in range(len(held)):
        code = read(state_bytes, held[a, AT], held[a, SIZE])
        if held[a, HOLDER] != seat or code == held[a, NONE]:
            continue
        copies, first = 0, True
        for b in range(len(held)):
            if held[b, HOLDER] == seat and held[b, KIND] == held[a, KIND]:
                if read(state_bytes, held[b, AT], held[b, SIZE]) == code:
                    copies += 1
                    first = first and b >= a
        if not first or copies < 2:
            continue
        mine = [0]
        mine.clear()
        for b in range(len(held)):
            if held[b, HOLDER] == seat and held[b, KIND] == held[a, KIND]:
                if read(state_bytes, held[b, AT], held[b, SIZE]) == code:
                    mine.append(b)
                    write(state_bytes, held[b, AT], held[b, SIZE], held[b, NONE])
        if not possible(states[0], seat, move):
            enough = 0
            for b in mine:
                write(state_bytes, held[b, AT], held[b, SIZE], code)
                enough += possible(states[0], seat, move)
                write(state_bytes, held[b, AT], held[b, SIZE], held[b, NONE])
            total *= max(enough, 1)
        for b in mine:
            write(state_bytes, held[b, AT], held[b, SIZE], code)
    return total


@template
def weight(
    d: Any,
    places: Any,
    blank: Any,
    states: Any,
    state_bytes: Any,
    chair: int,
    who: Any,
    moves: Any,
    hidden: Any,
    n: int,
    held: Any,
) -> float:
    """In how many ways others' pieces may have been those that were played; the world is left in states[0]."""
    total = 1.0
    lay(d, places, blank, states, state_bytes)
    start(states[0])
    for t in range(n):
        if who[t] != chair and hidden[t] != ANY:
            total *= ways(states, state_bytes, who[t], moves[t], held)
        apply(states[0], who[t], moves[t])
    return total


@template
def propose(d: Any, trial: Any, moves: Any, trial_moves: Any, partners: Any, unseen: Any, rng: Any) -> int:
    """Swap two pieces that may be swapped, or choose a hidden move to be drawn anew: its ply, else -1, or NOTHING."""
    trial[:] = d
    for t in range(len(moves)):
        trial_moves[t] = moves[t]
    if len(unseen) > 0 and (len(d) == 0 or below(rng, 2) == 0):
        return int(unseen[below(rng, len(unseen))])
    if len(d) == 0:
        return NOTHING
    i = below(rng, len(d))
    j = partners[i, 0] + below(rng, partners[i, 1])
    if d[i] == d[j]:
        return NOTHING
    trial[i], trial[j] = d[j], d[i]
    return -1


@template
def climb(
    d: Any,
    trial: Any,
    places: Any,
    partners: Any,
    blank: Any,
    states: Any,
    state_bytes: Any,
    chair: int,
    views: Any,
    view_bytes: Any,
    seen: Any,
    grades: Any,
    who: Any,
    moves: Any,
    trial_moves: Any,
    hidden: Any,
    unseen: Any,
    counts: Any,
    out: Any,
    limit: int,
    rng: Any,
) -> int:
    """Change the deal until it explains all that the chair saw: the tries that it took, or minus those that failed."""
    goal = len(seen) * STEP
    best = explained(
        d,
        places,
        blank,
        states,
        state_bytes,
        chair,
        views,
        view_bytes,
        seen,
        grades,
        who,
        moves,
        hidden,
        -1,
        counts,
        out,
        rng,
    )
    tries = better = 1
    highest = best
    while best < goal:
        if tries >= limit or tries - better > STUCK:
            return -tries
        tries += 1
        redraw = propose(d, trial, moves, trial_moves, partners, unseen, rng)
        if redraw == NOTHING:
            continue
        found = explained(
            trial,
            places,
            blank,
            states,
            state_bytes,
            chair,
            views,
            view_bytes,
            seen,
            grades,
            who,
            trial_moves,
            hidden,
            redraw,
            counts,
            out,
            rng,
        )
        if found >= best or (found >= best - WORSE and below(rng, ONE_IN) == 0):
            best = found
            if best > highest:
                highest, better = best, tries
            d[:] = trial
            for t in range(len(moves)):
                moves[t] = trial_moves[t]
    return tries


@template
def walk(
    d: Any,
    trial: Any,
    places: Any,
    partners: Any,
    blank: Any,
    states: Any,
    state_bytes: Any,
    chair: int,
    views: Any,
    view_bytes: Any,
    seen: Any,
    grades: Any,
    who: Any,
    moves: Any,
    trial_moves: Any,
    hidden: Any,
    unseen: Any,
    counts: Any,
    out: Any,
    held: Any,
    steps: int,
    rng: Any,
) -> int:
    """Go so many steps (Metropolis and Hastings) from a deal that explains all; how many changed something.

    The world in which it ends is left in states[0].
    """
    n = len(seen) - 1
    goal, kept = len(seen) * STEP, 0
    now = weight(d, places, blank, states, state_bytes, chair, who, moves, hidden, n, held)
    for _ in range(steps):
        redraw = propose(d, trial, moves, trial_moves, partners, unseen, rng)
        if redraw == NOTHING:
            continue
        found = explained(
            trial,
            places,
            blank,
            states,
            state_bytes,
            chair,
            views,
            view_bytes,
            seen,
            grades,
            who,
            trial_moves,
            hidden,
            redraw,
            counts,
            out,
            rng,
        )
        if found < goal:
            continue
        ratio = 1.0
        if len(unseen) > 0:
            ratio = way_back(
                d, places, blank, states, state_bytes, who, moves, trial_moves, hidden, redraw, counts, n, out
            )
        then = weight(trial, places, blank, states, state_bytes, chair, who, trial_moves, hidden, n, held)
        if next32(rng) < ratio * then / now * 4294967296.0:
            now = then
            kept += 1
            d[:] = trial
            for t in range(len(moves)):
                moves[t] = trial_moves[t]
    weight(d, places, blank, states, state_bytes, chair, who, moves, hidden, n, held)
    return kept
