"""Commands for other people's tools: `mcp`."""

from __future__ import annotations

from typing import Annotated

import typer

from clew.cli.command import app


@app.command(epilog="Examples: clew mcp; clew mcp --http 127.0.0.1:8900")
def mcp(
    http: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve by HTTP instead of standard input and output.")
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="With --http: a HOST that others can reach.")] = False,
    game: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A game in a folder to be played as well, repeatable.")
    ] = None,
    server: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="A server where assistants may be guests, repeatable; by default all, with --http none.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Deal the same games again; by default new ones each time.")] = None,
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="Whether assistants may ask for hints.")] = True,
) -> None:
    """Let assistants play, by the Model Context Protocol.

    They sit on one seat, against bots or at a table of a running server, and see what that seat sees. Who knows the
    seed can deal the cards: do not tell it to an assistant. Needs pip install 'clew[mcp]'.
    """
    from clew.adapters.mcp import run

    run(http, public, game, server, seed, hints)
