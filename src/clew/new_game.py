"""`clew new-game`: a small complete game to change into one's own."""

from __future__ import annotations

import re
from pathlib import Path

from clew.core.errors import ClewError, quoted, shortened
from clew.core.game import names

STARTER = Path(__file__).parent / "starter"
FILES = ("rules.py", "rules.md", "test_starter.py")


def write(name: str, where: Path) -> Path:
    """Write the starter game under another name into a new folder in `where`; the folder."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,29}", name):
        raise ClewError(
            f"{quoted(name)} cannot be the name of a game: write 2 to 30 small letters, digits and _, a letter first."
        )
    if name in names():
        raise ClewError(f"There is a game {quoted(name)} already; choose another name.")
    folder = where / name
    if folder.exists() or folder.is_symlink():
        raise ClewError(f"{shortened(str(folder), 150)} is there already; nothing was written.")
    try:
        folder.mkdir(parents=True)
        for file in FILES:
            text = (STARTER / file).read_text(encoding="utf-8")
            (folder / file.replace("starter", name)).write_text(_renamed(text, name), encoding="utf-8")
    except OSError as error:
        raise ClewError(f"{shortened(str(folder), 150)} cannot be written: {error.strerror}.") from error
    return folder


def _renamed(text: str, name: str) -> str:
    """The starter's text with this game's name, title and rule ids."""
    letters = re.sub(r"[^a-z]", "", name).upper()
    title = name.replace("_", " ").strip().title()
    prefix = f"{letters}XX"[:3].replace("COM", "CMM")  # COM is for what holds in all games
    return text.replace("Starter", title).replace("starter", name).replace("STA-", f"{prefix}-")
