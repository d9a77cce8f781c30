"""Positions of seeded games for those who draw boards: writes web/gallery/fixtures/<game>.json.

Each position is what one chair would be sent: view, legal moves and the story so far.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import clew

HOME = Path(__file__).resolve().parent.parent / "gallery" / "fixtures"
PLAYERS = {"labyrinth": 3, "aathenuo": 4}
SEED = 11


def positions(name: str) -> list[dict[str, object]]:
    """A whole game between quick bots, seen from the chair that is to move, and at the end from the first."""
    table = clew.new(name, players=PLAYERS.get(name, 2), seed=SEED)
    player = clew.bot(name, level=2, seed=SEED)
    found = []
    while True:
        seat = table.to_move[0] if table.to_move else 0
        found.append(
            {
                "view": table.view(seat),
                "legal": [str(move) for move in table.legal_moves(seat)],
                "events": [event.json() for event in table.events(seat)][-12:],
            }
        )
        if not table.to_move:
            return found
        table.play(player.choose(table.view(seat)), seat)


if __name__ == "__main__":
    HOME.mkdir(parents=True, exist_ok=True)
    for game in sys.argv[1:] or clew.games():
        (HOME / f"{game}.json").write_text(json.dumps(positions(game)), encoding="utf-8")
        print(game)
