"""Every game that Clew brings keeps all checks of the kit."""

import pytest
from rich.console import Console

import clew
from clew.check import check_game, render
from clew.check.checks import CHECKS

GAMES = 11
PATIENCE = 2.0


@pytest.mark.slow
@pytest.mark.parametrize("name", clew.games())
def test_the_game_keeps_all_checks(name):
    said = []
    report = check_game(name, GAMES, said.append, patience=PATIENCE)
    assert [check for check in report.checks if not check.ok] == []
    assert set(said) >= {check.name for check in report.checks}

    found = report.json()
    assert found["ok"]
    assert found["game"] == name
    assert sum(found["games"].values()) == GAMES
    assert found["speed"]["moves_per_s"] > 0
    assert set(found["rules_reached"]).isdisjoint(found["rules_missing"])

    console = Console(width=120)
    with console.capture() as shown:
        console.print(render(report))
    assert f"{name} keeps all {len(CHECKS)} checks." in shown.get()


def test_styles_reach_the_ending_that_play_at_random_never_reaches():
    report = check_game("palaces", 2 * GAMES, only=["games end"])
    assert report.endings_reached == ["pile", "pawns"]
    assert report.endings_missing == []
