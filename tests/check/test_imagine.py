"""The reference for imagined worlds, where a player showed one of several pieces of a kind: right, or undecided."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from clew.check import check_game, imagine_checks, render
from clew.check.kit import Kit
from clew.check.styles import STYLES
from clew.check.worlds import Position
from clew.core.game import load

pytestmark = pytest.mark.usefixtures("interpreted")
TOKENS, JARS = Path(__file__).parent / "tokens", Path(__file__).parent / "jars"
COURTIERS = Path(__file__).parents[2] / "examples" / "courtiers"
SHUFFLE = "    shuffle(rng, unseen, count)\n"
KEPT_ALIKE = "v.seat != 0 and v.shown[0] > 0 and unseen[count - 1] == v.shown[0]"


def checked(folder):
    (found,) = check_game(str(folder), 12, only=["imagine is fair"]).checks
    return found


def changed(home, old, new):
    """A copy of Tokens with other rules."""
    folder = home / "tokens"
    shutil.copytree(TOKENS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "rules.py").read_text()
    assert old in text
    (folder / "rules.py").write_text(text.replace(old, new).replace("import LEGAL", "import below, LEGAL"))
    return folder


def test_who_showed_one_of_two_tokens_may_keep_another_of_that_number():
    found = checked(TOKENS)
    assert found.ok, found.detail
    assert found.undecided == ()


def test_worlds_that_are_missing_after_a_token_was_shown_are_found(tmp_path):
    never = SHUFFLE + f"    while {KEPT_ALIKE}:\n        shuffle(rng, unseen, count)\n"
    found = checked(changed(tmp_path, SHUFFLE, never))
    assert not found.ok
    assert "prefers some of the" in found.detail


def test_an_imagine_that_counts_deals_and_not_tokens_is_left_undecided_and_that_is_told(tmp_path):
    """It might know only that such a token is held: from outside that looks alike."""
    rarely = SHUFFLE + f"    while {KEPT_ALIKE} and below(rng, 2):\n        shuffle(rng, unseen, count)\n"
    folder = changed(tmp_path, SHUFFLE, rarely)
    found = checked(folder)
    assert found.ok
    assert "somebody may have shown one of several" in found.undecided[0]
    assert "deals do not tell" in found.undecided[0]
    console = Console(width=200)
    with console.capture() as shown:
        console.print(render(check_game(str(folder), 12, only=["imagine is fair"])))
    assert "? Cannot decide: Of " in shown.get()


def test_pieces_that_only_few_partners_can_replace_are_found_in_the_end():
    """Seat 2 showed two jars and holds two others; those that it showed were once put into a class of their own."""
    kit = Kit(str(JARS), 8)
    position = Position(kit.sampler, kit.sample[5], 6, 1)
    before = [set(group) for group in position.classes]
    whole = position.with_all_partners()
    assert len(before) > len(whole.classes) == 1
    assert set().union(*before) <= set(whole.classes[0])


@pytest.mark.parametrize("ply", [1, 2])
def test_what_was_shown_is_told_from_what_is_hidden(ply):
    """The place of the token that was shown is found if the hand had no other of its number."""
    kit = Kit(str(TOKENS), 12)
    told = 0
    for played in kit.sample:
        position = Position(kit.sampler, played, ply, 1)
        token, hand = str(played.moves[0]), position.pieces[:2]
        shown = position.shown()
        if hand.count(token) == 2 or position.pieces.count(token) - position.pieces[2:4].count(token) < 2:
            assert shown == set()
        else:
            assert shown <= {hand.index(token)}
            told += len(shown)
    assert told > 0


def test_one_of_two_cards_that_was_played_leaves_each_unseen_card_as_likely():
    """Blue drew a card and played a duellist. Three duellists and an envoy are unseen: one is Blue's, three the pile.

    Each of the four worlds holds 3! ways to lay different cards. By deals an envoy kept counts twice, as it may have
    come before or after the duellist; so may a second duellist have, but as deals are written that is one.
    """
    kit = Kit(str(COURTIERS), 1)
    (setup,) = (one for one in kit.setups if one.players == 2 and dict(one.options)["aside_cards"] == "none")
    played = kit.sampler.play(setup, 120, [STYLES.index("hoarding")] * 2)
    position = Position(kit.sampler, played, 7, 1)
    worlds = position.all()
    assert sorted(worlds.values()) == [8, 8, 8, 16]
    assert set(position.as_they_lie(worlds).values()) == {1}
    assert imagine_checks._compare(kit, position, True) == imagine_checks.EXACT
    assert kit.doubts == []


def test_pieces_and_cells_are_said_as_the_rules_write_them():
    game = load(COURTIERS)
    width = game.rules.HAND
    assert imagine_checks.cell(game, f"hand[{width + 1}]") == "hand[1, 1]"
    assert imagine_checks.cell(game, "the sum of hand") == "the sum of hand"
    spy = game.rules.CARD.pieces[0]
    assert imagine_checks.typical(game, "hand[1]", np.array([1.0, 1.0, 0.0, 1.0])) == f"{spy} in 75 %"
    assert imagine_checks.typical(game, "the sum of hand", np.array([7.0, 7.0])) == "7 in 100 %"
