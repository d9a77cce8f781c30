"""What the kit found: a verdict for each check, what was reached, and how fast the game is."""

from __future__ import annotations

from dataclasses import dataclass, field
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

    def json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        found: dict[str, Any] = {
            "name": self.name,
            "ok": self.ok,
            "detail": self.detail,
            "seconds": round(self.seconds, 2),
            "undecided": list(self.undecided),
        }
        return {**found, "record": self.record} if self.record else found


@dataclass
class Report:
    """All verdicts on one game."""

    game: str
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
