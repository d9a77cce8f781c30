"""Shared by all tests."""

import os
from pathlib import Path

import pytest

from clew.core import game as games
from clew.core import kernels

WEB = Path(__file__).parent / "web"

# Machine code from the first call on, here and in all processes that tests start: what rules do while they are not
# compiled yet is tested where it is meant.
os.environ.setdefault("CLEW_COMPILE", "ahead")
if os.environ["CLEW_COMPILE"] == "ahead":
    kernels.compile_ahead()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where workers share the tests, what takes longest begins first: begun last it would keep all but one idle.

    Those of the page come last: where its browser has begun, no coroutine can be run as a test any more.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (WEB in item.path.parents, item.get_closest_marker("slow") is None))


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games in folders that are loaded by this test run as plain Python: for a few moves compiling takes far longer."""
    monkeypatch.setattr(kernels, "jitted", lambda: False)
    monkeypatch.setattr(games, "_in_folders", dict(games._in_folders))  # the tests that follow load them anew
