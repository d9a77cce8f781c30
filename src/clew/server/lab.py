"""The lab for the page: a process of its own plays games and measures them, one at a time, for the operator alone."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import sys
from collections.abc import AsyncIterator
from typing import IO

import msgspec

from clew.core.errors import ClewError
from clew.core.game import known
from clew.server.data_types import JsonObject
from clew.server.registry import NotFound
from clew.server.requests import LabRecord, RunLab
from clew.server.settings import Settings, cores
from clew.server.table_limits import Busy

SECONDS = 300  # that one run takes at most
LONGEST_LINE = 8_000_000  # bytes: a report of a game with many cards
OFF = "The lab is switched off on this server: clew serve --lab switches it on."


def switched_on(settings: Settings) -> bool:
    """Whether the lab may be used: if nobody says, where only this machine can reach the server."""
    if settings.lab is not None:
        return settings.lab
    proxied = settings.behind_proxy or settings.trusted_proxies or settings.root_path or settings.origins
    return not proxied and _loopback(settings.host)


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Lab:
    """Runs of the lab, one at a time of all workers; each is a process that ends with who waits for it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.on = switched_on(settings)

    async def run(self, asked: RunLab, held: IO[bytes]) -> AsyncIterator[bytes]:
        """What is known after more and more games, a line of JSON each; stops when nobody reads it any more."""
        given = {
            "game": asked.game,
            "players": asked.players,
            "options": asked.options,
            "levels": asked.levels,
            "games": asked.games,
            "seed": asked.seed,
            "seconds": SECONDS,
            "threads": max(1, cores() - 1),
            "vary": {asked.vary.option: asked.vary.values} if asked.vary is not None else None,
        }
        with held:
            async for line in self._lines(given):
                yield line

    async def record(self, asked: LabRecord, held: IO[bytes]) -> str:
        """The record of one game of a run."""
        given = msgspec.to_builtins(asked) | {"record": asked.number}
        with held:
            async for line in self._lines(given):
                found = msgspec.json.decode(line)
                if "error" in found:
                    raise ClewError(found["error"])
                return str(found["record"])
        raise ClewError("The game could not be played again.")

    def hold(self, game: str) -> IO[bytes]:
        """The lab for one run, until what is given is closed; refused where it is off, in use, or the game unknown."""
        if not self.on:
            raise NotFound(OFF)
        known(game)  # a name, never the path of a folder whose code would be run
        file = (self._settings.data / "lab.lock").open("ab")
        if not _locked(file):
            file.close()
            raise Busy("The lab is in use: it plays for one at a time.")
        return file

    async def _lines(self, given: JsonObject) -> AsyncIterator[bytes]:
        folders = [os.path.abspath(folder) for folder in self._settings.games]
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "clew.lab.live"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(msgspec.json.encode({**given, "folders": folders}) + b"\n")
            await child.stdin.drain()
            while line := await child.stdout.readline():
                yield line
            if await child.wait():
                yield msgspec.json.encode({"error": "The lab stopped: something went wrong in it."}) + b"\n"
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()


def _locked(file: IO[bytes]) -> bool:
    """Lock a file for this process alone; where there are no such locks, one worker serves all."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
