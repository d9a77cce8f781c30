"""How a decision is made of what was found: which moves are weighed, for how long, in what order, and which is made.

The search of one decision (`search.py`) and whole games in the kernels (`whole_games.py`) both go by these.
"""

from __future__ import annotations

from clew.bots.simulation import REWARD, TRIES
from clew.core.kernels import rule
from clew.core.rng import below, next32, shuffle
from clew.core.types import Floats, Integers

STREAMS = 4  # of worlds, each with a tally of its own
FORCED = 64  # playouts are enough where there is only one move
ANYTHING = 1.0  # as a blunder: so much no move can cost
SLIP, DUEL, LUCK = 1, 2, 3  # what random numbers branch off for from those of the worlds


@rule
def mean(tally: Floats, k: int) -> float:
    """The reward that move k had on average, -1 if it was never tried."""
    return float(tally[k, REWARD] / tally[k, TRIES]) if tally[k, TRIES] > 0.0 else -1.0


@rule
def by_prior(priors: Floats, n: int, most: int, order: Integers) -> int:
    """Write the indices of the best-looking of n moves, the best first: `most` of them, or all for 0; how many."""
    limit = most if 0 < most < n else n
    count = 0
    for i in range(n):
        at = count
        if count == limit:
            at -= 1
            if priors[order[at]] >= priors[i]:
                continue
        else:
            count += 1
        while at > 0 and priors[order[at - 1]] < priors[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    return count


@rule
def best_looking(priors: Floats, n: int, order: Integers, rng: Integers) -> int:
    """The index of the move that looks best; any of them if several do."""
    for i in range(n):
        order[i] = i
    shuffle(rng, order, n)
    best = order[0]
    for i in range(1, n):
        if priors[order[i]] > priors[best]:
            best = order[i]
    return int(best)


@rule
def rounds(candidates: int) -> int:
    """In how many rounds of sequential halving so many candidates become one."""
    count = 1
    while 1 << count < candidates:
        count += 1
    return count


@rule
def worlds(left: int, rounds_left: int, alive: int) -> int:
    """In how many worlds each candidate alive is tried in this round, of the playouts that are left."""
    return max(1, left // rounds_left // alive)


@rule
def first_world(done: int, k: int, streams: int) -> int:
    """The number of the next world of stream k, when so many worlds are done."""
    return done + (k - done) % streams


@rule
def share(first: int, end: int, streams: int) -> int:
    """How many worlds a stream has from its next one on, before the world number `end`."""
    return max(0, (end - first + streams - 1) // streams)


@rule
def rank(tally: Floats, order: Integers, count: int) -> None:
    """Put the first `count` moves of the order by what was found, the best first; equals stay as they are."""
    for i in range(1, count):
        k, at = order[i], i
        found = mean(tally, k)
        while at > 0 and mean(tally, order[at - 1]) < found:
            order[at] = order[at - 1]
            at -= 1
        order[at] = k


@rule
def survivors(alive: int, last: bool) -> int:
    """How many candidates go on after a round: the better half, all after the last."""
    return alive if last else (alive + 1) // 2


@rule
def rank_by_tries(tally: Floats, n: int, order: Integers) -> int:
    """Write the moves of a tree that were tried, the one tried most first, equals by what was found; how many."""
    count = 0
    for k in range(n):
        tries = tally[k, TRIES]
        if tries > 0.0:
            at = count
            while at > 0 and (
                tally[order[at - 1], TRIES] < tries
                or (tally[order[at - 1], TRIES] == tries and mean(tally, order[at - 1]) < mean(tally, k))
            ):
                order[at] = order[at - 1]
                at -= 1
            order[at] = k
            count += 1
    return count


@rule
def passed_over(tally: Floats, order: Integers, count: int, slip: float, blunder: float, rng: Integers) -> int:
    """How many of the best moves a bot passes over by slips: never for one that is a blunder at its level."""
    if blunder >= ANYTHING:
        return slips(count, slip, rng)
    best, at = mean(tally, order[0]), 0
    while at < count - 1 and next32(rng) < slip * 2**32:
        if best - mean(tally, order[at + 1]) > blunder:
            break
        at += 1
    return at


@rule
def slips(count: int, slip: float, rng: Integers) -> int:
    """The same of a bot to which nothing is a blunder: that is known before the search."""
    at = 0
    while at < count - 1 and next32(rng) < slip * 2**32:
        at += 1
    return at


@rule
def drawn(chances: Floats, count: int, rng: Integers) -> int:
    """An index, each as likely as its chance says."""
    number = below(rng, 1 << 30) / (1 << 30)
    total = 0.0
    for i in range(count):
        total += chances[i]
        if total > number:
            return i
    return count - 1
