"""The page below a prefix, as a proxy shows it: it finds its files, the server and its own addresses there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import PAGE, Server


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Server]:
    """A server below /games/clew, to which the prefix is passed on."""
    assert PAGE.is_file(), "the page is not built: run `make web`"
    made = Server(tmp_path, CLEW_ROOT_PATH="/games/clew")
    made.start()
    yield made
    made.stop()


def test_a_game_is_played_below_a_prefix(below: Server, browser: Any) -> None:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(30_000)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    root = f"{below.address}/games/clew"
    page.goto(f"{root}/")
    page.locator('a[href^="/games/clew/learn/"]').first.click()
    page.wait_for_url(f"{root}/learn/*")
    page.go_back()
    page.wait_for_url(f"{root}/")
    wish = {"game": "palaces", "seats": [{"who": "me"}, {"who": "bot", "level": 1}]}
    table = page.request.post(f"{root}/api/tables", data=wish, headers={"X-Clew": "1"}).json()
    page.goto(f"{root}/t/{table['id']}")
    page.locator("[data-board]").wait_for()
    page.get_by_role("link", name="Back to the games").first.click()
    page.wait_for_url(f"{root}/")
    page.locator('a[href^="/games/clew/t/"]').first.wait_for()
    context.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((f"{root}/", "blob:", "data:"))] == []
    assert any(url.endswith("/play") for url in asked)
