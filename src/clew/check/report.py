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
    tried: bool = True
    alike: str = ""  # the first check that fails by the same
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
            "tried": self.tried,
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


def pointed(checks: list[Result]) -> list[Result]:
    """The verdicts with each fault told once: where a later check meets the same it names the first."""
    first: dict[str, str] = {}
    found = []
    for check in checks:
        fault = _fault(check.detail)
        if not check.ok and check.tried and first.setdefault(fault, check.name) != check.name:
            check = replace(check, detail=f"The same as in “{first[fault]}”.", alike=first[fault])
        found.append(check)
    return found


def _fault(detail: str) -> str:
    """What went wrong, without in which check and in which game."""
    raised = re.search(r"\b[A-Z]\w*(?:Error|Rules|Exception): (.*)", detail)
    return re.sub(r" \((?:seed|ply) [^()]*\)\.?$", "", raised[1] if raised else detail)


def verdict(report: Report) -> str:
    """All in one line, with what to read first where several checks fail."""
    if report.ok:
        return f"{report.game} keeps all {len(report.checks)} checks."
    failed = [check for check in report.checks if not check.ok and check.tried]
    said = f"{report.game} fails {len(failed)} of {len(report.checks)} checks."
    if len(failed) == len(report.checks) - sum(check.ok for check in report.checks) == 1:
        return said
    alike = sum(check.alike == failed[0].name for check in failed)
    more = f": {alike} more {'fails' if alike == 1 else 'fail'} by the same" if alike else ""
    return f"{said} Read “{failed[0].name}” first{more}."


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
    for check in (check for check in report.checks if check.tried):
        mark = Text("✓", "green") if check.ok else Text("✗ fails", "bold red")
        detail = Text(check.detail, "" if check.ok else "red")
        for sentence in check.undecided:
            detail.append(f"\n? Cannot decide: {sentence}", "yellow")
        table.add_row(mark, Text(check.name), Text(f"{check.seconds:.1f} s", "dim"), detail)
    untried = [check for check in report.checks if not check.tried]
    lines = [
        *((check.detail.rstrip("."), [one.name for one in untried]) for check in untried[:1]),
        ("rules reached", report.rules_reached),
        ("rules that nothing named", report.rules_missing),
        ("endings reached", report.endings_reached),
        ("endings not reached", report.endings_missing),
        ("games by style", [f"{style} {count}" for style, count in report.games.items()]),
    ]
    parts: list[Any] = [Text(report.game, "bold"), table]
    parts += [Text(f"{name}: {', '.join(things)}", "dim") for name, things in lines if things]
    parts.append(Text(verdict(report), "green" if report.ok else "bold red"))
    return Group(*parts)
