"""Time at the table and people who are not there: clocks run out, bots stand in, chairs are taken back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from conftest import DESK, until
from players import ANT, OVER, begin, faults, meet, play

SMALL = {"width": 360, "height": 740}
QUICK = {**ANT, "Clock": "move20"}
READY = ".held:not(:disabled)"
PATIENCE = 90_000  # milliseconds for a clock of twenty seconds, on a machine that has other things to do


def left(page: Any, name: str) -> int:
    """The seconds that somebody's clock shows."""
    shown = page.get_by_role(
        "timer", name=re.compile("Your clock:" if name == "You" else f"Clock of {name}:")
    ).inner_text()
    minutes, seconds = shown.split(":")
    return 60 * int(minutes) + int(seconds)


def turns(page: Any) -> str:
    """Whose turn it is, as the page shows it."""
    return " ".join(page.locator(".turns .turn").all_text_contents())


def lines(page: Any, text: str) -> Any:
    """The lines of the open log that say this."""
    return page.locator("aside li", has_text=text)


def open_log(*pages: Any) -> None:
    for page in pages:
        page.get_by_role("button", name="Log", exact=True).click()
        page.locator("aside li").first.wait_for()


def test_the_clock_of_the_seat_to_move_runs_and_the_other_stands(web: Any) -> None:
    phone = {"viewport": SMALL, "color_scheme": "dark", "has_touch": True, "is_mobile": True}
    host, guest, _ = meet(web, "palaces", {"Clock": "total600"}, **phone)
    pages = [host, guest]
    until(lambda: any(page.locator(READY).count() for page in pages))
    mover, first, second = (host, "Blue", "Red") if host.locator(READY).count() else (guest, "Red", "Blue")
    own = {host: "Blue", guest: "Red"}

    def seen(page: Any, name: str) -> str:
        return "You" if own[page] == name else name

    for page in pages:
        until(lambda page=page: left(page, seen(page, first)) <= 597)
        assert left(page, seen(page, second)) == 600
        assert page.get_by_role("timer", name=re.compile("[Cc]lock")).count() == 2
        assert faults(page) == []
    assert guest.evaluate("document.documentElement.scrollWidth") <= 360
    play(mover, "palaces", {}, moves=1)
    until(lambda: all(seen(page, second) in turns(page) for page in pages))
    stood = left(host, seen(host, first))
    assert 0 < stood < 600
    for page in pages:
        until(lambda page=page: left(page, seen(page, second)) <= 597)
        assert left(page, seen(page, first)) == stood


def test_when_time_is_up_a_bot_plays_on_until_its_person_is_back(web: Any) -> None:
    page = web()
    begin(page, "palaces", options={**QUICK, "When time is up": "bot"})
    page.locator(READY).first.wait_for()
    open_log(page)
    until(lambda: left(page, "You") <= 18)
    assert faults(page) == [], "also of a clock that is short of time"
    note = page.get_by_role("status").filter(has_text="A bot plays for you.")
    note.wait_for(timeout=PATIENCE)
    lines(page, "Your time is up: a bot plays on.").wait_for()
    page.locator(".turns .name", has_text="You (bot)").wait_for()
    until(lambda: "time is up" not in page.locator("aside li").last.inner_text())  # the bot moves
    note.get_by_role("button", name="Take the chair back").click()
    lines(page, "You are back.").wait_for()
    note.wait_for(state="detached")
    page.locator(".turns .name", has_text=re.compile("^You$")).wait_for()
    known = page.locator("aside li").count()
    play(page, "palaces", {}, moves=1)
    until(lambda: page.locator("aside li").count() > known)


def test_when_time_is_up_the_game_can_be_lost(web: Any) -> None:
    page = web(SMALL, color_scheme="dark", has_touch=True, is_mobile=True)
    begin(page, "cardtracks", options={**QUICK, "When time is up": "lose"})
    page.locator(".aim").first.wait_for()
    until(lambda: left(page, "You") <= 18)
    result = page.locator(OVER)
    result.wait_for(timeout=PATIENCE)
    assert "Your time ran out." in result.inner_text()
    assert "You win" not in result.inner_text()
    assert "wins" in result.inner_text()
    assert not page.locator(".aim").count()
    assert not page.get_by_role("button", name="Take the chair back").count()
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_start_says_what_a_clock_does(web: Any, scheme: str) -> None:
    page = web(SMALL if scheme == "dark" else DESK, color_scheme=scheme)
    page.goto("/")
    page.get_by_role("button", name="Labyrinth", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Options").click()
    assert not dialog.get_by_label("When time is up").count()
    dialog.get_by_label("Clock").select_option("total1500")
    dialog.get_by_text("25 minutes for the whole game. Every move gives 10 seconds more.").wait_for()
    dialog.get_by_text("a bot plays on, until you take your chair back").wait_for()
    dialog.get_by_label("When time is up").select_option("lose")
    dialog.get_by_text("When time is up, the game is lost.").wait_for()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    dialog.get_by_role("button", name="With a link").click()
    page.get_by_label("Link to this table").wait_for()
    page.get_by_text("When time is up, the game is lost.").wait_for()  # so does the table, to those who come
    assert faults(page) == []


def test_on_one_device_a_chair_is_taken_back_behind_the_curtain(web: Any) -> None:
    page = web()
    begin(page, "palaces", "On this device", {"Clock": "move20"})
    curtain = page.locator("[data-curtain]")
    curtain.wait_for()
    first, second = ("Blue", "Red") if "I am Blue" in curtain.inner_text() else ("Red", "Blue")
    curtain.get_by_role("button", name=f"I am {first}").click()
    page.locator(READY).first.wait_for()
    # The time is up, a bot moves, and it is the other's turn.
    curtain.get_by_role("button", name=f"I am {second}").click(timeout=PATIENCE)
    note = page.get_by_role("status").filter(has_text=f"A bot plays for {first}.")
    note.get_by_role("button", name="Take the chair back").click()
    curtain.get_by_role("button", name=f"I am {first}").wait_for()
    assert not page.locator(".held").count(), "between two people no hand is in the page"
    curtain.get_by_role("button", name=f"I am {first}").click()
    # It is still the other's turn: the device goes back, and no bot plays any more.
    curtain.get_by_role("button", name=f"I am {second}").click()
    page.locator(READY).first.wait_for()
    open_log(page)
    lines(page, f"{first} is back.").wait_for()
    assert not note.count()


def test_a_bot_plays_for_somebody_who_is_away_and_gives_the_chair_back(web: Any) -> None:
    host, guest, link = meet(web, "palaces")
    remembered = guest.context.storage_state()
    guest.context.close()
    host.get_by_role("button", name="Table", exact=True).click()
    host.get_by_text("Red is away").wait_for()
    ask = host.get_by_role("button", name="Ask for a bot to play for Red")

    def taken() -> bool:
        """Ask; who has only just gone is waited for."""
        if ask.count():
            ask.click()
            host.wait_for_timeout(400)
        return bool(host.locator("aside li small", has_text="A bot plays").count())

    until(taken)
    open_log(host)
    lines(host, "A bot plays for Red now.").wait_for()
    if host.locator(".note.bad").count():
        host.locator(".note.bad").get_by_role("button", name="Close").click()
    for _ in range(2):  # the bot moves in that chair, again and again
        host.locator(READY).first.wait_for()
        known = host.locator("aside li").count()
        play(host, "palaces", {}, moves=1)
        until(lambda known=known: host.locator("aside li").count() >= known + 2)
    host.locator(READY).first.wait_for()
    # Back again, on the phone this time.
    guest = web(SMALL, color_scheme="dark", has_touch=True, is_mobile=True, storage_state=remembered)
    guest.goto(link)
    note = guest.get_by_role("status").filter(has_text="A bot plays for you.")
    note.wait_for()
    guest.locator(".held").first.wait_for()
    assert not guest.locator(READY).count()
    assert faults(guest) == []
    assert guest.evaluate("document.documentElement.scrollWidth") <= 360
    note.get_by_role("button", name="Take the chair back").click()
    note.wait_for(state="detached")
    lines(host, "Red is back.").wait_for()
    assert faults(host) == []
    for page, other in ((host, guest), (guest, host)):
        page.locator(READY).first.wait_for()
        play(page, "palaces", {}, moves=1)
        other.locator(READY).first.wait_for()
