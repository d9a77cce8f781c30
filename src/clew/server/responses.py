"""The bodies of REST answers, and how OpenAPI describes them."""

from __future__ import annotations

import msgspec
from fastapi import Response

from clew.bots.heuristics import learnt_of
from clew.core.game import Game
from clew.core.options import Choice, Option
from clew.server import messages
from clew.server.data_types import JsonObject, JsonValue
from clew.server.replay import Replay


class OptionInfo(msgspec.Struct, omit_defaults=True):
    """An option of a game, and what it does."""

    name: str
    help: str
    default: int | str
    values: list[str] | None = None
    low: int | None = None
    high: int | None = None


class GameInfo(msgspec.Struct):
    """A game, for the lobby."""

    name: str
    title: str
    blurb: str
    rules: int
    players: list[int]
    recommended: int | None
    author: str
    age: int | None
    minutes: int | None
    options: list[OptionInfo]
    all_moves: bool
    drafts: bool
    learnt: bool
    """Whether its bots play by what they learnt from games against themselves."""


class LevelInfo(msgspec.Struct):
    """A level of bots."""

    level: int
    name: str


class Games(msgspec.Struct):
    """All games."""

    protocol: int
    version: str
    colours: list[str]
    levels: list[LevelInfo]
    games: list[GameInfo]


class LabInfo(msgspec.Struct):
    """Whether the lab may be used here."""

    on: bool


class RuleBook(msgspec.Struct):
    """The rules of a game, in Markdown."""

    game: str
    title: str
    rules: int
    text: str


class Me(msgspec.Struct):
    """Who is asking."""

    name: str


class Fault(msgspec.Struct, omit_defaults=True):
    """What is wrong, in one sentence; `rule` where a rule says so."""

    code: str
    text: str
    rule: str = ""


class Faulty(msgspec.Struct):
    """The body of every error."""

    error: Fault


class Json(Response):
    """A message as JSON."""

    media_type = "application/json"

    def render(self, content: JsonValue) -> bytes:
        return messages.encode(content)


SHOWN = (Games, LabInfo, RuleBook, Me, messages.Table, messages.Tables, Replay, Faulty)


def shows(model: type[msgspec.Struct], status: int = 200) -> dict[int | str, JsonObject]:
    """The answers of a path, for OpenAPI."""

    def body(name: str) -> JsonObject:
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}

    wrong = {"description": "One sentence about what is wrong.", "content": body("Faulty")}
    return {status: {"description": "Done.", "content": body(model.__name__)}, "4XX": wrong}


def game_info(game: Game) -> GameInfo:
    """A game, as the lobby shows it."""
    return GameInfo(
        game.name,
        game.title,
        game.blurb,
        game.version,
        list(game.players),
        game.recommended,
        game.author,
        game.age,
        game.minutes,
        [_option(option) for option in game.options],
        game.listed_in_full,
        hasattr(game.words, "draft"),
        learnt_of(game) is not None,
    )


def _option(option: Option) -> OptionInfo:
    if isinstance(option, Choice):
        return OptionInfo(option.name, option.help, option.default, values=list(option.values))
    return OptionInfo(option.name, option.help, option.default, low=option.low, high=option.high)
