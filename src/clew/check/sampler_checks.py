"""The check that holds `imagine` against the engine's own sampler, which replays everything that the chair saw."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from clew.check import chances
from clew.check.imagine_checks import features
from clew.check.kit import Kit
from clew.check.sample import Played, patiently
from clew.core import kernels
from clew.core.deal_layout import declared
from clew.core.declare import Field
from clew.core.errors import NoWorlds
from clew.core.game import Game
from clew.core.protocol import SPECTATOR
from clew.core.rng import stream
from clew.core.sampler import Worlds, cost, worlds

POSITIONS = 8
WORLDS, IMAGINED = 400, 4000
FEWEST = 100  # worlds that are worth comparing
RESTART = 10  # worlds of one walk: those of one are alike
CAREFULLY = 1000  # steps from one world to the next, where the two seem to differ
PATIENCE = 0.25  # the share of the kit's that this check may take
CHANCE = 1e-6
CURE = (
    "If moves tell more of hidden pieces than views show, say it by `fits`; what players need not conclude from a "
    "refusal stands in `NOT_DEDUCED`; or write `imagine` by hand"
)


def imagine_agrees(kit: Kit) -> str:
    """In some positions imagined worlds fill each cell as those of the sampler do."""
    if not kernels.jitted():
        return "Nothing was compared: the sampler needs compiled rules."
    try:
        declared(kit.game)
    except NoWorlds as error:
        return f"Nothing was compared: {error}"
    try:
        worlds(kit.sampler.table(kit.sample[0], 0), SPECTATOR, 1, 0, spacing=1)  # compiling does not count as patience
    except NoWorlds as error:
        kit.doubt(str(error))
        return "Nothing was compared."
    begun, compared, costs, patience = time.process_time(), 0, [], PATIENCE * kit.patience
    for played, ply, chair in patiently(_positions(kit), patience):
        doubt = ""
        try:
            found, wrong = _difference(kit, played, ply, chair, patience / 2)
            costs.append(found)
            if wrong:  # perhaps the walks were too short
                doubt = f", and short walks found that `imagine` {wrong}"
                found, wrong = _difference(kit, played, ply, chair, patience, CAREFULLY)
        except NoWorlds as error:
            kit.doubt(f"{error} ({played.where(ply, chair)})")
            continue
        if len(found.states) < FEWEST:
            slow = f"The sampler is too slow: {len(found.states)} worlds in time{doubt}"
            kit.doubt(f"{slow} ({played.where(ply, chair)})")
            continue
        if wrong:
            raise kit.failed(f"`imagine` {wrong}. {CURE}", played, ply, chair)
        compared += 1
    tries, steps, kept = (sum(getattr(found, name) for found in costs) for name in ("tries", "steps", "kept"))
    return (
        f"{compared} positions, up to {WORLDS} worlds of the sampler and {IMAGINED} imagined in each; the sampler took "
        f"{tries} tries and {steps} steps, of which it kept {100 * kept / max(1, steps):.0f} % "
        f"({time.process_time() - begun:.1f} s in all)."
    )


def _positions(kit: Kit) -> Iterator[tuple[Played, int, int]]:
    """Early positions and such in the middle of games, from all chairs in turn."""
    for number, played in enumerate(kit.spread(kit.some(POSITIONS, least=4))):
        ply = min(1 + number, len(played)) if number % 2 == 0 else len(played) // 2
        yield played, ply, played.chairs[(number // 2) % len(played.chairs)]


def _difference(kit: Kit, played: Played, ply: int, chair: int, seconds: float, spacing: int = 0) -> tuple[Worlds, str]:
    """Worlds that the sampler finds in about so many seconds, and where imagined ones differ from them, if they do."""
    game, table = kit.game, kit.sampler.table(played, ply)
    rng = stream(ply + spacing, f"check sampler {played.seed} {chair}")
    most = max(1, int(seconds / cost(table, chair)))
    found = worlds(table, chair, WORLDS, ply + spacing, spacing=spacing, restart=RESTART, most=most)
    imagined, known = game.states(IMAGINED), table._look(chair)
    for i in range(IMAGINED):
        game.kernels.imagine(known[0], rng, imagined[i])
    sampled, made = np.asarray(found.states), np.asarray(imagined)
    mine, yours = features(sampled), features(made)
    for name in mine:
        if _surely_differ(mine[name], yours[name], CHANCE / len(mine)):
            said = in_pieces(game, name, made, sampled) or _means(name, yours[name], mine[name])
            return found, f"does not agree with the sampler, which replays all that the chair saw: {said}"
    return found, ""


def _surely_differ(sampled: Any, imagined: Any, chance: float) -> bool:
    """Whether numbers differ more than chance has it; those of one walk are alike, and tell less than so many."""
    if chances.same(sampled, imagined) >= chance:
        return False
    return chances.same(sampled, imagined, chances.likeness(sampled, RESTART)) < chance


def in_pieces(game: Game, name: str, imagined: Any, sampled: Any) -> str:
    """Which piece lies there too often or too seldom, where it is a field of pieces that differs."""
    field = game.rules.State.declared.get(name.partition("[")[0]) if hasattr(game.rules, "State") else None
    if field is None or field.pieces is None or name.partition("[")[0] != field.name:
        return ""
    cell = np.unravel_index(int(name.partition("[")[2].rstrip("]") or 0), field.shape) if field.shape else ()
    row = tuple(map(int, cell[: len(field.lists) - 1]))
    place = f"seat {row[0]}'s {field.name}" if field.sight == "own" or _of_seats(field) else field.name
    rest = row[1:] if place != field.name else row
    place += f"[{', '.join(map(str, rest))}]" if rest else ""
    both = [states[field.name][(slice(None), *row)].reshape(len(states), -1) for states in (imagined, sampled)]
    codes = range(field.pieces.first, field.pieces.high + 1)
    shares = {code: [float((cells == code).any(axis=1).mean()) for cells in both] for code in codes}
    code = max(codes, key=lambda code: abs(shares[code][0] - shares[code][1]))
    mine, yours = (f"{100 * share:.0f} %" for share in shares[code])
    if mine == yours:
        return ""
    return f"{place} holds {field.pieces.word(code)} in {mine} of imagined worlds and in {yours} of sampled ones"


def _of_seats(field: Field) -> bool:
    return bool(field.axes) and getattr(field.axes[0], "role", "") == "seats"


def _means(name: str, imagined: Any, sampled: Any) -> str:
    means = f"{imagined.mean():.2f} in the mean of imagined worlds and {sampled.mean():.2f} in that of sampled ones"
    return f"{name} is {means}"
