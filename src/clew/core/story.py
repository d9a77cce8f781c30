"""A record told as a story: what a spectator would have seen, and whether it is true."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from clew.core import commitments, pictures, records
from clew.core.events import Event
from clew.core.game import Game
from clew.core.table import Table


class Story:
    """The moves of a record with what was seen of each, up to some move, after all of them were checked."""

    def __init__(self, text: str, upto: int | None = None, game: Game | None = None, verify: bool = False) -> None:
        self.whole = records.replay(text, game)
        self.commitment = commitments.verify(text) if verify else None
        self.moves = self.whole.moves[:upto]
        self.table = self.whole.afresh()
        self.opening = self.table.events(None)
        self.told: list[list[Event]] = []
        for number, (seat, move) in enumerate(self.moves, start=1):
            self.table.play(move, seat)
            self.told.append(self.table.events(None, number))

    def __rich__(self) -> RenderableType:
        return self.render()

    def json(self) -> dict[str, Any]:
        """The story as plain data."""
        view = self.table.view(None)
        events = self.opening + [event for told in self.told for event in told]
        return {
            "game": view["game"],
            "rules": view["rules"],
            "options": view["options"],
            "players": view["players"],
            "names": list(self.table.names),
            "moves": [{"seat": seat, "move": str(move)} for seat, move in self.moves],
            "events": [event.json() for event in events],
            "outcome": view["outcome"],
            "verified": True,
            **({"commitment": self.commitment} if self.commitment else {}),
        }

    def render(self) -> RenderableType:
        """The story for people."""
        lines: list[RenderableType] = [
            Text(_title(self.table), style="bold"),
            pictures.news(self.opening, self.table.names),
        ]
        digits = len(str(len(self.moves)))
        for number, ((_, move), told) in enumerate(zip(self.moves, self.told), start=1):
            line = Text.assemble((f"{number:>{digits}}. ", "dim"), f"{move}  ", style="bold")
            lines.append(line.append(" ".join(map(str, told)), style="not bold"))
        view = self.table.view(None)
        lines += [Text(), pictures.picture(self.table.game, view, self.table.names), Text()]
        if view["outcome"]:
            lines += [pictures.result(view, self.table.names), Text(f"Checked: {self.table.outcome}.")]
        else:
            rest = len(self.whole.moves) - len(self.moves)
            lines.append(Text(f"Checked; {f'{rest} more moves follow' if rest else 'the game goes on'}."))
        if self.commitment:
            lines.append(Text(f"The deal was promised before the game, by the hash {self.commitment}."))
        return Group(*lines)


def _title(table: Table) -> str:
    options = "".join(f", {name} {value}" for name, value in table.options.items())
    return f"{table.game.title}, {table.players} players{options}"
