"""People who play in the browser: they see the page, and they have a mouse, a finger or a keyboard."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import clew

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

GAMES = {
    "palaces": "The Lost Palaces",
    "ariadne": "Ariadne's Thread",
    "cardtracks": "Cardtracks",
    "labyrinth": "Labyrinth",
    "aathenuo": "Aathenuo",
}
OVER = "aside[aria-label=Result]"


def listen(page: Any) -> dict[str, Any]:
    """What this page was told last: its legal moves, as they came over the wire, and how many positions it was told."""
    heard: dict[str, Any] = {"moves": [], "all": [], "positions": 0}

    def hear(frame: Any) -> None:
        heard["all"].append(frame)
        message = json.loads(frame)
        now = message.get("now")
        if now is not None:
            heard["moves"] = now.get("moves", [])
            heard["positions"] += 1

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return heard


def begin(
    page: Any, game: str, how: str = "Play against", options: dict[str, str] | None = None, players: int = 2
) -> None:
    """From the first page to the table: two taps, and a few more for the number of players and for options."""
    page.goto("/")
    page.get_by_role("button", name=GAMES[game], exact=True).click()
    dialog = page.get_by_role("dialog")
    if dialog.locator(".pick").count():
        dialog.locator(".pick", has_text=str(players)).click()
    if options:
        dialog.get_by_text("Options").click()
        for label, value in options.items():
            field = dialog.get_by_label(label)
            if field.evaluate("node => node.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
                field.press("Tab")
    dialog.get_by_role("button", name=re.compile(how)).click()


ANT = {"Strength of the bots": "1"}


def meet(web: Any, game: str, options: dict[str, str] | None = None, **screen: Any) -> tuple[Any, Any, str]:
    """Two people at a table that one of them set up, the other came by the link; the screen is that of the guest."""
    host, guest = web(), web(**screen)
    begin(host, game, "With a link", options)
    link = host.get_by_label("Link to this table").input_value()
    assert faults(host) == []
    guest.goto(link)
    guest.get_by_role("button", name="Sit down here").click()
    for page in (host, guest):
        page.locator("[data-board]").wait_for()
    return host, guest, link


def over(page: Any) -> bool:
    """Whether the page says that the game is over."""
    return bool(page.locator(OVER).count())


def wait_turn(page: Any, ready: str) -> bool:
    """Wait until something can be done; False when the game is over."""
    page.locator(f"{ready}, {OVER}").first.wait_for()
    return not over(page)


def pick(card: Any, **how: Any) -> None:
    """Choose a card; one that a hint has chosen already would be put back by another tap."""
    if not card.evaluate("card => card.classList.contains('picked')"):
        card.click(**how)


def play_palaces(page: Any, rng: random.Random, moves: int = 999) -> None:
    """Choose a card, then a lit target."""
    while moves and wait_turn(page, ".held:not(:disabled)"):
        moves -= 1
        useful = page.locator(".held:not(.wasted)")
        cards = useful if useful.count() else page.locator(".held")
        pick(cards.nth(rng.randrange(cards.count())), position={"x": 12, "y": 20})
        forward = page.locator(".path .target, .choice button")
        target = forward.nth(rng.randrange(forward.count())) if forward.count() else page.locator(".discard .target")
        target.click()


def play_cardtracks(page: Any, rng: random.Random, moves: int = 999) -> None:
    """Tap a lit track; at the end choose about the spare."""
    while moves and wait_turn(page, ".aim, .choices button"):
        moves -= 1
        choices = page.locator(".aim, .choices button")
        choices.nth(rng.randrange(choices.count())).click(position={"x": 10, "y": 10})


def play_ariadne(page: Any, rng: random.Random, moves: int = 999) -> None:
    """Choose a card, then a lit cell; sometimes the last card or the Joker first."""
    while moves and wait_turn(page, ".held:not(:disabled), .scored button"):
        if page.locator(".scored button").count():
            page.locator(".scored button").click()
            continue
        moves -= 1
        cards = page.locator(".held")
        pick(cards.nth(rng.randrange(cards.count())))
        others = page.locator(".aim.can")
        if others.count() and rng.random() < 0.4:
            others.nth(rng.randrange(others.count())).click()
        free = page.locator(".free")
        free.nth(rng.randrange(free.count())).click()


def play_labyrinth(page: Any, rng: random.Random, moves: int = 999) -> None:
    """Choose a card, turn it, try it out where it fits, and place it."""
    while moves and wait_turn(page, ".held:not(:disabled)"):
        moves -= 1
        if not page.locator(".held.picked").count():
            cards = page.locator(".held")
            cards.nth(rng.randrange(cards.count())).click()
        for _ in range(rng.randrange(3)):
            page.keyboard.press("r")
        free = page.locator(".free")
        free.nth(rng.randrange(free.count())).click()
        page.locator(".does .first").click()


def play_aathenuo(page: Any, rng: random.Random, heard: dict[str, Any], moves: int = 999) -> None:
    """Lay the tiles of a play one by one: tap a tile, tap a cell; what lies there is dragged."""
    while moves and wait_turn(page, ".rack .held:not(:disabled)"):
        moves -= 1
        plays = [move for move in heard["moves"] if "@" in move]
        told = heard["positions"]
        if plays:
            lay(page, min(plays, key=len))
            page.get_by_role("button", name="End turn").click()
        else:
            page.locator(".does button", has_text=re.compile("Draw a tile|Pass")).click()
        # Until the move is answered, the moves heard and the rack shown are still those from before it.
        for _ in range(1500):
            if heard["positions"] > told:
                break
            page.wait_for_timeout(20)
        else:
            raise AssertionError("no answer to the move in 30 s")


COLOURS = {"R": "red", "Y": "yellow", "B": "blue", "G": "green", "P": "purple", "O": "orange"}


def lay(page: Any, move: str) -> None:
    """Put the tiles of a written play on the cloth: first what moves on the table, out of the way and then home."""
    words = move.split()
    moved = [word.split(">") for word in words if ">" in word]
    away = [(source, f"{15 + i},{-12}") for i, (source, _) in enumerate(moved)]
    if away:
        # Far away there is nothing in the way; keys reach every cell, wherever the cloth shows.
        for source, far in away:
            walk(page, source, far)
    for word in words:
        if "@" in word:
            tile, cell = word.split("@")
            face = "star" if tile[1] == "*" else tile[1]
            name = f"{COLOURS[tile[0]]} {face}"
            page.locator(".rack").get_by_role("button", name=name, exact=True).first.click()
            click_cell(page, cell)
    for (_, far), (_, goal) in zip(away, moved, strict=True):
        walk(page, far, goal)


def place_of(page: Any, cell: str) -> tuple[float, float]:
    """Where a cell of the cloth is on the screen."""
    x, y = map(int, cell.split(","))
    style = page.locator(".cloth").get_attribute("style")
    left, top, zoom = (float(re.search(rf"--{key}: *(-?[\d.e-]+)", style)[1]) for key in ("x", "y", "zoom"))  # type: ignore[index]
    box = page.locator(".cloth").bounding_box()
    return box["x"] + left + (x + 0.5) * 56 * zoom, box["y"] + top + (y + 0.5) * 56 * zoom


def click_cell(page: Any, cell: str) -> None:
    """Tap a cell, after walking the cloth there if it is out of sight."""
    x, y = place_of(page, cell)
    box = page.locator(".cloth").bounding_box()
    if box["x"] + 10 < x < box["x"] + box["width"] - 10 and box["y"] + 10 < y < box["y"] + box["height"] - 60:
        page.mouse.click(x, y)
    else:
        walk(page, None, cell)


def walk(page: Any, source: str | None, goal: str) -> None:
    """With the cursor: pick a tile up and put it down."""
    for cell in ([source] if source else []) + [goal]:
        page.locator("[data-cursor]").focus()
        for _ in range(9):
            here = page.locator("[data-cursor]").evaluate(
                "n => [parseFloat(n.style.left) / 56, parseFloat(n.style.top) / 56]"
            )
            x, y = map(int, cell.split(","))
            if here == [x, y]:
                break
            dx, dy = x - here[0], y - here[1]
            key = ("ArrowRight" if dx > 0 else "ArrowLeft") if dx else ("ArrowDown" if dy > 0 else "ArrowUp")
            for _ in range(int(abs(dx or dy))):
                page.keyboard.press(key)
        else:
            raise AssertionError(f"the cursor does not come to {cell}")
        page.keyboard.press("Enter")


def play(page: Any, game: str, heard: dict[str, Any], seed: int = 1, moves: int = 999) -> None:
    """Play until the game is over, or so many moves."""
    rng = random.Random(seed)
    if game == "aathenuo":
        play_aathenuo(page, rng, heard, moves)
    else:
        player = {
            "palaces": play_palaces,
            "cardtracks": play_cardtracks,
            "ariadne": play_ariadne,
            "labyrinth": play_labyrinth,
        }
        player[game](page, rng, moves)


def midgame(page: Any, game: str, heard: dict[str, Any], seed: int, moves: int) -> None:
    """Begin against the Ant and play so many moves; begin anew if that was all of it, as one in 60 of Aathenuo."""
    for _ in range(6):
        begin(page, game, options=ANT)
        play(page, game, heard, seed, moves)
        if wait_turn(page, ".held:not(:disabled), .aim"):
            return
    raise AssertionError(f"six games of {moves} moves")


def faults(page: Any) -> list[str]:
    """What axe finds wrong with a page."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    nodes = [(one["id"], node) for one in found["violations"] for node in one["nodes"]]
    return [f"{name}: {node['target']} {node['failureSummary']}" for name, node in nodes]


def open_record(page: Any, folder: Path, record: str, address: str = "/replay") -> None:
    """Open a record file on the page for replays."""
    file = folder / "game.clew"
    file.write_text(record, encoding="utf-8")
    page.goto(address)
    page.locator("input[type=file]").set_input_files(file)


def open_all(page: Any, folder: Path, record: str, moves: int, address: str = "/replay") -> tuple[Any, Any]:
    """Replay a record with everything open: what was hidden on the page after so many moves, and that table."""
    open_record(page, folder, record, address)
    page.get_by_label("Seen by").select_option("all")
    hidden = page.get_by_role("region", name="What was hidden")
    hidden.wait_for()
    page.get_by_label("Which move is shown").fill(str(moves))
    page.locator(".bar .count", has_text=f"{moves} / ").wait_for()
    lines = record.splitlines()
    return hidden, clew.replay("\n".join([*lines[: lines.index("moves:") + 1 + moves], ""]))
