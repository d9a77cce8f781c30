"""Checks of the notation: legal moves read back as themselves, everything else is refused and changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from clew.check.kit import Kit
from clew.check.sample import Played, spread
from clew.core.errors import IllegalMove
from clew.core.records import replay
from clew.core.rng import below, stream
from clew.core.table import LONGEST_MOVE, Table

RULE_ID = re.compile(r"[A-Z]{3}-\d\d")
PLACES = 60  # positions in which strings are tried
LISTED = 12  # plies of each of these games whose moves are all read back
FORMS, MUTATED = 40, 4
CODES, AROUND = 4000, 16  # integer moves: at most so many, up to so far from those that occur
GARBAGE = (
    "",
    " ",
    "?",
    "0",
    "-1",
    "١",
    "１",
    "1e3",
    "None",
    "move",
    "pass",
    "\\",
    "'",
    "%s",
    "{0}",
    "\0",
    "a\nb",
    "result: x",
    "# x",
    "🂡",
    "x" * 200,
    "9" * 60,
    "9" * LONGEST_MOVE,
    "x" * (LONGEST_MOVE + 1),
)


def notation_is_exact(kit: Kit) -> str:
    """Every legal move reads back as itself, and every other string is refused with a rule and changes nothing."""
    tried = 0
    rng = stream(0, "check notation")
    codes = _codes_around(kit)
    games = kit.spread(kit.some(PLACES, least=6))
    for played in games:
        states = kit.sampler.states(played)
        ply = below(rng, len(played) + 1)
        forms: list[str] = []
        for at in spread(range(len(states)), LISTED):
            for seat in range(played.setup.players):
                forms += _forms(kit, played, at, kit.sampler.table_at(played, states[at : at + 1]), seat)
        table = kit.sampler.table(played, ply)
        for seat in range(table.players):
            legal = [str(move) for move in table.legal_moves(seat)]
            tried += _refused(kit, played, table, seat, [*_strings(legal or forms, forms, rng)], legal)
            if legal and codes is not None and kit.game.listed_in_full:
                _listed(kit, played, table, seat, codes)
    kit.looked(len(games), "positions")
    return f"{tried} strings refused in {len(games)} positions, each with its reason."


def _forms(kit: Kit, played: Played, ply: int, table: Table, seat: int) -> list[str]:
    """The written forms of a seat's moves, each read back."""
    v = table._look(seat)[0]
    moves = table.legal_moves(seat)
    forms = [str(move) for move in moves]
    for move, form in zip(moves, forms):
        if form != form.strip() or not form or not form.isprintable() or form[0] == "#" or form.startswith("result:"):
            raise kit.failed(f"{form!r} cannot stand in a record as a move", played, ply, seat)
        if _bytes(kit, kit.game.words.parse(form, v)) != _bytes(kit, move.code):
            raise kit.failed(f"The move {form!r} reads back as another", played, ply, seat)
    if len(set(forms)) < len(forms):
        raise kit.failed(f"Two moves are written alike: {sorted(forms)}", played, ply, seat)
    return forms


def _bytes(kit: Kit, code: Any) -> bytes:
    moves = kit.game.moves(1)
    moves[0] = code
    return bytes(moves.tobytes())


def _strings(near: list[str], forms: list[str], rng: Any) -> Iterator[str]:
    """Strings that may be no moves: those of other times and seats, legal ones with a slip, and garbage."""
    yield from GARBAGE
    yield from spread(sorted(set(forms)), FORMS)
    for text in spread(near, MUTATED):
        at = below(rng, len(text) + 1)
        yield text[:at] + text[at + 1 :]
        yield text[:at] + chr(33 + below(rng, 94)) + text[at:]
        yield text[:at] + chr(33 + below(rng, 94)) + text[at + 1 :]
        yield from (text.swapcase(), text.upper(), text.lower(), text + text, f"{text} {text}", f"{text},", f"{text}\0")
        yield from (text[:at] + " " + text[at:], text.replace(" ", ""), text.replace(" ", "  "), text[::-1])
        yield text.translate({ord("0") + i: 0xFF10 + i for i in range(10)})
        yield text.translate({ord("0") + i: 0x660 + i for i in range(10)})


def _refused(kit: Kit, played: Played, table: Table, seat: int, strings: list[str], legal: list[str]) -> int:
    """Try strings that are no legal moves; how many were refused."""
    ply, owes = len(table._moves), seat in table.to_move
    before = _told(table)
    state = table._states[-1].tobytes()
    tried = 0
    for text in dict.fromkeys(strings):
        if text.strip() in legal:
            continue
        tried += 1
        twin = table.copy()
        try:
            twin.play(text, seat)
        except IllegalMove as error:
            _kind(kit, played, ply, seat, text, error, owes)
        except Exception as error:
            sentence = f"The move {text[:80]!r} is met with {type(error).__name__}: {error}"
            raise kit.failed(sentence, played, ply, seat) from error
        else:
            _accepted(kit, played, twin, seat, text, owes)
        if table._states[-1].tobytes() != state:
            raise kit.failed(f"Refusing {text[:80]!r} changes the state", played, ply, seat)
    if _told(table) != before:
        raise kit.failed("Refusing moves changes what the table says", played, ply, seat)
    return tried


def _kind(kit: Kit, played: Played, ply: int, seat: int, text: str, error: IllegalMove, owes: bool) -> None:
    """Whether a refusal names a rule and says why in one line."""
    kit.rules_reached.add(str(error.rule))
    if not owes and error.rule != "COM-08":
        raise kit.failed(
            f"{text[:80]!r} of a seat that owes no move breaks {error.rule}, not COM-08", played, ply, seat
        )
    if not RULE_ID.fullmatch(str(error.rule)):
        raise kit.failed(f"The refusal of {text[:80]!r} names no rule but {error.rule!r}", played, ply, seat)
    if not error.reason.strip() or len(error.reason.splitlines()) != 1:
        raise kit.failed(f"The refusal of {text[:80]!r} is not one line: {error.reason!r}", played, ply, seat)


def _accepted(kit: Kit, played: Played, twin: Table, seat: int, text: str, owes: bool) -> None:
    """A move that the list does not have: only where the list need not be full, and if its record replays."""
    ply = len(twin._moves) - 1
    if not owes or kit.game.listed_in_full:
        raise kit.failed(f"{text[:80]!r} is no legal move and is accepted", played, ply, seat)
    if kit.finished(twin) and replay(twin.record(), kit.game)._states[-1].tobytes() != twin._states[-1].tobytes():
        raise kit.failed(f"{text[:80]!r} is accepted, but its record leads elsewhere", played, ply, seat)


def _told(table: Table) -> str:
    looks = [table.view(seat) for seat in (None, *range(table.players))]
    lists = [[str(move) for move in table.legal_moves(seat)] for seat in range(table.players)]
    return json.dumps([table.record(), looks, lists], default=str)


def _codes_around(kit: Kit) -> Any:
    """All integers among which the moves of this game lie, or None where moves are records or far apart."""
    if kit.game.move_type.names:
        return None
    moves = np.concatenate([played.moves for played in kit.sample])
    low, high = int(moves.min()) - AROUND, int(moves.max()) + AROUND
    return np.arange(low, high + 1, dtype=moves.dtype) if high - low < CODES else None


def _listed(kit: Kit, played: Played, table: Table, seat: int, codes: Any) -> None:
    flags = np.zeros(len(codes), np.bool_)
    kit.sampler.kernels.accepted(table._states[-1][0], seat, codes, len(codes), flags)
    listed = {move.code for move in table.legal_moves(seat)}
    for code in codes[flags].tolist():
        if code not in listed:
            raise kit.failed(f"`refusal` accepts the move {code}, `legal` has it not", played, len(table._moves), seat)
