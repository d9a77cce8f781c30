"""How long a tap takes until its result is on the screen: in Chromium, against `clew serve` on this machine.

    python bench/browser.py [--json]

A person plays The Lost Palaces against the Ant. Measured is the time from the click that makes a move until the frame
in which the page tells what happened is painted, for each move; `share_of_100_ms` is the 95th percentile as a share of
the tenth of a second within which people feel that they did it themselves.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
WATCH = """() => {
  window.taps = [];
  let tapped = 0;
  addEventListener('click', (event) => {
    if (event.target.closest('.target, .choice button')) tapped = event.timeStamp;
  }, true);
  new MutationObserver(() => {
    if (!tapped) return;
    const from = tapped;
    tapped = 0;
    requestAnimationFrame(() => {
      const painted = new MessageChannel();  // what is posted in a frame arrives after it was painted
      painted.port1.onmessage = () => window.taps.push(performance.now() - from);
      painted.port2.postMessage(0);
    });
  }).observe(document.querySelector('.news'), { childList: true, characterData: true, subtree: true });
}"""


def play(page: Any, moves: int) -> list[float]:
    """Make so many moves and return the milliseconds that each took."""
    page.goto("/")
    page.get_by_role("button", name="The Lost Palaces", exact=True).click()
    page.get_by_text("Options").click()
    page.get_by_label("Strength of the bots").select_option("1")
    page.get_by_role("button", name="Play against a bot").click()
    page.locator(".held:not(:disabled)").first.wait_for()
    page.evaluate(WATCH)
    for _ in range(moves):
        page.locator(".held:not(:disabled), aside").first.wait_for()
        if page.locator("aside").count():
            break
        cards = page.locator(".held:not(.wasted)")
        (cards if cards.count() else page.locator(".held")).first.click(position={"x": 12, "y": 20})
        page.locator(".path .target, .choice button, .discard .target").first.click()
    page.wait_for_timeout(300)
    return page.evaluate("window.taps")


def measure(moves: int = 40) -> dict[str, float]:
    """Start a server and a browser, and play."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "clew", "serve", "--port", "0", "--data", data, "--request-rate", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server did not start"
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                page = browser.new_page(base_url=found[0], viewport={"width": 1280, "height": 800})
                taken = sorted(play(page, moves))
                browser.close()
        finally:
            server.terminate()
            server.wait()
    p95 = taken[int(0.95 * (len(taken) - 1))]
    return {"moves": len(taken), "p50_ms": taken[len(taken) // 2], "p95_ms": p95, "share_of_100_ms": p95 / 100}


if __name__ == "__main__":
    result = {key: round(value, 2) for key, value in measure().items()}
    if "--json" in sys.argv:
        print(json.dumps(result))
    else:
        print(
            f"{result['moves']} moves: p50 {result['p50_ms']} ms, p95 {result['p95_ms']} ms from the tap to the frame"
        )
        print(f"{result['share_of_100_ms']} of a tenth of a second")
