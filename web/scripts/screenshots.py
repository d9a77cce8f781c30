"""Pictures of every board for the documentation: `make screenshots` shows real games on a real server.

The games are played by bots with known seeds and put into the server's store (`dealt_tables.py`), so that a picture
changes only if the page does; the names of those that did are printed. Named games are shown alone (`screenshots.py
palaces ariadne`), `screenshots.py moments` takes what `moments.py` does, and `--to FOLDER` puts them somewhere else.
"""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from dealt_tables import bot, cookie_of, dealt, keep, known, whole_game
from moments import moments

import clew
from clew.server.seats import Sitter

HOME = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "table"
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--font-render-hinting=none", "--disable-lcd-text"),
    *("--num-raster-threads=1", "--disable-partial-raster", "--disable-checker-imaging"),
]
# How many pixels of two pictures differ by more than the drawing of an edge does.
DIFFERENT = """async (pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (picture) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  let found = 0;
  for (let i = 0; i < one.data.length; i += 4) {
    const by = [0, 1, 2].reduce((sum, j) => sum + Math.abs(one.data[i + j] - other.data[i + j]), 0);
    if (by > 48) found++;
  }
  return found;
}"""
SAME = 12  # pixels
SIZES = {"desk": ({"width": 1280, "height": 800}, 1.0), "phone": ({"width": 390, "height": 844}, 1.5)}
SEED = 5
PLAYERS = {"labyrinth": 3, "aathenuo": 3}
MIDDLE = {"palaces": 22, "ariadne": 18, "cardtracks": 7, "labyrinth": 8, "aathenuo": 1}  # moves of the one who looks
PICK = {  # what the player does for the picture of the middle: a piece is chosen, its targets are lit
    "palaces": [".held:not(.wasted)"],
    "ariadne": [".held"],
    "cardtracks": [],
    "labyrinth": [".held", ".free.lit"],
    "aathenuo": [],
}
ME = Sitter("person", "", known("screenshots"))


class Camera:
    """Takes pictures. One that looks like the one before is not written again, whatever edges the browser smoothed."""

    def __init__(self, folder: Path, desk: Any) -> None:
        self.folder, self.desk = folder, desk  # an empty page, to compare pictures on

    async def __call__(self, pages: dict[str, Any], name: str) -> None:
        """One picture on each screen, when nothing moves there any more."""
        for screen, page in pages.items():
            await page.wait_for_load_state("networkidle")
            await page.evaluate("document.fonts.ready")
            await page.mouse.move(0, 0)
            before, picture = b"", b" "
            while picture != before:
                await page.wait_for_timeout(700)
                before = picture
                picture = await page.screenshot(type="jpeg", quality=84, animations="disabled", caret="hide")
            path = self.folder / f"{name}-{screen}.jpg"
            if not path.exists() or not await self.alike(path.read_bytes(), picture):
                path.write_bytes(picture)
                print(path.name, flush=True)

    async def alike(self, *pictures: bytes) -> bool:
        """Whether nobody could tell them apart."""
        texts = [base64.b64encode(picture).decode() for picture in pictures]
        return pictures[0] == pictures[1] or await self.desk.evaluate(DIFFERENT, texts) < SAME


async def open_screens(browser: Any, address: str, path: str, wait: str, cookie: str = "") -> dict[str, Any]:
    """A page on a desk and on a phone."""
    pages = {}
    for screen, (size, density) in SIZES.items():
        context = await browser.new_context(
            viewport=size, device_scale_factor=density, base_url=address, reduced_motion="reduce"
        )
        if cookie:
            await context.add_cookies([{"name": "clew", "value": cookie, "url": address}])
        pages[screen] = await context.new_page()
        await pages[screen].goto(path)
        await pages[screen].locator(wait).first.wait_for()
    return pages


async def one_game(browser: Any, address: str, data: Path, game: str, shoot: Camera) -> None:
    """A whole game with its pictures."""
    players = PLAYERS.get(game, 2)
    options = {"rounds": 1} if game == "ariadne" else None
    moves = whole_game(game, players, SEED, options=options)
    own = [number for number, (seat, _) in enumerate(moves) if seat == 0]
    shown = {"opening": own[0], "middle": own[min(MIDDLE[game], len(own) - 1)], "end": len(moves)}
    for moment, number in shown.items():
        table = dealt(game, [ME, *(bot(2) for _ in range(players - 1))], SEED, moves[:number], options)
        await keep(data, [table])
        cookie = cookie_of(data, str(ME.person))
        wait = "aside" if moment == "end" else ".story.mine"
        pages = await open_screens(browser, address, f"/t/{table.row.id}", wait, cookie)
        for page in pages.values():
            for piece in PICK[game] if moment == "middle" else []:
                await page.locator(piece).first.click(position={"x": 10, "y": 24})  # cards may lie in a fan
        await shoot(pages, f"{game}-{moment}")
        for page in pages.values():
            await page.context.close()


async def main(games: list[str], folder: Path) -> None:
    """Start a server, play, and take the pictures."""
    from playwright.async_api import async_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "clew", "serve", "--port", "0", "--data", data, "--request-rate", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server did not start"
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                shoot = Camera(folder, await browser.new_page())
                if not games:
                    await shoot(await open_screens(browser, found[0], "/", ".game"), "home")
                if not games or "moments" in games:
                    await moments(browser, found[0], Path(data), shoot)
                for game in [game for game in games if game != "moments"] if games else clew.games():
                    await one_game(browser, found[0], Path(data), game, shoot)
                await browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    wanted, to = sys.argv[1:], HOME
    if "--to" in wanted:
        at = wanted.index("--to")
        to = Path(wanted[at + 1])
        del wanted[at : at + 2]
    asyncio.run(main(wanted, to))
