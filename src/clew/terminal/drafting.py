"""A play that is put together part by part: nobody else sees it, nothing saves it, and all of it can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from clew.core.errors import ClewError, IllegalMove
from clew.core.game import Game
from clew.terminal import show
from clew.terminal.session import NOT_A_MOVE, Session, as_typed, span

FAULTS = 6  # that are listed
NOTHING = "You have laid nothing in this turn."
NO_PLAY = "No play was found for you: {}."
UNENDED = "You have begun a play: end it, or clear takes it back."
READY = "This can be played: type end, or go on."

USAGE = """\
                several on a line take effect together; capitals do not matter
  back          take the last line back
  clear         take back everything in this turn
  end           end your turn; also at the end of a line
  table         the table once more
  hint          a play that you could make
  moves         the plays that were found for you; there may be more
  {labels:<12}  the play that stands there in that list, at once"""


def drafts(game: Game) -> bool:
    """Whether plays of this game are put together: whether its words.py has the word `draft`."""
    return hasattr(game.words, "draft")


class Drafting(Session):
    """A session in which a turn is typed in parts until it is ended."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.parts: list[str] = []  # the lines typed in this turn
        self.commands |= {"back": self._back, "clear": self._clear, "table": self._table}

    def _turn(self, seat: int) -> None:
        self.parts.clear()
        super()._turn(seat)

    def _offer(self, seat: int) -> None:
        """A play is for the player to find; whatever else can be done is said."""
        moves = [str(move) for move in self.table.legal_moves(seat)]
        others = [move for move in moves if self._whole(seat, move) is None]
        if len(others) == len(moves):
            self.screen.say(NO_PLAY.format(" or ".join(others)))
        else:
            parts = " or ".join(list(show.examples(self.game))[:2])
            self.screen.say(f"Type your play ({parts}), {', '.join([*others, 'hint'])} or ? for help.", style="dim")

    def _command(self, seat: int, text: str) -> bool:
        if self.parts and text.lower() == "undo":
            text = "back"
        return super()._command(seat, text)

    def _play(self, seat: int, text: str) -> bool:
        """Add to the play, end it, or make a move that has no parts."""
        words = text.replace("−", "-").split()
        ends = words[-1].lower() == "end"
        part = " ".join(words[:-1] if ends else words)
        if self._listed(seat, part):
            return self._at_once(seat, part)
        if part:
            try:
                self.parts = as_typed(part, lambda form: self._tried(seat, [*self.parts, form]))
            except IllegalMove as error:
                if error.rule != NOT_A_MOVE or (self.parts and not self._is_written(seat, part)):
                    raise
                return self._at_once(seat, part)
        if not ends or (part and self._draft(seat, self.parts).faults):
            self._table(seat, "")
            return False
        return self._end_turn(seat)

    def _at_once(self, seat: int, text: str) -> bool:
        if self.parts:
            raise ClewError(UNENDED)
        return super()._play(seat, text)

    def _end_turn(self, seat: int) -> bool:
        if not self.parts:
            raise ClewError(NOTHING)
        draft = self._draft(seat, self.parts)
        if draft.faults:
            self.screen.say(state(draft))
            return False
        self.told = self.table.play(draft.text, seat)
        self.parts.clear()
        return True

    def _leave(self) -> None:
        super()._leave()
        if self.parts:
            self.screen.say("The play that was begun and not ended is not saved.")

    # Drafts

    def _draft(self, seat: int, parts: Sequence[str]) -> Any:
        """What the lines come to: the move, the table and the rack with it, and what is wrong with that."""
        return self.game.words.draft(parts, self._known(seat))

    def _tried(self, seat: int, parts: list[str]) -> list[str]:
        self._draft(seat, parts)
        return parts

    def _whole(self, seat: int, move: str) -> Any:
        """A whole move as a draft, or None for one that has no parts."""
        try:
            return self._draft(seat, [move])
        except IllegalMove:
            return None

    def _is_written(self, seat: int, text: str) -> bool:
        """Whether a move is written so, or a part of a play."""
        return super()._is_written(seat, text) or self._whole(seat, text) is not None

    # Commands

    def _back(self, seat: int, rest: str) -> None:
        if not self.parts:
            raise ClewError(NOTHING)
        self.screen.say(f"{self.parts.pop()} is taken back.")
        self._table(seat, "")

    def _clear(self, seat: int, rest: str) -> None:
        if not self.parts:
            raise ClewError(NOTHING)
        self.parts.clear()
        self._table(seat, "")

    def _table(self, seat: int, rest: str) -> None:
        draft = self._draft(seat, self.parts) if self.parts else None
        self.screen.say(show.picture(self.game, self.table.view(seat), self.table.names, draft))
        if draft:
            self.screen.say(state(draft))

    def _hint(self, seat: int, rest: str) -> None:
        legal = self.table.legal_moves(seat)
        moves = [str(move) for move in legal]
        draft = self._whole(seat, moves[0]) if moves else None
        if draft is None:
            self.screen.say(NO_PLAY.format(" or ".join(moves)) if moves else "It is not your turn.")
            return
        self.screen.title("a play that you could make")
        self.screen.say(show.picture(self.game, self.table.view(seat), self.table.names, draft))
        said = self.table.say(moves[0], seat).long
        self.screen.say(f"{said[0].upper()}{said[1:]}.")
        self.screen.say(f"Written: {moves[0]}")
        self.screen.say(
            f"{'clear takes your own play back, then ' if self.parts else ''}{self._labels(seat, legal)[0]} plays it.",
            style="dim",
        )

    def _usage(self, seat: int) -> str:
        examples = [f"  {part:<12}  {meaning}" for part, meaning in show.examples(self.game).items()]
        legal = self.table.legal_moves(seat)
        labels = span(self._labels(seat, legal)) if legal else "a number"
        return "\n".join([*examples, USAGE.format(labels=labels)])


def state(draft: Any) -> RenderableType:
    """Whether a draft can be played, or what is still wrong with it."""
    if not draft.faults:
        return Text(READY)
    said = [Text(f"{fault['text']} ({fault['rule']})") for fault in draft.faults[:FAULTS]]
    if len(draft.faults) > FAULTS:
        said.append(Text(f"and {len(draft.faults) - FAULTS} more", "dim"))
    return Group(Text("Not yet:", "dim"), *(Padding(line, (0, 0, 0, 2)) for line in said))
