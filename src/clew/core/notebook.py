"""Pictures for notebooks: a table, a view, a record and results as HTML and SVG that need nothing from anywhere.

What is drawn is what the terminal prints, so a picture shows what its view tells and nothing else. It lies on a card of
its own, plaster by day and night by night, and every colour is shifted until it can be read there.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.color import Color
from rich.console import Console, Group, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from clew.core import pictures
from clew.core.cast import read_names
from clew.core.errors import BadOption, BadView, quoted
from clew.core.game import Game, load

# `Any` in signatures here: plain data of views.

WIDTH = 92  # characters
CELL, LINE, MARGIN, SIZE = 8.4, 18, 14, 14  # pixels: the width of a character, the height of a line, around, the type
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
DAY, NIGHT = ("#F4EBDD", "#1F2A37"), ("#12202B", "#E9E1D3")  # the card and the ink on it
CONTRAST = 4.5  # as WCAG's AA asks for
FAINT = 0.3  # how far what is dim goes towards the card

Rgb = tuple[float, float, float]


class Pictured:
    """Whatever has `__rich__`, what the terminal prints of it, is a picture in a notebook, too."""

    def __rich__(self) -> RenderableType:
        raise NotImplementedError

    def picture(self, width: int = WIDTH) -> Picture:
        """It as a picture, to be shown or kept as SVG."""
        return Picture(self.__rich__(), type(self).__name__, width)

    def _repr_html_(self) -> str:
        return self.picture()._repr_html_()


class Picture:
    """Something drawn, for a notebook (`_repr_html_`, `_repr_svg_`), a file (`svg()`, `html()`) or as text (`str`)."""

    def __init__(self, content: RenderableType, title: str = "Clew", width: int = WIDTH) -> None:
        if isinstance(width, bool) or not isinstance(width, int) or not 20 <= width <= 1000:
            raise BadOption(f"A picture is 20 to 1000 characters wide, not {quoted(width)}.", "width")
        self.title = title
        self._lines = _drawn(content, width)

    def __str__(self) -> str:
        return "\n".join("".join(piece.text for piece in line).rstrip() for line in self._lines)

    def __repr__(self) -> str:
        return f"<picture of {self.title}>"

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_svg_(self) -> str:
        return self.svg()

    def html(self) -> str:
        """The picture as a piece of HTML, with its own styles and nothing that has to be fetched."""
        sheet = _Sheet(str(self))
        lines = ["".join(_span(sheet, piece) for piece in line) for line in self._lines]
        plain = f"font:{SIZE}px/{LINE}px {FONT};white-space:pre;text-align:left;overflow-x:auto"
        whole = f"{{background:CARD;color:INK;padding:{MARGIN}px;border-radius:8px;margin:0;{plain}}}"
        rules = sheet.rules(whole, "color", "background")
        body = "\n".join(lines)
        return (
            f'<div><style>{rules}</style><pre class="{sheet.name}" aria-label="{escape(self.title)}">{body}</pre></div>'
        )

    def svg(self) -> str:
        """The picture as an SVG of its own, with nothing that has to be fetched."""
        sheet = _Sheet(str(self))
        across = max((sum(cell_len(piece.text) for piece in line) for line in self._lines), default=1)
        width, height = round(across * CELL + 2 * MARGIN), len(self._lines) * LINE + 2 * MARGIN
        drawn = [part for number, line in enumerate(self._lines) for part in _at(sheet, number, line)]
        rules = sheet.rules(f"{{fill:INK}} .{sheet.name} .card{{fill:CARD}}", "fill", "fill")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{sheet.name}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-size="{SIZE}" font-family="{escape(FONT)}">'
            f"<title>{escape(self.title)}</title><style>{rules}</style>"
            f'<rect class="card" width="{width}" height="{height}" rx="8"/>{"".join(drawn)}</svg>'
        )


def picture(
    thing: Any,
    names: Sequence[str] | None = None,
    width: int = WIDTH,
    game: Game | str | Path | None = None,
) -> Picture:
    """A picture of a view, of a record (its text, or the Path of its file), of a table, or of a result.

    A view shows what its chair knows; a table and a record show what somebody saw who only watched. A game that is not
    installed is given as `game`, by its folder.

    >>> from clew.core.table import new
    >>> t = new("palaces", seed=7)
    >>> "your hand" in str(picture(t.view(0))), "your hand" in str(picture(t))
    (True, False)
    """
    if isinstance(thing, Mapping):
        return _of_view(thing, names, width, game)
    if isinstance(thing, str | Path):
        return _of_record(thing, width, game)
    draw = getattr(thing, "picture", None)
    if callable(draw):
        drawn: Picture = draw(width=width)
        return drawn
    raise BadOption(f"A picture is of a view, a record, a table or a result, not of {quoted(thing)}.", "thing")


def of_table(heading: str, game: Game, view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """A table as the chair of a view sees it, with a heading above and who is to move, or how it ended, below."""
    parts: list[RenderableType] = [Text(heading, style="bold #D9A441"), Text()]
    copied = view | {"table": _copied(view["table"])}  # names are put in where colours stand
    parts.append(pictures.picture(game, copied, names))
    if view["outcome"]:
        parts += [Text(), pictures.result(view, names)]
    elif view["to_move"]:
        parts += [Text(), Text(f"to move: {', '.join(names[seat] for seat in view['to_move'])}", style="dim")]
    return Group(*parts)


def _known(name: Any, given: Game | str | Path | None) -> Game:
    found = given if isinstance(given, Game) else load(name if given is None else given)
    if found.name != name:
        raise BadView(f"The view is of the game {quoted(name)}, and the one given is {quoted(found.name)}.")
    return found


def _of_view(
    view: Mapping[str, Any], names: Sequence[str] | None, width: int, given: Game | str | Path | None
) -> Picture:
    needed = ("game", "players", "seat", "to_move", "outcome", "table")
    if not all(key in view for key in needed) or not isinstance(view["table"], Mapping):
        raise BadView("A picture is of a view as Table.view(seat) gives it.")
    game = _known(view["game"], given)
    seat = view["seat"]
    called = read_names(names, view["players"])
    heading = f"{game.title}, as {'somebody who watches' if seat is None else called[seat]} sees it"
    return Picture(of_table(heading, game, dict(view), called), game.title, width)


def _of_record(record: str | Path, width: int, given: Game | str | Path | None) -> Picture:
    from clew.core.records import read_file
    from clew.core.story import Story

    known = given if isinstance(given, Game) or given is None else load(given)
    story = Story(read_file(record) if isinstance(record, Path) else record, game=known)
    return Picture(story.render(), story.table.game.title, width)


def _copied(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _copied(part) for key, part in data.items()}
    return [_copied(part) for part in data] if isinstance(data, list) else data


def _drawn(content: RenderableType, width: int) -> list[list[Segment]]:
    """The lines of what rich makes of it, whatever terminal this process has."""
    console = Console(
        file=io.StringIO(),
        width=width,
        height=1000,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
        _environ={},
    )
    lines = console.render_lines(content, console.options.update(height=None), pad=False)
    return [[piece for piece in Segment.simplify(line) if piece.text and not piece.control] for line in lines]


def _span(sheet: _Sheet, piece: Segment) -> str:
    name, text = sheet.word(piece.style), escape(piece.text)
    return f'<span class="{name}">{text}</span>' if name else text


def _at(sheet: _Sheet, number: int, line: Iterable[Segment]) -> Iterable[str]:
    """A line of text in an SVG: each piece as wide as its characters are in a terminal, in whatever type."""
    x, y = float(MARGIN), MARGIN + number * LINE
    for piece in line:
        wide = cell_len(piece.text) * CELL
        ground = sheet.ground(piece.style)
        if ground:
            yield f'<rect class="{ground}" x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{LINE}"/>'
        if piece.text.strip():
            name = sheet.word(piece.style)
            named = f' class="{name}"' if name else ""
            yield (
                f'<text{named} x="{x:.1f}" y="{y + 13}" textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs" '
                f'xml:space="preserve">{escape(piece.text)}</text>'
            )
        x += wide


class _Sheet:
    """The styles that a picture uses, each with a class, for day and for night."""

    def __init__(self, text: str) -> None:
        # Styles in a page hold for all of it: each picture has a name of its own for them.
        self.name = f"clew-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
        self._words: dict[tuple[str, str, bool, bool], str] = {}
        self._grounds: dict[str, str] = {}

    def word(self, style: Style | None) -> str:
        """The class of a piece of text; none for plain text."""
        key = _hex(style.color if style else None), _hex(style.bgcolor if style else None)
        bold, dim = bool(style and style.bold), bool(style and style.dim)
        if key == ("", "") and not bold and not dim:
            return ""
        return self._words.setdefault((*key, bold, dim), f"w{len(self._words)}")

    def ground(self, style: Style | None) -> str:
        """The class of what is behind it; none where that is the card."""
        colour = _hex(style.bgcolor if style else None)
        return self._grounds.setdefault(colour, f"g{len(self._grounds)}") if colour else ""

    def rules(self, whole: str, text: str, ground: str) -> str:
        """The style sheet; `whole` is that for the whole, `text` and `ground` the properties of the two colours."""
        day, night = (self._rules(*theme, whole, text, ground) for theme in (DAY, NIGHT))
        return f"{day} @media (prefers-color-scheme: dark) {{{night}}}"

    def _rules(self, card: str, ink: str, whole: str, text: str, ground: str) -> str:
        found = [f".{self.name}{whole.replace('CARD', card).replace('INK', ink)}"]
        for (colour, behind, bold, dim), name in self._words.items():
            # What has a ground of its own keeps its colours.
            shown = readable(colour or ink, behind or card, dim)
            weight = ";font-weight:bold" if bold else ""
            back = f";{ground}:{behind}" if behind and ground != text else ""
            found.append(f".{self.name} .{name}{{{text}:{shown}{back}{weight}}}")
        found += [f".{self.name} .{name}{{{ground}:{colour}}}" for colour, name in self._grounds.items()]
        return " ".join(found)


def readable(colour: str, ground: str, dim: bool = False) -> str:
    """A colour made darker or lighter, as far as it must be to be read on a ground.

    >>> readable("#D9A441", "#12202B"), readable("#D9A441", "#F4EBDD")
    ('#D9A441', '#846428')
    """
    behind, now = _rgb(ground), _rgb(colour)
    if dim:
        now = _mixed(now, behind, FAINT)
    towards: Rgb = (0, 0, 0) if _light(behind) > 0.18 else (255, 255, 255)
    for step in range(101):
        shown = _written(_mixed(now, towards, step / 100))
        if _contrast(_rgb(shown), behind) >= CONTRAST:
            break
    return shown


def _hex(colour: Color | None) -> str:
    return "" if colour is None or colour.is_default else colour.get_truecolor().hex.upper()


def _rgb(colour: str) -> Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _written(colour: Rgb) -> str:
    return "#" + "".join(f"{round(part):02X}" for part in colour)


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(one, other))
    return red, green, blue


def _light(colour: Rgb) -> float:
    parts = (part / 255 for part in colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Rgb, other: Rgb) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)
