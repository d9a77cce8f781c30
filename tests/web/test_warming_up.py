"""A newcomer on a fresh machine: the game begins at once, and the page says what it waits for."""

import re

import pytest
from conftest import DESK, PHONE
from players import begin, faults, listen, play

pytestmark = pytest.mark.xdist_group("web test_warming_up")


@pytest.mark.slow
@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_tells_of_compiling_while_a_bot_is_waited_for(cold_server, browser, screen):
    page = browser.new_page(base_url=cold_server.address, viewport=screen)
    heard = listen(page)
    begin(page, "palaces", options={"Strength of the bots": "6"})
    told = page.get_by_role("status").filter(has_text=re.compile(r"Warming up, this once: \d+ of \d+"))
    page.locator(".held:not(:disabled)").first.or_(told).first.wait_for()
    if not told.is_visible():  # the person begins
        play(page, "palaces", heard, moves=1)
    told.wait_for()
    assert faults(page) == []
    box = told.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= screen["width"]
    page.close()


@pytest.mark.slow
def test_a_first_game_is_played_before_anything_is_compiled(cold_server, browser):
    page = browser.new_page(base_url=cold_server.address, viewport=DESK)
    heard = listen(page)
    begin(page, "cardtracks")
    play(page, "cardtracks", heard, moves=3)
    page.locator(".aim, .choices button").first.wait_for()
    page.close()
