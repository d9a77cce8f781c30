"""Aathenuo: two to four players lay numbered tiles on the table in sets that cross each other.

A set is the same number in different colours, or consecutive numbers of one colour; a star acts as any number of its
colour. In a turn the whole table may be rearranged, as long as it ends in sets with a tile more from the rack. Who
cannot play draws a tile. The first to empty the rack wins, and the others play on for the places.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Choice, Range, fields, rule, shuffle
from clew.games.aathenuo.bag import ROUNDS, SEATS, copies_of, draw_off, fill_bag
from clew.games.aathenuo.layout import FARTHEST, WIDTH, cell_key, sort_keys, valid
from clew.games.aathenuo.solver import can_play, plays
from clew.games.aathenuo.solver import quick as quick_plays
from clew.games.aathenuo.tiles import COLOUR_OF, COLOURS, FACE_OF, FACES, KINDS, NUMBERS, TILES

TITLE = "Aathenuo"
BLURB = "Sets that cross, a table that is never finished: rearrange everything and empty your rack."
RULES = 1
PLAYERS = (2, 4)
RECOMMENDED = 4
OPTIONS = (
    Range("colours", 4, 3, 6, "how many colours there are"),
    Range("copies", 3, 1, 3, "how often each number is there in a colour"),
    Range("stars", 1, 0, 4, "how many stars a colour has"),
    Range("hand", 10, 5, 14, "how many tiles a player begins with"),
    Choice("must_play", ("strict", "free"), "draw only when nothing can be played, or whenever you like"),
)
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

# Why a move may be refused
NOT_A_MOVE, NO_TILE_LAID, NOT_ON_RACK, TOO_MANY, NOT_ON_TABLE, MOVED_TWICE, NOT_MOVED, BEYOND, OCCUPIED = range(1, 10)
NO_SETS, HAS_PLAY, BAG_EMPTY, BAG_NOT_EMPTY = range(10, 14)
# That somebody drew or passed tells the others that the solver found no play for them (AAT-06). This conclusion is left
# to the players: neither views nor imagined worlds carry it.
NOT_DEDUCED = (HAS_PLAY,)

PUBLIC = [
    ("first", np.int16),
    ("turn", np.int16),  # the seat to move
    ("turns", np.int16),  # turns played
    ("passes", np.int16),  # in a row
    ("ended", np.int16),
    ("place", np.int16, (SEATS,)),  # of a seat that is out; 0 while it is in
    ("rounds", np.int16),
    ("drawoff", np.int16, (ROUNDS, SEATS)),  # the tiles drawn for the start, -1 where none was
    ("tiles", np.int16),  # how many lie on the table, in reading order
    ("tile", np.int16, (TILES,)),
    ("x", np.int16, (TILES,)),
    ("y", np.int16, (TILES,)),
    ("bag_size", np.int16),  # after the deal
    ("drawn", np.int16),  # since then
]
STATE = fields(
    [
        *PUBLIC,
        ("rack", np.int16, (SEATS, KINDS)),  # how many of each kind of tile
        ("bag", np.int16, (TILES,)),  # in the order in which it is drawn, 0 where it was and behind its end
    ],
    OPTIONS,
)
VIEW = fields(
    [
        *PUBLIC,
        ("seat", np.int16),
        ("bag_left", np.int16),
        ("colours_held", np.int16, (SEATS, COLOURS)),  # how many tiles of each colour a player holds
        ("rack", np.int16, (KINDS,)),  # the own one; empty for a spectator
        ("shown", np.int16, (SEATS, KINDS)),  # all racks, when they are laid open at the end
    ],
    OPTIONS,
)


def refuse_table(options, players):
    """All racks must be filled."""
    there = int(options["colours"]) * (int(options["copies"]) * NUMBERS + int(options["stars"]))
    if there < players * int(options["hand"]):
        need = f"{players} players with {options['hand']} tiles each need {players * int(options['hand'])}"
        return f"{need}, and with these options there are only {there}: take a smaller hand, or more copies or colours."
    return ""


# The deal


@rule
def deal(s, rng):
    """AAT-02, AAT-03: draw for the start, mix again, fill the racks."""
    bag = np.empty(TILES, np.int64)
    count = fill_bag(s, bag)
    shuffle(rng, bag, count)
    while not draw_off(s, bag, count):
        shuffle(rng, bag, count)
    shuffle(rng, bag, count)
    for seat in range(s.players):
        for _ in range(s.hand):
            count -= 1
            s.rack[seat, bag[count]] += 1
    s.bag_size = count
    for i in range(count):
        s.bag[i] = bag[i]


@rule
def start(s):
    """AAT-02: the leader begins."""
    s.turn = s.first


# The table


@rule
def tile_at(s, x, y):
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
def rearranged(s, seat, move, tile, x, y):
    """AAT-10: write the table after a play in reading order; how many tiles it has, or minus the reason against it."""
    placed, moved, there = int(move.placed), int(move.moved), int(s.tiles)
    if placed < 0 or moved < 0 or placed + moved > TILES:
        return -NOT_A_MOVE
    if placed == 0:  # AAT-05
        return -NO_TILE_LAID
    kinds = np.empty(TILES, np.int64)
    keys = np.empty(TILES, np.int64)
    for i in range(there):
        kinds[i] = s.tile[i]
        keys[i] = -1  # it stays
    used = np.zeros(KINDS, np.int64)
    for i in range(placed + moved):
        to_x, to_y = int(move.x[i]), int(move.y[i])
        at = there + i
        if i < placed:
            kind = int(move.tile[i])
            if kind < 0 or kind >= KINDS:
                return -NOT_A_MOVE
            used[kind] += 1
            if s.rack[seat, kind] == 0:
                return -NOT_ON_RACK
            if used[kind] > s.rack[seat, kind]:
                return -TOO_MANY
            kinds[at] = kind
        else:
            at = tile_at(s, int(move.from_x[i]), int(move.from_y[i]))
            if at < 0:
                return -NOT_ON_TABLE
            if keys[at] >= 0:
                return -MOVED_TWICE
            if to_x == s.x[at] and to_y == s.y[at]:
                return -NOT_MOVED
        if max(abs(to_x), abs(to_y)) > FARTHEST:
            return -BEYOND
        keys[at] = cell_key(to_x, to_y)
    count = there + placed
    for i in range(count):
        key = keys[i] if keys[i] >= 0 else cell_key(int(s.x[i]), int(s.y[i]))
        keys[i] = key << 8 | i
    sort_keys(keys, count)
    for i in range(count):
        if i > 0 and keys[i] >> 8 == keys[i - 1] >> 8:  # AAT-07
            return -OCCUPIED
        tile[i] = kinds[keys[i] & 255]
        x[i] = (keys[i] >> 8) % WIDTH - FARTHEST
        y[i] = (keys[i] >> 8) // WIDTH - FARTHEST
    return count


# A turn


@rule
def to_move(s):
    """AAT-03: clockwise, without those who are out."""
    return 0 if s.ended else 1 << int(s.turn)


@rule
def bag_left(s):
    """How many tiles are in the bag."""
    return int(s.bag_size) - int(s.drawn)


@rule
def otherwise(s, out, count):
    """List the other move there is: to draw, or when the bag is empty to pass; how many moves are listed now."""
    move = out[count]
    move.action = DRAW if bag_left(s) else PASS
    move.placed = 0
    move.moved = 0
    for i in range(TILES):
        move.tile[i] = 0
        move.x[i] = 0
        move.y[i] = 0
        move.from_x[i] = 0
        move.from_y[i] = 0
    return count + 1


@rule
def legal(s, seat, out):
    """AAT-05, AAT-06, AAT-13: good plays, and to draw or pass where that is allowed."""
    count = plays(s, seat, out)
    if count == 0 or s.must_play == FREE:
        count = otherwise(s, out, count)
    return count


@rule
def quick(s, seat, out):
    """Moves for playouts: plays that are soon found, and to draw or pass where there are none."""
    count = quick_plays(s, seat, out)
    if count == 0 or s.must_play == FREE:
        count = otherwise(s, out, count)
    return count


@rule
def refusal(s, seat, move):
    """Any move: a play by the table that it leaves, the others by what could be played."""
    if move.action == PLAY:
        tile = np.empty(TILES, np.int64)
        x = np.empty(TILES, np.int64)
        y = np.empty(TILES, np.int64)
        count = rearranged(s, seat, move, tile, x, y)
        if count < 0:
            return -count
        return LEGAL if valid(count, tile, x, y) else NO_SETS  # AAT-10
    if move.action == DRAW:
        if bag_left(s) == 0:  # AAT-06
            return BAG_EMPTY
    elif move.action == PASS:
        if bag_left(s) > 0:  # AAT-13
            return BAG_NOT_EMPTY
    else:
        return NOT_A_MOVE
    if s.must_play == STRICT and can_play(s, seat):  # AAT-06
        return HAS_PLAY
    return LEGAL


@rule
def apply(s, seat, move):
    """AAT-10, AAT-06, AAT-13: lay tiles, draw one, or pass; then the next who is still in."""
    if move.action == PLAY:
        lay(s, seat, move)
        s.passes = 0
    elif move.action == DRAW:
        s.rack[seat, s.bag[s.drawn]] += 1
        s.bag[s.drawn] = 0
        s.drawn += 1
        s.passes = 0
    else:
        s.passes += 1
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
def lay(s, seat, move):
    """AAT-10: the table after a play; AAT-12: who has no tile left is out, with the next place."""
    tile = np.empty(TILES, np.int64)
    x = np.empty(TILES, np.int64)
    y = np.empty(TILES, np.int64)
    count = rearranged(s, seat, move, tile, x, y)
    for i in range(count):
        s.tile[i] = tile[i]
        s.x[i] = x[i]
        s.y[i] = y[i]
    s.tiles = count
    for i in range(move.placed):
        s.rack[seat, move.tile[i]] -= 1
    if held(s, seat) == 0:
        s.place[seat] = int(s.players) - still_in(s) + 1


@rule
def held(s, seat):
    """How many tiles a player has."""
    count = 0
    for kind in range(KINDS):
        count += int(s.rack[seat, kind])
    return count


@rule
def still_in(s):
    """How many players are not out yet."""
    count = 0
    for seat in range(s.players):
        count += s.place[seat] == 0
    return count


# The end


@rule
def ending(s):
    """AAT-12, AAT-13."""
    return int(s.ended)


@rule
def standing(s, seat):
    """AAT-13: what ranks those who are still in: tiles left, then the sum of their numbers, a star being 9."""
    total = 0
    for kind in range(KINDS):
        total += int(s.rack[seat, kind]) * (TILES * FACES + FACE_OF[kind] + 1)
    return total


@rule
def result(s, scores, places):
    """AAT-12, AAT-13: those who are out in their order, then the others by what they hold."""
    for seat in range(s.players):
        scores[seat] = held(s, seat)
        places[seat] = s.place[seat]
        if s.place[seat] == 0:
            places[seat] = 1
            for other in range(s.players):
                places[seat] += s.place[other] > 0 or standing(s, other) < standing(s, seat)


# What a chair knows


@rule
def copy_public(source, target):
    """Everything on the table that all can see."""
    target.players = source.players
    target.colours = source.colours
    target.copies = source.copies
    target.stars = source.stars
    target.hand = source.hand
    target.must_play = source.must_play
    target.first = source.first
    target.turn = source.turn
    target.turns = source.turns
    target.passes = source.passes
    target.ended = source.ended
    target.place = source.place
    target.rounds = source.rounds
    target.drawoff = source.drawoff
    target.tiles = source.tiles
    target.tile = source.tile
    target.x = source.x
    target.y = source.y
    target.bag_size = source.bag_size
    target.drawn = source.drawn


@rule
def view(s, seat, v):
    """AAT-04: the table, the colours that each player holds, the own rack; AAT-13: all racks when they are compared."""
    copy_public(s, v)
    v.seat = seat
    v.bag_left = bag_left(s)
    for kind in range(KINDS):
        for player in range(s.players):
            v.colours_held[player, COLOUR_OF[kind]] += s.rack[player, kind]
            if s.ended == PASSES:
                v.shown[player, kind] = s.rack[player, kind]
        if seat >= 0:
            v.rack[kind] = s.rack[seat, kind]


@rule
def imagine(v, rng, s):
    """Colour by colour, deal the tiles that this chair has not seen to the other racks; the rest is in the bag."""
    copy_public(v, s)
    left = np.empty(KINDS, np.int64)
    for kind in range(KINDS):
        if v.seat >= 0:
            s.rack[v.seat, kind] = v.rack[kind]
        if v.ended == PASSES:
            for seat in range(v.players):
                s.rack[seat, kind] = v.shown[seat, kind]
        left[kind] = copies_of(v, kind)
        for seat in range(v.players):
            left[kind] -= s.rack[seat, kind]
    for i in range(v.tiles):
        left[v.tile[i]] -= 1
    bag = np.empty(TILES, np.int64)
    unseen = np.empty(TILES, np.int64)
    in_bag = 0
    for colour in range(v.colours):
        count = 0
        for kind in range(colour * FACES, (colour + 1) * FACES):
            for _ in range(left[kind]):
                unseen[count] = kind
                count += 1
        shuffle(rng, unseen, count)
        for seat in range(v.players):
            if seat != v.seat and v.ended != PASSES:
                for _ in range(v.colours_held[seat, colour]):
                    count -= 1
                    s.rack[seat, unseen[count]] += 1
        for i in range(count):
            bag[in_bag] = unseen[i]
            in_bag += 1
    shuffle(rng, bag, in_bag)
    for i in range(in_bag):
        s.bag[v.drawn + i] = bag[i]


@rule
def cover(s, seat):
    """AAT-04: the numbers and stars of the others, though not their colours; the bag's order."""
    for i in range(TILES):
        s.bag[i] = 0
    for other in range(s.players):
        if other != seat and s.ended != PASSES:
            for kind in range(KINDS):
                first = COLOUR_OF[kind] * FACES
                if kind != first:
                    s.rack[other, first] += s.rack[other, kind]
                    s.rack[other, kind] = 0
