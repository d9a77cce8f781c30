"""Bots that others wrote: a file with `choose(view, moves)`, run in a process of its own that may fail without harm.

One line of JSON goes in for each decision, the view and the legal moves, and one comes out: the move, or what went
wrong.
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

from clew.core.errors import UnknownBot, quoted
from clew.core.types import ViewData

Choose = Callable[[ViewData, list[str]], object]  # whatever str() makes a move of

PATIENCE = 10.0  # seconds for a decision


class Fault(Exception):
    """A bot lost its game by what it did: raised, hung, or said something that is no legal move."""


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

    def choose(self, view: ViewData, moves: Sequence[str]) -> str:
        """The move that the bot writes for this view and these legal moves; a Fault if there is none in time."""
        with self._one_at_a_time:
            process = self._running()
            assert process.stdin
            try:
                process.stdin.write(json.dumps({"view": view, "moves": moves}) + "\n")
                process.stdin.flush()
                answer = self._answers.get(timeout=self.patience)
            except queue.Empty:
                self.close()
                raise Fault(f"it did not answer within {self.patience:g} s") from None
            except OSError:
                answer = ""
            if not answer:
                self.close()
                raise Fault("its process ended")
            said = json.loads(answer)
            if "error" in said:
                raise Fault(said["error"])
            return str(said["move"])

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
        raise UnknownBot(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Callable[..., object] | None = getattr(getattr(module, "bot", module), "choose", None)
    if not callable(choose):
        raise UnknownBot(
            f"{path} has neither an object called bot with choose(view, moves) nor a function choose(view, moves)."
        )
    if "moves" in inspect.signature(choose).parameters:
        return choose
    return lambda view, moves: choose(view)


def serve(path: Path) -> None:
    """Answer what is asked on standard input, line by line."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what the bot prints must not be taken for its move
    choose: Choose | None = None
    for line in sys.stdin:
        try:
            choose = choose or load_bot(path)
            asked = json.loads(line)
            said = {"move": str(choose(asked["view"], asked["moves"]))}
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(said) + "\n")
        answers.flush()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        serve(Path(sys.argv[1]))
