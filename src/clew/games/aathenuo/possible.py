"""Which states of Aathenuo there can be: a valid table, and all other tiles on the racks and in the bag."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import rule
from clew.games.aathenuo.bag import ROUNDS, SEATS, copies_of, draw_off
from clew.games.aathenuo.layout import cell_key, valid
from clew.games.aathenuo.rules import OUT, PASSES, State, held, still_in
from clew.games.aathenuo.tiles import COLOUR_OF, COLOURS, KINDS, NO_TILE, TILES


@rule
def possible(s: State, again: State) -> bool:
    """Whether the table is valid, every tile is somewhere, and whose turn it is and who is out follow from it."""
    return (
        table_is_valid(s)
        and tiles_are_all_there(s)
        and draw_off_leads_here(s, again)
        and players_are_placed(s)
        and turn_follows(s)
    )


@rule
def table_is_valid(s: State) -> bool:
    """AAT-07 to AAT-09, in reading order."""
    count = int(s.tiles)
    tile = np.zeros(TILES, np.int64)
    x = np.zeros(TILES, np.int64)
    y = np.zeros(TILES, np.int64)
    for i in range(TILES):
        tile[i], x[i], y[i] = s.tile[i], s.x[i], s.y[i]
        if (tile[i] == NO_TILE) != (i >= count) or (i >= count and (x[i] != 0 or y[i] != 0)):
            return False
        if 0 < i < count and cell_key(x[i], y[i]) <= cell_key(x[i - 1], y[i - 1]):
            return False
    return valid(count, tile, x, y)


@rule
def tiles_are_all_there(s: Any) -> bool:
    """AAT-01, AAT-03: every tile on the table, on the rack of a player, or in what is left of the bag."""
    left = np.zeros(KINDS, np.int64)
    colours = np.zeros((SEATS, COLOURS), np.int64)
    for kind in range(KINDS):
        left[kind] = copies_of(s, kind)
        for seat in range(SEATS):
            left[kind] -= s.rack[seat, kind]
            colours[seat, COLOUR_OF[kind]] += s.rack[seat, kind]
            if seat >= s.players and s.rack[seat, kind] != 0:
                return False
    if not np.array_equal(colours, s.colours_held):
        return False
    for i in range(s.tiles):
        left[s.tile[i]] -= 1
    for i in range(TILES):
        if (s.bag[i] == NO_TILE) != (i < s.top):
            return False
        if i >= s.top:
            left[s.bag[i]] -= 1
    for kind in range(KINDS):
        if left[kind] != 0:
            return False
    return bool(TILES - s.top <= bag_size(s))


@rule
def bag_size(s: State) -> int:
    """How many tiles the deal leaves in the bag."""
    size = -int(s.players) * int(s.hand)
    for kind in range(KINDS):
        size += copies_of(s, kind)
    return size


@rule
def draw_off_leads_here(s: Any, again: Any) -> bool:
    """AAT-02: the tiles drawn for the start, drawn again, have the same leader."""
    again.players = s.players
    bag = np.zeros(TILES, np.int64)
    drawn = np.zeros(KINDS, np.int64)
    count = 0
    for i in range(ROUNDS):
        for seat in range(SEATS):
            kind = int(s.drawoff[i, seat])
            if kind >= 0:
                if count == TILES or drawn[kind] == copies_of(s, kind):
                    return False
                drawn[kind] += 1
                count += 1
                bag[TILES - count] = kind
    if not draw_off(again, bag[TILES - count :], count):
        return False
    same = again.first == s.first and again.rounds == s.rounds
    return bool(same and np.array_equal(again.drawoff, s.drawoff))


@rule
def players_are_placed(s: State) -> bool:
    """AAT-12: who has no tile is out, and the places are given in order."""
    out = int(s.players) - still_in(s)
    for seat in range(SEATS):
        if seat >= s.players:
            if s.place[seat] != 0:
                return False
        elif (s.place[seat] > 0) != (held(s, seat) == 0) or s.place[seat] > out:
            return False
        for other in range(seat):
            if s.place[seat] > 0 and s.place[other] == s.place[seat]:
                return False
    return True


@rule
def turn_follows(s: State) -> bool:
    """AAT-03, AAT-12, AAT-13: a player who is still in has the turn, until one is left or all have passed."""
    left = still_in(s)
    if left == 0 or s.turn >= s.players or s.place[s.turn] > 0:
        return False
    if left == s.players and s.turn != (int(s.first) + int(s.turns)) % int(s.players):
        return False
    drawn = bag_size(s) - (TILES - int(s.top))
    if s.passes > left or (s.passes > 0 and s.top < TILES) or drawn + s.passes > s.turns:
        return False
    return s.ended == (OUT if left == 1 else PASSES if s.passes == left else 0)
