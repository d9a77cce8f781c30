"""Aathenuo: two to four players lay numbered tiles on the table in sets that cross each other.

A set is the same number in different colours, or consecutive numbers of one colour; a star acts as any number of its
colour. In a turn the whole table may be rearranged, as long as it ends in sets with a tile more from the rack. Who
cannot play draws a tile. The first to empty the rack wins, and the others play on for the places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import LEGAL, Reason, Record, count, count_of, option, public, rule, secret, seen, shuffle
from clew.core.declare import seat_of
from clew.core.derive import copy_head
from clew.games.aathenuo.bag import ROUNDS, SEATS, copies_of, draw_off, fill_bag
from clew.games.aathenuo.layout import cell_key, cell_of, on_table, sort_keys, valid
from clew.games.aathenuo.solver import can_play, clear, plays
from clew.games.aathenuo.solver import quick as quick_plays
from clew.games.aathenuo.tiles import COLOUR_OF, COLOURS, FACE_OF, FACES, FARTHEST, KINDS, MOST, NO_TILE, TILE, TILES

TITLE = "Aathenuo"
BLURB = "Sets that cross, a table that is never finished: rearrange everything and empty your rack."
RULES = 1
PLAYERS = (2, 4)
RECOMMENDED = 4
STRICT, FREE = range(2)
ENDINGS = ("out", "passes")
OUT, PASSES = 1, 2
LOW_SCORE_WINS = True  # AAT-13 a score is tiles left

PLAY, DRAW, PASS = range(3)
MOVE = np.dtype(
    [
        ("action", np.int16),
        ("placed", np.int16),  # entries 0 .. placed - 1: a tile from the rack, onto x, y
        ("moved", np.int16),  # entries from there on: the tile at from_x, from_y goes to x, y
        ("tile", np.int16, (TILES,)),
        ("x", np.int16, (TILES,)),
        ("y", np.int16, (TILES,)),
        ("from_x", np.int16, (TILES,)),
        ("from_y", np.int16, (TILES,)),
    ]
)
LISTED_IN_FULL = False  # the plays are beyond counting
MOVES = 32
# Every tile is drawn at most once after the deal and laid at most once, and a turn that is not a pass does one of the
# two; the tiles dealt, ten at least, are not drawn. Before each play and after the last one three can pass in a row
# without ending the game, and a fourth ends it. So there are at most 2 * TILES - 10 + 3 * (TILES + 1) + 1 moves.
LONGEST = 5 * TILES

REASONS: list[Reason]
NOT_A_MOVE = Reason("COM-06", "That is not a move.")
NO_TILE_LAID = Reason("AAT-05", "At least one tile must come from your rack.")
NOT_ON_RACK = Reason("AAT-05", "You have no {tile} on your rack.")
TOO_MANY = Reason("AAT-05", "You have only {held} {tile} on your rack.")
NOT_ON_TABLE = Reason("AAT-10", "There is no tile to move at that place.")
MOVED_TWICE = Reason("AAT-10", "The {tile} can go to one place only, not to two.")
NOT_MOVED = Reason("AAT-10", "The {tile} lies there already: leave it out of the move.")
BEYOND = Reason("AAT-07", f"A tile would lie beyond the table, which ends {FARTHEST} cells from its middle.")
OCCUPIED = Reason("AAT-07", "The {tile} and the {other} cannot both lie in one place: a cell is for one tile.")
NO_SETS = Reason("AAT-10", "{faults}")  # those of the layout, with their own rules
NO_DRAW = Reason("AAT-06", "You have a play, so you may not draw: at this table who can play must play.")
NO_PASS = Reason("AAT-13", "You have a play, so you may not pass: at this table who can play must play.")
BAG_EMPTY = Reason("AAT-06", "The bag is empty: there is no tile to draw.")
BAG_NOT_EMPTY = Reason("AAT-13", "There {left} in the bag: who does not play draws, and passes only when it is empty.")
# That somebody drew or passed tells the others that the solver found no play for them (AAT-06). This conclusion is left
# to the players: neither views nor imagined worlds carry it.
NOT_DEDUCED = (NO_DRAW, NO_PASS)


class State(Record):
    """AAT-04: all see the table and the colours on each rack; what is on it only who holds it, but at the end."""

    colours = option(range(3, 7), "how many colours there are", 4)
    copies = option(range(1, 4), "how often each number is there in a colour", 3)
    stars = option(range(5), "how many stars a colour has", 1)
    hand = option(range(5, 15), "how many tiles a player begins with", 10)
    must_play = option(("strict", "free"), "draw only when nothing can be played, or whenever you like")
    first = public(seat_of(SEATS))
    turn = public(seat_of(SEATS))  # the seat to move, AAT-03 clockwise without those who are out
    turns = public(count(LONGEST))  # turns played
    passes = public(count(SEATS))  # in a row
    ended = public(count(PASSES))
    place = public(count(SEATS), SEATS)  # of a seat that is out; 0 while it is in
    rounds = public(count(ROUNDS, 1))
    drawoff = public(TILE, ROUNDS, SEATS)  # the tiles drawn for the start
    tiles = public(count(TILES))  # how many lie on the table, in reading order
    tile = public(TILE, TILES)
    x = public(count(FARTHEST, -FARTHEST), TILES)
    y = public(count(FARTHEST, -FARTHEST), TILES)
    top = public(count(TILES))  # where the bag begins
    colours_held = public(count(FACES * MOST), SEATS, COLOURS)
    rack = seen(count(MOST), SEATS, KINDS, mine=True, where="laid_open")  # how many of each kind
    bag = secret(TILE, TILES, packed="back")  # in the order in which it is drawn


HEAD = State.head_size()


@rule
def laid_open(s: State, seat: int, player: int, kind: int) -> bool:
    """AAT-13: all racks, when they are compared."""
    return s.ended == PASSES


def refuse_table(options: dict[str, Any], players: int) -> str:
    """All racks must be filled."""
    there = int(options["colours"]) * (int(options["copies"]) * (FACES - 1) + int(options["stars"]))
    if there < players * int(options["hand"]):
        need = f"{players} players with {options['hand']} tiles each need {players * int(options['hand'])}"
        return f"{need}, and with these options there are only {there}: take a smaller hand, or more copies or colours."
    return ""


# The deal


@rule
def deal(s: State, rng: Any) -> None:
    """AAT-02, AAT-03: draw for the start, mix again, fill the racks."""
    bag = np.empty(TILES, np.int64)
    left = fill_bag(s, bag)
    shuffle(rng, bag, left)
    while not draw_off(s, bag, left):
        shuffle(rng, bag, left)
    shuffle(rng, bag, left)
    for seat in range(s.players):
        for _ in range(s.hand):
            left -= 1
            s.rack[seat, bag[left]] += 1
    s.top = TILES - left
    for i in range(left):
        s.bag[s.top + i] = bag[i]


@rule
def start(s: State) -> None:
    """AAT-02: the leader begins; AAT-04: all see the colours that were drawn."""
    s.turn = s.first
    for i in range(TILES):
        s.tile[i] = NO_TILE
        if i < s.top:
            s.bag[i] = NO_TILE
    for seat in range(s.players):
        for kind in range(KINDS):
            s.colours_held[seat, COLOUR_OF[kind]] += s.rack[seat, kind]


# The table


@rule
def tile_at(s: State, x: int, y: int) -> int:
    """Which tile lies on a cell, or -1; the table is in reading order."""
    key = cell_key(x, y)
    low, high = 0, int(s.tiles)
    while low < high:
        middle = (low + high) // 2
        there = cell_key(int(s.x[middle]), int(s.y[middle]))
        if there == key:
            return middle
        if there < key:
            low = middle + 1
        else:
            high = middle
    return -1


@rule
def lacking(s: State, seat: int, move: Any, tile: Any) -> int:
    """AAT-05: why the tiles of a play cannot come from a rack, or LEGAL; writes the tile that the reason is about."""
    used = np.zeros(KINDS, np.int64)
    for i in range(move.placed):
        kind = int(move.tile[i])
        if kind < 0 or kind >= KINDS:
            return NOT_A_MOVE
        tile[0] = kind
        used[kind] += 1
        if s.rack[seat, kind] == 0:
            return NOT_ON_RACK
        if used[kind] > s.rack[seat, kind]:
            return TOO_MANY
    return LEGAL


@rule
def rearranged(s: State, move: Any, tile: Any, x: Any, y: Any) -> int:
    """AAT-10: write the table after a play in reading order; how many tiles it has.

    Or minus the reason against it: then the first tiles written are those that the reason is about.
    """
    placed, there = int(move.placed), int(s.tiles)
    kinds = np.empty(TILES, np.int64)
    keys = np.empty(TILES, np.int64)
    for i in range(there):
        kinds[i] = s.tile[i]
        keys[i] = -1  # it stays
    for i in range(placed + int(move.moved)):
        to_x, to_y = int(move.x[i]), int(move.y[i])
        at = there + i
        if i < placed:
            kinds[at] = move.tile[i]
        else:
            at = tile_at(s, int(move.from_x[i]), int(move.from_y[i]))
            if at < 0:
                return -NOT_ON_TABLE
            tile[0] = kinds[at]
            if keys[at] >= 0:
                return -MOVED_TWICE
            if to_x == s.x[at] and to_y == s.y[at]:
                return -NOT_MOVED
        if not on_table(to_x, to_y):  # AAT-07
            return -BEYOND
        keys[at] = cell_key(to_x, to_y)
    total = there + placed
    for i in range(total):
        key = keys[i] if keys[i] >= 0 else cell_key(int(s.x[i]), int(s.y[i]))
        keys[i] = key << 8 | i
    sort_keys(keys, total)
    for i in range(total):
        kind = kinds[keys[i] & 255]
        if i > 0 and keys[i] >> 8 == keys[i - 1] >> 8:  # AAT-07
            tile[0], tile[1] = min(kind, tile[i - 1]), max(kind, tile[i - 1])
            return -OCCUPIED
        tile[i] = kind
        x[i], y[i] = cell_of(keys[i] >> 8)
    return total


# A turn


@rule
def legal(s: State, seat: int, out: Any) -> int:
    """AAT-05, AAT-06, AAT-13: good plays, and to draw or pass where that is allowed."""
    return or_else(s, out, plays(s, seat, out))


@rule
def quick(s: State, seat: int, out: Any) -> int:
    """Moves for playouts: plays that are soon found, and to draw or pass where there are none."""
    return or_else(s, out, quick_plays(s, seat, out))


@rule
def or_else(s: State, out: Any, listed: int) -> int:
    """List to draw, or when the bag is empty to pass, where that is allowed; how many moves there are now."""
    if listed > 0 and s.must_play == STRICT:
        return listed
    clear(out[listed])
    out[listed].action = DRAW if s.top < TILES else PASS
    return listed + 1


@rule
def refusal(s: State, seat: int, move: Any) -> int:
    """Any move: a play by the table that it leaves, the others by what could be played."""
    if move.action == PLAY:
        return refusal_of_play(s, seat, move)
    if move.action == DRAW:
        if s.top == TILES:  # AAT-06
            return BAG_EMPTY
    elif move.action == PASS:
        if s.top < TILES:  # AAT-13
            return BAG_NOT_EMPTY
    else:
        return NOT_A_MOVE
    if s.must_play == STRICT and can_play(s, seat):  # AAT-06
        return NO_DRAW if move.action == DRAW else NO_PASS
    return LEGAL


@rule
def refusal_of_play(s: State, seat: int, move: Any) -> int:
    """AAT-05, AAT-10: a tile from the rack at least, and in the end a table of sets."""
    if move.placed < 0 or move.moved < 0 or int(move.placed) + int(move.moved) > TILES:
        return NOT_A_MOVE
    if move.placed == 0:  # AAT-05
        return NO_TILE_LAID
    tile, x, y = np.empty(TILES, np.int64), np.empty(TILES, np.int64), np.empty(TILES, np.int64)
    reason = lacking(s, seat, move, tile)
    if reason != LEGAL:
        return reason
    total = rearranged(s, move, tile, x, y)
    if total < 0:
        return -total
    return LEGAL if valid(total, tile, x, y) else NO_SETS  # AAT-10


@rule
def apply(s: State, seat: int, move: Any) -> None:
    """AAT-10, AAT-06, AAT-13: lay tiles, draw one, or pass; then the next who is still in."""
    s.passes = s.passes + 1 if move.action == PASS else 0
    if move.action == PLAY:
        lay(s, seat, move)
    elif move.action == DRAW:
        take(s, seat, s.bag[s.top], 1)
        s.bag[s.top] = NO_TILE
        s.top += 1
    s.turns += 1
    left = still_in(s)
    if left == 1:  # AAT-12
        s.ended = OUT
    elif s.passes == left:  # AAT-13
        s.ended = PASSES
    following = (seat + 1) % int(s.players)
    while s.place[following]:
        following = (following + 1) % int(s.players)
    s.turn = following


@rule
def lay(s: State, seat: int, move: Any) -> None:
    """AAT-10: the table after a play; AAT-12: who has no tile left is out, with the next place."""
    tile, x, y = np.empty(TILES, np.int64), np.empty(TILES, np.int64), np.empty(TILES, np.int64)
    s.tiles = rearranged(s, move, tile, x, y)
    for i in range(s.tiles):
        s.tile[i], s.x[i], s.y[i] = tile[i], x[i], y[i]
    for i in range(move.placed):
        take(s, seat, move.tile[i], -1)
    if held(s, seat) == 0:
        s.place[seat] = int(s.players) - still_in(s) + 1


@rule
def take(s: State, seat: int, kind: int, many: int) -> None:
    """Add so many tiles to a rack."""
    s.rack[seat, kind] += many
    s.colours_held[seat, COLOUR_OF[kind]] += many


@rule
def held(s: State, seat: int) -> int:
    """How many tiles a player has."""
    total = 0
    for colour in range(COLOURS):
        total += int(s.colours_held[seat, colour])
    return total


@rule
def still_in(s: State) -> int:
    """How many players are not out yet."""
    return count_of(s.place, int(s.players), 0)


# The end


@rule
def standing(s: State, seat: int) -> tuple[int, int, int]:
    """AAT-13: the tiles left; AAT-12: who is out has none, and a place; then the sum of numbers, a star being 9."""
    total = 0
    for kind in range(KINDS):
        total += int(s.rack[seat, kind]) * (FACE_OF[kind] + 1)
    return held(s, seat), int(s.place[seat]), total


# What a chair knows


@rule
def imagine(v: Any, rng: Any, s: State) -> None:
    """Deal the tiles that this chair has not seen to the other racks, and the rest to the bag.

    By hand, as it goes colour by colour: everybody knows how many tiles of each a rack has.
    """
    copy_head(v, s, HEAD)
    left = np.empty(KINDS, np.int64)
    for kind in range(KINDS):
        left[kind] = copies_of(v, kind)
        for seat in range(v.players):
            s.rack[seat, kind] = v.rack[seat, kind]
            left[kind] -= v.rack[seat, kind]
    for i in range(v.tiles):
        left[v.tile[i]] -= 1
    bag = np.empty(TILES, np.int64)
    unseen = np.empty(TILES, np.int64)
    in_bag = 0
    for colour in range(v.colours):
        many = 0
        for kind in range(colour * FACES, (colour + 1) * FACES):
            for _ in range(left[kind]):
                unseen[many] = kind
                many += 1
        shuffle(rng, unseen, many)
        for seat in range(v.players):
            if v.rack_down[seat, 0]:
                for _ in range(v.colours_held[seat, colour]):
                    many -= 1
                    s.rack[seat, unseen[many]] += 1
        for i in range(many):
            bag[in_bag] = unseen[i]
            in_bag += 1
    shuffle(rng, bag, in_bag)
    for i in range(TILES):
        s.bag[i] = NO_TILE if i < v.top else bag[i - v.top]
