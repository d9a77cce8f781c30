"""What can be set when the server is started."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Where the server keeps its database and its secret: in CLEW_DATA, or in the user's data folder."""
    from platformdirs import user_data_path

    asked = os.environ.get("CLEW_DATA")
    return (Path(asked) if asked else user_data_path("clew")) / "server"


@dataclass(frozen=True)
class Settings:
    """All of it, with what holds if nobody says otherwise."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=data_folder)
    db: str = ""
    redis: str = ""
    secret_file: Path | None = None
    origins: tuple[str, ...] = ()
    behind_proxy: bool = False
    log_format: str = "text"
    bot_threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    message_rate: float = 25.0  # a second and connection; 0 for no limit
    request_rate: float = 25.0  # a second and address
    connections: int = 100  # of one address
    tables_of_one: int = 60  # that one person plays at
    absent_seconds: float = 15.0  # until a bot may play for somebody whose connection is gone
    idle_seconds: float = 60.0
    archive_days: float = 30.0

    @property
    def address(self) -> str:
        """Of the database."""
        return self.db or f"sqlite:///{self.data / 'clew.db'}"
