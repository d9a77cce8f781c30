"""Games in the making, given to the server as folders: when a file is changed their tables are laid anew.

Every worker looks after its own tables. With a mistake in a file the rules that were read before stay.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clew.core import author
from clew.core.errors import ClewError
from clew.core.game import Game, add, load, reload
from clew.server.logs import log
from clew.server.store.base import StoreError

if TYPE_CHECKING:
    from clew.server.registry import Registry
    from clew.server.room import Room

LOOK_EVERY = 0.25  # seconds

Times = dict[str, tuple[int, int]]


def times(folder: Path) -> Times:
    """When each module of a game was last changed, and its size; tests of it are no part of the game."""
    found = {}
    for file in folder.glob("*.py"):
        if not file.name.startswith("test_") and file.is_file():
            found[file.name] = (file.stat().st_mtime_ns, file.stat().st_size)
    return found


class LiveRules:
    """The games of one worker that were given as folders."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._names = [add(path).name for path in registry.settings.games]
        self._read = {name: times(load(name).folder) for name in self._names}
        self._seen = dict(self._read)

    async def look(self) -> None:
        """See whether files were changed, and are not being changed any more."""
        for name in self._names:
            now, before = times(load(name).folder), self._seen[name]
            self._seen[name] = now
            if now == before and now != self._read[name] and await self._change(load(name)):
                self._read[name] = now

    async def _change(self, game: Game) -> bool:
        """Read a game anew and lay its tables; whether that is done with all of them."""
        error, done = "", True
        try:
            await self._registry.offload.in_thread(reload, game)
            log.info("%s: its files were changed and read anew", game.name)
        except ClewError as mistake:
            error = str(mistake)
            log.error("%s: its files were changed, the old rules stay: %s", game.name, error)
        for room in [room for room in self._registry.rooms.values() if room.state.row.game == game.name]:
            try:
                await self._lay_anew(room, game, error)
            except StoreError as failed:
                log.error("%s: a table could not be laid anew now: %s", game.name, failed)
                done = False
        return done

    async def _lay_anew(self, room: Room, game: Game, error: str) -> None:
        try:
            await room.lay_anew(error)
        except StoreError:
            raise
        except Exception as failed:  # of rules that can be read but not played
            told = str(author.told(failed, game.folder, playing=True))
            log.error("%s: a table cannot be laid anew: %s", game.name, told)
            await room.lay_anew(told)
