"""Views with changed bytes, shown to the lowest bot of a game: python tampering.py GAME COUNT SEED.

Run as a process of its own, as compiled code that reads past an array takes the process with it. Prints how often the
bot refused a view and how often it chose, or ends at the first answer that is neither.
"""

import base64
import json
import random
import sys

import numpy as np

import clew
from clew.core import views
from clew.core.game import load
from clew.core.options import Choice


def setting(game, rng):
    """A table with options at random, half of the time."""
    while True:
        options = {
            option.name: rng.choice(option.values)
            if isinstance(option, Choice)
            else rng.randint(option.low, option.high)
            for option in game.options
            if rng.random() < 0.5
        }
        try:
            return clew.new(game, rng.randint(*game.players), rng.getrandbits(60), options)
        except clew.BadOption:
            continue


def moments(game, rng, count):
    """Tables at moments when somebody owes a move, in all parts of a game."""
    found = []
    while len(found) < count:
        table, every = setting(game, rng), rng.choice((2, 5, 15))
        while table.to_move:
            seat = rng.choice(table.to_move)
            if rng.randrange(every) == 0:
                found.append(table.view(seat))
            table.make(rng.choice(table.legal_moves(seat)), seat)
    rng.shuffle(found)
    return found[:count]


def tampered(game, bounds, known, others, rng):
    """The same bytes with something changed: little, as a hand would, or without any sense."""
    if rng.random() < 0.4:  # numbers that are within the bounds of their fields
        records = np.frombuffer(bytearray(known), game.rules.VIEW).copy()
        for _ in range(rng.choice((1, 1, 2, 4))):
            name = rng.choice(records.dtype.names)
            records[name].flat[rng.randrange(records[name].size)] = rng.randint(*bounds[name])
        return records.tobytes()
    words = np.frombuffer(bytearray(known), np.int16).copy()
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at, other = rng.randrange(len(words)), rng.randrange(len(words))
        kind = rng.randrange(8)
        if kind == 0:
            words[at] ^= np.int16(1 << rng.randrange(15))
        elif kind == 1:
            words[at] = rng.randint(-(1 << 15), (1 << 15) - 1)
        elif kind == 2:
            words[at] += rng.choice((-2, -1, 1, 2))
        elif kind == 3:
            words[at] = rng.choice((-1, 0, 1, 2, 3, 7, 10, 48, 52, 99, 167, 32767, -32768))
        elif kind == 4:
            words[at], words[other] = words[other], words[at]
        elif kind == 5:
            words[at] = words[other]
        else:  # a piece of another moment
            end = at + rng.choice((1, 2, 5, 40))
            words[at:end] = np.frombuffer(base64.b64decode(rng.choice(others)["known"]), np.int16)[at:end]
    return words.tobytes()


def main(name, count, seed):
    """Try so many; what became of them, as JSON."""
    rng = random.Random(f"{name} {seed}")
    game = load(name)
    bot = clew.bot(game, level=1, seed=1, threads=1)
    shown = moments(game, rng, 40)
    views.REMEMBERED = 0
    views._given_out.clear()
    bounds = views.bounds_of(game, views._declared(game))
    refused = chose = 0
    for _ in range(count):
        view = rng.choice(shown)
        known = tampered(game, bounds, base64.b64decode(view["known"]), shown, rng)
        changed = view | {"known": base64.b64encode(known).decode()}
        seat = int(np.frombuffer(known, game.rules.VIEW)["seat"][0])
        if rng.random() < 0.5 and 0 <= seat < view["players"]:
            changed |= {"seat": seat, "to_move": [seat]}
        try:
            choice = bot.choose(changed)
        except clew.BadView:
            refused += 1
        else:
            assert 0 <= choice.win <= 1, choice
            chose += 1
    print(json.dumps({"refused": refused, "chose": chose}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
