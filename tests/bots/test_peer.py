"""The peer of `bench/peer.py`: other rules of The Lost Palaces that must be the same rules, and fair resampling."""

import importlib
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

import clew

sys.path.append(str(Path(__file__).parents[2] / "bench"))
peer_rules = importlib.import_module("palaces_python")


def opening(seed):
    t = clew.new("palaces", seed=seed)
    return t, peer_rules.Palaces(peer_rules.read_deal(t.deal_lines()))


def chosen(moves, luck, keen):
    """A move; a keen player throws away only what is of no use, so that pawns arrive and games end early."""
    return luck.choice([move for move in moves if move >= 48] or moves) if keen else luck.choice(moves)


def everything(game):
    """All that a game holds."""
    return repr([getattr(game, name) for name in game.__slots__])


def about(count, expected):
    """Whether chance may well have made so many."""
    return abs(count - expected) < 4.5 * expected**0.5 + 1


def positions(count, seed=1):
    """Games at random moments."""
    luck = random.Random(seed)
    found = []
    while len(found) < count:
        _, game = opening(luck.randrange(1 << 30))
        while not game.over and len(found) < count:
            if luck.random() < 0.1:
                found.append(game.copy())
            game.play(chosen(game.legal(), luck, keen=True))
    return found


@pytest.mark.slow
def test_three_hundred_games_agree_step_by_step():
    luck = random.Random(1)
    endings = Counter()
    for seed in range(300):
        t, game = opening(seed)
        while t.to_move:
            moves = game.legal()
            assert t.to_move == (game.turn,)
            assert moves == sorted(moves)
            assert {peer_rules.WRITTEN[move] for move in moves} == {str(move) for move in t.legal_moves()}
            move = chosen(moves, luck, keen=seed % 2)
            t.play(peer_rules.WRITTEN[move])
            game.play(move)
            if len(t.moves) % 8 == 0 or not t.to_move:
                scores = [seat["score"] for seat in t.view(None)["table"]["seats"]]
                assert scores == [game.standing(0)[0], game.standing(1)[0]]
        assert game.over
        better = game.standing(0) > game.standing(1), game.standing(1) > game.standing(0)
        assert t.outcome.places == (1 + better[1], 1 + better[0])
        assert (t.outcome.ended == "pawns") == (game.arrived >= 4)
        endings[t.outcome.ended] += 1
    assert min(endings["pile"], endings["pawns"]) >= 20


def test_a_copy_goes_its_own_way():
    for game in positions(30):
        before = everything(game)
        twin, luck = game.copy(), random.Random(1)
        assert everything(twin) == before
        while not twin.over:
            twin.play(luck.choice(twin.legal()))
        assert everything(game) == before


def test_a_resampled_world_is_one_that_the_player_cannot_tell_from_the_true_one():
    chance = random.Random(2).random
    for game in positions(100):
        me = game.turn
        world = game.resample(me, chance)
        assert world.hand_text(me) == game.hand_text(me)
        assert (world.log_text(), world.finds_text()) == (game.log_text(), game.finds_text())
        assert (world.pawns, world.steps, world.last, world.dug) == (game.pawns, game.steps, game.last, game.dug)
        assert world.legal() == game.legal()
        assert len(world.hands[1 - me]) == 8
        assert len(world.pile) - world.drawn == len(game.pile) - game.drawn
        cards = Counter([*world.hands[0], *world.hands[1], *world.pile, *(action % 48 for action in game.log)])
        assert cards == dict(enumerate(peer_rules.COPIES))
        assert sorted(world.finds) == sorted(game.finds)
        assert all(world.finds[begin : begin + 5].count(peer_rules.RARE) == 1 for begin in range(0, 20, 5))


def test_resampled_worlds_differ_and_hide_everything_alike():
    luck = random.Random(3)
    _, game = opening(3)
    for _ in range(24):
        game.play(chosen(game.legal(), luck, keen=True))
    me, worlds = game.turn, 3000
    made = [game.resample(me, luck.random) for _ in range(worlds)]
    assert len({tuple(world.hands[1 - me]) for world in made}) > 0.99 * worlds
    assert len({world.pile for world in made}) == worlds
    unseen = Counter([*game.hands[1 - me], *game.pile[game.drawn :]])
    held = Counter(card for world in made for card in world.hands[1 - me])
    drawn = Counter(world.pile[0] for world in made)
    for card, count in unseen.items():
        assert about(held[card], worlds * 8 * count / unseen.total())
        assert about(drawn[card], worlds * count / unseen.total())
    opened = game.dug[0] | game.dug[1]
    assert 3 <= opened.bit_count() <= 12
    for begin in range(0, 20, 5):
        closed = [site for site in range(begin, begin + 5) if not opened >> site & 1]
        hidden = any(game.finds[site] == peer_rules.RARE for site in closed)
        for site in closed:
            rare = sum(world.finds[site] == peer_rules.RARE for world in made)
            assert about(rare, worlds / len(closed)) if hidden else rare == 0
    others = Counter(find for site, find in enumerate(game.finds) if find and not opened >> site & 1)
    site = next(site for site in range(20) if not opened >> site & 1)
    lying = Counter(world.finds[site] for world in made)
    for find, count in others.items():
        assert about(lying[find], (worlds - lying[peer_rules.RARE]) * count / others.total())


def test_the_true_world_makes_no_difference_to_what_is_resampled():
    for game in positions(20):
        me = game.turn
        other = game.resample(me, random.Random(4).random)
        one, two = (world.resample(me, random.Random(5).random) for world in (game, other))
        assert (one.hands, one.pile, one.finds) == (two.hands, two.pile, two.finds)


@pytest.fixture(scope="module")
def peer():
    pytest.importorskip("pyspiel")
    return importlib.import_module("peer")


def test_openspiel_plays_the_same_game(peer):
    import pyspiel

    game = pyspiel.load_game(peer.openspiel_palaces.NAME)
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    luck = random.Random(6)
    for seed in range(10):
        t = clew.new("palaces", seed=seed)
        state = peer.opening(game, t)
        peer.check(t, state)
        while t.to_move:
            action = luck.choice(state.legal_actions())
            assert state.clone().information_state_string() == state.information_state_string()
            t.play(peer.WRITTEN[action])
            state.apply_action(action)
            peer.check(t, state)


def test_a_difference_in_the_rules_is_noticed(peer, monkeypatch):
    import pyspiel

    game = pyspiel.load_game(peer.openspiel_palaces.NAME)
    t = clew.new("palaces", seed=1)
    state = peer.opening(game, t)
    move = next(move for move in t.legal_moves() if str(move).endswith(":a"))
    t.play(move)
    state.apply_action(peer.ACTION[str(move)])
    peer.check(t, state)
    monkeypatch.setattr(peer_rules, "STEP_POINTS", (0, -10, *peer_rules.STEP_POINTS[2:]))
    with pytest.raises(peer.Disagreement, match="differ in the scores"):
        peer.check(t, state)


def test_the_peer_knows_only_what_its_player_knows(peer):
    import pyspiel

    game = pyspiel.load_game(peer.openspiel_palaces.NAME)
    for seed in range(5):
        state = peer.opening(game, clew.new("palaces", seed=seed))
        for _ in range(20):
            state.apply_action(state.legal_actions()[-1])
        me = state.current_player()
        other = state.resample_from_infostate(me, random.Random(seed).random)
        assert other.information_state_string() == state.information_state_string()
        assert other.observation_string() == state.observation_string()
        assert other.information_state_string(1 - me) != state.information_state_string(1 - me)
        choices = [peer.ClockedISMCTS(game, seed, simulations=40).step(world) for world in (state, other)]
        assert choices[0] == choices[1]


@pytest.mark.slow
def test_the_peer_beats_random_play(peer):
    import pyspiel

    game = pyspiel.load_game(peer.openspiel_palaces.NAME)
    luck = random.Random(7)
    won = 0
    for number in range(6):
        state = peer.opening(game, clew.new("palaces", seed=number // 2))
        bot = peer.ClockedISMCTS(game, number, simulations=60)
        while not state.is_terminal():
            own = state.current_player() == number % 2
            state.apply_action(bot.step(state) if own else luck.choice(state.legal_actions()))
        won += state.returns()[number % 2] > 0
    assert won >= 5
