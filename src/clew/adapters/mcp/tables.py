"""The chairs that assistants have here, each known by a name that only who got it can tell."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clew.adapters.mcp import chair, guest
from clew.adapters.mcp.answers import Answer
from clew.adapters.mcp.chair import LocalChair
from clew.adapters.mcp.guest import GuestChair
from clew.core.errors import ClewError, quoted
from clew.core.game import known
from clew.core.options import Value

MOST = 200  # tables at once
MOST_NAME = 40


@dataclass
class Held:
    """A chair with what has to be closed when it is left."""

    chair: LocalChair | GuestChair
    stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)


class Tables:
    """All chairs of one process. A name of a table is also the right to sit there: it is long and made by chance."""

    def __init__(self, seed: int | None = None, hints: bool = True, servers: Sequence[str] | None = None) -> None:
        """The operator's `seed` makes the same deals again; `servers` are those where guests may sit, None for all."""
        self._seed, self._hints, self._servers = seed, hints, servers
        self._held: dict[str, Held] = {}
        self._dealt = 0

    async def open(
        self,
        game: str,
        players: int | None,
        options: Mapping[str, Value] | None,
        seat: int,
        level: int,
        names: Sequence[str] | None,
    ) -> tuple[str, Answer]:
        """A new table with bots; its name, and how things stand."""
        self._make_room()
        secret = chair.secret_deal(self._seed, self._dealt)
        # Known by name, never by the path of a folder: an assistant must not choose code to run.
        found = chair.sit_down(known(game), players, options, seat, level, names, secret, self._hints)
        self._dealt += 1
        return self._keep(Held(found)), await found.open()

    async def join(self, link: str, name: str) -> tuple[str, Answer]:
        """A chair at a running server's table; its name, and how things stand."""
        self._make_room()
        if len(name) > MOST_NAME or not name.isprintable():
            raise ClewError(f"A name is a line of at most {MOST_NAME} characters, not {quoted(name)}.")
        async with contextlib.AsyncExitStack() as stack:
            found = await guest.sit_down(link, name.strip(), self._servers, stack)
            answer = await found.open()
            return self._keep(Held(found, stack.pop_all())), answer

    def chair(self, name: str) -> LocalChair | GuestChair:
        """The chair of this name."""
        if name not in self._held:
            raise ClewError(f"There is no table {quoted(name)} here: open_table and join_table tell the name of yours.")
        self._held[name] = self._held.pop(name)  # used last, forgotten last
        return self._held[name].chair

    async def leave(self, name: str) -> None:
        """Get up from a table."""
        self.chair(name)
        held = self._held.pop(name)
        await held.chair.leave()
        await held.stack.aclose()

    async def close(self) -> None:
        """End all connections."""
        while self._held:
            _, held = self._held.popitem()
            await held.stack.aclose()

    def _keep(self, held: Held) -> str:
        name = secrets.token_urlsafe(12)
        self._held[name] = held
        return name

    def _make_room(self) -> None:
        """Forget a finished table of bots if there are too many, or refuse another one."""
        if len(self._held) < MOST:
            return
        for name, held in self._held.items():
            if isinstance(held.chair, LocalChair) and held.chair.table.outcome is not None:
                del self._held[name]
                return
        raise ClewError(f"There are {MOST} tables here, and none of them is finished: leave_table gives one up.")
