"""What moves are worth, by playouts: in the worlds that a seat holds for possible, or in the one that it is."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.playouts import mover
from clew.core.protocol import apply, deal, legal, refusal, result, start, view
from clew.core.rng import absorb, branch
from clew.core.types import Floats, Integers, MoveCodes, Numbers, State, States, ViewRecord, ViewRecords
from clew.lab.given import determinize, reward_of, rollout, win_share
from clew.lab.rows import MILLION
from clew.lab.rows import number_of as code_of

PROBED = (
    "decisions",  # among two moves or more
    "gain",  # over them, what the best move wins more than one at random, in millionths
    "clear",  # no-brainers
    "lost",  # decisions of who has hardly a chance left
    "kings",  # of these, those that decide among others
    "moves",
    "looks",  # times at which chances were taken
    "at_start",  # the chance of who won, in millionths: at the start,
    "at_quarter",
    "at_half",
    "at_three_quarters",
    "lowest",  # and at its lowest
)
(DECISIONS, GAIN, CLEAR, LOST, KINGS, MOVES_MADE, LOOKS, AT_START, AT_QUARTER, AT_HALF, AT_THREE, LOWEST) = range(
    len(PROBED)
)
VALUES = ("games", "gain", "decisions", "gain_gain", "gain_decisions", "decisions_decisions")
IN_GAMES, ITEM_GAIN, ITEM_DECISIONS, GAIN_GAIN, GAIN_DECISIONS, DECISIONS_DECISIONS = range(len(VALUES))
LEAD = 0.1  # of the victories: so much better than any other a move is no question
HOPELESS = 0.05  # a chance to win, of 1
KING = 0.1  # of another's chance to win: whoever can move that, makes kings


@template
def play_out(
    s: State,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Floats,
    knobs: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    won: Floats,
) -> None:
    """Play a world on and add what each seat wins of it."""
    players = int(s.players)
    over = rollout(s, states, rng, out, weights, depth, scores, places)
    for seat in range(players):
        reward = reward_of(s, seat, over, knobs, weights, scores, places)
        won[seat] += win_share(players, seat, over, reward, places)


@template
def weigh(
    table: States,
    sees: bool,
    v: ViewRecord,
    seat: int,
    worlds: int,
    states: States,
    roots: Integers,
    rng: Integers,
    moves: MoveCodes,
    out: MoveCodes,
    weights: Floats,
    knobs: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    won: Floats,
) -> int:
    """Try all moves of a seat in as many worlds, each twice as two halves: won[half, move, seat]; how many moves.

    Who `sees` tries them in the world as it is. The luck of the playouts is the same for all moves.
    """
    players = int(table[0].players)
    count = legal(table[0], seat, moves)
    for half in range(2):
        for k in range(count):
            for other in range(players):
                won[half, k, other] = 0.0
        for i in range(worlds):
            determinize(v, states, roots, 1 + 2 * i + half, rng)
            if sees:
                states[1] = table[0]
            luck0, luck1, luck2, luck3 = rng[0], rng[1], rng[2], rng[3]
            for k in range(count):
                rng[0], rng[1], rng[2], rng[3] = luck0, luck1, luck2, luck3
                states[2] = states[1]
                apply(states[2], seat, moves[k])
                play_out(states[2], states, rng, out, weights, knobs, depth, scores, places, won[half, k])
        for k in range(count):
            for other in range(players):
                won[half, k, other] /= worlds
    return count


@template
def best_of(won: Floats, half: int, count: int, seat: int) -> int:
    """The move with which a seat wins most in one half of the worlds."""
    best = 0
    for k in range(1, count):
        if won[half, k, seat] > won[half, best, seat]:
            best = k
    return best


@template
def leads(won: Floats, half: int, count: int, seat: int, best: int) -> bool:
    """Whether a move wins clearly more than every other."""
    for k in range(count):
        if k != best and won[half, k, seat] > won[half, best, seat] - LEAD:
            return False
    return True


@template
def moves_kings(won: Floats, count: int, players: int, seat: int) -> bool:
    """Whether a seat decides among others: the two moves that differ most in one half do so in the other half, too."""
    found = 0
    for half in range(2):
        low = high = who = 0
        most = -1.0
        for other in range(players):
            for k in range(count):
                for j in range(count):
                    if other != seat and won[half, k, other] - won[half, j, other] > most:
                        most = won[half, k, other] - won[half, j, other]
                        high, low, who = k, j, other
        if won[1 - half, high, who] - won[1 - half, low, who] > KING:
            found += 1
    return found == 2


@template
def note_decision(won: Floats, count: int, players: int, seat: int, row: Integers) -> None:
    """Note a decision: which move is best is found in one half of the worlds, and what it is worth in the other."""
    gain, own = 0.0, 0.0
    for half in range(2):
        mean = 0.0
        for k in range(count):
            mean += won[half, k, seat] / count
        gain += (won[half, best_of(won, 1 - half, count, seat), seat] - mean) / 2
        own += mean / 2
    row[DECISIONS] += 1
    row[GAIN] += round(gain * MILLION)
    best = best_of(won, 0, count, seat)
    if best == best_of(won, 1, count, seat) and leads(won, 0, count, seat, best):
        if leads(won, 1, count, seat, best):
            row[CLEAR] += 1
    if players > 2 and own < HOPELESS:
        row[LOST] += 1
        if moves_kings(won, count, players, seat):
            row[KINGS] += 1


@template
def note_values(
    won: Floats,
    moves: MoveCodes,
    count: int,
    seat: int,
    groups: Integers,
    seen: Integers,
    with_it: Floats,
    gains: Integers,
    here: Integers,
) -> None:
    """Note for each item that some of the moves have, and others have not, how much more those win, in millionths.

    with_it[item] is what is won with it, and by how many moves; `seen` numbers the decisions.
    """
    items = gains.shape[0]
    seen[items] += 1
    now = seen[items]
    total = 0.0
    for k in range(count):
        value = (won[0, k, seat] + won[1, k, seat]) / 2
        total += value
        group = groups[code_of(moves[k])]
        for g in range(group.shape[0]):
            item = group[g]
            if item < 0:
                break
            if seen[item] != now:
                seen[item] = now
                with_it[item, 0] = 0.0
                with_it[item, 1] = 0.0
            with_it[item, 0] += value
            with_it[item, 1] += 1.0
    for item in range(items):
        if seen[item] == now and with_it[item, 1] < count:
            others = (total - with_it[item, 0]) / (count - with_it[item, 1])
            gains[item] += round((with_it[item, 0] / with_it[item, 1] - others) * MILLION)
            here[item] += 1


@template
def note_chances(
    table: States,
    at: int,
    looks: int,
    states: States,
    rng: Integers,
    out: MoveCodes,
    weights: Floats,
    knobs: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    chances: Floats,
) -> None:
    """Note the chances of all seats in a world as it is, twice, by so many playouts each: chances[half, at, seat]."""
    for half in range(2):
        for seat in range(int(table[0].players)):
            chances[half, at, seat] = 0.0
        for _ in range(looks):
            states[2] = table[0]
            play_out(states[2], states, rng, out, weights, knobs, depth, scores, places, chances[half, at])
        for seat in range(int(table[0].players)):
            chances[half, at, seat] /= looks


@template
def probe(
    begin: Integers,
    count: int,
    every: int,
    worlds: int,
    looks: int,
    asked: int,
    table: States,
    views: ViewRecords,
    view_bytes: Numbers,
    played: MoveCodes,
    movers: Integers,
    states: States,
    roots: Integers,
    rng: Integers,
    moves: MoveCodes,
    out: MoveCodes,
    weights: Floats,
    knobs: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    won: Floats,
    chances: Floats,
    groups: Integers,
    seen: Integers,
    with_it: Floats,
    gains: Integers,
    here: Integers,
    values: Integers,
    refused: Integers,
    row: Integers,
) -> None:
    """Go through a game that was played, and note what the moves were worth at one decision in `every`.

    Chances of all seats are noted a quarter, half and three quarters through the game and at each of those decisions.
    `asked` moves of the game's forms are held against `refusal` there: refused[reason] is how often it was the reason.
    """
    players = int(table[0].players)
    for i in range(4):
        rng[i] = begin[i]
    deal(table[0], rng)
    start(table[0])
    for item in range(gains.shape[0]):
        gains[item] = 0
        here[item] = 0
    looked = 0
    quarters = 0
    row[MOVES_MADE] = count
    for ply in range(count):
        seat = movers[ply]
        for i in range(4):
            roots[i] = begin[i]
        branch(roots, 1 + ply, rng)
        if ply * 4 >= quarters * count and quarters < 4:
            note_chances(table, quarters, looks, states, rng, out, weights, knobs, depth, scores, places, chances)
            quarters += 1
        if (ply + begin[0]) % every == 0:
            note_chances(table, 4 + looked, looks, states, rng, out, weights, knobs, depth, scores, places, chances)
            looked += 1
            views[1] = views[0]
            view(table[0], seat, views[1])
            for i in range(4):
                roots[i] = rng[i]
            absorb(roots, view_bytes, view_bytes.shape[0])
            n = weigh(
                table, False, views[1], seat, worlds, states, roots, rng, moves, out, weights, knobs, depth, scores,
                places, won,
            )  # fmt: skip
            if n > 1:
                note_decision(won, n, players, seat, row)
                if gains.shape[0] > 0:
                    note_values(won, moves, n, seat, groups, seen, with_it, gains, here)
            for code in range(asked):
                refused[refusal(table[0], seat, code)] += 1
        apply(table[0], seat, played[ply])
    result(table[0], scores, places)
    note_winner(players, looked, places, chances, row)
    for item in range(gains.shape[0]):
        if here[item] > 0:
            line = values[item]
            line[IN_GAMES] += 1
            line[ITEM_GAIN] += gains[item]
            line[ITEM_DECISIONS] += here[item]
            line[GAIN_GAIN] += gains[item] // 1000 * (gains[item] // 1000)
            line[GAIN_DECISIONS] += gains[item] // 1000 * here[item]
            line[DECISIONS_DECISIONS] += here[item] * here[item]


@template
def note_winner(players: int, looked: int, places: Integers, chances: Floats, row: Integers) -> None:
    """Note what the chances of those were who won; of several the mean."""
    winners = 0
    lowest = 0.0
    for seat in range(players):
        if places[seat] == 1:
            winners += 1
            for quarter in range(4):
                chance = (chances[0, quarter, seat] + chances[1, quarter, seat]) / 2
                row[AT_START + quarter] += round(chance * MILLION)
            for half in range(2):
                low = 0
                for at in range(1, 4 + looked):
                    if chances[half, at, seat] < chances[half, low, seat]:
                        low = at
                lowest += chances[1 - half, low, seat] / 2
    for quarter in range(4):
        row[AT_START + quarter] //= winners
    row[LOWEST] = round(lowest / winners * MILLION)
    row[LOOKS] = looked


@template
def play_sighted(
    begin: Integers,
    seer: int,
    longest: int,
    worlds: int,
    table: States,
    views: ViewRecords,
    view_bytes: Numbers,
    states: States,
    roots: Integers,
    rng: Integers,
    moves: MoveCodes,
    out: MoveCodes,
    weights: Floats,
    knobs: Floats,
    depth: int,
    scores: Integers,
    places: Integers,
    won: Floats,
) -> int:
    """Play a game in which one seat sees everything, and all think equally long; how many moves it took.

    Each seat makes the move that wins most in its worlds: of who sees, that is the one that there is.
    """
    for i in range(4):
        rng[i] = begin[i]
    deal(table[0], rng)
    start(table[0])
    ply = 0
    seat = mover(table[0])
    while seat >= 0 and ply < longest:
        views[1] = views[0]
        view(table[0], seat, views[1])
        for i in range(4):
            roots[i] = begin[i]
        branch(roots, 1 + ply, rng)
        for i in range(4):
            roots[i] = rng[i]
        absorb(roots, view_bytes, view_bytes.shape[0])
        n = weigh(
            table, seat == seer, views[1], seat, worlds, states, roots, rng, moves, out, weights, knobs, depth, scores,
            places, won,
        )  # fmt: skip
        best = 0
        for k in range(1, n):
            if won[0, k, seat] + won[1, k, seat] > won[0, best, seat] + won[1, best, seat]:
                best = k
        apply(table[0], seat, moves[best])
        ply += 1
        seat = mover(table[0])
    result(table[0], scores, places)
    return ply
