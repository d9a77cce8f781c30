"""Two deals of a game that one chair, and whoever watches, cannot tell apart from the first move to the last."""

import random

import clew
from clew.core.errors import ClewError
from clew.core.table import new_from_deal

CHAIR = 0
TRIES = 4000


def played(seed, game):
    """A game at random: its table, its moves, and what the chair and a spectator saw after each."""
    table, rng, moves = clew.new(game, seed=seed), random.Random(seed), []
    seen = [sights(table)]
    while table.to_move:
        seat = table.to_move[0]
        move = str(rng.choice(table.legal_moves(seat)))
        table.make(move, seat)
        moves.append((seat, move))
        seen.append(sights(table))
    return table, moves, seen


def sights(table):
    return table.view(CHAIR), table.view(None)


def twin(table, moves, seen, rng):
    """The same game with two hidden pieces swapped, if neither of them ever notices."""
    lines = {key: text.split() for key, text in table.deal_lines().items()}
    places = [(key, i) for key, pieces in lines.items() for i in range(len(pieces))]
    for _ in range(TRIES):
        (a, i), (b, j) = rng.sample(places, 2)
        if lines[a][i] == lines[b][j]:
            continue
        swapped = {key: pieces[:] for key, pieces in lines.items()}
        swapped[a][i], swapped[b][j] = lines[b][j], lines[a][i]
        try:
            other = new_from_deal(
                table.game, table.players, table.options, {key: " ".join(pieces) for key, pieces in swapped.items()}
            )
            if sights(other) != seen[0]:
                continue
            for (seat, move), expected in zip(moves, seen[1:]):
                other.make(move, seat)
                if sights(other) != expected:
                    break
            else:
                return swapped
        except ClewError:
            continue
    return None


def two_worlds(game):
    """A game and a twin of it: the two deals, and the moves."""
    for seed in range(30):
        table, moves, seen = played(seed, game)
        swapped = twin(table, moves, seen, random.Random(seed))
        if swapped is not None:
            deals = [table.deal_lines(), {key: " ".join(pieces) for key, pieces in swapped.items()}]
            assert deals[0] != deals[1]
            return deals, moves
    raise AssertionError(f"no two worlds of {game} found")
