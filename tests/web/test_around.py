"""Around the table: the first page, who waits, who was invited, the rules and the lessons."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import PHONE, ROOT, Server
from dealt_tables import bot, cookie_of, dealt, keep_apart, known, whole_game
from players import ANT, GAMES, begin, faults

from clew.server.seats import Sitter

ME, OTHER = known("around", "me"), known("around", "other")
FINISHED = 23  # more than a page


@pytest.fixture(scope="module")
def cookie(server: Server) -> str:
    """Somebody who sits at two tables, and has finished many games."""
    own, short = Sitter("person", "Ann", ME), whole_game("cardtracks", 2, 11)
    mine = next(i for i, (seat, _) in enumerate(short) if seat == 0)
    others = next(i for i, (seat, _) in enumerate(short) if seat == 1)
    two = [own, Sitter("person", "Bob", OTHER)]
    tables = [dealt("cardtracks", two, 11, short[:mine]), dealt("cardtracks", two, 11, short[:others])]
    for seed in range(100, 100 + FINISHED):
        tables.append(dealt("cardtracks", [own, bot(2)], seed, whole_game("cardtracks", 2, seed)))
    keep_apart(server.data, tables, {ME: "Ann", OTHER: "Bob"})
    return cookie_of(server.data, ME)


def somebody(web: Any, server: Server, cookie: str, **screen: Any) -> Any:
    page = web(**screen)
    page.context.add_cookies([{"name": "clew", "value": cookie, "url": server.address}])
    return page


def test_running_games_come_first_with_whose_turn_it_is(web: Any, server: Server, cookie: str) -> None:
    page = somebody(web, server, cookie, viewport=PHONE)
    page.goto("/")
    rows = page.locator(".running li")
    rows.nth(1).wait_for()
    assert page.locator(".running h2").bounding_box()["y"] < 200, "without scrolling, on a phone"
    assert page.locator(".game").first.bounding_box()["y"] > page.locator(".running").bounding_box()["y"]
    assert "Your turn" in rows.nth(0).inner_text()
    assert "Bob to move" in rows.nth(1).inner_text()
    assert all(re.search(r"just now|ago", text) for text in rows.all_inner_texts())
    rows.nth(0).get_by_role("link").click()
    page.locator("[data-board]").wait_for()


def test_all_finished_games_are_there_page_by_page_with_result_and_date(web: Any, server: Server, cookie: str) -> None:
    page = somebody(web, server, cookie)
    page.goto("/")
    rows = page.locator(".finished li")
    rows.first.wait_for()
    assert rows.count() == 20
    page.locator(".finished").get_by_role("button", name="Show more").click()
    rows.nth(FINISHED - 1).wait_for()
    assert rows.count() == FINISHED
    assert not page.locator(".finished").get_by_role("button", name="Show more").count()
    for text in rows.all_inner_texts():
        assert re.search(r"(You|\w+) (won|share the win)", text)
        assert re.search(r"\d{1,2} \w+ 20\d\d", text)
    assert faults(page) == []
    rows.last.get_by_role("link", name="Replay it").click()
    page.locator("[data-board]").wait_for()
    assert page.get_by_label("Seen by").input_value() == "0"


def test_every_game_tells_its_goal_and_how_to_learn_it(web: Any) -> None:
    page = web(PHONE)
    page.goto("/")
    page.locator(".game").first.wait_for()
    for goal in page.locator(".game .goal").all_inner_texts():
        assert re.fullmatch(r"[A-Z][^.]{30,140}\.", goal), "one sentence"
    links = page.locator(".game .learn.first")
    links.nth(4).wait_for()  # nobody knows these games yet
    links.first.click()
    page.wait_for_url("**/learn/palaces")
    page.locator(".teacher").wait_for()


def test_the_theme_is_chosen_by_words_that_can_be_read(web: Any) -> None:
    page = web({"width": 320, "height": 568})
    page.goto("/")
    chooser = page.get_by_label("Light or dark")
    chooser.wait_for()
    room = chooser.evaluate("n => [n.clientWidth, n.scrollWidth, getComputedStyle(n).fontSize]")
    needed = chooser.evaluate(
        """node => {
            const pen = document.createElement('canvas').getContext('2d');
            pen.font = getComputedStyle(node).font;
            return Math.max(...[...node.options].map(one => pen.measureText(one.text).width)) + 40;
        }"""
    )
    assert room[0] >= needed
    chooser.select_option("dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_the_start_says_what_a_link_does(web: Any) -> None:
    page = web(PHONE)
    page.goto("/")
    page.get_by_role("button", name="Labyrinth", exact=True).click()
    button = page.get_by_role("dialog").get_by_role("button", name=re.compile("With a link"))
    assert "link to send to others" in button.inner_text()


def test_who_waits_can_add_bots_share_and_cancel(web: Any) -> None:
    page = web(PHONE)
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    begin(page, "labyrinth", "With a link", players=3)
    waiting = page.locator(".waiting")
    waiting.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared.url") == page.get_by_label("Link to this table").input_value()
    assert faults(page) == []
    waiting.get_by_role("button", name="Add a bot").first.click()
    page.locator(".waiting li", has_text="Cat").wait_for()
    waiting.get_by_role("button", name="Add a bot").click()
    page.locator("[data-board]").wait_for()
    begin(page, "labyrinth", "With a link", players=2)
    page.get_by_role("button", name="Cancel the table").click()
    page.locator(".game").first.wait_for()
    assert "waiting for players" not in page.locator("main").inner_text()


def test_an_invited_guest_is_told_what_this_is_and_asked_for_a_name(web: Any) -> None:
    host, guest = web(), web(PHONE)
    host.goto("/")
    host.get_by_label("Your name").fill("Hanna")
    host.get_by_label("Your name").press("Enter")
    begin(host, "palaces", "With a link")
    guest.goto(host.get_by_label("Link to this table").input_value())
    guest.get_by_role("heading", name="Hanna invites you to a game of The Lost Palaces").wait_for()
    said = guest.locator(".waiting").inner_text()
    assert "nothing to install" in said
    assert "four palaces" in said
    assert not guest.get_by_role("button", name="Copy the link").count()
    assert faults(guest) == []
    guest.get_by_label("Your name").fill("Gert")
    guest.get_by_role("button", name="Sit down here").click()
    for page in (host, guest):
        page.locator("[data-board]").wait_for()
    host.locator("header", has_text="Gert").first.wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_rules_open_with_the_goal_in_pictures_and_in_good_order(web: Any, game: str) -> None:
    page = web(PHONE)
    begin(page, game, options=ANT)
    page.locator("[data-board]").wait_for()
    page.locator("nav").get_by_role("button", name="Rules", exact=True).click()
    book = page.locator("aside[aria-label=Rules] .rules")
    book.locator("figure").first.wait_for()
    goal, picture, title = (book.locator(which).first.bounding_box()["y"] for which in (".goal", "figure", "h2"))
    assert goal < picture < title
    text = (ROOT / "src" / "clew" / "games" / game / "rules.md").read_text(encoding="utf-8")
    stated = re.findall(r"^- \*\*([A-Z]{3}-\d+)\*\*", text, re.M)
    assert [node.get_attribute("data-rule") for node in book.locator("[data-rule]").all()] == stated
    shown = book.locator(".markdown").evaluate(
        """node => {
            const copy = node.cloneNode(true);
            copy.querySelectorAll('pre, code').forEach(one => one.remove());
            return copy.textContent;
        }"""
    )
    assert not re.search(r"\*|`|\|", shown)
    wide = book.evaluate("n => [n.scrollWidth, n.clientWidth]")
    assert wide[0] <= wide[1] + 1


def test_a_lesson_calls_no_card_useless_that_is_only_not_wanted(web: Any) -> None:
    page = web(PHONE)
    page.goto("/learn/palaces")
    page.locator(".held").first.wait_for()
    # Knossos 2 is wanted; whatever could start a path is not dimmed, Ariadne and Minotaur cards are.
    dimmed = [one.inner_text() for one in page.locator(".held.wasted .unseen").all()]
    assert sorted(re.sub(r",.*", "", text, flags=re.S).strip() for text in dimmed) == [
        "Ariadne of Knossos",
        "Ariadne of Zakros",
        "Minotaur of Phaistos",
    ]
    other = page.locator(".held", has_text="Malia 4")
    other.click(position={"x": 12, "y": 20})
    page.locator(".path .target, .choice button").first.click()
    page.get_by_text("Not this time").wait_for()
    page.reload()
    page.locator(".held").first.wait_for()


def test_a_reload_goes_on_with_the_lesson(web: Any) -> None:
    page = web(PHONE)
    page.goto("/learn/labyrinth")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("Choose the mouse and lantern card").wait_for()
    page.reload()
    page.get_by_text("Choose the mouse and lantern card").wait_for()


def test_lessons_speak_of_nothing_that_the_screen_lacks() -> None:
    for file in (ROOT / "web" / "src" / "learn").glob("*.json"):
        said = " ".join(step["say"] for step in json.loads(file.read_text(encoding="utf-8"))["steps"])
        assert not re.search(r"little table|question mark|useless|wasted", said), file.stem
