"""How a table behaves: what it refuses and why, what it shows of the others' moves, what Back and keys do."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from conftest import PHONE, until
from players import ANT, OVER, begin, faults, listen, meet, over, play, play_cardtracks, wait_turn

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
READY = ".held:not(:disabled)"
NOTE = ".note.bad"


def middle(found: Any) -> tuple[float, float]:
    """The middle of something on the screen."""
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dimmed(web: Any, **screen: Any) -> Any:
    """A game of Palaces in which the hand holds a card that goes nowhere."""
    page = web(**screen)
    for _ in range(12):
        begin(page, "palaces", options=ANT)
        page.locator(READY).first.wait_for()
        if page.locator(".held.wasted").count():
            return page
    raise AssertionError("twelve hands without a Minotaur or an Ariadne")


def near(page: Any, x: float, y: float) -> None:
    """The refusal stands near a place, and not on it."""
    box = page.locator(NOTE).bounding_box()
    assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
    down = max(box["y"] - y, y - box["y"] - box["height"], 0)
    across = max(box["x"] - x, x - box["x"] - box["width"], 0)
    assert down < 80, box
    assert across < 80, box
    size = page.viewport_size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]


@pytest.mark.parametrize("screen", [{}, TOUCH], ids=["desk", "phone"])
def test_a_dimmed_card_says_why_when_it_is_touched(web: Any, screen: Any) -> None:
    page = dimmed(web, **screen)
    card = page.locator(".held.wasted").first
    x, y = (card.bounding_box()[side] + 12 for side in ("x", "y"))
    page.touchscreen.tap(x, y) if screen else page.mouse.click(x, y)
    note = page.locator(NOTE)
    note.wait_for()
    assert re.search(r"no pawn|There is no pawn|path", note.inner_text())
    near(page, x, y)
    assert page.locator(READY).count() == 8, "nothing has changed"
    assert page.locator(".state", has_text="Your turn").count()
    rule = note.get_by_role("button", name="Rule PAL-")
    rule.wait_for()
    assert faults(page) == []
    rule.click()
    page.locator("[data-rule].asked").wait_for()


def test_a_card_dropped_where_it_does_not_go_lights_nothing_and_says_why(web: Any) -> None:
    page = web(calm=False)
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    page.wait_for_timeout(400)
    card = page.locator(".held:not(.wasted)").first
    palace = re.match(r"\w+", card.locator(".unseen").inner_text())[0]  # type: ignore[index]
    other = page.locator(".path").filter(has_not_text=palace).first
    plain = other.evaluate("node => getComputedStyle(node).backgroundColor")
    x, y = middle(other)
    page.mouse.move(*middle(card))
    page.mouse.down()
    page.mouse.move(x, y, steps=8)
    assert other.evaluate("node => getComputedStyle(node).backgroundColor") == plain
    assert page.locator(".path.lit").count() == 1, "only the one where it goes is lit"
    page.mouse.up()
    page.locator(NOTE).get_by_text(f"counts on the path to {palace} alone").wait_for()
    near(page, x, y)
    assert page.locator(READY).count() == 8
    # The same by a tap: the card is still in the hand.
    page.locator(NOTE).get_by_role("button", name="Close").click()
    page.locator(NOTE).wait_for(state="detached")
    other.click(position={"x": 5, "y": 5})
    page.locator(NOTE).wait_for()


def test_a_refusal_fades_but_not_while_it_is_read(web: Any) -> None:
    page = dimmed(web)
    page.locator(".held.wasted").first.click(position={"x": 12, "y": 20})
    note = page.locator(NOTE)
    note.hover()
    page.wait_for_timeout(10_000)
    assert note.count() == 1
    page.mouse.move(4, 400)
    note.wait_for(state="detached", timeout=12_000)


def test_a_refusal_goes_when_another_card_is_chosen(web: Any) -> None:
    page = dimmed(web)
    page.locator(".held.wasted").first.click(position={"x": 12, "y": 20})
    page.locator(NOTE).wait_for()
    page.locator(".held:not(.wasted)").first.click(position={"x": 12, "y": 20})
    page.locator(NOTE).wait_for(state="detached", timeout=1500)
    assert page.locator(".held.picked:not(.wasted)").count() == 1


def test_a_hint_unfolds_on_a_low_screen(web: Any) -> None:
    """There it has three lines, and a tap shows the rest."""
    page = web(viewport={"width": 320, "height": 568})
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    page.get_by_role("button", name="Hint", exact=True).click()
    text = page.locator(".hint .text")
    text.wait_for()
    assert not page.locator(".hint small").is_visible()
    text.click()
    page.locator(".hint small").wait_for()
    page.locator(".hint").get_by_role("button", name="Close").click()
    page.locator(".hint").wait_for(state="detached")


def test_a_track_that_is_won_says_why_no_card_goes_there(web: Any) -> None:
    page = web()
    closed = page.locator(".track.closed")
    for seed in range(6):
        begin(page, "cardtracks", options=ANT)
        rng = random.Random(seed)
        while wait_turn(page, ".aim, .choices button") and not (closed.count() and page.locator(".aim").count()):
            play_cardtracks(page, rng, 1)
            page.wait_for_timeout(100)
        if not over(page):
            break
    closed.first.click(position={"x": 30, "y": 12})
    note = page.locator(NOTE)
    note.wait_for()
    assert note.get_by_role("button", name="Rule CAR-").count() == 1
    page.locator(".aim").first.wait_for()
    note.get_by_role("button", name="Close").click()
    x, y = middle(closed.first)
    page.mouse.move(*middle(page.locator(".turned.wins")))
    page.mouse.down()
    page.mouse.move(x, y, steps=6)
    page.mouse.up()
    note.wait_for()
    near(page, x, y)


@pytest.mark.parametrize("game", ["palaces", "cardtracks"])
def test_what_the_other_did_stays_marked_until_one_moves(web: Any, game: str) -> None:
    page = web(**TOUCH)
    heard = listen(page)
    begin(page, game, options=ANT)
    ready = READY if game == "palaces" else ".aim"
    mark = page.locator("[data-recent='1']")
    seen = 0
    for _ in range(12):
        if not wait_turn(page, f"{ready}, .choices button"):
            break
        told = [entry for entry in heard["all"] if '"kind":"move"' in entry]
        if any('"seat":1' in entry for entry in told[-1:]):
            page.wait_for_timeout(300)
            assert mark.count() >= 1, "the last move was the other's"
            assert mark.first.locator("svg").count() == 1, "in colour and shape"
            assert not page.locator("[data-recent='0']").count(), "one's own move is known"
            seen += 1
        play(page, game, heard, seed=3, moves=1)
    assert seen >= 2


def test_on_a_phone_the_story_opens_the_log(web: Any) -> None:
    page = web(**TOUCH)
    begin(page, "palaces", options=ANT)
    play(page, "palaces", {}, moves=1)
    story = page.locator(".story .news")
    story.wait_for()
    assert story.bounding_box()["height"] >= 43.5
    story.tap()
    page.locator("aside[aria-label=Log] li").first.wait_for()
    # Back closes the drawer, and only then leaves the table.
    address = page.url
    page.go_back()
    page.locator("aside").wait_for(state="detached")
    assert page.url == address
    page.locator(READY).first.wait_for()
    page.get_by_role("button", name="Rules", exact=True).tap()
    page.get_by_role("button", name="Table", exact=True).tap()
    page.locator("aside[aria-label=Table]").wait_for()
    page.locator("aside").get_by_role("button", name="Close").tap()
    page.locator("aside").wait_for(state="detached")
    page.go_back()
    page.wait_for_url(lambda url: url != address)


def test_a_hint_shows_itself_on_the_board(web: Any) -> None:
    page = web(**TOUCH)
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    page.get_by_role("button", name="Hint").tap()
    page.locator(".held.advised").wait_for()
    target = page.locator(".target.hinted, .choice .hinted")
    assert target.count() == 1
    box, board = page.locator(".notes").bounding_box(), page.locator("[data-board]").bounding_box()
    assert box["y"] + box["height"] <= board["y"] + 1, "the note covers nothing of the board"
    assert faults(page) == []
    known = page.locator(READY).count()
    target.tap()
    page.locator(".held.advised").wait_for(state="detached")
    assert known == 8


def test_hints_can_be_switched_off_and_are_seen_where_they_are_on(web: Any) -> None:
    host, guest, _ = meet(web, "cardtracks")
    pages = {page: other for page, other in ((host, guest), (guest, host))}
    until(lambda: any(page.locator(".aim").count() for page in pages))
    mover = next(page for page in pages if page.locator(".aim").count())
    mover.get_by_role("button", name="Hint").click()
    mover.get_by_text("The Owl would").wait_for()
    other = pages[mover]
    other.get_by_role("button", name="Log", exact=True).click()
    other.locator("aside li", has_text="takes a hint").wait_for()
    # Another table, without.
    host, guest = web(), web()
    host.goto("/")
    host.get_by_role("button", name="Cardtracks", exact=True).click()
    dialog = host.get_by_role("dialog")
    dialog.get_by_text("Options").click()
    dialog.get_by_label("Hints are allowed between people").uncheck()
    dialog.get_by_label("A bot may play for somebody who is away").uncheck()
    dialog.get_by_role("button", name="With a link").click()
    link = host.get_by_label("Link to this table").input_value()
    for page in (host, guest):
        page.goto(link)
        page.get_by_text("There are no hints.", exact=True).wait_for()
        page.get_by_text("no bot plays in that chair").wait_for()
    guest.get_by_role("button", name="Sit down here").click()
    for page in (host, guest):
        page.locator("[data-board]").wait_for()
        assert not page.get_by_role("button", name="Hint").count()
    guest.context.close()
    host.get_by_role("button", name="Table", exact=True).click()
    host.get_by_text("is away").first.wait_for()
    host.get_by_text("no bot plays in that chair").wait_for()
    assert not host.get_by_role("button", name="Ask for a bot").count()


def test_everybody_reads_at_the_start_when_a_bot_may_take_over(web: Any) -> None:
    host, guest = web(), web(**TOUCH)
    begin(host, "labyrinth", "With a link", players=3)
    link = host.get_by_label("Link to this table").input_value()
    guest.goto(link)
    for page in (host, guest):
        page.locator("li", has_text="If somebody is away for 2 seconds, the others may agree").wait_for()
        page.get_by_text("If somebody gives up, a bot plays on.").wait_for()
        assert faults(page) == []
    alone = web()
    begin(alone, "palaces", options=ANT)
    alone.locator(READY).first.wait_for()
    alone.get_by_role("button", name="Table", exact=True).click()
    assert not alone.get_by_text("If somebody is away").count(), "nobody else plays there"


def test_whose_turn_it_is_is_told_to_all_senses(web: Any) -> None:
    page = web()
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    page.locator("[role=status]", has_text=re.compile("^Your turn$")).wait_for(state="attached")
    assert page.title().startswith("Your turn")
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert skip.evaluate("node => node === document.activeElement")
    assert skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('[data-board]')")
    # By keys alone; the focus stays on the board after the move.
    for _ in range(2):
        page.locator(READY).first.wait_for()
        page.locator(".held").first.focus()
        page.keyboard.press("Enter")
        page.locator(".discard .target").focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        assert page.evaluate("document.activeElement.closest('[data-board]') !== null")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('[data-board]') !== null")


def test_who_watches_sees_that_and_who_loses_is_told_kindly(web: Any) -> None:
    host, guest, link = meet(web, "cardtracks", **TOUCH)
    watcher = web(**TOUCH)
    watcher.goto(link)
    watcher.locator(".story", has_text="You are watching.").wait_for()
    assert not host.locator(".story", has_text="You are watching.").count()
    assert not watcher.get_by_role("button", name="Hint").count()
    guest.get_by_role("button", name="Table", exact=True).click()
    for _ in range(2):
        guest.get_by_role("button", name="Resign").click()
    for page in (host, guest, watcher):
        page.locator(OVER).wait_for()
    guest.locator(OVER).get_by_text("Thank you for the game.").wait_for()
    assert not host.locator(OVER).get_by_text("Thank you for the game.").count()
    assert host.title().startswith("The game is over")


def test_the_choice_of_a_pawn_is_labelled(web: Any) -> None:
    page = web(**TOUCH)
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    for card in page.locator(".held:not(.wasted)").all():
        card.tap(position={"x": 8, "y": 20})
        choice = page.locator(".choice")
        choice.wait_for()
        assert choice.locator(".label").all_inner_texts() == ["Archaeologist", "Theseus"]
        for button in choice.locator("button").all():
            box = button.bounding_box()
            assert box["height"] >= 43.5
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]
            label = button.locator(".label").bounding_box()
            assert label["x"] >= box["x"] - 1
            assert label["x"] + label["width"] <= box["x"] + box["width"] + 1
    assert faults(page) == []
