"""The rules of Starter, one by one. What every game must keep is tested besides: `pytest --clew-game .`"""

from pathlib import Path

import pytest

import clew

GAME = Path(__file__).parent


def test_a_card_must_not_be_lower_than_the_last_one_played() -> None:
    table = clew.new(GAME, seed=1)
    hand = table.view(0)["table"]["hand"]
    table.play(max(hand))
    lower = min(table.view(1)["table"]["hand"])
    with pytest.raises(clew.IllegalMove, match="STA-03"):
        table.play(lower)
    table.play(f"-{lower}")


def test_the_game_ends_when_the_pile_is_empty() -> None:
    table = clew.new(GAME, seed=1)
    moves = 0
    while table.to_move:
        table.play(table.legal_moves()[0])
        moves += 1
    assert moves == 24 - 2 * 4
