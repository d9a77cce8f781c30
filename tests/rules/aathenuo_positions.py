"""Positions of Aathenuo to try the solver on: from games and made up, how they are written, and what the solver plays.

What the solver plays is judged here by the oracle's reading of the rules, not by the game's.
"""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache

from aathenuo_oracle import FACES, STAR, in_the_bag, random_layout, valid

from clew.core.game import load
from clew.core.options import read_options
from clew.core.rng import stream
from clew.games.aathenuo import solver

LETTERS, DIGITS = "RYBGPO", "12345678*"
LISTED = 0.12  # the share of the turns of a game that are taken
OTHER = 0.35  # the share of games with other options than the usual ones
STYLES = ("any", "any", "most", "fewest")  # of the plays listed


@dataclass(frozen=True)
class Position:
    """The tiles on the table by their cells and the tiles of the rack, all as kinds, and the options that matter."""

    colours: int
    stars: int
    layout: tuple  # of (x, y), kind, in reading order
    rack: tuple

    @property
    def table(self):
        return [kind for _, kind in self.layout]

    def __str__(self):
        laid = " ".join(f"{tile_name(kind)}@{x},{y}" for (x, y), kind in self.layout)
        return f"colours={self.colours} stars={self.stars} | {laid} | {' '.join(map(tile_name, self.rack))}"


def make(colours, stars, layout, rack):
    """A position from a dictionary of kinds by their cells, and any kinds."""
    return Position(colours, stars, tuple(sorted(layout.items(), key=lambda laid: laid[0][::-1])), tuple(sorted(rack)))


def tile_name(kind):
    return LETTERS[kind // FACES] + DIGITS[kind % FACES]


def tile_kind(name):
    return LETTERS.index(name[0]) * FACES + DIGITS.index(name[1])


def read(text):
    """The position that is written so."""
    options, laid, rack = (part.split() for part in text.split("|"))
    numbers = {name: int(value) for name, value in (option.split("=") for option in options)}
    layout = {}
    for word in laid:
        name, _, cell = word.partition("@")
        x, _, y = cell.partition(",")
        layout[int(x), int(y)] = tile_kind(name)
    return make(numbers["colours"], numbers["stars"], layout, [tile_kind(name) for name in rack])


@cache
def game():
    found = load("aathenuo")
    found.ready()
    return found


def state(position):
    """A state in which seat 0 is to move and holds the rack."""
    options = {"colours": position.colours, "stars": position.stars}
    s = game().blank(read_options("", game().options, options), 2)[0]
    for i, ((x, y), kind) in enumerate(position.layout):
        s.tile[i], s.x[i], s.y[i] = kind, x, y
    s.tiles = len(position.layout)
    for kind in position.rack:
        s.rack[0, kind] += 1
    return s


# Positions


def from_games(count, seed):
    """Positions of games between players who take any of the plays listed, or the largest, or the smallest."""
    dice, rng = random.Random(seed), stream(seed, "positions")
    out, kernels = game().moves(game().rules.MOVES), game().kernels
    while count:
        options, players = some_options(dice)
        s = game().blank(read_options("", game().options, options), players)[0]
        kernels.deal(s, rng)
        kernels.start(s)
        styles = [dice.choice(STYLES) for _ in range(players)]
        while kernels.to_move(s) and count:
            seat = int(s.turn)
            if s.tiles and dice.random() < LISTED:
                layout = {(int(s.x[i]), int(s.y[i])): int(s.tile[i]) for i in range(s.tiles)}
                rack = [kind for kind in range(s.rack.shape[1]) for _ in range(s.rack[seat, kind])]
                yield make(int(s.colours), int(s.stars), layout, rack)
                count -= 1
            listed = kernels.legal(s, seat, out)
            plays = max(1, sum(out[i].action == game().rules.PLAY for i in range(listed)))
            at = {"any": dice.randrange(listed), "most": 0, "fewest": plays - 1}[styles[seat]]
            kernels.apply(s, seat, out[at].copy())


def some_options(dice):
    """Options that go together, most often the usual ones, and how many play."""
    while True:
        players = dice.choice([2, 3, 4])
        options = {"must_play": "free" if dice.random() < 0.1 else "strict"}
        if dice.random() < OTHER:
            options |= {"colours": dice.randint(3, 6), "copies": dice.randint(1, 3), "stars": dice.randint(0, 4)}
            options["hand"] = dice.randint(5, 14)
        chosen = read_options("", game().options, options)
        if not game().rules.refuse_table(chosen, players):
            return options, players


def made_up(count, seed, most=14):
    """Small tables with racks of one to six tiles, of which most have something to do with what lies there."""
    dice = random.Random(seed)
    while count:
        colours, stars = dice.choice([(4, 1), (4, 1), (3, 2), (6, 2), (5, 4)])
        layout = random_layout(dice, dice.randint(3, most - 3), colours, 3, stars)
        if layout:
            rack = random_rack(dice, layout, dice.randint(1, min(6, most - len(layout))), colours, stars)
            yield make(colours, stars, layout, rack)
            count -= 1


def random_rack(dice, layout, size, colours, stars):
    """Tiles of which most have something to do with those that lie there."""
    rack = []
    while len(rack) < size:
        colour, face = divmod(dice.choice([*layout.values(), *rack]), FACES)
        number = dice.randrange(STAR) if face == STAR else face
        way = dice.random()
        if way < 0.1:
            kind = dice.randrange(colours) * FACES + STAR
        elif way < 0.3:
            kind = dice.randrange(colours) * FACES + dice.randrange(STAR)
        elif way < 0.65:
            kind = dice.randrange(colours) * FACES + number
        else:
            kind = colour * FACES + min(STAR - 1, max(0, number + dice.choice([-2, -1, 1, 2])))
        if in_the_bag([*layout.values(), *rack, kind], 3, stars):
            rack.append(kind)
    return rack


# What the solver plays


def played(position, quick=False):
    """How many tiles the longest of the solver's plays lays, and how many of its plays are wrong."""
    s, out = state(position), game().moves(game().rules.MOVES)
    count = (solver.quick if quick else solver.plays)(s, 0, out)
    wrong = sum(not is_right(position, out[i]) or game().kernels.refusal(s, 0, out[i]) != 0 for i in range(count))
    return max((int(out[i].placed) for i in range(count)), default=0), wrong


def is_right(position, move):
    """Whether a play keeps the rules, read from what it leaves on the table."""
    layout, rack = dict(position.layout), Counter(position.rack)
    goals = []
    for i in range(move.placed):
        rack[int(move.tile[i])] -= 1
        goals.append(((int(move.x[i]), int(move.y[i])), int(move.tile[i])))
    for i in range(move.placed, move.placed + move.moved):
        source = int(move.from_x[i]), int(move.from_y[i])
        if source not in layout:
            return False
        goals.append(((int(move.x[i]), int(move.y[i])), layout.pop(source)))
    for cell, kind in goals:
        if cell in layout:
            return False
        layout[cell] = kind
    return move.placed > 0 and min(rack.values()) >= 0 and valid(layout)
