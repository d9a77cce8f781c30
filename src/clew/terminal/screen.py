"""One screen and one keyboard, and the curtain between the people who share them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.text import Text

ACCENT = "bold #D9A441"
WIPE = "\033[2J\033[3J\033[H"  # the screen, then what was scrolled off it, then to the first line


class Quit(Exception):
    """The person wants to leave."""


class Screen:
    """Prints for people and asks them."""

    def __init__(self) -> None:
        self.console = _console()
        _edit_lines()

    @property
    def width(self) -> int:
        """How many characters a line has."""
        return self.console.width

    def say(self, thing: RenderableType = "", style: str | None = None) -> None:
        """Print a sentence or a picture."""
        self.console.print(thing, style=style)

    def say_where(self, sentence: str) -> None:
        """Print a sentence with a path in it, which stays in one piece to be copied."""
        self.console.print(sentence, soft_wrap=True)

    def title(self, text: str) -> None:
        """A thread across the screen with a few words on it."""
        self.console.rule(Text(text, style=ACCENT), style="dim", align="left")

    def ask(self, prompt: str) -> str:
        """What the person types; leaving the keyboard (Ctrl-C, Ctrl-D) is wanting to quit."""
        if sys.stdin is None:
            raise Quit
        try:
            return input(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        finally:
            if not sys.stdin.isatty():
                self.say()  # nobody's Enter ended the line

    def wipe(self) -> None:
        """Leave nothing to be read, not by scrolling back either."""
        self.console = _console()  # one that Ctrl-C stopped half-way would print the rest of its page after this
        if self.console.is_terminal:
            sys.stdout.write(WIPE)
            sys.stdout.flush()

    def curtain(self, name: str) -> None:
        """Hide everything until the next person sits down."""
        self.wipe()
        self.title("curtain")
        self.ask(f"{name}, take the keyboard and press Enter. ")
        self.wipe()


def _console() -> Console:
    return Console(markup=False, highlight=False, emoji=False)


def _edit_lines() -> None:
    # Importing it makes input() editable. It must not remember: the arrow keys would tell one what the other typed.
    with contextlib.suppress(ImportError):
        import readline

        readline.set_auto_history(False)


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Until here a person may leave without a word."""
    with contextlib.suppress(Quit):
        yield
