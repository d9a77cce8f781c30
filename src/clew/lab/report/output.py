"""Where the page goes, made sure of before the first game, and the words for the terminal."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from clew.core.errors import ClewError, quoted
from clew.core.game import load
from clew.lab.report.page import page
from clew.lab.report.words import words
from clew.lab.result import Report, Run
from clew.lab.simulation import Play


def check_out(out: str) -> Path:
    """The file that a page can be written to; refused while there is nothing to lose yet."""
    file = Path(out)
    if file.is_dir():
        raise ClewError(f"{quoted(out)} is a folder: name a file for the page, as {quoted(str(file / 'lab.html'))}.")
    try:
        with tempfile.TemporaryFile(dir=file.parent):
            pass
        if file.exists() and not os.access(file, os.W_OK):
            raise PermissionError("it may not be changed")
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClewError(f"The page cannot be written to {quoted(out)}: {reason}. Name another file by --out.") from None
    return file


def write(report: Report, game: str, file: Path) -> None:
    """Write the page with the records of some games; `game` is what the command line calls the game."""
    found = load(game)
    plays: dict[str, Play] = {}

    def recorder(run: Run, number: int) -> str:
        if run.name not in plays:
            plays[run.name] = Play(found, report.players, run.options, report.seed, run.level)
        return plays[run.name].record(number)

    text = page(report, game, recorder)
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as made:
            made.write(text)
        os.chmod(made.name, 0o644)
        os.replace(made.name, file)
    except OSError as error:
        raise ClewError(f"The page cannot be written to {quoted(str(file))}: {error.strerror}.") from None


def in_words(report: Report) -> str:
    """The words as lines for a terminal."""
    said = words(report)
    parts = ["\n".join(said.sentences)]
    changed = ("What the variants change", said.changes if len(said.changes) > 1 else ())
    for title, lines in (
        changed,
        ("What is surprising", said.surprising),
        ("What the games cannot say yet", said.unknown),
    ):
        if lines:
            parts.append("\n".join([title, *(f"  {line}" for line in lines)]))
    return "\n\n".join(parts)
