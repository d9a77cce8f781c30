"""How people read and write The Lost Palaces: cards and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from clew.core import SEATS, BadDeal, Cast, Event, IllegalMove, deals, listing, quoted
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
SPOKEN = tuple(
    {"A": f"Ariadne of {palace}", "X": f"the Minotaur of {palace}"}.get(kind, f"{palace} {kind}")
    for palace in NAMES
    for kind in KIND_NAMES
)
"""The cards as people say them, by the card's number."""
RARE_NAMES = ("the Minos ring", "the Malia jewel", "the Phaistos disc", "the Zakros rhyton")
PAWN_NAMES: tuple[Literal["archaeologist", "theseus"] | None, ...] = (None, "archaeologist", "theseus")
FIND_CODES = {"R": RARE, "S": STATUE, "F15": FRESCO15, "F20": FRESCO20}
FIND_LETTERS = {code: letter for letter, code in FIND_CODES.items()}
FIND_NAMES: tuple[Find | None, ...] = (None, "rare", "statue", "fresco15", "fresco20")

WAYS = {START_A: "{}:a", START_T: "{}:t", DISCARD: "-{}"}
WRITTEN = tuple(WAYS.get(action, "{}").format(name) for action in range(DISCARD + 1) for name in CARD_NAMES)
"""The moves as they are written, by the move's number."""
MOVE = re.compile(r"(-?)([KMPZ](?:10|[1-9]|A|X))(:[at])?")


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: K7:a K7:t K7 KA KX -K7."""
    return WRITTEN[move]


def parse(text: str, v: Any) -> int:
    """The move that is written so."""
    found = MOVE.fullmatch(text)
    if not found or (found[1] and found[3]):
        raise IllegalMove(
            "COM-06", f"{quoted(text)} is not a move; moves are written like K7:a, K7:t, K7, KA, KX or -K7."
        )
    card = CARD_NAMES.index(found[2])
    if found[1]:
        action = DISCARD
    elif found[3]:
        action = START_A if found[3] == ":a" else START_T
    else:
        action = ATTACK if card % KINDS == rules.MINOTAUR else ADVANCE
    return action * CARDS + card


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: the card, and what it does."""
    action, card = divmod(move, CARDS)
    palace, name = card // KINDS, SPOKEN[card]
    if action == DISCARD:
        return f"discard {name}", f"discard {name}"
    if action in (START_A, START_T):
        pawn = "Theseus" if action == START_T else "an archaeologist"
        return f"{name} with {pawn}", f"play {name}: {pawn} sets out for {NAMES[palace]}"
    if action == ATTACK:
        if v.pawn[1 - v.seat, palace] == THESEUS:
            return name, f"play {name}: the other Theseus parries it"
        return name, f"play {name}: it throws the other archaeologist back"
    pawn = "Theseus" if v.pawn[v.seat, palace] == THESEUS else "the archaeologist"
    step = min(int(v.step[v.seat, palace]) + (2 if card % KINDS == ARIADNE else 1), len(STEP_POINTS) - 1)
    return name, f"play {name}: {pawn} goes on to step {step}"


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    action, card = divmod(move, CARDS)
    palace, name = card // KINDS, SPOKEN[card]
    start = name[0].upper() + name[1:]
    where = NAMES[palace]
    if reason == rules.NOT_IN_HAND:
        return "PAL-06", f"You do not hold {name}."
    if reason == rules.PAWN_THERE:
        return "PAL-02", f"You have a pawn on the path to {where} already: {name} can only move that one on."
    if reason == rules.NO_START:
        return "PAL-07", "An Ariadne card does not start a path."
    if reason == rules.NO_PAWN_LEFT:
        pawn = "archaeologists are all" if action == START_A else "Theseus is"
        return "PAL-02", f"Your {pawn} on the way already."
    if reason == rules.NO_PAWN:
        return "PAL-07", f"You have no pawn on the path to {where}: a number card sends an archaeologist or Theseus."
    if reason == rules.AT_THE_END:
        return "PAL-10", f"Your pawn has reached {where}: it cannot advance."
    if reason == rules.TOO_LOW:
        last = int(v.last[v.seat, palace])
        return "PAL-08", f"{name} is lower than your last number card on that path, {where} {last}."
    if reason == rules.NO_TARGET:
        return "PAL-14", f"There is no pawn to attack on the path to {where}: {name} can only be discarded."
    if reason == rules.SAFE:
        return "PAL-14", f"The pawn at {where} is on step 7 or beyond and safe: {name} can only be discarded."
    if reason == rules.MINOTAUR_WALKS:
        return "PAL-12", "A Minotaur card moves no pawn of yours: it attacks, or it is discarded."
    return "PAL-12", f"{start} is not a Minotaur card and cannot attack."


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
            raise BadDeal(key, f"'deal {key}:' holds {buried[key].count('R')} treasures instead of one.")
    deals.exactly(buried, {"R": 4, "S": rules.STATUES, "F15": rules.FRESCOES15, "F20": rules.FRESCOES20})
    for seat in range(2):
        s.hand[seat] = [CARD_NAMES.index(card) for card in dealt[f"hand {seat}"]]
    s.pile[:] = [CARD_NAMES.index(card) for card in dealt["pile"]]
    for palace, key in enumerate(finds):
        s.finds[palace] = [FIND_CODES[find] for find in buried[key]]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A turn as a chair saw it: the card played, what was found, the card drawn, the end."""
    if before is None or seat is None or move is None:
        return [Event("deal", f"{cast.does(after.first, 'begin')}.", "PAL-01", int(after.first))]
    events = [_play(before, seat, move, after, cast)]
    if after.ended != PAWNS:
        events.append(_draw(before, seat, move, after, cast))
    if after.ended:
        events.append(_end(after, cast))
    return events


def _play(before: Any, seat: int, move: int, after: Any, cast: Cast) -> Event:
    action, card = divmod(move, CARDS)
    palace, kind = card // KINDS, card % KINDS
    where, name = NAMES[palace], SPOKEN[card]
    data: dict[str, Any] = {"card": CARD_NAMES[card], "palace": LETTERS[palace]}
    if action == DISCARD:
        return Event("discard", f"{cast.does(seat, 'discard')} {name}.", "PAL-16", seat, data)
    if action == ATTACK:
        return _attack(before, seat, palace, after, data, cast)
    pawn = int(after.pawn[seat, palace])
    step = int(after.step[seat, palace])
    data |= {"pawn": PAWN_NAMES[pawn], "step": step}
    if action in (START_A, START_T):
        sent = "Theseus" if pawn == THESEUS else "an archaeologist"
        return Event(
            "start", f"{cast.does(seat, 'play')} {name} and {cast.verb(seat, 'send')} {sent}.", "PAL-07", seat, data
        )
    walker = f"{cast.whose(seat)} {'Theseus' if pawn == THESEUS else 'archaeologist'} reaches step {step}"
    data["finds"] = finds = _finds(before, seat, palace, after)
    rule = "PAL-11" if finds else "PAL-09" if kind == ARIADNE else "PAL-08"
    found = listing([_found(find, palace) for find in finds])
    return Event(
        "advance", f"{walker} at {where} and {found}." if finds else f"{walker} with {name}.", rule, seat, data
    )


def _finds(before: Any, seat: int, palace: int, after: Any) -> list[dict[str, Any]]:
    """PAL-11: what the seat's pawn found on its way, step by step, and what so many of them are worth together."""
    found: list[dict[str, Any]] = []
    statues = int(before.statues[seat])
    for site, step in enumerate(SITE_STEPS):
        find = int(after.finds[palace, site])
        fresco = find in (FRESCO15, FRESCO20)
        known = before.photos[seat, palace, site] if fresco else before.finds[palace, site] != CLOSED
        if known or not before.step[seat, palace] < step <= after.step[seat, palace]:
            continue
        statues += find == STATUE
        points = {RARE: RARE_POINTS[palace], STATUE: STATUE_POINTS[statues], FRESCO15: 15, FRESCO20: 20}[find]
        count = statues if find == STATUE else 1
        found.append({"find": FIND_NAMES[find], "step": step, "count": count, "points": points})
    return found


def _found(find: dict[str, Any], palace: int) -> str:
    count, points = find["count"], str(find["points"]).replace("-", "−")
    if find["find"] == "rare":
        return f"digs up {RARE_NAMES[palace]} (worth {points})"
    if find["find"] == "statue":
        return f"digs up a statue ({count} now {'counts' if count == 1 else 'count'} {points})"
    return f"photographs a fresco worth {points}"


def _attack(before: Any, seat: int, palace: int, after: Any, data: dict[str, Any], cast: Cast) -> Event:
    other, where = 1 - seat, NAMES[palace]
    step = int(after.step[1 - seat, palace])
    data |= {"step": step}
    if after.pawn[1 - seat, palace] == THESEUS:
        text = f"{cast.whose(other)} Theseus parries {cast.whose(seat, inside=True)} Minotaur at {where}."
        return Event("parry", text, "PAL-13", seat, data)
    minotaur, thrown = f"{cast.whose(seat)} Minotaur", f"{cast.whose(other, inside=True)} archaeologist"
    if step == before.step[1 - seat, palace]:
        text = f"{minotaur} finds {thrown} at the very start to {where}: nothing happens."
    else:
        text = f"{minotaur} throws {thrown} at {where} back to step {step}."
    return Event("attack", text, "PAL-12", seat, data)


def _draw(before: Any, seat: int, move: int, after: Any, cast: Cast) -> Event:
    if after.seat != seat:
        return Event("draw", f"{cast.does(seat, 'draw')} a card.", "PAL-06", seat)
    rest, hand = before.hand.tolist(), after.hand.tolist()
    rest.remove(move % CARDS)
    drawn = next(card for card in hand if hand.count(card) > rest.count(card))
    text = f"{cast.does(seat, 'draw')} {SPOKEN[drawn]}."
    return Event("draw", text, "PAL-06", seat, {"card": CARD_NAMES[drawn]})


def _end(after: Any, cast: Cast) -> Event:
    blue, red = _standing(after, 0), _standing(after, 1)
    why = "Four pawns stand on step 7 or beyond" if after.ended == PAWNS else "The pile is empty"
    scores = [blue[0], red[0]]
    if blue == red:
        said = f"a draw at {scores[0]}"
    else:
        winner = 0 if blue > red else 1
        said = f"{cast.does(winner, 'win', inside=True)} by {scores[winner]} to {scores[1 - winner]}"
        if blue[0] == red[0]:
            said += (
                f", with more {'treasures' if blue[1] != red[1] else 'frescoes' if blue[2] != red[2] else 'statues'}"
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
        "hand": _hand(v),
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


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks."""
    return {"hand": _hand(v)}


def _hand(v: Any) -> list[str]:
    return [CARD_NAMES[card] for card in v.hand.tolist() if card >= 0]


def _seat(v: Any, seat: int, sent: list[int]) -> Seat:
    steps, statues, treasures, frescoes = v.points[seat].tolist()
    return {
        "name": SEATS[seat],
        "archaeologists": rules.ARCHAEOLOGISTS - sent.count(ARCHAEOLOGIST),
        "theseus": 1 - sent.count(THESEUS),
        "cards": HAND - int(v.ended == PAWNS and seat == (v.first + v.turns + 1) % 2),
        "statues": int(v.statues[seat]),
        "rares": [letter for letter, rare in zip(LETTERS, v.rares[seat].tolist()) if rare],
        "frescoes": [15] * int(v.frescoes[seat, 0]) + [20] * int(v.frescoes[seat, 1]),
        "points": Points(steps=steps, statues=statues, treasures=treasures, frescoes=frescoes),
        "score": steps + statues + treasures + frescoes,
    }
