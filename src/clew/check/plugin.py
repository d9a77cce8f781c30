"""The conformance kit as tests: `pytest --clew-game NAME_OR_PATH` runs one test for each check of that game.

This module is loaded in every run of pytest, so it imports nothing of weight before it is asked for a game.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from clew.check.kit import Kit

KITS = pytest.StashKey[dict[str, "Kit"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say which games to check."""
    group = parser.getgroup("clew")
    group.addoption(
        "--clew-game",
        action="append",
        default=[],
        metavar="NAME_OR_PATH",
        help="check this game of Clew, by its name or its folder (can be given several times)",
    )
    group.addoption("--clew-games", type=int, default=200, metavar="N", help="how many games to play for the checks")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the checks of the games to the tests that were found."""
    names: list[str] = config.getoption("--clew-game")
    if names:
        items.extend(item for name in dict.fromkeys(names) for item in _items(session, config, name))


def _items(session: pytest.Session, config: pytest.Config, name: str) -> Iterator[pytest.Item]:
    from clew.check.checks import CHECKS
    from clew.core.errors import UnknownGame
    from clew.core.game import load

    folder = Path(config.invocation_params.dir, name)
    given = str(folder) if folder.is_dir() else name
    try:
        game = load(given).name
    except UnknownGame as error:
        raise pytest.UsageError(str(error)) from error
    for check in CHECKS:
        item = CheckItem.from_parent(session, name=check, nodeid=f"clew::{game}::{check}", given=given)
        if config.pluginmanager.hasplugin("xdist"):
            item.add_marker(pytest.mark.xdist_group(f"clew {game}"))  # the checks of a game share what they played
        yield item


class CheckItem(pytest.Item):
    """One check of one game."""

    def __init__(self, *, given: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.given = given
        self.reopen = ""

    def runtest(self) -> None:
        """Run the check on the games that the checks before it played."""
        from clew.check.checks import run
        from clew.check.kit import Kit
        from clew.check.report import CheckFailed

        kits = self.session.stash.setdefault(KITS, {})
        if self.given not in kits:
            kits[self.given] = Kit(self.given, self.config.getoption("--clew-games"))
        result = run(kits[self.given], self.name)
        self.add_report_section("call", "clew", result.detail)
        if not result.ok:
            folder = Path(tempfile.mkdtemp(prefix="clew-check-"))
            self.reopen = result.kept(kits[self.given].where, folder).reopen
            raise CheckFailed(result.detail, result.record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The sentence, the record that shows it, and the command that opens it."""
        if type(excinfo.value).__name__ != "CheckFailed":
            return super().repr_failure(excinfo, style)
        record = getattr(excinfo.value, "record", "")
        return "\n\n".join(filter(None, (str(excinfo.value), record, self.reopen)))

    def reportinfo(self) -> tuple[Path, None, str]:
        """How pytest calls this test."""
        return self.path, None, self.nodeid


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop what has not begun."""
    for kit in session.stash.get(KITS, {}).values():
        kit.close()
