"""Checks of hidden information: what a chair is told depends on nothing that it does not know."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from clew.check.audit import LEAKS, LISTS, OTHER_END, OTHER_MOVES, OTHER_REFUSAL, OTHER_RESULT, OTHER_TURN, SLIPS
from clew.check.kit import Kit
from clew.check.sample import Played, as_bytes, patiently, random_games, spread
from clew.core import kernels
from clew.core.derive import is_derived
from clew.core.errors import IllegalMove
from clew.core.rng import stream
from clew.core.table import Table

MORE_GAMES = 5  # games at random for each of the sample, looked at inside the kernels only
FIRST_SEED = 2_000_000
ASKED = {  # which rules may have read what is hidden; what others call comes first
    OTHER_TURN: ("ending", "to_move"),
    OTHER_END: ("ending",),
    OTHER_MOVES: ("refusal", "legal"),
    OTHER_REFUSAL: ("refusal",),
    OTHER_RESULT: ("result",),
}
WRITTEN = {"legal": "refusal", "result": "standing"}  # what an author writes instead
WORDED = 240  # plies at which the words are compared too


class Workspace:
    """Scratch for the kernels that look at one chair of one game."""

    def __init__(self, kit: Kit, played: Played) -> None:
        sampler = kit.sampler
        self.states = sampler.states(played)
        self.worlds, self.views = kit.game.states(2), kit.game.views(3)
        self.out, self.other = sampler.move_list(), sampler.move_list()
        self.scores, self.places = np.zeros((2, 2 * played.setup.players), np.int64)
        self.at = np.zeros(1, np.int64)
        self.game = (len(played), played.seats, played.moves)
        self.scratch = (self.worlds, as_bytes(self.worlds), self.views, as_bytes(self.views))
        self.lists = (self.out, as_bytes(self.out), self.other, as_bytes(self.other))

    def ply(self) -> int:
        """Where the kernel stopped."""
        return int(self.at[0])


def twin_worlds(kit: Kit, played: Played) -> None:
    """Drive worlds that each chair holds for possible beside a game."""
    workspace = Workspace(kit, played)
    for chair in played.chairs:
        rng = stream(played.seed, f"check twins {chair}")
        leak = kit.sampler.kernels.twins(
            workspace.states,
            *workspace.game,
            chair,
            *workspace.scratch,
            *workspace.lists,
            workspace.scores,
            workspace.places,
            rng,
            workspace.at,
        )
        if leak:
            said = f"The views leak: {LEAKS[leak]}{_by_reading(kit, workspace, leak, chair)}"
            raise kit.failed(said, played, workspace.ply(), chair)


def _by_reading(kit: Kit, workspace: Workspace, leak: int, chair: int) -> str:
    """Which rule reads which field that the chair does not see: where one field alone makes the difference."""
    rules = kit.game.kernels
    moves = kit.sampler.codes(workspace.game[2])

    def legal(s: Any) -> bytes:
        as_bytes(workspace.out)[:] = 0
        return bytes(workspace.out[: rules.legal(s, chair, workspace.out)].tobytes())

    def refusal(s: Any) -> list[int]:
        return [int(rules.refusal(s, chair, move)) for move in moves]

    def result(s: Any) -> bytes:
        scores, places = np.zeros((2, int(s.players)), np.int64)
        rules.result(s, scores, places)
        return scores.tobytes() + places.tobytes()

    questions: dict[str, Callable[[Any], Any]] = {
        "ending": rules.ending,
        "to_move": rules.to_move,
        "refusal": refusal,
        "legal": legal,
        "result": result,
    }
    at = workspace.ply()
    for name in ASKED.get(leak, ()):
        question = questions[name]
        answer = question(workspace.states[at])
        for field in workspace.states.dtype.names or ():
            other = kit.game.twin(np.asarray(workspace.states[at : at + 1]))
            np.asarray(other)[field] = np.asarray(workspace.worlds)[:1][field]
            with contextlib.suppress(Exception):  # half of one world and half of another may be too much for a rule
                if question(other[0]) != answer:
                    reads = WRITTEN.get(name, name) if is_derived(kit.game.rules, name) else name
                    who = f"seat {chair}" if chair >= 0 else "who watches"
                    return f"; {reads} reads of `{field}` what {who} does not see"
    return ""


def held_against_cover(kit: Kit, played: Played) -> None:
    """Hold each chair's views of a game against the states that `cover` leaves."""
    workspace = Workspace(kit, played)
    for chair in played.chairs:
        rng = stream(played.seed, f"check covers {chair}")
        slip = kit.sampler.kernels.covers(
            workspace.states,
            as_bytes(workspace.states),
            *workspace.game,
            chair,
            *workspace.scratch,
            *workspace.lists,
            workspace.scores,
            workspace.places,
            rng,
            workspace.at,
        )
        if slip:
            said = f"`view` and `cover` do not agree: {SLIPS[slip]}"
            said += _by_reading(kit, workspace, OTHER_MOVES, chair) if slip == LISTS else ""
            raise kit.failed(said, played, workspace.ply(), chair)


def _many(kit: Kit) -> Iterator[Played]:
    more = MORE_GAMES * kit.games if kernels.jitted() else 0
    at_random = random_games(kit.sampler, kit.setups, FIRST_SEED, more)
    return patiently(itertools.chain(kit.sample, kit.more, at_random), kit.patience)


def _looked(games: list[Played]) -> str:
    looks = sum((len(played) + 1) * len(played.chairs) for played in games)
    return f"{looks} looks in {len(games)} games"


def views_do_not_leak(kit: Kit) -> str:
    """Worlds that look alike to a chair are alike in everything that reaches it."""
    games = []
    for played in _many(kit):
        twin_worlds(kit, played)
        games.append(played)
    kit.looked(len(games))
    plies = [(played, ply) for played in kit.sample for ply in range(len(played) + 1)]
    worded = 0
    for played, ply in patiently(spread(plies, WORDED if kernels.jitted() else kit.some(WORDED)), kit.patience):
        _same_words(kit, played, ply)
        worded += 1
    return f"{_looked(games)}, each beside an imagined world; at {worded} plies the words, too."


def _same_words(kit: Kit, played: Played, ply: int) -> None:
    """Compare all that the table says to each chair in the true game and in an imagined world, one move further too."""
    sampler, game = kit.sampler, kit.game
    states = sampler.states(played)
    within = any(ply in choice and ply != choice.start for choice in sampler.together(states))
    texts = sampler.texts(played, states, range(ply, min(ply + 6, len(played))))
    for chair in played.chairs:
        world = game.states(1)
        game.kernels.imagine(sampler.views(states[ply : ply + 1], chair)[0], stream(ply, f"words {chair}"), world[0])
        tables = [sampler.table_at(played, states[ply : ply + 1]), sampler.table_at(played, world)]
        told = [_surface(table, chair, texts) for table in tables]
        if told[0] == told[1] and texts and not within:
            seat = int(played.seats[ply])
            try:
                for table in tables:
                    table.play(texts[0], seat)
            except IllegalMove:
                continue  # the world cannot be the true one
            if tables[0]._look(chair).tobytes() == tables[1]._look(chair).tobytes():
                told = [_surface(table, chair, texts) for table in tables]
        if told[0] != told[1]:
            raise kit.failed("The words differ between worlds that look alike to the chair", played, ply, chair)


def _surface(table: Table, chair: int, texts: list[str]) -> str:
    """All that a table says to a chair: the view, the events, the chair's moves, and how moves are refused."""
    seat = None if chair < 0 else chair
    said: list[Any] = [table.view(seat), [event.json() for event in table.events(seat, 1)]]
    if seat in table.to_move:
        said.append([str(move) for move in table.legal_moves(seat)])
        for text in texts:
            try:
                table.copy().play(text, seat)
            except IllegalMove as error:
                said.append(str(error))
    return json.dumps(said, default=str)


def views_are_built_by_inclusion(kit: Kit) -> str:
    """A view reads only what `cover` leaves, and tells all of it; questions change nothing."""
    games = []
    for played in _many(kit):
        held_against_cover(kit, played)
        games.append(played)
    kit.looked(len(games))
    return f"{_looked(games)}, each at the state and at what `cover` leaves of it."
