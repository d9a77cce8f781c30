"""Assistants at the table, by the Model Context Protocol: `clew mcp`.

An assistant is a player like any other. It sits on one chair, and whatever a tool answers is made from what that chair
sees. `chair.py` is a chair at a table of this process, `guest.py` one at a running server's table, `tools.py` offers
both to assistants by the SDK, `serving.py` runs that.
"""

from __future__ import annotations

from clew.core.errors import ClewError

PORT = 8900
MISSING = "clew mcp needs a package that is not installed here: pip install 'clew[mcp]'."


def run(
    http: str | None = None,
    public: bool = False,
    games: list[str] | None = None,
    servers: list[str] | None = None,
    seed: int | None = None,
    hints: bool = True,
) -> None:
    """Serve assistants on standard input and output, or by HTTP, until they leave or Ctrl-C."""
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise ClewError(MISSING) from None
    from clew.adapters.mcp.serving import serve

    serve(http, public, games or [], servers, seed, hints)
