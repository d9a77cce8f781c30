"""A record told as a story: what a spectator would have seen, and whether it is true."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from clew.core import commitments, records
from clew.core.errors import BadRecord, ClewError, UnknownGame
from clew.core.events import Event
from clew.core.game import Game, load
from clew.core.table import Table
from clew.terminal import saves, show

ELSEWHERE = "Is it in a folder? --game PATH names that."


class Story:
    """The moves of a record with what was seen of each, up to some move, after all of them were checked."""

    def __init__(self, file: str, upto: int | None = None, game: str | None = None, verify: bool = False) -> None:
        text = saves.read(file)
        known: Game | None = load(game) if game else None
        try:
            self.whole = records.replay(text, known)
            self.commitment = commitments.verify(text) if verify else None
        except BadRecord as error:
            advice = f" {ELSEWHERE}" if isinstance(error.__cause__, UnknownGame) else ""
            raise ClewError(f"{'standard input' if file == '-' else file}: {error}{advice}") from error
        self.moves = self.whole.moves[:upto]
        self.table = records.replay(_opening(text), known)
        self.opening = self.table.events(None)
        self.told: list[list[Event]] = []
        for number, (seat, move) in enumerate(self.moves, start=1):
            self.table.play(move, seat)
            self.told.append(self.table.events(None, number))

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
            show.news(self.opening, self.table.names),
        ]
        digits = len(str(len(self.moves)))
        for number, ((_, move), told) in enumerate(zip(self.moves, self.told), start=1):
            line = Text.assemble((f"{number:>{digits}}. ", "dim"), f"{move}  ", style="bold")
            lines.append(line.append(" ".join(map(str, told)), style="not bold"))
        view = self.table.view(None)
        lines += [Text(), show.picture(self.table.game, view, self.table.names), Text()]
        if view["outcome"]:
            lines += [show.result(view, self.table.names), Text(f"Checked: {self.table.outcome}.")]
        else:
            rest = len(self.whole.moves) - len(self.moves)
            lines.append(Text(f"Checked; {f'{rest} more moves follow' if rest else 'the game goes on'}."))
        if self.commitment:
            lines.append(Text(f"The deal was promised before the game, by the hash {self.commitment}."))
        return Group(*lines)


def _opening(text: str) -> str:
    """The record without its moves."""
    lines = records.lines_of(text)
    return "\n".join(lines[: [line.strip() for line in lines].index("moves:") + 1]) + "\n"


def _title(table: Table) -> str:
    options = "".join(f", {name} {value}" for name, value in table.options.items())
    return f"{table.game.title}, {table.players} players{options}"
