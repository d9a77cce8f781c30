"""The check of moves made in secret, in turn: others cannot tell such a move from those with the same face."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from clew.check.kit import Kit
from clew.check.report import CheckFailed
from clew.check.sample import Played, spread
from clew.core.errors import CannotUndo
from clew.core.events import listing
from clew.core.table import Table

PLIES = 120  # with a hidden move that are looked at
CHOICES = 4  # moves with the same face that are held against it
CURE = (
    "what shows is not `hidden`, and where all see it by the rules, a rule shown_at_once(s, seat, move) says so of the "
    "table after the move"
)


def hidden_moves_stay_hidden(kit: Kit) -> str:
    """Right after a hidden move others can tell it from no other with its face, by views or by what they are told.

    Where `shown_at_once` says that it shows they may, but not after all of them.
    """
    if not kit.game.hides_moves:
        return "No move is made in secret."
    plies = [
        (played, ply)
        for played in kit.sample
        for ply, code in enumerate(kit.sampler.codes(played.moves))
        if kit.game.face(code) >= 0
    ]
    tried, hidden = Counter[str](), Counter[str]()
    looked = spread(plies, kit.some(PLIES, least=12))
    for played, ply in looked:
        _compare(kit, played, ply, tried, hidden)
    for form, count in tried.items():
        if hidden[form] == 0:
            raise CheckFailed(f"`shown_at_once` says that all {count} pairs of hidden moves{form} show.")
    if tried:
        kit.looked(len(looked), "hidden moves")
    return (
        f"{hidden.total()} of {tried.total()} pairs of hidden moves left others with the same view, and the same words."
    )


def _compare(kit: Kit, played: Played, ply: int, tried: Counter[str], hidden: Counter[str]) -> None:
    """Make a hidden move and others with its face in the same state, and hold what other chairs are told together."""
    game, seat = kit.game, int(played.seats[ply])
    made = kit.sampler.codes(played.moves[ply : ply + 1])[0]
    before = kit.sampler.table(played, ply)
    alike = [move for move in before.legal_moves(seat) if game.face(move.code) == game.face(made)]
    true = before.copy()
    true.play(game.words.write(made, before._look(seat)[0]), seat)
    form = f" of the form {game.form.split(made)[0].name!r}" if game.form else ""
    for move in spread([move for move in alike if str(move) != str(true._moves[-1][1])], CHOICES):
        other = before.copy()
        other.play(str(move), seat)
        if true.outcome or other.outcome:  # at the end a game may show everything
            continue
        shows = _shown_at_once(true) or _shown_at_once(other)
        for chair in played.chairs:
            if chair == seat:
                continue
            tried[form] += 1
            if shows:
                continue
            fields = _differing(true, other, chair)
            if fields:
                pair = f"{str(true._moves[-1][1])!r} from {str(move)!r}"
                said = f"Right after a hidden move{form} {fields} of the view tells another chair {pair}: {CURE}"
                raise kit.failed(said, played, ply + 1, chair)
            hidden[form] += 1
            told, instead = (_told(table, chair) for table in (true, other))
            for part, said in told.items():
                if said != instead[part]:
                    raise kit.failed(f"A hidden move shows in {part}", played, ply + 1, chair)


def _shown_at_once(table: Table) -> bool:
    """Whether the game says that the last move, a hidden one, shows."""
    shown = getattr(table.game.rules, "shown_at_once", None)
    seat, move = table._moves[-1]
    return shown is not None and bool(shown(table._states[-1][0], seat, move.code))


def _differing(true: Table, other: Table, chair: int) -> str:
    """The fields in which what a chair sees of two tables differs."""
    one, two = true._look(chair), other._look(chair)
    if one.tobytes() == two.tobytes():
        return ""
    return listing([name for name in one.dtype.names or () if one[name].tobytes() != two[name].tobytes()])


def _told(table: Table, chair: int) -> dict[str, str]:
    """What a table says to a chair after the last move of another."""
    seat, last = None if chair < 0 else chair, len(table._moves)
    said: dict[str, Any] = {
        "the view": table.view(seat),
        "the view that is shared": table.shared_view(seat),
        "the events": [event.json() for event in table.events(seat, last)],
        "the events told to you": [event.json() for event in table.events(seat, last, you=True)],
    }
    if seat is not None:
        said["the answer to undo"] = _undo(table, seat)
        if seat in table.to_move:
            said["the legal moves"] = [str(move) for move in table.legal_moves(seat)]
    return {part: json.dumps(what, default=str) for part, what in said.items()}


def _undo(table: Table, seat: int) -> list[Any]:
    try:
        table.check_undo(seat)
    except CannotUndo as error:
        return [table.may_undo(seat), str(error)]
    return [table.may_undo(seat)]
