"""A review names the best move that its critic found, and tells how the chances went, as one seat could know them."""

import itertools

import pytest

import clew
from clew.bots.review import review_moves, shares, standings
from clew.core.errors import BadOption
from clew.core.rng import below, stream
from clew.core.table import new_from_deal

LEVEL = 1  # slips in seven moves of ten


def played(moves):
    t, rng = clew.new("palaces", seed=3), stream(3, "play")
    for _ in range(moves):
        legal = t.legal_moves()
        t.play(legal[below(rng, len(legal))])
    return t


def test_the_critic_does_not_slip(palaces):
    t = played(40)
    again, slipped = clew.new("palaces", seed=3), 0
    for reviewed in review_moves(t, t.moves, LEVEL):
        choice = clew.bot("palaces", LEVEL, seed=0).choose(again.view(reviewed.seat))
        assert reviewed.best == choice.alternatives[0].move
        assert reviewed.win == choice.alternatives[0].win
        assert reviewed.loss >= 0
        slipped += choice != reviewed.best
        again.play(reviewed.move, reviewed.seat)
    assert slipped > 10


def to_the_end(seed=3, name="palaces"):
    t, critic = clew.new(name, seed=seed), clew.bot(name, level=1, seed=seed)
    while t.to_move:
        t.play(critic.choose(t.view(t.to_move[0])), t.to_move[0])
    return t


def way(chances):
    """How far a curve goes up and down."""
    return sum(abs(after - before) for before, after in itertools.pairwise(chances))


def test_the_curve_ends_with_the_result(palaces):
    t = to_the_end()
    for seat in (0, 1):
        found = list(standings(t, seat))
        assert [standing.number for standing in found] == list(range(len(t.moves) + 1))
        assert found[-1].chances == shares(t.outcome.places)
        assert sorted(found[-1].chances) == [0.0, 1.0]
        assert all(abs(sum(standing.chances) - 1) < 1e-9 for standing in found)


def test_the_curve_of_a_game_given_up_ends_with_its_places(palaces):
    *before, last = standings(played(12), 0, places=(2, 1))
    assert last.chances == (0.0, 1.0)
    assert all(0 < standing.chances[0] < 1 for standing in before)


def test_the_curve_of_one_seat_does_not_zigzag(palaces):
    t = to_the_end(seed=11)
    own, other = ([standing.chances[0] for standing in standings(t, seat)] for seat in (0, 1))
    by_movers = [(own, other)[seat][number] for number, (seat, _) in enumerate(t.moves)]
    assert way(own) < 0.7 * way(by_movers)


def test_the_curve_knows_what_the_seat_knew_and_no_more(palaces):
    t = played(12)
    deal = t.deal_lines()
    *soon, a, b = deal["pile"].split()  # the last two cards, which nobody has seen
    assert a != b
    twin = new_from_deal(t.game, 2, t.options, {**deal, "pile": " ".join([*soon, b, a])})
    for seat, move in t.moves:
        twin.play(str(move), seat)
    assert list(standings(t, 0)) == list(standings(twin, 0))
    assert list(standings(t, 0)) != list(standings(t, 1))


@pytest.mark.parametrize("seat", [2, -1, True, None])
def test_a_curve_is_judged_from_a_seat_that_is_there(palaces, seat):
    with pytest.raises(BadOption, match="There is no seat"):
        next(standings(played(2), seat))
