"""Checks of play itself: games end, results are proper, choices at the same time commute, undo tells nothing."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from clew.check.kit import Kit
from clew.check.report import CheckFailed
from clew.check.sample import Played, as_bytes, by_style, fault, spread
from clew.core import kernels
from clew.core.declare import Record
from clew.core.errors import CannotUndo
from clew.core.protocol import LEGAL
from clew.core.rng import stream
from clew.core.table import Table

LISTED = 1500  # plies whose list of moves is looked at one by one
CHOICES = 12  # of a seat that are tried where several choose at the same time
TAKEN_BACK, MOVES_BACK = 6, 40  # games, and moves of each, that are tried to be taken back
PATIENCE = 12  # so often it may work, which takes long
WORLDS, MANY_WORLDS = 300, 20_000
HIDDEN_WORLDS = 1000  # at most for a hidden move, which is not looked at inside the kernels
DREAMT = 60  # worlds of who made it, and as many of the others in each
SPEED_SECONDS = 1.0
NOWHERE = (
    "nowhere after it, so it would be imagined in other places: put it into a public field, such as used = "
    "public(CARD, DECK), or say by `gone` of the pieces which of them are known to lie nowhere"
)


def games_end(kit: Kit) -> str:
    """Every game ends within LONGEST moves; until then who owes a move has a legal one. Fields keep their bounds."""
    for played in kit.sample:
        if played.fault:
            raise kit.failed(f"A game does not go as it must: {fault(played)}", played, len(played))
        _within_bounds(kit, played)
    for played, ply in spread([(p, ply) for p in kit.sample for ply in range(len(p))], kit.some(LISTED)):
        _distinct(kit, played, ply)
    kit.looked(len(kit.sample))
    longest = max(len(played) for played in kit.sample)
    styles = len(by_style(kit.sample))
    return f"{len(kit.sample)} games in {styles} styles at {len(kit.setups)} tables; the longest took {longest} moves."


def pieces_lie_in_one_place(kit: Kit) -> str:
    """No piece lies in more places than there are, none is lost, and `fits` holds: what is derived counts on that."""
    census = kit.game.census
    if census is None or not census.counts:
        return "Nothing was counted: `imagine` does not follow from declared pieces."
    for played in kit.sample:
        states = kit.sampler.states(played)
        fault = census.fault(states)
        if fault:
            ply, said = fault
            kit.broken = "pieces are counted wrongly"
            when = f"after {kit.sampler.texts(played, states, [ply - 1])[0]!r}" if ply else "after the deal"
            record = kit.record(played, ply - 1) if ply else ""  # a table refuses the move itself
            raise CheckFailed(f"{kit.game.title}, {when}: {said} ({played.where(ply)})", record)
        vanished = census.vanished(states, {chair: kit.sampler.views(states, chair) for chair in played.chairs})
        if vanished:
            ply, lay = vanished
            kit.broken = "a piece is lost"
            move = kit.sampler.texts(played, states, [ply - 1])[0]
            raise kit.failed(f"{_line_of(kit, 'apply')}{lay} before the move `{move}` and lies {NOWHERE}", played, ply)
    kit.looked(len(kit.sample))
    return f"{sum(len(played) + 1 for played in kit.sample)} positions of {len(kit.sample)} games."


def _line_of(kit: Kit, name: str) -> str:
    """Where the game has a function of the protocol."""
    code = getattr(kit.game.rules, name).py_func.__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno} ({name}): "


def _within_bounds(kit: Kit, played: Played) -> None:
    """No number is beyond what its kind says: views from outside that have such a number are refused."""
    record = getattr(kit.game.rules, "State", None)
    bounds = record.bounds() if isinstance(record, type) and issubclass(record, Record) else {}
    states = np.asarray(kit.sampler.states(played))
    for name, (low, high) in bounds.items():
        if name not in (states.dtype.names or ()):
            continue
        found = states[name].reshape(len(states), -1)
        beyond = np.flatnonzero(((found < low) | (found > high)).any(axis=1))
        if len(beyond):
            ply = int(beyond[0])
            number = next(int(one) for one in found[ply] if not low <= one <= high)
            raise kit.failed(f"{name} is {number}, and its kind says {low} to {high}", played, ply)


def _distinct(kit: Kit, played: Played, ply: int) -> None:
    state = kit.sampler.states(played)[ply]
    out = kit.game.moves(kit.game.rules.MOVES)
    count = kit.game.kernels.legal(state, int(played.seats[ply]), out)
    if len({out[i : i + 1].tobytes() for i in range(count)}) < count:
        raise kit.failed("`legal` lists a move twice", played, ply)


def results_are_proper(kit: Kit) -> str:
    """Places are a ranking that agrees with the scores, at the end and whenever it is asked for."""
    asked = 0
    for played in kit.sample:
        states = kit.sampler.states(played)
        for ply in sorted({*spread(range(len(states)), 20), len(states) - 1}):
            _proper(kit, played, states, ply)
            asked += 1
    for played in kit.spread(20):
        table = kit.sampler.table(played)
        if table.outcome is not None:
            _reads_back(kit, played, table)
    kit.looked(len(kit.sample))
    return f"{asked} results, {len(kit.sample)} of them at the end of a game."


def _proper(kit: Kit, played: Played, states: Any, ply: int) -> None:
    scores, places = np.zeros((2, played.setup.players), np.int64)
    kit.game.kernels.result(states[ply], scores, places)
    seats = range(played.setup.players)
    told = f"scores {scores.tolist()} with places {places.tolist()}"
    for seat in seats:
        if places[seat] != 1 + sum(places[other] < places[seat] for other in seats):
            raise kit.failed(f"The places are no ranking: {told}", played, ply)
        for other in seats:
            better = scores[seat] < scores[other] if _low_wins(kit) else scores[seat] > scores[other]
            if better and places[seat] > places[other]:
                raise kit.failed(f"A better score has a worse place: {told}", played, ply)
    ended = kit.game.kernels.ending(states[ply])
    if not 0 <= ended <= len(kit.game.endings):
        raise kit.failed(f"`ending` is {ended}, and there are {len(kit.game.endings)} endings", played, ply)


def _low_wins(kit: Kit) -> bool:
    return bool(getattr(kit.game.rules, "LOW_SCORE_WINS", False))


def _reads_back(kit: Kit, played: Played, table: Table) -> None:
    places, scores, ended = (part.split() for part in str(table.outcome).split("; "))
    outcome = table.outcome
    assert outcome is not None
    read = (tuple(map(int, places[1:])), tuple(map(int, scores[1:])), ended[1])
    if read != (outcome.places, outcome.scores, outcome.ended):
        raise kit.failed(f"The result line {str(outcome)!r} does not read back", played)


def choices_at_the_same_time_commute(kit: Kit) -> str:
    """Choices made at the same time lead to one state in any order, and show nothing until all are in."""
    places = [(p, ply) for p in kit.sample for ply in _choosing(kit, p)]
    for played, ply in spread(places, 200):
        _commute(kit, played, ply)
    if places:
        kit.looked(min(len(places), 200), "such choices")
    return f"{len(places)} choices at the same time." if places else "Nobody chooses at the same time as others."


def _choosing(kit: Kit, played: Played) -> list[int]:
    return [choice.start for choice in kit.sampler.together(kit.sampler.states(played))]


def _commute(kit: Kit, played: Played, ply: int) -> None:
    game, states = kit.game, kit.sampler.states(played)
    owing = int(game.kernels.to_move(states[ply]))
    seats = [seat for seat in range(played.setup.players) if owing >> seat & 1]
    options = {seat: _moves(kit, states[ply], seat) for seat in seats}
    for seat in seats:
        looks: dict[int, bytes] = {}
        for move in spread(options[seat], CHOICES):
            after = states[ply : ply + 1].copy()
            game.kernels.apply(after[0], seat, move)
            if int(game.kernels.to_move(after[0])) != owing & ~(1 << seat):
                raise kit.failed("After one choice others than the rest owe a move", played, ply, seat)
            for chair in played.chairs:
                if chair != seat:
                    look = kit.sampler.views(after, chair).tobytes()
                    if looks.setdefault(chair, look) != look:
                        raise kit.failed(f"The secret choice of seat {seat} shows", played, ply, chair)
        for other in seats:
            for move in spread(options[seat], CHOICES) if other != seat else ():
                for reply in spread(options[other], CHOICES):
                    _either_way(kit, played, ply, states[ply : ply + 1], (seat, move), (other, reply))


def _either_way(kit: Kit, played: Played, ply: int, state: Any, one: tuple[int, Any], two: tuple[int, Any]) -> None:
    found = []
    for order in ((one, two), (two, one)):
        after = state.copy()
        for seat, move in order:
            if kit.game.kernels.refusal(after[0], seat, move) != LEGAL:
                raise kit.failed("A choice made at the same time forbids another", played, ply, seat)
            kit.game.kernels.apply(after[0], seat, move)
        found.append(after.tobytes())
    if found[0] != found[1]:
        raise kit.failed("Two choices made at the same time do not commute", played, ply)


def _moves(kit: Kit, s: Any, seat: int) -> list[Any]:
    out = kit.game.moves(kit.game.rules.MOVES)
    return kit.sampler.codes(out[: kit.game.kernels.legal(s, seat, out)])


def undo_tells_nothing(kit: Kit) -> str:
    """A move can be taken back if and only if it showed nobody anything, and then all is as before."""
    back = stay = 0
    worlds = kit.some(WORLDS, least=40)
    for played in kit.spread(kit.some(TAKEN_BACK, least=3)):
        table = kit.sampler.table(played, 0)
        states = kit.sampler.states(played)
        together = kit.sampler.together(states)
        tried = set(spread(range(len(played)), MOVES_BACK))
        for ply, code in enumerate(kit.sampler.codes(played.moves)):
            seat = int(played.seats[ply])
            before = _whole(table) if ply in tried else ()
            table.play(kit.game.words.write(code, table._look(seat)[0]), seat)
            if ply not in tried:
                continue
            twin = table.copy()
            final = any(ply in choice for choice in together)
            shown = [c for c in played.chairs if _surprised(kit, played, states, ply, c, worlds)] if not final else []
            if not shown and not final and back >= kit.some(PATIENCE):
                continue
            try:
                twin.undo(seat)
            except CannotUndo:
                stay += 1
                known = final or shown or _may_surprise(kit, played, states, ply)
                if not known and not any(_surprised(kit, played, states, ply, c, MANY_WORLDS) for c in played.chairs):
                    raise kit.failed(
                        "A move that showed nobody anything cannot be taken back", played, ply + 1
                    ) from None
                continue
            back += 1
            if final:
                raise kit.failed("A choice made at the same time as others' can be taken back", played, ply + 1)
            if shown:
                raise kit.failed("A move that showed something can be taken back", played, ply + 1, shown[0])
            if _whole(twin) != before:
                raise kit.failed("After a move is taken back the table is not as before", played, ply + 1)
    kit.looked(back + stay, "moves")
    return f"{back} moves could be taken back, {stay} not."


def _whole(table: Table) -> tuple[Any, ...]:
    chairs = (None, *range(table.players))
    looks = [table.view(chair) for chair in chairs]
    lists = [[str(move) for move in table.legal_moves(seat)] for seat in table.to_move]
    return table._states[-1].tobytes(), table.record(), looks, lists, table.to_move, len(table._moves)


def _surprised(kit: Kit, played: Played, states: Any, ply: int, chair: int, worlds: int) -> bool:
    """Whether a chair could learn something from a move, looking at so many worlds that it held for possible."""
    seat, move = int(played.seats[ply]), kit.sampler.codes(played.moves[ply : ply + 1])[0]
    rng = stream(ply, f"check undo {played.seed} {chair}")
    if chair != seat and kit.game.face(move) >= 0:
        worlds = min(worlds, HIDDEN_WORLDS)
        return _surprised_by_hidden(kit, states[ply : ply + 1], seat, move, chair, worlds, rng)
    room, views = kit.game.states(2), kit.game.views(3)
    return bool(
        kit.sampler.kernels.surprised(
            states,
            ply,
            seat,
            move,
            chair,
            worlds,
            room,
            as_bytes(room),
            views,
            as_bytes(views),
            rng,
        )
    )


def _surprised_by_hidden(kit: Kit, state: Any, seat: int, move: Any, chair: int, worlds: int, rng: Any) -> bool:
    """The same for a hidden move of another: to the chair it was any legal move with that face."""
    game, known = kit.game, kit.sampler.views(state, chair)
    shown = _after(kit, state, seat, move, chair)
    for _ in range(worlds):
        world = game.states(1)
        game.kernels.imagine(known[0], rng, world[0])
        alike = [other for other in _moves(kit, world[0], seat) if game.face(other) == game.face(move)]
        if not any(_after(kit, world, seat, other, chair) == shown for other in alike):
            return True
    return False


def _may_surprise(kit: Kit, played: Played, states: Any, ply: int) -> bool:
    """Whether a hidden move would have shown something in a world that its player held for possible.

    Undo must refuse it then, too: else it would tell the player that this is not the true world.
    """
    seat, move = int(played.seats[ply]), kit.sampler.codes(played.moves[ply : ply + 1])[0]
    if kit.game.face(move) < 0:
        return False
    known, rng = kit.sampler.views(states[ply : ply + 1], seat), stream(ply, f"check undo {played.seed}")
    for _ in range(DREAMT):
        world = kit.game.states(1)
        kit.game.kernels.imagine(known[0], rng, world[0])
        others = [chair for chair in played.chairs if chair != seat]
        if any(_surprised_by_hidden(kit, world, seat, move, chair, DREAMT, rng) for chair in others):
            return True
    return False


def _after(kit: Kit, state: Any, seat: int, move: Any, chair: int) -> bytes:
    """What a chair sees after a move."""
    after = state.copy()
    kit.game.kernels.apply(after[0], seat, move)
    return bytes(kit.sampler.views(after, chair).tobytes())


def speed(kit: Kit) -> str:
    """How fast games are played at random on one core, for comparison and without a verdict."""
    if any(played.fault for played in kit.sample):
        raise CheckFailed("The speed cannot be told before games end as they must.")
    game = kit.game
    blank = game.blank(dict(kit.setups[0].options), kit.setups[0].players)
    states, out = game.states(2), game.moves(game.rules.MOVES)
    states[:1] = blank
    rng = stream(0, "check speed")
    game.kernels.random_games(1, states, rng, out)
    chunk, games, moves, spent = 1, 0, 0, 0.0
    while spent < SPEED_SECONDS:
        begun = time.perf_counter()
        moves += game.kernels.random_games(chunk, states, rng, out)
        spent += time.perf_counter() - begun
        games += chunk
        chunk = min(games, 10_000)
    heap, copies = game.states(64), 1_000_000 if kernels.jitted() else 100
    kit.sampler.kernels.copy_states(heap, 1)
    begun = time.perf_counter()
    kit.sampler.kernels.copy_states(heap, copies)
    copied = (time.perf_counter() - begun) / copies
    kit.speed = {
        "moves_per_s": round(moves / spent),
        "games_per_s": round(games / spent, 1),
        "copy_ns": round(copied * 1e9, 1),
        "state_bytes": int(states.dtype.itemsize),
    }
    return (
        f"{moves / spent:,.0f} moves and {games / spent:,.0f} games a second; a state is {states.dtype.itemsize} bytes."
    )
