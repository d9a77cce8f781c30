"""The table for a game that has no board: any game can be played on it, as its view and its legal moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import DESK, PHONE
from players import ANT, GAMES, OVER, begin, faults, listen, open_all
from test_pages import a_record


@pytest.mark.parametrize("game", ["palaces", "labyrinth", "aathenuo"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_game_is_played_on_the_plain_table(web: Any, game: str, scheme: str) -> None:
    page = web(PHONE if scheme == "dark" else DESK, color_scheme=scheme)
    begin(page, game, options=ANT)
    page.locator("[data-board]").wait_for()
    heard = listen(page)
    page.goto(f"{page.url.split('#')[0]}?board=plain")
    moves = page.get_by_role("region", name="What you can do")
    for number in range(4):
        moves.wait_for()
        assert not page.locator(".held").count(), "this is not the board of the game"
        turns, move = page.locator(".facts dd").first.inner_text(), heard["moves"][-1 if number % 2 else 0]
        page.get_by_label("Write a move").fill(move)
        if number % 2:  # by writing it, or by tapping the one that was found
            page.keyboard.press("Enter")
        else:
            moves.get_by_role("button", name=move, exact=True).first.click()
        page.wait_for_function("turns => document.querySelector('.facts dd').innerText !== turns", arg=turns)
        page.locator(f".story.mine, {OVER}").first.wait_for()
        if page.locator(OVER).count():  # a rack can be empty as soon as this
            return
    assert page.get_by_role("region", name="The table").get_by_role("heading", name="You", exact=True).count() == 1
    assert not page.get_by_role("alert").count()
    assert not "\n".join(faults(page))
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page itself never scrolls sideways"


def test_what_cannot_be_played_there_is_refused_with_a_reason(web: Any) -> None:
    page = web()
    begin(page, "palaces", options=ANT)
    page.locator("[data-board]").wait_for()
    page.goto(f"{page.url.split('#')[0]}?board=plain")
    page.get_by_label("Write a move").fill("K77")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("alert").wait_for()
    assert page.get_by_role("alert").inner_text()
    moves = page.get_by_role("region", name="What you can do")
    moves.get_by_text("No move fits 'K77'.").wait_for()
    assert not moves.locator(".list button").count()
    moves.get_by_role("button", name="Clear").click()
    moves.locator(".list button").first.wait_for()
    assert page.get_by_label("Write a move").input_value() == ""


def written(hidden: Any, heading: str) -> dict[str, list[str]]:
    """What a part of the hidden things says, line by line: the name of the line, and what stands there."""
    part = hidden.locator("section", has=hidden.page.get_by_role("heading", name=heading, exact=True))
    return dict(
        part.locator(":scope > .record > dl").evaluate(
            """list => [...list.querySelectorAll(':scope > div > dt')].map((one) => {
                const items = one.nextElementSibling.querySelectorAll(':scope > .items > .item');
                return [one.textContent, [...items].map((item) => item.innerText)];
            })"""
        )
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_with_everything_open_nothing_is_hidden_on_the_plain_table(
    web: Any, tmp_path: Path, game: str, scheme: str
) -> None:
    page = web({"width": 360, "height": 740} if scheme == "dark" else DESK, color_scheme=scheme)
    hidden, table = open_all(page, tmp_path, a_record(game), 7, "/replay?board=plain")
    deal = {line: text.split() for line, text in table.deal_lines().items()}
    assert written(hidden, "As it was dealt") == deal
    other = next(seat for seat in range(2) if seat not in table.to_move)
    named = ("Blue", "Red")[other]
    view = table.view(other)["table"]
    said = written(hidden, named)
    secret = {key: [str(one) for one in view[key]] for key in ("hand", "rack") if all_plain(view.get(key))}
    assert secret.items() <= said.items()
    assert secret or game in ("cardtracks", "labyrinth"), "where hands are plain words they are compared"
    assert not page.get_by_role("region", name="What you can do").count()
    assert not "\n".join(faults(page))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.get_by_label("Seen by").select_option("1")
    hidden.wait_for(state="detached")


def all_plain(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(one, str) for one in values)
