"""People together at a table: two browsers and a spectator, a server that dies, a device that is passed round."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from conftest import Server, until
from players import ANT, GAMES, OVER, begin, faults, listen, meet, midgame, over, play, wait_turn


def texts(page: Any) -> list[str]:
    """The cards of the hand, in words."""
    return [text.split(",")[0] for text in page.locator(".held .unseen").all_inner_texts()]


def test_two_play_each_other_and_a_third_watches(web: Any) -> None:
    host, guest, link = meet(web, "cardtracks")
    watcher = web()
    heard = listen(watcher)
    watcher.goto(link)
    watcher.locator("[data-board]").wait_for()
    assert not watcher.locator(".aim").count()
    for _ in range(200):
        if host.locator(OVER).count():
            break
        for page in (host, guest):
            if page.locator(".aim, .choices button").count():
                play(page, "cardtracks", {}, moves=1)
    for page in (host, guest, watcher):
        page.locator(OVER).wait_for()
    assert heard["all"]
    host.get_by_role("button", name="Chat").click()
    host.get_by_label("Say something").fill("Well played <b>you</b>")
    host.get_by_role("button", name="Send").click()
    guest.get_by_role("button", name="Chat").click()
    guest.get_by_text("Well played <b>you</b>").wait_for()
    # Play again: the other is asked.
    for page in (host, guest):
        page.get_by_role("button", name="Result", exact=True).click()
    old = host.url
    host.get_by_role("button", name="Play again").click()
    guest.get_by_role("button", name="Yes").click()
    for page in (host, guest):
        page.wait_for_url(lambda url: url != old)
        page.locator("[data-board]").wait_for()


def test_the_server_is_killed_and_both_go_on(web: Any, server: Server) -> None:
    host, guest, _ = meet(web, "palaces")
    pages = [host, guest]
    for page in pages:
        page.get_by_role("button", name="Log", exact=True).click()

    def step() -> None:
        """One move, seen by both."""
        until(lambda: any(page.locator(".held:not(:disabled)").count() for page in pages))
        known = host.locator("aside li").count()
        mover = next(page for page in pages if page.locator(".held:not(:disabled)").count())
        play(mover, "palaces", {}, moves=1)
        until(lambda: all(page.locator("aside li").count() > known for page in pages))

    for _ in range(4):
        step()
    hands = [sorted(texts(page)) for page in pages]
    server.kill()
    host.get_by_text("The connection is lost.").first.wait_for()
    server.start()
    for page in pages:
        page.locator(".connection.open").wait_for()
        page.locator(".lost").wait_for(state="detached")
    assert [sorted(texts(page)) for page in pages] == hands
    for _ in range(4):
        step()


def test_the_curtain_never_shows_the_other_hand(web: Any) -> None:
    page = web()
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    begin(page, "palaces", "On this device")
    hands: dict[str, list[str]] = {}
    for _ in range(6):
        curtain = page.locator("[data-curtain]")
        curtain.wait_for()
        # Between two people nothing of a hand is in the page.
        assert not page.locator(".held").count()
        assert "data-board" not in page.content()
        assert faults(page) == []
        who = re.search(r"I am (\w+)", curtain.inner_text())[1]  # type: ignore[index]
        frames.clear()
        curtain.get_by_role("button").click()
        page.locator(".held:not(:disabled)").first.wait_for()
        seat = {"Blue": 0, "Red": 1}[who]
        views = [json.loads(frame).get("now", {}).get("view") for frame in frames]
        assert {view["seat"] for view in views if view} == {seat}, "only that chair's messages come"
        hands[who] = texts(page)
        play(page, "palaces", {}, moves=1)
        # Whoever moved sees the card that they drew, for as long as they like.
        page.wait_for_timeout(1200)
        assert not curtain.count()
        drawn = Counter(texts(page)) - Counter(hands[who])  # none if it is another of the kind that was played
        assert len(texts(page)) == len(hands[who])
        assert drawn.total() <= 1
        page.get_by_role("button", name="Pass the device to").click()
    assert len(hands) == 2


def test_keys_alone_are_enough(web: Any) -> None:
    page = web()
    page.goto("/")
    page.get_by_role("button", name="The Lost Palaces", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Play against a bot").focus()
    page.keyboard.press("Enter")
    for _ in range(3):
        assert wait_turn(page, ".held:not(:disabled)")
        page.locator(".held").first.focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.className").startswith("held")
        page.keyboard.press("Enter")
        page.locator(".held.picked").wait_for()
        for _ in range(40):
            page.keyboard.press("Shift+Tab")
            if page.evaluate("document.activeElement.matches('.target, .choice button')"):
                break
        page.keyboard.press("Enter")
        page.locator(".held.picked").wait_for(state="detached")


def test_a_card_can_be_dragged(web: Any) -> None:
    page = web(calm=False)
    begin(page, "palaces", options=ANT)
    page.locator(".held:not(:disabled)").first.wait_for()
    page.wait_for_timeout(400)
    name = texts(page)[0]
    page.locator(".held").first.drag_to(page.locator(".discard"))
    page.get_by_role("button", name="Log", exact=True).click()
    page.locator("aside li", has_text="discard").first.wait_for()
    assert name


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_nothing_is_wider_than_the_screen(web: Any, game: str) -> None:
    page = web({"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    heard = listen(page)
    midgame(page, game, heard, seed=5, moves=2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        """() => [...document.querySelectorAll('nav button, .does button, .hand button, .rack button')]
            .filter(n => { const b = n.getBoundingClientRect(); return b.height < 43.5 || b.width < 30 })
            .map(n => n.textContent)"""
    )
    assert small == []


def test_a_refusal_explains_itself_and_leads_to_the_rule(web: Any) -> None:
    page = web()
    heard = listen(page)
    for _ in range(6):  # games: the bot may win one before there is a play
        heard["moves"] = []
        begin(page, "aathenuo", options=ANT)
        while wait_turn(page, ".rack .held:not(:disabled)") and not any("@" in move for move in heard["moves"]):
            page.get_by_role("button", name="Draw a tile").click()
        if not over(page):
            break
    page.get_by_role("button", name="Draw a tile").click()
    page.get_by_text("You have a play, so you may not draw").wait_for()
    page.get_by_role("button", name="Rule AAT-06").click()
    page.locator("[data-rule=AAT-06].asked").wait_for()


def test_a_line_that_is_no_set_says_why_right_there(web: Any) -> None:
    page = web()
    begin(page, "aathenuo", options=ANT)
    assert wait_turn(page, ".rack .held:not(:disabled)")
    page.locator(".rack .held").first.click()
    page.keyboard.press("ArrowRight")
    for _ in range(8):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".fault").first.wait_for()
    assert "is in no set" in page.locator(".fault").first.inner_text()
    page.get_by_role("button", name="Clear").click()
    page.locator(".fault").first.wait_for(state="detached")


def test_what_is_tried_out_outlives_the_server(web: Any, server: Server) -> None:
    page = web()
    begin(page, "aathenuo", options=ANT)
    assert wait_turn(page, ".rack .held:not(:disabled)")
    held = page.locator(".rack .held").count()
    alone = page.locator(".fault", has_text="is in no set")
    for steps, state in ((9, "visible"), (1, "detached")):  # far from all others, and next to that
        page.locator(".rack .held").first.click()
        for _ in range(steps):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        alone.wait_for(state=state)
    server.kill()
    page.get_by_text("The connection is lost.").first.wait_for()
    assert page.locator("header .connection.lost").bounding_box()["width"] < 20, "a sign among others"
    page.locator(".does").get_by_role("button", name="Undo").click()  # nobody is there to judge what is left
    server.start()
    page.locator(".connection.open").wait_for()
    alone.wait_for()
    assert page.locator(".tile.fresh.wrong").count() == 1
    assert page.locator(".rack .held").count() == held - 1


def test_a_hint_shows_a_move_with_its_chances(web: Any) -> None:
    page = web()
    begin(page, "cardtracks", options=ANT)
    assert wait_turn(page, ".aim")
    page.get_by_role("button", name="Hint").click()
    page.get_by_text(re.compile(r"The Owl would put the \w+ of \w+ on track \d, ")).wait_for()
    assert "%" in page.locator(".note").inner_text()
    page.locator(".aim.hinted").click()


def test_undo_is_not_offered_when_something_was_shown(web: Any) -> None:
    page = web()
    begin(page, "palaces", options=ANT)
    for _ in range(2):
        assert wait_turn(page, ".held:not(:disabled)")
        assert not page.get_by_role("button", name="Undo").count()
        play(page, "palaces", {}, moves=1)
        assert not page.get_by_role("button", name="Undo").count()
