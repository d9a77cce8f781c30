"""The moves of a game, declared once: each form with its parts.

    MOVE = Moves(
        start=Form("{card}:{pawn}", "play {card} with {pawn}", pawn=PAWN, card=CARD),
        discard=Form("-{card}", "discard {card}", card=CARD),
        example="K7:a or -K7",
    )
    start, discard = MOVE.makers()                  # rules: discard(card) gives the move's code
    form_of, card_of = MOVE.readers("card")         # rules: form_of(move), card_of(move), -1 where a form has none

From that come the codes, reading and writing, the sentence for people, a flat number for each move (the code itself,
from 0 to `count` - 1), and the parts of a move as features. Parts are digits of the code, the last counting least.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from clew.core.codegen import compile_source
from clew.core.colours import SEATS
from clew.core.declare import Kind, Pieces, SeatKind
from clew.core.errors import IllegalMove, UnknownGame, quoted
from clew.core.types import ViewRecord

if TYPE_CHECKING:
    from clew.core.cast import Cast


class Form:
    """One form of a move: how it is written, how it is said, and the kinds of its parts.

    `only` tells forms apart that are written alike: it gets the parts by name. Parts named in `hidden` are known to
    who moves alone: others see only that such a move was made. `rule` is the rule behind it, which events name.
    """

    def __init__(
        self,
        written: str,
        said: str = "",
        *,
        only: Callable[..., bool] | None = None,
        hidden: tuple[str, ...] = (),
        rule: str = "",
        **parts: Kind,
    ) -> None:
        self.written, self.said, self.only, self.hidden, self.parts = written, said or written, only, hidden, parts
        self.name, self.rule = "", rule
        for form in (self.written, self.said):
            for part in re.findall(r"\{(\w*)\}", form):
                if part not in parts:
                    raise UnknownGame(f"The form {form!r} has no part {part!r}; its parts are {', '.join(parts)}.")
        for part in parts:
            if f"{{{part}}}" not in written:
                raise UnknownGame(f"The form {written!r} leaves out its part {part!r}, so it could not be read.")
        for part in hidden:
            if part not in parts:
                raise UnknownGame(f"The form {written!r} hides the part {part!r}, which it does not have.")

    @property
    def size(self) -> int:
        """How many moves have this form."""
        return int(np.prod([len(_words(kind)) for kind in self.parts.values()], dtype=np.int64))

    def pattern(self) -> re.Pattern[str]:
        """What a move of this form looks like."""

        def part(found: re.Match[str]) -> str:
            words = sorted(_words(self.parts[found[1]]), key=len, reverse=True)
            return f"(?P<{found[1]}>{'|'.join(map(re.escape, words))})"

        return re.compile(re.sub(r"\\\{(\w+)\\\}", part, re.escape(self.written)))


class Moves:
    """All forms of a game's moves."""

    def __init__(self, *, example: str, **forms: Form) -> None:
        self.forms, self.example = tuple(forms.values()), example
        self.offsets: list[int] = []
        self.count = 0
        for name, form in forms.items():
            form.name = name
            self.offsets.append(self.count)
            self.count += form.size
        self._patterns = [form.pattern() for form in self.forms]
        self._written: dict[int, str] = {}  # lists of legal moves are long, and written again and again
        self._read: dict[str, int] = {}  # a move has one written form, so there are no more of these

    def code(self, form: int, **parts: int) -> int:
        """The code of a move, from the values of its parts."""
        code = 0
        for name, kind in self.forms[form].parts.items():
            code = code * len(_words(kind)) + parts[name] - _first(kind)
        return self.offsets[form] + code

    def codes_of(self, form: Form) -> range:
        """The codes of all moves of a form."""
        offset = self.offsets[self.forms.index(form)]
        return range(offset, offset + form.size)

    def split(self, move: int) -> tuple[Form, dict[str, int]]:
        """The form of a move, and the values of its parts."""
        number = max(n for n, offset in enumerate(self.offsets) if offset <= move)
        form, rest, parts = self.forms[number], int(move) - self.offsets[number], {}
        for name, kind in reversed(form.parts.items()):
            rest, digit = divmod(rest, len(_words(kind)))
            parts[name] = digit + _first(kind)
        return form, dict(reversed(parts.items()))

    def write(self, move: int, v: ViewRecord = None) -> str:  # v: words of all games are given the view
        """The written form of a move."""
        written = self._written.get(move)
        if written is None:
            form, parts = self.split(move)
            words = {name: _word(form.parts[name], code) for name, code in parts.items()}
            written = self._written[move] = form.written.format_map(words)
        return written

    def parse(self, text: str, v: ViewRecord = None) -> int:  # likewise
        """The move that is written so."""
        if text not in self._read:
            self._read[text] = self._parse(text)
        return self._read[text]

    def _parse(self, text: str) -> int:
        for number, pattern in enumerate(self._patterns):
            found, form = pattern.fullmatch(text), self.forms[number]
            if found:
                parts = {
                    name: _words(form.parts[name]).index(word) + _first(form.parts[name])
                    for name, word in found.groupdict().items()
                }
                if form.only is None or form.only(**parts):
                    return self.code(number, **parts)
        raise IllegalMove("COM-06", f"{quoted(text)} is not a move; moves are written like {self.example}.")

    def spoken(self, move: int, cast: Cast | None = None) -> dict[str, str]:
        """The parts of a move as people say them; players by their names, or by their colours without a cast."""
        form, parts = self.split(move)
        if cast is None:  # rules are not compiled anew when a word of a cast changes
            from clew.core.cast import Cast

            cast = Cast()
        return {name: _spoken(form.parts[name], code, cast) for name, code in parts.items()}

    def pieces(self, move: int) -> list[str]:
        """The names of the pieces that are parts of a move."""
        form, parts = self.split(move)
        kinds = {name: form.parts[name] for name in parts}
        return [_word(kind, parts[name]) for name, kind in kinds.items() if isinstance(kind, Pieces)]

    def say(self, move: int, v: ViewRecord = None, cast: Cast | None = None) -> tuple[str, str]:  # likewise
        """A move for people, without any code: in a few words, and in a sentence."""
        said = self.split(move)[0].said.format_map(self.spoken(move, cast))
        return said, said

    def say_hidden(self, move: int, cast: Cast) -> str:
        """A move as others say it who do not know its hidden parts: "lay a card in the west"."""
        form = self.split(move)[0]
        said = form.said
        for part in form.hidden:
            some = f"{'an' if part[0] in 'aeiou' else 'a'} {part.replace('_', ' ')}"
            said = re.sub(rf"\b(?:(?:the|an?) )?\{{{part}\}}|\{{{part}\}}", some, said)
        return said.format_map(self.spoken(move, cast))

    @property
    def hides(self) -> bool:
        """Whether some moves are known to their player alone."""
        return any(form.hidden for form in self.forms)

    def face(self, move: int) -> int:
        """The code that stands for all moves which others cannot tell from this one; -1 for a move made openly."""
        form, parts = self.split(move)
        if not form.hidden:
            return -1
        shown = {name: _first(form.parts[name]) if name in form.hidden else code for name, code in parts.items()}
        return self.code(self.forms.index(form), **shown)

    # For compiled rules

    def makers(self) -> tuple[Callable[..., int], ...]:
        """A rule for each form, in order, that makes a move's code from the values of its parts."""
        lines = []
        for form, offset in zip(self.forms, self.offsets):
            code = "0"
            for name, kind in form.parts.items():
                code = f"({code}) * {len(_words(kind))} + {name} - {_first(kind)}"
            lines += [f"def {form.name}({', '.join(form.parts)}):", f"    return {offset} + {code}", "", ""]
        home = sys._getframe(1).f_globals
        made = compile_source("\n".join(lines), {}, home["__name__"], home["__file__"], "makers of moves")
        return tuple(made[form.name] for form in self.forms)

    def readers(self, *parts: str) -> tuple[Callable[[int], int], ...]:
        """A rule that gives the number of a move's form, and one for each part named; -1 where there is none."""
        known = sorted({part for form in self.forms for part in form.parts})
        for part in parts:
            if part not in known:
                close, there = get_close_matches(part, known, 1), ", ".join(known)
                said = f"did you mean {close[0]!r}?" if close else f"there are {there}."
                raise UnknownGame(f"No form has a part {part!r}; {said}")
        home = sys._getframe(1).f_globals
        return self._tables(home["__name__"], home["__file__"], *parts)

    def _tables(self, module: str, file: str, *parts: str) -> tuple[Callable[[int], int], ...]:
        split = [self.split(move) for move in range(self.count)]
        scope: dict[str, Any] = {"FORM": np.array([self.forms.index(form) for form, _ in split])}
        within = f" if 0 <= move < {self.count} else -1"  # a number that is no move has no parts
        lines = ["def form_of(move):", f"    return FORM[move]{within}", "", ""]
        for part in parts:
            scope[part.upper()] = np.array([found.get(part, -1) for _, found in split])
            lines += [f"def {part}_of(move):", f"    return {part.upper()}[move]{within}", "", ""]
        made = compile_source("\n".join(lines), scope, module, file, "readers of moves")
        return tuple(made[f"{name}_of"] for name in ("form", *parts))

    def face_rule(self, module: str, file: str) -> Callable[[int], int]:
        """`face` for compiled rules."""
        scope = {"FACES": np.array([self.face(move) for move in range(self.count)])}
        text = "def face(move):\n    return FACES[move]\n"
        made: Callable[[int], int] = compile_source(text, scope, module, file, "faces of moves")["face"]
        return made


def _words(kind: Kind) -> tuple[str, ...]:
    if isinstance(kind, Pieces):
        return kind.pieces
    if isinstance(kind, SeatKind):
        return (*["nobody"] * kind.first, *SEATS[: kind.seats])
    return kind.names or tuple(map(str, range(kind.low, kind.high + 1)))


def _first(kind: Kind) -> int:
    return kind.first if isinstance(kind, Pieces) else kind.low


def _word(kind: Kind, code: int) -> str:
    return _words(kind)[code - _first(kind)]


def _spoken(kind: Kind, code: int, cast: Cast) -> str:
    if isinstance(kind, SeatKind) and kind.first <= code < kind.first + len(cast.names):
        return cast.whom(code - kind.first)
    return kind.say(code) if isinstance(kind, Pieces) else _word(kind, code)
