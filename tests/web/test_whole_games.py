"""Whole games in the browser, through mouse, finger and keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import DESK, PHONE
from players import ANT, GAMES, OVER, begin, faults, listen, play


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_a_bot(web: Any, game: str) -> None:
    page = web()
    heard = listen(page)
    short = {"ariadne": {"How many rounds are played": "1"}, "aathenuo": {"How many tiles a player begins with": "6"}}
    options = ANT | short.get(game, {})
    begin(page, game, options=options)
    play(page, game, heard, seed=3)
    result = page.locator(OVER)
    result.wait_for()
    assert result.get_by_role("table").count() == 1
    for viewport, scheme in ((DESK, "light"), (PHONE, "dark")):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(200)
        assert not "\n".join(faults(page)), f"the end screen, {scheme}"
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    assert download.value.suggested_filename.endswith(".clew")
