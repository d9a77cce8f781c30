"""Tables of Aathenuo for the tests: dealt with the tiles that matter, and laid as in a picture."""

import random

import pytest

import clew
from clew import IllegalMove

LETTERS = "RYBGPO"
FACES = "12345678*"
HIGHEST_FIRST = ["R8 R1", "R8 R1 Y1", "R8 R1 Y1 B1"]  # a draw-off after which seat 0 begins


def all_tiles(colours=4, copies=3, stars=1):
    numbers = [letter + face for letter in LETTERS[:colours] for face in FACES[:8] for _ in range(copies)]
    return numbers + [f"{letter}*" for letter in LETTERS[:colours] for _ in range(stars)]


def record(*racks, bag="", drawoff=(), hand=10, must_play="strict", **tiles):
    """A record without moves: what racks and bag do not name is shuffled and dealt; by default seat 0 begins."""
    dealt = [rack.split() for rack in racks]
    rest = all_tiles(**tiles)
    for tile in [tile for rack in dealt for tile in rack] + bag.split():
        rest.remove(tile)
    random.Random(1).shuffle(rest)
    for rack in dealt:
        rack += [rest.pop() for _ in range(hand - len(rack))]
    options = {**tiles, "hand": hand, "must_play": must_play}
    lines = ["clew-record 1", "game: aathenuo", "rules: 1", f"players: {len(racks)}"]
    lines.append("options: " + " ".join(f"{name}={value}" for name, value in options.items()))
    rounds = enumerate(drawoff or [HIGHEST_FIRST[len(racks) - 2]], start=1)
    lines += [f"deal drawoff {number}: {drawn}" for number, drawn in rounds]
    lines += [f"deal rack {seat}: {' '.join(rack)}" for seat, rack in enumerate(dealt)]
    return "\n".join([*lines, f"deal bag: {' '.join([*bag.split(), *rest])}", "moves:"]) + "\n"


def table(*racks, moves=(), **deal):
    """A table dealt like this at which these moves have been made."""
    t = clew.replay(record(*racks, **deal))
    for move in moves:
        t.play(move)
    return t


def cells(*rows):
    """A picture of a layout, its top left corner at 0,0: the cells by their tiles, `..` where there is none."""
    found = [(f"{x},{y}", tile) for y, row in enumerate(rows) for x, tile in enumerate(row.split())]
    return {cell: tile for cell, tile in found if tile != ".."}


def lay(*rows):
    """The move that lays a picture from the rack."""
    return " ".join(f"{tile}@{cell}" for cell, tile in cells(*rows).items())


def laid(*rows, then="", after="", **deal):
    """A table at which Blue has laid this picture, and Red, who is to move, holds the tiles of `then`."""
    mine = " ".join([*cells(*rows).values(), *after.split()])
    return table(mine, then, moves=[lay(*rows)], **{"hand": 14, "stars": 2, **deal})


def lying(t):
    """What lies on the table: the tiles by their cells."""
    return {f"{tile['x']},{tile['y']}": tile["tile"] for tile in t.view(None)["table"]["tiles"]}


def rack(t, seat):
    """The own rack, sorted."""
    return sorted(t.view(seat)["table"]["rack"])


def held(t):
    """How many tiles each seat holds."""
    return [seat["tiles"] for seat in t.view(None)["table"]["seats"]]


def refused(t, move, seat=None):
    """The error of a move that is refused; nothing has changed."""
    before = t.record(), [t.view(chair) for chair in (None, *range(t.players))]
    with pytest.raises(IllegalMove) as error:
        t.play(move, seat)
    assert (t.record(), [t.view(chair) for chair in (None, *range(t.players))]) == before
    return error.value


def not_a_layout(*rows, **deal):
    """The error of laying a picture in the first turn."""
    return refused(table(" ".join(cells(*rows).values()), "", **{"hand": 14, "stars": 2, **deal}), lay(*rows))
