"""Tables by rules that the server does not have any more, as people find them after an upgrade."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Server
from players import ANT, begin, faults


@pytest.fixture
def page(tmp_path: Path, browser: Any) -> Iterator[Any]:
    """A page at a server of its own, which is stopped and started again as an upgrade does."""
    made = Server(tmp_path)
    made.start()
    context = browser.new_context(base_url=made.address, reduced_motion="reduce")
    found = context.new_page()
    found.server = made
    yield found
    context.close()
    made.stop()


def upgrade(server: Server, rules: int) -> None:
    """Start the server again; its tables are by other rules than it has."""
    server.stop()
    with contextlib.closing(sqlite3.connect(server.data / "clew.db")) as database, database:
        database.execute("UPDATE tables SET rules = ?", (rules,))
    server.start()


def give_up(page: Any) -> None:
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_text("Resign this game?").wait_for()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.locator("aside[aria-label=Result]").wait_for()


def downloaded(page: Any) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    return Path(download.value.path()).read_text()


def test_a_game_whose_rules_are_gone_says_so_and_gives_its_record(page: Any) -> None:
    begin(page, "palaces", options=ANT)
    page.locator("[data-board]").wait_for()
    upgrade(page.server, rules=0)
    page.reload()
    alert = page.get_by_role("alert")
    alert.wait_for()
    said = "This game was played by rules 0 of The Lost Palaces, and this server has rules 1"
    assert alert.all_inner_texts() == [f"{said}: the game was closed, and its record is kept."]
    assert faults(page) == []
    assert "\nrules: 0\n" in downloaded(page)
    page.get_by_role("link", name="Back to the games").last.click()
    page.get_by_role("link", name=re.compile("^The Lost Palaces")).wait_for()
    assert not page.get_by_role("alert").count()


def test_a_finished_game_by_other_rules_still_shows_its_result(page: Any) -> None:
    begin(page, "palaces", options=ANT)
    page.locator("[data-board]").wait_for()
    give_up(page)
    upgrade(page.server, rules=99)
    page.reload()
    page.get_by_text("its result and its record are kept").wait_for()
    assert page.get_by_role("heading", name="Ant wins").is_visible()
    assert "# ended: resigned; places 2 1" in downloaded(page)


def test_a_game_by_rules_still_to_come_says_so(page: Any) -> None:
    begin(page, "palaces", options=ANT)
    page.locator("[data-board]").wait_for()
    upgrade(page.server, rules=99)
    page.reload()
    page.get_by_text("This table is for rules 99 of The Lost Palaces").wait_for()
    assert not page.get_by_role("button", name="Download the record").count()
    assert page.get_by_role("link", name="Back to the games").count()
