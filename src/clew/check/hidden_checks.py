"""The check of moves made in secret, in turn: others cannot tell such a move from those with the same face."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from clew.check.kit import Kit
from clew.check.sample import Played, spread
from clew.core.errors import CannotUndo
from clew.core.table import Table

PLIES = 120  # with a hidden move that are looked at
CHOICES = 4  # moves with the same face that are held against it


def hidden_moves_stay_hidden(kit: Kit) -> str:
    """All that others are told is alike after moves with one face, as far as their views are; and mostly they are."""
    if not kit.game.hides_moves:
        return "No move is made in secret."
    plies = [
        (played, ply)
        for played in kit.sample
        for ply, code in enumerate(kit.sampler.codes(played.moves))
        if kit.game.face(code) >= 0
    ]
    tried, hidden = Counter[str](), Counter[str]()
    shown: dict[str, tuple[Played, int, int]] = {}  # where a chair could tell such moves apart
    looked = spread(plies, kit.some(PLIES, least=12))
    for played, ply in looked:
        _compare(kit, played, ply, tried, hidden, shown)
    for form, count in tried.items():
        if hidden[form] == 0:
            where = shown[form]
            raise kit.failed(f"The views of others tell all {count} hidden moves{form} apart", where[0], *where[1:])
    if tried:
        kit.looked(len(looked), "hidden moves")
    return (
        f"{hidden.total()} of {tried.total()} pairs of hidden moves left others with the same view, and the same words."
    )


def _compare(
    kit: Kit,
    played: Played,
    ply: int,
    tried: Counter[str],
    hidden: Counter[str],
    shown: dict[str, tuple[Played, int, int]],
) -> None:
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
        for chair in played.chairs:
            if chair == seat:
                continue
            tried[form] += 1
            if true._look(chair).tobytes() != other._look(chair).tobytes():
                shown.setdefault(form, (played, ply + 1, chair))
                continue
            hidden[form] += 1
            told, instead = (_told(table, chair) for table in (true, other))
            for part, said in told.items():
                if said != instead[part]:
                    raise kit.failed(f"A hidden move shows in {part}", played, ply + 1, chair)


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
