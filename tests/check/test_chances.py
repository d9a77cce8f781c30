"""The tests of chances that the kit judges by."""

import numpy as np
import pytest

from clew.check import chances


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (29.588, 10, 0.001), (124.342, 100, 0.05), (0, 5, 1)],
)
def test_the_tail_of_chi_square(statistic, freedom, chance):
    assert chances.tail(statistic, freedom) == pytest.approx(chance, rel=0.1)


def test_two_samples_of_the_same_chances_pass_and_others_do_not():
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 50, 300), rng.integers(0, 50, 4000)
    assert chances.same(one, other) > 0.01
    assert chances.same(one, np.where(other < 10, other + 5, other)) < 1e-6


def test_numbers_that_come_ten_times_each_tell_no_more_than_once():
    rng = np.random.default_rng(2)
    one, other = np.repeat(rng.integers(0, 20, 40), 10), rng.integers(0, 20, 4000)
    assert chances.same(one, other) < 1e-6
    assert chances.same(one, other, chances.likeness(one, 10)) > 0.01
    assert chances.same(one, other + 10, chances.likeness(one, 10)) < 1e-6


def test_a_number_that_is_always_the_same_tells_nothing():
    assert chances.same(np.zeros(100), np.zeros(200)) == 1
    assert chances.same(np.zeros(100), np.ones(200)) < 1e-6


def test_counts_against_their_shares():
    assert chances.expected([98, 103, 99], [1 / 3] * 3) > 0.5
    assert chances.expected([200, 50, 50], [1 / 3] * 3) < 1e-6
    assert chances.expected([1, 0, 99, 100], [0.005, 0.005, 0.49, 0.5]) > 0.5


@pytest.mark.parametrize(("count", "share", "chance"), [(1, "50", "50"), (240, "1", "9"), (20_000, "0.01", "14")])
def test_how_sure_a_look_at_many_games_is(count, share, chance):
    said = f"What shows in {share} % of games would have been missed with probability {chance} %."
    assert chances.missed(count) == said
