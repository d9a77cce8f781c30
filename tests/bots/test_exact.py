"""Positions small enough to be solved: the bot's move is among the best ones."""

import functools
import itertools
from pathlib import Path

import numpy as np
import pytest

import clew
from clew.bots import matrix
from clew.bots.heuristics import heuristics_for
from clew.core.game import load
from clew.core.knowledge import dream
from clew.core.rng import below, stream
from clew.games.palaces import rules as palaces_rules

PEBBLES = Path(__file__).parents[1] / "core" / "pebbles"


# Pebbles: every position of a heap with two cups can be solved


@functools.cache
def wins(heap, cups):
    """Whether who moves wins; cups are those not lifted yet, of who moves first."""
    return heap > 0 and any(not wins(*after) for after in replies(heap, cups).values())


def replies(heap, cups):
    own, other = cups
    found = {f"take {n}": (heap - n, (other, own)) for n in (1, 2, 3) if n <= heap}
    return found | ({"lift": (heap, (other, False))} if own else {})


def test_pebbles_is_played_perfectly():
    game = load(str(PEBBLES))
    asked = right = 0
    for heap, first, second in itertools.product(range(1, 8), (True, False), (True, False)):
        t = clew.new(game, seed=1, options={"heap": heap + 2})
        t.play("lift" if not first else "take 1")
        t.play("lift" if not second else "take 1")
        left, cups = t.view(0)["table"]["heap"], (first, second)
        best = {move for move, after in replies(left, cups).items() if not wins(*after)}
        if best:
            asked += 1
            right += str(clew.bot(game, level=6, seed=3, iterations=20_000).choose(t.view(0))) in best
    assert asked >= 15
    assert right >= 0.99 * asked


# The Lost Palaces: with one card in the pile the move decides, and only what it digs up is not known


def finds_of(v, palace, sites):
    """All that can lie in these closed sites of a palace, with the odds."""
    pool = {
        palaces_rules.STATUE: palaces_rules.STATUES,
        palaces_rules.FRESCO15: palaces_rules.FRESCOES15,
        palaces_rules.FRESCO20: palaces_rules.FRESCOES20,
    }
    for find in v.finds.ravel().tolist():
        if find in pool:
            pool[find] -= 1
    closed = int((v.finds[palace] == palaces_rules.CLOSED).sum())
    rare = palaces_rules.RARE not in v.finds[palace].tolist()

    def lay(left, pool, closed, rare):
        if not left:
            yield 1.0, ()
            return
        total = sum(pool.values())
        for find in (palaces_rules.RARE, *pool):
            if find == palaces_rules.RARE:
                odds, after = (1 / closed if rare else 0.0), pool
            else:
                odds = (1 - (1 / closed if rare else 0.0)) * (pool[find] / total if total else 0.0)
                after = {**pool, find: pool[find] - 1}
            if odds:
                for share, rest in lay(left - 1, after, closed - 1, rare and find != palaces_rules.RARE):
                    yield odds * share, (find, *rest)

    return lay(len(sites), pool, closed, rare)


def chances(game, t, seat):
    """The exact part of the victory that each move brings, when it is the last of the game."""
    v = t._look(seat)[0]
    world = dream(game, t._look(seat), stream(1, "exact"))
    found = {}
    for move in t.legal_moves(seat):
        palace = move.code % palaces_rules.CARDS // palaces_rules.KINDS
        trial = world.copy()
        game.kernels.apply(trial[0], seat, move.code)
        opened = trial[0].opened[palace] - world[0].opened[palace]
        sites = np.flatnonzero(opened).tolist()
        found[str(move)] = 0.0
        for odds, finds in finds_of(v, palace, sites):
            trial = world.copy()
            for site, find in zip(sites, finds):
                trial[0].finds[palace, site] = find
            game.kernels.apply(trial[0], seat, move.code)
            scores, places = np.zeros((2, 2), np.int64)
            game.kernels.result(trial[0], scores, places)
            found[str(move)] += odds * (0.5 if places[0] == places[1] else float(places[seat] == 1))
    return found


def test_the_last_move_of_lost_palaces_is_among_the_best(palaces):
    bot = clew.bot(palaces, level=6, seed=2, iterations=1000)
    rng = stream(4, "last moves")
    asked = right = open_questions = 0
    for seed in range(50):
        t = clew.new(palaces, seed=seed)
        while t.to_move and t.view(None)["table"]["pile"] > 1:
            moves = t.legal_moves()
            t.play(moves[min(below(rng, len(moves)), below(rng, len(moves)))])
        if t.to_move:
            seat = t.to_move[0]
            exact = chances(palaces, t, seat)
            asked += 1
            open_questions += max(exact.values()) > min(exact.values())
            right += exact[str(bot.choose(t.view(seat)))] >= max(exact.values()) - 1e-9
    assert asked > 35
    assert open_questions >= 4
    assert right >= 0.99 * asked


# Any game: a move that ends the game has a result, and where nothing secret bears on it, it is the same in every world


def results(game, t, seat):
    """The part of the victory that each move brings; None for one after which the game goes on or luck decides."""
    rng = stream(len(t.moves), "ends")
    found = {}
    worlds = [dream(game, t._look(seat), rng) for _ in range(12)]
    for move in t.legal_moves(seat):
        ends = set()
        for world in worlds:
            trial = world.copy()
            game.kernels.apply(trial[0], seat, move.code)
            scores, places = np.zeros((2, 2), np.int64)
            game.kernels.result(trial[0], scores, places)
            over = game.kernels.ending(trial[0]) > 0
            ends.add((0.5 if places[0] == places[1] else float(places[seat] == 1)) if over else None)
        found[str(move)] = ends.pop() if len(ends) == 1 else None
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), [("aathenuo", 100), ("ariadne", 100), ("labyrinth", 60)])
def test_a_move_that_ends_the_game_is_among_the_best(name, games):
    game = load(name)
    bot = clew.bot(game, level=6, seed=2, iterations=1000 if name != "aathenuo" else 40)
    asked = right = open_questions = 0
    for seed in range(games):
        rng = stream(seed, "to the end")
        t = before = clew.new(game, seed=seed)
        while t.to_move:
            before = t.copy()
            moves = t.legal_moves()
            t.play(moves[below(rng, len(moves))])
        seat = before.to_move[0]
        exact = results(game, before, seat)
        if 1.0 in exact.values() or None not in exact.values():
            best = max(value for value in exact.values() if value is not None)
            asked += 1
            open_questions += len(set(exact.values())) > 1
            right += exact[str(bot.choose(before.view(seat)))] == best
    print(f"{game.title}: {right} of {asked} moves among the best, {open_questions} with worse ones to choose from")
    assert asked >= games // 2
    assert open_questions >= 10
    assert right >= 0.99 * asked


# The secret choice of Cardtracks


def final_choices(count):
    """Tables of Cardtracks where both choose about their spares."""
    found, seed = [], 0
    while len(found) < count:
        seed += 1
        t = clew.new("cardtracks", seed=seed)
        rng = stream(seed, "to the choice")
        while len(t.to_move) == 1:
            moves = t.legal_moves()
            t.play(moves[below(rng, len(moves))])
        if len(t.to_move) == 2:
            found.append(t)
    return found


def test_what_a_secret_choice_is_worth_is_exact():
    game = load("cardtracks")
    heuristics = heuristics_for(game)
    heuristics.ready()
    for t in final_choices(5):
        payoffs = np.zeros((6, 6))
        width = heuristics.kernels.duel(t._states[-1][0], 0, payoffs)
        rows, columns = t.legal_moves(0), t.legal_moves(1)
        assert width == len(columns)
        views, rng = t._look(0), stream(1, "choices")
        counted = np.zeros((len(rows), width))
        worlds = 1500
        for _ in range(worlds):
            world = dream(game, views, rng)
            for (i, row), (j, column) in itertools.product(enumerate(rows), enumerate(columns)):
                end = world.copy()
                game.kernels.apply(end[0], 0, row.code)
                game.kernels.apply(end[0], 1, column.code)
                scores, places = np.zeros((2, 2), np.int64)
                game.kernels.result(end[0], scores, places)
                counted[i, j] += 0.5 if places[0] == places[1] else float(places[0] == 1)
        assert np.abs(counted / worlds - payoffs[: len(rows), :width]).max() < 0.06


def test_no_reply_beats_the_choice_of_the_bot():
    bot = clew.bot("cardtracks", level=6, seed=1)
    for t in final_choices(20):
        choice = bot.choose(t.view(0))
        assert choice in t.legal_moves(0)
        assert choice.worlds == 0
        assert choice.win >= max(other.win for other in choice.alternatives) - 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_a_matrix_game_is_solved(seed):
    rng = np.random.default_rng(seed)
    payoffs = np.round(rng.random(rng.integers(1, 6, 2)), 1 if seed % 2 else 6)
    x, y = (np.zeros(count) for count in payoffs.shape)
    value = matrix.solve(payoffs, *payoffs.shape, x, y)
    assert x.sum() == pytest.approx(1)
    assert y.sum() == pytest.approx(1)
    assert min(x.min(), y.min()) >= 0
    assert (x @ payoffs).min() == pytest.approx(value)
    assert (payoffs @ y).max() == pytest.approx(value)
