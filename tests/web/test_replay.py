"""A replay as people use it: the curve and its slider, keys, the list of moves, and playing on from any of them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import DESK, PHONE, until
from players import ANT, GAMES, OVER, begin, faults, listen, open_record, play

import clew

SIZES = [(320, 568), (375, 553), (390, 844), (640, 400), (844, 390), (768, 1024), (1280, 800), (2560, 1440)]

LOW = [(320, 568), (375, 553), (640, 400)]  # screens on which slider and buttons share one line


def a_game(name: str, seed: int = 11, level: int = 2) -> Any:
    """A game that two bots have played to its end."""
    table, bot = clew.new(name, seed=seed), clew.bot(name, level=level, seed=seed)
    while table.to_move:
        table.play(bot.choose(table.view(table.to_move[0])), table.to_move[0])
    return table


@pytest.fixture(scope="module")
def cardtracks() -> Any:
    return a_game("cardtracks")


def shown(page: Any) -> int:
    """The number of the move that the page shows."""
    return int(page.locator(".bar .count").inner_text().split(" / ")[0])


def ask_the_bot(page: Any) -> None:
    page.get_by_role("button", name="Ask the bot").click()
    page.locator(".timeline .now", has_text="%").wait_for()
    page.get_by_role("button", name=re.compile("thinking")).wait_for(state="detached", timeout=120_000)


def chances(page: Any) -> list[int]:
    """What the curve says of the move that is shown, in percent."""
    return [int(number) for number in re.findall(r"(\d+)%", page.locator(".timeline .now").inner_text())]


def test_the_curve_ends_with_the_result_and_does_not_zigzag(web: Any, tmp_path: Path) -> None:
    table = a_game("palaces")
    page = web()
    open_record(page, tmp_path, table.record())
    page.locator("[data-board]").wait_for()
    ask_the_bot(page)
    page.get_by_role("button", name="To the end").click()
    assert chances(page) == [100 if place == 1 else 0 for place in table.outcome.places]
    points = page.locator(".timeline polyline.own").get_attribute("points")
    heights = [float(point.split(",")[1]) for point in points.split()]
    assert len(heights) == len(table.moves) + 1
    turns = sum((b - a) * (c - b) < 0 and min(abs(b - a), abs(c - b)) > 8 for a, b, c in triples(heights))
    assert turns < len(heights) / 8, "most moves change the chances by little, or go on the way they went"
    assert faults(page) == []


def triples(numbers: list[float]) -> Any:
    return zip(numbers, numbers[1:], numbers[2:])


def test_the_curve_can_be_judged_from_another_seat(web: Any, tmp_path: Path, cardtracks: Any) -> None:
    page = web()
    open_record(page, tmp_path, cardtracks.record())
    page.locator("[data-board]").wait_for()
    ask_the_bot(page)
    before = page.locator(".timeline polyline").first.get_attribute("points")
    page.locator(".timeline select").select_option("1")
    page.get_by_role("button", name=re.compile("thinking")).wait_for(state="detached", timeout=120_000)
    assert page.locator(".timeline polyline").first.get_attribute("points") != before
    page.get_by_role("button", name="To the end").click()
    assert sorted(chances(page)) == [0, 100]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_slider_lies_under_the_curve_to_the_pixel(
    web: Any, tmp_path: Path, cardtracks: Any, size: tuple[int, int]
) -> None:
    page = web({"width": size[0], "height": size[1]})
    open_record(page, tmp_path, cardtracks.record())
    page.locator("[data-board]").wait_for()
    ask_the_bot(page)
    total = len(cardtracks.moves)
    slider, plot = page.get_by_label("Which move is shown"), page.locator(".plot")
    plot.evaluate("node => node.scrollIntoView({ block: 'center' })")
    if slider.bounding_box()["width"] < plot.bounding_box()["width"]:
        assert size in LOW, "where there is room the slider has a line of its own"
        return
    for number in (0, 1, total // 2, total):
        slider.fill(str(number))
        thumb = slider.evaluate(
            """node => {
                const box = node.getBoundingClientRect();
                const wide = parseFloat(getComputedStyle(node).getPropertyValue('--thumb'));
                return box.left + wide / 2 + (box.width - wide) * node.value / node.max;
            }"""
        )
        line = page.locator(".timeline .here").evaluate(
            "node => { const box = node.getBoundingClientRect(); return (box.left + box.right) / 2; }"
        )
        assert abs(thumb - line) < 1
    box, around = plot.bounding_box(), slider.bounding_box()
    assert abs((around["width"] - box["width"]) - 24) < 1
    assert abs((box["x"] - around["x"]) - 12) < 1
    # A tap on the curve and one on the slider at the same place show the same move.
    for number in (total // 4, total * 3 // 5):
        share = (number + 0.2) / total  # half-way between two moves either may be shown
        found = []
        for part, y in ((plot, 0.98), (slider, 0.5)):
            page.get_by_role("button", name="To the start").click()
            where = part.bounding_box()
            page.mouse.click(box["x"] + share * box["width"], where["y"] + y * where["height"])
            found.append(shown(page))
        assert found[0] == found[1] or found[0] in marked(page)


def marked(page: Any) -> list[int]:
    """The turning points."""
    return [int(text) for text in page.locator(".turns .figures").all_inner_texts()]


def test_turning_points_are_marked_told_and_can_be_clicked(web: Any, tmp_path: Path) -> None:
    table = a_game("palaces")
    page = web(PHONE)
    open_record(page, tmp_path, table.record())
    page.locator("[data-board]").wait_for()
    ask_the_bot(page)
    points = page.locator(".turns button")
    assert 1 <= points.count() <= 5
    assert page.locator(".plot .turn").count() == points.count()
    for i in range(points.count()):
        said = points.nth(i).inner_text()
        number, before, after = map(int, re.findall(r"^\d+|\d+(?=%)", said))
        assert abs(after - before) >= 9
        assert ("rises" if after > before else "falls") in said
        points.nth(i).click()
        assert shown(page) == number
        assert chances(page)[0] == after
    # On the curve a tap near a mark means the mark.
    box = page.locator(".plot .turn").first.bounding_box()
    page.get_by_role("button", name="To the start").click()
    page.locator(".plot").scroll_into_view_if_needed()
    box = page.locator(".plot .turn").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2 + 5, box["y"] + box["height"] / 2)
    assert shown(page) == marked(page)[0]


def test_keys_and_the_list_of_moves_lead_through_the_game(web: Any, tmp_path: Path, cardtracks: Any) -> None:
    page = web()
    open_record(page, tmp_path, cardtracks.record())
    page.locator("[data-board]").wait_for()
    total = len(cardtracks.moves)
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", total), ("Home", 0)):
        page.keyboard.press(key)
        until(lambda number=number: shown(page) == number)
    rows = page.locator(".moves button")
    assert rows.count() == total + 1
    rows.nth(7).click()
    assert shown(page) == 7
    assert rows.nth(7).get_attribute("aria-current") == "step"
    assert rows.nth(7).inner_text().strip() in page.locator(".said").inner_text()
    page.keyboard.press("End")  # the list follows, and the page stays
    until(lambda: rows.nth(total).is_visible())
    box, around = rows.nth(total).bounding_box(), page.locator(".more").bounding_box()
    assert around["y"] <= box["y"] <= around["y"] + around["height"]


def test_it_plays_by_itself_until_the_end(web: Any, tmp_path: Path, cardtracks: Any) -> None:
    page = web()
    open_record(page, tmp_path, cardtracks.record())
    page.locator("[data-board]").wait_for()
    page.get_by_label("Which move is shown").fill(str(len(cardtracks.moves) - 2))
    page.get_by_role("button", name="Play by itself").click()
    until(lambda: shown(page) == len(cardtracks.moves), 10)
    page.get_by_role("button", name="Play by itself").wait_for()
    page.keyboard.press("Home")
    page.locator("h1").click()
    page.keyboard.press(" ")
    until(lambda: shown(page) >= 1, 10)
    page.keyboard.press("ArrowLeft")  # whoever takes over takes over
    page.get_by_role("button", name="Play by itself").wait_for()


def test_a_reload_shows_the_same_move_of_the_same_record(web: Any, tmp_path: Path, cardtracks: Any) -> None:
    page = web()
    open_record(page, tmp_path, cardtracks.record())
    page.locator("[data-board]").wait_for()
    page.get_by_label("Seen by").select_option("1")
    page.get_by_label("Which move is shown").fill("9")
    page.reload()
    page.locator("[data-board]").wait_for()
    assert shown(page) == 9
    assert page.get_by_label("Seen by").input_value() == "1"


def test_a_game_of_ones_own_opens_as_one_saw_it_and_is_played_on(web: Any) -> None:
    page = web()
    heard = listen(page)
    begin(page, "cardtracks", options=ANT)
    play(page, "cardtracks", heard, seed=3)
    page.locator(OVER).get_by_role("button", name="Replay it").click()
    page.locator("[data-board]").wait_for()
    assert page.get_by_label("Seen by").input_value() == "0"
    page.get_by_role("button", name="To the end").click()
    page.get_by_text("Here the game is over").wait_for()
    assert not page.get_by_role("button", name="Play on from here").count()
    page.get_by_label("Which move is shown").fill("8")
    told = page.locator(".moves button").all_inner_texts()[1:9]
    story = [line for line in told if line.startswith("Ant")]  # what one did oneself is told to "you" at a table
    page.get_by_label("Strength of the bots").select_option("1")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/t/*")
    page.locator("[data-board]").wait_for()
    page.locator("nav").get_by_role("button", name="Log", exact=True).click()
    log = page.locator("aside[aria-label=Log]").inner_text()
    assert story
    assert all(line.split(".")[0].strip() in log for line in story)
    page.locator("nav").get_by_role("button", name="Table", exact=True).click()
    page.get_by_text("Played on from move 8 of another game").wait_for()
    page.locator("aside").get_by_role("button", name="Close").click()
    play(page, "cardtracks", heard, seed=4)
    page.locator(OVER).wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_the_board_of_a_replay_has_a_room_of_its_own(web: Any, tmp_path: Path, game: str) -> None:
    """As much as at a table on the same screen, or so much as a board can be laid out in."""
    page = web()
    table = clew.new(game, seed=4)
    for _ in range(6):
        table.play(table.legal_moves()[0])
    open_record(page, tmp_path, table.record())
    page.locator("[data-board]").wait_for()
    page.get_by_label("Seen by").select_option("all")
    page.get_by_role("region", name="What was hidden").wait_for()
    ask_the_bot(page)
    for width, height in [*SIZES, (390, 664), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        room, panel = page.locator("main > .board").bounding_box(), page.locator("main > .panel").bounding_box()
        assert room["width"] >= 320
        assert room["height"] >= (430 if width < height else 300)
        assert room["y"] + room["height"] <= height + 1, "the board is in view as a whole"
        beside, below = panel["x"] >= room["x"] + room["width"] - 1, panel["y"] >= room["y"] + room["height"] - 1
        assert beside or below, "nothing of the replay lies on the board"
        assert panel["x"] + panel["width"] <= width + 1
        for name in ("One move back", "Play by itself", "One move on"):
            button = page.get_by_role("button", name=name).bounding_box()
            assert 0 <= button["y"] <= height - button["height"], "the steps are in view, whatever is scrolled"
        parts = page.locator("main > .panel > :not(.bar)")  # which sticks, and the rest scrolls under it
        boxes = [parts.nth(i).bounding_box() for i in range(parts.count())]
        assert all(b["y"] >= a["y"] + a["height"] - 1 for a, b in itertools.pairwise(boxes))


def test_a_game_given_up_says_so_at_its_end(web: Any) -> None:
    page = web(DESK)
    begin(page, "labyrinth", options=ANT)
    page.locator("[data-board]").wait_for()
    page.locator("nav").get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    page.locator(OVER).get_by_role("button", name="Replay it").click()
    page.locator("[data-board]").wait_for()
    page.get_by_role("button", name="To the end").click()
    assert "You gave up." in page.locator(".said").inner_text()
    ask_the_bot(page)
    assert chances(page) == [0, 100]
