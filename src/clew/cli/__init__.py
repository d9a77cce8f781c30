"""The command line.

A command is a function with `@app.command`, in the file of its group; a new group is a file of its own and a word in
`GROUPS`. Each command imports what it needs when it runs: `clew --help` must not wait for a compiler.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated

import typer

from clew import __version__
from clew.cli.command import app

GROUPS = ("playing", "serving", "contests", "lab", "authors", "doors")  # in the order of `clew --help`
LONGEST_COMPLAINT = 500  # characters

for group in GROUPS:
    import_module(f"clew.cli.{group}")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"clew {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def clew(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


# Errors are for people: one sentence, and what to do.


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a poor terminal shows ? for a sign it lacks
    try:
        code = app(args=arguments, prog_name="clew", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "clew"
        said = error.format_message().rstrip(".")
        return _complain(f"{command}: {said}{'' if said.endswith('?') else '.'} See {command} --help.")
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
        return 1
    except Exception as error:
        return _complain(_sentence(error))
    return int(code or 0)


def _sentence(error: Exception) -> str:
    from clew.core.errors import ClewError

    if isinstance(error, ClewError):
        return str(error)
    if os.environ.get("CLEW_DEBUG"):
        raise error
    from clew.core.game import mistake_in

    if mistake := mistake_in(error):
        return str(mistake)
    said = " ".join(str(error).split())  # a compiler's message has many lines
    return f"{type(error).__name__}: {said[:300]} (CLEW_DEBUG=1 shows where.)"


def _complain(sentence: str) -> int:
    line = " ".join(sentence.split())
    if len(line) > LONGEST_COMPLAINT:  # it quotes what was typed
        line = f"{line[: LONGEST_COMPLAINT // 2]}…{line[-LONGEST_COMPLAINT // 2 :]}"
    print(line, file=sys.stderr)
    return 2
