"""What `clew.bot` gives, and what it says to those who ask for something else."""

import itertools
import math
import threading
from copy import copy
from dataclasses import replace
from types import SimpleNamespace

import pytest

import clew
from clew.bots.bot import read_view
from clew.bots.heuristics import heuristics_for
from clew.bots.levels import LEVELS, read_level, suited
from clew.bots.ranking import mean
from clew.bots.search import Limits
from clew.core.game import load


@pytest.fixture
def table(palaces):
    return clew.new(palaces, seed=7)


def test_a_choice_is_a_move_with_its_reasons(table):
    choice = clew.bot("palaces", level=6, seed=1, iterations=400).choose(table.view(0))
    assert choice in table.legal_moves(0)
    assert 0 < choice.win < 1
    assert 1 < choice.place < 2
    assert choice.worlds > 10
    best, *others = choice.alternatives
    assert str(best.move) == str(choice)
    assert best.tries >= others[-1].tries
    assert all(other.error > 0 for other in choice.alternatives)
    table.play(choice, 0)
    assert str(table.moves[0][1]) == str(choice)


def test_every_level_plays_every_game(game):
    for known in LEVELS[:4]:
        t = clew.new(game, seed=known.number)
        seat = t.to_move[0]
        assert clew.bot(game, level=known.number, seed=1).choose(t.view(seat)) in t.legal_moves(seat)


def test_three_players_each_want_a_good_place():
    t = clew.new("labyrinth", players=3, seed=1)
    choice = clew.bot("labyrinth", level=2, seed=1).choose(t.view(t.to_move[0]))
    assert 1 <= choice.place <= 3


def test_a_budget_in_seconds(table, monkeypatch):
    """By a clock that goes on a hundredth of a second each time somebody looks, however busy the machine is."""
    worlds = []
    for seconds in (0.2, 0.4):
        monkeypatch.setattr("clew.bots.search.time", SimpleNamespace(monotonic=itertools.count(0, 0.01).__next__))
        worlds.append(clew.bot("palaces", level=6, seed=1, seconds=seconds).choose(table.view(0)).worlds)
    assert 1.5 * worlds[0] < worlds[1] < 3 * worlds[0]


def test_a_search_tells_how_far_it_is_and_can_be_stopped(table):
    heard = []
    bot = clew.bot("palaces", level=4, seed=1)
    bot.choose(table.view(0), Limits(progress=lambda done, total: heard.append((done, total))))
    assert heard == sorted(heard)
    assert heard[-1][0] >= 0.9 * heard[-1][1]
    stop = threading.Event()
    stop.set()
    assert clew.bot("palaces", level=6, seed=1).choose(table.view(0), Limits(stop=stop)).worlds < 100


def test_the_only_move_needs_no_long_search(positions):
    from clew.core.game import load

    for t in positions(load("cardtracks"), 300, seed=3):
        seat = t.to_move[0]
        if len(t.legal_moves(seat)) == 1:
            choice = clew.bot("cardtracks", level=5, seed=1).choose(t.view(seat))
            assert choice.alternatives[0].tries <= 64
            return
    pytest.fail("no forced move was found")


def test_a_slip_is_no_blunder(positions):
    """The fifth level slips often, and never by more than it may; without that bound it would in these positions."""
    game = load("cardtracks")
    owl = clew.bot(game, level=5, seed=1)
    careless = clew.bot(game, level=5, seed=1)
    careless.level = replace(owl.level, blunder=1.0)

    def cost(bot, t):
        found, at = bot.consider(read_view(game, t.view(t.to_move[0])))
        return mean(found.tally, found.order[0]) - mean(found.tally, at)

    tables = positions(game, 300)
    costs = [cost(owl, t) for t in tables]
    assert max(costs) <= owl.level.blunder
    assert sum(lost > 0 for lost in costs) > 5
    assert max(cost(careless, t) for t in tables) > owl.level.blunder


def test_a_game_says_how_often_its_levels_slip(positions):
    game = load("aathenuo")
    tables = [t for t in positions(game, 500) if len(t.legal_moves(t.to_move[0])) > 1]
    slips = []
    for number in (1, 5):
        bot = clew.bot(game, level=number, seed=1)
        assert bot.level.slip == game.heuristics.SLIPS[number - 1] != LEVELS[number - 1].slip
        assert bot.level.blunder == game.heuristics.BLUNDERS[number - 1]
        choices = [bot.choose(t.view(t.to_move[0])) for t in tables]
        slips.append(sum(str(choice) != str(choice.alternatives[0].move) for choice in choices) / len(choices))
    assert slips[0] > 0.85 > 0.7 > slips[1] > 0


@pytest.mark.parametrize("slips", [(0.5,), (0.5,) * 7, (0.9, 0.8, 0.7, 0.6, 1.5, 0.0)])
@pytest.mark.parametrize("what", ["slips", "blunders"])
def test_slips_that_make_no_sense(what, slips):
    heuristics = copy(heuristics_for(load("aathenuo")))
    setattr(heuristics, what, slips)
    with pytest.raises(
        clew.ClewError, match=f"Aathenuo: {what.upper()} are six numbers from 0 to 1, one for each level"
    ):
        suited(heuristics, LEVELS[0])


def test_levels_are_the_same_in_a_game_that_says_nothing_of_them():
    assert suited(heuristics_for(load("palaces")), LEVELS[2]) == LEVELS[2]
    own = load("aathenuo").heuristics.BLUNDERS[2]
    assert suited(heuristics_for(load("aathenuo")), LEVELS[2]).blunder == own != LEVELS[2].blunder


def test_levels_have_names():
    assert [level.name for level in LEVELS] == ["Ant", "Mouse", "Cat", "Fox", "Owl", "Minotaur"]
    assert read_level("minotaur") is read_level("level:6")


@pytest.mark.parametrize("level", [0, 7, -1, "3", None, True, 2.5])
def test_an_unknown_level(level):
    with pytest.raises(clew.ClewError, match=r"There is no level .*: levels are 1"):
        clew.bot("palaces", level=level)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"seconds": 0}, "more than 0 seconds"),
        ({"seconds": math.inf}, "more than 0 seconds"),
        ({"iterations": 0}, "iterations is a whole number"),
        ({"threads": 0}, "threads is a whole number"),
        ({"seed": -1}, "A seed is"),
    ],
)
def test_budgets_that_make_no_sense(palaces, settings, said):
    with pytest.raises(clew.ClewError, match=said):
        clew.bot("palaces", **settings)


def test_views_that_a_bot_cannot_play_from(table):
    bot = clew.bot("palaces", level=1, seed=1)
    view = table.view(0)
    other = clew.new("cardtracks", seed=1)
    for shown, said in [
        (other.view(other.to_move[0]), "This is a view of cardtracks, and the bot plays palaces."),
        (table.view(1), "Red owes no move now."),
        (table.view(None), "a spectator"),
        (None, "A bot is shown a view"),
        ({**view, "known": "?"}, "cannot be read"),
        ({**view, "known": None}, "cannot be read"),
        ({**view, "known": view["known"][:40]}, "has not the size"),
        ({**view, "rules": 99}, "rules 99"),
        ({**table.view(1), "seat": 0}, "another seat's"),
    ]:
        with pytest.raises(clew.ClewError, match=said):
            bot.choose(shown)
    while table.to_move:
        table.play(table.legal_moves()[0])
    with pytest.raises(clew.ClewError, match="The game is over"):
        bot.choose(table.view(0))
