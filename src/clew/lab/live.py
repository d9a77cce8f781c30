"""A lab for a page: a process of its own that plays more and more games and prints what is known, a line of JSON each.

Its standard input has one line, what is asked for, and then stays open as long as somebody waits: at its end the
process ends, whatever it is doing, so it never outlives the server that started it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Iterator

from clew.core.errors import ClewError
from clew.core.game import add, load
from clew.core.types import Json
from clew.lab.report.words import words
from clew.lab.result import Report, as_json
from clew.lab.runs import lab
from clew.lab.simulation import Play

FIRST, TIMES = 40, 3  # games until figures are shown first, and how many times as many until the next
SPOKEN = 0.5  # seconds between two words on how far it is
MEASURED = (  # what needs no games or playouts of its own: somebody waits
    *(
        "endings",
        "seats",
        "scores",
        "moves",
        "turns",
        "minutes",
        "luck",
        "settled",
        "lead_changes",
        "comebacks",
        "behind",
    ),
    *("forced", "options", "forms", "pieces", "ties", "margin", "wait", "watch", "own"),
)
GENTLE = 10  # niceness: people's moves go first


def steps(games: int) -> Iterator[int]:
    """After how many games figures are shown.

    >>> list(steps(500))
    [40, 120, 360, 500]
    """
    shown = FIRST
    while shown < games:
        yield shown
        shown *= TIMES
    yield games


def tell(line: Json) -> None:
    """Print a line for whoever waits."""
    print(json.dumps(line, ensure_ascii=True), flush=True)


def shown(report: Report) -> Json:
    """A report for a page: with its words, and without what only --extend needs."""
    plain = report.json()
    for run in plain["runs"]:
        run.pop("sums", None)
    return {"report": plain, "words": as_json(words(report))}


def play_more_and_more(asked: Json) -> None:
    """Play the games of a request, and print what is known after each step."""
    stop, said = threading.Event(), [0.0]
    timer = threading.Timer(asked["seconds"], stop.set)
    timer.daemon = True
    timer.start()

    def progress(what: str, done: int, total: int) -> None:
        if time.monotonic() - said[0] > SPOKEN:
            said[0] = time.monotonic()
            tell({"level": what, "done": done, "total": total})

    last: Report | None = None
    for games in steps(asked["games"]):
        report = lab(
            asked["game"],
            games,
            players=asked["players"],
            bots=asked["levels"],
            options=asked["options"],
            seed=asked["seed"],
            measures=MEASURED,
            threads=asked["threads"],
            vary=asked["vary"],
            progress=progress,
            stop=stop,
        )
        if last is None or report.finished or _games(report) > _games(last):
            last = report
            tell({**shown(report), "final": games == asked["games"] and report.finished})
        if stop.is_set():
            break


def _games(report: Report) -> int:
    """The games of the run that has fewest."""
    return min(run.games for run in report.runs)


def one_record(asked: Json) -> None:
    """Print the record of one game."""
    game = load(asked["game"])
    game.ready()
    play = Play(game, asked["players"], asked["options"], asked["seed"], asked["level"])
    tell({"record": play.record(asked["record"])})


def main() -> None:
    """Do what the first line asks for."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(GENTLE)
    asked: Json = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        for folder in asked["folders"]:
            add(folder)
        if asked.get("record") is None:
            play_more_and_more(asked)
        else:
            one_record(asked)
    except ClewError as error:
        tell({"error": str(error)})
    os._exit(0)  # not after threads that still compile


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
