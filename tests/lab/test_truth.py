"""The lab's intervals tell the truth: of games whose truth is known they cover it as often as they say."""

import math
from pathlib import Path

import numpy as np
import pytest

import clew
from clew.core.game import load
from clew.lab import measures
from clew.lab.intervals import Moments, around, holm, p_of_t, quantile, share_interval, t_of, wilson
from clew.lab.measures import Asked
from clew.lab.rows import COURSE, Columns
from clew.lab.scalars import compared, scalars_of
from clew.lab.simulation import Play
from clew.lab.sums import Sums
from clew.lab.variants import _both, difference

HERE = Path(__file__).parent
RUNS = 1200  # so that a share of 95 % is seen to 0.6 %
GAMES = 300


def covers(hits):
    """Whether so many of the runs covered the truth: 93 to 97 in a hundred."""
    return 0.93 <= sum(hits) / len(hits) <= 0.97


@pytest.fixture(scope="module")
def tokens():
    return load(HERE / "tokens")


@pytest.fixture(scope="module")
def asked(tokens):
    return Asked(tokens, "random", 2, 20.0, [])


def drawn(rng, games=GAMES, advantage=0.56, ties=0.1):
    """Rows of games with a known seat advantage, length and share of forced moves, and their course."""
    columns = Columns(2)
    rows = np.zeros((games, len(columns.names)), np.int64)
    luck = rng.random(games)
    first = np.where(luck < ties, 30, np.where(rng.random(games) < advantage, 60, 0))
    rows[:, columns.at("won_0")], rows[:, columns.at("won_1")] = first, 60 - first
    rows[:, columns.at("shared")] = luck < ties
    rows[:, columns.at("ending")] = 1 + (rng.random(games) < 0.03)
    moves = 10 + rng.geometric(0.1, games)
    rows[:, columns.at("moves")], rows[:, columns.at("turns")] = moves, moves
    rows[:, columns.at("forced")] = rng.binomial(moves, rng.beta(2, 6, games))  # games differ in it
    rows[:, columns.at("settled")] = rng.binomial(moves, 0.7)
    return columns, rows


def summed(columns, rows):
    sums = Sums.empty(columns, 400, 2, 0)
    sums.moments.add(Moments.of(columns.names, rows))
    sums.note_games(0, rows)
    sums.note_course(0, 1, rows)
    for i, name in enumerate(("moves", "turns")):
        sums.lengths[i] += np.bincount(rows[:, columns.at(name)], minlength=401)
    return sums


def test_intervals_of_drawn_games_cover_the_truth(asked):
    truth = {
        (measures.seats, 0): 0.1 * 0.5 + 0.9 * 0.56,
        (measures.endings, 1): 0.03,
        (measures.moves, 0): 20,
        (measures.moves, 2): 17,  # the median: 1 - 0.9 ** 7 = 0.52 is the first over a half
        (measures.forced, 0): 0.25,
        (measures.settled, 0): 0.7,
        (measures.ties, 0): 0.1,
    }
    rng = np.random.default_rng(1)
    hits = {key: [] for key in truth}
    for _ in range(RUNS):
        sums = summed(*drawn(rng))
        for (measure, at), value in truth.items():
            figure = measure(asked, sums).figures[at]
            hits[measure, at].append(figure.low <= value <= figure.high)
    shares = {(measure.__name__, at): sum(found) / RUNS for (measure, at), found in hits.items()}
    median = shares.pop(("moves", 2))
    assert median > 0.93, median  # whole numbers: an interval by ranks covers rather more
    assert all(0.93 <= share <= 0.97 for share in shares.values()), shares


def test_the_share_of_luck_of_drawn_games_is_covered(asked):
    """Two plays of a deal by which seat 0 wins with probability 0.8 or 0.2: luck explains 0.36 of the result."""
    rng, hits = np.random.default_rng(2), []
    columns = Columns(2)
    for _ in range(RUNS):
        chance = np.where(rng.random(GAMES) < 0.5, 0.8, 0.2)
        rows = []
        for _ in range(2):
            won = 60 * (rng.random(GAMES) < chance)
            rows.append(np.zeros((GAMES, len(columns.names)), np.int64))
            rows[-1][:, columns.at("won_0")], rows[-1][:, columns.at("won_1")] = won, 60 - won
        sums = summed(*drawn(rng, 10))
        sums.note_pairs(*rows)
        (figure,) = measures.luck(asked, sums).figures
        hits.append(figure.low <= 0.36 <= figure.high)
    assert covers(hits), sum(hits) / RUNS


def test_what_a_card_is_worth_is_covered():
    """Seats use a card or not; a seat that uses it alone wins 70 %."""
    rng, hits = np.random.default_rng(3), []
    for _ in range(RUNS):
        use = rng.random((GAMES, 2)) < 0.5
        alone = use[:, 0] != use[:, 1]
        first = np.where(alone, np.where(use[:, 0], 0.7, 0.3), 0.5)
        won = np.stack([rng.random(GAMES) < first, np.zeros(GAMES, bool)], axis=1)
        won[:, 1] = ~won[:, 0]
        x, y = 60 * (won & use).sum(axis=1), use.sum(axis=1)
        line = [0, 0, 0, 0, x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum()]
        value, error = measures._with_and_without([int(one) for one in line], GAMES, 2)
        low, high = around(value, error, GAMES)
        hits.append(low <= 0.2 <= high)  # with it 60 % of the victories, without it 40 %
    assert covers(hits), sum(hits) / RUNS


def test_intervals_of_played_games_cover_the_truth(tokens, asked):
    play = Play(tokens, options={"advantage": 58}, seed=9)
    sums = play.sums()
    rows = play.rows(range(RUNS * 100), 0, sums)
    hits, lengths = [], []
    for run in range(RUNS):
        moments = Moments.of(play.columns.names, rows[run * 100 : run * 100 + 100])
        error = math.sqrt(moments.covariance("won_0", "won_0") / moments.n) / 60
        low, high = share_interval(moments.mean("won_0") / 60, error, 100)
        hits.append(low <= 0.58 <= high)
        low, high = around(moments.mean("moves"), math.sqrt(moments.covariance("moves", "moves") / 100), 100)
        lengths.append(low <= 12 <= high)
    assert covers(hits), sum(hits) / RUNS
    assert covers(lengths), sum(lengths) / RUNS


def joint(game, columns, a, b):
    """What is noted of the same games in two variants."""
    endings = len(game.endings)
    names, first = compared(columns, endings, a)
    _, second = compared(columns, endings, b)
    which = [columns.at(name) for name in COURSE]
    games = Moments.of(_both(names), np.column_stack([first, second]))
    return games, Moments.of(_both(COURSE), np.column_stack([a[:, which], b[:, which]]))


def test_the_same_twice_seldom_differs(tokens):
    """20 changes that change nothing: alone they are significant in 6 % at most, as a family in 5 %."""
    rng = np.random.default_rng(4)
    columns = Columns(2)
    scalars = [scalar for scalar in scalars_of(tokens, columns, 20.0) if scalar.key not in ("own", "minutes")]
    alone, families = [], []
    for _ in range(60):
        chances = []
        for _ in range(20):
            games, course = joint(tokens, columns, drawn(rng)[1], drawn(rng)[1])
            found = [difference(scalar, course if scalar.course else games) for scalar in scalars]
            chances += [one.p for one in found]
            alone += [one.p < 0.05 for one in found if one.key in ("seats", "moves", "forced", "ties", "settled")]
        families.append(min(holm(chances)) < 0.05)
    assert 0.035 <= sum(alone) / len(alone) <= 0.06, sum(alone) / len(alone)
    assert sum(families) <= 6, families  # of 60 at 5 %: more than 6 in 3 of 100 cases


def test_an_advantage_of_two_points_is_found_on_the_same_deals(tokens):
    report = clew.lab(tokens, 4000, seed=5, vary={"advantage": [50, 52]}, measures=["seats"])
    (comparison,) = report.comparisons
    found = {one.key: one for one in comparison.differences}
    assert found["seats"].significant
    assert found["seats"].low < 0.02 < found["seats"].high
    assert found["seats"].high - found["seats"].low < 0.012  # as on other deals it would be 0.044
    assert [one.key for one in comparison.differences if one.significant] == ["seats"]
    assert 0.9 < comparison.same_deals < 1  # the option decides a few deals otherwise, and that is said
    assert "changes the deal" in comparison.note


def test_an_option_that_does_nothing_changes_nothing(tokens):
    (comparison,) = clew.lab(tokens, 200, seed=5, vary={"idle": [0, 3]}).comparisons
    assert comparison.same_deals == 1
    assert comparison.note == ""
    assert all(one.difference == 0 and one.p == 1 for one in comparison.differences)


def test_the_ledger_finds_the_three_options_of_twenty_that_matter():
    report = clew.lab(HERE / "switches", 6000, seed=6, ledger=True)
    assert len(report.comparisons) == 20
    found = {one.option: {diff.key for diff in one.differences if diff.significant} for one in report.comparisons}
    assert {option for option, keys in found.items() if keys} == {"longer", "unfair", "tied"}
    assert {"moves", "turns", "minutes"} <= found["longer"]
    assert "seats" in found["unfair"]
    assert "ties" in found["tied"]


def test_tuning_finds_the_options_that_meet_the_targets(tokens):
    options = {"luck": 100}
    report = clew.lab(tokens, 600, seed=7, targets={"turns": 20}, options=options)
    best = report.candidates[0]
    assert best.meets
    assert best.options["rounds"] == 9  # two turns a round, and one round more on average
    assert report.about["tried"].endswith("games in all")


def test_small_numbers_have_wide_intervals():
    assert t_of(1) == pytest.approx(12.706, abs=0.01)
    assert around(5.0, 1.0, 1) == (-math.inf, math.inf)
    assert wilson(0.0, 3)[1] > 0.5
    assert quantile([0, 1, 1], 0.5)[1:] == (1, 2)
    assert p_of_t(2.571, 5) == pytest.approx(0.05, abs=0.001)
