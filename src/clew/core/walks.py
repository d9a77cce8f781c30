"""Walks among deals, in the kernels: swap two pieces, replay all moves, and keep what the chair could not tell apart.

A deal is a row of piece codes, one for each of the `places` (where it is in a state's memory, and how wide). Moves
that the chair did not see belong to what is walked through: `hidden[t]` is KNOWN, ANY (a choice at the same time as
others'), or the face of the move. `clew.core.sampler` prepares all this and says what it is for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from clew.core.kernels import large, template
from clew.core.protocol import LEGAL, apply, face, legal, refusal, start, to_move, view
from clew.core.rng import below, next32

# `Any` in signatures here: the arrays and records that a game's kernels work on; their types are the compiler's.

KNOWN, ANY = -2, -1
AT, SIZE = 0, 1  # the columns of `places`, and of `held`,
NONE, HOLDER, KIND = 2, 3, 4  # which has more: the code of no piece, who holds it, and which set of pieces it is of
STEP, HALF = 1_000_000, 500_000  # what a ply counts that is explained; the bytes of a view that are right count less
NOTHING = -3  # a proposal that changes nothing
NOT_DEDUCED = 1 << LEGAL  # as in the kit: made from the rules
STUCK = 60_000  # tries without getting better after which a climb is given up
WORSE, ONE_IN = 6, 1000  # a climb goes down by so many bytes at most, and rarely
ASIDE = 8  # one try in so many leaves the place that was found to show

__all__ = ["Search", "climb", "walk"]


class Search(NamedTuple):
    """What a chair saw, and all that is written to while deals are looked for that explain it."""

    deal: Any  # the codes of the pieces, place by place: the deal that is changed,
    trial: Any  # and what it would be
    places: Any  # of each piece in the memory of a state
    partners: Any  # the first place of those with which each may be swapped, and how many they are
    blank: Any  # a deal without what it hides
    states: Any  # one state,
    state_bytes: Any  # and its memory
    chair: int
    views: Any  # one view,
    view_bytes: Any  # and its memory
    wrong_bytes: Any  # the first view that the deal does not explain
    seen: Any  # the bytes of the chair's views, ply by ply
    grades: Any  # what each of these bytes counts
    who: Any  # made the moves
    moves: Any  # with those that the chair did not see as they are imagined,
    trial_moves: Any  # and as they would be
    hidden: Any  # what the chair knows of each: KNOWN, ANY or its face
    unseen: Any  # the plies of those that are not KNOWN
    counts: Any  # from how many each was drawn in the last replay; 0 if it was not
    out: Any  # for a list of moves
    held: Any  # the places of pieces that players hold
    swapped: Any  # the two places whose pieces were swapped last


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
def lay(q: Search, deal: Any) -> bool:
    """Deal the pieces; whether they fit."""
    q.states[0] = q.blank[0]
    for i in range(len(q.places)):
        write(q.state_bytes, q.places[i, AT], q.places[i, SIZE], deal[i])
    return bool(fits(q.states[0]))


@large
def explained(q: Search, deal: Any, moves: Any, redraw: int, rng: Any) -> int:
    """How much of what the chair saw this deal explains; STEP * len(seen) if all of it.

    Each byte of a view counts by its grade: a piece that is right must outweigh all that follows from it while another
    is wrong. The hidden move at `redraw` is drawn anew, and so are those that cannot be made here; counts[t] tells from
    how many.
    """
    n = len(q.seen) - 1
    for t in range(n):
        q.counts[t] = 0
    if not lay(q, deal):
        return -STEP
    start(q.states[0])
    for t in range(n + 1):
        for b in range(q.view_bytes.shape[1]):
            q.view_bytes[0, b] = 0
        view(q.states[0], q.chair, q.views[0])
        wrong = 0
        for b in range(q.view_bytes.shape[1]):
            if q.view_bytes[0, b] != q.seen[t, b]:
                wrong += q.grades[b]
        if wrong > 0:
            return t * STEP - min(wrong, HALF)
        if t == n:
            break
        seat = q.who[t]
        if (to_move(q.states[0]) >> seat) & 1 == 0:
            return t * STEP + HALF
        if t == redraw or not stands(q.states[0], seat, moves[t], q.hidden[t]):
            if q.hidden[t] == KNOWN:
                return t * STEP + HALF
            q.counts[t] = alike(q.states[0], seat, q.hidden[t], q.out)
            if q.counts[t] == 0:
                return t * STEP + HALF
            moves[t] = q.out[below(rng, q.counts[t])]
        apply(q.states[0], seat, moves[t])
    return (n + 1) * STEP


@template
def way_back(q: Search, redraw: int) -> float:
    """How likely the opposite of what was tried would be, that being 1: moves are drawn from lists of other lengths.

    0 if it would not draw again what was drawn here.
    """
    ratio = 1.0
    lay(q, q.deal)
    start(q.states[0])
    for t in range(len(q.who)):
        if q.counts[t] > 0:
            if t != redraw and possible(q.states[0], q.who[t], q.trial_moves[t]):
                return 0.0
            ratio *= q.counts[t] / alike(q.states[0], q.who[t], q.hidden[t], q.out)
        apply(q.states[0], q.who[t], q.moves[t])
    return ratio


@template
def ways(q: Search, seat: int, move: Any) -> int:
    """How many of the pieces that the seat holds the move may have meant, as pieces of one kind are different pieces.

    A move means a kind if without all those pieces it would be refused; it may mean each that suffices alone.
    """
    held, state_bytes, total = q.held, q.state_bytes, 1
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
        if not possible(q.states[0], seat, move):
            enough = 0
            for b in mine:
                write(state_bytes, held[b, AT], held[b, SIZE], code)
                enough += possible(q.states[0], seat, move)
                write(state_bytes, held[b, AT], held[b, SIZE], held[b, NONE])
            total *= max(enough, 1)
        for b in mine:
            write(state_bytes, held[b, AT], held[b, SIZE], code)
    return total


@large
def weight(q: Search, deal: Any, moves: Any) -> float:
    """In how many ways others' pieces may have been those that were played; the world is left in states[0]."""
    total = 1.0
    lay(q, deal)
    start(q.states[0])
    for t in range(len(q.who)):
        if q.who[t] != q.chair and q.hidden[t] != ANY:
            total *= ways(q, q.who[t], moves[t])
        apply(q.states[0], q.who[t], moves[t])
    return total


@template
def propose(q: Search, pivot: int, rng: Any) -> int:
    """Swap two pieces that may be swapped, or choose a hidden move to be drawn anew: its ply, else -1, or NOTHING.

    One of the places is `pivot`, if that is none of -1.
    """
    for i in range(len(q.deal)):  # a slice would have the compiler write an error for other lengths, at some cost
        q.trial[i] = q.deal[i]
    for t in range(len(q.moves)):
        q.trial_moves[t] = q.moves[t]
    if len(q.unseen) > 0 and (len(q.deal) == 0 or below(rng, 2) == 0):
        return int(q.unseen[below(rng, len(q.unseen))])
    if len(q.deal) == 0:
        return NOTHING
    i = pivot if pivot >= 0 else below(rng, len(q.deal))
    j = q.partners[i, 0] + below(rng, q.partners[i, 1])
    if q.deal[i] == q.deal[j]:
        return NOTHING
    q.trial[i], q.trial[j] = q.deal[j], q.deal[i]
    q.swapped[0], q.swapped[1] = i, j
    return -1


@template
def keep(q: Search) -> None:
    """What was tried is what there is."""
    for i in range(len(q.deal)):
        q.deal[i] = q.trial[i]
    for t in range(len(q.moves)):
        q.moves[t] = q.trial_moves[t]


@template
def shows_otherwise(q: Search) -> bool:
    """Whether the first wrong view of what was tried is another than that of the deal."""
    for b in range(q.view_bytes.shape[1]):
        if q.view_bytes[0, b] != q.wrong_bytes[0, b]:
            return True
    return False


@template
def remember_wrong(q: Search) -> None:
    """The first view that the deal does not explain is the one looked at last."""
    for b in range(q.view_bytes.shape[1]):
        q.wrong_bytes[0, b] = q.view_bytes[0, b]


@template
def climb(q: Search, limit: int, rng: Any) -> int:
    """Change the deal until it explains all that the chair saw: the tries that it took, or minus those that failed.

    A place whose piece shows in the first view that is wrong is mostly tried on: with each of the other pieces in turn
    instead of each two of them.
    """
    goal = len(q.seen) * STEP
    best = explained(q, q.deal, q.moves, -1, rng)
    remember_wrong(q)
    tries = better = 1
    highest, pivot = best, -1
    while best < goal:
        if tries >= limit or tries - better > STUCK:
            return -tries
        tries += 1
        at = pivot if pivot >= 0 and below(rng, ASIDE) > 0 else -1
        redraw = propose(q, at, rng)
        if redraw == NOTHING:
            continue
        found = explained(q, q.trial, q.trial_moves, redraw, rng)
        if redraw < 0 and found // STEP == best // STEP:
            if not shows_otherwise(q):
                pivot = -1 if at >= 0 else pivot
            elif pivot < 0:
                pivot = int(q.swapped[below(rng, 2)])
        if found >= best or (found >= best - WORSE and below(rng, ONE_IN) == 0):
            best = found
            if best > highest:
                highest, better, pivot = best, tries, -1
            keep(q)
            remember_wrong(q)
    return tries


@template
def walk(q: Search, steps: int, rng: Any) -> int:
    """Go so many steps (Metropolis and Hastings) from a deal that explains all; how many changed something.

    The world in which it ends is left in states[0].
    """
    goal, kept = len(q.seen) * STEP, 0
    now = weight(q, q.deal, q.moves)
    for _ in range(steps):
        redraw = propose(q, -1, rng)
        if redraw == NOTHING or explained(q, q.trial, q.trial_moves, redraw, rng) < goal:
            continue
        ratio = way_back(q, redraw) if len(q.unseen) > 0 else 1.0
        then = weight(q, q.trial, q.trial_moves)
        if next32(rng) < ratio * then / now * 4294967296.0:
            now = then
            kept += 1
            keep(q)
    weight(q, q.deal, q.moves)
    return kept
