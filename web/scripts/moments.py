"""Pictures of what happens now and then: two people have played until it did, and one of them looks.

`screenshots.py` takes them with its own: a path pointed out by the other, cards won, finds, tracks by day and by night,
and a start dialog with the number of players that is recommended.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

from dealt_tables import cookie_of, dealt, keep, known

import clew
from clew.server.seats import Sitter

SIZES = {
    "desk": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 844},
    "flat": {"width": 844, "height": 390},  # a phone on its side
}
Shoot = Callable[[dict[str, Any], str], Awaitable[None]]
ANN, BEN = (Sitter("person", name, known("moments", name)) for name in ("Ann", "Ben"))


async def open_pages(browser: Any, address: str, path: str, cookie: str = "", scheme: str = "light") -> dict[str, Any]:
    """The same page on screens of all sizes."""
    pages = {}
    for screen, size in SIZES.items():
        context = await browser.new_context(
            viewport=size, base_url=address, color_scheme=scheme, reduced_motion="reduce"
        )
        if cookie:
            await context.add_cookies([{"name": "clew", "value": cookie, "url": address}])
        pages[screen] = await context.new_page()
        await pages[screen].goto(path)
    return pages


def play_until(
    game: str, choose: Callable[[Any, int], str], enough: Callable[[Any], bool]
) -> tuple[int, list[tuple[int, str]]]:
    """The first seed with which it happens, and the moves until then."""
    for seed in count(1):
        table, moves = clew.new(game, players=2, seed=seed), []
        while table.to_move:
            seat = table.to_move[0]
            moves.append((seat, choose(table, seat)))
            table.play(moves[-1][1], seat)
            if table.to_move and enough(table):
                return seed, moves
    raise AssertionError


def told(table: Any, key: str, back: int = 1) -> list[Any]:
    """What the events of a move say under this name, all of it: of the last one, or of one before."""
    number = len(table.moves) + 1 - back
    found = [event.data.get(key) for event in table.events(0, number, number + 1)]
    return [each for value in found if value for each in (value if isinstance(value, list) else [value])]


def take(table: Any, seat: int) -> str:
    """Labyrinth: the move that takes the most cards."""
    return max(map(str, table.legal_moves(seat)), key=lambda move: (move.count("!"), move))


def dig(table: Any, seat: int) -> str:
    """The Lost Palaces: a move that opens a site, else one that walks."""
    paths = table.view(seat)["table"]["paths"]

    def worth(move: str) -> int:
        if move.startswith("-") or move.endswith("X"):
            return 0
        path = next(path for path in paths if path["letter"] == move[0])
        step = path["pawns"][seat]["step"]
        to = min(9, step + (2 if move.endswith("A") else 1))
        return 1 + any(step < site["step"] <= to and site["find"] is None for site in path["sites"])

    return max(map(str, table.legal_moves(seat)), key=worth)


def spread(table: Any, seat: int) -> str:
    """Cardtracks: now here, now there."""
    moves = table.legal_moves(seat)
    return str(moves[len(table.moves) % len(moves)])


def path_pointed_out(table: Any) -> bool:
    """The other has just taken a card by a path of some length, and both have won cards."""
    scores = [seat["score"] for seat in table.view(0)["table"]["seats"]]
    return table.to_move == (0,) and len(told(table, "way")) >= 4 and min(scores) >= 4


def both_found(table: Any) -> bool:
    """Both have found something with their last moves."""
    return len(table.moves) > 16 and table.to_move == (0,) and bool(told(table, "finds", 2) and told(table, "finds"))


def on_the_way(table: Any) -> bool:
    """There are some cards on the tracks, and the first player is to move."""
    return len(table.moves) > 12 and table.to_move == (0,)


async def close(pages: dict[str, Any]) -> None:
    """Close the screens."""
    for page in pages.values():
        await page.context.close()


async def moments(browser: Any, address: str, data: Path, shoot: Shoot) -> None:
    """All of these pictures."""
    for game, name, choose, enough in (
        ("labyrinth", "path", take, path_pointed_out),
        ("palaces", "find", dig, both_found),
        ("cardtracks", "tracks", spread, on_the_way),
    ):
        seed, moves = play_until(game, choose, enough)
        table = dealt(game, [ANN, BEN], seed, moves)
        await keep(data, [table], {str(sitter.person): sitter.name for sitter in (ANN, BEN)})
        there = await open_pages(browser, address, f"/t/{table.row.id}", cookie_of(data, str(BEN.person)))
        for scheme in ("light", "dark") if game == "cardtracks" else ("light",):
            pages = await open_pages(browser, address, f"/t/{table.row.id}", cookie_of(data, str(ANN.person)), scheme)
            for page in pages.values():
                await page.locator("[data-board]").wait_for()
            await shoot(pages, f"{game}-{name if scheme == 'light' else 'night'}")
            if game == "labyrinth":
                for page in pages.values():
                    await page.locator(".won").last.click()
                await shoot(pages, "labyrinth-won")
            await close(pages)
        await close(there)
    pages = await open_pages(browser, address, "/")
    for page in pages.values():
        await page.get_by_role("button", name="Aathenuo", exact=True).click()
    await shoot(pages, "aathenuo-start")
    await close(pages)
