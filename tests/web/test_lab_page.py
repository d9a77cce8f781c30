"""The lab in the browser: somebody plays games there, sees figures with their margins, and opens a game behind one."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import DESK, PHONE
from players import faults


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_figures_settle_and_a_mark_opens_a_game(web: Any, size: dict[str, int]) -> None:
    page = web(size)
    page.goto("/")
    page.get_by_role("link", name="Lab", exact=True).click()
    page.get_by_role("combobox", name="Game", exact=True).select_option("cardtracks")
    page.get_by_role("combobox", name="Games", exact=True).select_option("100")
    page.get_by_label("Level 1").uncheck()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("All 100 games are played").wait_for(timeout=60_000)
    assert "wins" in page.locator(".said li").first.inner_text()
    assert "%" in page.locator("[data-measure=seats] .row").first.inner_text()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-measure=seats] button.mark").first.click()
    page.locator("[data-board]").wait_for(timeout=60_000)
    assert page.url.endswith("/replay")
    page.go_back()
    page.get_by_text("All 100 games are played").wait_for()
    assert faults(page) == []
