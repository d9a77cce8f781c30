"""What differs in colour differs in shape, sign or place as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from players import GAMES, open_record
from test_pages import a_record

DRAWN = """() => [...document.querySelectorAll('[data-board] svg')].map((svg) => {
  const measures = ['d', 'points', 'x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'transform'];
  const shapes = [...svg.querySelectorAll('path, rect, circle, ellipse, polygon, line, text')];
  const outline = (one) => [one.tagName, ...measures.map((name) => one.getAttribute(name)),
    one.tagName === 'text' ? one.textContent : ''].join(' ');
  const colour = (one) => getComputedStyle(one).fill + getComputedStyle(one).stroke;
  const where = svg.parentElement?.closest('[class]')?.getAttribute('class');
  return [shapes.map(outline).join('|'), shapes.map(colour).join('|'), where ?? ''];
})"""
PLANT = """() => {
  const svg = document.querySelector('[data-board] svg');
  const twin = svg.cloneNode(true);
  for (const shape of twin.querySelectorAll('*')) shape.style.fill = 'rgb(1, 2, 3)';
  svg.after(twin);
}"""


def opened(web: Any, folder: Path, game: str) -> Any:
    """The page on which a record is replayed with everything open."""
    page = web()
    open_record(page, folder, a_record(game))
    page.locator("[data-board]").wait_for()
    page.get_by_label("Seen by").select_option("all")
    return page


def by_colour_alone(seen: dict[str, dict[str, str]]) -> list[list[str]]:
    """Where the same outlines are drawn in different colours."""
    return [sorted(set(places.values())) for places in seen.values() if len(places) > 1]


def note(page: Any, seen: dict[str, dict[str, str]]) -> None:
    for outline, colours, where in page.evaluate(DRAWN):
        seen.setdefault(outline, {})[colours] = where


@pytest.mark.rule("COM-07")
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_told_apart_by_colour_alone(web: Any, tmp_path: Path, game: str) -> None:
    page = opened(web, tmp_path, game)
    seen: dict[str, dict[str, str]] = {}
    for _ in range(24):
        note(page, seen)
        page.get_by_role("button", name="One move on").click()
    assert len(seen) > 12
    assert by_colour_alone(seen) == []


def test_a_piece_of_another_colour_would_be_noticed(web: Any, tmp_path: Path) -> None:
    page = opened(web, tmp_path, "palaces")
    seen: dict[str, dict[str, str]] = {}
    page.evaluate(PLANT)
    note(page, seen)
    assert len(by_colour_alone(seen)) == 1
