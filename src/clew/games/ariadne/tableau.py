"""The tableau of Ariadne's Thread: where a card may go, what hangs together, and what that is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.core import rule
from clew.games.ariadne.grid import (
    BOTTOM,
    CELLS,
    CENTRE,
    COLOUR,
    GRID,
    LEFT,
    LINE,
    NOW,
    OWN,
    PAST,
    PER_THREAD,
    RIGHT,
    SPAN,
    TOP,
    number,
)

if TYPE_CHECKING:
    from clew.games.ariadne.rules import State

# Where a card may go. All three actions fill one cell more and empty none, so for all the same cells are allowed.


@rule
def columns(s: State) -> int:
    """ARI-12: a bit for each column in which a card keeps the tableau within seven."""
    return (1 << int(s.box[NOW, LEFT] + SPAN)) - (1 << int(s.box[NOW, RIGHT] - SPAN + 1))


@rule
def first_row(s: State) -> int:
    """ARI-12: the highest row that keeps the tableau within seven."""
    return int(s.box[NOW, BOTTOM]) - SPAN + 1


@rule
def last_row(s: State) -> int:
    """ARI-12: the lowest such row."""
    return int(s.box[NOW, TOP]) + SPAN - 1


@rule
def touching(s: State, row: int) -> int:
    """ARI-10: a bit for each cell of the row at whose side or corner a card lies."""
    near = int(s.taken[row - 1]) | int(s.taken[row]) | int(s.taken[row + 1])
    return near << 1 | near | near >> 1


@rule
def free(s: State, row: int) -> int:
    """ARI-10, ARI-11, ARI-12: a bit for each cell of a row in the window to which a card may go."""
    return touching(s, row) & columns(s) & ~int(s.taken[row])


@rule
def clear(s: State) -> None:
    """ARI-02: nothing but the centre for the Joker."""
    for cell in range(CELLS):
        s.tableau[NOW, cell] = 0
    for row in range(GRID):
        s.taken[row] = 0
    for side in range(4):
        s.box[NOW, side] = CENTRE
    s.joker[NOW] = CENTRE * GRID + CENTRE


@rule
def keep(s: State) -> None:
    """ARI-17: the tableau of a round that is over can still be looked at in the next."""
    for cell in range(CELLS):
        s.tableau[PAST, cell] = s.tableau[NOW, cell]
    for side in range(4):
        s.box[PAST, side] = s.box[NOW, side]
    s.joker[PAST] = s.joker[NOW]


@rule
def lay(s: State, cell: int, card: int) -> None:
    """Put a card on the tableau."""
    row, column = cell // GRID, cell % GRID
    s.tableau[NOW, cell] = card
    s.taken[row] |= 1 << column
    s.box[NOW, TOP] = min(s.box[NOW, TOP], row)
    s.box[NOW, BOTTOM] = max(s.box[NOW, BOTTOM], row)
    s.box[NOW, LEFT] = min(s.box[NOW, LEFT], column)
    s.box[NOW, RIGHT] = max(s.box[NOW, RIGHT], column)


# Threads. The box that a tableau spans fits one word, LINE bits a row.


@rule
def box_cell(s: State, when: int, bit: int) -> int:
    """The cell of a bit."""
    return (s.box[when, TOP] + bit // LINE) * GRID + s.box[when, LEFT] + bit % LINE


@rule
def coloured(s: State, when: int, seat: int) -> int:
    """ARI-14: a bit for each card that can be in a thread of the player."""
    word = 0
    turned_too = s.face_down == COLOUR
    tableau, corner = s.tableau[when], box_cell(s, when, 0)
    for row in range(SPAN):
        for column in range(SPAN):
            card = int(tableau[corner + row * GRID + column])
            if card < 0 and turned_too:
                card = -card
            if card > 0 and (card - 1) // OWN == seat:  # the Joker has no colour
                word |= 1 << row * LINE + column
    return word


@rule
def sides(word: int) -> int:
    """The cells at the sides of these cells."""
    return word << 1 | word >> 1 | word << LINE | word >> LINE


@rule
def first_group(word: int) -> int:
    """ARI-14: the side-connected cards around the first one."""
    group = word & -word
    grown = (group | sides(group)) & word
    while grown != group:
        group = grown
        grown = (group | sides(group)) & word
    return group


@rule
def length(group: int) -> int:
    """How many cards."""
    count = 0
    while group:
        group &= group - 1
        count += 1
    return count


@rule
def worth(s: State, when: int, group: int) -> int:
    """ARI-15: the points of the cards that lie face up."""
    points = 0
    for bit in range(SPAN * LINE):
        if group >> bit & 1:
            card = int(s.tableau[when, box_cell(s, when, bit)])
            if card > 0:
                points += min(number(card), 10)
    return points


@rule
def beside_joker(s: State, when: int, group: int) -> bool:
    """ARI-16: whether the Joker lies at the side of a group."""
    row, column = s.joker[when] // GRID - s.box[when, TOP], s.joker[when] % GRID - s.box[when, LEFT]
    return sides(1 << int(row * LINE + column)) & group != 0


@rule
def joker_score(s: State, when: int, threads: int) -> int:
    """ARI-16: what the Joker gives or takes beside so many threads of a player."""
    times = threads if s.joker_counts == PER_THREAD else min(threads, 1)
    points = times * int(s.joker_points)
    return points if s.tableau[when, s.joker[when]] > 0 else -points


@rule
def score(s: State, seat: int) -> tuple[int, int]:
    """ARI-15, ARI-16: what this round's tableau brings a player, from threads and from the Joker."""
    points = 0
    beside = 0
    word = coloured(s, NOW, seat)
    while word:
        group = first_group(word)
        word ^= group
        if length(group) >= s.thread_min:
            points += worth(s, NOW, group)
            beside += beside_joker(s, NOW, group)
    return points, joker_score(s, NOW, beside)


# What views tell


@rule
def survey(s: State, v: State) -> None:
    """Where a card may go, what the tableau may still reach, and what hangs together."""
    if not s.ended:
        for row in range(first_row(s), last_row(s) + 1):
            v.free[row] = free(s, row)
    v.window[TOP], v.window[BOTTOM] = first_row(s), last_row(s)
    v.window[LEFT], v.window[RIGHT] = s.box[NOW, RIGHT] - SPAN + 1, s.box[NOW, LEFT] + SPAN - 1
    tell_groups(s, NOW, v)
    if s.round_number > 1:
        tell_groups(s, PAST, v)


@rule
def tell_groups(s: State, when: int, v: State) -> None:
    """What hangs together, and what of it is a thread."""
    count = 0
    for seat in range(2):
        word = coloured(s, when, seat)
        while word:
            group = first_group(word)
            word ^= group
            for bit in range(SPAN * LINE):
                if group >> bit & 1:
                    v.group[when, box_cell(s, when, bit)] = count + 1
            v.points[when, count] = worth(s, when, group)
            if length(group) >= s.thread_min:
                v.thread[when, count] = 1 + beside_joker(s, when, group)
            count += 1
