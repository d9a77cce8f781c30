"""A table as a text or as an image, as one chair sees it: drawn from its view, like in a terminal."""

from __future__ import annotations

from io import StringIO
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.style import Style

from clew.core import pictures
from clew.core.events import SEATS
from clew.core.game import Game
from clew.core.knowledge import look, plain
from clew.core.protocol import SPECTATOR
from clew.core.types import Json, States

# `Any` in signatures here: fonts of Pillow, which is imported for images alone.

WIDTH = 80  # characters
PAPER, INK = "#12202B", "#E9E1D3"
SIZE = 16  # of a letter, in pixels
FONTS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "Menlo.ttc", "consola.ttf")

Image = npt.NDArray[np.uint8]


def view_of(game: Game, states: States, chair: int) -> Json:
    """What a chair knows of the first state, as plain data."""
    s, players = states[0], int(states["players"][0])
    owing, ending = int(game.kernels.to_move(s)), int(game.kernels.ending(s))
    outcome = None
    if ending:
        scores, places = np.zeros((2, players), np.int64)
        game.kernels.result(s, scores, places)
        outcome = {"places": places.tolist(), "scores": scores.tolist(), "ended": game.endings[ending - 1]}
    return {
        "game": game.name,
        "rules": game.version,
        "options": {option.name: option.value(int(states[option.name][0])) for option in game.options},
        "players": players,
        "seat": None if chair == SPECTATOR else chair,
        "to_move": [seat for seat in range(players) if owing >> seat & 1],
        "outcome": outcome,
        "table": game.words.describe(plain(look(game, states, chair))),
    }


def as_text(game: Game, view: Json) -> str:
    """The table in letters."""
    return pictures.as_text(pictures.picture(game, view, SEATS[: view["players"]]), WIDTH)


def as_image(game: Game, view: Json) -> Image:
    """The table as an image, a letter a cell, as a terminal shows it."""
    try:
        from PIL import Image as Pillow
        from PIL import ImageColor, ImageDraw
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError("Images need Pillow: pip install clew[pettingzoo]") from missing
    console = Console(file=StringIO(), width=WIDTH, color_system="truecolor", legacy_windows=False, force_terminal=True)
    lines = console.render_lines(pictures.picture(game, view, SEATS[: view["players"]]), pad=True)
    font = _font()
    wide, high = max(1, round(font.getlength("M" * 10) / 10)), font.getbbox("█Mg|")[3] + SIZE // 4
    image = Pillow.new("RGB", ((WIDTH + 2) * wide, (len(lines) + 1) * high), PAPER)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        column = 1
        for segment in line:
            ink, paper = (ImageColor.getrgb(colour) for colour in _colours(segment.style))
            for letter in segment.text:
                x, y = column * wide, row * high + high // 2
                if paper != ImageColor.getrgb(PAPER):
                    pen.rectangle((x, y, x + wide - 1, y + high - 1), fill=paper)
                if not letter.isspace():
                    pen.text((x, y), letter, fill=ink, font=font)
                column += 1
    return np.asarray(image, np.uint8).copy()


def _font() -> Any:
    """Letters that are all as wide, where the system has some, else those that Pillow brings."""
    from PIL import ImageFont

    for name in FONTS:
        try:
            return ImageFont.truetype(name, SIZE)
        except OSError:
            continue
    return ImageFont.load_default(SIZE)


def _colours(style: Style | None) -> tuple[str, str]:
    """Ink and paper of a piece of text; what is dim is nearer to the paper."""
    style = style or Style.null()
    ink = style.color.get_truecolor().hex if style.color and not style.color.is_default else INK
    paper = style.bgcolor.get_truecolor().hex if style.bgcolor and not style.bgcolor.is_default else PAPER
    if style.reverse:
        ink, paper = paper, ink
    if style.dim:
        pairs = zip(bytes.fromhex(ink[1:]), bytes.fromhex(paper[1:]))
        ink = "#" + "".join(f"{(3 * own + 2 * other) // 5:02x}" for own, other in pairs)
    return ink, paper
