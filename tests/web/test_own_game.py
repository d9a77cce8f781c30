"""A game of one's own in the browser: on the table for any game, while its author changes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import DESK, PHONE, ROOT, Server, until
from players import faults

from clew.bots.learnt import About, Learnt, shape_of
from clew.core.game import load
from clew.new_game import write

COURTIERS = ROOT / "examples" / "courtiers"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a new game and one for three, and with two workers: both know them."""
    folder = write("rising", tmp_path_factory.mktemp("games"))
    games = ("--game", str(folder), "--game", str(COURTIERS))
    made = Server(tmp_path_factory.mktemp("server"), *games, "--workers", "2")
    made.folder = folder  # type: ignore[attr-defined]
    made.start()
    yield made
    made.stop()


def begin(page: Any, title: str = "Rising", players: int | None = None) -> None:
    """Sit down against bots, from the first page."""
    page.goto("/")
    page.get_by_role("button", name=title, exact=True).click()
    dialog = page.get_by_role("dialog")
    if players:
        dialog.locator(".pick", has_text=str(players)).click()
    dialog.get_by_role("button", name=re.compile("^Play|^Deal|^Begin|^Start")).first.click()
    page.locator("[data-board]").wait_for()


def hand(page: Any) -> list[str]:
    return list(page.get_by_role("group", name="Your hand").get_by_role("button").all_inner_texts())


def wait_for_turn(page: Any) -> None:
    page.get_by_role("region", name="What you can do").wait_for()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_cards_are_tapped_and_moves_are_said_in_words(web: Any, size: dict[str, int], tmp_path: Path) -> None:
    page = web(size)
    page.goto("/")
    page.get_by_text("Five games from the sea of Ariadne, and two more,").wait_for()
    begin(page)
    wait_for_turn(page)
    moves = page.get_by_role("region", name="What you can do")
    card = hand(page)[0]
    page.get_by_role("group", name="Your hand").get_by_role("button").first.click()
    said = moves.get_by_role("button").all_inner_texts()
    assert said
    assert {text.split()[-1] for text in said} == {card}
    assert {text.split()[0] for text in said} <= {"play", "discard"}
    for button in page.locator("[data-board] button").all():
        box = button.bounding_box()
        assert box["width"] >= 44, button
        assert box["height"] >= 44, button
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size["width"]
    page.screenshot(path=tmp_path / "chosen.png")
    moves.get_by_role("button", name=re.compile("^discard")).click()
    page.locator(".story.mine").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not "\n".join(faults(page))


@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}, DESK], ids=["phone", "side", "desk"])
def test_something_of_all_three_players_is_seen_at_once(web: Any, size: dict[str, int], tmp_path: Path) -> None:
    page = web(size)
    begin(page, "Courtiers", players=3)
    wait_for_turn(page)
    page.screenshot(path=tmp_path / "three.png")
    table = page.get_by_role("region", name="The table").bounding_box()
    for panel in page.locator(".seat").all():
        box = panel.bounding_box()
        assert box["y"] + 60 <= table["y"] + table["height"], "its heading and a line"
        assert table["x"] <= box["x"] <= box["x"] + box["width"] <= table["x"] + table["width"]
    label = page.locator(".seat").nth(1).locator("dt", has_text="hand")
    name, cards = label.bounding_box(), label.locator("xpath=following-sibling::dd").bounding_box()
    assert abs(name["y"] + name["height"] / 2 - cards["y"] - cards["height"] / 2) < 8, "on one line"
    assert page.locator(".table").evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    if size is PHONE:
        moves = page.get_by_role("region", name="What you can do").bounding_box()
        assert moves["height"] < size["height"] / 4
    for button in page.locator("[data-board] button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44, button


def test_a_hand_is_shown_once_and_no_bookkeeping(web: Any) -> None:
    page = web(DESK)
    begin(page, "Courtiers", players=3)
    wait_for_turn(page)
    assert not {"turn", "ended"} & {*page.locator(".facts dt").all_inner_texts()}
    assert not page.get_by_role("heading", name="hand", exact=True).count()
    assert not page.locator(".seat").first.get_by_text("hand", exact=True).count()
    assert page.locator(".seat").nth(1).get_by_text("hand", exact=True).count(), "how many others hold"


def test_what_was_chosen_for_a_table_stands_in_its_menu(web: Any, tmp_path: Path) -> None:
    page = web(DESK)
    page.goto("/")
    page.get_by_role("button", name="Rising", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Options", exact=True).click()
    dialog.get_by_label(re.compile("how much a card may be lower")).fill("2")
    dialog.get_by_role("button", name=re.compile("^Play|^Deal|^Begin|^Start")).first.click()
    page.locator("[data-board]").wait_for()
    page.get_by_role("navigation").get_by_role("button", name="Table", exact=True).click()
    page.get_by_text("slack", exact=True).wait_for()
    assert page.locator("dl", has_text="slack").inner_text().split() == ["slack", "2"]
    page.screenshot(path=tmp_path / "menu.png")
    assert not "\n".join(faults(page))


def test_a_move_is_made_with_the_keyboard_alone(web: Any) -> None:
    page = web(DESK)
    begin(page)
    wait_for_turn(page)
    page.get_by_role("group", name="Your hand").get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    moves = page.get_by_role("region", name="What you can do")
    moves.get_by_text(re.compile("^With . you can:$")).wait_for()
    moves.get_by_role("button").last.focus()
    page.keyboard.press("Enter")
    page.locator(".story.mine").first.wait_for()


def test_a_change_of_the_rules_is_on_the_table_at_once(web: Any, server: Server) -> None:
    page = web(DESK)
    begin(page)
    wait_for_turn(page)
    page.get_by_role("region", name="What you can do").get_by_role("button", name=re.compile("^discard")).first.click()
    page.locator(".story.mine").first.wait_for()
    wait_for_turn(page)
    before = hand(page)
    rules: Path = server.folder / "rules.py"  # type: ignore[attr-defined]
    text = rules.read_text()
    try:
        rules.write_text(text.replace('"discard {card}"', '"throw {card} away"'))
        page.get_by_role("button", name=re.compile("^throw .* away$")).first.wait_for()
        assert hand(page) == before, "the same deal and the same moves"
        rules.write_text(text.replace("s.last = ", "s.lats = "))
        page.get_by_role("alert").filter(has_text="a state has no field 'lats'; did you mean 'last'?").wait_for()
        until(lambda: "rules.py:" in (server.data / "log").read_text())
        assert hand(page) == before
        assert page.get_by_role("button", name=re.compile("^throw .* away$")).count(), "the old rules stay"
    finally:
        rules.write_text(text)
    page.get_by_role("button", name=re.compile("^discard")).first.wait_for()
    page.get_by_role("button", name=re.compile("^discard")).first.click()
    page.locator(".story.mine").first.wait_for()


def test_the_menu_says_of_a_bot_that_it_learnt_the_game(web: Any, server: Server, tmp_path: Path) -> None:
    folder: Path = server.folder  # type: ignore[attr-defined]
    game = load(folder)
    shape = shape_of(game)
    about = About(game.name, game.version, shape.layout.fingerprint, shape.hidden, shape.second, [2, 2], {}, 1)
    page = web(DESK)

    def learnt() -> bool:
        return any(one["learnt"] for one in page.request.get("/api/games").json()["games"])

    def says(strength: str) -> None:
        begin(page)
        page.get_by_role("navigation").get_by_role("button", name="Table", exact=True).click()
        page.get_by_text(re.compile(strength)).wait_for()

    says("^bot of strength [1-6]$")
    Learnt(about, np.full(shape.size, 0.01, np.float32)).save(folder / "learnt.npz")
    try:
        until(learnt)
        page.wait_for_timeout(1000)  # both workers have looked
        says("^bot of strength [1-6] that learnt the game by playing$")
        page.screenshot(path=tmp_path / "learnt.png")
    finally:
        (folder / "learnt.npz").unlink()
