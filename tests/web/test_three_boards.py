"""Ariadne's Thread, Aathenuo, Labyrinth: what just happened, what may not be done, hints, drafts, keys and sizes."""

from __future__ import annotations

import json
import re
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any

import pytest
from conftest import DESK, PHONE, Server, until
from dealt_tables import bot, cookie_of, dealt, keep_apart, known
from players import ANT, begin, click_cell, faults, lay, listen, play, wait_turn
from test_moments import Two, apart

import clew
from clew.server.client import Client
from clew.server.seats import Sitter

THREE = ["ariadne", "aathenuo", "labyrinth"]
CODES = re.compile(r"-?\d+,-?\d+|\bc\d\dr?\d?\b|\b[RYBGPO][1-8*]\b|\b[A2-9JQK][SHDC]\b|[@>!]\d")
READ = """() => {
  const board = document.querySelector('[data-board]');
  const labels = [...board.querySelectorAll('[aria-label], [title]')]
    .flatMap((one) => [one.getAttribute('aria-label'), one.title]);
  return [board.textContent, ...labels].join(' | ');
}"""
LAID = "all => all.map((one) => [one.style.left, one.style.top, one.innerText.split(',')[0]])"
SHOWN = """(one) => {
  for (; one; one = one.parentElement) if (one.getBoundingClientRect().width < 4) return false;
  return true;
}"""
FOCUSED = "document.querySelector('[data-board]').contains(document.activeElement)"


def middle(thing: Any) -> tuple[float, float]:
    box = thing.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, thing: Any, goal: tuple[float, float]) -> None:
    """Take something and let it go there; it is held there for a moment."""
    page.mouse.move(*middle(thing))
    page.mouse.down()
    page.mouse.move(*goal, steps=6)
    page.wait_for_timeout(50)


def any_move(seat: int, chair: Any) -> str:
    """A play if there is one, that takes nothing."""
    plays = [move for move in chair.moves if move not in ("draw", "pass") and "!" not in move]
    return str(min(plays or chair.moves, key=lambda move: (len(move), move)))


# What just happened


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", THREE)
def test_what_the_other_did_is_marked_until_one_moves(
    web: Any, server: Server, game: str, size: dict[str, int]
) -> None:
    two = Two(server, game)
    laid = 0

    def ben_laid(log: list[Any]) -> bool:
        return (
            len(log) > 2 and log[-1]["seat"] == 1 and log[-1]["told"][0]["kind"] in ("play", "swap", "joker", "place")
        )

    log = two.play(any_move, ben_laid)
    page = two.watch(web, 0, viewport=size, calm=False)
    told = log[-1]["told"][0]["data"]
    laid = len(told["laid"]) + len(told["moved"]) if game == "aathenuo" else 1
    marks = page.locator(".cloth [data-recent='1']")
    until(lambda: marks.count() >= laid)
    assert "just now, by Ben" in marks.first.inner_text()
    assert marks.first.locator("svg").count() == 1, "a shape besides the colour"
    shown = page.evaluate("n => getComputedStyle(n).animationDuration", marks.first.element_handle())
    assert 150 <= 1000 * float(shown.rstrip("s")) <= 250
    assert not page.locator(".cloth [data-recent='0']").count(), "one's own moves are not news"
    assert not "\n".join(faults(page))
    page.wait_for_timeout(600)
    page.reload()
    until(lambda: marks.count() >= laid)
    two.play(any_move, lambda log: log[-1]["seat"] == 0)
    until(lambda: not marks.count())


def test_a_tile_drawn_is_marked_at_the_player(web: Any, server: Server) -> None:
    def drawn(log: list[Any]) -> bool:
        return bool(log) and log[-1]["seat"] == 1 and log[-1]["told"][0]["kind"] == "draw"

    two = Two(server, "aathenuo")
    while not two.play(any_move, drawn):  # in this game nobody had to draw: another one
        two = Two(server, "aathenuo")
    page = two.watch(web, 0)
    assert "drew a tile just now" in page.locator("#seat-1 [data-recent]").inner_text()


async def six_people(server: Server, moves: int) -> tuple[str, str]:
    """Six at one labyrinth who take nothing; the table, and who sits on the first chair and is to move."""
    people = [Client(server.address, name=name) for name in ("Ann", "Ben", "Cleo", "Dion", "Eva", "Finn")]
    async with AsyncExitStack() as stack:
        for one in people:
            await stack.enter_async_context(one)
        seats = [{"who": "me"}, *({"who": "open"} for _ in people[1:])]
        made = await people[0].post("/api/tables", {"game": "labyrinth", "seats": seats, "options": {"first": "0"}})
        for one in people[1:]:
            await one.post(f"/api/tables/{made['id']}/join", {})
        chairs = [await stack.enter_async_context(one.chair(made["id"], i)) for i, one in enumerate(people)]
        for _ in range(moves):
            chair = chairs[chairs[0].view["to_move"][0]]
            await chair.turn()
            await chair.move(any_move(0, chair))
            newest = max(one.number for one in chairs)
            for one in chairs:
                await one.until(lambda one=one, newest=newest: one.number >= newest)
        return made["id"], people[0].cookie


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_each_of_five_others_has_a_mark_of_its_own(web: Any, server: Server, size: dict[str, int]) -> None:
    table, cookie = apart(six_people(server, 6))
    page = web(viewport=size)
    page.context.add_cookies([{"name": "clew", "value": cookie, "url": server.address}])
    page.goto(f"/t/{table}")
    marks = page.locator(".cloth [data-recent]")
    until(lambda: marks.count() == 5)
    assert sorted(mark.get_attribute("data-recent") for mark in marks.all()) == ["1", "2", "3", "4", "5"]
    shapes = marks.locator("svg path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    assert len(set(shapes)) == 5
    assert not "\n".join(faults(page))


def test_bots_are_seen_one_after_the_other(web: Any) -> None:
    page = web(calm=False)
    begin(page, "labyrinth", options=ANT, players=6)
    assert wait_turn(page, ".held:not(:disabled)")  # who moved before the page was there is shown at once
    page.evaluate(
        """() => {
          window.met = [];
          new MutationObserver((all) => {
            for (const { addedNodes } of all) for (const one of addedNodes)
              if (one.querySelectorAll) for (const mark of [one, ...one.querySelectorAll('[data-recent]')])
                if (mark.matches('[data-recent]')) met.push([mark.dataset.recent, performance.now()]);
          }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    play(page, "labyrinth", {}, moves=1)
    assert wait_turn(page, ".held:not(:disabled)")
    met = page.evaluate("met")
    first = {seat: at for seat, at in reversed(met)}
    assert len(first) >= 4, "a card that is taken at once may have none"
    times = sorted(first.values())
    assert min(b - a for a, b in pairwise(times)) > 200, "never two at once"


# What may not be done


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("game", "rule"), [("ariadne", "ARI-11"), ("labyrinth", "LAB-03")])
def test_a_drop_on_a_card_says_why_not(web: Any, server: Server, game: str, rule: str, size: dict[str, int]) -> None:
    two = Two(server, game)
    two.play(any_move, lambda log: len(log) >= 5 and log[-1]["seat"] == 1)
    page = two.watch(web, 0, viewport=size)
    page.locator(".held:not(:disabled)").first.wait_for()
    free = page.locator(".cell:not(.last):not(:has(button))")
    names = page.locator(".hand .held .unseen").all_inner_texts()
    taken = next(one for one in free.all() if "oker" not in one.inner_text())
    taken.scroll_into_view_if_needed()
    drag(page, page.locator(".held").first, middle(taken))
    assert page.locator(".free").count() > 1, "legal places light"
    assert not page.locator("[data-over]").count(), "a place that is taken does not"
    page.mouse.up()
    note = page.locator(".note.bad")
    note.get_by_role("button", name=f"Rule {rule}").wait_for()
    assert page.locator(".hand .held .unseen").all_inner_texts() == names
    note.get_by_role("button", name="Close").click()
    # A tap says the same.
    page.locator(".held.picked").wait_for()
    page.mouse.click(*middle(taken))
    note.get_by_role("button", name=f"Rule {rule}").wait_for()


def test_a_place_where_no_path_meets_says_so(web: Any) -> None:
    page = web()
    begin(page, "labyrinth", options=ANT)
    assert wait_turn(page, ".held:not(:disabled)")
    page.locator(".held").first.click()
    page.locator(".free").first.wait_for()
    cloth = page.locator(".cloth").bounding_box()
    page.mouse.click(cloth["x"] + 12, cloth["y"] + 12)  # far from all cards
    page.locator(".note.bad").get_by_role("button", name="Rule LAB-03").wait_for()


@pytest.mark.rule("AAT-10")
def test_a_tile_cannot_lie_on_another_nor_leave_the_table(web: Any, server: Server) -> None:
    two = Two(server, "aathenuo")
    two.play(any_move, lambda log: log and log[-1]["seat"] == 1 and any(e["told"][0]["kind"] == "play" for e in log))
    page = two.watch(web, 0)
    page.locator(".rack .held:not(:disabled)").first.wait_for()
    tile, held = page.locator(".cloth button.tile").first, page.locator(".rack .held").count()
    drag(page, page.locator(".rack .held").first, middle(tile))
    page.mouse.up()
    page.locator(".fault", has_text="AAT-").wait_for()
    assert page.locator(".rack .held").count() == held
    drag(page, tile, middle(page.locator(".rack")))
    page.mouse.up()
    page.locator(".fault", has_text="AAT-10").wait_for()
    assert not page.locator(".verdict .bad").count(), "said once, at the place"
    # The next thing one does ends it.
    page.locator(".rack .held").first.click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".fault", has_text="AAT-10").wait_for(state="detached")


def test_ending_a_turn_that_is_not_right_says_why(web: Any) -> None:
    page = web()
    begin(page, "aathenuo", options=ANT)
    assert wait_turn(page, ".rack .held:not(:disabled)")
    page.locator(".rack .held").first.click()
    for _ in range(8):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    tag = page.locator(".cloth .fault")
    tag.wait_for()
    box = page.locator(".cloth").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 200, box["y"] + 20, steps=4)  # the tile is out of view
    page.mouse.up()
    page.get_by_role("button", name="End turn").click()
    until(lambda: box["x"] < middle(page.locator(".cloth .tile.fresh"))[0] < box["x"] + box["width"])
    assert "AAT-" in tag.inner_text()
    page.wait_for_timeout(300)
    assert not page.locator(".note.bad").count(), "it is said once, at the tile"
    assert not page.locator(".verdict .bad:not(.unseen)").count()
    assert page.locator(".cloth .tile.fresh").count() == 1, "what was tried out stays"


def open_aathenuo(web: Any, server: Server, name: str, seed: int, prepare: Any = None) -> tuple[Any, Any]:
    """The page of whoever begins a game that is dealt by this seed, and the same game."""
    me = known(name, "me")
    opening = clew.new("aathenuo", players=2, seed=seed)
    sitters = [Sitter("person", "Ann", me) if seat in opening.to_move else bot(1) for seat in range(2)]
    table = dealt("aathenuo", sitters, seed=seed)
    keep_apart(server.data, [table])
    page = web()
    if prepare:
        prepare(page)
    page.context.add_cookies([{"name": "clew", "value": cookie_of(server.data, me), "url": server.address}])
    page.goto(f"/t/{table.row.id}")
    return page, opening


class Slow:
    """A server whose judgement of a draft can be held back."""

    def __init__(self, page: Any) -> None:
        self.holds = False
        self._held: list[tuple[Any, str]] = []
        page.route_web_socket(re.compile("/api/"), self._relay)

    def _relay(self, socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: self._pass(socket, text))

    def _pass(self, socket: Any, text: str) -> None:
        if self.holds and json.loads(text)["type"] == "judged":
            self._held.append((socket, text))
        else:
            socket.send(text)

    def let_go(self) -> None:
        self.holds = False
        for socket, text in self._held:
            socket.send(text)


def test_ending_a_turn_at_once_plays_what_lies_there(web: Any, server: Server) -> None:
    """The verdict on what lay there before says nothing: the last tile counts, though nobody has judged it yet."""
    slow: list[Slow] = []
    sent: list[dict[str, Any]] = []
    page, opening = open_aathenuo(web, server, "at once", 4, lambda page: slow.append(Slow(page)))
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    play = min((str(move) for move in opening.legal_moves() if "@" in str(move)), key=len)
    *first, last = play.split()
    for word in first:
        lay(page, word)
    page.locator(".verdict .bad").first.wait_for(state="attached")
    slow[0].holds = True
    lay(page, last)
    page.get_by_role("button", name="End turn").click()
    page.wait_for_timeout(300)
    slow[0].let_go()
    until(lambda: page.wait_for_timeout(20) or any(one["type"] == "move" for one in sent), 10)
    assert sorted(next(one for one in sent if one["type"] == "move")["move"].split()) == sorted(play.split())


def test_the_same_fault_in_two_places_is_said_once(web: Any, server: Server) -> None:
    """Two equal tiles that nothing touches have the same sentence, each at its place."""
    page, _ = open_aathenuo(web, server, "faults", 2)
    for key in ("ArrowDown", "ArrowRight"):
        page.locator(".rack").get_by_role("button", name="yellow 4", exact=True).first.click()
        for _ in range(3):
            page.keyboard.press(key)
        page.keyboard.press("Enter")
    until(lambda: page.locator(".cloth .fault").count() == 2)
    assert page.locator(".verdict .bad").all_inner_texts() == ["The yellow 4 is in no set: no tile touches it. AAT-07"]


# Hints


def hinted(page: Any, heard: dict[str, Any]) -> str:
    """Ask for a hint; the move that it shows."""
    page.get_by_role("button", name="Hint", exact=True).click()
    found: list[str] = []

    def came() -> bool:
        page.wait_for_timeout(20)
        found[:] = [one["moves"][0]["move"] for one in map(json.loads, heard["all"]) if one["type"] == "hinted"]
        return bool(found)

    until(came)
    return found[-1]


def test_a_hint_shows_itself_on_the_tableau(web: Any) -> None:
    page = web()
    heard = listen(page)
    begin(page, "ariadne", options=ANT)
    play(page, "ariadne", heard, seed=2, moves=3)
    assert wait_turn(page, ".held:not(:disabled)")
    move = hinted(page, heard)
    place = page.locator(".free.hinted")
    place.wait_for()
    assert page.locator(".held.picked").count() == 1
    assert place.locator(".ghost svg").count() == 1
    assert "as the hint says" in place.inner_text()
    assert page.locator(".cell.goes").count() == (1 if "swap" in move or "joker" in move else 0)
    place.click()
    until(lambda: page.locator(".held.picked").count() == 0)


def test_a_hint_tries_the_card_out_with_what_it_takes(web: Any, server: Server) -> None:
    two = Two(server, "labyrinth")
    two.play(any_move, lambda log: len(log) >= 13 and log[-1]["seat"] == 1)
    page = web()
    heard = listen(page)
    page.context.add_cookies([{"name": "clew", "value": two.cookies[0], "url": server.address}])
    page.goto(f"/t/{two.table}")
    page.locator(".held:not(:disabled)").first.wait_for()
    move = hinted(page, heard)
    page.locator(".draft.hinted").wait_for()
    assert page.locator(".cell.lifts").count() == move.count("!")
    page.locator(".does .first").click()
    page.locator(".draft").wait_for(state="detached")
    sent = page.locator(".news").inner_text()
    assert ("takes" in sent or "take" in sent) == ("!" in move)


def test_a_hint_lies_on_the_cloth_as_ghosts(web: Any) -> None:
    page = web()
    heard = listen(page)
    for _ in range(4):  # games: the bot may win one before there is a play
        heard["moves"] = []
        begin(page, "aathenuo", options=ANT)
        while wait_turn(page, ".rack .held:not(:disabled)") and not any("@" in move for move in heard["moves"]):
            page.get_by_role("button", name="Draw a tile").click()
            page.wait_for_timeout(100)
        move = hinted(page, heard)
        if "@" in move:
            break
    ghosts = page.locator(".cloth .ghost")
    until(lambda: ghosts.count() == len(move.split()))
    assert page.locator(".rack .held.hinted").count() == move.count("@")
    assert not page.locator(".tile.fresh").count(), "nothing is laid yet"
    laid = move.split()[0]
    page.get_by_role("button", name="Lay it so").click()
    until(lambda: not ghosts.count())
    assert page.locator(".tile.fresh").count() == move.count("@"), laid
    page.get_by_role("button", name="End turn").click()
    until(lambda: not page.locator(".tile.fresh").count())


# A draft


def test_a_draft_outlives_a_refresh_but_not_the_turn(web: Any) -> None:
    page = web()
    begin(page, "aathenuo", options=ANT)
    assert wait_turn(page, ".rack .held:not(:disabled)")
    held = page.locator(".rack .held").count()
    for steps in (7, 1):
        page.locator(".rack .held").first.click()
        for _ in range(steps):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    until(lambda: page.locator(".tile.fresh").count() == 2)
    places = page.locator(".tile.fresh").evaluate_all(LAID)
    page.reload()
    until(lambda: page.locator(".tile.fresh").count() == 2)
    assert page.locator(".tile.fresh").evaluate_all(LAID) == places
    assert page.locator(".rack .held").count() == held - 2
    page.locator(".verdict .bad").first.wait_for()
    # Taken back it is not kept, and neither is it in the next turn.
    page.get_by_role("button", name="Clear").click()
    until(lambda: page.locator(".rack .held").count() == held)
    page.reload()
    page.locator(".rack .held:not(:disabled)").first.wait_for()
    assert not page.locator(".tile.fresh").count()


# Keys and words


def test_focus_stays_on_the_board_after_a_move(web: Any) -> None:
    page = web()
    begin(page, "ariadne", options=ANT)
    assert wait_turn(page, ".held:not(:disabled)")
    page.locator(".held").first.focus()
    page.keyboard.press("Enter")
    page.locator(".free").first.focus()
    page.keyboard.press("Enter")
    until(lambda: page.locator(".cell").count() >= 3 and page.locator(".held:not(:disabled)").count() > 0)
    page.wait_for_timeout(100)
    assert page.evaluate(FOCUSED)
    page.keyboard.press("ArrowDown")
    assert page.evaluate(f"{FOCUSED} && document.activeElement.matches('button')"), "keys go on from there"


def test_focus_follows_a_card_that_is_tried_out(web: Any) -> None:
    page = web()
    begin(page, "labyrinth", options=ANT)
    assert wait_turn(page, ".held:not(:disabled)")
    page.locator(".held").first.click()
    page.locator(".free").first.focus()
    page.keyboard.press("Enter")
    until(lambda: page.evaluate("document.activeElement.matches('.draft')"))
    page.locator(".does .first").focus()
    page.keyboard.press("Enter")
    page.locator(".draft").wait_for(state="detached")
    assert wait_turn(page, ".held:not(:disabled)")
    page.wait_for_timeout(100)
    assert page.evaluate(FOCUSED)


@pytest.mark.parametrize("game", THREE)
def test_a_board_speaks_in_words(web: Any, game: str) -> None:
    page = web()
    heard = listen(page)
    begin(page, game, options=ANT)
    play(page, game, heard, seed=4, moves=3)
    if not wait_turn(page, ".held:not(:disabled)"):
        return
    page.locator(".held").first.click()
    if game == "aathenuo":  # the cursor says where it is, on an empty cell beside what
        for _ in range(20):
            page.keyboard.press("ArrowDown")
            if "row" not in page.locator("[data-cursor]").inner_text():
                break
    said = page.evaluate(READ)
    assert not CODES.findall(said), said
    assert "right of" in said or "below" in said or "left of" in said or "above" in said, "places have neighbours"


# Sizes


@pytest.mark.parametrize("game", THREE)
def test_a_board_has_room_on_the_smallest_screen(web: Any, game: str) -> None:
    page = web({"width": 320, "height": 360})
    begin(page, game, options=ANT, players={"ariadne": 2, "aathenuo": 4, "labyrinth": 6}[game])
    assert wait_turn(page, ".held:not(:disabled)")
    cloth = page.locator(".cloth").bounding_box()
    assert cloth["width"] >= 120
    assert cloth["height"] >= 120
    for held in page.locator(".held").all():
        box = held.bounding_box()
        assert min(box["width"], box["height"]) >= 43.5
    first = page.locator(".held").first.bounding_box()
    assert first["y"] + first["height"] <= 360 - 50, "the hand is in view"
    page.locator(".held").first.click()
    if game != "aathenuo":
        box = page.locator(".free").first.bounding_box()
        assert min(box["width"], box["height"]) >= 43.5
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("game", THREE)
def test_pieces_grow_with_the_screen(web: Any, game: str) -> None:
    page = web()
    begin(page, game, options=ANT)
    assert wait_turn(page, ".held:not(:disabled)")
    sizes = []
    for width, height in ((1280, 800), (1920, 1080), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        sizes.append(page.locator(".held").first.bounding_box()["width"])
    assert sizes[1] > 1.3 * sizes[0]
    assert sizes[2] > 1.3 * sizes[1]


def test_a_cell_is_as_large_as_a_finger_until_all_is_asked_for(web: Any, server: Server) -> None:
    two = Two(server, "aathenuo")
    two.play(
        any_move, lambda log: sum(entry["told"][0]["kind"] == "play" for entry in log) >= 6 and log[-1]["seat"] == 1
    )
    page = two.watch(web, 0, viewport={"width": 320, "height": 568})
    tile = page.locator(".cloth button.tile").first
    tile.wait_for()
    page.wait_for_timeout(300)
    assert tile.bounding_box()["width"] >= 43.5
    page.get_by_role("button", name="Show all").click()
    cloth = page.locator(".cloth").bounding_box()
    for one in page.locator(".cloth button.tile").all():
        box = one.bounding_box()
        assert cloth["x"] - 5 <= box["x"]
        assert box["x"] + box["width"] <= cloth["x"] + cloth["width"] + 5
    page.get_by_role("button", name="Show all").click()
    assert tile.bounding_box()["width"] >= 43.5
    click_cell(page, "0,0")


def test_a_name_stands_once_on_the_labyrinths_desk(web: Any, server: Server) -> None:
    two = Two(server, "labyrinth")
    page = two.watch(web, 0)
    seen = len([one for one in page.get_by_text("Ben", exact=True).all() if one.evaluate(SHOWN)])
    assert seen == 1
    assert not page.locator(".backs").count(), "no squares without a meaning"
    assert "deck" in page.locator(".deck").inner_text()
