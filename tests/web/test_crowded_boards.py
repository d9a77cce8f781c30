"""Crowded boards on small screens: positions in which a page had a fault, and what becomes small for a hint.

`positions.json` keeps the moves that lead to each, and what a hint advises there: what is on a screen must not hang on
what bots would choose today.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, until
from dealt_tables import bot, cookie_of, dealt, keep_apart
from screens import ME, NAMES, SIZES, ask_for_a_hint, choose_a_piece, look, resize

from clew.server.seats import Sitter

POSITIONS = json.loads(Path(__file__).with_name("positions.json").read_text(encoding="utf-8"))
FAR_APART = "aathenuo: tiles go far apart"
REFUSED = "palaces: a refusal above a find"
LARGE = 24  # pixels of a cell that can be tapped


@cache
def table_of(server: Server, name: str) -> str:
    """The table where it is played; nobody moves there."""
    kept = POSITIONS[name]
    moves = [(int(seat), move) for seat, move in (line.split(" ", 1) for line in kept["moves"])]
    sitters = [Sitter("person", NAMES[ME], ME), *(bot(2) for _ in range(kept["players"] - 1))]
    table = dealt(kept["game"], sitters, kept["seed"], moves)
    keep_apart(server.data, [table], NAMES)
    return table.row.id


def open_position(web: Any, server: Server, name: str) -> Any:
    """A page at the table, where the first seat is to move and a hint advises what is kept."""
    table, hint = table_of(server, name), POSITIONS[name]["hint"]
    page = web()
    page.context.add_cookies([{"name": "clew", "value": cookie_of(server.data, ME), "url": server.address}])

    def advise(text: str) -> str:
        said = json.loads(text)
        if said["type"] == "hinted":
            said["moves"] = [{**said["moves"][0], "move": hint, "said": "this", "told": "do this"}]
        return json.dumps(said)

    def relay(socket: Any) -> None:
        socket.connect_to_server().on_message(lambda text: socket.send(advise(text)))

    page.route_web_socket(re.compile("/api/"), relay)
    page.goto(f"/t/{table}")
    page.locator(".story.mine").wait_for()
    return page


@pytest.mark.parametrize("name", POSITIONS)
def test_no_fault_comes_back(web: Any, server: Server, name: str) -> None:
    page = open_position(web, server, name)
    if POSITIONS[name]["hint"]:
        ask_for_a_hint(page)
    else:
        choose_a_piece(page)
    if name == REFUSED:
        page.locator(".note.bad").hover()  # it stays while it is read
    found: dict[str, list[str]] = {}
    for size in SIZES:
        resize(page, size)
        for fault in look(page):
            found.setdefault(fault, []).append(size)
    assert not found, "\n".join(f"{fault} | {', '.join(sizes)}" for fault, sizes in found.items())


def test_a_refusal_stays_on_the_board_when_a_phone_is_turned(web: Any, server: Server) -> None:
    page = open_position(web, server, REFUSED)
    resize(page, "390x844")
    choose_a_piece(page)
    note = page.locator(".note.bad")
    note.hover()
    for size in ("844x390", "390x844", "320x568"):
        resize(page, size)
        page.wait_for_timeout(100)
        box, room = (page.locator(part).bounding_box() for part in (".note.bad", "main"))
        assert box["x"] >= room["x"]
        assert box["y"] >= room["y"]
        assert box["x"] + box["width"] <= room["x"] + room["width"]
        assert box["y"] + box["height"] <= room["y"] + room["height"]
    page.locator("nav").get_by_role("button", name="Hint", exact=True).click()
    note.wait_for(state="detached", timeout=1500)


def cell(page: Any) -> float:
    """How large a cell of the cloth is, in pixels."""
    found = re.search(r"--zoom: *([\d.]+)", page.locator(".cloth").get_attribute("style"))
    assert found
    return 56 * float(found[1])


def test_tiles_that_are_small_for_a_hint_come_closer_by_a_tap_and_when_the_hint_is_gone(
    web: Any, server: Server
) -> None:
    page = open_position(web, server, FAR_APART)
    resize(page, "320x568")
    until(lambda: cell(page) >= LARGE)
    ask_for_a_hint(page)
    until(lambda: cell(page) < LARGE)
    tile = page.locator(".cloth .tile").first.bounding_box()
    page.mouse.click(tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)
    until(lambda: cell(page) >= LARGE)
    assert page.locator(".tile.picked").count() == 0, "it only came closer"
    page.locator(".hint").get_by_role("button", name="Close").click()
    ask_for_a_hint(page)
    until(lambda: cell(page) < LARGE)
    page.locator(".hint").get_by_role("button", name="Close").click()
    until(lambda: cell(page) >= LARGE)
    # What was laid as advised stays in view as a whole.
    ask_for_a_hint(page)
    until(lambda: cell(page) < LARGE)
    page.get_by_role("button", name="Lay it so").click()
    page.locator(".cloth .fresh").first.wait_for()
    assert cell(page) < LARGE
