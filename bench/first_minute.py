"""The first minute of a newcomer: from the tap on "Play against a bot" to the first moves, in a real browser.

    python bench/first_minute.py [GAME ...] [--level 3] [--json]

For each game a server starts with nothing compiled and no data; as soon as it says its address a person opens the page,
begins a game against bots and makes one move by the page's own buttons. Then once more with what was compiled then.

own       from the tap to the person's own first move on the board, without the time that bots had the turn before it
answer    how long the first bot took, from its turn to its move; the longest of them where several play
told      whether the page told of compiling while it waited for a bot more than a second
compiled  from the tap until everything that this game needs is compiled

Wanted are 5 seconds for the one and 10 for the other. The figures go by the clock on the wall, in the browser.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "web"))

from browser import FLAGS  # noqa: E402
from players import GAMES, listen, play  # noqa: E402

OWN, ANSWER = 5.0, 10.0  # seconds
LONGEST = 300  # seconds to wait for anything
WATCH = """
window.heard = [];
window.told = 0;
window.WebSocket = class extends WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener('message', (event) => {
      const message = JSON.parse(event.data);
      const now = message.now?.view;
      heard.push({ at: performance.now(), type: message.type, seat: message.entry?.seat, kind: message.entry?.kind,
        turn: now?.to_move, done: message.done, total: message.total });
    });
  }
};
addEventListener('click', (event) => {
  if (event.target.closest('.ways .first')) window.tapped = event.timeStamp;
}, true);
setInterval(() => {
  const node = document.querySelector('.preparing');
  if (node && getComputedStyle(node).visibility === 'visible') window.told ||= performance.now();
}, 50);
"""


@contextmanager
def server(cache: Path) -> Iterator[str]:
    """A server with this cache and no data; its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "clew", "serve", "--port", "0", "--data", data, "--request-rate", "0"]
        env = {**os.environ, "CLEW_CACHE": str(cache), "CLEW_COMPILE": "background"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
        try:
            assert process.stdout
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not start"
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def first_moves(browser: Any, address: str, game: str, level: int, wait: bool) -> dict[str, Any]:
    """Begin a game against bots, make a move, wait for the bots; with `wait` also for the compiler."""
    page = browser.new_page(base_url=address, viewport={"width": 1280, "height": 800})
    page.set_default_timeout(LONGEST * 1000)
    page.add_init_script(WATCH)
    told = listen(page)
    page.goto("/")
    page.get_by_role("button", name=GAMES[game], exact=True).click()
    dialog = page.get_by_role("dialog")
    if level != 3:
        dialog.get_by_text("Options").click()
        dialog.get_by_label("Strength of the bots").select_option(str(level))
    dialog.get_by_role("button", name=re.compile("Play against")).click()
    page.locator("[data-board]").wait_for()
    play(page, game, told, moves=1)
    end = time.monotonic() + LONGEST
    while True:
        found = read(page.evaluate("[heard, tapped, told]"))
        if found["answer"] is not None and found["own"] is not None and (found["compiled"] or not wait):
            page.close()
            return found
        if found["answer"] is None and found["mine"]:  # in Cardtracks one may have two turns in a row
            play(page, game, told, moves=1)
        assert time.monotonic() < end, f"{game}: not within {LONGEST} s, {found}"
        page.wait_for_timeout(100)


def read(watched: list[Any]) -> dict[str, Any]:
    """The figures, in seconds, out of what the page heard."""
    heard, tapped, told = watched
    since = tapped  # when the last thing happened at the table
    turn: list[int] = []
    own = answer = compiled = None
    waited = 0.0
    for message in heard:
        if message["type"] == "preparing" and message["done"] == message["total"]:
            compiled = message["at"] - tapped
        if message["kind"] == "move" and message["seat"] == 0 and own is None:
            own = message["at"] - tapped - waited
        elif message["kind"] == "move" and message["seat"] != 0:
            answer = max(answer or 0.0, message["at"] - since)
            waited += message["at"] - since if own is None and 0 not in turn else 0.0
        if message["turn"] is not None:
            since, turn = message["at"], message["turn"]
    seconds = [None if figure is None else round(figure / 1000, 2) for figure in (own, answer, compiled)]
    return {"own": seconds[0], "answer": seconds[1], "compiled": seconds[2], "told": bool(told), "mine": 0 in turn}


def measure(games: list[str], level: int, say: Any) -> dict[str, Any]:
    """All figures."""
    from playwright.sync_api import sync_playwright

    figures: dict[str, Any] = {}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for game in games:
            cache = Path(folder) / game
            figures[game] = {}
            for start in ("empty", "warm"):
                say(f"{game}, {start} cache")
                with server(cache) as address:
                    figures[game][start] = first_moves(browser, address, game, level, start == "empty")
        browser.close()
    return {"level": level, "load": os.getloadavg()[0], "wanted": {"own": OWN, "answer": ANSWER}, "games": figures}


def render(figures: dict[str, Any]) -> str:
    """The figures as a table."""
    lines = [
        "| seconds | own, empty cache | answer | told | compiled | own, warm | answer |",
        "|---|---:|---:|---|---:|---:|---:|",
    ]
    for game, found in figures["games"].items():
        empty, warm = found["empty"], found["warm"]
        told = "yes" if empty["told"] else "–"
        cells = [empty["own"], empty["answer"], told, empty["compiled"], warm["own"], warm["answer"]]
        lines.append(f"| {game} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print; exit code 1 when a figure is out of bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="which games; all by default")
    parser.add_argument("--level", type=int, default=3, choices=range(1, 7), help="the level of the bots")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    chosen = parser.parse_args()
    figures = measure(chosen.games or list(GAMES), chosen.level, lambda now: print(now, file=sys.stderr, flush=True))
    print(json.dumps(figures, indent=2) if chosen.json else render(figures))
    late = [
        f"{game}, {start} cache: {what} {found[what]} s"
        for game, starts in figures["games"].items()
        for start, found in starts.items()
        for what, bound in (("own", OWN), ("answer", ANSWER))
        if found[what] > bound
    ]
    if late:
        sys.exit("Out of bounds: " + "; ".join(late))


if __name__ == "__main__":
    main()
