"""Games in the making, given to the server as folders: when a file is changed their tables are laid anew.

Every worker looks after its own tables. With a mistake in a file the rules that were read before stay. What was learnt
of a game is looked after in the same way: bots go over to it in the midst of their games.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from clew.bots.heuristics import heuristics_for, learn_anew
from clew.bots.learnt import FILE, own_file
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
    return _times(file for file in folder.glob("*.py") if not file.name.startswith("test_"))


def times_learnt(game: Game) -> Times:
    """The same of the files in which may stand what was learnt of a game."""
    return _times((own_file(game), game.folder / FILE))


def _times(files: Iterable[Path]) -> Times:
    found = {}
    for file in files:
        if file.is_file():
            found[str(file)] = (file.stat().st_mtime_ns, file.stat().st_size)
    return found


class Watched:
    """Files that are looked at again and again, and what they were when they were read."""

    def __init__(self, now: Times) -> None:
        self.read = self._seen = now

    def settled(self, now: Times) -> bool:
        """Whether they were changed since they were read, and are not being changed any more."""
        before, self._seen = self._seen, now
        return now == before and now != self.read


class LiveRules:
    """The games of one worker that were given as folders."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._names = [add(path).name for path in registry.settings.games]
        self._rules = {name: Watched(times(load(name).folder)) for name in self._names}
        self._learnt = {name: Watched(times_learnt(load(name))) for name in self._names}

    async def look(self) -> None:
        """See whether files were changed, and are not being changed any more."""
        for name in self._names:
            rules, learnt = self._rules[name], self._learnt[name]
            now = times(load(name).folder)
            if rules.settled(now) and await self._change(load(name)):
                rules.read = now
            now = times_learnt(load(name))
            if learnt.settled(now):
                learnt.read = now
                await self._learn(load(name))

    async def _learn(self, game: Game) -> None:
        """Have bots play by what was learnt since."""
        try:
            await self._registry.offload.in_thread(learn_anew, game)
        except ClewError as mistake:
            log.error("%s: what was learnt of it was changed, and its bots play as before: %s", game.name, mistake)
            return
        log.info("%s: what was learnt of it was changed and read anew", game.name)
        await self._registry.offload.in_thread(lambda: heuristics_for(game).prepare(urgent=False))

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
