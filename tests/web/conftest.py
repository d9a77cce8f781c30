"""A real server and a real browser for the tests of the page."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "src" / "clew" / "web" / "index.html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file go to one worker: they share a server and a browser.

    Who waited in vain for the browser tries once more, and the run says so: a busy machine must not fail a page that
    works. Whatever the page does wrong fails at once.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents and "web" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group(f"web {item.path.stem}"))
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError"]))


class Server:
    """`clew serve` on a port of its own; it can be killed and started again."""

    def __init__(self, data: Path, *options: str, **environment: str) -> None:
        self.data, self.options, self.environment = data, options, environment
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        command = [sys.executable, "-m", "clew", "serve", "--port", str(self.port), "--data", str(self.data)]
        command += [
            "--request-rate",
            "0",
            "--message-rate",
            "0",
            "--tables",
            "500",
            "--bot-threads",
            "1",
            "--absent",
            "2",
            *self.options,
        ]
        with (self.data / "log").open("a") as log:
            env = {**os.environ, **self.environment}
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT, env=env)
        assert self.process.stdout
        said = self.process.stdout.readline()
        found = re.search(r":(\d+) ", said)
        assert found, f"the server said {said!r}; {(self.data / 'log').read_text()}"
        self.port = int(found[1])

    def kill(self) -> None:
        """End it without a word."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        """End it in good order."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the built page."""
    assert PAGE.is_file(), "the page is not built: run `make web`"
    made = Server(tmp_path_factory.mktemp("server"))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def cold_server(tmp_path: Path) -> Iterator[Server]:
    """A server that has compiled nothing yet."""
    made = Server(tmp_path, CLEW_CACHE=str(tmp_path / "cache"), CLEW_COMPILE="background")
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium, or make services as root")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def web(server: Server, browser: Any) -> Iterator[Any]:
    """Opens pages for new people; whatever a page complains about fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []
    foreign: list[str] = []

    def person(viewport: dict[str, int] = DESK, calm: bool = True, **more: Any) -> Any:
        motion = "reduce" if calm else "no-preference"
        context = browser.new_context(viewport=viewport, reduced_motion=motion, base_url=server.address, **more)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith((server.address, "blob:", "data:")) else foreign.append(request.url)
            ),
        )
        return page

    yield person
    for context in contexts:
        context.close()
    assert complaints == []
    assert foreign == [], "no request leaves the server's origin"


def until(what: Any, seconds: float = 30) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)
