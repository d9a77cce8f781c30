"""What can be set when the server is started: each setting once, for the command line, the environment and a file."""

from __future__ import annotations

import os
import socket
from dataclasses import Field, dataclass, field
from pathlib import Path
from typing import Any, Literal


def data_folder() -> Path:
    """Where the server keeps its database and its secret: in CLEW_DATA, or in the user's data folder."""
    from platformdirs import user_data_path

    asked = os.environ.get("CLEW_DATA")
    return (Path(asked) if asked else user_data_path("clew")) / "server"


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_workers() -> int:
    """A worker for each core, where connections can be handed from process to process."""
    return cores() if hasattr(socket, "send_fds") else 1


def setting(default: Any, help: str, **more: Any) -> Any:  # Any: as for `field`, which gives what the class wants
    """A setting with what holds if nobody says otherwise: a value, or what makes one.

    `option` is its name where that is not the field's own, `stands` what the help shows in place of a value, `least`
    and `most` are for numbers, and a `secret` is never shown.
    """
    about = {"help": help, **more}
    shown = not more.get("secret", False)
    if callable(default):
        return field(default_factory=default, metadata=about, repr=shown)
    return field(default=default, metadata=about, repr=shown)


@dataclass(frozen=True)
class Settings:
    """All of it. `--root-path` on the command line is CLEW_ROOT_PATH in the environment, `root_path` in a file."""

    host: str = setting("127.0.0.1", "Where to listen; 0.0.0.0 for all the network.")
    port: int = setting(8000, "0 for any that is free.", least=0, most=65535)
    data: Path = setting(  # noqa: RUF009
        data_folder, "The folder of database and secret; by default CLEW_DATA or yours.", stands="DIR"
    )
    db: str = setting(
        "", "sqlite:///FILE or postgresql://...; by default SQLite in the data folder.", stands="URL", secret=True
    )
    redis: str = setting("", "redis://... so that several workers hear each other.", stands="URL", secret=True)
    secret_file: Path | None = setting(  # noqa: RUF009
        None, "Signs identities; by default made in the data folder.", stands="FILE"
    )
    origins: tuple[str, ...] = setting(
        (), "Another site whose pages may use this server, repeatable.", option="origin", stands="URL"
    )
    behind_proxy: bool = setting(
        False, "Believe X-Forwarded-For and -Proto of a proxy on this machine or in a private network."
    )
    trusted_proxies: tuple[str, ...] = setting(
        (), "Believe those of proxies in this network (CIDR) only, repeatable.", stands="NETWORK"
    )
    root_path: str = setting("", "The prefix below which a proxy shows the server, such as /clew.", stands="PATH")
    metrics: str = setting("", "Where Prometheus finds the figures; by default nowhere.", stands="HOST:PORT")
    log_format: Literal["text", "json"] = setting("text", "How the log is written.", stands="text|json")
    workers: int = setting(
        default_workers, "Processes that share the tables; by default one a core.", least=1, most=1024
    )
    bot_threads: int = setting(cores, "That bots think in, of all workers together; by default all cores.", least=1)
    message_rate: float = setting(25.0, "Messages a second and connection; 0: no limit.", least=0)
    request_rate: float = setting(25.0, "Requests a second and address; 0: no limit.", least=0)
    connections: int = setting(100, "Connections of one address, WebSockets and others each.", least=1)
    tables_of_one: int = setting(60, "Tables that one person plays at.", option="tables", least=1)
    absent_seconds: float = setting(
        15.0, "Seconds that somebody must be gone before a bot may play for them.", option="absent", least=0
    )
    idle_seconds: float = setting(
        60.0, "Seconds until a table that nobody uses leaves the memory.", option="idle", least=0
    )
    games: tuple[str, ...] = setting(
        (), "The folder of a game, repeatable; a change of its files is seen at once.", option="game", stands="PATH"
    )
    lab: bool | None = setting(
        None, "The lab in the browser, for whoever can reach the server; by default where only this machine can."
    )
    archive_days: float = setting(30.0, "Days until an old table is kept as a record.", least=0)

    @property
    def address(self) -> str:
        """Of the database."""
        return self.db or f"sqlite:///{self.data / 'clew.db'}"


def key(one: Field[Any]) -> str:  # settings are of several types
    """The name of a setting in a file. In capitals after CLEW_ it is the variable's, with dashes the option's."""
    return str(one.metadata.get("option", one.name))
