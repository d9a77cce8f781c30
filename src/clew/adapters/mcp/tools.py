"""The tools that an assistant is offered, by the official SDK.

Every answer is words and the same as data. What is refused is an error of the tool with one sentence, and changed
nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import signature
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from clew import __version__
from clew.adapters.mcp.answers import Answer
from clew.adapters.mcp.replaying import replay as replayed
from clew.adapters.mcp.tables import Tables
from clew.bots.levels import LEVELS
from clew.core.errors import ClewError, IllegalMove, quoted
from clew.core.game import known, names

# `Any` in signatures here: plain data, and the tools themselves, whose signatures the SDK reads.

LONGEST_SENTENCE = 1000  # characters of an error, which may quote a server
INSTRUCTIONS = (
    "Clew is a table for games with hidden information. open_table deals a game against bots, join_table takes a "
    "seat at a table of a running server; both answer with the name of your table, which all other tools take. "
    "read_rules has the rule book. A turn: look, list_moves, play with a move as it is written in the list. A "
    "refused move changes nothing and names the rule that it breaks. You see what your seat sees and nothing "
    "else, and the deal is secret until the game is over."
)

Game = Annotated[str, Field(description="The name of a game, as list_games has it.")]
TableName = Annotated[str, Field(description="The name of your table, as open_table or join_table gave it.")]
Tool = Callable[..., Awaitable[CallToolResult]]


def _answered(tool: Callable[..., Awaitable[Answer]]) -> Tool:
    """A tool whose answer, or the reason why there is none, is given in the SDK's form."""

    @wraps(tool)
    async def answered(*given: Any, **arguments: Any) -> CallToolResult:
        try:
            return _result(await tool(*given, **arguments))
        except ClewError as error:
            about = {}
            if isinstance(error, IllegalMove):
                about = {"rule": error.rule, "reason": error.reason[:LONGEST_SENTENCE]}
            return _result(Answer(str(error)[:LONGEST_SENTENCE], about), failed=True)

    shape = signature(tool, eval_str=True)
    answered.__signature__ = shape.replace(return_annotation=CallToolResult)  # type: ignore[attr-defined]
    return answered


def _result(answer: Answer, failed: bool = False) -> CallToolResult:
    data = {"text": answer.text, **answer.data}
    return CallToolResult(
        content=[TextContent(type="text", text=answer.text)], structured_content=data, is_error=failed
    )


def _at(name: str, answer: Answer) -> Answer:
    """An answer to who has just sat down, with the name of the table."""
    return Answer(f"Your table is {name}\n{answer.text}", {"table": name, **answer.data})


def make_server(tables: Tables) -> MCPServer[Any]:
    """A server of the SDK with all tools, for the chairs that are kept in `tables`."""
    server: MCPServer[Any] = MCPServer(
        "clew", title="Clew", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool, reads, repeatable in (
        *((one, True, True) for one in (list_games, read_rules)),
        *((one, False, False) for one in _of_tables(tables)),
        *((one, True, True) for one in _looking(tables)),
        *((one, False, False) for one in _acting(tables)),
    ):
        annotations = ToolAnnotations(
            read_only_hint=reads, destructive_hint=False, idempotent_hint=repeatable, open_world_hint=False
        )
        server.add_tool(_answered(tool), annotations=annotations)
    return server


async def list_games() -> Answer:
    """List the games with their players and options."""
    return await asyncio.to_thread(_games)


def _games() -> Answer:
    found: list[dict[str, Any]] = []
    lines = []
    for game in map(known, names()):
        options = {one.name: {"allowed": one.allowed, "default": one.default, "help": one.help} for one in game.options}
        found.append({"name": game.name, "title": game.title, "blurb": game.blurb, "about": game.about})
        found[-1] |= {"players": list(game.players), "options": options}
        lines.append(f"{game.name}: {game.title}. {game.blurb} ({game.about})")
        lines += [f"  option {name}: {one['allowed']} (default {one['default']})" for name, one in options.items()]
    return Answer("\n".join(lines), {"games": found, "levels": {level.number: level.name for level in LEVELS}})


async def read_rules(
    game: Game,
    rule: Annotated[str, Field(description="The id of one rule, such as the one that a refusal names.")] = "",
) -> Answer:
    """Read the rule book of a game, or one rule of it."""
    found = await asyncio.to_thread(known, game)
    text = found.rule_text(rule.strip().upper()) if rule.strip() else found.rule_book()
    if not text:
        raise ClewError(f"{found.title} has no rule {quoted(rule)}.")
    return Answer(text, {"game": found.name, "version": found.version})


def _of_tables(tables: Tables) -> list[Callable[..., Awaitable[Answer]]]:
    async def open_table(
        game: Game,
        players: Annotated[int | None, Field(description="How many play; by default the fewest.")] = None,
        options: Annotated[
            dict[str, int | str] | None, Field(description="Options of the game by name, as list_games has them.")
        ] = None,
        seat: Annotated[int, Field(description="Which seat is yours, from 0; seats move in this order.")] = 0,
        level: Annotated[int, Field(description="How strong the bots on the other seats are, from 1 to 6.")] = 3,
        names: Annotated[
            list[str] | None, Field(description="What everybody is called, one name a seat; by default chosen here.")
        ] = None,
    ) -> Answer:
        """Open a table against bots and sit down at it. The deal is random, and nobody can ask for one."""
        return _at(*await tables.open(game, players, options, seat, level, names))

    async def join_table(
        link: Annotated[str, Field(description="An invite link, http://HOST:PORT/t/TABLE#INVITE.")],
        name: Annotated[str, Field(description="What you are called there.")] = "",
    ) -> Answer:
        """Take an open seat at a table of a running Clew server, by an invite link that you were given."""
        return _at(*await tables.join(link, name))

    async def leave_table(table: TableName) -> Answer:
        """Get up from a table for good. At a server's table, during the game, this is giving up."""
        await tables.leave(table)
        return Answer("You have left the table.")

    return [open_table, join_table, leave_table]


def _looking(tables: Tables) -> list[Callable[..., Awaitable[Answer]]]:
    async def look(table: TableName) -> Answer:
        """See the table as your seat sees it: a picture in text, and the view as data."""
        return await tables.chair(table).look()

    async def list_moves(
        table: TableName,
        page: Annotated[int, Field(description="Long lists have pages, from 1.")] = 1,
        containing: Annotated[str, Field(description="Only moves with this text in them.")] = "",
    ) -> Answer:
        """List your legal moves: each as it is written, which is what play takes, and in words."""
        return await tables.chair(table).moves(page, containing)

    async def hint(
        table: TableName,
        level: Annotated[int, Field(description="How hard the adviser thinks, from 1 to 6.")] = 5,
    ) -> Answer:
        """Ask a bot what it would do on your seat, knowing what you know."""
        return await tables.chair(table).hint(level)

    async def history(
        table: TableName,
        since: Annotated[int, Field(ge=0, description="What an answer called `made`: only what happened since.")] = 0,
    ) -> Answer:
        """Read what happened at the table, as your seat saw it."""
        return await tables.chair(table).history(since)

    async def record(table: TableName) -> Answer:
        """Get the record of a finished game: a text with the deal and all moves, for replay or to be kept."""
        text = await tables.chair(table).record()
        return Answer(text, {"record": text})

    async def replay(
        table: Annotated[str, Field(description="The name of your table, if its game is over; or else a record.")] = "",
        record: Annotated[str, Field(description="The text of a record.")] = "",
        step: Annotated[int, Field(description="The first step to be told; 0 is the opening.")] = 0,
        steps: Annotated[int, Field(description="How many steps are told.")] = 10,
        seat: Annotated[int | None, Field(description="As this seat saw it; by default as who watched.")] = None,
    ) -> Answer:
        """Go through a finished game step by step."""
        if bool(table) == bool(record):
            raise ClewError("A replay is of a table or of a record: name one of them.")
        text = record or await tables.chair(table).record()
        return await asyncio.to_thread(replayed, text, step, steps, seat)

    return [look, list_moves, hint, history, record, replay]


def _acting(tables: Tables) -> list[Callable[..., Awaitable[Answer]]]:
    async def play(
        table: TableName,
        move: Annotated[str, Field(description="A move as list_moves writes it.")],
    ) -> Answer:
        """Make a move. The answer tells what came of it and what the others did, as your seat saw it."""
        return await tables.chair(table).play(move)

    async def undo(table: TableName) -> Answer:
        """Take your last move back, if nobody moved since and it showed nobody anything."""
        return await tables.chair(table).undo()

    async def wait_for_turn(
        table: TableName,
        seconds: Annotated[float, Field(ge=0, description="How long at most.")] = 30,
    ) -> Answer:
        """Wait until it is your turn or the game is over: at a server's table, where others take their time."""
        return await tables.chair(table).wait(seconds)

    return [play, undo, wait_for_turn]
