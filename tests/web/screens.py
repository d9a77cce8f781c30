"""Every page and board state, and what is a fault of a screen.

`SCREENS` are the states, by page or game; `walk` looks at the open one at the sizes that `sizes_for` gives. `look`
finds these faults:

- **outside**: a piece of the board or hand (a control, a picture, text) that sticks out of the window, or of a box that
  hides what overflows. In a scroller, or on a cloth that a finger moves, it may lie out of sight; the scroller itself
  may not, and on the board it is no strip: 120 pixels in both directions at least. The hand, what a hint advises
  (`data-advised`) and what is said on the board (`data-said`) are in view as they stand, without scrolling.
- **overlap**: a control that cannot be hit because something else lies on it. Of 9 by 9 points of a control, those
  count at which it is hit, and the largest block of them is its *free part*. Two controls that overlap are a fault,
  unless both are of one fan: cards side by side in one list, of which each keeps a free part of 22 by 40 pixels. What
  lies under an open drawer or dialog does not count. Text of the board is under nothing that is painted, except a piece
  on the place that it labels, or a note that can be closed; and no text lies on other text.
- **target**: on a touch screen, a control that is smaller than 44 by 44 pixels. Links within a sentence are free; on a
  cloth, which fingers zoom, 24 pixels are enough.
- **cut**: text that a box cuts off, that runs out of its button, or that touches the edge of its button or dialog. An
  ellipsis is fine where the whole text can be had: by `title`, or by pressing it.
- **small**: text of less than 12 pixels, with all scaling; not on a cloth.
- **edge**: a board or dialog with more than it shows, by scrolling or on a cloth, without a soft edge.
- **scroll**: a page, drawer or dialog that scrolls sideways.
- **unused**: on a large screen, a board whose pieces take less than a third of it; the pieces on a cloth take two
  thirds of its width or height. The plain table, which has a list of moves, is a page of words and does not count.
- **away**: what is wanted at once (`data-always`: the outcome and what to do next, the slider of a replay), and lies
  outside the window or the box that scrolls it, as a whole or in part.
- **axe**: what axe finds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from conftest import Server
from dealt_tables import bot, cookie_of, dealt, keep_apart, known
from players import AXE, GAMES

import clew
from clew.server.seats import Sitter

SIZES = {
    "320x568": (320, 568),
    "375x553": (375, 553),
    "390x664": (390, 664),
    "390x844": (390, 844),
    "844x390": (844, 390),
    "640x400": (640, 400),
    "768x1024": (768, 1024),
    "1280x800": (1280, 800),
    "1920x1080": (1920, 1080),
    "2560x1440": (2560, 1440),
}
EACH_KIND = ("320x568", "390x844", "844x390", "768x1024", "1280x800", "1920x1080")
TOUCH = 1280  # narrower screens are touched
LARGE = 1920

LOOK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def look(page: Any, width: int = 0) -> list[str]:
    """What is wrong with the page as it stands."""
    width = width or page.viewport_size["width"]
    found: list[str] = page.evaluate(LOOK, [width < TOUCH, width >= LARGE])
    return found


def axe(page: Any, *rules: str) -> list[str]:
    """What axe finds, by all rules or by these."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"axe: {one['id']} {' '.join(map(str, node['target']))[-60:]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def resize(page: Any, size: str) -> None:
    """Make the window as large as this."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


def sizes_for(game: str, state: str) -> tuple[str, ...]:
    """All sizes for every board and for all states of one game; for the other states of the others one of each kind.

    These are the smallest, a phone upright and on its side, a tablet, a desk, and a large one, which a board must fill.
    """
    return tuple(SIZES) if game == ONCE_AT or state in BOARDS else EACH_KIND


def walk(page: Any, sizes: Iterable[str]) -> dict[str, list[str]]:
    """The faults of the open page by size; it is resized, not loaded again.

    What lies where is the same by night, since styles ask for the scheme in colours only (a test holds that): by night
    axe looks at the colours.
    """
    found: dict[str, list[str]] = {}
    page.emulate_media(color_scheme="light")
    for size in sizes:
        resize(page, size)
        found[size] = look(page)
        if size == "1280x800":
            found[size] += axe(page)
        if size == "390x844":
            page.emulate_media(color_scheme="dark")
            found[f"{size} dark"] = axe(page, "color-contrast")
            page.emulate_media(color_scheme="light")
    return {size: faults for size, faults in found.items() if faults}


# States

ME = known("screens", "me")
OTHER = known("screens", "other")
NAMES = {ME: "Wilhelmina Featherstone", OTHER: "Bartholomew Ó Súilleabhá"}  # as long as names may be
SEED = 11


@dataclass(frozen=True)
class Played:
    """The tables of one game, by state."""

    game: str
    cookie: str
    tables: dict[str, str]


@cache
def deal_tables(server: Server, game: str) -> Played:
    """Tables in every state, with the fewest players and, crowded, with the most."""
    few, most = (2, clew.new(game, seed=1).game.players[1])
    own = Sitter("person", NAMES[ME], ME)
    two = [own, bot(2)]
    all_seats = [own, Sitter("person", NAMES[OTHER], OTHER), *(bot(2 + seat % 2) for seat in range(most - 2))]
    short, long = (moves_of(game, players) for players in (few, most))

    def mine(moves: list[tuple[int, str]], after: int) -> list[tuple[int, str]]:
        """The moves before the last one of the first seat that is not later than this."""
        at = max(i for i, (seat, _) in enumerate(moves) if seat == 0 and i <= after)
        return moves[:at]

    chat = [("chat", seat % 2, {"text": text}) for seat, text in enumerate(CHAT)]
    made = {
        "opening": dealt(game, two, SEED, mine(short, next(i for i, (seat, _) in enumerate(short) if seat == 0))),
        "middle": dealt(game, two, SEED, mine(short, len(short) // 2)),
        "crowded": dealt(game, all_seats, SEED, mine(long, len(long) - 1), more=chat),
        "over": dealt(game, all_seats, SEED, long),
        "given up": dealt(game, two, SEED, mine(short, len(short) * 4 // 5), more=[("resigned", 0, {})]),
        "won": dealt(game, two, SEED, short),
        "waiting": dealt(game, [own, *(Sitter("open") for _ in range(most - 1))], SEED),
        "invited": dealt(game, [Sitter("person", NAMES[OTHER], OTHER), Sitter("open")], SEED),
    }
    if game == "cardtracks":
        made["tied"] = dealt(game, two, SEED, after_a_tie(short))
    keep_apart(server.data, made.values(), NAMES)
    return Played(game, cookie_of(server.data, ME), {state: table.row.id for state, table in made.items()})


def moves_of(game: str, players: int) -> list[tuple[int, str]]:
    """A whole game with this seed, kept: what is on a screen must not hang on what bots would choose today."""
    kept = json.loads(Path(__file__).with_name("games.json").read_text())[game][str(players)]
    return [(int(seat), move) for seat, move in (line.split(" ", 1) for line in kept)]


def after_a_tie(moves: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The moves of Cardtracks until the first seat has won a flip that came after a tie."""
    table = clew.new("cardtracks", players=2, seed=SEED)
    for at, (seat, move) in enumerate(moves):
        flips = table.view(0)["table"]["flips"]
        if seat == 0 and len(flips) > 1 and flips[-2]["winner"] is None:
            return moves[:at]
        table.play(move, seat)
    raise LookupError("no flip of this game was a tie")


CHAT = ["Good luck, have fun!", "You too. I have not played this for years, so be patient with me, please.", "😀"] * 4


@dataclass(frozen=True)
class Screen:
    """A state, and how to get there."""

    state: str
    show: Callable[[Any, Played], None]


def visit(page: Any, path: str) -> None:
    """Go there, unless the page shows it already: what was opened there stays."""
    if urlsplit(page.url).path != path:
        page.goto(path)


def at_table(state: str, *steps: Callable[[Any], None]) -> Callable[[Any, Played], None]:
    def show(page: Any, played: Played) -> None:
        visit(page, f"/t/{played.tables[state]}")
        page.locator("[data-board]").wait_for()
        if state not in ("over", "won", "given up"):
            page.locator(".story.mine").wait_for()
        for step in steps:
            step(page)

    return show


def plain_table(page: Any, played: Played) -> None:
    """The table that any game has before it brings a board."""
    page.goto(f"/t/{played.tables['middle']}?board=plain")
    page.locator(".moves").wait_for()


def choose_a_piece(page: Any) -> None:
    """What may be done with it is lit."""
    held = page.locator(".held:not(:disabled)")
    if held.count() and not page.locator(".held.picked").count():
        held.first.click(position={"x": 8, "y": 14})


def end_a_wrong_draft(page: Any) -> None:
    """A tile that touches no other is laid, and the turn is ended with it."""
    if not page.locator(".cloth .fault").count():
        page.locator(".rack .held").first.click()
        box = page.locator(".cloth").bounding_box()
        page.mouse.click(box["x"] + box["width"] - 30, box["y"] + box["height"] - 30)
        page.locator(".cloth .fault").wait_for()
    page.get_by_role("button", name="End turn").click()


def open_drawer(name: str) -> Callable[[Any], None]:
    def click(page: Any) -> None:
        if not page.locator(f"aside[aria-label={name}]").count():
            page.locator("nav").get_by_role("button", name=name, exact=True).click()
        page.locator(f"aside[aria-label={name}]").wait_for()
        if name == "Rules":
            page.locator("aside figure").first.wait_for()

    return click


def ask_for_a_hint(page: Any) -> None:
    """What is advised is shown on the board."""
    if page.locator("aside").count():
        close_drawer(page)
    if not page.locator(".hint").count():
        page.locator("nav").get_by_role("button", name="Hint", exact=True).click()
    page.locator(".hint").wait_for()
    page.locator("[data-advised]").first.wait_for()


def close_drawer(page: Any) -> None:
    page.locator("aside").wait_for()
    page.locator("aside").get_by_role("button", name="Close").click()
    page.locator("aside").wait_for(state="detached")


def wait_for_others(state: str) -> Callable[[Any, Played], None]:
    def show(page: Any, played: Played) -> None:
        visit(page, f"/t/{played.tables[state]}")
        page.locator(".waiting").wait_for()

    return show


def replay(eyes: str = "", curve: bool = False) -> Callable[[Any, Played], None]:
    def show(page: Any, played: Played) -> None:
        visit(page, f"/replay/{played.tables['over']}")
        page.locator("[data-board]").wait_for()
        page.get_by_label("Seen by").select_option(eyes)
        hidden = page.get_by_role("region", name="What was hidden")
        hidden.wait_for(state="visible" if eyes == "all" else "detached")
        if curve and not page.locator("main figure").count():
            page.get_by_role("button", name="Ask the bot").click()
            page.locator("main figure").wait_for()
            page.get_by_role("button", name=re.compile("thinking")).wait_for(state="detached")
        scrub = page.get_by_label("Which move is shown")
        scrub.fill(str(int(scrub.get_attribute("max")) * 2 // 3))

    return show


def lesson(steps: int) -> Callable[[Any, Played], None]:
    def show(page: Any, played: Played) -> None:
        visit(page, f"/learn/{played.game}")
        page.locator("[data-board]").wait_for()
        for _ in range(steps):
            said = page.locator(".teacher p").first.inner_text()
            if page.get_by_role("button", name="Go on").count():
                page.get_by_role("button", name="Go on").click()
                page.wait_for_function("said => document.querySelector('.teacher p').innerText !== said", arg=said)

    return show


def home(page: Any, played: Played | None = None) -> None:
    visit(page, "/")
    page.locator(".game").first.wait_for()
    page.wait_for_load_state("networkidle")


def start_dialog(page: Any, played: Played) -> None:
    home(page)
    page.get_by_role("button", name=GAMES[played.game], exact=True).click()
    page.get_by_role("dialog").wait_for()


def start_options(page: Any, played: Played) -> None:
    if not page.get_by_role("dialog").count():
        start_dialog(page, played)
    page.get_by_role("dialog").get_by_text("Options").click()


# In an order in which each begins where the one before has ended, where that is possible; alone each works as well.
SCREENS = [
    Screen("plain", plain_table),
    Screen("opening", at_table("opening")),
    Screen("middle", at_table("middle")),
    Screen("chosen", at_table("middle", choose_a_piece)),
    Screen("rules", at_table("middle", open_drawer("Rules"))),
    Screen("log", at_table("middle", open_drawer("Log"))),
    Screen("hint", at_table("middle", ask_for_a_hint)),
    Screen("tied", at_table("tied")),
    Screen("wrong-draft", at_table("opening", end_a_wrong_draft)),
    Screen("crowded", at_table("crowded")),
    Screen("crowded-hint", at_table("crowded", ask_for_a_hint)),
    Screen("chat", at_table("crowded", open_drawer("Chat"))),
    Screen("table", at_table("crowded", open_drawer("Table"))),
    Screen("result", at_table("over", open_drawer("Result"))),
    Screen("over", at_table("over", close_drawer)),
    Screen("result-of-two", at_table("won", open_drawer("Result"))),
    Screen("result-given-up", at_table("given up", open_drawer("Result"))),
    Screen("replay", replay()),
    Screen("replay-open", replay("all")),
    Screen("replay-open-curve", replay("all", curve=True)),
    Screen("replay-curve", replay(curve=True)),
    Screen("waiting", wait_for_others("waiting")),
    Screen("invited", wait_for_others("invited")),
    Screen("lesson", lesson(0)),
    Screen("lesson-later", lesson(3)),
    Screen("home", home),
    Screen("start", start_dialog),
    Screen("start-options", start_options),
]
ONCE = ("waiting", "invited", "home")  # these look the same whatever the game
ONCE_AT = "labyrinth"  # it has the most players
BOARDS = ("middle", "crowded")
OF_ONE_GAME = {"tied": "cardtracks", "wrong-draft": "aathenuo"}


def screens_of(game: str) -> list[Screen]:
    """The states of a game; those that are the same for all games belong to one of them."""
    return [
        screen
        for screen in SCREENS
        if (game == ONCE_AT or screen.state not in ONCE) and game == OF_ONE_GAME.get(screen.state, game)
    ]


def quick_review(route: Any) -> None:
    """A bot of the second level judges a game in a moment."""
    body = {**route.request.post_data_json, "level": 2}
    route.continue_(post_data=body)


def sit_down(web: Any, server: Server, played: Played) -> Any:
    """The page of somebody who plays at these tables."""
    page = web()
    page.context.add_cookies([{"name": "clew", "value": played.cookie, "url": server.address}])
    page.route("**/api/review", quick_review)
    return page
