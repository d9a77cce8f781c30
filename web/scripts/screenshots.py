"""Pictures of every board for the documentation: `make screenshots` plays real games on a real server.

The table is open in a browser twice, on a desk and on a phone, while the same person's moves come from a bot.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import clew
from clew.server.client import Client

HOME = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "table"
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
SIZES = {"desk": ({"width": 1280, "height": 800}, 1.0), "phone": ({"width": 390, "height": 844}, 1.5)}
BOTS = {"labyrinth": 2, "aathenuo": 2}
MIDDLE = {"palaces": 22, "ariadne": 18, "cardtracks": 7, "labyrinth": 8, "aathenuo": 1}
PICK = {  # what the player does for the picture of the middle: a piece is chosen, its targets are lit
    "palaces": [".held:not(.wasted)"],
    "ariadne": [".held"],
    "cardtracks": [],
    "labyrinth": [".held", ".free.lit"],
    "aathenuo": [],
}


async def shoot(pages: dict[str, Any], name: str) -> None:
    """One picture on each screen."""
    await asyncio.sleep(1.2)
    for screen, page in pages.items():
        await page.screenshot(path=HOME / f"{name}-{screen}.jpg", type="jpeg", quality=84)
    print(name, flush=True)


async def play(chair: Any, bot: Any, moves: int) -> None:
    """So many moves, or to the end."""
    for _ in range(moves):
        await chair.turn()
        if chair.over:
            return
        await chair.move(str(bot.choose(chair.view)))


async def one_game(browser: Any, address: str, game: str) -> None:
    """A whole game with its pictures."""
    async with Client(address) as person:
        seats = [{"who": "me"}, *({"who": "bot", "level": 2} for _ in range(BOTS.get(game, 1)))]
        options = {"rounds": 1} if game == "ariadne" else {}
        table = await person.post("/api/tables", {"game": game, "seats": seats, "options": options})
        pages = {}
        for screen, (size, density) in SIZES.items():
            context = await browser.new_context(viewport=size, device_scale_factor=density, base_url=address)
            await context.add_cookies([{"name": "clew", "value": person.cookie, "url": address}])
            pages[screen] = await context.new_page()
            await pages[screen].goto(f"/t/{table['id']}")
            await pages[screen].locator("[data-board]").wait_for()
        bot = clew.bot(game, level=3, seed=5)
        async with person.chair(table["id"], 0, known=True) as chair:
            await chair.turn()
            await shoot(pages, f"{game}-opening")
            await play(chair, bot, MIDDLE[game])
            await chair.turn()
            for page in pages.values():
                await page.locator(".story.mine").wait_for()
                for piece in PICK[game]:
                    await page.locator(piece).first.click()
            await shoot(pages, f"{game}-middle")
            await play(chair, bot, 999)
        for page in pages.values():
            await page.locator("aside").wait_for()
        await shoot(pages, f"{game}-end")
        for page in pages.values():
            await page.context.close()


async def first_page(browser: Any, address: str) -> None:
    """The page that everybody sees first."""
    pages = {}
    for screen, (size, density) in SIZES.items():
        context = await browser.new_context(viewport=size, device_scale_factor=density, base_url=address)
        pages[screen] = await context.new_page()
        await pages[screen].goto("/")
        await pages[screen].locator(".game").first.wait_for()
    await shoot(pages, "home")


async def main(games: list[str]) -> None:
    """Start a server, play, and take the pictures."""
    from playwright.async_api import async_playwright

    HOME.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "clew", "serve", "--port", "0", "--data", data, "--request-rate", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server did not start"
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                if not games:
                    await first_page(browser, found[0])
                for game in games or clew.games():
                    await one_game(browser, found[0], game)
                await browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
