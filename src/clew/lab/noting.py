"""Games that are played or followed inside the kernels, with what is noted of each."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, deal, ending, quick, result, start
from clew.core.rng import below, branch
from clew.core.types import Integers, MoveCode, MoveCodes, State, States
from clew.lab.rows import (
    BEHIND,
    CHOSEN,
    COMEBACK,
    ENDING,
    EXPECTED,
    FORCED,
    GAMES,
    LEAD_CHANGES,
    LENGTH,
    MADE,
    MARGIN,
    MILLION,
    NOTED,
    OFFERED,
    OPTIONS,
    SCORE,
    SETTLED,
    SHARED,
    TURNS,
    USER_WON,
    USERS,
    USERS_USERS,
    WAIT,
    WATCH,
    WHOLE,
    WON,
    WON_USERS,
    WON_WON,
)
from clew.lab.rows import no_measure as measure
from clew.lab.rows import number_of as code_of

DONE, NEVER_ENDS, NO_MOVE, NO_ENDING = range(4)  # how a game went wrong


@template
def note_end(s: State, moves: int, row: Integers, own: Integers, scores: Integers, places: Integers) -> None:
    """Note how a game ended."""
    players = int(s.players)
    result(s, scores, places)
    shared = 0
    for seat in range(players):
        if places[seat] == 1:
            shared += 1
    best = second = 0
    for seat in range(players):
        row[len(NOTED) + WON * players + seat] = WHOLE // shared if places[seat] == 1 else 0
        row[len(NOTED) + SCORE * players + seat] = scores[seat]
        if places[seat] == 1:
            best = scores[seat]
    found = False
    for seat in range(players):
        if places[seat] != 1 and (not found or abs(best - scores[seat]) < second):
            second, found = abs(best - scores[seat]), True
    row[SHARED] = 1 if shared > 1 else 0
    row[MARGIN] = second if shared == 1 else 0
    row[ENDING] = ending(s)
    row[LENGTH] = moves
    measure(s, own)


@template
def note_course(moves: int, players: int, row: Integers, places: Integers, firsts: Integers) -> None:
    """Note how a game went by `firsts`: after each move the bits of those in front, as if the game ended there."""
    shared = last = 0
    for seat in range(players):
        if places[seat] == 1:
            last |= 1 << seat
            shared += 1
    leader = -1
    for t in range(moves):
        front = firsts[t]
        if front != last:
            row[SETTLED] = t + 1
        if front & (front - 1) == 0:
            if leader >= 0 and front != leader:
                row[LEAD_CHANGES] += 1
            leader = front
        for seat in range(players):
            if places[seat] == 1 and not (front >> seat) & 1:
                row[BEHIND] += WHOLE // shared
                if t == (moves - 1) // 2:
                    row[COMEBACK] += WHOLE // shared


@template
def note_uses(
    row: Integers, players: int, game: int, used: Integers, listed: Integers, count: int, uses: Integers
) -> None:
    """Note for each item that was used in a game how many seats used it, and what these won.

    `used[seat, item]` is the number of the game in which the seat used it last, the first game being 1.
    """
    for i in range(count):
        item = listed[i]
        won = users = 0
        for seat in range(players):
            if used[seat, item] == game:
                users += 1
                won += row[len(NOTED) + WON * players + seat]
        line = uses[item]
        line[GAMES] += 1
        line[USER_WON] += won
        line[USERS] += users
        line[WON_WON] += won * won
        line[WON_USERS] += won * users
        line[USERS_USERS] += users * users


@template
def note_offered(count: int, out: MoveCodes, groups: Integers, seen: Integers, uses: Integers) -> None:
    """Note the items that moves to be chosen from have: each once, however many moves have it.

    groups[move] are the items of a move, the rest being -1: its form, its cards. `seen` numbers the decisions.
    """
    items = uses.shape[0]
    seen[items] += 1
    now = seen[items]
    part = MILLION // count
    for i in range(count):
        group = groups[code_of(out[i])]
        for k in range(group.shape[0]):
            item = group[k]
            if item >= 0 and seen[item] != now:
                seen[item] = now
                uses[item, OFFERED] += 1
            if item >= 0:
                uses[item, EXPECTED] += part


@template
def note_chosen(
    move: MoveCode,
    seat: int,
    players: int,
    game: int,
    groups: Integers,
    used: Integers,
    listed: Integers,
    noted: int,
    uses: Integers,
) -> int:
    """Note the items of a move that was made; how many different ones there are in this game by now."""
    group = groups[code_of(move)]
    for k in range(group.shape[0]):
        item = group[k]
        if item < 0:
            break
        uses[item, CHOSEN] += 1
        if used[seat, item] != game:
            new = True
            for other in range(players):
                if used[other, item] == game:
                    new = False
            if new:
                listed[noted] = item
                noted += 1
            used[seat, item] = game
    return noted


@template
def noted_games(
    n: int,
    begins: Integers,
    play: int,
    first: int,
    every: int,
    random: bool,
    keep: bool,
    longest: int,
    groups: Integers,
    states: States,
    rng: Integers,
    luck: Integers,
    out: MoveCodes,
    played: MoveCodes,
    movers: Integers,
    counts: Integers,
    scores: Integers,
    places: Integers,
    firsts: Integers,
    latest: Integers,
    used: Integers,
    seen: Integers,
    listed: Integers,
    uses: Integers,
    lengths: Integers,
    rows: Integers,
    own: Integers,
) -> int:
    """Deal n games from the blank states[0] and note each; how many: fewer if one goes wrong, and latest[0] says how.

    begins[g] is what the deal of game g comes from. They are played at `random`, or as `played` has it, with `longest`
    places for each game, the first one having the number `first`; of one in `every` is noted how it went, and
    what could have been chosen. `keep` writes there what was played, by whom, and among how many moves.
    `play` is another number for each time that a deal is played. rows[g] is what is noted, `own` what the game's own
    measures write.
    """
    players = int(states[0].players)
    items = uses.shape[0]
    width = rows.shape[1] - own.shape[0]
    for g in range(n):
        row = rows[g]
        course = (first + g) % every == 0
        for i in range(rows.shape[1]):
            row[i] = 0
        for i in range(4):
            rng[i] = begins[g, i]
        branch(rng, play, luck)
        states[1] = states[0]
        s = states[1]
        deal(s, rng)
        start(s)
        for seat in range(players):
            latest[seat] = -1
        used[0, items] += 1
        game = used[0, items]
        noted = options = forced = turns = wait = 0
        ply = 0
        before = -1
        seat = mover(s)
        while seat >= 0:
            if ply >= longest:
                latest[0] = NEVER_ENDS
                return g
            count = quick(s, seat, out)
            if count < 1:
                latest[0] = NO_MOVE
                return g
            if course and items > 0:
                note_offered(count, out, groups, seen, uses)
            options += count
            if count == 1:
                forced += 1
            if random:
                at = below(luck, count)
                if keep:
                    played[g * longest + ply] = out[at]
            else:
                at = 0
                out[0] = played[g * longest + ply]
            if keep:
                movers[g * longest + ply] = seat
                counts[g * longest + ply] = count
            if course and items > 0:
                noted = note_chosen(out[at], seat, players, game, groups, used, listed, noted, uses)
            if seat != before:
                turns += 1
                before = seat
                if latest[seat] >= 0:
                    wait = max(wait, ply - latest[seat] - 1)
            latest[seat] = ply
            row[len(NOTED) + MADE * players + seat] += 1
            apply(s, seat, out[at])
            if course:
                result(s, scores, places)
                front = 0
                for other in range(players):
                    if places[other] == 1:
                        front |= 1 << other
                firsts[ply] = front
            ply += 1
            seat = mover(s)
        if ending(s) == 0:
            latest[0] = NO_ENDING
            return g
        row[OPTIONS], row[FORCED], row[TURNS], row[WAIT] = options, forced, turns, wait
        for other in range(players):
            row[WATCH] = max(row[WATCH], ply - 1 - latest[other])
        for i in range(own.shape[0]):
            own[i] = 0
        note_end(s, ply, row, own, scores, places)
        if course:
            note_course(ply, players, row, places, firsts)
            note_uses(row, players, game, used, listed, noted, uses)
        for i in range(own.shape[0]):
            row[width + i] = own[i]
        lengths[0, ply] += 1
        lengths[1, row[TURNS]] += 1
    return n
