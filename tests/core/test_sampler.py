"""The engine's own sampler of worlds: each as likely as counting by hand says, and its cost told."""

import itertools
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from clew.check import chances, check_game
from clew.core.errors import NoWorlds
from clew.core.game import load
from clew.core.rng import below, stream
from clew.core.sampler import worlds
from clew.core.table import new, new_from_deal

pytestmark = pytest.mark.xdist_group("sampler")  # one worker compiles the samplers for all tests
HERE, EXAMPLES = Path(__file__).parent, Path(__file__).parents[2] / "examples"
PAIRS, COURTIERS, MASKS = HERE / "pairs", EXAMPLES / "courtiers", EXAMPLES / "masks"
MANY, RESTART = 1500, 10
CHANCE = 1e-4


def as_likely(values, shares):
    """Whether values that were drawn have these chances, or those in proportion to them."""
    counts, total = Counter(int(value) for value in values), sum(shares.values())
    assert set(counts) <= {value for value, share in shares.items() if share}
    there = [value for value, share in shares.items() if share]
    return chances.expected([counts[value] for value in there], [shares[value] / total for value in there]) > CHANCE


def played(table, count, seed=0):
    """The table after so many moves at random."""
    rng = stream(seed, "moves")
    for _ in range(count):
        seat = table.to_move[0]
        moves = table.legal_moves(seat)
        table.make(moves[below(rng, len(moves))], seat)
    return table


def pairs(*shown):
    lines = {"hand 0": "2 3", "hand 1": "1 2", "bag": "1 1 3"}
    table = new_from_deal(load(PAIRS), 2, {}, lines)
    for token in shown:
        table.make(token)
    return table


def test_who_showed_a_three_keeps_any_token_that_was_not_seen_other_threes_included():
    """Unseen are 1, 1, 2 and 3. To count the deals in which some three was held would make the other half as likely."""
    found = worlds(pairs("3"), 1, MANY, 1, restart=RESTART)
    assert as_likely(found.states.hand[:, 0, 1], {1: 2, 2: 1, 3: 1})
    assert (found.states.hand[:, 1] == (1, 2)).all()


def test_before_the_first_move_each_hand_is_as_likely_as_the_tokens_that_are_left():
    found = worlds(pairs(), 1, MANY, 2, restart=RESTART)
    hands = [10 * low + high for low, high in found.states.hand[:, 0].tolist()]
    assert as_likely(hands, {11: 1, 12: 2, 13: 4, 23: 2, 33: 1})  # of 1, 1, 2, 3, 3


def test_who_watches_knows_what_was_shown_and_nothing_else():
    found = worlds(pairs("3", "1"), -1, MANY, 3, restart=RESTART)
    assert as_likely(found.states.hand[:, 0, 1], {1: 2, 2: 2, 3: 1})
    assert as_likely(found.states.hand[:, 1, 1], {1: 2, 2: 2, 3: 1})


def test_a_card_that_lies_open_from_the_deal_on_is_in_no_hand_and_not_in_the_deck():
    """In Labyrinth the four cards of the square lie in no declared place; each deal that is guessed has others."""
    table = played(new("labyrinth", 2, seed=0), 3)
    lies_open = set(table._states[-1][0].lies.nonzero()[0].tolist())
    for world in worlds(table, 0, 40, 5, restart=RESTART).states:
        hidden = [card for card in (*world.hands.flat, *world.deck) if card >= 0]
        assert sorted([*lies_open, *hidden]) == list(range(50))


def test_each_pair_of_unseen_cards_is_as_likely_a_hand_in_labyrinth():
    """Counted by hand: that a card was placed tells nothing of those that are kept, and each card is there once."""
    table = played(new("labyrinth", 2, seed=0), 3)
    s = table._states[-1][0]
    unseen = [card for card in range(50) if not s.lies[card] and card not in s.hands[0]]
    found = worlds(table, 0, 400, 6, restart=4).states
    sums = Counter(a + b for a, b in itertools.combinations(unseen, 2))
    hands = found.hands[:, 1, 2:]
    assert as_likely(hands.sum(axis=1), sums)
    assert as_likely(found.deck[:, -1], dict.fromkeys(unseen, 1))


@pytest.mark.parametrize("moves", [20, 30])
def test_what_was_shown_later_is_tried_first(moves):
    """To look for each of some 70 cards that were turned over takes more than 50,000 tries, and often fails."""
    found = worlds(played(new("cardtracks", seed=1), moves), 0, 4, 7, restart=1, budget=500)
    assert (found.walks, found.tries) == (4, 4)


@pytest.mark.parametrize("role", ["envoy", "guard"])
def test_a_courtier_keeps_any_card_that_was_not_seen(role):
    game = load(COURTIERS)
    table = next(
        table
        for table in (new(game, 2, seed) for seed in range(200))
        if f"{role} -" in [str(move) for move in table.legal_moves(0)]
    )
    table.make(f"{role} -")
    code = {"envoy": 3, "guard": 4}[role]
    left = Counter({1: 5, 2: 4, 3: 3, 4: 2, 5: 2}) - Counter([code, *table._look(1)[0].hand[1].tolist()])
    found = worlds(table, 1, MANY, 4, restart=RESTART)
    assert as_likely(found.states.hand[:, 0, 0], left)
    assert as_likely(found.states.aside, left)


def test_a_courtier_who_played_an_envoy_knows_the_card_put_aside():
    game = load(COURTIERS)
    tables = (new(game, 2, seed) for seed in range(200))
    table = next(table for table in tables if "envoy -" in [str(move) for move in table.legal_moves(0)])
    table.make("envoy -")
    found = worlds(table, 0, 20, 5)
    assert set(found.states.aside.tolist()) == {int(table._states[-1][0].aside)}
    assert len(set(found.states.hand[:, 1, 0].tolist())) > 1


@pytest.mark.parametrize("moves", [1, 6, 11])
def test_behind_a_mask_is_any_card_that_was_not_seen(moves):
    """Deal and hidden moves are drawn together, also where each card of a hand was laid."""
    table = played(new(load(MASKS), seed=3), 0)
    rng = stream(moves, "lay")
    for _ in range(moves):
        laid = [move for move in table.legal_moves() if "unmask" not in str(move)]
        table.make(laid[below(rng, len(laid))])
    v = table._look(1)[0]
    left = Counter(dict.fromkeys(range(1, 10), 2))
    left -= Counter([*v.hand.tolist(), *v.mask.ravel().tolist()])
    found = worlds(table, 1, MANY, 6, restart=RESTART)
    for stage in range(3):
        for place in range(v.laid[0, stage]):
            assert as_likely(found.states.mask[:, 0, stage, place], left)


def test_a_choice_under_way_is_any_of_those_that_the_seat_has():
    for seed in range(50):
        table, rng = new("cardtracks", seed=seed), stream(seed, "moves")
        while table.to_move and len(table.to_move) < 2:
            moves = table.legal_moves()
            table.make(moves[below(rng, len(moves))])
        if table.to_move:
            break
    table.make(table.legal_moves(0)[0], 0)
    found = worlds(table, 1, 300, 7, restart=300)
    imagined, rng = table.game.states(2000), stream(8)
    for i in range(len(imagined)):
        table.game.kernels.imagine(table._look(1)[0], rng, imagined[i])
    assert chances.same(found.states.choice[:, 0], imagined.choice[:, 0]) > CHANCE
    assert len(set(found.states.choice[:, 0].tolist())) > 1


def test_worlds_after_many_moves_give_the_chair_its_view_and_differ_from_the_truth():
    table = played(new("palaces", seed=2), 20)
    found = worlds(table, 0, 30, 9)
    seen = table._look(0).tobytes()
    for i in range(len(found.states)):
        v = table.game.views(1)
        table.game.kernels.view(found.states[i], 0, v[0])
        assert v.tobytes() == seen
    different = {found.states[i : i + 1].tobytes() for i in range(30)}
    assert len(different) == 30
    assert table._states[-1].tobytes() not in different


def test_the_same_worlds_are_found_whatever_the_chair_does_not_see_really_is():
    """It does not look at the truth: two deals that the chair cannot tell apart give the same worlds."""
    game = load(PAIRS)
    lines = [{"hand 0": "2 3", "hand 1": "1 2", "bag": "1 1 3"}, {"hand 0": "1 3", "hand 1": "1 2", "bag": "3 2 1"}]
    found = []
    for deal in lines:
        table = new_from_deal(game, 2, {}, deal)
        table.make("3")
        found.append(worlds(table, 1, 50, 10).states.tobytes())
    assert found[0] == found[1]


def test_the_cost_is_told():
    found = worlds(played(new("palaces", seed=1), 8), 1, 12, 11, restart=5)
    assert (found.walks, len(found.states)) == (3, 12)
    assert found.tries >= 3
    assert 0 < found.acceptance < 1
    assert str(found).startswith("12 worlds from 3 walks (0 more found none): ")


def test_a_budget_that_is_too_small_is_told():
    with pytest.raises(NoWorlds, match=r"No world of The Lost Palaces .* 20 moves: 50 deals were tried"):
        worlds(played(new("palaces", seed=2), 20), 0, 1, 12, budget=50)


def test_a_game_that_does_not_declare_its_pieces_is_told():
    with pytest.raises(NoWorlds, match="does not declare its state"):
        worlds(new(load(HERE.parent / "check" / "tokens"), seed=1), 0, 1, 13)


# The kit

ONLY = ["imagine agrees with the sampler"]


def test_the_kit_holds_imagine_against_the_sampler():
    (found,) = check_game(str(PAIRS), 12, only=ONLY).checks
    assert found.ok, found.detail
    assert found.undecided == ()
    assert "400 worlds of the sampler and 4000 imagined in each; the sampler took " in found.detail


def test_a_wrong_imagine_is_caught(tmp_path):
    """The last of the unseen tokens is not shuffled with the others."""
    folder = tmp_path / "pairs"
    shutil.copytree(PAIRS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    derived = load(PAIRS).rules.DERIVED_SOURCE
    imagine = derived[derived.index("def imagine") :].split("\n\n\n")[0]
    right = "shuffle(rng, unseen, count)"
    assert right in imagine
    wrong = imagine.replace(right, "shuffle(rng, unseen, count - 1)")
    text = (folder / "rules.py").read_text().replace("class State", "COPIES_0 = TOKEN.copies\n\n\nclass State")
    with (folder / "rules.py").open("w") as file:
        file.write(f"{text}\n\nfrom clew.core.derive import copy_head\n\n\n@rule\n{wrong}")
    (found,) = check_game(str(folder), 12, only=ONLY).checks
    assert not found.ok
    assert found.detail.startswith("`imagine` does not agree with the sampler, which replays all that the chair saw: ")
    shares = r"(seat \d's )?\w+ holds \w+ in \d+ % of imagined worlds and in \d+ % of sampled ones\. If"
    assert re.search(shares, found.detail), found.detail
    assert "say it by `fits`" in found.detail
