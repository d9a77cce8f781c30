"""Checks of `imagine`: not one world but many, and each that the view allows as often as the others."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from clew.check import chances
from clew.check.kit import Kit
from clew.check.report import CheckFailed
from clew.check.sample import patiently, spread
from clew.check.worlds import Position
from clew.core import kernels
from clew.core.declare import Field
from clew.core.game import Game
from clew.core.rng import below, stream

EARLY = (0, 2, 1, 3, 0, 4, 1, 5, 2, 6)  # plies at which a deal at random is often one that the chair would not notice
JUDGED = 10  # positions whose worlds are compared
CHOOSING = 3  # and such with a secret choice under way
TESTS = 1200  # deals tried at random for each of them
ALL_TESTS, LEAST_TESTS = 30_000, 3000  # deals tried in all: where much was dealt, fewer positions are looked at
ENOUGH, PLENTY = 50, 1000  # reference worlds: fewer tell nothing, more are not needed
IMAGINED, EXACTLY = 4000, 20_000  # imagined worlds to compare with a reference, and with all that there are
PLAINLY = 1500  # and when the rules run as plain Python
BASES = 6  # possible deals that are searched for what was shown
LATE = 8  # positions whose worlds are compared if they are few
CHANCE = 1e-6
RARE = 16  # times less likely than others a world may be by another count of its pieces

EXACT, DRAWN, FEW, SKIPPED, UNDECIDED = "exact", "drawn", "few", "skipped", "undecided"

ANYWHERE = 40  # positions at which only variety is asked for
SWAPS = 60
DREAMS = 64


def imagine_is_fair(kit: Kit) -> str:
    """Imagined worlds are varied, and each that the view allows is as likely, by the count of dealt worlds."""
    varied = sum(_varied(kit, position) for position in _anywhere(kit))
    found: Counter[str] = Counter()
    tests = 0
    for position, feasible in patiently(_judged(kit), kit.patience):
        if tests > kit.some(ALL_TESTS, least=LEAST_TESTS):
            break
        found[_compare(kit, position, feasible)] += 1
        tests += position.tests
    if found[FEW]:
        kit.doubt(f"{found[FEW]} positions: among the {TESTS} deals tried at each, fewer than {ENOUGH} could be true.")
    compared = found[EXACT] + found[DRAWN]
    if compared:
        kit.looked(compared, "positions")
    return (
        f"{varied} positions with other worlds, {found[EXACT]} compared with all their worlds, "
        f"{found[DRAWN]} with worlds dealt at random."
    )


def _anywhere(kit: Kit) -> Iterator[Position]:
    rng = stream(0, "check anywhere")
    for played in kit.spread(kit.some(ANYWHERE)):
        yield Position(kit.sampler, played, below(rng, len(played) + 1), played.chairs[below(rng, len(played.chairs))])


def _judged(kit: Kit) -> Iterator[tuple[Position, bool]]:
    """Positions of all kinds in turn, and whether worlds can be found there when they are too many to write down."""
    early, late, choosing = _early(kit), _late(kit), _choosing(kit)
    for positions in itertools.zip_longest(early, choosing, late):
        for position in positions:
            if position is not None:
                yield position, position is not positions[2]


def _early(kit: Kit) -> Iterator[Position]:
    """Early positions at all tables, from all chairs in turn."""
    tables = list({played.setup: played for played in reversed(kit.sample)}.values())
    for number in range(kit.some(JUDGED, least=3)):
        played = tables[number % len(tables)]
        ply = min(EARLY[number % len(EARLY)], len(played))
        yield Position(kit.sampler, played, ply, played.chairs[number % len(played.chairs)])


def _choosing(kit: Kit) -> Iterator[Position]:
    """Positions with a secret choice under way."""
    found = [
        (played, ply)
        for played in kit.spread(60)
        for choice in kit.sampler.together(kit.sampler.states(played))
        for ply in range(choice.start + 1, min(choice.stop, len(played) + 1))
    ]
    for number, (played, ply) in enumerate(spread(found, kit.some(CHOOSING, least=2))):
        yield Position(kit.sampler, played, ply, played.chairs[number % len(played.chairs)])


def _late(kit: Kit) -> Iterator[Position]:
    """Positions near the end of the longest game at each table, where few worlds may be left."""
    longest = list({played.setup: played for played in sorted(kit.sample, key=len)}.values())
    for number in range(kit.some(LATE, least=4)):
        played = longest[number % len(longest)]
        ply = max(0, len(played) - 1 - number % 5)
        yield Position(kit.sampler, played, ply, played.chairs[number % len(played.chairs)])


def _failed(kit: Kit, position: Position, sentence: str) -> CheckFailed:
    return kit.failed(f"`imagine` {sentence}", position.played, position.ply, position.chair)


def _varied(kit: Kit, position: Position) -> bool:
    """Whether the chair holds other worlds for possible, which then must be imagined, too."""
    if not any(position.world(pieces) not in (None, position.truth) for pieces in _other_deals(position)):
        return False
    imagined = position.imagined(DREAMS)
    worlds = {imagined[i : i + 1].tobytes() for i in range(DREAMS)}
    if worlds == {position.truth}:
        raise _failed(kit, position, "always gives the true world, but the chair holds others for possible")
    if len(worlds) == 1:
        raise _failed(kit, position, "always gives the same world, but the chair holds others for possible")
    return True


def _other_deals(position: Position) -> Iterator[list[str]]:
    """Deals that differ from the true one a little."""
    for place, known in position.free.items():
        yield from (position.changed([place], [piece]) for piece in known[1:])
    size = len(position.pieces)
    for _ in range(SWAPS):
        i, j = below(position.rng, size), below(position.rng, size)
        if position.pieces[i] != position.pieces[j]:
            yield position.swapped(i, j)


def _compare(kit: Kit, position: Position, feasible: bool) -> str:
    """Hold imagined worlds against a reference: how, or that it cannot be decided; fails where `imagine` is wrong.

    Where the two differ the reference is made again with more care, before `imagine` is blamed.
    """
    how, wrong = _difference(position, feasible)
    if how not in (EXACT, DRAWN) or (how == DRAWN and not wrong):
        return how
    careful = position
    if wrong:
        thorough = position.with_all_partners()
        if thorough is None:
            kit.doubt(f"`imagine` {wrong}, but there are too many places to try every two ({_place(position)}).")
            return UNDECIDED
        careful = thorough
        again, wrong = _difference(careful, feasible)
        if again == FEW:
            return FEW
    found = careful.by_pieces(BASES)
    if found is None:
        kinds, also = set(careful.repeats()), wrong
    else:
        by_pieces, kinds = found
        otherwise, also = _difference(by_pieces, feasible)
        if otherwise == FEW:
            return FEW
    if not also or _as_they_lie(careful):
        return how
    if wrong and (not kinds or (found and len(kinds) == 1 and careful.others_moved == 1)):
        raise _failed(kit, position, also)
    missing = _missing(careful) if wrong else ""
    if missing:
        raise _failed(kit, position, missing)
    kit.doubt(
        f"Of {', '.join(sorted(kinds))} somebody may have shown one of several, and {position.tests} deals do not tell "
        f"how they are to be counted; by one count `imagine` {also} ({_place(position)})."
    )
    return UNDECIDED


def _as_they_lie(position: Position) -> bool:
    """Whether imagined worlds are as likely as a declared game says that its pieces lie, where all can be written."""
    worlds = position.all()
    ways = position.as_they_lie(worlds) if worlds else None
    return bool(ways) and not _against_all(position, ways or {})


def _missing(position: Position) -> str:
    """What imagined worlds never show though it cannot be rare, however pieces are counted."""
    worlds = position.all()
    count = (EXACTLY if kernels.jitted() else PLAINLY) if worlds else (IMAGINED if kernels.jitted() else PLAINLY)
    imagined = position.imagined(count)
    if worlds:
        reached = {imagined[i : i + 1].tobytes() for i in range(count)}
        if not reached <= worlds.keys():
            return f"gives a world that no deal leads to; there are {len(worlds)} that do"
        never = sum(world not in reached for world in worlds)
        rare = len(worlds) * RARE * math.log(1 / CHANCE) > count
        return f"never gives {never} of the {len(worlds)} possible worlds" if never and not rare else ""
    drawn = list(itertools.islice(position.draw(TESTS), PLENTY))
    if len(drawn) < ENOUGH:
        return ""
    dealt = features(np.frombuffer(b"".join(drawn), dtype=position.game.rules.STATE))
    given = features(np.asarray(imagined))
    for name in dealt:
        if _absent(dealt[name], given[name]):
            return f"never fills {cell(position.game, name)} as the deal often does"
        if _absent(given[name], dealt[name]):
            return f"often fills {cell(position.game, name)} as no deal does"
    return ""


def _absent(some: Any, others: Any) -> bool:
    """Whether a value, or all beyond the others' range, is too frequent to be absent from the others by chance."""
    values, counts = np.unique(some, return_counts=True)
    common = values[counts.argmax()]
    apart = [some < others.min(), some > others.max(), (some == common) & (common not in others)]
    share = max(float(np.mean(where)) for where in apart)
    return len(others) * share / (share + RARE * (1 - share)) > math.log(1 / CHANCE)


def _place(position: Position) -> str:
    return position.played.where(position.ply, position.chair)


def _difference(position: Position, feasible: bool) -> tuple[str, str]:
    """How imagined worlds were compared with those of the reference, and what is wrong with them, if anything."""
    worlds = position.all()
    if worlds is not None:
        return EXACT, _against_all(position, worlds)
    if not feasible:
        return SKIPPED, ""
    drawn = list(itertools.islice(position.draw(TESTS), PLENTY))
    return (FEW, "") if len(drawn) < ENOUGH else (DRAWN, _against_drawn(position, drawn))


def _against_all(position: Position, worlds: dict[bytes, int]) -> str:
    total = sum(worlds.values())
    count = (EXACTLY if kernels.jitted() else PLAINLY) if len(worlds) > 1 else DREAMS
    imagined = position.imagined(count)
    counts = dict.fromkeys(worlds, 0)
    for i in range(count):
        state = imagined[i : i + 1].tobytes()
        if state not in counts:
            return f"gives a world that no deal leads to; there are {len(worlds)} that do"
        counts[state] += 1
    chance = chances.expected(list(counts.values()), [worlds[state] / total for state in counts])
    if chance < CHANCE:
        shares = f"{min(counts.values())} to {max(counts.values())} times each"
        return f"prefers some of the {len(worlds)} possible worlds: {count} draws gave them {shares}"
    return ""


def _against_drawn(position: Position, drawn: list[bytes]) -> str:
    dealt = np.frombuffer(b"".join(drawn), dtype=position.game.rules.STATE)
    imagined = position.imagined(IMAGINED if kernels.jitted() else PLAINLY)
    mine, yours = features(dealt), features(np.asarray(imagined))
    for name in mine:
        chance = chances.same(mine[name], yours[name]) * len(mine)
        if chance < CHANCE:
            there = f"{typical(position.game, name, yours[name])} in {len(imagined)} imagined worlds"
            often = typical(position.game, name, mine[name])
            here = f"{often} in {len(drawn)} worlds dealt at random that the chair could not tell apart"
            return f"fills {cell(position.game, name)} otherwise than the deal does: {there}, {here}"
    return ""


def typical(game: Game, name: str, values: Any) -> str:
    """The commonest value, by its name if it is a piece or another thing that has one."""
    most, counts = np.unique(values, return_counts=True)
    top = counts.argmax()
    field = _field(game, name)
    said = field.kind.word(int(most[top])) if field is not None and field.kind is not None else f"{most[top]:g}"
    return f"{'nothing' if said == '' else said} in {100 * counts[top] / len(values):.0f} %"


def cell(game: Game, name: str) -> str:
    """A feature as rules write it: hand[1, 2]."""
    field = _field(game, name)
    if field is None or len(field.shape) < 2:
        return name
    at = np.unravel_index(int(name.partition("[")[2].rstrip("]") or 0), field.shape)
    return f"{field.name}[{', '.join(str(int(i)) for i in at)}]"


def _field(game: Game, name: str) -> Field | None:
    """The declared field of which a feature is one cell."""
    declared: dict[str, Field] = getattr(getattr(game.rules, "State", None), "declared", {})
    return declared.get(name.partition("[")[0])


def features(states: Any) -> dict[str, Any]:
    """Numbers to compare worlds by: each element of each field, and what sums would show of repeated pieces."""
    found: dict[str, Any] = {}
    total = np.zeros(len(states))
    for name in states.dtype.names:
        block = states[name]
        if block.dtype.names:  # a record in the record: its bytes will do
            block = np.ascontiguousarray(block).view(np.uint8)
        block = block.reshape(len(states), -1).astype(float)
        found |= {f"{name}[{i}]" if block.shape[1] > 1 else name: block[:, i] for i in range(block.shape[1])}
        if block.shape[1] > 1:
            found[f"the sum of {name}"] = block.sum(axis=1)
            found[f"the variety of {name}"] = np.array([len(set(row)) for row in block.tolist()], float)
        total += block.sum(axis=1)
    found["the sum of all fields"] = total
    return found
