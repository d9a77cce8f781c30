"""Checks that need another process or another way of running the rules."""

from __future__ import annotations

from typing import Any

from clew.check.kit import Kit
from clew.check.report import CheckFailed
from clew.check.trace import Trace, parting, trace
from clew.core import kernels


def same_record_same_states(kit: Kit) -> str:
    """A record gives the same states, views and words, again and in a process with other surroundings."""
    kit.begin("elsewhere")
    here = kit.traces
    _compare(kit, kit.traced, here, [trace(kit.game, text) for _, text in kit.traced], "when it is replayed again")
    there = kit.answer("elsewhere")["traces"]
    _compare(kit, kit.traced, here, there, "in a process with other clocks, hash seed, time zone and folder")
    kit.looked(len(here))
    return f"{len(here)} games twice here and once in another process."


def jitted_equals_unjitted(kit: Kit) -> str:
    """Compiled rules and the same rules as plain Python give the same bytes, and no number overflows."""
    kit.begin("plain")
    if not kernels.jitted():
        kit.answer("plain")
        return "The rules run as plain Python here: nothing to compare."
    traced, here = [kit.traced[i] for i in kit.traced_plainly], [kit.traces[i] for i in kit.traced_plainly]
    there = kit.answer("plain")["traces"]
    _compare(kit, traced, here, there, "when the rules run as plain Python")
    kit.looked(sum(map(len, there)), "positions")
    return f"{sum(map(len, there))} positions of {len(there)} games in plain Python."


def _compare(kit: Kit, traced: list[Any], here: list[list[Trace]], there: list[list[Trace]], when: str) -> None:
    for (played, _), mine, yours in zip(traced, here, there):
        for ply, (one, other) in enumerate(zip(mine, yours)):
            for part in one:
                if one[part] != other[part]:
                    raise kit.failed(f"The {part} differ {when}", played, ply)


def no_index_out_of_bounds(kit: Kit) -> str:
    """No rule reads or writes beyond the end of an array, in many games at random and in all styles."""
    found = kit.answer("bounds")
    kit.looked(found["games"] + found["styled"])
    return f"{found['games']} games at random and {found['styled']} in styles, every index checked."


def copies_are_independent(kit: Kit) -> str:
    """A state of the past stays as it was, with its views and moves, compiled and as plain Python."""
    for dtype in (kit.game.rules.STATE, kit.game.rules.VIEW, kit.game.move_type):
        if dtype.hasobject:
            raise CheckFailed("STATE, VIEW and MOVE must be plain bytes, but one holds Python objects.")
    for played, text in kit.traced:
        changed = parting(kit.game, text)
        if changed:
            raise CheckFailed(f"States share memory: {changed} ({played.where()}).", text)
    plainly = kit.answer("plain")["partings"]
    for i, changed in zip(kit.traced_plainly, plainly):
        played, text = kit.traced[i]
        if changed:
            raise CheckFailed(f"States share memory in plain Python: {changed} ({played.where()}).", text)
    kit.looked(len(kit.traced))
    return f"{len(kit.traced)} games, {len(plainly)} of them in plain Python, too."
