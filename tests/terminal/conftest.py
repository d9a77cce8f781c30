"""A terminal to type into: the command line in this process, with a data folder of its own."""

import io
import sys
from typing import NamedTuple

import pytest

import clew
from clew.cli import main
from clew.core.game import load


class Printed(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    for name in clew.games():
        load(name).ready()


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("CLEW_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data" / "games"


@pytest.fixture
def run(data, monkeypatch, capsys):
    """Run a command and type these lines."""

    def run(*arguments, lines=()):
        typed = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        code = main([str(argument) for argument in arguments])
        return Printed(code, *capsys.readouterr())

    return run
