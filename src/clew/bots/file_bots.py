"""Bots that others wrote: a file with `choose(view, moves)`, run in a process of its own that may fail without harm.

One line of JSON goes in for each decision, the view and the legal moves, and one comes out: the move, or what went
wrong. Before the first, one comes out that says whether the file could be loaded.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import extract_tb

from clew.core.errors import UnknownBot, quoted
from clew.core.types import ViewData

Choose = Callable[[ViewData, list[str]], object]  # whatever str() makes a move of

PATIENCE = 10.0  # seconds for a decision
LOADING = 60.0  # and to be imported, with whatever it imports


class Fault(Exception):
    """A bot lost its game by what it did: raised, hung, or said something that is no legal move."""


class NoBot(UnknownBot):
    """A file that does not offer a bot."""


class BotProcess:
    """A bot in a file, asked through its own process."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        if not path.is_file():
            raise UnknownBot(f"There is no bot {quoted(str(path))}: the file does not exist.")
        self.path = path
        self.name = path.name
        self.patience = patience
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def load(self) -> None:
        """Have the file loaded before the first game; an UnknownBot says why it is no bot."""
        with self._one_at_a_time:
            try:
                self._running()
            except Fault as fault:
                raise UnknownBot(f"{str(fault).removesuffix('.')}.") from fault

    def choose(self, view: ViewData, moves: Sequence[str]) -> str:
        """The move that the bot writes for this view and these legal moves; a Fault if there is none in time."""
        with self._one_at_a_time:
            process = self._running()
            assert process.stdin
            with contextlib.suppress(OSError):  # it has ended, which its answer tells
                process.stdin.write(json.dumps({"view": view, "moves": moves}) + "\n")
                process.stdin.flush()
            said = self._answer(self.patience, f"it did not answer within {self.patience:g} s", "its process ended")
            return str(said["move"])

    def _answer(self, patience: float, late: str, ended: str) -> dict[str, object]:
        """What the process says next; a Fault if that is that something went wrong, or nothing."""
        try:
            answer = self._answers.get(timeout=patience)
        except queue.Empty:
            self.close()
            raise Fault(late) from None
        if not answer:
            self.close()
            raise Fault(ended)
        said: dict[str, object] = json.loads(answer)
        if "error" in said:
            raise Fault(str(said["error"]))
        return said

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "clew.bots.file_bots", str(self.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self._answers = queue.Queue()
            threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()
            cannot = f"{self.path} cannot be loaded"
            try:
                self._answer(LOADING, f"{cannot}: it took more than {LOADING:g} s", f"{cannot}: its process ended")
            except Fault:
                self.close()
                raise
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            with contextlib.suppress(OSError):
                self._process.stdin.close()  # type: ignore[union-attr]
            self._process = None


def _listen(process: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
    assert process.stdout
    with process.stdout:
        for line in process.stdout:
            answers.put(line)
    answers.put("")


# In the bot's own process


def load_bot(path: Path) -> Choose:
    """What the file offers to choose with: an object called `bot` that has `choose`, or a function `choose`.

    Those without a parameter called `moves` are given the view alone.
    """
    spec = importlib.util.spec_from_file_location(f"clew_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise NoBot(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Callable[..., object] | None = getattr(getattr(module, "bot", module), "choose", None)
    if not callable(choose):
        raise NoBot(
            f"{path} has neither an object called bot with choose(view, moves) nor a function choose(view, moves)."
        )
    if "moves" in inspect.signature(choose).parameters:
        return choose
    return lambda view, moves: choose(view)


def serve(path: Path) -> None:
    """Load the bot, and answer what is asked on standard input, line by line."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what the bot prints must not be taken for its move

    def answer(said: dict[str, object]) -> None:
        answers.write(json.dumps(said) + "\n")
        answers.flush()

    try:
        choose = load_bot(path)
    except NoBot as error:
        return answer({"error": str(error)})
    except Exception as error:
        return answer({"error": f"{path} cannot be loaded: {_told(error, path)}"})
    answer({"loaded": True})
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            answer({"move": str(choose(asked["view"], asked["moves"]))})
        except Exception as error:
            answer({"error": _told(error, path)})


def _told(error: Exception, path: Path) -> str:
    """An error with the line of the bot's file that it came from."""
    said, lines = str(error), [at.lineno for at in extract_tb(error.__traceback__) if _is(path, at.filename)]
    if isinstance(error, SyntaxError) and _is(path, error.filename):
        said, lines = error.msg, [error.lineno]
    return f"{type(error).__name__}: {said}" + (f" ({path.name}:{lines[-1]})" if lines else "")


def _is(path: Path, name: str | None) -> bool:
    return name is not None and Path(name).resolve() == path.resolve()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        serve(Path(sys.argv[1]))
