"""A game at one keyboard, turn by turn: every person is shown their own view and nothing else."""

from __future__ import annotations

import base64
import random
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from clew.bots.bot import Bot, bot
from clew.bots.levels import level
from clew.core.errors import ClewError, IllegalMove
from clew.core.events import Event
from clew.core.moves import Move
from clew.core.table import Table
from clew.terminal import saves, show
from clew.terminal.saves import PERSON, RANDOM, Save
from clew.terminal.screen import Quit, Screen
from clew.terminal.waiting import thinking

MOVE_LINES = 8  # of moves under the picture; 'moves' lists them all
NOT_A_MOVE = "COM-06"
ADVISER, HINTS = 5, 3  # the level of the bot that gives hints, and how many moves it tells

Done = TypeVar("Done")

MOVES = """\
  {labels:<12}  the move that stands there in the list
  {example:<12}  the move as it is written; capitals and blanks do not matter
  moves         all your moves
  hint          what a good player would do, and how sure that is"""
COMMANDS = """\
  log           everything that happened, as you saw it
  undo          take your last move back, if it showed nobody anything
  save [FILE]   where the game is saved; with FILE, save it there too
  ? RULE        one rule, such as ? {rule}; ? all is the whole rule book
  quit          leave; 'clew play --resume' goes on"""
ALSO_MOVES = "Now a move of yours, so no command: {}."


class Session:
    """Persons and bots at a table, until the game is over or somebody leaves."""

    def __init__(
        self,
        table: Table,
        who: Sequence[str],
        screen: Screen,
        save: Save,
        chance: random.Random,
        bots: Mapping[str, Bot],
    ) -> None:
        self.table = table
        self.game = table.game
        self.who = tuple(who)
        self.screen = screen
        self.save = save
        self.chance = chance
        self.bots = bots
        self.shared = self.who.count(PERSON) > 1
        self.seated: int | None = None  # who is looking at the screen, when several share it
        self.told: list[Event] = []  # what came of the last move, as its player saw it
        self.found = len(table.moves)  # already played when the session began
        self.commands: dict[str, Callable[[int, str], None]] = {
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "moves": self._moves,
            "log": self._log,
            "save": self._save,
            "quit": self._quit,
            "exit": self._quit,
        }

    def run(self) -> None:
        """Play to the end, or until somebody leaves: then the game waits."""
        try:
            while self.table.to_move:
                seat = self.table.to_move[0]
                if self.who[seat] == PERSON:
                    self._turn(seat)
                else:
                    self.table.play(self._answer(seat), seat)
                    self._keep()
            self._end()
        except (Quit, KeyboardInterrupt):
            self._leave()

    def _answer(self, seat: int) -> Move:
        """The move of a seat that no person has."""
        if self.who[seat] == RANDOM:
            return self.chance.choice(self.table.legal_moves(seat))
        player = self.bots[self.who[seat]]
        with thinking(self.screen.console, self.game, self.table.names[seat]):
            return player.choose(self.table.view(seat))

    # A turn

    def _turn(self, seat: int) -> None:
        if self.shared and self.seated != seat:
            self.screen.curtain(self.table.names[seat])
            self.seated = seat
        self._show(seat)
        while not self._command(seat, self.screen.ask(f"{self.table.names[seat]}> ")):
            pass
        others = [other for other in self.table.to_move if other != seat and self.who[other] == PERSON]
        if self.shared and others and seat not in self.table.to_move:
            self._pass_on(seat, self.table.names[others[0]])

    def _pass_on(self, seat: int, other: str) -> None:
        """The mover reads what came of the move, and may think better of it, before the curtain falls."""
        self.screen.say()
        self.screen.say(show.news(self.told, self.table.names))
        count = len(self.table.moves)
        while text := self.screen.ask(f"Enter passes the keyboard to {other}; undo takes the move back. "):
            if text.split()[0].lower() in ("undo", *self.commands):
                self._command(seat, text)
            if len(self.table.moves) < count:
                return

    def _show(self, seat: int) -> None:
        since = self._last(seat)
        if self.shared and since:
            since += 1  # the own move was told before the curtain fell
        self.screen.title(f"{show.heading(self.table)}: {self.table.names[seat]}")
        self.screen.say(show.picture(self.game, self.table.view(seat), self.table.names))
        self._tell(seat, since)
        self._offer(seat)

    def _tell(self, chair: int | None, since: int = 0) -> None:
        """What happened as a chair saw it; to the only one at the keyboard, who is "you"."""
        events = self.table.events(chair, since, you=not self.shared)
        self.screen.say(show.news(events, self.table.names))

    def _offer(self, seat: int) -> None:
        """What the seat can do."""
        self._list(seat, MOVE_LINES)

    def _list(self, seat: int, lines: int | None = None) -> None:
        """The legal moves with their labels."""
        legal = self.table.legal_moves(seat)
        self.screen.say(show.moves(self.game, legal, self._labels(seat, legal), self.screen.width, lines))

    def _last(self, seat: int) -> int:
        """After how many moves the seat had made its last one; 0 when it has made none."""
        made = [number for number, (mover, _) in enumerate(self.table.moves, start=1) if mover == seat]
        return made[-1] if made else 0

    def _command(self, seat: int, text: str) -> bool:
        """Do what was typed; True when that was a move, taken back or made."""
        word, _, rest = text.partition(" ")
        if text.startswith("?"):
            word, rest = "?", text[1:]
        try:
            if not text:
                return False
            if self._is_legal(seat, text):
                if not self._play(seat, text):
                    return False
            elif word.lower() == "undo":
                move = self.table.undo(seat)
                self.screen.say(f"Taken back: {self.table.say(move, seat).short}.")
            elif word.lower() in self.commands:
                self.commands[word.lower()](seat, rest.strip())
                return False
            elif not self._play(seat, text):
                return False
        except IllegalMove as error:
            self.screen.say(str(error))
            if error.rule in show.rule_ids(self.game):
                self.screen.say(f"? {error.rule} shows the rule.", style="dim")
            return False
        except ClewError as error:
            self.screen.say_where(str(error))
            return False
        self._keep()
        return True

    def _play(self, seat: int, text: str) -> bool:
        """Make the move that was typed; True when it is made."""
        legal = self.table.legal_moves(seat)
        meant = match(text, legal) or self._listed(seat, text)
        # What is not a legal move gets the refusal of the move that was meant, however it was typed.
        self.told = self.table.play(meant, seat) if meant else as_typed(text, lambda form: self.table.play(form, seat))
        return True

    def _is_legal(self, seat: int, text: str) -> bool:
        """Whether this is a legal move as it is written, which goes before a command and a label.

        Where it is a command, too, capitals and blanks count.
        """
        legal = self.table.legal_moves(seat)
        if text.lower() in ("undo", *self.commands):
            return text in map(str, legal)
        if match(text, legal):
            return True
        try:
            self.table.judge(text, seat)
        except IllegalMove:
            return False
        return True

    def _is_written(self, seat: int, text: str) -> bool:
        """Whether a move of this game is written so, legal or not."""
        try:
            as_typed(text, lambda form: self.game.words.parse(form, self._known(seat)))
        except IllegalMove:
            return False
        return True

    def _known(self, seat: int) -> Any:
        known = base64.b64decode(self.table.view(seat)["known"])
        return np.frombuffer(known, dtype=self.game.rules.VIEW).view(np.recarray)[0]

    def _listed(self, seat: int, text: str) -> Move | None:
        """The move with this label in the list; a number that is neither a label nor a move is refused."""
        legal = self.table.legal_moves(seat)
        labels = self._labels(seat, legal)
        label = text.lower().removesuffix(")")
        if label in labels:
            return legal[labels.index(label)]
        if legal and text.isascii() and text.isdigit() and not self._is_written(seat, text):
            raise ClewError(f"In the list are the moves {span(labels)}.")
        return None

    def _labels(self, seat: int, legal: Sequence[Move]) -> list[str]:
        """What each move of a list is called: its number, or a letter where a number could be a written move."""
        if not any(str(move).isdigit() for move in legal):
            numbers = [str(number) for number in range(1, len(legal) + 1)]
            if not any(self._is_written(seat, number) for number in numbers):
                return numbers
        letters = [_letters(number) for number in range(len(legal))]
        if any(letter in self.commands or self._is_written(seat, letter) for letter in letters):
            return [f"#{number}" for number in range(1, len(legal) + 1)]
        return letters

    def _keep(self) -> None:
        complaint = self.save.keep(self.table, self.who)
        if complaint:
            self.screen.say_where(complaint)

    # Commands

    def _help(self, seat: int, rest: str) -> None:
        from rich.markdown import Markdown

        if rest:
            book = rest.lower() == "all"
            self.screen.say(Markdown(self.game.rule_book() if book else show.rule(self.game, rest)))
            return
        ids = show.rule_ids(self.game) or ["ID"]
        self.screen.say(self._usage(seat))
        self.screen.say(COMMANDS.format(rule=ids[len(ids) // 2]))
        if taken := [name for name in ("undo", *self.commands) if self._is_legal(seat, name)]:
            self.screen.say(ALSO_MOVES.format(", ".join(taken)))
        self.screen.say()
        self.screen.say(show.headings(self.game))

    def _usage(self, seat: int) -> str:
        """How to make a move, in the help."""
        legal = self.table.legal_moves(seat)
        labels = span(self._labels(seat, legal)) if legal else "a number"
        return MOVES.format(labels=labels, example=str(legal[0]) if legal else "")

    def _hint(self, seat: int, rest: str) -> None:
        """What a strong bot finds, which is shown the same view as the player; the same whenever it is asked."""
        if seat not in self.table.to_move:
            self.screen.say("You have no move to make now.")
            return
        with thinking(self.screen.console, self.game, f"The {level(ADVISER).name}"):
            choice = bot(self.game, ADVISER, seed=0).choose(self.table.view(seat))
        for line in sorted(choice.alternatives[:HINTS], key=lambda line: line.win, reverse=True):
            sure = f"{line.win:4.0%} to win, give or take {line.error:.0%}" if line.tries > 1 else "hardly looked at"
            self.screen.say(f"  {line.move!s:<16} {sure}: {self.table.say(str(line.move), seat).long}")
        self.screen.say(f"So says the {level(ADVISER).name}, who knows what you know.", style="dim")

    def _moves(self, seat: int, rest: str) -> None:
        self._list(seat)

    def _log(self, seat: int, rest: str) -> None:
        self._tell(seat)

    def _save(self, seat: int, rest: str) -> None:
        if rest:
            self.screen.say_where(f"Saved in {saves.copy(self.table, self.who, rest)}")
            return
        self._keep()
        if self.save.path:
            self.screen.say_where(f"As after every move: saved in {self.save.path}")

    def _quit(self, seat: int, rest: str) -> None:
        raise Quit

    # The end

    def _leave(self) -> None:
        if self.shared:
            self.screen.wipe()
        self.screen.say()
        if self.save.path:
            self.screen.say_where(f"'clew play --resume' goes on. Saved in {self.save.path}")
        elif len(self.table.moves) > self.found:
            self.screen.say("This game could not be saved.")

    def _end(self) -> None:
        chair = None if self.shared else self.who.index(PERSON)
        view = self.table.view(chair)
        last = len(self.table.moves) - self.table.players + 1 if chair is None else self._last(chair)
        if self.shared:
            self.screen.wipe()
        self.screen.title(f"{show.heading(self.table)}: the end")
        self.screen.say(show.picture(self.game, view, self.table.names))
        self._tell(chair, max(0, last))
        self.screen.say(show.result(view, self.table.names))
        if self.save.path:
            given = "" if self.game.where == self.game.name else f" --game {shlex.quote(self.game.where)}"
            self.screen.say_where(f"'clew replay{given}' tells this game. The record is in {self.save.path}")


def match(text: str, legal: Sequence[Move]) -> Move | None:
    """The legal move that is written so, or the only one that is when capitals and blanks do not count."""
    exact = [move for move in legal if str(move) == text]
    close = exact or [move for move in legal if _fold(str(move)) == _fold(text)]
    return close[0] if len(close) == 1 else None


def as_typed(text: str, attempt: Callable[[str], Done]) -> Done:
    """Try a text in the capitals that it may have been meant in; refused, the refusal that says most."""
    refusals = []
    for form in dict.fromkeys((text, text.upper(), text.capitalize(), text.lower())):
        try:
            return attempt(form)
        except IllegalMove as error:
            refusals.append(error)
    raise next((error for error in refusals if error.rule != NOT_A_MOVE), refusals[0])


def span(labels: Sequence[str]) -> str:
    """From the first label of a list to the last."""
    return labels[0] if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"


def _letters(number: int) -> str:
    """A letter for each number from 0 to 25, and then two: a to z, aa, ab and so on."""
    before, letter = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(ord("a") + letter)


def _fold(text: str) -> str:
    return "".join(text.split()).casefold().replace("−", "-")
