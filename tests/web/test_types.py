"""The browser's types: they are made from Python's shapes, and real views have exactly those shapes."""

from __future__ import annotations

import importlib.util
import random
import types
import typing
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.core.shapes import View

WEB = Path(__file__).resolve().parents[2] / "web"
spec = importlib.util.spec_from_file_location("web_types", WEB / "scripts" / "make_types.py")
assert spec
assert spec.loader
web_types = importlib.util.module_from_spec(spec)
spec.loader.exec_module(web_types)


def misfits(value: Any, kind: Any, where: str = "") -> list[str]:
    """What keeps a value from being of a type, all of it."""
    if kind is Any:
        return []
    if typing.is_typeddict(kind):
        if type(value) is not dict:
            return [f"{where} is no dict: {value!r}"]
        hints = typing.get_type_hints(kind)
        wrong = [f"{where} lacks {key}" for key in hints.keys() - value.keys()]
        wrong += [f"{where} has {key} beyond its shape" for key in value.keys() - hints.keys()]
        return wrong + [m for key in hints if key in value for m in misfits(value[key], hints[key], f"{where}.{key}")]
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return [] if value in parts else [f"{where} is {value!r}, not one of {parts}"]
    if origin in (typing.Union, types.UnionType):
        found = [misfits(value, part, where) for part in parts]
        return [] if any(not wrong for wrong in found) else min(found, key=len)
    if origin is list:
        if type(value) is not list:
            return [f"{where} is no list: {value!r}"]
        return [m for i, item in enumerate(value) for m in misfits(item, parts[0], f"{where}[{i}]")]
    if origin is dict:
        if type(value) is not dict:
            return [f"{where} is no dict: {value!r}"]
        return [m for key, item in value.items() for m in misfits(item, parts[1], f"{where}[{key}]")]
    return [] if type(value) is kind else [f"{where} is {value!r}, not {kind}"]


def test_the_generated_types_are_up_to_date() -> None:
    stored = {path.name: path.read_text(encoding="utf-8") for path in web_types.HOME.glob("*.ts")}
    assert stored == web_types.files(), "run `make types`"


def test_every_game_of_ours_says_what_it_gives() -> None:
    assert all(web_types.table_shape(name) for name in clew.games())


@pytest.mark.parametrize("name", clew.games())
def test_views_have_their_shapes_over_a_whole_game(name: str) -> None:
    rng = random.Random(name)
    table = clew.new(name, seed=5)
    shape = web_types.table_shape(name)
    ply = 0
    while True:
        if ply % 5 == 0 or not table.to_move:
            for chair in (None, *range(table.players)):
                view = table.view(chair)
                assert misfits(view, View, "view") == []
                assert misfits(view["table"], shape, "table") == []
        if not table.to_move:
            return
        seat = table.to_move[0]
        table.play(rng.choice(table.legal_moves(seat)), seat)
        ply += 1


def test_a_missing_and_an_extra_key_are_noticed() -> None:
    view = clew.new("cardtracks", seed=1).view(0)
    known = view.pop("known")
    assert misfits(view, View, "view") == ["view lacks known"]
    assert misfits({**view, "known": known, "deal": 1}, View, "view") == ["view has deal beyond its shape"]
