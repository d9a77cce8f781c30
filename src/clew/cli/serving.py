"""Commands for who runs a server: `serve`, `backup`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from clew.cli.command import app
from clew.server.settings import Settings, key

KINDS: dict[str, Any] = {"int": int, "float": float, "bool": bool, "bool | None": bool, "tuple[str, ...]": list[str]}


def _written(one: Field[Any]) -> str:
    """The option of a setting; one that may be neither on nor off can be said both ways."""
    name = key(one).replace("_", "-")
    return f"--{name}/--no-{name}" if str(one.type) == "bool | None" else f"--{name}"


def _each_setting(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for every setting of the server; one that is not used is None."""
    own = [one for one in signature(command, eval_str=True).parameters.values() if one.kind is not one.VAR_KEYWORD]
    for one in fields(Settings):
        about, default = one.metadata, one.default
        shown = f" ({default})" if default not in (MISSING, None, "", (), False) else ""
        option = typer.Option(
            _written(one),
            help=about["help"].rstrip(".") + shown + ".",
            metavar=about.get("stands"),
            min=about.get("least"),
            max=about.get("most"),
        )
        kind: Any = KINDS.get(str(one.type), str)
        own.append(Parameter(one.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]))
    command.__signature__ = Signature(own)  # type: ignore[attr-defined]
    return command


@app.command(
    epilog="Examples: clew serve; clew serve --host 0.0.0.0 --redis redis://cache; clew serve --config clew.toml"
)
@_each_setting
def serve(
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file with settings, in TOML; or CLEW_CONFIG.")
    ] = None,
    **given: Any,
) -> None:
    """Serve tables for the browser, alone or with friends.

    Nothing to set up, nothing lost, nothing leaked. Games are in one file in your data folder, with every move on disk
    before anybody sees it. Every option can also be a variable (--log-format as CLEW_LOG_FORMAT) or stand in a file
    (log_format = "json"); options go first, then variables. Addresses with a password do not
    belong on a command line, which all users of a machine can see.
    """
    from clew.server.configuration import read
    from clew.server.supervisor import run

    run(read(given, config))


@app.command(epilog="Example: clew backup games.db")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The copy; it must not be there yet.")],
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data folder of the server.")] = None,
    db: Annotated[
        str | None, typer.Option(metavar="URL", help="The database, if it is not in the data folder.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="The file with the server's settings.")] = None,
) -> None:
    """Copy the server's database, also while it runs.

    The copy has all games as of one moment. It holds the deals of games that are being
    played, too: keep it to yourself.
    """
    from clew.core.errors import ClewError
    from clew.server.configuration import read
    from clew.server.store.sqlite import backup as copy

    address = read({"data": data, "db": db}, config).address
    if not address.startswith("sqlite:///"):
        raise ClewError("PostgreSQL brings its own: pg_dump --format=custom --file=FILE URL.")
    copy(address.removeprefix("sqlite:///"), file)
    print(f"Copied to {file}.")
