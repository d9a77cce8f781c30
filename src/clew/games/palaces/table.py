"""How people read and write The Lost Palaces: cards and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from clew.core import SEATS, BadDeal, Event, IllegalMove, deals, listing
from clew.games.palaces import rules
from clew.games.palaces.rules import (
    ADVANCE,
    ARCHAEOLOGIST,
    ARIADNE,
    ATTACK,
    CARDS,
    CLOSED,
    COPIES,
    DISCARD,
    FRESCO15,
    FRESCO20,
    HAND,
    KINDS,
    PALACES,
    PAWNS,
    RARE,
    RARE_POINTS,
    SITE_STEPS,
    SITES,
    START_A,
    START_T,
    STATUE,
    STATUE_POINTS,
    STEP_POINTS,
    THESEUS,
    TURNS,
)
from clew.games.palaces.shapes import Find, PalacesTable, Points, Seat

NAMES = ("Knossos", "Malia", "Phaistos", "Zakros")
LETTERS = "KMPZ"
KIND_NAMES = (*map(str, range(1, 11)), "A", "X")
CARD_NAMES = tuple(letter + kind for letter in LETTERS for kind in KIND_NAMES)
RARE_NAMES = ("the Minos ring", "the Malia jewel", "the Phaistos disc", "the Zakros rhyton")
PAWN_NAMES: tuple[Literal["archaeologist", "theseus"] | None, ...] = (None, "archaeologist", "theseus")
FIND_CODES = {"R": RARE, "S": STATUE, "F15": FRESCO15, "F20": FRESCO20}
FIND_LETTERS = {code: letter for letter, code in FIND_CODES.items()}
FIND_NAMES: tuple[Find | None, ...] = (None, "rare", "statue", "fresco15", "fresco20")

MOVE = re.compile(r"(-?)([KMPZ](?:10|[1-9]|A|X))(:[at])?")


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: K7:a K7:t K7 KA KX -K7."""
    action, card = divmod(move, CARDS)
    name = CARD_NAMES[card]
    return {START_A: f"{name}:a", START_T: f"{name}:t", DISCARD: f"-{name}"}.get(action, name)


def parse(text: str, v: Any) -> int:
    """The move that is written so."""
    found = MOVE.fullmatch(text)
    if not found or (found[1] and found[3]):
        raise IllegalMove("COM-06", f"{text!r} is not a move; moves are written like K7:a, K7:t, K7, KA, KX or -K7.")
    card = CARD_NAMES.index(found[2])
    if found[1]:
        action = DISCARD
    elif found[3]:
        action = START_A if found[3] == ":a" else START_T
    else:
        action = ATTACK if card % KINDS == rules.MINOTAUR else ADVANCE
    return action * CARDS + card


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    action, card = divmod(move, CARDS)
    palace, name = card // KINDS, CARD_NAMES[card]
    where = NAMES[palace]
    if reason == rules.NOT_IN_HAND:
        return "PAL-06", f"You do not hold {name}."
    if reason == rules.PAWN_THERE:
        return "PAL-02", f"You have a pawn on the path to {where} already: write {name} to advance it."
    if reason == rules.NO_START:
        return "PAL-07", "An Ariadne card does not start a path."
    if reason == rules.NO_PAWN_LEFT:
        pawn = "archaeologists are all" if action == START_A else "Theseus is"
        return "PAL-02", f"Your {pawn} on the way already."
    if reason == rules.NO_PAWN:
        return (
            "PAL-07",
            f"You have no pawn on the path to {where}; a number card starts one: {LETTERS[palace]}7:a or :t.",
        )
    if reason == rules.AT_THE_END:
        return "PAL-10", f"Your pawn has reached {where}: it cannot advance."
    if reason == rules.TOO_LOW:
        last = int(v.last[v.seat, palace])
        return "PAL-08", f"{name} is lower than your last number card on that path, {LETTERS[palace]}{last}."
    if reason == rules.NO_TARGET:
        return "PAL-14", f"There is no pawn to attack on the path to {where}: {name} can only be discarded."
    if reason == rules.SAFE:
        return "PAL-14", f"The pawn at {where} is on step 7 or beyond and safe: {name} can only be discarded."
    if reason == rules.MINOTAUR_WALKS:
        return "PAL-12", f"A Minotaur card moves no pawn of yours: write {name} to attack or -{name} to discard."
    return "PAL-12", f"{name} is not a Minotaur card and cannot attack."


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    lines = {"first": str(s.first)}
    for seat in range(2):
        lines[f"hand {seat}"] = " ".join(CARD_NAMES[card] for card in s.hand[seat])
    lines["pile"] = " ".join(CARD_NAMES[card] for card in s.pile)
    for palace in range(PALACES):
        lines[f"finds {LETTERS[palace]}"] = " ".join(FIND_LETTERS[int(find)] for find in s.finds[palace])
    return lines


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    finds = {f"finds {letter}": SITES for letter in LETTERS}
    cards = {"hand 0": HAND, "hand 1": HAND, "pile": TURNS}
    deals.same_keys(lines, ["first", *cards, *finds])
    s.first = deals.number(lines, "first", 0, 1)
    dealt = {key: deals.pieces(lines, key, count, CARD_NAMES) for key, count in cards.items()}
    deals.exactly(dealt, {name: COPIES[card % KINDS] for card, name in enumerate(CARD_NAMES)})
    buried = {key: deals.pieces(lines, key, SITES, FIND_CODES) for key in finds}
    for key in finds:
        if buried[key].count("R") != 1:
            raise BadDeal(key, f"'deal {key}:' holds {buried[key].count('R')} rare finds instead of one.")
    deals.exactly(buried, {"R": 4, "S": rules.STATUES, "F15": rules.FRESCOES15, "F20": rules.FRESCOES20})
    for seat in range(2):
        s.hand[seat] = [CARD_NAMES.index(card) for card in dealt[f"hand {seat}"]]
    s.pile[:] = [CARD_NAMES.index(card) for card in dealt["pile"]]
    for palace, key in enumerate(finds):
        s.finds[palace] = [FIND_CODES[find] for find in buried[key]]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any) -> list[Event]:
    """A turn as a chair saw it: the card played, what was found, the card drawn, the end."""
    if before is None or seat is None or move is None:
        return [Event("deal", f"{SEATS[after.first]} begins.", "PAL-01", int(after.first))]
    events = [_play(before, seat, move, after)]
    if after.ended != PAWNS:
        events.append(_draw(before, seat, move, after))
    if after.ended:
        events.append(_end(after))
    return events


def _play(before: Any, seat: int, move: int, after: Any) -> Event:
    action, card = divmod(move, CARDS)
    palace, kind = card // KINDS, card % KINDS
    who, where, name = SEATS[seat], NAMES[palace], CARD_NAMES[card]
    data: dict[str, Any] = {"card": name, "palace": LETTERS[palace]}
    if action == DISCARD:
        return Event("discard", f"{who} discards {name}.", "PAL-16", seat, data)
    if action == ATTACK:
        return _attack(before, seat, palace, after, data)
    pawn = int(after.pawn[seat, palace])
    step = int(after.step[seat, palace])
    data |= {"pawn": PAWN_NAMES[pawn], "step": step}
    if action in (START_A, START_T):
        sent = "Theseus" if pawn == THESEUS else "an archaeologist"
        return Event("start", f"{who} sends {sent} to {where} with {name}.", "PAL-07", seat, data)
    walker = f"{who}'s {'Theseus' if pawn == THESEUS else 'archaeologist'}"
    text = f"{walker} reaches step {step} at {where}"
    passed = [site for site in range(SITES) if before.step[seat, palace] < SITE_STEPS[site] <= step]
    finds = [find for site in passed if (find := _find(before, seat, palace, site, after))]
    rule = "PAL-11" if finds else "PAL-09" if kind == ARIADNE else "PAL-08"
    data["finds"] = [find for find, _ in finds]
    said = f"{text} and {listing([words for _, words in finds])}." if finds else f"{text} with {name}."
    return Event("advance", said, rule, seat, data)


def _find(before: Any, seat: int, palace: int, site: int, after: Any) -> tuple[str, str] | None:
    find = int(after.finds[palace, site])
    name = str(FIND_NAMES[find])
    if find in (FRESCO15, FRESCO20):
        if before.photos[seat, palace, site]:
            return None
        return name, f"photographs a fresco worth {15 if find == FRESCO15 else 20}"
    if before.finds[palace, site] != CLOSED:
        return None
    return name, "digs up a statue" if find == STATUE else f"digs up {RARE_NAMES[palace]}"


def _attack(before: Any, seat: int, palace: int, after: Any, data: dict[str, Any]) -> Event:
    who, other, where = SEATS[seat], SEATS[1 - seat], NAMES[palace]
    step = int(after.step[1 - seat, palace])
    data |= {"step": step}
    if after.pawn[1 - seat, palace] == THESEUS:
        return Event("parry", f"{other}'s Theseus parries {who}'s Minotaur at {where}.", "PAL-13", seat, data)
    if step == before.step[1 - seat, palace]:
        text = f"{who}'s Minotaur finds {other}'s archaeologist at the very start to {where}: nothing happens."
    else:
        text = f"{who}'s Minotaur throws {other}'s archaeologist at {where} back to step {step}."
    return Event("attack", text, "PAL-12", seat, data)


def _draw(before: Any, seat: int, move: int, after: Any) -> Event:
    if after.seat != seat:
        return Event("draw", f"{SEATS[seat]} draws a card.", "PAL-06", seat)
    rest = before.hand.tolist()
    rest.remove(move % CARDS)
    drawn = next(card for card in after.hand.tolist() if after.hand.tolist().count(card) > rest.count(card))
    return Event("draw", f"{SEATS[seat]} draws {CARD_NAMES[drawn]}.", "PAL-06", seat, {"card": CARD_NAMES[drawn]})


def _end(after: Any) -> Event:
    blue, red = _standing(after, 0), _standing(after, 1)
    why = "Four pawns stand on step 7 or beyond" if after.ended == PAWNS else "The pile is empty"
    scores = [blue[0], red[0]]
    if blue == red:
        said = f"a draw at {scores[0]}"
    else:
        winner = 0 if blue > red else 1
        said = f"{SEATS[winner]} wins by {scores[winner]} to {scores[1 - winner]}"
        if blue[0] == red[0]:
            said += (
                f", with more {'rare finds' if blue[1] != red[1] else 'frescoes' if blue[2] != red[2] else 'statues'}"
            )
    return Event("end", f"{why}: {said}.", "PAL-19" if blue[0] == red[0] else "PAL-17", None, {"scores": scores})


def _standing(v: Any, seat: int) -> tuple[int, int, int, int]:
    return (
        int(v.points[seat].sum()),
        int(v.rares[seat].sum()),
        int(v.frescoes[seat].sum()),
        int(v.statues[seat]),
    )


# What a chair sees


def describe(v: Any) -> PalacesTable:
    """The table as plain data."""
    turns, seat = int(v.turns), int(v.first)
    finds, pawns, steps, lasts = v.finds.tolist(), v.pawn.tolist(), v.step.tolist(), v.last.tolist()
    discards: list[str] = []
    played: list[list[list[str]]] = [[[], []] for _ in range(PALACES)]
    for move in v.log[:turns].tolist():
        action, card = divmod(move, CARDS)
        (discards if action in (DISCARD, ATTACK) else played[card // KINDS][seat]).append(CARD_NAMES[card])
        seat = 1 - seat
    return {
        "turns": turns,
        "pile": int(v.pile_left),
        "hand": [CARD_NAMES[card] for card in v.hand.tolist() if card >= 0],
        "discards": discards,
        "step_points": list(STEP_POINTS[1:]),
        "statue_points": list(STATUE_POINTS),
        "paths": [
            {
                "palace": NAMES[palace],
                "letter": LETTERS[palace],
                "rare_points": RARE_POINTS[palace],
                "sites": [{"step": step, "find": FIND_NAMES[find]} for step, find in zip(SITE_STEPS, finds[palace])],
                "pawns": [
                    {
                        "pawn": PAWN_NAMES[pawns[seat][palace]],
                        "step": steps[seat][palace],
                        "last": lasts[seat][palace] or None,
                        "cards": played[palace][seat],
                    }
                    for seat in range(2)
                ],
            }
            for palace in range(PALACES)
        ],
        "seats": [_seat(v, seat, pawns[seat]) for seat in range(2)],
    }


def _seat(v: Any, seat: int, sent: list[int]) -> Seat:
    steps, statues, rares, frescoes = v.points[seat].tolist()
    return {
        "name": SEATS[seat],
        "archaeologists": rules.ARCHAEOLOGISTS - sent.count(ARCHAEOLOGIST),
        "theseus": 1 - sent.count(THESEUS),
        "cards": HAND - int(v.ended == PAWNS and seat == (v.first + v.turns + 1) % 2),
        "statues": int(v.statues[seat]),
        "rares": [letter for letter, rare in zip(LETTERS, v.rares[seat].tolist()) if rare],
        "frescoes": [15] * int(v.frescoes[seat, 0]) + [20] * int(v.frescoes[seat, 1]),
        "points": Points(steps=steps, statues=statues, rares=rares, frescoes=frescoes),
        "score": steps + statues + rares + frescoes,
    }
