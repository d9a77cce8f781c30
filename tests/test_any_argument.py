"""Anything in any argument of the surface: it works, or there is one sentence of Clew's own and nothing has changed."""

import asyncio
import decimal
import functools
import threading
from collections import ChainMap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clew
from clew.core import game as games

EXAMPLES = 1_500  # of each of the 16 tests: 24,000
HUGE = 10**5000  # Python refuses to write it


def try_many(*arguments, **named):
    """A test with so many examples."""
    return lambda test: settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )(given(*arguments, **named)(test))


@pytest.fixture(scope="module", autouse=True)
def no_games_of_others():
    """To look for installed packages takes 10 ms for each name that is no game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_plugged", dict)
        yield


ODD = [
    *(HUGE, -HUGE, 2**63, -(2**63), 2**256, 0, 1, 2, 3, 7, -1, True, False, None, 0.5, 1e308),
    *("a" * 300, "K" * 900_000, "\ud800", "\0", "..", ".", "./nowhere", "/", "~", "\u2028", "-K3", "draw", "palaces"),
    *(b"palaces", bytearray(b"x"), 1j, decimal.Decimal(1), ..., NotImplemented, object(), object, print, len),
    *(Path("a" * 300), Path("."), Path("/"), Path("nowhere.clew"), Path("a\0"), SimpleNamespace(), asyncio),
    *(np.int64(1), np.float64("nan"), np.zeros(2), np.zeros(2, bool), np.array("palaces"), np.str_("palaces")),
    *([], {}, set(), (), frozenset({"edition"}), range(3), iter(()), ChainMap({"edition": "classic"}), ["R1@0,0"]),
    *(clew.Move("-K3", 0), clew.Move(5, 0), clew.Limits(), threading.Event(), type("x" * 500, (), {})(), ValueError()),
]  # fmt: skip

PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), st.binary(max_size=6))
ANYTHING = st.one_of(
    st.sampled_from(ODD),
    PLAIN,
    st.lists(PLAIN, max_size=3),
    st.dictionaries(st.text(max_size=8), PLAIN, max_size=3),
    st.tuples(PLAIN, PLAIN),
)


def arguments(needed, **usual):
    """Arguments by their names: each as usual or anything, and those that are not needed perhaps left out."""
    either = {name: st.just(value) | ANYTHING for name, value in (needed | usual).items()}
    return st.fixed_dictionaries(
        {name: either[name] for name in needed}, optional={name: either[name] for name in usual}
    )


def asked(ask, **given):
    """What somebody gets who asks: an answer, or an error of Clew's own in one sentence."""
    try:
        return ask(**given)
    except clew.ClewError as error:
        said = str(error)
        assert said.isprintable()
        assert 10 < len(said) <= 300
        return error


@try_many(arguments({"name": "palaces"}, players=2, seed=7, options={"edition": "classic"}, salt="00ff"))
def test_new(given):
    asked(clew.new, **given)


@try_many(st.dictionaries(st.sampled_from(["tracks", "lanes", "track_length"]) | st.text(max_size=3), ANYTHING))
def test_options(options):
    asked(clew.new, name="cardtracks", options=options)


@try_many(arguments({"text": "clew-record 1"}, game="palaces"))
def test_replay(given):
    asked(clew.replay, **given)


@functools.cache
def record():
    return clew.new("palaces", seed=7).record()


@try_many(st.floats(0, 1), st.integers(0, 30), st.text(max_size=9) | st.sampled_from(["9" * 5_000, "x" * 9_000, "\n"]))
def test_replay_of_a_record_with_anything_in_it(at, cut, text):
    at = int(at * len(record()))
    asked(clew.replay, text=record()[:at] + text + record()[at + cut :])


@try_many(arguments({"name": "palaces"}, level=1, seed=1, iterations=8, seconds=0.01, threads=1))
def test_bot(given):
    asked(clew.bot, **given)


@try_many(arguments({}, threads=1, seconds=0.1, stop=None, progress=None))
def test_limits(given):
    asked(clew.Limits, **given)


@functools.cache
def ant():
    return clew.bot("palaces", level=1, seed=1, threads=1)


VIEW = ("game", "rules", "options", "players", "seat", "to_move", "outcome", "table", "known")


@try_many(
    ANYTHING | st.fixed_dictionaries({}, optional={key: ANYTHING for key in VIEW}), st.booleans(), st.none() | ANYTHING
)
def test_choose(shown, instead, limits):
    if instead and isinstance(shown, dict):
        shown = position("palaces").table.view(0) | shown
    asked(ant().choose, view=shown, limits=limits)


class Position:
    """A table in the middle of a game, and all that must stay as it is when something is refused."""

    def __init__(self, name):
        self.table = clew.new(name, seed=7)
        for _ in range(4):
            self.table.make(self.table.legal_moves()[0])
        self.before = self.all(self.table)

    def all(self, table):
        """What can be seen of a table, and its truth."""
        return table.to_move, table.length, table.moves, table._states[-1].tobytes()

    def ask(self, what, given):
        """Do something with a copy of the table: only that may change, and only if it is not refused."""
        twin = self.table.copy()
        if isinstance(asked(getattr(twin, what), **given), clew.ClewError):
            assert self.all(twin) == self.before
        assert self.all(self.table) == self.before


position = functools.cache(Position)

METHODS = {
    "view": arguments({"seat": 0}, known=True),
    "events": arguments({"seat": 0}, since=1, until=2),
    "legal_moves": arguments({}, seat=0),
    "judge": arguments({"move": "-K4"}, seat=0),
    "play": arguments({"move": "-K4"}, seat=0),
    "make": arguments({"move": "-K4"}, seat=0),
    "undo": arguments({}, seat=1),
    "check_undo": arguments({}, seat=1),
    "draft": arguments({"parts": []}, seat=0),
}


@pytest.mark.parametrize("what", METHODS)
@try_many(st.data())
def test_a_table(what, data):
    name = data.draw(st.sampled_from(["palaces", "aathenuo" if what == "draft" else "cardtracks"]))
    position(name).ask(what, data.draw(METHODS[what]))
