"""Another game in one tap: against a bot, between two phones, and when both tap at once."""

from __future__ import annotations

import re
from typing import Any

from conftest import PHONE
from players import ANT, OVER, begin, faults, meet

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def resign(page: Any) -> None:
    """Give the game up, and see the result."""
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    page.locator(OVER).wait_for()


def two_phones(web: Any) -> tuple[Any, Any]:
    """Two phones at a table whose game is over, each with the result before it."""
    host, guest, _ = meet(web, "cardtracks", **TOUCH)
    host.set_viewport_size(PHONE)
    resign(host)
    guest.locator(OVER).wait_for()
    return host, guest


def arrived(page: Any, old: str) -> str:
    """Wait until the page is in another game; its address."""
    page.wait_for_url(lambda url: "/t/" in url and url.split("#")[0] != old.split("#")[0])
    page.locator("[data-board]").wait_for()
    return page.url.split("#")[0]


def test_against_a_bot_one_tap_is_enough(web: Any) -> None:
    page = web(**TOUCH)
    begin(page, "cardtracks", options=ANT)
    page.locator("[data-board]").wait_for()
    old = page.url
    resign(page)
    page.get_by_role("button", name="Play again").tap()
    arrived(page, old)
    assert not page.locator(OVER).count()


def test_the_other_is_asked_on_the_result_sheet_and_both_are_taken_there(web: Any) -> None:
    host, guest = two_phones(web)
    old = host.url
    host.get_by_role("button", name="Play again").click()
    host.locator(OVER).get_by_text("Waiting for the others to answer.").wait_for()
    question = guest.locator(OVER).get_by_text("would like to play again")
    question.wait_for()
    yes = guest.get_by_role("button", name="Yes")
    box = yes.bounding_box()
    seen = guest.evaluate("([x, y]) => document.elementFromPoint(x, y).textContent", [box["x"] + 9, box["y"] + 9])
    assert seen == "Yes", "nothing lies over it"
    assert faults(guest) == []
    yes.tap()
    assert arrived(host, old) == arrived(guest, old)


def test_both_tap_at_once_and_are_in_one_game(web: Any) -> None:
    host, guest = two_phones(web)
    old = host.url
    buttons = [page.get_by_role("button", name="Play again") for page in (host, guest)]
    for button in buttons:  # neither page has heard of the other when it taps
        button.wait_for()
    together = host.evaluate("Date.now()") + 4000  # by one clock, however long it takes to tell both pages
    for page in (host, guest):
        page.evaluate(
            """at => setTimeout(() => [...document.querySelectorAll('button')]
                .find(button => button.textContent === 'Play again').click(), at - Date.now())""",
            together,
        )
    assert arrived(host, old) == arrived(guest, old)


def test_a_no_is_told_and_asking_again_is_possible(web: Any) -> None:
    host, guest = two_phones(web)
    host.get_by_role("button", name="Play again").click()
    guest.get_by_role("button", name="No", exact=True).tap()
    host.locator(OVER).get_by_text(re.compile("says no")).wait_for()
    host.get_by_role("button", name="Play again").wait_for()
    guest.get_by_role("button", name="Play again").wait_for()


def test_who_only_looks_at_an_old_result_is_not_taken_away(web: Any) -> None:
    host, guest = two_phones(web)
    old = host.url
    host.get_by_role("button", name="Play again").click()
    guest.get_by_role("button", name="Yes").tap()
    arrived(host, old)
    host.goto(old)
    host.locator(OVER).get_by_role("link", name="To the next game").wait_for()
    host.wait_for_timeout(500)
    assert host.url.split("#")[0] == old.split("#")[0]
    host.locator(OVER).get_by_role("link", name="To the next game").click()
    arrived(host, old)
