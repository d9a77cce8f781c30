"""What a table shows until it was seen: paths pointed out, cards won, finds; and what a start offers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import DESK, PHONE, Server, until
from players import ANT, begin, faults, open_record

import clew
from clew.server.client import Client

FLAT = {"width": 844, "height": 390}
SIZES = {"desk": DESK, "phone": PHONE, "flat": FLAT}
IN_VIEW = """() => {
  const cloth = document.querySelector('.cloth').getBoundingClientRect();
  const cells = [...document.querySelectorAll('.cell:has(.spun:not(.old))')].map((one) => one.getBoundingClientRect());
  return cells.some((one) => one.left >= cloth.left && one.right <= cloth.right
    && one.top >= cloth.top && one.bottom <= cloth.bottom);
}"""
COVERED = """(cards) => {
  const notes = [...document.querySelectorAll('.found')].map((note) => note.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return [...document.querySelectorAll(cards)]
    .filter((card) => notes.some((note) => meet(note, card.getBoundingClientRect())))
    .map((card) => card.className);
}"""


def apart(work: Any) -> Any:
    """Run something in a loop of its own: that of this thread is Playwright's."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Two:
    """Two people at a table whose moves come over the wire, as from pages elsewhere, until something has happened."""

    def __init__(self, server: Server, game: str, **options: Any) -> None:
        self.server, self.game, self.options = server, game, options
        self.cookies: list[str] = []
        self.table = ""
        apart(self._sit())

    async def _sit(self) -> None:
        async with Client(self.server.address, name="Ann") as ann, Client(self.server.address, name="Ben") as ben:
            seats = [{"who": "me"}, {"who": "open"}]
            made = await ann.post("/api/tables", {"game": self.game, "seats": seats, "options": self.options})
            await ben.post(f"/api/tables/{made['id']}/join", {})
            self.table, self.cookies = made["id"], [ann.cookie, ben.cookie]

    def play(self, choose: Callable[[int, Any], str], enough: Callable[[list[dict[str, Any]]], bool]) -> list[Any]:
        """Move after move until it is enough; the moves as the first player reads them, none if the game is over."""
        found: list[Any] = apart(self._play(choose, enough))
        return found

    async def _play(self, choose: Callable[[int, Any], str], enough: Callable[[list[Any]], bool]) -> list[Any]:
        ann, ben = (Client(self.server.address, cookie=cookie) for cookie in self.cookies)
        async with ann, ben, ann.chair(self.table, 0) as one, ben.chair(self.table, 1) as other:
            chairs = [one, other]
            for chair in chairs:
                await chair.settled()
            while not one.over and not enough([entry for entry in one.log if entry["kind"] == "move"]):
                seat = one.view["to_move"][0]
                await chairs[seat].turn()
                await chairs[seat].move(choose(seat, chairs[seat]))
                for chair in chairs:
                    await chair.until(lambda chair=chair: chair.number >= max(one.number, other.number))
            return [] if one.over else [entry for entry in one.log if entry["kind"] == "move"]

    def watch(self, web: Any, seat: int | None, **more: Any) -> Any:
        """A page on the table: of one of the two, or of somebody who watches."""
        page = web(**more)
        if seat is not None:
            page.context.add_cookies([{"name": "clew", "value": self.cookies[seat], "url": self.server.address}])
        page.goto(f"/t/{self.table}")
        page.locator("[data-board]").wait_for()
        return page


def told(entry: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [one["data"] for one in entry.get("told", []) if one["kind"] == kind]


def taking(seat: int, chair: Any) -> str:
    """The move that takes the most."""
    return str(max(chair.moves, key=lambda move: (move.count("!"), move)))


def drawn(page: Any) -> list[str]:
    """The paths that are drawn on the board, in words."""
    return [text.strip() for text in page.locator(".grid > p.unseen").all_inner_texts()]


STEPS = {(1, 0): "right", (-1, 0): "left", (0, 1): "down", (0, -1): "up"}


def steps(way: list[str]) -> str:
    """A way over cells in words."""
    cells = [tuple(map(int, cell.split(","))) for cell in way]
    return ", ".join(STEPS[x - a, y - b] for (a, b), (x, y) in pairwise(cells))


def spoken(whose: str, path: dict[str, Any]) -> str:
    return f"{whose} path from {path['treasure']} to {path['treasure']}: {steps(path['way'])}"


@pytest.mark.rule("LAB-05")
def test_the_path_to_a_card_taken_is_drawn_for_everybody_until_they_move(web: Any, server: Server) -> None:
    two = Two(server, "labyrinth")
    pages = {
        "mover": two.watch(web, 1),
        "other": two.watch(web, 0, viewport=PHONE, calm=False),
        "spectator": two.watch(web, None, viewport=FLAT, color_scheme="dark"),
    }

    def red_took(log: list[Any]) -> bool:
        return bool(log) and log[-1]["seat"] == 1 and any(len(path["way"]) > 2 for path in told(log[-1], "path"))

    log = two.play(taking, red_took)
    paths = {
        who: {spoken("Your" if who == "mover" else "Ben’s", path) for path in told(log[-1], "path")} for who in pages
    }
    for who, page in pages.items():
        until(lambda page=page, who=who: paths[who] <= set(drawn(page)))
        threads = page.locator(".spun:not(.old)")
        cells = sum(len(path["way"]) for path in told(log[-1], "path"))
        assert threads.count() == cells, who
        gone = {path["cells"][0] for path in told(log[-1], "path")}
        assert page.locator(".gone.newest").count() == len(gone), "where it lay is shown"
        until(lambda page=page: page.evaluate(IN_VIEW))
        assert not "\n".join(faults(page)), who
    # It does not flash by, and it is there for who comes back.
    pages["other"].wait_for_timeout(1500)
    pages["other"].reload()
    until(lambda: paths["other"] <= set(drawn(pages["other"])))
    # A card that is tried out has the board for itself.
    pages["other"].locator(".held").first.click()
    pages["other"].locator(".free").first.click()
    until(lambda: not pages["other"].locator(".spun").count())
    pages["other"].get_by_role("button", name="Take back").click()
    until(lambda: pages["other"].locator(".spun").count())
    # The next own move ends it, for the one who moved.
    two.play(lambda _, chair: min(chair.moves, key=lambda move: move.count("!")), lambda log: log[-1]["seat"] == 0)
    until(lambda: not drawn(pages["other"]))
    assert paths["mover"] <= set(drawn(pages["mover"]))


@pytest.mark.rule("LAB-08")
@pytest.mark.parametrize("size", SIZES)
def test_cards_won_lie_open_before_their_owner(web: Any, server: Server, size: str) -> None:
    two = Two(server, "labyrinth")
    two.play(taking, lambda log: sum(len(told(entry, "path")) for entry in log if entry["seat"] == 0) >= 3)
    page = two.watch(web, 1, viewport=SIZES[size])
    owner = page.locator("#seat-0")
    fan = owner.locator(".mini:visible")
    fan.first.wait_for()
    assert fan.count() >= 2
    button = owner.get_by_role("button")
    box = button.bounding_box()
    assert box["height"] >= 44
    assert box["width"] >= 44
    button.click()
    tray = page.get_by_role("list", name="What Ann has taken")
    names = tray.locator(".unseen").all_inner_texts()
    assert len(names) == int(owner.locator("strong").inner_text()) >= 3
    assert all(re.fullmatch(r"(T-card|bend card|straight card) with [\w ]+ and [\w ]+", name) for name in names)
    assert page.locator(".held").first.bounding_box()["y"] < SIZES[size]["height"] - 50, "the hand stays in view"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not "\n".join(faults(page))
    page.keyboard.press("Escape")
    tray.wait_for(state="detached")


@pytest.mark.rule("LAB-05")
def test_a_replay_draws_the_paths_for_every_chair(web: Any, tmp_path: Path) -> None:
    table = clew.new("labyrinth", players=2, seed=3)
    at = 0
    while table.to_move:
        seat = table.to_move[0]
        move = max(map(str, table.legal_moves(seat)), key=lambda one: (one.count("!"), one))
        table.play(move, seat)
        if not at and "!" in move and len(table.moves) > 5:
            at = len(table.moves)
            ways = [event.data["way"] for event in table.events(None) if event.kind == "path"]
            path = steps(ways[-1])
    page = web()
    open_record(page, tmp_path, table.record())
    page.locator("[data-board]").wait_for()
    for eyes in ("", "0", "1", "all"):
        page.get_by_label("Seen by").select_option(eyes)
        page.get_by_label("Which move is shown").fill(str(at))
        until(lambda: any(said.endswith(f": {path}") for said in drawn(page)))


def digging(seat: int, chair: Any) -> str:
    """A move that opens a site, else one that comes nearer to one, else any."""
    table = chair.view["table"]

    def worth(move: str) -> int:
        if move.startswith("-") or move.endswith("X"):
            return 0
        path = next(path for path in table["paths"] if path["letter"] == move[0])
        step = path["pawns"][seat]["step"]
        to = min(9, step + (2 if move.endswith("A") else 1))
        return 2 if any(step < site["step"] <= to and site["find"] is None for site in path["sites"]) else 1

    return str(max(chair.moves, key=worth))


def found(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [find for one in entry.get("told", []) for find in one.get("data", {}).get("finds", [])]


NAMES = {"statue": "a statue", "fresco15": "a fresco", "fresco20": "a fresco"}


@pytest.mark.rule("PAL-11")
@pytest.mark.parametrize("size", SIZES)
def test_a_find_stays_until_it_was_seen(web: Any, server: Server, size: str) -> None:
    def both(log: list[Any]) -> bool:
        return len(log) > 1 and log[-1]["seat"] == 1 and bool(found(log[-2]) and found(log[-1]))

    log: list[Any] = []
    while not log:  # in one game of thirty it does not happen
        two = Two(server, "palaces")
        log = two.play(digging, both)
    page, other = two.watch(web, 0, viewport=SIZES[size], calm=False), two.watch(web, 1, viewport=SIZES[size])
    own, theirs = page.locator(".found.own"), page.locator(".found:not(.own)")
    own.get_by_text("You found at").wait_for()
    theirs.get_by_text("Ben found at").wait_for()
    for card, entry in ((own, log[-2]), (theirs, log[-1])):
        for find in found(entry):
            said = card.inner_text()
            assert NAMES.get(find["find"], "the ") in said
            assert str(abs(find["points"])) in said, "what it is worth"
    page.wait_for_timeout(1500)
    assert own.count() == theirs.count() == 1, "the answer does not sweep it away"
    page.reload()
    own.wait_for()
    assert page.locator("[role=status] .found").count() == 2, "it is announced"
    # It hides no card of the hand and stands in the way of no path.
    assert page.evaluate(COVERED, ".hand .held, .path, .discard") == []
    assert min(note.bounding_box()["height"] for note in page.locator(".found").all()) >= 44
    assert not "\n".join(faults(page))
    hand = page.locator(".held").first.bounding_box()
    assert hand["y"] + hand["height"] <= SIZES[size]["height"] - (50 if size == "phone" else 0), "the hand is in view"
    # It goes when it is tapped; the other one stays until one moves.
    own.click()
    own.wait_for(state="detached")
    assert theirs.count() == 1
    page.locator(".held").first.click(position={"x": 8, "y": 12})
    two.play(lambda _, chair: next(m for m in chair.moves if m.startswith("-")), lambda log: log[-1]["seat"] == 0)
    theirs.wait_for(state="detached")
    assert other.locator(".found.own").count() == 1, "who found it has not moved yet"


@pytest.mark.rule("PAL-11")
def test_who_watches_is_told_of_finds_too(web: Any, server: Server) -> None:
    two = Two(server, "palaces")
    log = two.play(digging, lambda log: bool(log and found(log[-1])))
    page = two.watch(web, None, color_scheme="dark")
    finder = ("Ann", "Ben")[log[-1]["seat"]]
    page.locator(".found").get_by_text(f"{finder} found at").wait_for()
    assert not page.locator(".found.own").count()
    assert not "\n".join(faults(page))


def test_a_find_outlasts_the_answer_of_a_bot(web: Any) -> None:
    page = web(calm=False)
    begin(page, "palaces", options=ANT)
    for _ in range(60):
        page.locator(".story.mine").wait_for()
        page.locator(".held:not(:disabled)").first.wait_for()
        if page.locator(".found.own").count():
            break
        useful = page.locator(".held:not(.wasted)")
        (useful if useful.count() else page.locator(".held")).first.click(position={"x": 12, "y": 20})
        forward = page.locator(".path .target, .choice button")
        (forward.first if forward.count() else page.locator(".discard .target")).click()
        page.locator(".held.picked").wait_for(state="detached")
    assert "You found at" in page.locator(".found.own").inner_text()
    assert "digs up" not in page.locator(".news").inner_text() or "Ant" in page.locator(".news").inner_text()


TRACKS = """() => [...document.querySelectorAll('.track')].map((track) => {
  const edge = getComputedStyle(track, '::before');
  const number = track.querySelector('.number');
  const pattern = edge.backgroundImage.replace(/(rgb|color)[^(]*\\([^)]*\\)/g, '');
  return [track.getAttribute('aria-label'), getComputedStyle(number).backgroundColor, pattern, number.textContent];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_track_has_a_colour_and_a_pattern_of_its_own(web: Any, size: str, scheme: str) -> None:
    page = web(SIZES[size], color_scheme=scheme)
    begin(page, "cardtracks", options={**ANT, "How many tracks there are to win": "5"})
    page.locator(".track").first.wait_for()
    labels, colours, patterns, numbers = zip(*page.evaluate(TRACKS))
    assert list(labels) == ["Track 1, gold", "Track 2, green", "Track 3, wine", "Track 4, grey", "Track 5, teal"]
    assert numbers == ("1", "2", "3", "4", "5")
    assert len(set(colours)) == 5
    assert len(set(patterns)) == 5, "without its colour, too"
    assert "none" not in patterns
    assert not "\n".join(faults(page))
    turned = page.locator(".turned").first.bounding_box()
    assert turned["y"] + turned["height"] <= SIZES[size]["height"], "the flip is in view"
    assert page.locator(".slot").first.bounding_box()["height"] >= 20


def test_keys_reach_a_board_that_scrolls_while_nothing_on_it_can_be_done(web: Any, server: Server) -> None:
    page = Two(server, "cardtracks", tracks=5).watch(web, None, viewport=FLAT)
    page.locator(".track").first.wait_for()
    assert page.locator("[data-board]").evaluate("board => board.scrollHeight > board.clientHeight")
    assert not "\n".join(faults(page))
    page.locator("[data-board]").focus()
    page.keyboard.press("End")
    until(lambda: page.locator("[data-board]").evaluate("board => board.scrollTop > 0"))


@pytest.mark.parametrize("size", SIZES)
def test_the_number_of_players_that_a_game_is_best_with_is_offered(web: Any, size: str) -> None:
    page = web(SIZES[size])
    page.goto("/")
    page.get_by_role("button", name="Aathenuo", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("2–4 players · 4 recommended").wait_for()
    assert dialog.get_by_role("radio", name="4 recommended").is_checked()
    assert dialog.get_by_role("radio", name="2", exact=True).count() == 1
    assert not "\n".join(faults(page))
    play = dialog.get_by_role("button", name="Play against 3 bots")
    box = play.bounding_box()
    assert box["y"] + box["height"] <= SIZES[size]["height"], "what begins the game is in view"
    play.click()
    page.locator("[data-board]").wait_for()
    assert page.locator("header .turns li").count() == 4


def test_a_game_without_a_recommendation_offers_the_fewest(web: Any) -> None:
    page = web()
    page.goto("/")
    page.get_by_role("button", name="Labyrinth", exact=True).click()
    assert page.get_by_role("radio", name="2", exact=True).is_checked()
    assert not page.get_by_role("dialog").get_by_text("recommended").count()


def test_authors_are_named_where_their_games_are_shown(web: Any) -> None:
    page = web()
    page.goto("/")
    about = {
        "Ariadne's Thread": "2 players · 25 minutes · from age 8 · by Rey Alicea",
        "Cardtracks": "2 players · by Aiken Ord",
        "Labyrinth": "2–6 players · from age 7 · by Max J. Kobbert",
        "The Lost Palaces": "2 players",
    }
    for title, said in about.items():
        card = page.locator(".game", has=page.get_by_role("button", name=title, exact=True))
        assert card.locator("small").inner_text() == said
        card.get_by_role("button").click()
        page.get_by_role("dialog").get_by_text(said, exact=True).wait_for()
        page.keyboard.press("Escape")
    begin(page, "cardtracks", options=ANT)
    page.locator("[data-board]").wait_for()
    page.locator("nav").get_by_role("button", name="Rules", exact=True).click()
    page.locator("aside").get_by_text("2 players · by Aiken Ord").wait_for()
