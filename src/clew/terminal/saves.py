"""Games that wait to be gone on with: records in the user's data folder, with a note of who sits where.

A save holds the deal, as every record does: looking into it before the end is peeking.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from clew.core import records
from clew.core.errors import ClewError
from clew.core.table import Table

PERSON, RANDOM = "person", "random"
SEAT = re.compile(rf"^# seat (\d): ({PERSON}|{RANDOM}|level:[1-6])\s*$", re.M)
PEEKING = "# The deal stands below: reading on before the end is peeking."


def folder() -> Path:
    """Where games are saved: in CLEW_DATA, or in the user's data folder."""
    from platformdirs import user_data_path

    asked = os.environ.get("CLEW_DATA")
    return (Path(asked) if asked else user_data_path("clew")) / "games"


def saved() -> list[Path]:
    """The games that wait, the one played last first."""
    with contextlib.suppress(OSError):
        return sorted(folder().glob("*.clew"), key=lambda path: path.stat().st_mtime, reverse=True)
    return []


def read(path: str | Path) -> str:
    """The text of a record, '-' for standard input, or one sentence why it cannot be had."""
    if str(path) == "-":
        return records.decoded(sys.stdin.buffer.read(records.MOST_BYTES + 1), "Standard input")
    return records.read_file(Path(path))


def seats(text: str) -> dict[int, str]:
    """Who sits where, as far as the record notes it."""
    return {int(seat): who for seat, who in SEAT.findall(text)}


def glance(path: Path) -> tuple[str, int]:
    """Which game waits in a file and how many moves it has; none if the file is damaged."""
    try:
        found = records.parse(read(path))
    except ClewError:
        return "", 0
    return found.headers.get("game", (0, ""))[1], len(found.moves)


def with_seats(table: Table, who: Sequence[str]) -> str:
    """The record with the note of who sits where."""
    first, rest = table.record().split("\n", 1)
    notes = [f"# seat {seat}: {kind}" for seat, kind in enumerate(who)]
    return "\n".join([first, *notes, *([] if table.outcome else [PEEKING]), rest])


def write(path: Path, text: str) -> None:
    """Put a file in place in one step, so that there is always a whole one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".saving-")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


class Save:
    """The file that follows a game: written after each move, put with the finished ones at the end."""

    def __init__(self, game: str, path: Path | None = None) -> None:
        # A file that lies elsewhere was only lent: going on with it must not change it.
        self.path = path if path is not None and path.resolve().parent == folder().resolve() else None
        self._game = game
        self._complained = False

    def keep(self, table: Table, who: Sequence[str]) -> str:
        """Write the game down; the sentence to say when that fails, the first time only."""
        try:
            self._keep(table, with_seats(table, who))
        except OSError as error:
            said, self._complained = self._complained, True
            if self.path and self.path.exists() and not self.path.stat().st_size:
                self.path.unlink()  # the name was taken, but nothing could be written under it
            self.path = None
            return "" if said else f"The game cannot be saved in {folder()}: {_why(error)}."
        return ""

    def _keep(self, table: Table, text: str) -> None:
        home = folder()
        (home / "finished").mkdir(parents=True, exist_ok=True)
        path = self.path or _fresh(home, self._game)
        self.path = home / "finished" / path.name if table.outcome else path
        write(self.path, text)
        if self.path != path:
            path.unlink(missing_ok=True)


def _fresh(home: Path, game: str) -> Path:
    """A name that no other game has, taken at once."""
    started = f"{datetime.now():%Y%m%d-%H%M%S}-{game}"
    for again in range(1, 1000):
        path = home / f"{started}{f'-{again}' if again > 1 else ''}.clew"
        if not (home / "finished" / path.name).exists():
            with contextlib.suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
    raise FileExistsError(f"too many games began at {started}")


def copy(table: Table, who: Sequence[str], name: str) -> Path:
    """Save where the person says; what is there already is replaced only if it is a record."""
    path = Path(os.path.expanduser(name))
    try:
        free = not path.exists() or _begins_as_record(path)
        if free:
            write(path, with_seats(table, who))
    except (OSError, ValueError) as error:
        raise ClewError(f"{path} cannot be written: {_why(error)}.") from None
    if not free:
        raise ClewError(f"{path} exists and is not a record: it stays as it is.")
    return path


def _begins_as_record(path: Path) -> bool:
    first = records.FIRST_LINE.encode()
    with open(path, "rb") as file:
        return file.read(len(first)) == first


def _why(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
