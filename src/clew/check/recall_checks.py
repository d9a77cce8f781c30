"""Perfect recall: from a chair's view one can tell all that the chair saw and did before.

Whoever takes the bytes of a view for the key of an information state, as tables of regrets do, relies on it. A game
that keeps it says so: PERFECT_RECALL = True. One without it is no worse to play, and is told what merges. A view that
forgets the order of moves is one without it, too. Pairs of histories are made that are likely to merge, and their views
compared to the byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from clew.check.kit import Kit
from clew.check.sample import Played, patiently, spread
from clew.core import kernels
from clew.core.errors import BadDeal
from clew.core.protocol import LEGAL
from clew.core.rng import below, stream

GAMES, PLIES = 60, 16  # games, and plies of each
CHOICES = 8  # moves of a seat that are held against the one it made
DEALS, DEALS_PLAINLY = 40, 6  # for each game, with two pieces exchanged
NEAR = 8  # so near to each other every second time
AHEAD = 4  # plies that are played on after another move
PATIENCE = 8.0  # seconds of the processor


def recall(kit: Kit) -> str:
    """Histories of a chair that differ never lead to the same view, if the game promises that."""
    promised = bool(getattr(kit.game.rules, "PERFECT_RECALL", False))
    tried = 0
    for played in patiently(kit.spread(kit.some(GAMES, least=6)), min(PATIENCE, kit.patience)):
        for sentence, ply, chair in _merging(kit, played):
            if sentence and promised:
                said = f"PERFECT_RECALL is promised, but the view of a chair does not tell its past: {sentence}"
                raise kit.failed(said, played, ply, chair)
            if sentence:
                return f"Not promised: {sentence} ({played.where(ply, chair)})."
            tried += 1
    kit.looked(tried, "pairs of histories")
    return f"{'Promised' if promised else 'Not promised'}, and no two histories merged: {tried} pairs tried."


def _merging(kit: Kit, played: Played) -> Iterator[tuple[str, int, int]]:
    """For each pair of histories that was tried: how they merge, or an empty string; with the ply and the chair."""
    states = kit.sampler.states(played)
    together = kit.sampler.together(states)
    alone = [ply for ply in range(len(played)) if not any(ply in choice for choice in together)]
    for ply in spread(alone, PLIES):
        yield from _other_move(kit, played, states, ply)
        yield from _other_order(kit, played, states, ply)
    yield from _other_deals(kit, played, states)


def _other_move(kit: Kit, played: Played, states: Any, ply: int) -> Iterator[tuple[str, int, int]]:
    """Another move of the same seat, and then as it was played for a while: views that differed must not merge."""
    seat, out = int(played.seats[ply]), kit.sampler.move_list()
    count = int(kit.game.kernels.legal(states[ply], seat, out))
    made = played.moves[ply : ply + 1]
    others = [i for i in range(count) if out[i : i + 1].tobytes() != made.tobytes()]
    for i in spread(others, CHOICES):
        after = states[ply : ply + 1].copy()
        kit.game.kernels.apply(after[0], seat, kit.sampler.codes(out[i : i + 1])[0])
        past = _retold(kit, after, played, range(ply + 1, min(ply + 1 + AHEAD, len(played))), whole=False)
        one, other = (_text(kit, states[ply : ply + 1], seat, moves) for moves in (made, out[i : i + 1]))
        for chair in range(played.setup.players):
            at = _merged(kit, states[ply + 1 : ply + 1 + len(past)], past, chair, own=chair == seat)
            yield (f"after {one!r} and after {other!r} it is the same" if at >= 0 else ""), ply + 1 + at, chair


def _other_order(kit: Kit, played: Played, states: Any, ply: int) -> Iterator[tuple[str, int, int]]:
    """This move and the next one of the same seat the other way round, where both orders are legal."""
    seat = int(played.seats[ply])
    last = next((i for i in range(ply + 1, len(played)) if played.seats[i] == seat), None)
    if last is None or played.moves[ply : ply + 1].tobytes() == played.moves[last : last + 1].tobytes():
        return
    order = [last, *range(ply + 1, last), ply]
    past = _retold(kit, states[ply : ply + 1], played, order)
    if past is None:
        return
    one, other = (_text(kit, states[i : i + 1], seat, played.moves[i : i + 1]) for i in (ply, last))
    for chair in range(played.setup.players):
        at = _merged(kit, states[ply + 1 : last + 2], past[1:], chair, own=chair == seat)
        how = f"{one!r} and {other!r} in either order leave the same view"
        yield (how if at >= 0 else ""), ply + 1 + at, chair


def _other_deals(kit: Kit, played: Played, states: Any) -> Iterator[tuple[str, int, int]]:
    """The same moves after a deal with two pieces exchanged: what a chair saw of that must stay in its view."""
    game, dealt = kit.game, kit.sampler.dealt(played)
    lines = {key: text.split() for key, text in game.words.write_deal(dealt[0]).items()}
    places = [(key, i) for key, pieces in lines.items() for i in range(len(pieces))]  # neighbours are dealt alike
    rng = stream(played.seed, "check recall")
    for _ in range(DEALS if kernels.jitted() else DEALS_PLAINLY):
        at = below(rng, len(places))
        apart = 1 + below(rng, len(places) if below(rng, 2) else NEAR)
        (key, i), (other, j) = places[at], places[(at + apart) % len(places)]
        if lines[key][i] == lines[other][j]:
            continue
        swapped = {name: list(pieces) for name, pieces in lines.items()}
        swapped[key][i], swapped[other][j] = lines[other][j], lines[key][i]
        world = game.blank(dict(played.setup.options), played.setup.players)
        try:
            game.words.read_deal({name: " ".join(pieces) for name, pieces in swapped.items()}, world[0])
        except BadDeal:
            continue
        game.kernels.start(world[0])
        past = _retold(kit, world, played, range(len(played)), whole=False)
        assert past is not None
        for chair in range(played.setup.players):
            at = _merged(kit, states[: len(past)], past, chair)
            how = f"it saw {lines[key][i]} and {lines[other][j]} change places, and later nothing tells of it"
            yield (how if at >= 0 else ""), at, chair


def _retold(kit: Kit, state: Any, played: Played, order: Any, whole: bool = True) -> Any:
    """The states after the moves in this order; up to the first that is refused, or None if all are wanted."""
    states = [state.copy()]
    for ply in order:
        seat, code = int(played.seats[ply]), kit.sampler.codes(played.moves[ply : ply + 1])[0]
        owes = int(kit.game.kernels.to_move(states[-1][0])) >> seat & 1
        if not owes or kit.game.kernels.refusal(states[-1][0], seat, code) != LEGAL:
            if whole:
                return None
            break
        states.append(states[-1].copy())
        kit.game.kernels.apply(states[-1][0], seat, code)
    joined = kit.game.states(len(states))
    for i, one in enumerate(states):
        joined[i : i + 1] = one
    return joined


def _merged(kit: Kit, one: Any, other: Any, chair: int, own: bool = False) -> int:
    """Where a chair's views are the same again after they differed, or at all after its own move did; -1 if nowhere."""
    rows = [np.asarray(kit.sampler.views(states, chair)) for states in (one, other)]
    same = [rows[0][i].tobytes() == rows[1][i].tobytes() for i in range(len(one))]
    first = 0 if own else next((i for i, alike in enumerate(same) if not alike), len(same))
    return next((i for i in range(first, len(same)) if same[i]), -1)


def _text(kit: Kit, states: Any, seat: int, move: Any) -> str:
    """A move as that seat writes it there."""
    return str(kit.game.words.write(kit.sampler.codes(move)[0], kit.sampler.views(states, seat)[0]))
