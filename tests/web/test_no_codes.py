"""Whole games in the browser, through mouse, finger and keyboard, read by somebody who knows no codes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from codes import codes
from conftest import DESK, PHONE
from players import ANT, GAMES, OVER, begin, faults, listen, play, wait_turn

READER = """
window.read = new Set();
const labels = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder'];
const sentences = 'p, small, em, button, label, h1, h2, h3, figcaption';
const look = (node) => {
  if (node.nodeType === Node.TEXT_NODE) {
    const place = node.parentElement;
    if (!place || ['SCRIPT', 'STYLE'].includes(place.tagName)) return;
    read.add(node.data.trim());
    const whole = place.closest(sentences);
    if (whole && whole.textContent.length < 600) read.add(whole.textContent.replace(/\\s+/g, ' ').trim());
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  for (const label of labels) if (node.hasAttribute(label)) read.add(node.getAttribute(label));
  node.childNodes.forEach(look);
};
new MutationObserver((changes) => {
  for (const change of changes) {
    if (change.type === 'childList') change.addedNodes.forEach(look);
    else look(change.target);
  }
}).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: labels });
"""
SHORT = {"ariadne": {"How many rounds are played": "1"}, "aathenuo": {"How many tiles a player begins with": "6"}}


def found(page: Any, game: str) -> list[str]:
    """What was on the page, or said to a screen reader, with a code in it."""
    texts = page.evaluate("[...read]")
    assert len(texts) > 20
    return [text for text in texts if codes(game).search(text)]


@pytest.mark.parametrize("game", GAMES)
def test_no_code_in_any_text_or_label_of_a_whole_game(web: Any, game: str) -> None:
    page = web()
    page.add_init_script(READER)
    heard = listen(page)
    begin(page, game, options=ANT | SHORT.get(game, {}))
    play(page, game, heard, seed=3, moves=2)
    hint, log = (page.get_by_role("button", name=name, exact=True) for name in ("Hint", "Log"))
    if not page.locator(OVER).count():
        page.locator("nav button:not(:disabled)", has_text="Hint").wait_for()
        hint.click()
        said = page.locator(".note, [data-hint]", has_text=re.compile("would"))
        said.wait_for(timeout=120_000)
    log.click()
    play(page, game, heard, seed=4, moves=3)
    if wait_turn(page, ".held:not(:disabled), .aim, .choices button"):
        page.locator("aside[aria-label=Log]").get_by_role("button", name="Close").click()
    play(page, game, heard, seed=5)
    see_the_end(page)
    log.click()
    page.wait_for_timeout(300)
    assert found(page, game) == []
    page.get_by_role("button", name="Result", exact=True).click()
    page.get_by_role("button", name="Replay it").click()
    on = page.get_by_role("button", name="One move on")
    on.wait_for()
    for _ in range(25):
        on.click()
    page.wait_for_timeout(300)
    assert found(page, game) == []


def see_the_end(page: Any) -> None:
    """The result is there, without a fault by day and by night, and the record can be taken home."""
    result = page.locator(OVER)
    result.wait_for()
    assert result.get_by_role("table").count() == 1
    for viewport, scheme in ((PHONE, "dark"), (DESK, "light")):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(200)
        assert not "\n".join(faults(page)), f"the end screen, {scheme}"
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    assert download.value.suggested_filename.endswith(".clew")


def test_a_planted_code_is_found(web: Any) -> None:
    page = web()
    page.add_init_script(READER)
    begin(page, "palaces", options=ANT)
    page.locator("[data-board]").wait_for()
    assert found(page, "palaces") == []
    page.evaluate(
        "document.querySelector('main').append(Object.assign(document.createElement('p'), {textContent: 'Play K7:a'}))"
    )
    page.evaluate("document.querySelector('main').setAttribute('aria-label', 'Discard MX')")
    page.wait_for_timeout(100)
    assert sorted(found(page, "palaces")) == ["Discard MX", "Play K7:a"]
