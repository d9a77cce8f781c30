"""What the kit found: a verdict for each check, what was reached, and how fast the game is."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any


class CheckFailed(Exception):
    """A check that does not hold: the sentence says where, `record` is the game that shows it."""

    def __init__(self, sentence: str, record: str = "") -> None:
        super().__init__(sentence)
        self.record = record


@dataclass(frozen=True)
class Result:
    """The verdict of one check, with a sentence on what was tried or on what is wrong, and on what it left open."""

    name: str
    ok: bool
    detail: str
    seconds: float
    record: str = ""
    undecided: tuple[str, ...] = ()
    reopen: str = ""  # the command that shows the position again, once its record is kept

    def kept(self, game: str, folder: Path) -> Result:
        """The same with its record written into a folder, if there is one; the game is given by its name or folder."""
        if not self.record.startswith("clew-record "):
            return self
        name = Path(game).name
        file = folder / f"{name}-{re.sub('[^a-z]+', '-', self.name)}.clew"
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(self.record, encoding="utf-8")
        command = ["clew", "replay", str(file), *(["--game", game] if game != name else [])]
        return replace(self, reopen=shlex.join(command))

    def json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        found: dict[str, Any] = {
            "name": self.name,
            "ok": self.ok,
            "detail": self.detail,
            "seconds": round(self.seconds, 2),
            "undecided": list(self.undecided),
        }
        shown = {"record": self.record, "reopen": self.reopen}
        return found | {key: text for key, text in shown.items() if text}


@dataclass
class Report:
    """All verdicts on one game."""

    game: str
    where: str = ""  # its name again, or its folder
    checks: list[Result] = field(default_factory=list)
    rules_reached: list[str] = field(default_factory=list)
    rules_missing: list[str] = field(default_factory=list)
    endings_reached: list[str] = field(default_factory=list)
    endings_missing: list[str] = field(default_factory=list)
    games: dict[str, int] = field(default_factory=dict)
    speed: dict[str, float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether every check holds."""
        return all(check.ok for check in self.checks)

    def keep_records(self, folder: Path) -> None:
        """Write the record of each failure into a folder, with the command that opens it."""
        self.checks = [check.kept(self.where or self.game, folder) for check in self.checks]

    def json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "game": self.game,
            "ok": self.ok,
            "checks": [check.json() for check in self.checks],
            "rules_reached": self.rules_reached,
            "rules_missing": self.rules_missing,
            "endings_reached": self.endings_reached,
            "endings_missing": self.endings_missing,
            "games": self.games,
            "speed": self.speed,
        }


def ways_back(report: Report) -> list[str]:
    """For each failure with a record: the command that opens the position, each on a line of its own to be copied."""
    return [f"{check.name}: see the position again by\n  {check.reopen}" for check in report.checks if check.reopen]


def render(report: Report) -> Any:
    """The report for a terminal, to be printed by rich."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1), show_header=False)
    for column in ("verdict", "name", "seconds", "detail"):
        table.add_column(column, no_wrap=column != "detail", justify="right" if column == "seconds" else "left")
    for check in report.checks:
        verdict = Text("✓", "green") if check.ok else Text("✗ fails", "bold red")
        detail = Text(check.detail, "" if check.ok else "red")
        for sentence in check.undecided:
            detail.append(f"\n? Cannot decide: {sentence}", "yellow")
        table.add_row(verdict, Text(check.name), Text(f"{check.seconds:.1f} s", "dim"), detail)
    lines = [
        ("rules reached", report.rules_reached),
        ("rules that nothing named", report.rules_missing),
        ("endings reached", report.endings_reached),
        ("endings not reached", report.endings_missing),
        ("games by style", [f"{style} {count}" for style, count in report.games.items()]),
    ]
    parts: list[Any] = [Text(report.game, "bold"), table]
    parts += [Text(f"{name}: {', '.join(things)}", "dim") for name, things in lines if things]
    failed = sum(not check.ok for check in report.checks)
    parts.append(
        Text(f"{report.game} keeps all {len(report.checks)} checks.", "green")
        if report.ok
        else Text(f"{report.game} fails {failed} of {len(report.checks)} checks.", "bold red")
    )
    return Group(*parts)
