"""Fingers on a phone: a piece is dragged by one, a cloth is moved by one and zoomed by two."""

from __future__ import annotations

import re
from math import dist
from pathlib import Path
from typing import Any

import pytest
from conftest import until
from players import ANT, begin, faults, place_of, wait_turn
from test_pages import a_record

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
Point = tuple[float, float]


class Hand:
    """Fingers that touch the screen, move and let go, as the browser's own input has it."""

    def __init__(self, page: Any) -> None:
        self._tell = page.context.new_cdp_session(page)
        self._at: list[Point] = []

    def _do(self, what: str) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(self._at)]
        self._tell.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    def down(self, *points: Point) -> None:
        """One finger after the other touches the screen."""
        for point in points:
            self._at.append(point)
            self._do("touchStart")

    def to(self, *points: Point, steps: int = 8) -> None:
        """All fingers move at once, on straight lines."""
        begun = self._at
        for step in range(1, steps + 1):
            part = step / steps
            self._at = [(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in zip(begun, points)]
            self._do("touchMove")

    def up(self) -> None:
        """They let go, the last one first."""
        while self._at:
            self._at.pop()
            self._do("touchEnd")


def middle(thing: Any) -> Point:
    box = thing.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def cloth(page: Any) -> tuple[float, float, float]:
    """Where the cloth lies: its left, its top, its zoom."""
    style = page.locator(".cloth").get_attribute("style")
    x, y, zoom = (float(re.search(rf"--{key}: *(-?[\d.e-]+)", style)[1]) for key in ("x", "y", "zoom"))  # type: ignore[index]
    return x, y, zoom


def below(page: Any, point: Point) -> Point:
    """The place on the cloth, in cells, that is below a point of the screen."""
    x, y, zoom = cloth(page)
    box = page.locator(".cloth").bounding_box()
    return (point[0] - box["x"] - x) / (56 * zoom), (point[1] - box["y"] - y) / (56 * zoom)


def lies_at(page: Any) -> list[list[float]]:
    """The cells of the tiles on the cloth."""
    found = page.locator(".cloth button.tile").evaluate_all(
        "all => all.map((n) => [parseFloat(n.style.left) / 56, parseFloat(n.style.top) / 56])"
    )
    return [list(cell) for cell in found]


def sit_down(web: Any, **more: Any) -> Any:
    """An own turn of Aathenuo on a phone, with nothing on the cloth."""
    for _ in range(20):
        page = web(**PHONE, **more)
        begin(page, "aathenuo", options=ANT)
        assert wait_turn(page, ".rack .held:not(:disabled)")
        if not page.locator(".cloth button.tile").count():  # else the bot has begun
            return page
        page.context.close()
    raise AssertionError("the bot always begins")


@pytest.mark.parametrize("calm", [True, False])
def test_a_card_is_dragged_by_a_finger(web: Any, calm: bool) -> None:
    page = web(**PHONE, calm=calm)
    begin(page, "palaces", options=ANT)
    page.locator(".held:not(:disabled)").first.wait_for()
    page.wait_for_timeout(400)  # cards that fly in have arrived
    card, hand = page.locator(".held:not(.wasted)").first, Hand(page)
    name = card.locator(".unseen").inner_text()
    at = middle(card)
    hand.down((at[0] - 15, at[1]))
    hand.to((at[0], at[1] - 60))
    page.locator("[data-lifted]").wait_for()  # it left its place, and its targets are lit
    target = page.locator(".path .target, .choice button").first
    target.wait_for()
    hand.to(middle(target))
    until(lambda: target.get_attribute("data-over") is not None)
    assert faults(page) == []
    hand.up()
    page.locator("[data-lifted]").wait_for(state="detached")
    laid = page.locator(".pile.own", has_text=name)
    laid.wait_for()
    assert page.locator("[data-board] > .held").count() == 0, "what the finger carried is gone"
    assert page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]


def test_a_card_that_is_let_go_elsewhere_stays_in_the_hand(web: Any) -> None:
    page = web(**PHONE)
    begin(page, "palaces", options=ANT)
    page.locator(".held:not(:disabled)").first.wait_for()
    names, hand = page.locator(".hand .held .unseen").all_inner_texts(), Hand(page)
    at = middle(page.locator(".held").first)
    hand.down((at[0] - 15, at[1]))
    hand.to((at[0], at[1] - 60))
    page.locator("[data-lifted]").wait_for()
    hand.to((4, 60))
    hand.up()
    page.locator("[data-lifted]").wait_for(state="detached")
    page.locator(".held:not(:disabled)").first.wait_for()
    assert page.locator(".hand .held .unseen").all_inner_texts() == names


def test_one_finger_moves_the_cloth(web: Any) -> None:
    page = sit_down(web)
    hand, (x, y, zoom), at = Hand(page), cloth(page), middle(page.locator(".cloth"))
    hand.down(at)
    hand.to((at[0] + 70, at[1] - 40))
    hand.up()
    until(lambda: cloth(page) == pytest.approx((x + 70, y - 40, zoom), abs=0.01))
    assert not page.locator(".cloth button.tile").count()


def test_two_fingers_zoom_the_cloth_and_what_is_between_them_stays_there(web: Any) -> None:
    page = sit_down(web)
    hand, zoom = Hand(page), cloth(page)[2]
    page.locator(".rack .held").first.tap()
    page.locator(".rack .held.picked").wait_for()
    x, y = middle(page.locator(".cloth"))
    spot = below(page, (x, y))
    hand.down((x - 40, y), (x + 40, y))
    hand.to((x - 40, y - 40), (x + 80, y + 20))  # 80 pixels apart, then 134; the middle goes to the right and up
    until(lambda: cloth(page)[2] == pytest.approx(zoom * (120**2 + 60**2) ** 0.5 / 80, rel=0.001))
    assert below(page, (x + 20, y - 10)) == pytest.approx(spot, abs=0.01)
    hand.to((x - 20, y - 30), (x + 20, y + 30))
    until(lambda: cloth(page)[2] == pytest.approx(zoom * (40**2 + 60**2) ** 0.5 / 80, rel=0.001))
    assert below(page, (x, y)) == pytest.approx(spot, abs=0.01)
    hand.up()
    assert not page.locator(".cloth button.tile").count(), "two fingers are no tap"
    # One finger is a tap, before and after: the chosen tile goes there.
    goal = below(page, (x, y))
    page.touchscreen.tap(x, y)
    until(lambda: lies_at(page) == [[goal[0] // 1, goal[1] // 1]])
    assert page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tile_is_dragged_by_one_finger_and_let_be_by_two(web: Any, scheme: str) -> None:
    page = sit_down(web, color_scheme=scheme)
    hand, tile = Hand(page), page.locator(".cloth button.tile")
    rack = page.locator(".rack .held")
    held = rack.count()
    hand.down(middle(rack.first))
    hand.to(place_of(page, "0,0"))
    hand.up()
    until(lambda: lies_at(page) == [[0, 0]])
    assert rack.count() == held - 1
    hand.down(middle(tile))
    hand.to(place_of(page, "2,1"))
    hand.up()
    until(lambda: lies_at(page) == [[2, 1]])
    # A second finger means a zoom, whatever the first one holds.
    page.wait_for_timeout(300)  # until the tile has come to rest
    zoom, at = cloth(page)[2], middle(tile)
    other = (at[0] - 90, at[1])
    hand.down(at)
    hand.to((at[0] + 20, at[1]))
    page.locator("button.tile[data-lifted]").wait_for()
    hand.down(other)
    page.locator("button.tile[data-lifted]").wait_for(state="detached")
    hand.to((at[0] + 20, at[1]), (other[0] + 40, other[1]))
    until(lambda: cloth(page)[2] == pytest.approx(zoom * 70 / 110, rel=0.001))
    hand.up()
    page.wait_for_timeout(300)
    assert lies_at(page) == [[2, 1]]
    assert page.locator("[data-board] > .tile, [data-board] > .held").count() == 0
    assert faults(page) == []
    # And back to the rack.
    hand.down(middle(tile))
    hand.to(middle(page.locator(".rack")))
    hand.up()
    until(lambda: lies_at(page) == [] and rack.count() == held)


def test_a_finger_moves_the_cloth_by_a_tile_that_is_not_for_dragging(web: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.clew"
    file.write_text(a_record("aathenuo"), encoding="utf-8")
    page = web(**PHONE)
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.locator("[data-board]").wait_for()
    page.get_by_role("button", name="To the end").click()
    tiles = page.locator(".cloth button.tile")
    tiles.first.wait_for()
    page.wait_for_timeout(400)  # all has come into view
    centre = middle(page.locator(".cloth"))
    at = min((middle(tile) for tile in tiles.all()), key=lambda spot: dist(spot, centre))  # others may be out of sight
    hand, (x, y, zoom), lay = Hand(page), cloth(page), lies_at(page)
    hand.down(at)
    hand.to((at[0] + 30, at[1] + 50))
    hand.up()
    until(lambda: cloth(page) == pytest.approx((x + 30, y + 50, zoom), abs=0.01))
    assert lies_at(page) == lay
