"""Draws the pictures of the documentation: `python docs/pictures/draw.py`, or `make pictures`."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

import clew
from clew.games.palaces.picture import picture

HERE = Path(__file__).parent
# rich names a font on somebody's server; a picture of ours asks nobody for anything.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.S).replace("Fira Code", "ui-monospace")


def middle_game() -> clew.Table:
    """A lively moment of The Lost Palaces: both always walk when they can, with the lowest card first."""
    t = clew.new("palaces", seed=3)
    for turn in range(44):
        moves = t.legal_moves()
        walking = [move for move in moves if not str(move).startswith("-")]
        t.play((walking or moves)[(turn * turn) % len(walking or moves)])
    return t


def main() -> None:
    t = middle_game()
    console = Console(width=80, record=True, force_terminal=True, color_system="truecolor", file=io.StringIO())
    console.print(picture(t.view(t.to_move[0])))
    console.save_svg(str(HERE / "palaces.svg"), title="clew play palaces", code_format=FORMAT, unique_id="clew")


if __name__ == "__main__":
    main()
