"""`clew train`: what is to be seen while a network learns."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from clew.bots.learnt import place_for
from clew.bots.training import Known, Trainer
from clew.core.errors import BadOption, quoted
from clew.core.game import load
from clew.core.options import Value
from clew.core.types import Json
from clew.terminal.waiting import waiting

USUAL = 10.0  # minutes
A_WEEK = 60 * 24 * 7.0


def prepare(
    name: str,
    seed: int | None,
    out: str | None,
    players: int | None,
    options: Mapping[str, Value],
    threads: int | None,
    anew: bool,
    quiet: bool = False,
) -> Trainer:
    """A trainer with all that it needs compiled."""
    game = load(name)
    path = Path(out) if out else place_for(game)
    trainer = Trainer(game, path, seed, players, options, threads or os.cpu_count() or 1, anew=anew)
    if trainer.about.games and not quiet:
        print(f"Going on with {path}, which has learnt from {trainer.about.games:,} games.", flush=True)
    with waiting("Training") as say:
        trainer.ready(say)
    return trainer


def train(
    trainer: Trainer, minutes: float | None, games: int | None, stop: threading.Event, quiet: bool = False
) -> Json:
    """Train, with a line that lives and one that stays for each time the strength was measured; what is known then."""
    game, path, shown = trainer.game, trainer.out, len(trainer.about.curve)
    with waiting("Training") as say:

        def watch(known: Known) -> None:
            nonlocal shown
            for row in known.curve[shown:]:
                say(" ")
                if not quiet:
                    print("\r\033[K" * os.isatty(1) + line(row), flush=True)
            shown = len(known.curve)
            left = f", {max(0.0, (minutes or USUAL) - known.seconds / 60):.1f} min left" if games is None else ""
            say(f"{known.games:,} games, {known.moves_per_s:,.0f} moves/s, surprise {known.surprise:.3f}{left}")

        trainer.run(minutes if minutes or games else USUAL, games, stop, watch)
    if not quiet:
        print(f"Learnt from {trainer.about.games:,} games, seed {trainer.about.seed}: {path}")
        if game.heuristics is not None:
            both = f"clew arena {game.where} --bots level:5@both+{path},level:5"
            print(f"{game.title} has heuristics of its own, by which its bots go on playing; try {both}")
    return {**asdict(trainer.about), "file": str(path)}


def allowed(minutes: float | None) -> None:
    """Refuse a time that nobody can train for."""
    if minutes is not None and not 0 < minutes <= A_WEEK:
        raise BadOption(f"Training takes more than 0 minutes and at most a week, not {quoted(minutes)}.", "minutes")


def line(row: Json) -> str:
    """What was measured at one time."""
    parts = [f"{row['seconds'] / 60:5.1f} min {row['games']:>9,} games"]
    for key, words in (("before", "the version before"), ("level_2", "level 2")):
        if key in row:
            low, high = row[f"{key}_ci95"]
            parts.append(f"against {words} {row[key]:.0%} ({low:.0%} to {high:.0%})")
    return "   ".join(parts)
